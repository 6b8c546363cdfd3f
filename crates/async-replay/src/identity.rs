//! What names a run: hashes of its canonical form.

use crate::{FullHash, Run};

/// All that names a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hashes {
    /// The hash of the canonical form: what is signed; its first 128 bits are the run's id.
    pub full: FullHash,
    /// Names what was played, whoever played it: board, ruleset, seed and inputs.
    pub input_hash: [u8; 32],
    /// In how many frames the recording player's input differs from the frame before.
    pub input_changes: u32,
}

pub(crate) fn hashes(_run: &Run) -> Hashes {
    unimplemented!()
}

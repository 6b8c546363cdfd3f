//! A cheat as good as it can be made: one input changed, every checksum right, signed anew.

use async_client::native::entropy;
use async_core::arena::DASH;
use async_identity::PlayerKey;
use async_replay::{Limits, PlayerId, Run};

use crate::failure::Failure;

/// A run of which one input was changed.
pub(crate) struct Tampered {
    pub(crate) bytes: Vec<u8>,
    /// The frame of the change, from 0.
    pub(crate) frame: u32,
    /// The field that was changed, as a trace names it.
    pub(crate) field: String,
}

/// Flips the dash of the recording player two thirds into the run, and signs the result with a key
/// of its own: whoever has the file can do no better.
pub(crate) fn tamper(bytes: &[u8]) -> Result<Tampered, Failure> {
    let mut run = Run::open(bytes, &Limits::LOCAL)?;
    let frame = run.inputs.frames() / 3 * 2;
    let slot = usize::from(run.header.slot);
    let place = frame as usize * run.inputs.players() + slot;
    let input = run.inputs.flat_mut().get_mut(place);
    let input = input.ok_or_else(|| Failure::new("demo", "the run has no frame to change"))?;
    input.buttons ^= DASH;
    let key = PlayerKey::from_seed(entropy()?);
    run.header.player = Some(PlayerId(key.player()));
    run.header.player_name = "Tampered copy".into();
    run.signature = Some(key.sign_run(&run.full_hash().0));
    Ok(Tampered {
        bytes: run.encode()?,
        frame,
        field: format!("input[{slot}].buttons.dash"),
    })
}

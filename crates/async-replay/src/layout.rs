//! Where the bytes of a file are, for people who look into one.

use crate::{
    Error, Limits,
    container::{Chunks, kind},
};

/// One chunk of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkSize {
    /// The type byte.
    pub kind: u8,
    /// The type's name, `unknown` for one that this version does not have.
    pub name: &'static str,
    /// Bytes of it, type, length and checksum included.
    pub bytes: usize,
}

/// The chunks of a file in order, each with its checksum checked, as far as it is whole; nothing is
/// decoded. `too_large`, `not_a_run`, or whatever a chunk is broken by.
pub fn chunk_sizes(bytes: &[u8], limits: &Limits) -> Result<Vec<ChunkSize>, Error> {
    if bytes.len() > limits.bytes_max {
        return Err(Error::TooLarge {
            bytes: bytes.len(),
            bytes_max: limits.bytes_max,
        });
    }
    let (mut chunks, _) = Chunks::new(bytes)?;
    let mut sizes = Vec::new();
    while let Some(chunk) = chunks.next()? {
        sizes.push(ChunkSize {
            kind: chunk.kind,
            name: name(chunk.kind),
            bytes: chunk.size,
        });
    }
    Ok(sizes)
}

fn name(kind: u8) -> &'static str {
    match kind {
        kind::HEADER => "header",
        kind::INPUTS => "inputs",
        kind::SAMPLES => "samples",
        kind::CHECKPOINTS => "checkpoints",
        kind::MARKS => "marks",
        kind::PAUSES => "pauses",
        kind::SIGNATURE => "signature",
        kind::END => "end",
        kind::INDEX => "index",
        _ => "unknown",
    }
}

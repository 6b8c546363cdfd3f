//! Where the bytes of a file are, for people who look into one.

use crate::{
    Error, Limits, PriorHash,
    container::{Chunk, Chunks, kind},
    inputs,
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
    /// How the inputs or samples in it are coded.
    pub coding: Option<ChunkCoding>,
}

/// How a stretch of inputs or samples is coded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkCoding {
    /// `L0`, `L1`, `L2`, `S0` or `S1`.
    pub model: &'static str,
    /// Whether the model runs on through the whole file, so that no frame can be sought.
    pub runs_on: bool,
    /// The prior that the model starts from.
    pub prior: Option<PriorHash>,
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
            coding: coding(&chunk),
        });
    }
    Ok(sizes)
}

fn coding(chunk: &Chunk<'_>) -> Option<ChunkCoding> {
    match chunk.kind {
        kind::INPUTS => inputs::describe(chunk.payload),
        kind::SAMPLES => samples(chunk.payload),
        _ => None,
    }
}

fn samples(payload: &[u8]) -> Option<ChunkCoding> {
    let model = match payload.first()? {
        0 => "S0",
        1 => "S1",
        _ => return None,
    };
    Some(ChunkCoding {
        model,
        runs_on: false,
        prior: None,
    })
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

//! Our runs of recorded inputs, and how many bytes they take.

use std::sync::Arc;

use async_core::{Axis, AxisBits, InputSchema};
use async_replay::{Encoding, End, EndReason, Header, Limits, Priors, Run, chunk_sizes};
use rayon::prelude::*;

use super::{
    Failure,
    corpus::{Inputs, Set},
};

/// Bytes of runs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bytes {
    /// The INPUTS chunks with their framing and checksums.
    pub(super) inputs: usize,
    /// The same without: what a rival's bytes are compared with, which have no framing.
    pub(super) payload: usize,
    /// The SAMPLES chunks, likewise.
    pub(super) samples: usize,
    /// The file.
    pub(super) file: usize,
}

impl Bytes {
    /// Those of both.
    pub(super) fn and(self, other: Bytes) -> Bytes {
        Bytes {
            inputs: self.inputs + other.inputs,
            payload: self.payload + other.payload,
            samples: self.samples + other.samples,
            file: self.file + other.file,
        }
    }
}

/// The inputs as an engine's game would record them: every button and axis of the pad declared,
/// nothing simulated, so no checkpoints.
pub(super) fn run(inputs: &Inputs) -> Result<Run, Failure> {
    let failed = |error| Failure::Ours(inputs.name.clone(), error);
    let frames = inputs.frames() as u32;
    let mut header = Header::new("bench", 0, inputs.parsed.rate);
    header.players = inputs.parsed.players;
    header.frames_max = frames;
    header.inputs = Some(schema(inputs)?);
    let flat = inputs.parsed.inputs.clone();
    Ok(Run {
        inputs: async_replay::Inputs::new(inputs.parsed.players, flat).map_err(failed)?,
        header,
        tracks: Vec::new(),
        marks: Vec::new(),
        pauses: Vec::new(),
        checkpoints: Vec::new(),
        end: End {
            frames,
            score: 0,
            reason: EndReason::Finished,
            digest: 0,
        },
        signature: None,
        unknown_chunks: 0,
    })
}

pub(super) fn schema(inputs: &Inputs) -> Result<InputSchema, Failure> {
    let shape = inputs.shape;
    let buttons = (0..8 * shape.button_bytes).map(|it| format!("b{it}"));
    let bits = if shape.axis_bytes == 1 {
        AxisBits::Eight
    } else {
        AxisBits::Sixteen
    };
    let axis = |index| Axis {
        name: format!("a{index}"),
        bits,
    };
    InputSchema::new(buttons.collect(), (0..shape.axes).map(axis).collect())
        .map_err(|error| Failure::Rival("our schema".into(), error.to_string()))
}

/// Bytes of all files of a set, one way.
pub(super) fn set_bytes(set: &Set<Inputs>, encoding: &Encoding<'_>) -> Result<Bytes, Failure> {
    let files = set.files.par_iter();
    let files = files.map(|file| bytes(&file.name, &run(file)?, encoding));
    files.try_reduce(Bytes::default, |a, b| Ok(a.and(b)))
}

/// Encodes a run, opens it again and compares.
pub(super) fn bytes(file: &str, run: &Run, encoding: &Encoding<'_>) -> Result<Bytes, Failure> {
    let bytes = encoded(file, run, encoding)?;
    let chunks = chunk_sizes(&bytes, &Limits::LARGEST);
    let chunks = chunks.map_err(|error| Failure::Ours(file.to_owned(), error))?;
    let all = |name: &str| {
        let of_name = chunks.iter().filter(|chunk| chunk.name == name);
        of_name.map(|chunk| chunk.bytes).sum()
    };
    let inputs = chunks.iter().filter(|chunk| chunk.name == "inputs");
    Ok(Bytes {
        inputs: all("inputs"),
        payload: inputs.map(|chunk| chunk.bytes - framing(chunk.bytes)).sum(),
        samples: all("samples"),
        file: bytes.len(),
    })
}

/// Type, length and checksum of a chunk of so many bytes.
fn framing(bytes: usize) -> usize {
    let length = match bytes {
        0..134 => 1,
        134..16_391 => 2,
        _ => 3,
    };
    1 + length + 4
}

/// The file of a run, which opens as the same run.
pub(super) fn encoded(file: &str, run: &Run, encoding: &Encoding<'_>) -> Result<Vec<u8>, Failure> {
    let failed = |error| Failure::Ours(file.to_owned(), error);
    let bytes = run.encode_with(encoding).map_err(failed)?;
    let known = encoding.prior.into_iter();
    let known = known.map(|prior| (prior.hash(), Arc::new(prior.clone())));
    let back = Run::open_with(&bytes, &Limits::LARGEST, &known.collect::<Priors>());
    if back.map_err(failed)? != *run {
        return Err(Failure::Differs("ours".into(), file.to_owned()));
    }
    Ok(bytes)
}

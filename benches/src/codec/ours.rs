//! Our runs of recorded inputs, and how many bytes they take.

use async_core::{Axis, AxisBits, InputSchema};
use async_replay::{End, EndReason, Header, Limits, Run, chunk_sizes};

use super::{Failure, corpus::Inputs};

/// Bytes of one run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bytes {
    /// The INPUTS chunks with their framing and checksums.
    pub(super) inputs: usize,
    /// The file.
    pub(super) file: usize,
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

fn schema(inputs: &Inputs) -> Result<InputSchema, Failure> {
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

/// Encodes a run, opens it again and compares.
pub(super) fn bytes(
    file: &str,
    run: &Run,
    encode: impl Fn(&Run) -> Result<Vec<u8>, async_replay::Error>,
) -> Result<Bytes, Failure> {
    let failed = |error| Failure::Ours(file.to_owned(), error);
    let bytes = encode(run).map_err(failed)?;
    if Run::open(&bytes, &Limits::LARGEST).map_err(failed)? != *run {
        return Err(Failure::Differs("ours".into(), file.to_owned()));
    }
    let chunks = chunk_sizes(&bytes, &Limits::LARGEST).map_err(failed)?;
    let inputs = chunks.iter().filter(|chunk| chunk.name == "inputs");
    Ok(Bytes {
        inputs: inputs.map(|chunk| chunk.bytes).sum(),
        file: bytes.len(),
    })
}

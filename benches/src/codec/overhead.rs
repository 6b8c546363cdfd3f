//! What a file takes beside what was played.

use async_core::{Axis, AxisBits, FrameRate, Input, InputSchema};
use async_replay::{
    Checkpoint, Encoding, End, EndReason, Error, Header, Inputs, Limits, Run, chunk_sizes,
};

use super::{
    Failure,
    table::{Output, Table},
};
use crate::Figure;

/// A minute at 60 Hz.
const FRAMES: u32 = 3_600;
const MAGIC_BYTES: usize = 4;
/// Type, length and checksum of a chunk of inputs.
const FRAMING_BYTES: usize = 7;
/// The texts of the header below: the game, two buttons and four axes.
const NAMES: [&str; 7] = [
    "arena", "fire", "dash", "move_x", "move_y", "aim_x", "aim_y",
];
/// Of the input schema what is not names: tag, length, two counts and the length of each name.
const SCHEMA_BYTES: usize = 4 + 6;

/// Prints what each part of a one-minute run takes besides strings and the identity block (player,
/// ticket, opponent, signature), and the figure.
///
/// # Errors
/// A codec that fails, a closed output.
pub fn run(output: Output) -> Result<(), Failure> {
    let rows = rows().map_err(|error| Failure::Ours("a minute".into(), error))?;
    let all: usize = rows.iter().map(|(_, bytes)| bytes).sum();
    let checkpoints = rows.iter().find(|(name, _)| *name == "checkpoints");
    let without = all - checkpoints.map_or(0, |(_, bytes)| *bytes);
    output.text("A run of a minute besides strings and identity, bytes.\n")?;
    let mut table = Table::new(["", "bytes"]);
    let mut row = |name: &str, bytes: usize| table.row([name.to_owned(), bytes.to_string()]);
    rows.iter().for_each(|(name, bytes)| row(name, *bytes));
    row("all", all);
    row("  without the checkpoints", without);
    row("  and without the schema", without - SCHEMA_BYTES);
    output.text(&table.to_string())?;
    #[allow(clippy::cast_precision_loss, reason = "a few dozen bytes")]
    let figure = Figure::new("file_overhead_bytes", all as f64, "B");
    output.figure(&figure.noted(format!("{without} without the checkpoints")))?;
    output.text("")
}

fn rows() -> Result<Vec<(&'static str, usize)>, Error> {
    let bytes = minute()?.encode_with(&Encoding::default())?;
    let texts: usize = NAMES.iter().map(|name| name.len()).sum();
    let mut rows = vec![("magic and version", MAGIC_BYTES)];
    for chunk in chunk_sizes(&bytes, &Limits::default())? {
        rows.push(match chunk.name {
            "header" => ("header without its texts", chunk.bytes - texts),
            "inputs" => ("inputs: framing alone", FRAMING_BYTES),
            name => (name, chunk.bytes),
        });
    }
    Ok(rows)
}

/// A minute of one player of the arena, checkpoints included.
fn minute() -> Result<Run, Error> {
    let unlikely = |_| Error::BadHeader("of the bench");
    let axis = |name: &&str| Axis {
        name: (*name).into(),
        bits: AxisBits::Eight,
    };
    let rate = FrameRate::hz(60).map_err(unlikely)?;
    let mut header = Header::new(NAMES[0], 1, rate);
    let buttons = NAMES[1..3].iter().map(|name| (*name).into()).collect();
    let schema = InputSchema::new(buttons, NAMES[3..].iter().map(axis).collect());
    header.inputs = Some(schema.map_err(unlikely)?);
    header.seed = 1 << 52;
    header.frames_max = 36_000;
    let input = |frame: u32| Input {
        buttons: frame / 4 * 7 % 4,
        ..Input::default()
    };
    let checkpoint = |at| Checkpoint::of(at * 600, 1);
    Ok(Run {
        header,
        inputs: Inputs::new(1, (0..FRAMES).map(input).collect())?,
        tracks: Vec::new(),
        marks: Vec::new(),
        pauses: Vec::new(),
        checkpoints: (1..=FRAMES / 600).map(checkpoint).collect(),
        end: End {
            frames: FRAMES,
            score: 90_000,
            reason: EndReason::Finished,
            digest: 1,
        },
        signature: None,
        unknown_chunks: 0,
    })
}

//! How fast runs are recorded, finished, opened and named: a made-up minute of inputs.

use std::hint::black_box;

use async_core::{Axis, AxisBits, FrameRate, Input, InputSchema};
use async_replay::{End, EndReason, Error, Finished, Header, Limits, Run, Writer};

use crate::{Figure, best_of};

/// A minute at 60 Hz.
const FRAMES: u32 = 3_600;

/// Inputs of a minute, made up: each player changes a stick every eighth frame or so, which is
/// busier than a kart and calmer than a fighter.
fn minute(players: u8) -> Vec<Input> {
    let mut state = 1_u32;
    let mut held = vec![Input::default(); usize::from(players)];
    let mut inputs = Vec::new();
    for _ in 0..FRAMES {
        for input in &mut held {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            if state >> 29 == 0 {
                input.buttons = (state >> 8) & 3;
                input.axes[0] = ((state >> 10) & 127) as i16 - 64;
                input.axes[1] = ((state >> 17) & 127) as i16 - 64;
            }
        }
        inputs.extend_from_slice(&held);
    }
    inputs
}

fn header(players: u8) -> Result<Header, async_core::Error> {
    let axis = |name: &str| Axis {
        name: name.into(),
        bits: AxisBits::Eight,
    };
    let axes = ["move_x", "move_y", "aim_x", "aim_y"].map(axis).to_vec();
    let mut header = Header::new("arena", 1, FrameRate::hz(60)?);
    header.inputs = Some(InputSchema::new(vec!["fire".into(), "dash".into()], axes)?);
    header.players = players;
    header.frames_max = 36_000;
    Ok(header)
}

fn record(players: u8, inputs: &[Input]) -> Result<Writer, Error> {
    let header = header(players).map_err(|_| Error::BadHeader("of the bench"))?;
    let mut writer = Writer::new(header)?;
    for frame in inputs.chunks_exact(usize::from(players)) {
        writer.frame(frame)?;
    }
    Ok(writer)
}

fn finish(writer: Writer) -> Result<Finished, Error> {
    let end = End {
        frames: FRAMES,
        score: 1,
        reason: EndReason::Finished,
        digest: 1,
    };
    writer.finish(end, None)
}

/// Recording, finishing, opening and naming a minute of inputs (model L2, as a writer
/// streams it).
///
/// # Errors
/// What the codec says of its own files: nothing, unless it is broken.
pub fn figures() -> Result<Vec<Figure>, Error> {
    let mut figures = Vec::new();
    for players in [1_u8, 4] {
        let inputs = minute(players);
        let finished = finish(record(players, &inputs)?)?;
        let run = Run::open(&finished.bytes, &Limits::default())?;
        if run.inputs.flat() != inputs || run.id() != finished.id {
            return Err(Error::Malformed("another run than was recorded"));
        }
        let note = format!("{players} players, {} bytes a minute", finished.bytes.len());
        let per_frame = |name: &str, work: &mut dyn FnMut()| {
            let time = best_of(200, work);
            let nanoseconds = time.as_secs_f64() * 1e9 / f64::from(FRAMES);
            Figure::new(
                format!("made_up_{name}_{players}p_ns_per_frame"),
                nanoseconds,
                "ns",
            )
            .noted(note.clone())
        };
        figures.push(per_frame("record", &mut || {
            let _ = black_box(record(players, &inputs));
        }));
        figures.push(per_frame("record_and_finish", &mut || {
            let _ = black_box(record(players, &inputs).and_then(finish));
        }));
        figures.push(per_frame("open", &mut || {
            let _ = black_box(Run::open(&finished.bytes, &Limits::default()));
        }));
        figures.push(per_frame("hash", &mut || {
            let _ = black_box(run.hashes());
        }));
    }
    Ok(figures)
}

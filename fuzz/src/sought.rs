//! What must hold of a reader that seeks: it agrees with the whole run, and with itself.

use async_core::Input;
use async_replay::{Error, Limits, Priors, Reader, Run};

use crate::sound;

/// Asks for frames of a file in an order that two bytes a frame say. Where the run opens, each is
/// the run's. Where it does not, two readers that are asked in opposite orders say the same of
/// each frame.
pub fn sought(bytes: &[u8], limits: &Limits, priors: &Priors, order: &[u8]) {
    let opened = Run::open_with(bytes, limits, priors);
    let open = || Reader::open_with(bytes, limits, priors);
    let (mut reader, mut other) = match (open(), open()) {
        (Ok(reader), Ok(other)) => (reader, other),
        (Err(error), _) | (_, Err(error)) => {
            sound::refused(&error);
            assert!(opened.is_err(), "a whole run cannot be sought: {error}");
            return;
        }
    };
    let places = places(order, reader.frames());
    let told: Vec<_> = places.iter().map(|at| answer(&mut reader, *at)).collect();
    let mut again: Vec<_> = places
        .iter()
        .rev()
        .map(|at| answer(&mut other, *at))
        .collect();
    again.reverse();
    assert_eq!(told, again, "the order of questions tells");
    if let Ok(run) = opened {
        assert_eq!(reader.frames(), run.inputs.frames());
        for (at, told) in places.iter().zip(told) {
            let expected = (*at < run.inputs.frames()).then(|| run.inputs.frame(*at).to_vec());
            assert_eq!(told.ok(), expected, "frame {at}");
        }
    }
}

/// Frames that the bytes say, the first and the last, and one past it.
fn places(order: &[u8], frames: u32) -> Vec<u32> {
    let asked = order.as_chunks::<2>().0.iter().take(24);
    let asked = asked.map(|at| (u32::from(u16::from_le_bytes(*at)) * frames) >> 16);
    asked.chain([0, frames.saturating_sub(1), frames]).collect()
}

fn answer(reader: &mut Reader<'_>, frame: u32) -> Result<Vec<Input>, Error> {
    let told = reader.frame(frame).map(<[Input]>::to_vec);
    if let Err(error) = &told {
        sound::refused(error);
    }
    told
}

//! Recordings of human play (`INP1`, `SMP1`), to test and to demonstrate with.

use async_core::{FrameRate, Input};

use crate::Error;

/// An `INP1` recording: buttons and axes of each player in each frame, as its device gave them.
#[derive(Debug, Clone, PartialEq)]
pub struct InputRecording {
    /// Frames per second.
    pub rate: FrameRate,
    /// How many players.
    pub players: u8,
    /// How many axes each player has.
    pub axes: u8,
    /// Frame-major: all players of frame 0, then of frame 1.
    pub inputs: Vec<Input>,
}

impl InputRecording {
    /// Reads `INP1`. `bad_corpus` if the bytes do not hold exactly what they say.
    pub fn parse(_bytes: &[u8]) -> Result<Self, Error> {
        unimplemented!()
    }
}

/// A recording's inputs as inputs of the arena (frames × players), by the mapping of `FORMAT.md`.
/// `bad_corpus` for a layout of axes that has no mapping.
pub fn to_arena(_recording: &InputRecording) -> Result<Vec<Input>, Error> {
    unimplemented!()
}

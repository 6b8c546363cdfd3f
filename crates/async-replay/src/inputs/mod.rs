//! Chunks of inputs: how they are cut into segments, and which model codes them from which state.
//!
//! L0 chunks stand for themselves. L1 and L2 learn, and a chunk of theirs is a row of segments,
//! each a code of its own. Through the head of a file a model runs on from segment to segment;
//! every segment that starts behind the head starts from what was learned there, so that any frame
//! is found by decoding the head and one segment.

mod chunk;
mod code;
mod decoder;
mod encoder;
pub(crate) mod l0;
mod learner;
mod seal;

pub(crate) use chunk::{ChunkHead, Coding, L2, Segment, describe};
pub(crate) use code::{Answers, Budget, finish, least_bytes};
pub(crate) use decoder::{Decoder, segment};
pub(crate) use encoder::Encoder;
pub(crate) use learner::Learner;
pub(crate) use seal::seal;

/// The head of a file: the segments that start before this many inputs, frames times players. Eight
/// players play so much in two minutes at 60 Hz, and L2 decodes it in a few milliseconds.
#[cfg(not(fuzzing))]
pub(crate) const HEAD_INPUTS: u32 = 57_600;
/// A fuzzer's runs are short, and must reach what is behind the head.
#[cfg(fuzzing)]
pub(crate) const HEAD_INPUTS: u32 = 640;
/// A segment has at least so many frames, unless it is a file's last: starting one takes time.
pub(crate) const SEGMENT_FRAMES_MIN: u32 = 50;
/// The most frames of a chunk that L1 or L2 codes.
pub(crate) const CODED_FRAMES_MAX: u32 = 36_000;

/// The frames of the head.
pub(crate) fn head_frames(players: u8) -> u32 {
    HEAD_INPUTS.div_ceil(u32::from(players.max(1)))
}

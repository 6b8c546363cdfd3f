//! What the fuzz targets share: a bounded allocator, forged files with right checksums, runs made
//! of the fuzzer's bytes, and what must hold of everything that a reader accepts.

mod allocation;
pub mod chain;
pub mod change;
pub mod forge;
pub mod schemas;
pub mod shape;
pub mod sought;
pub mod sound;

use async_replay::Limits;

/// No target takes longer inputs, in bytes: the decoders are reached with far fewer.
pub const INPUT_BYTES_MAX: usize = 4_096;

/// Bounds under which an execution stays fast. What a reader allows by default is tried by the
/// targets too, on some of their inputs.
pub const SMALL: Limits = Limits {
    bytes_max: 1 << 16,
    frames_max: 8_000,
    players_max: 8,
    inputs_max: 16_000,
    tracks_max: 4,
    samples_max: 2_000,
    marks_max: 500,
};

//! What a reader is willing to hold in memory, decided before it allocates.

use async_core::{FRAMES_MAX, PLAYERS_MAX};

/// The most tracks a run may have.
pub const TRACKS_MAX: usize = 64;
/// The most extra channels a track may have.
pub const CHANNELS_MAX: usize = 8;
/// The most frames one data chunk may cover, so that a claim of many frames costs many bytes.
pub const CHUNK_FRAMES_MAX: u32 = 3_600;
/// The most bytes a header may take, strings and ticket included.
pub const HEADER_BYTES_MAX: usize = 16_384;
/// The most bytes any chunk's payload may take.
pub const CHUNK_BYTES_MAX: usize = 1 << 20;

/// A reader's bounds. Each is checked before anything of that size is allocated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The largest file, in bytes.
    pub bytes_max: usize,
    /// The longest run, in frames.
    pub frames_max: u32,
    /// The most slots.
    pub players_max: u8,
    /// The most inputs, frames times players; each takes 20 bytes in memory.
    pub inputs_max: usize,
    /// The most tracks.
    pub tracks_max: usize,
    /// The most samples over all tracks; each takes 72 bytes in memory.
    pub samples_max: usize,
    /// The most marks and, apart from them, the most pauses.
    pub marks_max: usize,
}

impl Limits {
    /// The largest a server may be set to: `maxRunBytes` 1 MiB and `maxFrames` 216,000.
    pub const LARGEST: Self = Self {
        bytes_max: 1 << 20,
        frames_max: FRAMES_MAX,
        players_max: PLAYERS_MAX as u8,
        inputs_max: FRAMES_MAX as usize * PLAYERS_MAX,
        tracks_max: TRACKS_MAX,
        samples_max: 1 << 18,
        marks_max: 1 << 14,
    };

    /// For one's own files on one's own machine: as long as the format allows, in up to 64 MiB.
    pub const LOCAL: Self = Self {
        bytes_max: 64 << 20,
        samples_max: 1 << 22,
        marks_max: 1 << 18,
        ..Self::LARGEST
    };
}

impl Limits {
    /// The most questions that the inputs of a run in L1 or L2 may ask, each a bit that is decoded
    /// in some tens of nanoseconds. What people play asks 2 to 20 for each input.
    pub fn questions_max(&self) -> usize {
        self.inputs_max.saturating_mul(64)
    }
}

impl Default for Limits {
    /// The kit's defaults: `maxRunBytes` 262,144 and `maxFrames` 36,000.
    fn default() -> Self {
        Self {
            bytes_max: 262_144,
            frames_max: 36_000,
            inputs_max: 36_000 * PLAYERS_MAX,
            samples_max: 1 << 16,
            ..Self::LARGEST
        }
    }
}

//! Whether a number goes on as it went, or stays where it is.

/// Decides by what would have been right of late.
#[derive(Debug, Clone, Copy)]
pub(super) struct Guess {
    /// How far off "it stays" was, and "it goes on"; sizes in sixteenths, recent ones count more.
    stays: u32,
    goes_on: u32,
}

impl Guess {
    pub(super) const NEW: Self = Self {
        stays: 0,
        goes_on: 0,
    };

    pub(super) fn goes_on(&self) -> bool {
        self.goes_on < self.stays
    }

    /// Learns how far off either was.
    pub(super) fn learn(&mut self, stays: u32, goes_on: u32) {
        self.stays = (7 * self.stays + stays) >> 3;
        self.goes_on = (7 * self.goes_on + goes_on) >> 3;
    }
}

/// How far something comes in `frames` that moved by `by` in `frames_before`.
pub(super) fn moved(by: i64, frames: u32, frames_before: u32) -> i64 {
    if frames == frames_before {
        by
    } else {
        (by * i64::from(frames)).div_euclid(i64::from(frames_before.max(1)))
    }
}

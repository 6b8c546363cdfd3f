//! Which of two expectations to trust.

/// Decides by which would have been nearer of late.
#[derive(Debug, Clone, Copy)]
pub(super) struct Guess {
    /// How far off the first was, and the second; sizes in sixteenths, recent ones count more.
    first: u32,
    second: u32,
}

impl Guess {
    pub(super) const NEW: Self = Self {
        first: 0,
        second: 0,
    };

    /// The first, unless the second was nearer.
    pub(super) fn choose(&self, first: i64, second: i64) -> i64 {
        if self.second < self.first {
            second
        } else {
            first
        }
    }

    /// Learns how far off either was.
    pub(super) fn learn(&mut self, first: u32, second: u32) {
        self.first = (7 * self.first + 8 * first) >> 3;
        self.second = (7 * self.second + 8 * second) >> 3;
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

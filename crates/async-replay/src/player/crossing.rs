//! What the last movement went over.

use core::ops::Range;

use super::timeline::{Leg, frame_of};
use crate::Mark;

/// Frames that were played without a jump: from one frame to another, backwards where `to` is the
/// smaller. Empty where the player has not left its frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stretch {
    /// After so many frames it began.
    pub from: u32,
    /// After so many frames it ended.
    pub to: u32,
}

impl Stretch {
    /// The frames it went over, in rising order: those whose inputs lead from one end to the other.
    #[must_use]
    pub fn frames(self) -> Range<u32> {
        self.from.min(self.to)..self.from.max(self.to)
    }

    /// Whether it was played backwards.
    #[must_use]
    pub fn is_backwards(self) -> bool {
        self.to < self.from
    }
}

/// The last movement, as what it went over.
#[derive(Debug, Clone, Copy)]
pub(super) struct Crossing {
    backwards: bool,
    wraps: u64,
    frames: (u32, u32),
    /// How many marks lay behind, before and after.
    marks: (usize, usize),
}

impl Crossing {
    /// None: the player is at this frame.
    pub(super) fn none(frame: u32) -> Self {
        Self {
            backwards: false,
            wraps: 0,
            frames: (frame, frame),
            marks: (0, 0),
        }
    }

    pub(super) fn new(leg: &Leg, marks: (usize, usize)) -> Self {
        Self {
            backwards: leg.backwards,
            wraps: leg.wraps,
            frames: (frame_of(leg.from), frame_of(leg.to)),
            marks,
        }
    }

    /// One stretch, and one more for each time it went round.
    pub(super) fn stretches(self, length: u32) -> impl Iterator<Item = Stretch> {
        let (first, last) = if self.backwards {
            (length, 0)
        } else {
            (0, length)
        };
        (0..=self.wraps).map(move |lap| Stretch {
            from: if lap == 0 { self.frames.0 } else { first },
            to: if lap == self.wraps {
                self.frames.1
            } else {
                last
            },
        })
    }

    /// The marks in the order in which they were crossed.
    pub(super) fn marks(self, marks: &[Mark]) -> impl Iterator<Item = Mark> {
        let count = marks.len();
        // Backwards is forwards through the list turned round.
        let ahead = move |behind: usize| match self.backwards {
            true => count.saturating_sub(behind),
            false => behind,
        };
        let (first, last) = (ahead(self.marks.0), ahead(self.marks.1));
        let wraps = if count == 0 { 0 } else { self.wraps };
        let places = (0..=wraps).flat_map(move |lap| {
            let from = if lap == 0 { first } else { 0 };
            from..if lap == wraps { last } else { count }
        });
        places.filter_map(move |place| {
            let place = if self.backwards {
                count.checked_sub(place + 1)?
            } else {
                place
            };
            marks.get(place).copied()
        })
    }
}

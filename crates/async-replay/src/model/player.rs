//! What the model remembers of one player.

use async_core::{AXES_MAX, Input};

use super::steps::coarse;
use crate::coder::hash;

/// Columns: the buttons, then the axes.
pub(super) const COLUMNS_MAX: usize = 1 + AXES_MAX;

/// The past of one player, up to the frame that is to be coded.
#[derive(Debug, Clone, Default)]
pub(super) struct Player {
    pub(super) last: Input,
    /// Frames since anything changed.
    pub(super) age: u32,
    /// How old the state before was when it changed.
    pub(super) age_before: u32,
    /// Which columns changed the last three times, 9 bits each, the latest lowest.
    pub(super) masks: u32,
    /// The axes' values before their last change.
    pub(super) axes_before: [i16; AXES_MAX],
    /// The smallest and largest value that each axis had, 0 included.
    pub(super) low: [i16; AXES_MAX],
    pub(super) high: [i16; AXES_MAX],
    /// Buttons toggled the last time any was.
    pub(super) toggled: u32,
    /// Hashes of all that is held now, and before the last change.
    pub(super) state: u32,
    pub(super) state_before: u32,
    /// How long this state was held the last time it came.
    pub(super) same_hold: u32,
    /// Where each axis is, 3 bits each, the first lowest.
    pub(super) places: u32,
    /// How far the axes moved the last time anything changed, and the time before, as classes.
    pub(super) speed: u32,
    pub(super) speed_before: u32,
    /// Frames in which anything changed, up to the last one, which is the lowest bit.
    history: u32,
    /// For each column, the frame after its last change.
    columns: [u32; COLUMNS_MAX],
}

impl Player {
    /// The last 32 frames, the latest lowest: whether anything changed.
    #[inline]
    pub(super) fn history(&self) -> u32 {
        self.history.checked_shl(self.age).unwrap_or(0)
    }

    /// Frames since a column changed.
    #[inline]
    pub(super) fn column_age(&self, column: usize, frame: u32) -> u32 {
        frame - self.columns[column]
    }

    /// Where an axis is, 3 bits.
    #[inline]
    pub(super) fn place(&self, axis: usize) -> u32 {
        self.places >> (3 * axis) & 7
    }

    /// Takes in the new value of an axis: 0 at rest, 1 or 2 at an end, 3 to 6 between.
    pub(super) fn put_axis(&mut self, axis: usize, value: i16) {
        self.low[axis] = self.low[axis].min(value);
        self.high[axis] = self.high[axis].max(value);
        let (low, high) = (self.low[axis], self.high[axis]);
        let end = if value < 0 { low } else { high };
        let near = i32::from(value).abs() * 2 <= i32::from(end).abs();
        let between = 3 + 2 * u32::from(value < 0) + u32::from(near);
        let ends = if value == high { 1 } else { 2 };
        let place = if value == end { ends } else { between };
        let place = if value == 0 { 0 } else { place };
        self.places = self.places & !(7 << (3 * axis)) | place << (3 * axis);
    }

    /// Takes in a frame in which the columns of `mask` changed, the only ones that `input` differs
    /// in. Gives the state that ended and its age.
    pub(super) fn changed(&mut self, input: &Input, mask: u32, frame: u32) {
        let mut left = mask;
        while left != 0 {
            let column = left.trailing_zeros() as usize;
            self.columns[column] = frame + 1;
            left &= left - 1;
        }
        self.history = self.history() << 1 | 1;
        self.masks = self.masks << 9 | mask;
        (self.age_before, self.age) = (self.age, 0);
        self.moved(input);
        let toggled = input.buttons ^ self.last.buttons;
        if toggled != 0 {
            self.toggled = toggled;
        }
        self.last = *input;
        self.settle();
    }

    fn moved(&mut self, input: &Input) {
        let mut way = 0;
        for axis in 0..AXES_MAX {
            let (value, before) = (input.axes[axis], self.last.axes[axis]);
            way += u32::from(value.abs_diff(before));
            let moved = value != before;
            self.axes_before[axis] = if moved {
                before
            } else {
                self.axes_before[axis]
            };
        }
        (self.speed_before, self.speed) = (self.speed, coarse(way));
    }

    /// Works out what follows from the inputs alone.
    fn settle(&mut self) {
        self.state_before = self.state;
        let pair = |axis: usize| {
            let [first, second] = [self.last.axes[axis], self.last.axes[axis + 1]];
            u32::from(first as u16) | u32::from(second as u16) << 16
        };
        let pairs = [pair(0), pair(2), pair(4), pair(6)];
        self.state = pairs
            .iter()
            .fold(hash(0, self.last.buttons), |state, pair| hash(state, *pair));
    }
}

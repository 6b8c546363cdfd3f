//! Where did an axis go?

use async_core::Input;

use super::{
    Model, curves, sets,
    steps::{difference, within},
};
use crate::coder::{Coder, Decide, Decision, hash};

/// What the contexts of one value have in common.
struct Setting {
    axis: u32,
    value: i32,
    fresh: u32,
    lead: u32,
    /// One hash for each way that has nothing to do with the place in the tree.
    ways: [u32; 5],
}

impl<D: Decide> Model<D> {
    /// Codes the new value of an axis along a binary tree of all values.
    pub(super) fn axis(
        &mut self,
        coder: &mut impl Coder,
        slot: usize,
        axis: usize,
        input: &Input,
        now: &mut Input,
    ) {
        let setting = self.setting(slot, axis, now);
        let value = i32::from(input.axes[axis]);
        let half = 1 << (self.axis_bits[axis] - 1);
        let (mut low, mut high, mut level) = (-half, half, 0);
        while high - low > 1 {
            let middle = (low + high) >> 1;
            let decision = upper(&setting, middle, level);
            if self.decide.code(coder, &decision, value >= middle) {
                low = middle;
            } else {
                high = middle;
            }
            level += 1;
        }
        self.broken |= low == setting.value;
        now.axes[axis] = low as i16;
        self.players[slot].put_axis(axis, low as i16);
    }

    fn setting(&self, slot: usize, axis: usize, now: &Input) -> Setting {
        let player = &self.players[slot];
        let other = axis ^ 1;
        let pair = now.axes[other];
        let (value, before) = (player.last.axes[axis], player.axes_before[axis]);
        let fresh = player.column_age(axis + 1, self.frame).min(3);
        let moved = i32::from(value) - i32::from(before);
        let speed = if fresh > 2 { 99 } else { within(moved, 20) };
        let places = player.place(axis) | player.place(other) << 3;
        let way = |way: u32, first: u32| hash(0x300 + way, first);
        let place = axis as u32;
        let toward = (value.signum() as u32) << 16;
        let ways = [
            way(0, place),
            way(1, place),
            way(2, speed),
            hash(way(3, place), u32::from(pair as u16) ^ toward),
            way(4, place | fresh << 4 | within(moved, 1) << 8 | places << 12),
        ];
        Setting {
            axis: place,
            value: i32::from(value),
            fresh,
            lead: way(9, place),
            ways,
        }
    }
}

/// Is the value at or above the middle of what is left?
#[inline]
fn upper(setting: &Setting, middle: i32, level: u32) -> Decision<5> {
    let node = level << 17 | (middle + 32_768) as u32;
    let relative = level << 17 | 1 << 16 | difference(middle - setting.value);
    let ways = setting.ways;
    let contexts = [
        hash(ways[0], relative),
        hash(ways[1], node),
        hash(ways[2], relative),
        hash(ways[3], node),
        hash(ways[4], node),
    ];
    Decision {
        contexts,
        sets: [
            sets::AXIS_LEVEL + (level * 4 + setting.fresh) as usize,
            sets::AXIS + setting.axis as usize,
        ],
        curve: curves::AXIS + (level * 8 + setting.axis) as usize,
        lead: Some(hash(setting.lead, node)),
    }
}

//! Did anything change, and which columns?

use async_core::Input;

use super::{
    Model, curves,
    player::Player,
    sets,
    steps::{coarse, fine, within},
};
use crate::coder::{Coder, Decide, Decision, hash};

/// The first column beyond the buttons and the first stick.
const REST: usize = 3;
/// Set in a mask where the question is whether any of those changed.
const ANY_REST: u32 = 1 << 9;

impl<D: Decide> Model<D> {
    /// Codes one player's frame. `before` says what changed for the player in the slot before.
    /// Gives which columns changed.
    #[inline]
    pub(super) fn player(
        &mut self,
        coder: &mut impl Coder,
        slot: usize,
        before: u32,
        input: &mut Input,
    ) -> u32 {
        let player = &self.players[slot];
        let decision = anything(player, before);
        coder.about(None);
        if !self.decide.code(coder, &decision, player.last != *input) {
            self.players[slot].age += 1;
            *input = self.players[slot].last;
            return 0;
        }
        let mut now = self.players[slot].last;
        let mask = self.columns(coder, slot, input, &mut now);
        self.remember(slot, &now, mask);
        *input = now;
        mask
    }

    /// Codes which columns changed and to what, from `input` into `now`.
    fn columns(
        &mut self,
        coder: &mut impl Coder,
        slot: usize,
        input: &Input,
        now: &mut Input,
    ) -> u32 {
        let columns = 1 + self.axis_bits.len();
        let stick = columns.min(REST);
        let mut mask = 0;
        for column in 0..stick {
            // Something changed: if nothing did so far, the last column must have.
            let known = mask == 0 && column + 1 == columns;
            mask |= self.column(coder, slot, (column, known), mask, input, now);
        }
        if columns == stick || !self.any_rest(coder, slot, mask, input, now) {
            return mask;
        }
        for column in REST..columns {
            let known = mask >> REST == 0 && column + 1 == columns;
            mask |= self.column(coder, slot, (column, known), mask, input, now);
        }
        mask
    }

    /// Did anything change beyond the buttons and the first stick?
    fn any_rest(
        &mut self,
        coder: &mut impl Coder,
        slot: usize,
        mask: u32,
        input: &Input,
        now: &Input,
    ) -> bool {
        let rest = REST..1 + self.axis_bits.len();
        let any = rest.into_iter().any(|column| differs(input, now, column));
        let decision = one_column(&self.players[slot], REST, mask | ANY_REST, now);
        mask == 0 || self.decide.code(coder, &decision, any)
    }

    /// Codes whether a column changed, unless that is known, and to what. Gives its bit.
    fn column(
        &mut self,
        coder: &mut impl Coder,
        slot: usize,
        (column, known): (usize, bool),
        mask: u32,
        input: &Input,
        now: &mut Input,
    ) -> u32 {
        let changed = differs(input, now, column);
        let decision = one_column(&self.players[slot], column, mask, now);
        coder.about(Some(column));
        if !known && !self.decide.code(coder, &decision, changed) {
            return 0;
        }
        match column.checked_sub(1) {
            None => self.buttons(coder, slot, input, now),
            Some(axis) => self.axis(coder, slot, axis, input, now),
        }
        1 << column
    }

    fn remember(&mut self, slot: usize, now: &Input, mask: u32) {
        let player = &mut self.players[slot];
        let key = |state: u32| (state ^ slot as u32) as usize % super::HOLDS;
        self.holds[key(player.state)] = player.age.min(60_000) as u16;
        player.changed(now, mask, self.frame);
        player.same_hold = u32::from(self.holds[key(player.state)]);
    }
}

fn differs(input: &Input, now: &Input, column: usize) -> bool {
    match column.checked_sub(1) {
        None => input.buttons != now.buttons,
        Some(axis) => input.axes[axis] != now.axes[axis],
    }
}

/// Did anything change?
#[inline(always)]
fn anything(player: &Player, before: u32) -> Decision<6> {
    let (age, history) = (player.age, player.history());
    let (fine_age, coarse_age) = (fine(age), coarse(age));
    let late = age as i32 - player.same_hold as i32;
    let two = |way, first, second| hash(hash(way, first), second);
    let last = player.masks & 0x1FF;
    let exact = age.min(255) | last << 8 | player.age_before.min(31) << 17;
    let contexts = [
        hash(two(0, player.places, player.last.buttons), fine_age),
        two(
            1,
            player.speed | player.speed_before << 8,
            history & 3 | age.min(7) << 2,
        ),
        two(2, player.state, exact),
        hash(two(3, player.state, player.state_before), coarse_age),
        two(4, before, history & 7 | coarse_age << 3),
        two(5, player.last.buttons, within(late, 12)),
    ];
    Decision {
        contexts,
        lead: None,
        sets: [
            sets::CHANGE_AGE + coarse_age.min(31) as usize,
            sets::CHANGE_LAST + (last & 0x1F) as usize,
        ],
        curve: curves::CHANGE + (hash(0, player.last.buttons) >> 26) as usize,
    }
}

/// Did this column change? The columns before it are in `now` already.
#[inline(always)]
fn one_column(player: &Player, column: usize, mask: u32, now: &Input) -> Decision<4> {
    let (place, seen) = (column as u32, mask | 1 << column);
    let (value, beside) = match column {
        0 => (player.last.buttons, 0),
        1 => (player.last.axes[0] as u32, now.buttons),
        _ => (
            player.last.axes[column - 1] as u32,
            now.axes[column - 2] as u32,
        ),
    };
    let beside_changed = mask >> column.saturating_sub(1) & 1;
    let place = place | beside_changed << 4 | (mask & ANY_REST) >> 4;
    let two = |way: u32, first, second| hash(hash(0x100 + way, first), second);
    let contexts = [
        hash(two(0, seen, player.masks & 0x1FF), coarse(player.age)),
        two(1, place, player.places & 0xFFF),
        two(2, seen, player.state),
        hash(two(3, place, beside), value),
    ];
    Decision {
        contexts,
        lead: None,
        sets: [
            sets::COLUMN + column * 4 + player.age.min(3) as usize,
            sets::COLUMNS_SO_FAR + (seen & 0x1FF) as usize,
        ],
        curve: curves::COLUMN + column,
    }
}

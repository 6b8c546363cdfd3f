//! Which buttons were toggled?

use async_core::Input;

use super::{Model, curves, sets, steps::coarse};
use crate::coder::{Coder, Decide, Decision, hash};

/// What the contexts of one set of toggled buttons have in common.
struct Setting {
    buttons: u32,
    toggled: u32,
    sticks: u32,
    age: u32,
}

impl<D: Decide> Model<D> {
    /// Codes the toggled buttons, lowest first: the number of each along a binary tree, then
    /// whether there is another.
    pub(super) fn buttons(
        &mut self,
        coder: &mut impl Coder,
        slot: usize,
        input: &Input,
        now: &mut Input,
    ) {
        let player = &self.players[slot];
        let setting = Setting {
            buttons: player.last.buttons,
            toggled: player.toggled,
            sticks: u32::from(player.last.axes[0] as u16) << 16
                | u32::from(player.last.axes[1] as u16),
            age: coarse(player.column_age(0, self.frame)),
        };
        let (mut left, mut so_far) = (input.buttons ^ now.buttons, 0_u32);
        loop {
            let button = self.button(coder, &setting, so_far, left.trailing_zeros() & 31);
            if button >= self.buttons || so_far >> button != 0 {
                self.broken = true;
                break;
            }
            so_far |= 1 << button;
            left &= !so_far;
            if button + 1 == self.buttons {
                break;
            }
            let decision = more(&setting, so_far);
            if !self.decide.code(coder, &decision, left != 0) {
                break;
            }
        }
        now.buttons ^= so_far;
    }

    /// Codes the number of one button.
    fn button(
        &mut self,
        coder: &mut impl Coder,
        setting: &Setting,
        so_far: u32,
        button: u32,
    ) -> u32 {
        let depth = self.buttons.next_power_of_two().trailing_zeros();
        let mut node = 1;
        for level in (0..depth).rev() {
            let decision = number(setting, so_far, node, level);
            let bit = self.decide.code(coder, &decision, button >> level & 1 != 0);
            node = node << 1 | u32::from(bit);
        }
        node - (1 << depth)
    }
}

/// The next bit of a button's number, after those in `node`.
fn number(setting: &Setting, so_far: u32, node: u32, level: u32) -> Decision<5> {
    let start = |way: u32| hash(hash(0x200 + way, node), so_far);
    let contexts = [
        start(0),
        hash(start(1), setting.buttons),
        hash(hash(start(2), setting.buttons), setting.age),
        hash(hash(start(3), setting.buttons), setting.toggled),
        hash(hash(start(4), setting.buttons), setting.sticks),
    ];
    Decision {
        contexts,
        sets: [
            sets::BUTTON + level as usize,
            sets::BUTTONS_SO_FAR + usize::from(so_far != 0),
        ],
        curve: curves::BUTTON + level as usize,
        lead: None,
    }
}

/// Was another button toggled?
fn more(setting: &Setting, so_far: u32) -> Decision<5> {
    let start = |way: u32| hash(0x210 + way, so_far);
    let contexts = [
        hash(0x210, 0),
        start(1),
        hash(hash(start(2), setting.buttons), setting.age),
        hash(start(3), setting.toggled),
        hash(hash(start(4), setting.buttons), setting.sticks),
    ];
    Decision {
        contexts,
        sets: [
            sets::BUTTON + 5,
            sets::BUTTONS_SO_FAR + 1 + so_far.count_ones().min(4) as usize,
        ],
        curve: curves::BUTTON + 5,
        lead: None,
    }
}

//! Input models L1 and L2: what people do with a pad, asked bit by bit.
//!
//! A frame asks of each player, in this order: did anything change; if so, column by column (the
//! buttons, then each axis) did it change; if so, to what. Each question is a few bits, and each
//! bit's contexts are in the file named like the question. L1 averages the first two contexts of
//! each bit, L2 mixes all of them; `FORMAT.md` has them as a table.

mod axis;
mod buttons;
mod change;
mod player;
mod steps;

use async_core::{AxisBits, Input, InputSchema};

use crate::{
    Error,
    coder::{Coder, Decide, Shape},
};
use player::Player;

/// Where each kind's sets of weights start.
mod sets {
    pub(super) const CHANGE_AGE: usize = 0;
    pub(super) const CHANGE_LAST: usize = 32;
    pub(super) const COLUMN: usize = 64;
    pub(super) const COLUMNS_SO_FAR: usize = 100;
    pub(super) const BUTTON: usize = 612;
    pub(super) const BUTTONS_SO_FAR: usize = 618;
    pub(super) const AXIS_LEVEL: usize = 624;
    pub(super) const AXIS: usize = 688;
}

/// Where each kind's curves start.
mod curves {
    pub(super) const CHANGE: usize = 0;
    pub(super) const COLUMN: usize = 64;
    pub(super) const BUTTON: usize = 73;
    pub(super) const AXIS: usize = 79;
    pub(super) const COUNT: usize = 79 + 128;
}

const SHAPE: Shape = Shape {
    kinds: &[(64, 92, 6), (548, 115, 4), (12, 180, 5), (72, 144, 5)],
    curves: curves::COUNT,
};

/// How long each state was held the last time, by the state's hash.
const HOLDS: usize = 4_096;

/// Codes frames of inputs, and learns from each.
#[derive(Debug, Clone)]
pub(crate) struct Model<D> {
    decide: D,
    players: Vec<Player>,
    holds: Box<[u16]>,
    buttons: u32,
    axis_bits: Vec<u32>,
    frame: u32,
    broken: bool,
}

impl<D: Decide> Model<D> {
    /// One that has learned nothing.
    pub(crate) fn new(players: u8, schema: &InputSchema) -> Self {
        let bits = |bits: AxisBits| match bits {
            AxisBits::Eight => 8,
            AxisBits::Sixteen => 16,
        };
        Self {
            decide: D::new(&SHAPE),
            players: vec![Player::default(); usize::from(players)],
            holds: vec![0; HOLDS].into_boxed_slice(),
            buttons: schema.buttons.len() as u32,
            axis_bits: schema.axes.iter().map(|axis| bits(axis.bits)).collect(),
            frame: 0,
            broken: false,
        }
    }

    /// Codes one frame: an encoder's inputs, which the schema allows, or a decoder's, which are
    /// overwritten.
    pub(crate) fn code(&mut self, coder: &mut impl Coder, inputs: &mut [Input]) {
        let mut before = 0;
        for (slot, input) in inputs.iter_mut().enumerate() {
            before = self.player(coder, slot, before, input);
        }
        self.frame += 1;
    }

    /// `malformed` if something was decoded that no encoder writes.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.broken {
            return Err(Error::Malformed("inputs that no recorder writes"));
        }
        Ok(())
    }

    /// Lets what was learned from other runs give way to the next one, of so many players, which
    /// starts from nothing.
    pub(crate) fn restart(&mut self, players: u8) {
        self.decide.unsettle(20);
        self.players.clear();
        self.players.resize(usize::from(players), Player::default());
        self.holds.fill(0);
        self.frame = 0;
    }

    /// Becomes a copy of another model of the same run, without allocating.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.decide.copy_from(&other.decide);
        self.players.clone_from_slice(&other.players);
        self.holds.copy_from_slice(&other.holds);
        self.frame = other.frame;
        self.broken = other.broken;
    }
}

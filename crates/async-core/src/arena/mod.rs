//! The game `arena`: a walled field seen from above, for 1 to 8 players.

use alloc::{vec, vec::Vec};

use crate::{Axis, AxisBits, Error, Game, Input, InputSchema, Pilot, Setup};

/// The arena's name in the catalogue.
pub const NAME: &str = "arena";
/// The revision of its behaviour.
pub const REVISION: u32 = 1;
/// The button that shoots.
pub const FIRE: u32 = 1 << 0;
/// The button that dashes; it acts when it goes down.
pub const DASH: u32 = 1 << 1;

/// Buttons `fire`, `dash`; axes `move_x`, `move_y`, `aim_x`, `aim_y` of 8 bits. y grows down.
#[must_use]
pub fn schema() -> InputSchema {
    let axis = |name: &str| Axis {
        name: name.into(),
        bits: AxisBits::Eight,
    };
    let axes: Vec<Axis> = ["move_x", "move_y", "aim_x", "aim_y"].map(axis).into();
    InputSchema {
        buttons: vec!["fire".into(), "dash".into()],
        axes,
    }
}

pub(crate) fn start(_setup: &Setup) -> Result<alloc::boxed::Box<dyn Game>, Error> {
    Err(Error::UnknownGame(NAME.into()))
}

/// The arena's autopilot: decent in every mode, different with every seed.
#[derive(Debug)]
pub struct Autopilot {}

impl Autopilot {
    /// A pilot with randomness of its own.
    #[must_use]
    pub fn new(_seed: u64) -> Self {
        Self {}
    }
}

impl Pilot for Autopilot {
    fn input(&mut self, _game: &dyn Game, _slot: u8) -> Input {
        Input::default()
    }
}

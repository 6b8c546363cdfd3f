//! Autopilots: players made of code.

use alloc::boxed::Box;

use crate::{Game, Input};

/// Plays a slot of a game. It uses only what a player can see, and randomness of its own.
pub trait Pilot: Send {
    /// What the pilot does in the coming frame. Call it once per frame.
    fn input(&mut self, game: &dyn Game, slot: u8) -> Input;
}

/// A pilot for a game of the standard catalogue; each seed plays differently.
#[must_use]
pub fn autopilot(game: &str, seed: u64) -> Option<Box<dyn Pilot>> {
    match game {
        crate::arena::NAME => Some(Box::new(crate::arena::Autopilot::new(seed))),
        _ => None,
    }
}

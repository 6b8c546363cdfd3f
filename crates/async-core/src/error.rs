//! What can be wrong with what a caller asks of this crate.

use alloc::string::String;

/// Every code that an [`Error`] or a [`Fault`](crate::Fault) of this crate can carry.
pub const CODES: &[&str] = &[
    "unknown_game",
    "unknown_revision",
    "bad_option",
    "bad_seed",
    "bad_players",
    "bad_slot",
    "bad_rate",
    "bad_schema",
    "bad_save",
    "input_undeclared",
    "trap",
    "not_a_number",
    "too_expensive",
    "frames_after_finish",
    "too_many_frames",
    "wrong_inputs",
];

/// A refusal: always the caller's fault, never a state of the simulation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The catalogue has no game of this name.
    #[error("no game is called {0:?}")]
    UnknownGame(String),
    /// The catalogue knows the game, but not this revision of it.
    #[error("{name} has no revision {revision}")]
    UnknownRevision {
        /// The game.
        name: String,
        /// The revision that was asked for.
        revision: u32,
    },
    /// An option is unknown to the game, of the wrong type, or out of its range.
    #[error("option {name:?}: {reason}")]
    BadOption {
        /// The option.
        name: String,
        /// What is allowed instead.
        reason: &'static str,
    },
    /// The seed is above [`SEED_MAX`](crate::SEED_MAX).
    #[error("seed {0} is above 2^53-1")]
    BadSeed(u64),
    /// The game cannot be played by so many.
    #[error("{0} players: {1}")]
    BadPlayers(u8, &'static str),
    /// The recording player's slot is not one of the game's.
    #[error("slot {slot} of {players} players")]
    BadSlot {
        /// The slot that was asked for.
        slot: u8,
        /// How many slots there are.
        players: u8,
    },
    /// The frame rate is not a ratio between 10 and 120 Hz.
    #[error("{numer}/{denom} frames a second is not between 10 and 120")]
    BadRate {
        /// Frames.
        numer: u32,
        /// Per so many seconds.
        denom: u32,
    },
    /// An input schema declares too much, or a name that is empty, too long or used twice.
    #[error("input schema: {0}")]
    BadSchema(&'static str),
    /// Saved bytes are not a state of this very game.
    #[error("saved state: {0}")]
    BadSave(&'static str),
    /// An input sets a button or an axis that its schema does not declare, or leaves its range.
    #[error("an input uses what its schema does not declare")]
    InputUndeclared,
}

impl Error {
    /// The stable code of this error, one of [`CODES`].
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::UnknownGame(_) => "unknown_game",
            Self::UnknownRevision { .. } => "unknown_revision",
            Self::BadOption { .. } => "bad_option",
            Self::BadSeed(_) => "bad_seed",
            Self::BadPlayers(..) => "bad_players",
            Self::BadSlot { .. } => "bad_slot",
            Self::BadRate { .. } => "bad_rate",
            Self::BadSchema(_) => "bad_schema",
            Self::BadSave(_) => "bad_save",
            Self::InputUndeclared => "input_undeclared",
        }
    }
}

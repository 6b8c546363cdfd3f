use thiserror::Error;

/// Every code that this crate's errors carry.
pub const CODES: &[&str] = &[
    "bad_base64",
    "bad_board",
    "bad_day",
    "bad_id",
    "bad_integer",
    "bad_name",
    "bad_option",
    "bad_setting",
    "unknown_kit",
    "unknown_setting",
];

/// Why a text on the wire was refused. Always the sender's fault.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// An id is not lower-case hex of its length.
    #[error("an id must be lower-case hex of its exact length")]
    BadId,
    /// A text is not padded base64.
    #[error("bytes must be padded base64")]
    BadBase64,
    /// A board key breaks the syntax.
    #[error("a board key must be {allowed}, got {key:?}")]
    BadBoard {
        /// The key as given, cut to a printable length.
        key: String,
        /// What is allowed.
        allowed: &'static str,
    },
    /// A player name is empty after cleaning, or too long.
    #[error("a player name {0}")]
    BadName(&'static str),
    /// A daily's day is not a date of the calendar, or outside the supported years.
    #[error("a day must be YYYY-MM-DD from 1970 to 9999, got {0:?}")]
    BadDay(String),
    /// A number is not a whole number of the 64-bit range in the form of the wire.
    #[error("{0}")]
    BadInteger(&'static str),
    /// A game option has a type or a size that no game takes.
    #[error("game option {name:?}: {reason}")]
    BadOption {
        /// The option's name, cut to a printable length.
        name: String,
        /// What is wrong with it.
        reason: &'static str,
    },
}

impl Error {
    /// The stable code, listed in [`crate::codes::REGISTRY`].
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::BadId => "bad_id",
            Self::BadBase64 => "bad_base64",
            Self::BadBoard { .. } => "bad_board",
            Self::BadName(_) => "bad_name",
            Self::BadDay(_) => "bad_day",
            Self::BadInteger(_) => "bad_integer",
            Self::BadOption { .. } => "bad_option",
        }
    }
}

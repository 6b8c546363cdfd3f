//! What can go wrong in a store, and whose fault it is.

use std::fmt;

/// A failed store call. Nothing was changed unless the variant says otherwise.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// More writes wait than the store takes at once. The server's fault; send again later.
    #[error("too many writes are waiting")]
    Busy,
    /// The disk or the file's size limit is full. The server's fault.
    #[error("the store is full")]
    Full,
    /// The file may not be written. The server's fault.
    #[error("the store is read-only")]
    ReadOnly,
    /// The file is not a store, or is damaged. The server's fault.
    #[error("the store is damaged: {0}")]
    Damaged(String),
    /// Another process has the file open. The operator's fault.
    #[error("another process has the store open")]
    InUse,
    /// The file was written by a newer version than this one knows. The operator's fault.
    #[error("the store has version {found}, this program knows up to {known}")]
    Newer {
        /// The version the file carries.
        found: i64,
        /// The newest version this program can open.
        known: i64,
    },
    /// The disk or SQLite failed in another way. The server's fault.
    #[error("the store failed: {0}")]
    Failed(String),
    /// The store is closing; the write did not happen. The server's fault.
    #[error("the store is closed")]
    Closed,
    /// No board of this name, and no more may be made on first use. The caller's fault.
    #[error("no such board")]
    UnknownBoard,
    /// A board declared again with another order, tie rule or ruleset while it has runs.
    #[error("the board has runs and another {0}")]
    BoardConflict(&'static str),
    /// The run belongs to another ruleset than its board. The run's fault.
    #[error("the run follows another ruleset than its board")]
    WrongRuleset,
    /// No run of this id. The caller's fault.
    #[error("no such run")]
    UnknownRun,
    /// The same inputs were already submitted by another player. The run's fault.
    #[error("the same inputs are run {0} of another player")]
    DuplicateRun(async_protocol::RunId),
    /// This id was erased or its owner banned: it cannot come back. The run's fault.
    #[error("the run was erased")]
    Erased,
    /// The player is banned from this app. The player's fault.
    #[error("the player is banned")]
    Banned,
    /// The ticket was already used by another run. The player's fault.
    #[error("the ticket was used by another run")]
    TicketUsed,
    /// The player has used all attempts on this board. The player's fault.
    #[error("no attempts left")]
    NoAttempts,
    /// A cursor that this store did not make. The caller's fault.
    #[error("the cursor is not valid")]
    BadCursor,
    /// A policy that this store cannot keep. The operator's fault.
    #[error("{0} are not supported")]
    Unsupported(&'static str),
    /// A field is longer than the store keeps. The caller's fault.
    #[error("{0} is too large")]
    TooLarge(&'static str),
}

/// Every code [`Error::code`] can return.
pub const CODES: &[&str] = &[
    "store_busy",
    "store_full",
    "store_read_only",
    "store_damaged",
    "store_in_use",
    "store_newer",
    "store_failed",
    "store_closed",
    "unknown_board",
    "board_conflict",
    "wrong_ruleset",
    "unknown_run",
    "duplicate_run",
    "erased",
    "banned",
    "ticket_used",
    "no_attempts",
    "bad_cursor",
    "unsupported_policy",
    "too_large",
];

impl Error {
    /// The stable code that clients see.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Busy => "store_busy",
            Self::Full => "store_full",
            Self::ReadOnly => "store_read_only",
            Self::Damaged(_) => "store_damaged",
            Self::InUse => "store_in_use",
            Self::Newer { .. } => "store_newer",
            Self::Failed(_) => "store_failed",
            Self::Closed => "store_closed",
            Self::UnknownBoard => "unknown_board",
            Self::BoardConflict(_) => "board_conflict",
            Self::WrongRuleset => "wrong_ruleset",
            Self::UnknownRun => "unknown_run",
            Self::DuplicateRun(_) => "duplicate_run",
            Self::Erased => "erased",
            Self::Banned => "banned",
            Self::TicketUsed => "ticket_used",
            Self::NoAttempts => "no_attempts",
            Self::BadCursor => "bad_cursor",
            Self::Unsupported(_) => "unsupported_policy",
            Self::TooLarge(_) => "too_large",
        }
    }

    /// True when the same call may succeed later without any change by the caller.
    #[must_use]
    pub fn retry(&self) -> bool {
        matches!(
            self,
            Self::Busy | Self::Full | Self::ReadOnly | Self::Failed(_) | Self::Closed
        )
    }

    /// A failure described by `what`, for the causes that have no variant of their own.
    pub(crate) fn failed(what: impl fmt::Display) -> Self {
        Self::Failed(what.to_string())
    }
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ffi::ErrorCode as Sql;
        match error.sqlite_error_code() {
            Some(Sql::DatabaseBusy | Sql::DatabaseLocked) => Self::Busy,
            Some(Sql::DiskFull) => Self::Full,
            Some(Sql::ReadOnly | Sql::PermissionDenied) => Self::ReadOnly,
            Some(Sql::DatabaseCorrupt | Sql::NotADatabase) => Self::Damaged(error.to_string()),
            _ => Self::failed(error),
        }
    }
}

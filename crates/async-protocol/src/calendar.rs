//! Days, dailies and periods, in UTC only: no local time exists here.

use crate::{Error, Period};

/// A span of Unix milliseconds: `opens_ms` belongs to it, `closes_ms` does not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Window {
    /// First millisecond inside.
    pub opens_ms: u64,
    /// First millisecond after it; `u64::MAX` for all time.
    pub closes_ms: u64,
}

/// A daily challenge: its board and when it is open.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Daily {
    /// `daily-YYYY-MM-DD`.
    pub board: String,
    /// Its day, UTC midnight to UTC midnight.
    pub window: Window,
}

/// The daily of a server's moment.
///
/// # Errors
/// [`Error::BadDay`] if the moment is past the year 9999.
pub fn daily_at(unix_ms: u64) -> Result<Daily, Error> {
    let _ = unix_ms;
    unimplemented!()
}

/// The daily that a board key names; `None` for every other key.
///
/// # Errors
/// [`Error::BadDay`] if the key starts with `daily-` and what follows is no date.
pub fn daily_of(board: &str) -> Result<Option<Daily>, Error> {
    let _ = board;
    unimplemented!()
}

/// The span of a period around a moment.
///
/// # Errors
/// [`Error::BadDay`] if the moment is past the year 9999.
pub fn window(period: Period, unix_ms: u64) -> Result<Window, Error> {
    let _ = (period, unix_ms);
    unimplemented!()
}

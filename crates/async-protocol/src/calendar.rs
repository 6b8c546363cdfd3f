//! Days, dailies and periods, in UTC only: no local time exists here.
//!
//! Two players at the same instant get the same daily, since the server names it by its own clock
//! and tells when it opens and closes; clients only display that.

use time::macros::format_description;
use time::{Date, Month, OffsetDateTime};

use crate::{Error, Period};

const DAY_MS: u64 = 86_400_000;
const DAILY_PREFIX: &str = "daily-";

/// A span of Unix milliseconds: `opens_ms` belongs to it, `closes_ms` does not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Window {
    /// First millisecond inside.
    pub opens_ms: u64,
    /// First millisecond after it; `u64::MAX` for all time.
    pub closes_ms: u64,
}

impl Window {
    /// All time.
    pub const ALWAYS: Self = Self {
        opens_ms: 0,
        closes_ms: u64::MAX,
    };

    /// True from `opens_ms` until just before `closes_ms`.
    #[must_use]
    pub fn contains(&self, unix_ms: u64) -> bool {
        (self.opens_ms..self.closes_ms).contains(&unix_ms)
    }
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
    daily_on(date_at(unix_ms)?)
}

/// The daily that a board key names; `None` for every other key.
///
/// # Errors
/// [`Error::BadDay`] if the key starts with `daily-` and what follows is no date.
pub fn daily_of(board: &str) -> Result<Option<Daily>, Error> {
    let Some(day) = board.strip_prefix(DAILY_PREFIX) else {
        return Ok(None);
    };
    let format = format_description!("[year]-[month]-[day]");
    let date = Date::parse(day, format)
        .ok()
        .filter(|_| day.len() == "YYYY-MM-DD".len());
    let date = date.filter(|date| (1970..=9999).contains(&date.year()));
    date.map(daily_on)
        .transpose()?
        .map_or_else(|| Err(bad_day(day)), |daily| Ok(Some(daily)))
}

/// The span of a period around a moment: the day, the week from Monday, the calendar month.
///
/// The span before it is the one around `opens_ms - 1`, so whoever closes a period asks for that
/// and never for the new, still empty one.
///
/// # Errors
/// [`Error::BadDay`] if the moment is past the year 9999.
pub fn window(period: Period, unix_ms: u64) -> Result<Window, Error> {
    let date = date_at(unix_ms)?;
    match period {
        Period::Alltime => Ok(Window::ALWAYS),
        Period::Daily => days(date, 1),
        Period::Weekly => {
            // The first days of 1970 belong to a week that began in 1969.
            let since_monday = i64::from(date.weekday().number_days_from_monday());
            let monday = date.to_julian_day() as i64 - since_monday;
            Ok(julian_days(monday, monday + 7))
        }
        Period::Monthly => {
            let first = first_of(date.year(), date.month())?;
            days(first, u64::from(date.month().length(date.year())))
        }
    }
}

fn daily_on(date: Date) -> Result<Daily, Error> {
    let (year, month, day) = (date.year(), u8::from(date.month()), date.day());
    let board = format!("{DAILY_PREFIX}{year:04}-{month:02}-{day:02}");
    Ok(Daily {
        board,
        window: days(date, 1)?,
    })
}

fn first_of(year: i32, month: Month) -> Result<Date, Error> {
    Date::from_calendar_date(year, month, 1).map_err(|_| bad_day(&year.to_string()))
}

fn days(first: Date, count: u64) -> Result<Window, Error> {
    let first = i64::from(first.to_julian_day());
    let count = i64::try_from(count).map_err(|_| bad_day(""))?;
    Ok(julian_days(first, first + count))
}

/// From one Julian day to before another; what lies before 1970 is cut off.
fn julian_days(first: i64, last: i64) -> Window {
    const EPOCH: i64 = 2_440_588;
    let at = |day: i64| u64::try_from(day - EPOCH).unwrap_or(0) * DAY_MS;
    Window {
        opens_ms: at(first),
        closes_ms: at(last),
    }
}

fn date_at(unix_ms: u64) -> Result<Date, Error> {
    let seconds = i64::try_from(unix_ms / 1_000).ok();
    let moment = seconds.and_then(|seconds| OffsetDateTime::from_unix_timestamp(seconds).ok());
    moment
        .map(OffsetDateTime::date)
        .ok_or_else(|| bad_day(&unix_ms.to_string()))
}

fn bad_day(day: &str) -> Error {
    Error::BadDay(day.chars().take("YYYY-MM-DD".len() * 2).collect())
}

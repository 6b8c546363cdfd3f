//! Days and periods, UTC.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails so"
)]

use async_protocol::calendar::{Daily, Window, daily_at, daily_of, window};
use async_protocol::{Period, board};
use proptest::prelude::*;

const DAY: u64 = 86_400_000;
/// 2026-03-01 00:00:00 UTC, a Sunday.
const MARCH: u64 = 1_772_323_200_000;

fn span(period: Period, unix_ms: u64) -> (u64, u64) {
    let window = window(period, unix_ms).unwrap();
    (window.opens_ms, window.closes_ms)
}

#[test]
fn case_d1_the_daily_is_named_by_the_servers_utc_day() {
    let march = Daily {
        board: "daily-2026-03-01".to_owned(),
        window: Window {
            opens_ms: MARCH,
            closes_ms: MARCH + DAY,
        },
    };
    assert_eq!(daily_at(MARCH), Ok(march.clone()));
    assert_eq!(daily_at(MARCH + DAY - 1), Ok(march.clone()));
    assert_eq!(daily_at(MARCH - 1).unwrap().board, "daily-2026-02-28");
    assert_eq!(daily_at(MARCH + DAY).unwrap().board, "daily-2026-03-02");
    assert_eq!(daily_of("daily-2026-03-01"), Ok(Some(march)));
    assert_eq!(daily_at(0).unwrap().board, "daily-1970-01-01");
    assert_eq!(daily_at(951_782_400_000).unwrap().board, "daily-2000-02-29");
}

#[test]
fn case_d3_tomorrows_daily_is_not_open_yet() {
    let tomorrow = daily_of("daily-2026-03-02").unwrap().unwrap().window;
    assert!(!tomorrow.contains(MARCH + DAY - 1));
    assert!(tomorrow.contains(MARCH + DAY));
    assert!(tomorrow.contains(MARCH + 2 * DAY - 1));
    assert!(!tomorrow.contains(MARCH + 2 * DAY));
}

#[test]
fn a_key_that_starts_like_a_daily_must_be_one() {
    for other in ["", "daily", "Daily-2026-03-01", "weekly-2026", "main"] {
        assert_eq!(daily_of(other), Ok(None), "{other}");
    }
    for bad in [
        "daily-",
        "daily-2026-02-29",
        "daily-2026-13-01",
        "daily-2026-3-1",
        "daily-26-03-01",
        "daily-2026-03-01 ",
        "daily-2026-03-011",
        "daily-+2026-03-1",
        "daily-1969-12-31",
        "daily--001-01-01",
        "daily-2026-03-1x",
        "daily-٢٠٢٦-٠٣-٠١",
    ] {
        assert_eq!(daily_of(bad).unwrap_err().code(), "bad_day", "{bad}");
    }
    assert!(daily_of("daily-9999-12-31").is_ok());
}

#[test]
fn a_week_starts_on_monday_and_a_month_is_a_calendar_month() {
    assert_eq!(span(Period::Daily, MARCH + 5), (MARCH, MARCH + DAY));
    // Sunday the 1st still belongs to the week of Monday the 23rd.
    assert_eq!(span(Period::Weekly, MARCH), (MARCH - 6 * DAY, MARCH + DAY));
    assert_eq!(
        span(Period::Weekly, MARCH + DAY),
        (MARCH + DAY, MARCH + 8 * DAY)
    );
    assert_eq!(span(Period::Monthly, MARCH), (MARCH, MARCH + 31 * DAY));
    assert_eq!(span(Period::Monthly, MARCH - 1), (MARCH - 28 * DAY, MARCH));
    assert_eq!(span(Period::Alltime, MARCH), (0, u64::MAX));
    // 1970 began on a Thursday.
    assert_eq!(span(Period::Weekly, 0), (0, 4 * DAY));
}

#[test]
fn case_d5_the_period_that_closes_is_the_one_before() {
    for period in [Period::Daily, Period::Weekly, Period::Monthly] {
        let now = window(period, MARCH + DAY).unwrap();
        let closed = window(period, now.opens_ms - 1).unwrap();
        assert_eq!(closed.closes_ms, now.opens_ms, "{period:?}");
        assert!(!closed.contains(MARCH + DAY), "{period:?}");
    }
}

#[test]
fn a_moment_past_the_calendar_is_refused() {
    for moment in [u64::MAX, 253_402_300_800_000] {
        assert_eq!(daily_at(moment).unwrap_err().code(), "bad_day");
        assert_eq!(
            window(Period::Weekly, moment).unwrap_err().code(),
            "bad_day"
        );
    }
    assert_eq!(
        daily_at(253_402_300_799_999).unwrap().board,
        "daily-9999-12-31"
    );
    assert!(window(Period::Monthly, 253_402_300_799_999).is_ok());
}

proptest! {
    #[test]
    fn windows_hold_their_moment_and_meet_their_neighbours(moment in 0u64..253_402_300_800_000) {
        for period in [Period::Daily, Period::Weekly, Period::Monthly] {
            let now = window(period, moment).unwrap();
            prop_assert!(now.contains(moment));
            prop_assert_eq!(window(period, now.opens_ms), Ok(now));
            prop_assert_eq!(window(period, now.closes_ms - 1), Ok(now));
            if let Ok(next) = window(period, now.closes_ms) {
                prop_assert_eq!(next.opens_ms, now.closes_ms);
            }
        }
        let daily = daily_at(moment).unwrap();
        prop_assert!(board::check_key(&daily.board).is_ok());
        prop_assert_eq!(daily_of(&daily.board), Ok(Some(daily.clone())));
        prop_assert_eq!(daily.window.closes_ms - daily.window.opens_ms, DAY);
    }
}

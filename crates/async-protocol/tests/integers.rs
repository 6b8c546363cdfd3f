//! Integers on the wire: a number where every language holds it, a decimal string beyond.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails so"
)]

use async_protocol::integer;
use async_protocol::wire::{DailyAnswer, Row, TicketAnswer};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Signed(#[serde(with = "integer")] i64);

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Unsigned(#[serde(with = "integer")] u64);

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Maybe {
    #[serde(default, with = "integer::option")]
    value: Option<i64>,
}

fn read(text: &str) -> Result<i64, String> {
    serde_json::from_str::<Signed>(text)
        .map(|signed| signed.0)
        .map_err(|error| error.to_string())
}

fn write(value: i64) -> String {
    serde_json::to_string(&Signed(value)).unwrap()
}

fn refuses(text: &str, message: &str) {
    let error = read(text).expect_err(text);
    assert!(error.contains(message), "{text}: {error}");
}

#[test]
fn case_n1_neighbours_stay_apart_and_in_order() {
    let values = [
        1_009_651_914_519_660_511,
        1_009_651_914_519_660_512,
        1_009_651_914_519_660_544,
    ];
    let mut back: Vec<i64> = values
        .iter()
        .map(|value| read(&write(*value)).unwrap())
        .collect();
    assert_eq!(back, values);
    back.reverse();
    back.sort_unstable();
    assert_eq!(back, values);
    assert_eq!(write(values[0]), "\"1009651914519660511\"");
}

#[test]
fn case_n1_the_form_changes_exactly_at_2_53() {
    let edge = 9_007_199_254_740_991;
    for sign in [1, -1] {
        assert_eq!(write(sign * edge), (sign * edge).to_string());
        assert_eq!(
            write(sign * (edge + 1)),
            format!("\"{}\"", sign * (edge + 1))
        );
        assert_eq!(read(&(sign * edge).to_string()), Ok(sign * edge));
        // As a number it may already have been rounded on its way.
        refuses(
            &(sign * (edge + 1)).to_string(),
            "must be sent as a decimal string",
        );
    }
}

#[test]
fn case_n3_big_scores_are_plain_digits() {
    for value in [1_000_000, 1_000_000_000, 1_000_000_000_000_000] {
        assert_eq!(write(value), value.to_string());
        assert_eq!(read(&write(value)), Ok(value));
        assert!(write(value).bytes().all(|byte| byte.is_ascii_digit()));
    }
}

#[test]
fn case_n4_what_is_no_whole_number_is_refused_at_the_door() {
    for text in [
        "null",
        "true",
        "[]",
        "{}",
        "NaN",
        "Infinity",
        "-Infinity",
        "",
        "undefined",
    ] {
        assert!(read(text).is_err(), "{text}");
    }
    for text in ["1.0", "1.5", "1e3", "-0", "-0.0", "1E400", "-1.7e308"] {
        assert!(read(text).is_err(), "{text}");
    }
    for text in [
        "\"\"",
        "\"-\"",
        "\"-0\"",
        "\"+1\"",
        "\"01\"",
        "\"1.0\"",
        "\"1e3\"",
        "\" 1\"",
        "\"1 \"",
        "\"NaN\"",
        "\"0x1\"",
        "\"1_000\"",
        "\"١\"",
        "\"--1\"",
        "\"00\"",
    ] {
        refuses(text, "a whole number is needed");
    }
    let row = json!({ "rank": 1, "position": 1, "player": "00".repeat(32), "name": "", "run":
        "00".repeat(16), "status": "verified", "accepted_at_ms": 1 });
    let error = serde_json::from_value::<Row>(row).unwrap_err();
    assert!(
        error.to_string().contains("missing field `score`"),
        "{error}"
    );
}

#[test]
fn case_n5_both_ends_of_the_range_are_kept() {
    for value in [
        i64::MIN,
        i64::MIN + 1,
        -10_000,
        -9_999,
        0,
        i64::MAX - 1,
        i64::MAX,
    ] {
        assert_eq!(read(&write(value)), Ok(value));
    }
    let most = Unsigned(u64::MAX);
    let text = serde_json::to_string(&most).unwrap();
    assert_eq!(text, "\"18446744073709551615\"");
    assert_eq!(serde_json::from_str::<Unsigned>(&text).unwrap(), most);
}

#[test]
fn case_n7_out_of_range_is_refused_never_clamped_and_never_loses_its_sign() {
    refuses("\"9223372036854775808\"", "out of the 64-bit range");
    refuses("\"-9223372036854775809\"", "out of the 64-bit range");
    refuses(
        &format!("\"1{}\"", "0".repeat(1_000)),
        "out of the 64-bit range",
    );
    refuses("3.4e185", "a whole number is needed");
    refuses("18446744073709551615", "must be sent as a decimal string");
    assert_eq!(read("\"-5\""), Ok(-5));
    assert!(serde_json::from_str::<Unsigned>("-5").is_err());
    assert!(serde_json::from_str::<Unsigned>("\"-5\"").is_err());
}

#[test]
fn case_s2_a_seed_is_one_that_every_engine_holds() {
    let daily = |seed: Value| {
        let daily =
            json!({ "board": "b", "opens_ms": 0, "closes_ms": 1, "server_ms": 0, "seed": seed });
        serde_json::from_value::<DailyAnswer>(daily).map(|daily| daily.seed)
    };
    let most = (1_u64 << 53) - 1;
    assert_eq!(daily(json!(most)).unwrap(), Some(most));
    assert_eq!(daily(json!(0)).unwrap(), Some(0));
    assert_eq!(daily(json!(null)).unwrap(), None);
    for seed in [
        json!(most + 1),
        json!((most + 1).to_string()),
        json!(-1),
        json!("-1"),
        json!(1.5),
    ] {
        assert!(daily(seed.clone()).is_err(), "{seed}");
    }
    let ticket = json!({ "ticket": "", "board": "b", "seed": "9007199254740992", "attempt": 1,
        "issued_ms": 0, "expires_ms": 1 });
    let error = serde_json::from_value::<TicketAnswer>(ticket)
        .unwrap_err()
        .to_string();
    assert!(error.contains("a seed is 0 to 2^53-1"), "{error}");
}

#[test]
fn an_absent_or_null_integer_is_none() {
    for text in ["{}", "{\"value\":null}"] {
        assert_eq!(
            serde_json::from_str::<Maybe>(text).unwrap(),
            Maybe { value: None }
        );
    }
    let text = "{\"value\":\"7\"}";
    assert_eq!(
        serde_json::from_str::<Maybe>(text).unwrap(),
        Maybe { value: Some(7) }
    );
    assert!(serde_json::from_str::<Maybe>("{\"value\":1.0}").is_err());
}

proptest! {
    #[test]
    fn case_n1_every_integer_round_trips_in_one_form(value: i64) {
        let text = write(value);
        prop_assert_eq!(read(&text), Ok(value));
        prop_assert_eq!(read(&format!("\"{value}\"")), Ok(value));
        prop_assert_eq!(text.starts_with('"'), value.unsigned_abs() >= 1 << 53);
    }

    #[test]
    fn case_n1_neighbours_of_2_53_never_collapse(
        offset in -2_000i64..2_000,
        sign in prop::bool::ANY,
    ) {
        let value = if sign { (1 << 53) + offset } else { -(1 << 53) + offset };
        let (a, b) = (write(value), write(value + 1));
        prop_assert_ne!(&a, &b);
        prop_assert!(read(&a).unwrap() < read(&b).unwrap());
        // What is written as a number is what a double holds.
        if let Ok(Value::Number(number)) = serde_json::from_str(&a) {
            prop_assert_eq!(number.as_f64().map(|double| double as i64), Some(value));
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "-?[0-9]{0,25}|.{0,12}") {
        if let Ok(value) = integer::parse::<i64>(&text) {
            prop_assert_eq!(value.to_string(), text);
        }
    }
}

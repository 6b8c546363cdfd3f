//! A game's own options: JSON on one side, async-core's [`Options`] on the other.

use serde_json::{Map, Number, Value};

use crate::limits::{IDENTIFIER_MAX_BYTES, JSON_INTEGER_MAX};
use crate::{Error, OptionValue, Options, integer};

/// Reads options: switches, whole numbers within ±(2^53−1) (`3.0` is one) and texts.
///
/// # Errors
/// [`Error::BadOption`] names the first option that no game takes.
pub fn from_json(json: &Map<String, Value>) -> Result<Options, Error> {
    let mut options = Options::default();
    for (name, value) in json {
        if name.contains(char::is_control) {
            return Err(bad(name, "a name has no control characters"));
        }
        let value = value_of(name, value)?;
        options.insert(name, value).map_err(|error| match error {
            async_core::Error::BadOption { reason, .. } => bad(name, reason),
            _ => bad(name, "no game takes it"),
        })?;
    }
    Ok(options)
}

/// Writes options. An integer beyond ±(2^53−1), which no JSON brings in, becomes a text.
#[must_use]
pub fn to_json(options: &Options) -> Map<String, Value> {
    let value = |value: &OptionValue| match value {
        OptionValue::Bool(value) => Value::from(*value),
        OptionValue::Int(value) if value.unsigned_abs() <= JSON_INTEGER_MAX as u64 => {
            Value::from(*value)
        }
        OptionValue::Int(value) => Value::from(value.to_string()),
        OptionValue::Text(value) => Value::from(value.as_str()),
    };
    let entries = options.iter();
    entries
        .map(|(name, option)| (name.to_owned(), value(option)))
        .collect()
}

fn value_of(name: &str, value: &Value) -> Result<OptionValue, Error> {
    match value {
        Value::Bool(value) => Ok(OptionValue::Bool(*value)),
        Value::Number(number) => whole(number)
            .map(OptionValue::Int)
            .ok_or_else(|| bad(name, "a number must be whole and within ±(2^53-1)")),
        Value::String(text) => Ok(OptionValue::Text(text.clone())),
        _ => Err(bad(
            name,
            "only true or false, integers and texts are options",
        )),
    }
}

fn whole(number: &Number) -> Option<i64> {
    let safe = -JSON_INTEGER_MAX..=JSON_INTEGER_MAX;
    match number.as_i64() {
        Some(whole) => safe.contains(&whole).then_some(whole),
        None => integer::whole_f64(number.as_f64()?),
    }
}

fn bad(name: &str, reason: &'static str) -> Error {
    let name = name.chars().take(IDENTIFIER_MAX_BYTES).collect();
    Error::BadOption { name, reason }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(value: Value) -> Result<Options, Error> {
        from_json(value.as_object().expect("an object"))
    }

    #[test]
    fn options_round_trip() {
        let json =
            json!({ "mode": "race", "laps": 3, "mirror": true, "low": -9007199254740991i64 });
        let options = read(json.clone()).unwrap();
        assert_eq!(options.get("laps"), Some(&OptionValue::Int(3)));
        assert_eq!(Value::Object(to_json(&options)), json);
        assert_eq!(read(json!({ "laps": 3.0 })), read(json!({ "laps": 3 })));
    }

    #[test]
    fn what_no_game_takes_is_named() {
        let check = |json: Value, message: &str| {
            let error = read(json).unwrap_err();
            assert_eq!(error.code(), "bad_option");
            assert_eq!(error.to_string(), message);
        };
        let whole = "game option \"laps\": a number must be whole and within ±(2^53-1)";
        check(json!({ "laps": 1.5 }), whole);
        check(json!({ "laps": 1u64 << 53 }), whole);
        check(json!({ "laps": -0.0 }), whole);
        let kinds = "game option \"x\": only true or false, integers and texts are options";
        check(json!({ "x": null }), kinds);
        check(json!({ "x": [] }), kinds);
        check(
            json!({ "x": "t".repeat(257) }),
            "game option \"x\": a text of more than 256 bytes",
        );
        check(
            json!({ "": 1 }),
            "game option \"\": a name may not be empty",
        );
        check(
            json!({ "a\n": 1 }),
            "game option \"a\\n\": a name has no control characters",
        );
    }

    #[test]
    fn an_integer_that_json_cannot_carry_is_written_as_text() {
        let options = Options::default()
            .with("big", OptionValue::Int(i64::MAX))
            .unwrap();
        assert_eq!(to_json(&options)["big"], "9223372036854775807");
    }
}

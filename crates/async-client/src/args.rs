//! Arguments of a `call`: an object, or an array holding at most that object. Each value is read
//! once, with its bounds, and an argument that the method does not know is an error.
//!
//! Engines whose only numbers are doubles (Lua, GDScript after a trip through JSON) hand back the
//! ghost `3` that they were given as `3.0`. Such a whole double is the integer that it is, up to
//! 2^53 - 1; `1.5` and `-0.0` are none. Seeds and scores are stricter: they are hashed and ranked,
//! a double may have lost digits of them on the way, and so they are integers or decimal strings.

use async_protocol::integer;
use data_encoding::BASE64;
use serde_json::{Map, Value};

use crate::Error;

/// Most of a wrong value that an error repeats, in characters.
const VALUE_SHOWN_CHARS: usize = 40;

/// Arguments of one call, checked to be an object that holds only known names.
#[derive(Debug)]
pub(crate) struct Args<'a> {
    map: Option<&'a Map<String, Value>>,
}

impl<'a> Args<'a> {
    /// Takes the arguments apart; `known` are the names that the method understands.
    pub(crate) fn parse(value: &'a Value, known: &[&str]) -> Result<Self, Error> {
        let map = match value {
            Value::Object(map) => Some(map),
            Value::Array(list) => match list.as_slice() {
                [] => None,
                [Value::Object(map)] => Some(map),
                _ => return Err(bad("the arguments are an array of at most one object")),
            },
            _ => return Err(bad("the arguments are an object")),
        };
        if let Some(name) = map.and_then(|m| m.keys().find(|k| !known.contains(&k.as_str()))) {
            return Err(unknown(name, known));
        }
        Ok(Self { map })
    }

    /// The raw value; absent and null are the same.
    pub(crate) fn value(&self, name: &str) -> Option<&'a Value> {
        self.map
            .and_then(|map| map.get(name))
            .filter(|value| !value.is_null())
    }

    pub(crate) fn flag(&self, name: &str) -> Result<bool, Error> {
        match self.value(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Err(bad(&format!("`{name}` is true or false"))),
        }
    }

    pub(crate) fn text(&self, name: &str) -> Result<Option<&'a str>, Error> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(bad(&format!("`{name}` is a text"))),
        }
    }

    /// A seed or a score within `min..=max`: an integer, or a decimal string; no double.
    pub(crate) fn exact(&self, name: &str, min: i64, max: i64) -> Result<Option<i64>, Error> {
        self.bounded(
            name,
            min,
            max,
            read_integer,
            "an integer (no decimal point)",
        )
    }

    /// Any other integer within `min..=max`: a handle, a frame, a count, a slot. A double that is
    /// whole is one, too.
    pub(crate) fn integer(&self, name: &str, min: i64, max: i64) -> Result<Option<i64>, Error> {
        self.bounded(name, min, max, read_whole, "an integer")
    }

    fn bounded(
        &self,
        name: &str,
        min: i64,
        max: i64,
        read: fn(&Value) -> Option<i64>,
        what: &str,
    ) -> Result<Option<i64>, Error> {
        let Some(value) = self.value(name) else {
            return Ok(None);
        };
        match read(value).filter(|n| (min..=max).contains(n)) {
            Some(n) => Ok(Some(n)),
            None => Err(bad(&format!(
                "`{name}` is {what} from {min} to {max}, not {}",
                given(value)
            ))),
        }
    }

    /// A finite number within `min..=max`.
    pub(crate) fn number(&self, name: &str, min: f64, max: f64) -> Result<Option<f64>, Error> {
        let Some(value) = self.value(name) else {
            return Ok(None);
        };
        match value.as_f64().filter(|n| (min..=max).contains(n)) {
            Some(n) => Ok(Some(n)),
            None => Err(bad(&format!("`{name}` is a number from {min} to {max}"))),
        }
    }

    /// Bytes as padded base64, refused by length before they are decoded.
    pub(crate) fn bytes(&self, name: &str, max: usize) -> Result<Option<Vec<u8>>, Error> {
        self.text(name)?
            .map(|text| read_bytes(name, text, max))
            .transpose()
    }

    pub(crate) fn required<T>(name: &str, value: Option<T>) -> Result<T, Error> {
        value.ok_or_else(|| bad(&format!("`{name}` is missing")))
    }
}

/// Padded base64 of at most `max` bytes.
pub(crate) fn read_bytes(name: &str, text: &str, max: usize) -> Result<Vec<u8>, Error> {
    if text.len() > max.div_ceil(3) * 4 {
        return Err(bad(&format!("`{name}` is longer than {max} bytes")));
    }
    BASE64
        .decode(text.as_bytes())
        .map_err(|error| bad(&format!("`{name}` is padded base64: {error}")))
}

/// An integer in either of its JSON forms: a number up to 2^53 - 1, or a decimal string.
pub(crate) fn read_integer(value: &Value) -> Option<i64> {
    integer::deserialize(value).ok()
}

/// The same, or a double that holds a whole number without loss.
pub(crate) fn read_whole(value: &Value) -> Option<i64> {
    let double = || match value {
        Value::Number(number) if number.is_f64() => number.as_f64().and_then(integer::whole_f64),
        _ => None,
    };
    read_integer(value).or_else(double)
}

/// An integer in the form that every reader keeps: a number, or a decimal string beyond 2^53 - 1.
pub(crate) fn write_integer(value: i64) -> Value {
    integer::serialize(&value, serde_json::value::Serializer).unwrap_or_default()
}

/// An error about arguments.
pub(crate) fn bad(msg: &str) -> Error {
    Error::BadArguments {
        msg: msg.to_owned(),
    }
}

/// A wrong value, short enough for a message.
fn given(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        _ => value.to_string().chars().take(VALUE_SHOWN_CHARS).collect(),
    }
}

fn unknown(name: &str, known: &[&str]) -> Error {
    let name: String = name.chars().take(40).collect();
    match known {
        [] => bad(&format!(
            "`{name}` is not known here: there are no arguments"
        )),
        _ => bad(&format!(
            "`{name}` is not known here; known: {}",
            known.join(", ")
        )),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_object_or_an_array_of_at_most_one() {
        for good in [
            json!({}),
            json!([]),
            json!([{}]),
            json!({"a": 1}),
            json!([{"a": 1}]),
        ] {
            assert!(Args::parse(&good, &["a"]).is_ok(), "{good}");
        }
        for wrong in [
            json!(1),
            json!(null),
            json!([1]),
            json!([{}, {}]),
            json!({"b": 1}),
        ] {
            assert!(Args::parse(&wrong, &["a"]).is_err(), "{wrong}");
        }
    }

    #[test]
    fn integers_have_two_forms_and_no_others() {
        assert_eq!(read_integer(&json!("9223372036854775807")), Some(i64::MAX));
        assert_eq!(read_integer(&json!(-5)), Some(-5));
        for wrong in [
            json!(1.0),
            json!("1.0"),
            json!("-0"),
            json!("+1"),
            json!("01"),
            json!(""),
        ] {
            assert_eq!(read_integer(&wrong), None, "{wrong}");
        }
        assert_eq!(
            write_integer((1 << 53) - 1),
            json!(9_007_199_254_740_991_i64)
        );
        assert_eq!(write_integer(1 << 53), json!("9007199254740992"));
    }

    #[test]
    fn a_whole_double_is_an_integer_but_never_a_seed_or_a_score() {
        for (value, whole) in [
            (json!(1.0), 1),
            (json!(-3.0), -3),
            (json!(1e2), 100),
            (json!(0.0), 0),
            (json!(9_007_199_254_740_991.0), (1 << 53) - 1),
            (json!(7), 7),
            (json!("9223372036854775807"), i64::MAX),
        ] {
            assert_eq!(read_whole(&value), Some(whole), "{value}");
            let args = json!({"n": value});
            let args = Args::parse(&args, &["n"]).unwrap();
            assert_eq!(args.integer("n", i64::MIN, i64::MAX).unwrap(), Some(whole));
            let strict = args.exact("n", i64::MIN, i64::MAX);
            assert_eq!(strict.is_ok(), !value.is_f64(), "{value}");
        }
    }

    #[test]
    fn what_is_no_integer_is_refused_with_what_it_was() {
        for (value, shown) in [
            (json!(1.5), "1.5"),
            (json!(-0.0), "-0.0"),
            (json!(9_007_199_254_740_992.0), "9007199254740992.0"),
            (json!(1e300), "1e+300"),
            (json!(8.0), "8.0"),
            (json!(-1), "-1"),
            (json!(true), "true"),
            (json!("NaN"), "\"NaN\""),
            (json!("1.0"), "\"1.0\""),
            (json!([1]), "a list"),
            (json!({}), "an object"),
        ] {
            let args = json!({"slot": value});
            let args = Args::parse(&args, &["slot"]).unwrap();
            let error = args.integer("slot", 0, 7).unwrap_err();
            assert_eq!(error.code(), "bad_arguments");
            assert_eq!(
                error.to_string(),
                format!("`slot` is an integer from 0 to 7, not {shown}")
            );
        }
        let long = json!({"slot": "9".repeat(1_000)});
        let args = Args::parse(&long, &["slot"]).unwrap();
        assert!(args.integer("slot", 0, 7).unwrap_err().to_string().len() < 100);
    }

    #[test]
    fn base64_is_padded_and_bounded() {
        assert_eq!(read_bytes("b", "AAE=", 2).unwrap(), vec![0, 1]);
        assert!(read_bytes("b", "AAE", 2).is_err());
        assert!(read_bytes("b", "AAECAwQF", 3).is_err());
    }
}

//! Arguments of a `call`: an object, or an array holding at most that object. Each value is read
//! once, with its bounds, and an argument that the method does not know is an error.

use async_protocol::integer;
use data_encoding::BASE64;
use serde_json::{Map, Value};

use crate::Error;

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

    /// An integer within `min..=max`, as a number or as a decimal string.
    pub(crate) fn integer(&self, name: &str, min: i64, max: i64) -> Result<Option<i64>, Error> {
        let Some(value) = self.value(name) else {
            return Ok(None);
        };
        match read_integer(value).filter(|n| (min..=max).contains(n)) {
            Some(n) => Ok(Some(n)),
            None => Err(bad(&format!("`{name}` is an integer from {min} to {max}"))),
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
    fn base64_is_padded_and_bounded() {
        assert_eq!(read_bytes("b", "AAE=", 2).unwrap(), vec![0, 1]);
        assert!(read_bytes("b", "AAE", 2).is_err());
        assert!(read_bytes("b", "AAECAwQF", 3).is_err());
    }
}

//! One value against its row: refused with what is allowed, or returned in the form it is kept in.

use serde_json::{Map, Number, Value};

use super::SettingsError;
use super::table::{Entry, Kind, Setting};
use crate::limits::{IDENTIFIER_MAX_BYTES, JSON_INTEGER_MAX, TRACK_CHANNELS_MAX_COUNT};
use crate::{Error, game_options, integer};

/// Longest value or key that a message repeats, in characters.
const SHOWN_MAX_CHARS: usize = 64;

impl Kind {
    /// The default, as JSON.
    #[must_use]
    pub fn default_value(&self) -> Value {
        match self {
            Self::Text { default, .. } | Self::Choice { default, .. } => Value::from(*default),
            Self::Integer { default, .. } => Value::from(*default),
            Self::Number { default, .. } => number_value(*default),
            Self::Switch { default } => Value::from(*default),
            Self::Object { fields } => Value::Object(defaults(fields)),
            Self::Options => Value::Object(Map::new()),
            Self::List { default, .. } => Value::from(default.to_vec()),
        }
    }

    /// The JSON type: string, integer, number, boolean, object or array.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Text { .. } | Self::Choice { .. } => "string",
            Self::Integer { .. } => "integer",
            Self::Number { .. } => "number",
            Self::Switch { .. } => "boolean",
            Self::Object { .. } | Self::Options => "object",
            Self::List { .. } => "array",
        }
    }

    /// The smallest and the largest, both allowed; null for a type without a range.
    #[must_use]
    pub fn range(&self) -> (Value, Value) {
        match self {
            Self::Integer { min, max, .. } => (whole_value(*min), whole_value(*max)),
            Self::Number { min, max, .. } => (number_value(*min), number_value(*max)),
            _ => (Value::Null, Value::Null),
        }
    }

    /// What is allowed, for a message: "allowed is …".
    #[must_use]
    pub fn allowed(&self) -> String {
        match self {
            Self::Text { syntax, .. } => syntax.allowed(),
            Self::Choice { values, .. } => one_of(values),
            Self::Integer { min, max, .. } => format!("an integer from {min} to {max}"),
            Self::Number { min, max, .. } => format!("a number from {min} to {max}"),
            Self::Switch { .. } => "true or false".to_owned(),
            Self::Object { .. } => "an object".to_owned(),
            Self::Options => "an object of true or false, integers and texts".to_owned(),
            Self::List {
                max_count, entry, ..
            } => {
                format!("a list of at most {max_count} {}", entry.allowed())
            }
        }
    }

    /// The value as it is kept, or `None`. Objects are checked by their fields instead.
    fn accept(&self, value: &Value) -> Option<Value> {
        match self {
            Self::Text { syntax, .. } => syntax.accept(value.as_str()?).map(Value::from),
            Self::Choice { values, .. } => values.contains(&value.as_str()?).then(|| value.clone()),
            Self::Integer { min, max, .. } => {
                let whole = whole(value, *max > JSON_INTEGER_MAX)?;
                (*min..=*max).contains(&whole).then(|| whole_value(whole))
            }
            Self::Number { min, max, .. } => {
                let number = value.as_f64()?;
                (*min..=*max)
                    .contains(&number)
                    .then(|| number_value(number))
            }
            Self::Switch { .. } => value.as_bool().map(Value::from),
            Self::Object { .. } | Self::Options => None,
            Self::List {
                max_count, entry, ..
            } => list(value, *max_count, *entry),
        }
    }
}

impl Entry {
    fn allowed(self) -> String {
        match self {
            Self::Name(bytes) => format!("different names of 1 to {bytes} bytes"),
            Self::Axis => "axes with different names, each \"name\" or {\"name\", \"bits\": 8 or \
                           16}"
            .to_owned(),
            Self::Track => format!(
                "tracks with different names, each \"name\" or {{\"name\", \"dimensions\": \"2d\" \
                 or \"3d\", \"channels\": at most {TRACK_CHANNELS_MAX_COUNT} names}}"
            ),
        }
    }

    /// The entry as it is kept; its name is a string or under `name`.
    fn accept(self, value: &Value) -> Option<Value> {
        match self {
            Self::Name(bytes) => name(value, bytes).map(Value::from),
            Self::Axis => axis(value),
            Self::Track => track(value),
        }
    }
}

/// The defaults of a table, as JSON.
pub(super) fn defaults(table: &[Setting]) -> Map<String, Value> {
    table
        .iter()
        .map(|row| (row.name.to_owned(), row.kind.default_value()))
        .collect()
}

/// Checks a configuration against a table and returns its keys in the form they are kept in.
/// Unknown keys are found first (in the order of the alphabet), then values in the table's order.
pub(super) fn check(
    kit: &'static str,
    table: &[Setting],
    config: &Value,
) -> Result<Map<String, Value>, SettingsError> {
    let Some(config) = config.as_object() else {
        return Err(SettingsError::NotAnObject {
            kit,
            value: shown(config),
        });
    };
    check_object(
        &Place {
            kit,
            prefix: String::new(),
        },
        table,
        config,
    )
}

/// Where a key stands, for messages.
struct Place {
    kit: &'static str,
    prefix: String,
}

impl Place {
    fn bad(&self, key: &str, value: &Value, allowed: String) -> SettingsError {
        let key = format!("{}{key}", self.prefix);
        SettingsError::Bad {
            kit: self.kit,
            key,
            value: shown(value),
            allowed,
        }
    }

    fn unknown(&self, table: &[Setting], key: &str) -> SettingsError {
        let key = cut(key);
        let names = table.iter().map(|row| row.name);
        let nearest = format!("{}{}", self.prefix, nearest(names, &key));
        SettingsError::Unknown {
            kit: self.kit,
            key: format!("{}{key}", self.prefix),
            nearest,
        }
    }
}

fn check_object(
    place: &Place,
    table: &[Setting],
    config: &Map<String, Value>,
) -> Result<Map<String, Value>, SettingsError> {
    let known = |key: &str| table.iter().any(|row| row.name == key);
    if let Some(key) = config.keys().filter(|key| !known(key)).min() {
        return Err(place.unknown(table, key));
    }
    let mut kept = Map::new();
    for row in table {
        if let Some(value) = config.get(row.name) {
            kept.insert(row.name.to_owned(), check_value(place, row, value)?);
        }
    }
    Ok(kept)
}

fn check_value(place: &Place, row: &Setting, value: &Value) -> Result<Value, SettingsError> {
    let bad = || place.bad(row.name, value, row.kind.allowed());
    match (&row.kind, value) {
        (Kind::Object { fields }, Value::Object(config)) => {
            let place = Place {
                kit: place.kit,
                prefix: format!("{}{}.", place.prefix, row.name),
            };
            check_object(&place, fields, config).map(Value::Object)
        }
        (Kind::Options, Value::Object(config)) => match game_options::from_json(config) {
            Ok(options) => Ok(Value::Object(game_options::to_json(&options))),
            Err(error) => Err(place.bad(row.name, value, options_allowed(row, &error))),
        },
        (kind, value) => kind.accept(value).ok_or_else(bad),
    }
}

fn options_allowed(row: &Setting, error: &Error) -> String {
    let allowed = row.kind.allowed();
    match error {
        Error::BadOption { name, reason } => format!("{allowed} ({name:?}: {reason})"),
        _ => allowed,
    }
}

/// A whole number: an integer, or a double without a fraction (but not -0.0).
fn whole(value: &Value, as_text: bool) -> Option<i64> {
    match value {
        Value::Number(number) => match number.as_i64() {
            Some(whole) => (-JSON_INTEGER_MAX..=JSON_INTEGER_MAX)
                .contains(&whole)
                .then_some(whole),
            None => integer::whole_f64(number.as_f64()?),
        },
        Value::String(text) if as_text => integer::parse(text).ok(),
        _ => None,
    }
}

fn whole_value(whole: i64) -> Value {
    if (-JSON_INTEGER_MAX..=JSON_INTEGER_MAX).contains(&whole) {
        Value::from(whole)
    } else {
        Value::from(whole.to_string())
    }
}

/// A finite number as JSON, whole numbers without a fraction.
pub(super) fn number_value(number: f64) -> Value {
    match integer::whole_f64(number) {
        Some(whole) => Value::from(whole),
        None => Number::from_f64(number).map_or(Value::Null, Value::Number),
    }
}

fn name(value: &Value, max_bytes: usize) -> Option<&str> {
    let name = value.as_str()?;
    let fits = (1..=max_bytes).contains(&name.len());
    (fits && !name.contains(char::is_control)).then_some(name)
}

fn list(value: &Value, max_count: usize, entry: Entry) -> Option<Value> {
    let entries = value
        .as_array()
        .filter(|entries| entries.len() <= max_count)?;
    let kept: Vec<Value> = entries
        .iter()
        .map(|value| entry.accept(value))
        .collect::<Option<_>>()?;
    let name = |value: &Value| value.get("name").unwrap_or(value).clone();
    let unique = (1..kept.len()).all(|at| kept[..at].iter().all(|v| name(v) != name(&kept[at])));
    unique.then_some(Value::Array(kept))
}

/// The fields of an entry given as an object, if it has no others.
fn fields<'a>(value: &'a Value, known: &[&str]) -> Option<&'a Map<String, Value>> {
    let fields = value.as_object()?;
    fields
        .keys()
        .all(|key| known.contains(&key.as_str()))
        .then_some(fields)
}

fn axis(value: &Value) -> Option<Value> {
    if let Some(name) = name(value, IDENTIFIER_MAX_BYTES) {
        return Some(serde_json::json!({ "name": name, "bits": 8 }));
    }
    let fields = fields(value, &["name", "bits"])?;
    let name = name(fields.get("name")?, IDENTIFIER_MAX_BYTES)?;
    let bits = fields
        .get("bits")
        .map_or(Some(8), |bits| whole(bits, false))?;
    matches!(bits, 8 | 16).then(|| serde_json::json!({ "name": name, "bits": bits }))
}

fn track(value: &Value) -> Option<Value> {
    let none = Value::Array(Vec::new());
    if let Some(name) = name(value, IDENTIFIER_MAX_BYTES) {
        return Some(serde_json::json!({ "name": name, "dimensions": "3d", "channels": none }));
    }
    let fields = fields(value, &["name", "dimensions", "channels"])?;
    let name = name(fields.get("name")?, IDENTIFIER_MAX_BYTES)?;
    let dimensions = fields.get("dimensions").map_or(Some("3d"), Value::as_str)?;
    let channels = fields.get("channels").unwrap_or(&none);
    let channels = list(
        channels,
        TRACK_CHANNELS_MAX_COUNT,
        Entry::Name(IDENTIFIER_MAX_BYTES),
    )?;
    let kept = serde_json::json!({ "name": name, "dimensions": dimensions, "channels": channels });
    matches!(dimensions, "2d" | "3d").then_some(kept)
}

fn one_of(values: &[&str]) -> String {
    let quoted: Vec<String> = values.iter().map(|value| format!("{value:?}")).collect();
    match quoted.as_slice() {
        [only] => only.clone(),
        all => format!("one of {}", all.join(", ")),
    }
}

/// A value as a message shows it: JSON, cut to a printable length.
pub(super) fn shown(value: &Value) -> String {
    cut(&value.to_string())
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN_MAX_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The nearest known name: case, `_` and `-` do not count, then the fewest edits; the first wins.
pub(super) fn nearest<'a>(names: impl Iterator<Item = &'a str>, key: &str) -> String {
    let plain = |text: &str| text.replace(['_', '-'], "").to_lowercase();
    let wanted = plain(key);
    let nearest = names.min_by_key(|name| strsim::damerau_levenshtein(&plain(name), &wanted));
    nearest.unwrap_or_default().to_owned()
}

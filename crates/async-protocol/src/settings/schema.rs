//! The settings of a kit as a JSON Schema (draft 2020-12), for editors and validators.

use serde_json::{Map, Value, json};

use super::api::kit;
use super::syntax::Syntax;
use super::table::{Entry, Kind, Setting};
use super::{KIT_VERSION, SettingsError};
use crate::limits::{GAME_OPTION_MAX_BYTES, IDENTIFIER_MAX_BYTES, TRACK_CHANNELS_MAX_COUNT};

/// The schema of a kit's configuration. What one setting demands of another is not in it: a
/// configuration that passes here can still break a cross rule, never the other way round.
///
/// # Errors
/// [`SettingsError::UnknownKit`] suggests the nearest known one.
pub fn json_schema(name: &str) -> Result<Value, SettingsError> {
    let kit = kit(name)?;
    let mut schema = object(kit.settings);
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!(format!("{} {KIT_VERSION}", kit.name));
    Ok(schema)
}

fn object(table: &[Setting]) -> Value {
    let properties: Map<String, Value> = table
        .iter()
        .map(|row| (row.name.to_owned(), property(row)))
        .collect();
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

fn property(row: &Setting) -> Value {
    let mut schema = match row.kind {
        Kind::Text { syntax, .. } => text(syntax),
        Kind::Choice { values, .. } => json!({ "enum": values }),
        Kind::Integer { .. } | Kind::Number { .. } => {
            let (min, max) = row.kind.range();
            number(row.kind.type_name(), &min, &max)
        }
        Kind::Switch { .. } => json!({ "type": "boolean" }),
        Kind::Object { fields } => object(fields),
        Kind::Options => options(),
        Kind::List {
            max_count, entry, ..
        } => {
            json!({ "type": "array", "maxItems": max_count, "items": item(entry) })
        }
    };
    schema["description"] = json!(row.meaning);
    schema["default"] = row.kind.default_value();
    schema["x-ours"] = json!(row.ours);
    schema
}

/// A range; an end that JSON cannot carry as a number is also written as a decimal string.
fn number(kind: &str, min: &Value, max: &Value) -> Value {
    if max.is_number() {
        return json!({ "type": kind, "minimum": min, "maximum": max });
    }
    let text = json!({ "type": "string", "pattern": "^(0|-?[1-9][0-9]{0,18})$" });
    json!({ "anyOf": [{ "type": kind, "minimum": min }, text] })
}

fn text(syntax: Syntax) -> Value {
    let mut schema = json!({ "type": "string" });
    if let Some(pattern) = syntax.pattern() {
        schema["pattern"] = json!(pattern);
    }
    schema
}

fn options() -> Value {
    let text = json!({ "type": "string", "maxLength": GAME_OPTION_MAX_BYTES });
    json!({
        "type": "object",
        "additionalProperties": { "anyOf": [{ "type": ["boolean", "integer"] }, text] },
    })
}

fn item(entry: Entry) -> Value {
    let name = |bytes: usize| json!({ "type": "string", "minLength": 1, "maxLength": bytes });
    let full = match entry {
        Entry::Name(bytes) => return name(bytes),
        Entry::Axis => json!({ "bits": { "enum": [8, 16] } }),
        Entry::Track => {
            let (count, names) = (TRACK_CHANNELS_MAX_COUNT, name(IDENTIFIER_MAX_BYTES));
            let channels = json!({ "type": "array", "maxItems": count, "items": names });
            json!({ "dimensions": { "enum": ["2d", "3d"] }, "channels": channels })
        }
    };
    let mut properties = full;
    properties["name"] = name(IDENTIFIER_MAX_BYTES);
    let full = json!({
        "type": "object",
        "properties": properties,
        "required": ["name"],
        "additionalProperties": false,
    });
    json!({ "anyOf": [name(IDENTIFIER_MAX_BYTES), full] })
}

//! defaults ← preset ← your keys, key by key; objects one level deep.

use serde_json::{Map, Value, json};

use super::check::defaults;
use super::table::NET_ASYNC;

/// Merges checked keys over their preset and the defaults. A key you wrote wins even if it equals
/// the default.
pub(super) fn merge(yours: &Map<String, Value>) -> Map<String, Value> {
    let mut merged = defaults(NET_ASYNC);
    let preset = yours
        .get("preset")
        .and_then(Value::as_str)
        .unwrap_or("none");
    let game = yours.get("game").and_then(Value::as_str).unwrap_or("arena");
    overlay(&mut merged, &preset_keys(preset, game));
    overlay(&mut merged, yours);
    merged
}

/// The keys of a preset (ours). The arena's mode only goes with the arena.
pub(super) fn preset_keys(preset: &str, game: &str) -> Map<String, Value> {
    let (keys, mode) = match preset {
        "ghost-race" => (json!({ "order": "asc", "record": "both" }), "race"),
        "async-pvp" => (
            json!({ "players": 2, "record": "inputs", "order": "desc" }),
            "duel",
        ),
        "daily-challenge" => (
            json!({ "order": "desc", "rules": { "minFrames": 60 } }),
            "collect",
        ),
        _ => return Map::new(),
    };
    let Value::Object(mut keys) = keys else {
        return Map::new();
    };
    if game == "arena" {
        keys.insert("gameOptions".to_owned(), json!({ "mode": mode }));
    }
    keys
}

fn overlay(under: &mut Map<String, Value>, over: &Map<String, Value>) {
    for (key, value) in over {
        match (under.get_mut(key), value) {
            (Some(Value::Object(fields)), Value::Object(over)) => {
                fields.extend(over.iter().map(|(key, value)| (key.clone(), value.clone())));
            }
            _ => {
                under.insert(key.clone(), value.clone());
            }
        }
    }
}

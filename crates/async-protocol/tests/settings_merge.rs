//! The merge against a naive model: for each key, yours if you wrote it, else the preset's, else
//! the default; `rules` and `gameOptions` the same one level deeper.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails so"
)]

use std::collections::BTreeMap;

use async_protocol::Settings;
use async_protocol::settings::table::{Kind, NET_ASYNC, RULES, Setting};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// The presets, written down a second time as flat paths.
fn preset_key(preset: &str, path: &str) -> Option<Value> {
    let value = match (preset, path) {
        ("ghost-race", "order") => json!("asc"),
        ("ghost-race", "record") => json!("both"),
        ("ghost-race", "gameOptions.mode") => json!("race"),
        ("async-pvp", "players") => json!(2),
        ("async-pvp", "record") => json!("inputs"),
        ("async-pvp", "order") => json!("desc"),
        ("async-pvp", "gameOptions.mode") => json!("duel"),
        ("daily-challenge", "order") => json!("desc"),
        ("daily-challenge", "rules.minFrames") => json!(60),
        ("daily-challenge", "gameOptions.mode") => json!("collect"),
        _ => return None,
    };
    Some(value)
}

fn paths() -> Vec<(String, Value)> {
    let plain = NET_ASYNC
        .iter()
        .filter(|row| !matches!(row.kind, Kind::Object { .. } | Kind::Options));
    let plain = plain.map(|row| (row.name.to_owned(), row.kind.default_value()));
    let rules = RULES
        .iter()
        .map(|row| (format!("rules.{}", row.name), row.kind.default_value()));
    plain.chain(rules).collect()
}

fn model(yours: &BTreeMap<String, Value>) -> BTreeMap<String, Value> {
    let preset = yours
        .get("preset")
        .and_then(Value::as_str)
        .unwrap_or("none");
    let mut merged: BTreeMap<String, Value> = BTreeMap::new();
    for (path, default) in paths()
        .into_iter()
        .chain([("gameOptions.mode".to_owned(), Value::Null)])
    {
        let value = yours
            .get(&path)
            .cloned()
            .or_else(|| preset_key(preset, &path))
            .unwrap_or(default);
        merged.insert(path, value);
    }
    if let Some(laps) = yours.get("gameOptions.laps") {
        merged.insert("gameOptions.laps".to_owned(), laps.clone());
    }
    merged.retain(|_, value| !value.is_null());
    for (key, most) in [("sampleHz", "frameHz"), ("boardDefaultRows", "boardRows")] {
        if merged[key].as_i64() > merged[most].as_i64() {
            merged.insert(key.to_owned(), merged[most].clone());
        }
    }
    merged
}

fn nested(flat: &BTreeMap<String, Value>) -> Value {
    let mut json = Map::new();
    for (path, value) in flat {
        match path.split_once('.') {
            None => drop(json.insert(path.clone(), value.clone())),
            Some((outer, inner)) => {
                let fields = json.entry(outer).or_insert_with(|| json!({}));
                fields[inner] = value.clone();
            }
        }
    }
    Value::Object(json)
}

fn flat(json: &Value) -> BTreeMap<String, Value> {
    let mut flat = BTreeMap::new();
    for (key, value) in json.as_object().expect("an object") {
        match value {
            Value::Object(fields) => flat.extend(
                fields
                    .iter()
                    .map(|(inner, value)| (format!("{key}.{inner}"), value.clone())),
            ),
            value => drop(flat.insert(key.clone(), value.clone())),
        }
    }
    flat
}

/// A value that the row allows, often its default.
fn value(row: &Setting) -> BoxedStrategy<Value> {
    let default = Just(row.kind.default_value());
    let other = match row.kind {
        Kind::Choice { values, .. } => prop::sample::select(values).prop_map(Value::from).boxed(),
        Kind::Integer { min, max, .. } => (min..=max.min(1 << 53)).prop_map(Value::from).boxed(),
        Kind::Number { min, max, .. } => (min as i64..=max as i64).prop_map(Value::from).boxed(),
        Kind::Switch { .. } => any::<bool>().prop_map(Value::from).boxed(),
        _ => default.clone().boxed(),
    };
    prop_oneof![default, other].boxed()
}

/// Some keys of the table with allowed values, without those that the cross rules bind.
fn yours() -> BoxedStrategy<BTreeMap<String, Value>> {
    let bound = ["slot", "opponentSlot", "physics"];
    let plain = NET_ASYNC.iter().filter(|row| {
        !bound.contains(&row.name) && !matches!(row.kind, Kind::Object { .. } | Kind::Options)
    });
    let plain = plain.map(|row| (row.name.to_owned(), value(row)));
    let rules = RULES
        .iter()
        .map(|row| (format!("rules.{}", row.name), value(row)));
    let options = [
        (
            "gameOptions.mode".to_owned(),
            prop::sample::select(&["race", "duel"][..])
                .prop_map(Value::from)
                .boxed(),
        ),
        (
            "gameOptions.laps".to_owned(),
            (1i64..20).prop_map(Value::from).boxed(),
        ),
    ];
    let keys: Vec<_> = plain
        .chain(rules)
        .chain(options)
        .map(|(path, value)| {
            prop::option::of(value).prop_map(move |value| value.map(|v| (path.clone(), v)))
        })
        .collect();
    keys.prop_map(|keys| keys.into_iter().flatten().collect())
        .boxed()
}

proptest! {
    #[test]
    fn the_merge_is_the_naive_one(yours in yours()) {
        let merged = Settings::from_json(&nested(&yours)).unwrap().to_json();
        prop_assert_eq!(flat(&merged), model(&yours));
    }

    #[test]
    fn merged_settings_are_their_own_configuration(yours in yours()) {
        let settings = Settings::from_json(&nested(&yours)).unwrap();
        prop_assert_eq!(Settings::from_json(&settings.to_json()), Ok(settings));
    }
}

//! Each setting: its ends, one step beyond them, another type, an unknown key, the cross rules,
//! each with the exact error.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails so"
)]

use async_protocol::Settings;
use async_protocol::settings::{
    ActionsSettings, EngineSettings, SettingsError, TrackDimensions, TransportSettings,
};
use serde_json::{Value, json};

fn takes(config: Value) -> Settings {
    match Settings::from_json(&config) {
        Ok(settings) => {
            let again = Settings::from_json(&settings.to_json());
            assert_eq!(again.as_ref(), Ok(&settings), "{config}");
            settings
        }
        Err(error) => panic!("{config}: {error}"),
    }
}

fn refuses(config: Value, message: &str) {
    check_error(Settings::from_json(&config), &config, message);
}

fn check_error<T: std::fmt::Debug>(
    result: Result<T, SettingsError>,
    config: &Value,
    message: &str,
) {
    let error = result.expect_err(&config.to_string());
    let code = if message.contains("unknown setting") {
        "unknown_setting"
    } else {
        "bad_setting"
    };
    assert_eq!(
        (error.code(), error.to_string().as_str()),
        (code, message),
        "{config}"
    );
}

/// One key with a value, everything else being what makes it stand alone.
fn alone(key: &str, value: Value) -> Value {
    match key {
        "slot" | "opponentSlot" => json!({ "players": 8, key: value }),
        _ => json!({ key: value }),
    }
}

#[test]
fn whole_numbers_and_numbers() {
    for (key, low, high) in [
        ("players", 1, 8),
        ("slot", 0, 7),
        ("opponentSlot", -1, 7),
        ("frameHz", 10, 120),
        ("sampleHz", 1, 60),
        ("maxFrames", 60, 216_000),
        ("maxRuns", 1, 100_000),
        ("maxRunBytes", 1_024, 1_048_576),
        ("maxPartialUploadsPerPeer", 1, 64),
        ("boardRows", 1, 1_000),
        ("boardDefaultRows", 1, 1_000),
        ("uploadChunksPerSecond", 1, 60),
    ] {
        let config = |value: Value| match key {
            "boardDefaultRows" => json!({ "boardRows": 1_000, key: value }),
            _ => alone(key, value),
        };
        assert_eq!(takes(config(json!(low))).to_json()[key], json!(low));
        assert_eq!(takes(config(json!(high))).to_json()[key], json!(high));
        assert_eq!(
            takes(config(json!(f64::from(high)))).to_json()[key],
            json!(high)
        );
        let kind = if key == "uploadChunksPerSecond" {
            "a number"
        } else {
            "an integer"
        };
        let allowed = format!("allowed is {kind} from {low} to {high}");
        for bad in [
            json!(low - 1),
            json!(high + 1),
            json!(i64::MIN),
            json!(u64::MAX),
            json!(1e300),
            json!(high.to_string()),
            json!(true),
            json!(null),
            json!([high]),
            json!({}),
        ] {
            refuses(
                config(bad.clone()),
                &format!("net.async: {key} is {bad}, {allowed}"),
            );
        }
        if kind == "an integer" {
            for bad in [json!(f64::from(high) - 0.5), json!(-0.0)] {
                refuses(
                    config(bad.clone()),
                    &format!("net.async: {key} is {bad}, {allowed}"),
                );
            }
        }
    }
    let half = takes(json!({ "uploadChunksPerSecond": 1.5 }));
    assert_eq!(half.upload_chunks_per_second.to_bits(), 1.5_f64.to_bits());
}

#[test]
fn words() {
    for (key, values) in [
        (
            "preset",
            &["none", "ghost-race", "async-pvp", "daily-challenge"][..],
        ),
        ("physics", &["none", "native", "shared"]),
        ("record", &["inputs", "samples", "both"]),
        ("clock", &["core", "host"]),
        ("order", &["desc", "asc"]),
    ] {
        for value in values {
            let config = json!({ "game": "my game", key: value });
            assert_eq!(takes(config).to_json()[key], json!(value));
        }
        let list: Vec<String> = values.iter().map(|value| format!("{value:?}")).collect();
        let allowed = format!("allowed is one of {}", list.join(", "));
        for bad in [
            json!(""),
            json!("NONE"),
            json!("None"),
            json!(0),
            json!(null),
            json!([]),
        ] {
            refuses(
                json!({ key: bad }),
                &format!("net.async: {key} is {bad}, {allowed}"),
            );
        }
    }
    takes(json!({ "identity": "device" }));
    refuses(
        json!({ "identity": "account" }),
        "net.async: identity is \"account\", allowed is \"device\"",
    );
}

#[test]
fn texts() {
    let key = "an empty text or 1 to 64 characters of a-z A-Z 0-9 . _ - starting with a letter \
               or digit";
    for name in ["board", "app"] {
        for good in [
            "",
            "a",
            "daily-2026-01-31",
            "com.studio.game_2",
            &"a".repeat(64),
        ] {
            assert_eq!(takes(json!({ name: good })).to_json()[name], json!(good));
        }
        for bad in ["-a", ".", "..", "a/b", "a b", "ä", "a\n", "%2e"] {
            let value = json!(bad);
            refuses(
                json!({ name: bad }),
                &format!("net.async: {name} is {value}, allowed is {key}"),
            );
        }
        refuses(
            json!({ name: "a".repeat(65) }),
            &format!(
                "net.async: {name} is \"{}…, allowed is {key}",
                "a".repeat(63)
            ),
        );
        refuses(
            json!({ name: 7 }),
            &format!("net.async: {name} is 7, allowed is {key}"),
        );
    }
    let printable = "a text of 1 to 64 bytes without control characters";
    takes(json!({ "game": "My Game ✨" }));
    refuses(
        json!({ "game": "" }),
        &format!("net.async: game is \"\", allowed is {printable}"),
    );
    refuses(
        json!({ "game": "a\u{7}" }),
        &format!("net.async: game is \"a\\u0007\", allowed is {printable}"),
    );
    takes(json!({ "engine": "e".repeat(32) }));
    refuses(
        json!({ "engine": "e".repeat(33) }),
        &format!(
            "net.async: engine is \"{}\", allowed is a text of at most 32 bytes without control \
             characters",
            "e".repeat(33)
        ),
    );
}

#[test]
fn player_names_are_cleaned() {
    assert_eq!(
        takes(json!({ "player": " e\u{301}\u{202E} x " })).player,
        "é x"
    );
    assert_eq!(takes(json!({ "player": "" })).player, "");
    refuses(
        json!({ "player": "a".repeat(25) }),
        "net.async: player is \"aaaaaaaaaaaaaaaaaaaaaaaaa\", allowed is a text of at most 24 \
         characters and 64 bytes",
    );
}

#[test]
fn urls_and_the_api_key() {
    let url = "an empty text or a URL http://host or https://host of at most 2048 bytes";
    assert_eq!(takes(json!({ "apiUrl": "" })).api_url, "");
    let slash = takes(json!({ "apiUrl": "https://x.example:8443/api/v1/async/" }));
    assert_eq!(slash.api_url, "https://x.example:8443/api/v1/async");
    for bad in [
        "x.example",
        "ftp://x",
        "http://",
        "https:///x",
        "http://a b",
        "http://ü",
        "HTTP://x",
    ] {
        let value = json!(bad);
        refuses(
            json!({ "apiUrl": bad }),
            &format!("net.async: apiUrl is {value}, allowed is {url}"),
        );
    }
    takes(json!({ "apiKey": "k".repeat(256) }));
    for bad in ["a b", "a\r\nx: y", "ü"] {
        let value = json!(bad);
        refuses(
            json!({ "apiKey": bad }),
            &format!(
                "net.async: apiKey is {value}, allowed is a text of at most 256 visible ASCII \
                 characters"
            ),
        );
    }
}

#[test]
fn rules() {
    for (key, low, high, kind) in [
        ("minFrames", json!(0), json!(216_000), "an integer"),
        ("maxSpeed", json!(0), json!(1_000_000_000), "a number"),
        ("speedSlack", json!(1), json!(10), "a number"),
        ("maxScore", json!(0), json!(i64::MAX), "an integer"),
        ("maxTurnRate", json!(0), json!(1_000_000), "a number"),
    ] {
        takes(json!({ "rules": { key: low } }));
        let top = if key == "maxScore" {
            json!(i64::MAX.to_string())
        } else {
            high.clone()
        };
        takes(json!({ "rules": { key: top } }));
        for bad in [json!(-1), json!("x"), json!(true), json!(null)] {
            refuses(
                json!({ "rules": { key: bad } }),
                &format!("net.async: rules.{key} is {bad}, allowed is {kind} from {low} to {high}"),
            );
        }
    }
    let safe = 9_007_199_254_740_991_i64;
    assert_eq!(
        takes(json!({ "rules": { "maxScore": safe } }))
            .rules
            .max_score,
        safe
    );
    let beyond = takes(json!({ "rules": { "maxScore": "9007199254740993" } }));
    assert_eq!(beyond.rules.max_score, safe + 2);
    refuses(
        json!({ "rules": { "maxScore": safe + 1 } }),
        "net.async: rules.maxScore is 9007199254740992, allowed is an integer from 0 to \
         9223372036854775807",
    );
    takes(json!({ "rules": { "ticket": "required" } }));
    refuses(
        json!({ "rules": { "ticket": "yes" } }),
        "net.async: rules.ticket is \"yes\", allowed is one of \"off\", \"optional\", \"required\"",
    );
    refuses(
        json!({ "rules": 3 }),
        "net.async: rules is 3, allowed is an object",
    );
    refuses(
        json!({ "rules": null }),
        "net.async: rules is null, allowed is an object",
    );
    refuses(
        json!({ "rules": { "min_frame": 3 } }),
        "net.async: unknown setting \"rules.min_frame\", the nearest known one is \
         \"rules.minFrames\"",
    );
}

#[test]
fn ours() {
    assert!(!takes(json!({ "outbox": false })).outbox);
    for bad in [json!(0), json!("true"), json!(null)] {
        refuses(
            json!({ "outbox": bad }),
            &format!("net.async: outbox is {bad}, allowed is true or false"),
        );
    }
    let options = takes(json!({ "gameOptions": { "mode": "race", "laps": 3 } })).to_json();
    assert_eq!(options["gameOptions"], json!({ "mode": "race", "laps": 3 }));
    refuses(
        json!({ "gameOptions": [] }),
        "net.async: gameOptions is [], allowed is an object of true or false, integers and texts",
    );
    refuses(
        json!({ "gameOptions": { "laps": 1.5 } }),
        "net.async: gameOptions is {\"laps\":1.5}, allowed is an object of true or false, integers \
         and texts (\"laps\": a number must be whole and within ±(2^53-1))",
    );
}

#[test]
fn an_unknown_key_is_an_error_that_suggests_the_nearest() {
    for (key, nearest) in [
        ("frameHZ", "frameHz"),
        ("frame_hz", "frameHz"),
        ("frames", "frameHz"),
        ("max_run_bytes", "maxRunBytes"),
        ("opponent", "opponentSlot"),
        ("apiurl", "apiUrl"),
        ("boards", "board"),
        ("", "app"),
    ] {
        refuses(
            json!({ key: 1, "players": 99 }),
            &format!("net.async: unknown setting {key:?}, the nearest known one is {nearest:?}"),
        );
    }
    for config in [json!(null), json!([]), json!("x"), json!(3)] {
        let message = format!("net.async: the configuration is {config}, allowed is an object");
        refuses(config, &message);
    }
    let long = "é".repeat(1_000);
    let error = Settings::from_json(&json!({ long.as_str(): 1 })).unwrap_err();
    assert!(error.to_string().chars().count() < 200, "{error}");
}

#[test]
fn the_first_bad_key_in_the_tables_order_is_named() {
    refuses(
        json!({ "boardRows": 0, "frameHz": 9 }),
        "net.async: frameHz is 9, allowed is an integer from 10 to 120",
    );
    refuses(
        json!({ "slot": 3, "frameHz": 9 }),
        "net.async: frameHz is 9, allowed is an integer from 10 to 120",
    );
}

#[test]
fn cross_rules() {
    refuses(
        json!({ "slot": 1 }),
        "net.async: slot is 1, allowed is an integer from 0 to 0 with players 1",
    );
    refuses(
        json!({ "players": 2, "opponentSlot": 2 }),
        "net.async: opponentSlot is 2, allowed is an integer from -1 to 1 with players 2",
    );
    refuses(
        json!({ "players": 2, "slot": 1, "opponentSlot": 1 }),
        "net.async: opponentSlot is 1, allowed is -1 or another slot than slot, which is 1",
    );
    let duel = takes(json!({ "players": 2, "slot": 1, "opponentSlot": 0 }));
    assert_eq!((duel.slot, duel.opponent_slot), (1, Some(0)));
    assert_eq!(
        takes(json!({ "players": 2, "opponentSlot": -1 })).opponent_slot,
        None
    );
    refuses(
        json!({ "physics": "native" }),
        "net.async: physics is \"native\", allowed is \"none\" or \"shared\" with game \"arena\" \
         (native needs an engine game)",
    );
    refuses(
        json!({ "game": "kart", "physics": "native", "record": "inputs" }),
        "net.async: record is \"inputs\", allowed is \"samples\" or \"both\" with physics \
         \"native\"",
    );
    takes(json!({ "game": "kart", "physics": "native", "record": "samples" }));
    assert_eq!(
        takes(json!({ "game": "physics" })).to_json()["physics"],
        "shared"
    );
    takes(json!({ "game": "physics", "physics": "shared" }));
    for bad in ["none", "native"] {
        refuses(
            json!({ "game": "physics", "physics": bad }),
            &format!("net.async: physics is {bad:?}, allowed is \"shared\" with game \"physics\""),
        );
    }
    let clamped = takes(json!({ "boardRows": 5, "frameHz": 30, "sampleHz": 60 }));
    assert_eq!((clamped.board_default_rows, clamped.sample_hz), (5, 30));
}

#[test]
fn presets() {
    let race = takes(json!({ "preset": "ghost-race" })).to_json();
    assert_eq!(
        (&race["order"], &race["record"]),
        (&json!("asc"), &json!("both"))
    );
    assert_eq!(race["gameOptions"], json!({ "mode": "race" }));
    let pvp = takes(json!({ "preset": "async-pvp" })).to_json();
    assert_eq!(
        (&pvp["players"], &pvp["record"]),
        (&json!(2), &json!("inputs"))
    );
    assert_eq!(
        (&pvp["order"], &pvp["gameOptions"]),
        (&json!("desc"), &json!({ "mode": "duel" }))
    );
    let daily = takes(json!({ "preset": "daily-challenge" })).to_json();
    assert_eq!(
        (&daily["order"], &daily["board"]),
        (&json!("desc"), &json!(""))
    );
    assert_eq!(daily["rules"]["minFrames"], 60);
    assert_eq!(daily["gameOptions"], json!({ "mode": "collect" }));

    let yours =
        takes(json!({ "preset": "ghost-race", "order": "desc", "gameOptions": { "laps": 5 } }));
    let yours = yours.to_json();
    assert_eq!(
        yours["order"], "desc",
        "a key you wrote wins even if it equals the default"
    );
    assert_eq!(yours["gameOptions"], json!({ "mode": "race", "laps": 5 }));
    let rules = takes(json!({ "preset": "daily-challenge", "rules": { "maxSpeed": 9 } })).rules;
    assert_eq!(
        (rules.min_frames, rules.max_speed.to_bits()),
        (60, 9.0_f64.to_bits())
    );
    let kart = takes(json!({ "preset": "ghost-race", "game": "kart" })).to_json();
    assert_eq!(
        kart["gameOptions"],
        json!({}),
        "the arena's mode only goes with the arena"
    );
}

#[test]
fn the_transport() {
    let of = |config: &Value| TransportSettings::from_json(config);
    assert_eq!(of(&json!({})), Ok(TransportSettings::default()));
    let config = json!({ "url": "ws://127.0.0.1:9", "app": "a", "version": "1.0", "mods": ["m"],
        "reconnect": false });
    let transport = of(&config).unwrap();
    assert_eq!(serde_json::to_value(&transport).unwrap(), config);
    for (config, message) in [
        (
            json!({ "url": "http://x" }),
            "net.transport: url is \"http://x\", allowed is an empty text or a URL ws://host or \
             wss://host of at most 2048 bytes",
        ),
        (
            json!({ "mods": ["a", "a"] }),
            "net.transport: mods is [\"a\",\"a\"], allowed is a list of at most 64 different names \
             of 1 to 64 bytes",
        ),
        (
            json!({ "mods": "a" }),
            "net.transport: mods is \"a\", allowed is a list of at most 64 different names of 1 to \
             64 bytes",
        ),
        (
            json!({ "reconnect": 1 }),
            "net.transport: reconnect is 1, allowed is true or false",
        ),
        (
            json!({ "uri": "" }),
            "net.transport: unknown setting \"uri\", the nearest known one is \"url\"",
        ),
    ] {
        check_error(of(&config), &config, message);
    }
}

#[test]
fn the_actions() {
    let of = |config: &Value| ActionsSettings::from_json(config);
    assert_eq!(of(&json!({})), Ok(ActionsSettings::default()));
    let config = json!({ "buttons": ["jump"], "axes": ["x", { "name": "y", "bits": 16 }] });
    let actions = of(&config).unwrap();
    let bits: Vec<(&str, u8)> = actions
        .axes
        .iter()
        .map(|a| (a.name.as_str(), a.bits))
        .collect();
    assert_eq!(bits, [("x", 8), ("y", 16)]);
    let names = |count: usize| (0..count).map(|i| i.to_string()).collect::<Vec<_>>();
    assert!(of(&json!({ "buttons": names(32), "axes": names(8) })).is_ok());
    let axes = "a list of at most 8 axes with different names, each \"name\" or {\"name\", \
                \"bits\": 8 or 16}";
    for bad in [
        json!(["x", "x"]),
        json!(["x", { "name": "x" }]),
        json!([{ "name": "x", "bits": 9 }]),
        json!([{ "bits": 8 }]),
        json!([{ "name": "x", "bit": 8 }]),
        json!([""]),
        json!([3]),
    ] {
        let config = json!({ "axes": bad });
        check_error(
            of(&config),
            &config,
            &format!("input.actions: axes is {bad}, allowed is {axes}"),
        );
    }
    assert!(of(&json!({ "buttons": names(33) })).is_err());
    assert!(of(&json!({ "axes": names(9) })).is_err());
    assert!(of(&json!({ "buttons": ["n".repeat(33)] })).is_err());
}

#[test]
fn the_engine() {
    let of = |config: &Value| EngineSettings::from_json(config);
    assert_eq!(of(&json!({})), Ok(EngineSettings::default()));
    let config = json!({ "engine": "godot", "events": ["flag"], "tracks": ["car",
        { "name": "ball", "dimensions": "2d", "channels": ["spin"] }] });
    let engine = of(&config).unwrap();
    assert_eq!(engine.tracks[0].dimensions, TrackDimensions::Three);
    assert_eq!(engine.tracks[1].dimensions, TrackDimensions::Two);
    assert_eq!(engine.tracks[1].channels, ["spin"]);
    let tracks = "a list of at most 64 tracks with different names, each \"name\" or {\"name\", \
                  \"dimensions\": \"2d\" or \"3d\", \"channels\": at most 8 names}";
    for bad in [
        json!(["a", "a"]),
        json!([{ "name": "a", "dimensions": "4d" }]),
        json!([{ "name": "a", "channels": ["c", "c"] }]),
        json!([null]),
    ] {
        let config = json!({ "tracks": bad });
        check_error(
            of(&config),
            &config,
            &format!("game.engine: tracks is {bad}, allowed is {tracks}"),
        );
    }
}

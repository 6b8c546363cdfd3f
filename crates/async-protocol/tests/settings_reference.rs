//! The table of settings against the reference, transcribed here a second time by hand.

use async_protocol::Settings;
use async_protocol::settings::table::{KITS, NET_ASYNC, Setting};
use async_protocol::settings::{KIT, kit_api};
use serde_json::{Value, json};

/// name, type, default, range (or null), values (or null), how the meaning starts.
type Row = (
    &'static str,
    &'static str,
    Value,
    Value,
    Value,
    &'static str,
);

#[allow(clippy::too_many_lines, reason = "it is a table")]
fn reference() -> Vec<Row> {
    let n = Value::Null;
    vec![
        (
            "preset",
            "string",
            json!("none"),
            n.clone(),
            json!(["none", "ghost-race", "async-pvp", "daily-challenge"]),
            "Ready-made option set applied between the defaults and this config \
             (defaults ← preset ← your keys, merged key by key; rules too)",
        ),
        (
            "game",
            "string",
            json!("arena"),
            n.clone(),
            n.clone(),
            "arena / physics = deterministic games of the core (replayable, verified \
             by server replay); any other name = your engine game",
        ),
        (
            "physics",
            "string",
            json!("none"),
            n.clone(),
            json!(["none", "native", "shared"]),
            "shared = the game physics (net.physics) inside the core; native = your \
             engine physics, recorded as samples (game must then be",
        ),
        (
            "record",
            "string",
            json!("both"),
            n.clone(),
            json!(["inputs", "samples", "both"]),
            "What a run stores: input streams (net.rollback format), transform \
             samples, or both.",
        ),
        (
            "players",
            "integer",
            json!(1),
            json!([1, 8]),
            n.clone(),
            "Slots of the recorded game (2+ for async PvP).",
        ),
        (
            "slot",
            "integer",
            json!(0),
            json!([0, 7]),
            n.clone(),
            "The recording player's slot (< players).",
        ),
        (
            "opponentSlot",
            "integer",
            json!(-1),
            json!([-1, 7]),
            n.clone(),
            "Async PvP: slot played by the loaded opponent run (< players, ≠ slot; \
             -1 = auto: the first slot other than slot when an opponent",
        ),
        (
            "frameHz",
            "integer",
            json!(60),
            json!([10, 120]),
            n.clone(),
            "Frames per second of a run.",
        ),
        (
            "sampleHz",
            "integer",
            json!(10),
            json!([1, 60]),
            n.clone(),
            "Transform samples per second",
        ),
        (
            "maxFrames",
            "integer",
            json!(36000),
            json!([60, 216000]),
            n.clone(),
            "Longest recording (frames); recording stops there.",
        ),
        (
            "clock",
            "string",
            json!("core"),
            n.clone(),
            json!(["core", "host"]),
            "core = frames advance with time; host = on step() (your fixed update \
             drives the run).",
        ),
        (
            "board",
            "string",
            json!(""),
            n.clone(),
            n.clone(),
            "Board / challenge key of the runs (daily-YYYY-MM-DD for daily \
             challenges).",
        ),
        (
            "order",
            "string",
            json!("desc"),
            n.clone(),
            json!(["desc", "asc"]),
            "Boards: higher (desc) or lower (asc) scores first.",
        ),
        (
            "app",
            "string",
            json!(""),
            n.clone(),
            n.clone(),
            "Application id written in runs (the wrappers fill it from net.transport \
             app).",
        ),
        (
            "player",
            "string",
            json!(""),
            n.clone(),
            n.clone(),
            "Player name written in runs.",
        ),
        (
            "engine",
            "string",
            json!(""),
            n.clone(),
            n.clone(),
            "Engine tag written in runs (web, godot, unity, unreal; set by the \
             wrappers).",
        ),
        (
            "apiUrl",
            "string",
            json!(""),
            n.clone(),
            n.clone(),
            "Run API up to /api/v1/async (GripForge: https://<host>/api/v1/async; \
             self-hosted: gf-async-server).",
        ),
        (
            "apiKey",
            "string",
            json!(""),
            n.clone(),
            n.clone(),
            "x-api-key for the GripForge API.",
        ),
        (
            "rules",
            "object",
            json!({"minFrames": 1, "maxSpeed": 0, "speedSlack": 1.1, "maxScore": 0,
                "maxTurnRate": 0, "ticket": "optional"}),
            n.clone(),
            n.clone(),
            "Server checks of a submitted run (merged key by key over the preset's).",
        ),
        (
            "maxRuns",
            "integer",
            json!(1000),
            json!([1, 100000]),
            n.clone(),
            "Async gfnet server (gf-net-server --model async): runs kept in memory.",
        ),
        (
            "maxRunBytes",
            "integer",
            json!(262144),
            json!([1024, 1048576]),
            n.clone(),
            "Largest run accepted (bytes).",
        ),
        (
            "uploadChunksPerSecond",
            "number",
            json!(6),
            json!([1, 60]),
            n.clone(),
            "Client: run upload rate (chunks of 32000 base64 characters per second).",
        ),
        (
            "maxPartialUploadsPerPeer",
            "integer",
            json!(2),
            json!([1, 64]),
            n.clone(),
            "Server: uploads in progress per peer.",
        ),
        (
            "boardRows",
            "integer",
            json!(100),
            json!([1, 1000]),
            n.clone(),
            "Largest board / run list a query or a client asks for.",
        ),
        (
            "boardDefaultRows",
            "integer",
            json!(10),
            json!([1, 1000]),
            n,
            "Rows of a board / run list when the query does not say",
        ),
    ]
}

#[test]
fn every_setting_is_the_references() {
    let api = kit_api(KIT).unwrap();
    let settings = api["settings"].as_array().unwrap();
    let theirs: Vec<&Value> = settings.iter().filter(|row| row["ours"] == false).collect();
    assert_eq!(theirs.len(), 25);
    for (row, (name, kind, default, range, values, meaning)) in theirs.iter().zip(reference()) {
        assert_eq!(row["name"], name);
        assert_eq!(row["type"], kind, "{name}");
        assert_eq!(row["default"], default, "{name}");
        let (min, max) = match &range {
            Value::Null => (&Value::Null, &Value::Null),
            range => (&range[0], &range[1]),
        };
        assert_eq!((&row["min"], &row["max"]), (min, max), "{name}");
        assert_eq!(row["values"], values, "{name}");
        assert!(
            row["meaning"].as_str().unwrap().starts_with(meaning),
            "{name}: {}",
            row["meaning"]
        );
    }
    let ours: Vec<&Value> = settings.iter().filter(|row| row["ours"] == true).collect();
    let names: Vec<&Value> = ours.iter().map(|row| &row["name"]).collect();
    assert_eq!(names, ["gameOptions", "outbox", "identity"]);
}

#[test]
fn services_events_and_variables_are_the_references() {
    let api = kit_api(KIT).unwrap();
    assert_eq!(api["kit"], "net.async");
    assert_eq!(api["version"], "1.2.0");
    assert_eq!(
        api["requires"],
        json!(["net.transport", "input.actions", "game.engine"])
    );
    assert_eq!(api["targets"], json!(["web", "godot", "unity", "unreal"]));
    assert_eq!(
        (&api["hooks"], &api["collections"]),
        (&json!([]), &json!([]))
    );
    let services = api["services"].as_array().unwrap();
    assert_eq!(services[0]["name"], "net.async");
    assert_eq!(services[1]["name"], "net.replay");
    for method in [
        "recordStart",
        "recordStop",
        "export",
        "loadGhost",
        "play",
        "ghost",
        "submit",
        "fetch",
        "board",
        "daily",
        "verify",
    ] {
        assert!(
            services[0]["methods"]
                .as_array()
                .unwrap()
                .contains(&json!(method)),
            "{method}"
        );
    }
    let events = api["events"].as_array().unwrap();
    let theirs: Vec<&Value> = events
        .iter()
        .filter(|event| event["ours"] == false)
        .collect();
    let names_and_fields = |event: &&Value| json!([event["name"], event["fields"]]);
    assert_eq!(
        theirs.iter().map(names_and_fields).collect::<Vec<_>>(),
        [
            json!(["net.async.recorded", ["id", "bytes", "frames", "score"]]),
            json!(["net.async.submitted", ["ok", "id", "score", "rank"]]),
            json!(["net.async.ghost_end", ["ghost", "id"]]),
            json!(["net.refused", ["code", "msg"]]),
        ]
    );
    assert_eq!(
        api["variables"],
        json!([
            { "name": "net.async.frame", "type": "number" },
            { "name": "net.async.score", "type": "number" },
            { "name": "net.async.recording", "type": "boolean" },
        ])
    );
}

#[test]
fn the_typed_defaults_are_the_tables() {
    assert_eq!(Settings::from_json(&json!({})), Ok(Settings::default()));
    let defaults: serde_json::Map<String, Value> = NET_ASYNC
        .iter()
        .map(|row| (row.name.to_owned(), row.kind.default_value()))
        .collect();
    assert_eq!(Settings::default().to_json(), Value::Object(defaults));
}

#[test]
fn every_row_of_every_kit_takes_its_own_default_and_has_a_meaning() {
    fn check(row: &Setting) {
        assert!(row.meaning.ends_with('.'), "{}", row.name);
        assert!(!row.kind.allowed().is_empty(), "{}", row.name);
    }
    for kit in KITS {
        let api = kit_api(kit.name).unwrap();
        assert_eq!(
            api["settings"].as_array().unwrap().len(),
            kit.settings.len()
        );
        kit.settings.iter().for_each(check);
        let schema = async_protocol::settings::json_schema(kit.name).unwrap();
        for row in kit.settings {
            assert_eq!(
                schema["properties"][row.name]["default"],
                row.kind.default_value()
            );
        }
    }
    let error = kit_api("net.asinc").unwrap_err();
    assert_eq!(error.code(), "unknown_kit");
    assert_eq!(
        error.to_string(),
        "unknown kit \"net.asinc\", the nearest known one is \"net.async\""
    );
}

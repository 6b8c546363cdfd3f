//! What `gf-async kit api` tells: settings, services, events and variables of a kit, as JSON.

use serde_json::{Map, Value, json};

use super::check::nearest;
use super::table::{KITS, Kind, Kit, Setting};
use super::{KIT, KIT_VERSION, REQUIRES, SettingsError};

/// A service with its methods.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Service {
    /// Its name, as `call` takes it.
    pub name: &'static str,
    /// Its methods.
    pub methods: &'static [&'static str],
}

/// An event with its fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// Its name.
    pub name: &'static str,
    /// Its fields; more may be added.
    pub fields: &'static [&'static str],
    /// True if it is our decision and not the reference's.
    pub ours: bool,
}

/// A variable with its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name.
    pub name: &'static str,
    /// `number` or `boolean`.
    pub kind: &'static str,
}

const SERVICES: &[Service] = &[
    Service {
        name: "net.async",
        methods: &[
            "recordStart",
            "recordStop",
            "export",
            "loadGhost",
            "unloadGhost",
            "play",
            "ghost",
            "ticket",
            "submit",
            "fetch",
            "board",
            "daily",
            "verify",
            "outbox",
            "forgetServer",
        ],
    },
    Service {
        name: "net.replay",
        methods: &["open", "info", "seek", "step", "state", "marks", "close"],
    },
];

const ACTIONS: &[Service] = &[Service {
    name: "input.actions",
    methods: &["set"],
}];

const ENGINE: &[Service] = &[Service {
    name: "game.engine",
    methods: &["sample", "mark", "pause", "resume", "score", "progress"],
}];

const fn event(name: &'static str, fields: &'static [&'static str]) -> Event {
    Event {
        name,
        fields,
        ours: false,
    }
}

const fn our_event(name: &'static str, fields: &'static [&'static str]) -> Event {
    Event {
        name,
        fields,
        ours: true,
    }
}

const EVENTS: &[Event] = &[
    event("net.async.recorded", &["id", "bytes", "frames", "score"]),
    event("net.async.submitted", &["ok", "id", "score", "rank"]),
    event("net.async.ghost_end", &["ghost", "id"]),
    event("net.refused", &["code", "msg"]),
    our_event("net.async.queued", &["request", "id"]),
    our_event("net.async.fetched", &["request", "runs"]),
    our_event("net.async.board", &["request", "board", "rows", "own"]),
    our_event(
        "net.async.daily",
        &[
            "request",
            "board",
            "opens_ms",
            "closes_ms",
            "server_ms",
            "seed",
        ],
    ),
    our_event(
        "net.async.ticket",
        &["request", "ticket", "board", "seed", "attempt"],
    ),
    our_event("net.async.failed", &["request", "code", "msg", "retry_ms"]),
];

const VARIABLES: &[Variable] = &[
    Variable {
        name: "net.async.frame",
        kind: "number",
    },
    Variable {
        name: "net.async.score",
        kind: "number",
    },
    Variable {
        name: "net.async.recording",
        kind: "boolean",
    },
];

const TARGETS: [&str; 4] = ["web", "godot", "unity", "unreal"];

impl Kit {
    /// Its services.
    #[must_use]
    pub fn services(&self) -> &'static [Service] {
        match self.name {
            KIT => SERVICES,
            "input.actions" => ACTIONS,
            "game.engine" => ENGINE,
            _ => &[],
        }
    }

    /// Its events.
    #[must_use]
    pub fn events(&self) -> &'static [Event] {
        if self.name == KIT { EVENTS } else { &[] }
    }

    /// Its variables.
    #[must_use]
    pub fn variables(&self) -> &'static [Variable] {
        if self.name == KIT { VARIABLES } else { &[] }
    }
}

/// The kit of a name.
///
/// # Errors
/// [`SettingsError::UnknownKit`] suggests the nearest known one.
pub fn kit(name: &str) -> Result<&'static Kit, SettingsError> {
    KITS.iter()
        .find(|kit| kit.name == name)
        .ok_or_else(|| SettingsError::UnknownKit {
            kit: name.chars().take(64).collect(),
            nearest: nearest(KITS.iter().map(|kit| kit.name), name),
        })
}

/// Everything a tool needs to know about a kit, in one object.
///
/// # Errors
/// [`SettingsError::UnknownKit`] suggests the nearest known one.
pub fn kit_api(name: &str) -> Result<Value, SettingsError> {
    let kit = kit(name)?;
    let requires: &[&str] = if kit.name == KIT { &REQUIRES } else { &[] };
    let services = kit
        .services()
        .iter()
        .map(|s| json!({ "name": s.name, "methods": s.methods }));
    let events = kit.events().iter();
    let events = events.map(|e| json!({ "name": e.name, "fields": e.fields, "ours": e.ours }));
    let variables = kit
        .variables()
        .iter()
        .map(|v| json!({ "name": v.name, "type": v.kind }));
    Ok(json!({
        "kit": kit.name,
        "version": KIT_VERSION,
        "requires": requires,
        "targets": TARGETS,
        "hooks": [],
        "collections": [],
        "settings": kit.settings.iter().map(setting).collect::<Vec<_>>(),
        "services": services.collect::<Vec<_>>(),
        "events": events.collect::<Vec<_>>(),
        "variables": variables.collect::<Vec<_>>(),
    }))
}

/// A row as JSON: the same keys in every row, null where there is nothing; `fields` where it has
/// rows of its own.
fn setting(row: &Setting) -> Value {
    let (min, max) = row.kind.range();
    let values = match row.kind {
        Kind::Choice { values, .. } => json!(values),
        _ => Value::Null,
    };
    let mut json = Map::new();
    for (key, value) in [
        ("name", json!(row.name)),
        ("type", json!(row.kind.type_name())),
        ("default", row.kind.default_value()),
        ("min", min),
        ("max", max),
        ("values", values),
        ("meaning", json!(row.meaning)),
        ("ours", json!(row.ours)),
    ] {
        json.insert(key.to_owned(), value);
    }
    if let Kind::Object { fields } = row.kind {
        json.insert("fields".to_owned(), fields.iter().map(setting).collect());
    }
    Value::Object(json)
}

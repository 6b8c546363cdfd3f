//! The table of the settings. A row decides type, default, range and meaning; validation, merge,
//! `kit api`, the JSON Schema and docs/settings.md follow from it.
//!
//! Rows that are not `ours` are the reference's, word for word where it is not cut short.

use super::syntax::Syntax;
use crate::limits;

/// One setting.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Setting {
    /// Its key.
    pub name: &'static str,
    /// Its type, default and range.
    pub kind: Kind,
    /// What it does, in one line.
    pub meaning: &'static str,
    /// True if it is our decision and not the reference's.
    pub ours: bool,
}

/// The type of a setting, with what it allows. Ranges are inclusive.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind {
    /// A text.
    Text {
        /// The default.
        default: &'static str,
        /// Which texts are allowed.
        syntax: Syntax,
    },
    /// One word of a list.
    Choice {
        /// The default.
        default: &'static str,
        /// The words.
        values: &'static [&'static str],
    },
    /// A whole number. `60.0` is one (Lua and Godot hold every number as a double), `60.5`, `"60"`
    /// and `true` are none.
    Integer {
        /// The default.
        default: i64,
        /// The smallest.
        min: i64,
        /// The largest; beyond 2^53−1 a value is written as a decimal string.
        max: i64,
    },
    /// A number.
    Number {
        /// The default.
        default: f64,
        /// The smallest.
        min: f64,
        /// The largest.
        max: f64,
    },
    /// True or false.
    Switch {
        /// The default.
        default: bool,
    },
    /// Settings of their own, merged one level deep.
    Object {
        /// The rows.
        fields: &'static [Setting],
    },
    /// A game's own options, merged one level deep: any names, switches, whole numbers and texts.
    Options,
    /// A list.
    List {
        /// The default.
        default: &'static [&'static str],
        /// Most entries.
        max_count: usize,
        /// What an entry is.
        entry: Entry,
    },
}

/// What a list holds. Names are unique in their list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entry {
    /// A name of at most so many bytes.
    Name(usize),
    /// `"name"` (8 bit) or `{"name", "bits": 8 | 16}`.
    Axis,
    /// `"name"` (3d) or `{"name", "dimensions": "2d" | "3d", "channels": [name, …]}`.
    Track,
}

impl Setting {
    const fn new(name: &'static str, kind: Kind, meaning: &'static str) -> Self {
        Self {
            name,
            kind,
            meaning,
            ours: false,
        }
    }

    /// The same row, marked as our decision.
    const fn ours(self) -> Self {
        Self { ours: true, ..self }
    }
}

const fn text(
    name: &'static str,
    default: &'static str,
    syntax: Syntax,
    meaning: &'static str,
) -> Setting {
    Setting::new(name, Kind::Text { default, syntax }, meaning)
}

/// The default is the first value.
const fn choice(
    name: &'static str,
    default: &'static str,
    values: &'static [&'static str],
    meaning: &'static str,
) -> Setting {
    Setting::new(name, Kind::Choice { default, values }, meaning)
}

const fn integer(
    name: &'static str,
    default: i64,
    (min, max): (i64, i64),
    meaning: &'static str,
) -> Setting {
    Setting::new(name, Kind::Integer { default, min, max }, meaning)
}

const fn number(
    name: &'static str,
    default: f64,
    (min, max): (f64, f64),
    meaning: &'static str,
) -> Setting {
    Setting::new(name, Kind::Number { default, min, max }, meaning)
}

const fn switch(name: &'static str, default: bool, meaning: &'static str) -> Setting {
    Setting::new(name, Kind::Switch { default }, meaning)
}

const fn list(
    name: &'static str,
    default: &'static [&'static str],
    max_count: usize,
    entry: Entry,
    meaning: &'static str,
) -> Setting {
    Setting::new(
        name,
        Kind::List {
            default,
            max_count,
            entry,
        },
        meaning,
    )
    .ours()
}

const FRAMES_MAX: i64 = limits::RUN_MAX_FRAMES as i64;

/// net.async: the 25 settings of the reference, in its order, then ours.
pub const NET_ASYNC: &[Setting] = &[
    choice(
        "preset",
        "none",
        &["none", "ghost-race", "async-pvp", "daily-challenge"],
        "Ready-made option set applied between the defaults and this config (defaults ← preset ← \
         your keys, merged key by key; rules too).",
    ),
    text(
        "game",
        "arena",
        Syntax::Printable {
            min_bytes: 1,
            max_bytes: limits::GAME_MAX_BYTES,
        },
        "arena / physics = deterministic games of the core (replayable, verified by server \
         replay); any other name = your engine game (judged by its samples and the rules).",
    ),
    choice(
        "physics",
        "none",
        &["none", "native", "shared"],
        "shared = the game physics (net.physics) inside the core; native = your engine physics, \
         recorded as samples (game must then be an engine game, and record must not be inputs).",
    ),
    choice(
        "record",
        "both",
        &["inputs", "samples", "both"],
        "What a run stores: input streams (net.rollback format), transform samples, or both.",
    ),
    integer(
        "players",
        1,
        (1, 8),
        "Slots of the recorded game (2+ for async PvP).",
    ),
    integer(
        "slot",
        0,
        (0, 7),
        "The recording player's slot (< players).",
    ),
    integer(
        "opponentSlot",
        -1,
        (-1, 7),
        "Async PvP: slot played by the loaded opponent run (< players, ≠ slot; -1 = auto: the \
         first slot other than slot when an opponent is loaded).",
    ),
    integer("frameHz", 60, (10, 120), "Frames per second of a run."),
    integer(
        "sampleHz",
        10,
        (1, 60),
        "Transform samples per second (at most frameHz).",
    ),
    integer(
        "maxFrames",
        limits::RUN_DEFAULT_FRAMES as i64,
        (60, FRAMES_MAX),
        "Longest recording (frames); recording stops there.",
    ),
    choice(
        "clock",
        "core",
        &["core", "host"],
        "core = frames advance with time; host = on step() (your fixed update drives the run).",
    ),
    text(
        "board",
        "",
        Syntax::BoardKey,
        "Board / challenge key of the runs (daily-YYYY-MM-DD for daily challenges).",
    ),
    choice(
        "order",
        "desc",
        &["desc", "asc"],
        "Boards: higher (desc) or lower (asc) scores first.",
    ),
    text(
        "app",
        "",
        Syntax::Key,
        "Application id written in runs (the wrappers fill it from net.transport app).",
    ),
    text(
        "player",
        "",
        Syntax::PlayerName,
        "Player name written in runs.",
    ),
    text(
        "engine",
        "",
        Syntax::Printable {
            min_bytes: 0,
            max_bytes: limits::ENGINE_MAX_BYTES,
        },
        "Engine tag written in runs (web, godot, unity, unreal; set by the wrappers).",
    ),
    text(
        "apiUrl",
        "",
        Syntax::HttpUrl,
        "Run API up to /api/v1/async (GripForge: https://<host>/api/v1/async; self-hosted: \
         gf-async-server).",
    ),
    text(
        "apiKey",
        "",
        Syntax::HeaderValue,
        "x-api-key for the GripForge API.",
    ),
    Setting::new(
        "rules",
        Kind::Object { fields: RULES },
        "Server checks of a submitted run (merged key by key over the preset's).",
    ),
    integer(
        "maxRuns",
        1_000,
        (1, 100_000),
        "Async gfnet server (gf-net-server --model async): runs kept in memory.",
    ),
    integer(
        "maxRunBytes",
        limits::RUN_DEFAULT_BYTES as i64,
        (limits::RUN_MIN_BYTES as i64, limits::RUN_MAX_BYTES as i64),
        "Largest run accepted (bytes).",
    ),
    number(
        "uploadChunksPerSecond",
        6.0,
        (1.0, 60.0),
        "Client: run upload rate (chunks of 32000 base64 characters per second).",
    ),
    integer(
        "maxPartialUploadsPerPeer",
        2,
        (1, 64),
        "Server: uploads in progress per peer.",
    ),
    integer(
        "boardRows",
        limits::BOARD_MAX_ROWS as i64,
        (1, limits::BOARD_ROWS_CEILING_ROWS as i64),
        "Largest board / run list a query or a client asks for.",
    ),
    integer(
        "boardDefaultRows",
        limits::BOARD_DEFAULT_ROWS as i64,
        (1, limits::BOARD_ROWS_CEILING_ROWS as i64),
        "Rows of a board / run list when the query does not say (at most boardRows).",
    ),
    Setting::new(
        "gameOptions",
        Kind::Options,
        "The game's own options, recorded in the run (arena: mode, laps; physics: scene).",
    )
    .ours(),
    switch(
        "outbox",
        true,
        "Submits wait on disk until they are answered.",
    )
    .ours(),
    choice(
        "identity",
        "device",
        &["device"],
        "device = the player's key is made on first use and kept on the device.",
    )
    .ours(),
];

/// The fields of `rules`; the first two are the reference's.
pub const RULES: &[Setting] = &[
    integer(
        "minFrames",
        1,
        (0, FRAMES_MAX),
        "Shortest run accepted (frames).",
    ),
    number(
        "maxSpeed",
        0.0,
        (0.0, 1e9),
        "Fastest move of a track between consecutive samples (units/s); 0 = off.",
    ),
    number(
        "speedSlack",
        1.1,
        (1.0, 10.0),
        "Factor on maxSpeed, over a sliding window of 1 s; marked teleports are exempt.",
    )
    // The reference names it and cuts its default off.
    .ours(),
    integer(
        "maxScore",
        0,
        (0, i64::MAX),
        "Highest score that is believed; 0 = off.",
    )
    .ours(),
    number(
        "maxTurnRate",
        0.0,
        (0.0, 1e6),
        "Fastest turn of a track between consecutive samples (degrees/s); 0 = off.",
    )
    .ours(),
    choice(
        "ticket",
        "optional",
        &["off", "optional", "required"],
        "Whether a run needs the server's ticket; the board's default.",
    )
    .ours(),
];

/// net.transport: `url` and `app` are the reference's, the rest is ours.
pub const NET_TRANSPORT: &[Setting] = &[
    text(
        "url",
        "",
        Syntax::SocketUrl,
        "gfnet server to connect to; empty = no connection.",
    ),
    text(
        "app",
        "",
        Syntax::Key,
        "Application id; fills net.async app where that is empty.",
    ),
    text(
        "version",
        "",
        Syntax::Printable {
            min_bytes: 0,
            max_bytes: limits::BUILD_MAX_BYTES,
        },
        "The game's own build, written in runs and compared by boards of engine games.",
    )
    .ours(),
    list(
        "mods",
        &[],
        limits::MODS_MAX_COUNT,
        Entry::Name(limits::MOD_MAX_BYTES),
        "Ids of the loaded mods.",
    ),
    switch(
        "reconnect",
        true,
        "Connect again after a loss, with growing pauses.",
    )
    .ours(),
];

/// input.actions: the input schema of an engine game's runs (ours).
pub const INPUT_ACTIONS: &[Setting] = &[
    list(
        "buttons",
        &[],
        32,
        Entry::Name(limits::IDENTIFIER_MAX_BYTES),
        "Names of the buttons, the first is bit 0.",
    ),
    list(
        "axes",
        &[],
        8,
        Entry::Axis,
        "The axes: a name (8 bit), or {name, bits} with 8 or 16 bit; signed, -1..1.",
    ),
];

/// game.engine: what an engine game records (ours).
pub const GAME_ENGINE: &[Setting] = &[
    text(
        "engine",
        "",
        Syntax::Printable {
            min_bytes: 0,
            max_bytes: limits::ENGINE_MAX_BYTES,
        },
        "Engine tag; fills net.async engine where that is empty.",
    )
    .ours(),
    list(
        "tracks",
        &[],
        limits::TRACKS_MAX_COUNT,
        Entry::Track,
        "The transforms that are sampled: a name (3d), or {name, dimensions, channels}.",
    ),
    list(
        "events",
        &["split", "lap", "respawn"],
        limits::EVENTS_MAX_COUNT,
        Entry::Name(limits::IDENTIFIER_MAX_BYTES),
        "Names of the marks.",
    ),
];

/// A kit that this crate knows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Kit {
    /// Its id.
    pub name: &'static str,
    /// Its settings.
    pub settings: &'static [Setting],
}

/// Every kit, the one that this project is about first.
pub const KITS: &[Kit] = &[
    Kit {
        name: "net.async",
        settings: NET_ASYNC,
    },
    Kit {
        name: "net.transport",
        settings: NET_TRANSPORT,
    },
    Kit {
        name: "input.actions",
        settings: INPUT_ACTIONS,
    },
    Kit {
        name: "game.engine",
        settings: GAME_ENGINE,
    },
];

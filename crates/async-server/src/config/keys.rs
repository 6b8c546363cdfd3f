//! The table of configuration keys: one source of parsing, ranges, defaults and `--print-config`.

use std::net::SocketAddr;
use std::path::PathBuf;

use toml::Value;

use super::Config;

/// How a key's value is written, checked and stored.
pub(super) enum Field {
    /// An integer with its smallest and largest value.
    Count {
        at: fn(&mut Config) -> &mut u64,
        min: u64,
        max: u64,
    },
    /// `IP:port`.
    Address(fn(&mut Config) -> &mut SocketAddr),
    /// A path that must be given.
    Path(fn(&mut Config) -> &mut PathBuf),
    /// A path, or "" for none.
    MaybePath(fn(&mut Config) -> &mut Option<PathBuf>),
}

/// One key of the configuration file.
pub(super) struct Key {
    pub(super) name: &'static str,
    pub(super) meaning: &'static str,
    pub(super) field: Field,
}

const fn count(
    name: &'static str,
    min: u64,
    max: u64,
    at: fn(&mut Config) -> &mut u64,
    meaning: &'static str,
) -> Key {
    Key {
        name,
        meaning,
        field: Field::Count { at, min, max },
    }
}

/// Every plain key, in the order `--print-config` shows them. `apps` and `boards` are tables.
pub(super) const KEYS: &[Key] = &[
    Key {
        name: "listen",
        meaning: "Address and port to serve HTTP on; port 0 takes a free one. TLS ends at a proxy.",
        field: Field::Address(|c| &mut c.listen),
    },
    Key {
        name: "data",
        meaning: "The SQLite file that holds everything, the signing key and the daily secret too.",
        field: Field::Path(|c| &mut c.data),
    },
    Key {
        name: "kit",
        meaning: "The game's gfkits.json: order and rules of undeclared boards. \"\" = none.",
        field: Field::MaybePath(|c| &mut c.kit),
    },
    count(
        "auto_boards",
        0,
        1_000_000,
        |c| &mut c.auto_boards,
        "Boards that may come to be by a first run, undeclared, dailies apart; 0 = none at all.",
    ),
    count(
        "max_run_bytes",
        1_024,
        1_048_576,
        |c| &mut c.max_run_bytes,
        "Largest run accepted, in bytes (the kit's maxRunBytes).",
    ),
    count(
        "board_rows",
        1,
        1_000,
        |c| &mut c.board_rows,
        "Most rows of a board or run list in one answer.",
    ),
    count(
        "board_default_rows",
        1,
        1_000,
        |c| &mut c.board_default_rows,
        "Rows of an answer when the query does not say.",
    ),
    count(
        "http_threads",
        0,
        256,
        |c| &mut c.http_threads,
        "Threads that speak HTTP; 0 = one per core.",
    ),
    count(
        "verify_threads",
        0,
        256,
        |c| &mut c.verify_threads,
        "Threads that re-simulate runs; 0 = one per core.",
    ),
    count(
        "verify_queue",
        1,
        100_000,
        |c| &mut c.verify_queue,
        "Runs that may wait for such a thread; past it the answer is 503 busy.",
    ),
    count(
        "pending_frames",
        1,
        10_000_000,
        |c| &mut c.pending_frames,
        "A run of more frames x players is answered 202 pending and verified afterwards.",
    ),
    count(
        "max_connections",
        1,
        1_000_000,
        |c| &mut c.max_connections,
        "Open connections; more wait in the system's backlog.",
    ),
    count(
        "header_timeout_ms",
        10,
        3_600_000,
        |c| &mut c.header_timeout_ms,
        "Longest wait for a request's head, also on an idle connection.",
    ),
    count(
        "body_timeout_ms",
        10,
        3_600_000,
        |c| &mut c.body_timeout_ms,
        "Longest wait for a request's body, and for a client to take more of its answer.",
    ),
    count(
        "stop_timeout_ms",
        0,
        3_600_000,
        |c| &mut c.stop_timeout_ms,
        "Longest wait for running requests when the server stops.",
    ),
    count(
        "ticket_lifetime_ms",
        1_000,
        31_536_000_000,
        |c| &mut c.ticket_lifetime_ms,
        "How long after its issue a ticket may be used.",
    ),
    count(
        "daily_grace_ms",
        0,
        604_800_000,
        |c| &mut c.daily_grace_ms,
        "How long after its close a daily takes runs whose ticket predates the close.",
    ),
];

impl Key {
    /// Checks `value` and stores it; the error says what is allowed.
    pub(super) fn set(&self, config: &mut Config, value: &Value) -> Result<(), String> {
        match &self.field {
            Field::Count { at, min, max } => {
                let allowed = || format!("a whole number from {min} to {max}");
                let number = value.as_integer().ok_or_else(allowed)?;
                let number = u64::try_from(number).map_err(|_| allowed())?;
                if !(*min..=*max).contains(&number) {
                    return Err(allowed());
                }
                *at(config) = number;
            }
            Field::Address(at) => {
                let text = value.as_str().unwrap_or_default();
                let allowed = "an address and port, such as \"127.0.0.1:8787\"";
                *at(config) = text.parse().map_err(|_| allowed.to_owned())?;
            }
            Field::Path(at) => match value.as_str() {
                Some(text) if !text.is_empty() => *at(config) = PathBuf::from(text),
                _ => return Err("a path".to_owned()),
            },
            Field::MaybePath(at) => match value.as_str() {
                Some(text) => *at(config) = (!text.is_empty()).then(|| PathBuf::from(text)),
                None => return Err("a path, or \"\" for none".to_owned()),
            },
        }
        Ok(())
    }

    /// The key's value in `config`, as TOML.
    pub(super) fn value(&self, config: &mut Config) -> Value {
        match &self.field {
            Field::Count { at, .. } => Value::Integer(i64::try_from(*at(config)).unwrap_or(0)),
            Field::Address(at) => Value::String(at(config).to_string()),
            Field::Path(at) => Value::String(at(config).display().to_string()),
            Field::MaybePath(at) => Value::String(
                at(config)
                    .as_ref()
                    .map(|path| path.display().to_string())
                    .unwrap_or_default(),
            ),
        }
    }

    /// What may stand here, for `--print-config`.
    pub(super) fn allowed(&self) -> String {
        match &self.field {
            Field::Count { min, max, .. } => format!("{min} to {max}"),
            Field::Address(_) => "IP:port".to_owned(),
            Field::Path(_) => "a path".to_owned(),
            Field::MaybePath(_) => "a path or \"\"".to_owned(),
        }
    }
}

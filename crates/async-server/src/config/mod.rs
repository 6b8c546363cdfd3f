//! What an operator decides: a TOML file, every key with a default.

mod boards;
mod explain;
mod keys;
mod kit;
mod parse;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use async_protocol::limits;

pub(crate) use boards::key_hash;
pub use boards::{AppEntry, BoardEntry};
pub(crate) use kit::KitFile;

use crate::error::Error;

/// The port of a server that nobody configured.
pub const PORT: u16 = 8787;

/// The configuration of a server.
///
/// The default needs nothing: loopback only, any app, no key, the data file in the current folder.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Config {
    /// Where to listen; port 0 takes a free one.
    pub listen: SocketAddr,
    /// The SQLite file; made if it is not there.
    pub data: PathBuf,
    /// The game's `gfkits.json`, if any.
    pub kit: Option<PathBuf>,
    /// The apps that may call, with their keys; empty = any app, no key.
    pub apps: Vec<AppEntry>,
    /// The boards that are declared.
    pub boards: Vec<BoardEntry>,
    /// Boards that may come to be by use.
    pub auto_boards: u64,
    /// Largest run, in bytes.
    pub max_run_bytes: u64,
    /// Most rows of one answer.
    pub board_rows: u64,
    /// Rows of an answer when the query does not say.
    pub board_default_rows: u64,
    /// HTTP threads; 0 = one per core.
    pub http_threads: u64,
    /// Verification threads; 0 = one per core.
    pub verify_threads: u64,
    /// Runs that may wait for a verification thread.
    pub verify_queue: u64,
    /// A run of more frames × players is verified after the answer.
    pub pending_frames: u64,
    /// Open connections at a time.
    pub max_connections: u64,
    /// Longest wait for a request's head, in milliseconds.
    pub header_timeout_ms: u64,
    /// Longest wait for a request's body, and for a client to take more of its answer, in
    /// milliseconds.
    pub body_timeout_ms: u64,
    /// Longest wait for running requests at a stop, in milliseconds.
    pub stop_timeout_ms: u64,
    /// Life of a ticket, in milliseconds.
    pub ticket_lifetime_ms: u64,
    /// Grace after the close of a daily, in milliseconds.
    pub daily_grace_ms: u64,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), PORT),
            data: PathBuf::from("gf-async.sqlite"),
            kit: None,
            apps: Vec::new(),
            boards: Vec::new(),
            auto_boards: u64::from(limits::AUTO_BOARDS_MAX_COUNT),
            max_run_bytes: u64::from(limits::RUN_DEFAULT_BYTES),
            board_rows: u64::from(limits::BOARD_MAX_ROWS),
            board_default_rows: u64::from(limits::BOARD_DEFAULT_ROWS),
            http_threads: 0,
            verify_threads: 0,
            verify_queue: 1_024,
            pending_frames: 500_000,
            max_connections: 4_096,
            header_timeout_ms: 15_000,
            body_timeout_ms: 30_000,
            stop_timeout_ms: 10_000,
            ticket_lifetime_ms: limits::TICKET_LIFETIME_MS,
            daily_grace_ms: limits::DAILY_GRACE_MS,
        }
    }
}

impl Config {
    /// Reads a TOML file.
    ///
    /// # Errors
    /// [`Error::Config`] naming the file and the first key that is wrong, with what is allowed or
    /// the nearest known key.
    pub fn load(file: &Path) -> Result<Self, Error> {
        let failed = |message| Error::Config {
            file: file.display().to_string(),
            message,
        };
        let text = std::fs::read_to_string(file).map_err(|error| failed(error.to_string()))?;
        parse::config(&text).map_err(failed)
    }

    /// Reads TOML.
    ///
    /// # Errors
    /// As [`Config::load`].
    pub fn from_toml(text: &str) -> Result<Self, Error> {
        parse::config(text).map_err(refused)
    }

    /// This configuration as TOML, every key with its meaning and what is allowed.
    pub fn explain(&self) -> String {
        explain::toml(self)
    }

    /// Checks what concerns several keys at once.
    pub(crate) fn check(&self) -> Result<(), Error> {
        boards::check(&self.apps, &self.boards).map_err(refused)
    }
}

/// What a thread setting of 0 means: one per core.
pub(crate) fn threads(setting: u64) -> usize {
    match usize::try_from(setting) {
        Ok(0) | Err(_) => std::thread::available_parallelism().map_or(1, usize::from),
        Ok(threads) => threads,
    }
}

fn refused(message: String) -> Error {
    Error::Config {
        file: "configuration".to_owned(),
        message,
    }
}

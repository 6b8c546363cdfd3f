//! The server under test: the real one, in this process, on a file on disk.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::mpsc;

use async_benches::Figure;
use async_protocol::wire::BASE_PATH;
use async_protocol::{BoardPolicy, PlayerId, RulesetId, RunId, Status};
use async_server::{Config, Running, Server};
use async_store::{Board, Figures, NewRun, Options, SqliteStore, Store};
use serde_json::Value;
use tempfile::TempDir;

use crate::load::{self, as_f64};
use crate::{Fallible, cpu};

/// The board with many entries.
pub(crate) const BIG_BOARD: &str = "bench-reads";

const DATA: &str = "bench.sqlite";
// Entries of one transaction while the big board is filled.
const BATCH: usize = 20_000;

/// A running server and its folder, which goes with it.
#[derive(Debug)]
pub(crate) struct Subject {
    running: Running,
    ready_s: f64,
    filled: Option<Figures>,
    _folder: TempDir,
}

impl Subject {
    /// A server on an empty file, with the settings of a first start.
    ///
    /// # Errors
    /// When it cannot start.
    pub(crate) fn start_empty(parent: &Path) -> Fallible<Self> {
        Self::start(TempDir::new_in(parent)?, None)
    }

    /// A server on a file whose [`BIG_BOARD`] has `entries` players.
    ///
    /// # Errors
    /// When the store or the server fails.
    pub(crate) fn start_filled(parent: &Path, entries: usize) -> Fallible<Self> {
        let folder = TempDir::new_in(parent)?;
        let filled = fill(&folder.path().join(DATA), entries)?;
        Self::start(folder, Some(filled))
    }

    fn start(folder: TempDir, filled: Option<Figures>) -> Fallible<Self> {
        let mut config = Config::default();
        config.listen = SocketAddr::from(([127, 0, 0, 1], 0));
        config.data = folder.path().join(DATA);
        let before_s = cpu::this_thread();
        let running = Server::start(config)?;
        let ready_s = cpu::this_thread() - before_s;
        Ok(Subject {
            running,
            ready_s,
            filled,
            _folder: folder,
        })
    }

    /// What the big board costs: memory of its ranks, and CPU time until they are loaded.
    pub(crate) fn figures(&self) -> Vec<Figure> {
        let Some(filled) = &self.filled else {
            return Vec::new();
        };
        let entries = as_f64(usize::try_from(filled.entries).unwrap_or(usize::MAX));
        let rank_bytes = as_f64(usize::try_from(filled.rank_bytes).unwrap_or(usize::MAX));
        vec![
            Figure::new("bytes_per_ranked_entry", rank_bytes / entries, "bytes"),
            Figure::new("ready_s_per_million", self.ready_s * 1e6 / entries, "s"),
        ]
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.running.address()
    }

    /// The path of a call.
    #[allow(clippy::unused_self, reason = "a path belongs to a server")]
    pub(crate) fn path(&self, call: &str) -> String {
        format!("{BASE_PATH}{call}")
    }

    /// How many rows stand on a board.
    ///
    /// # Errors
    /// When the server does not answer.
    pub(crate) fn rows(&self, board: &str) -> Fallible<usize> {
        let body = self.ask(&load::get(&self.path(&format!("/boards/{board}?rows=0"))))?;
        let total = body["total"].as_u64().ok_or("a board has no total")?;
        Ok(usize::try_from(total)?)
    }

    /// Sends one request on a connection of its own; its answer's body.
    ///
    /// # Errors
    /// When there is no answer with JSON.
    pub(crate) fn ask(&self, request: &[u8]) -> Fallible<Value> {
        let text =
            String::from_utf8_lossy(request).replacen("\r\n", "\r\nconnection: close\r\n", 1);
        let mut stream = TcpStream::connect(self.address())?;
        stream.write_all(text.as_bytes())?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let (_, body) = answer
            .split_once("\r\n\r\n")
            .ok_or("an answer has no body")?;
        Ok(serde_json::from_str(body)?)
    }
}

/// The player of an entry.
pub(crate) fn player(number: usize) -> PlayerId {
    PlayerId(spread(number, 1))
}

fn fill(data: &Path, entries: usize) -> Fallible<Figures> {
    let store = SqliteStore::open(data, Options::default())?;
    let board = Board {
        app: String::new(),
        name: BIG_BOARD.to_owned(),
        ruleset: Some(RulesetId([7; 16])),
        policy: BoardPolicy::default(),
        opens_ms: None,
        closes_ms: None,
        declared: true,
    };
    let (send, done) = mpsc::channel();
    let declared = send.clone();
    store.declare_board(
        board,
        Box::new(move |end| drop(declared.send(end.map(drop)))),
    );
    done.recv()??;
    for first in (0..entries).step_by(BATCH) {
        let runs = (first..entries.min(first + BATCH)).map(entry).collect();
        let imported = send.clone();
        store.import(
            runs,
            Box::new(move |end| drop(imported.send(end.map(drop)))),
        );
        done.recv()??;
    }
    Ok(store.figures())
}

/// An entry whose file is a stub: ranks do not look into it.
fn entry(number: usize) -> NewRun {
    let hash = spread(number, 2);
    let mut id = [0; 16];
    id.copy_from_slice(&hash[..16]);
    NewRun {
        app: String::new(),
        board: BIG_BOARD.to_owned(),
        ruleset: RulesetId([7; 16]),
        id: RunId(id),
        player: player(number),
        player_name: format!("player {number}"),
        build: "bench".to_owned(),
        // Some scores are equal, as on any board.
        score: i64::from(u32::from_le_bytes([hash[16], hash[17], hash[18], 0])),
        frames: 3_600,
        status: Status::Verified,
        practice: false,
        verdict: r#"{"status":"verified","code":"ok"}"#.to_owned(),
        input_hash: spread(number, 3),
        input_changes: 100,
        received_ms: 1_790_000_000_000 + number as u64,
        ticket_use: None,
        bytes: vec![0; 16],
    }
}

/// 32 bytes that look random, the same for the same number and kind.
fn spread(number: usize, kind: u64) -> [u8; 32] {
    let mut bytes = [0; 32];
    let mut state = (number as u64) << 8 | kind;
    for part in bytes.chunks_exact_mut(8) {
        // splitmix64
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        part.copy_from_slice(&(mixed ^ (mixed >> 31)).to_le_bytes());
    }
    bytes
}

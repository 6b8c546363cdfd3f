//! One transaction of several writes: what it already decided, and what it changes after commit.

use std::collections::HashMap;
use std::sync::Arc;

use rusqlite::Connection;

use super::Shared;
use crate::Error;
use crate::board::{BoardState, Change};
use crate::rank::Key;
use crate::types::{Place, Standing};

/// Why a write did not happen.
#[derive(Debug)]
pub(crate) enum Failure {
    /// It was refused for a reason of its own, before it changed anything.
    Refused(Error),
    /// The disk or SQLite failed: the whole transaction is void.
    Broken(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Refused(error)
    }
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Broken(error.into())
    }
}

/// What a write changes in memory once it is on the disk.
pub(crate) enum Effect {
    /// Entries of a board.
    Entries(Arc<BoardState>, Change),
    /// A player's name, wherever it is shown.
    Name(u64),
    /// A status shown in a player's row.
    Row(Arc<BoardState>, u64),
    /// A new board or policy.
    Board(Arc<BoardState>),
    /// A new app.
    App(String, i64),
    /// A ban (true) or its end, of a player in an app.
    Ban(i64, u64, bool),
    /// A tombstone exists.
    Tombstone,
}

/// Changes of one board by this transaction, not yet in its ranks.
#[derive(Default)]
struct Overlay {
    /// Keys that came (+1) or went (-1).
    changed: Vec<(Key, i64)>,
    /// Entries more than there were.
    more: i64,
    /// The best of each player who changed.
    best: HashMap<u64, Option<Key>>,
}

/// The numbers that a transaction hands out; taken back if it fails.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counters {
    /// The next run's number.
    pub(crate) next_seq: u64,
    /// When the last run was accepted, in milliseconds since 1970.
    pub(crate) accepted_ms: u64,
}

/// A transaction in progress. Decisions made in it see the writes before them.
pub(crate) struct Group<'a> {
    /// The writer's connection, within a transaction.
    pub(crate) conn: &'a Connection,
    /// What all threads share.
    pub(crate) shared: &'a Shared,
    /// When false, answers carry no ranks: an import would spend its time counting.
    pub(crate) counts: bool,
    /// What it handed out so far.
    pub(crate) counters: Counters,
    /// What it will change in memory.
    pub(crate) effects: Vec<Effect>,
    overlays: HashMap<i64, Overlay>,
}

impl<'a> Group<'a> {
    /// Starts within an open transaction.
    pub(crate) fn new(conn: &'a Connection, shared: &'a Shared, counters: Counters) -> Self {
        Self {
            conn,
            shared,
            counts: true,
            counters,
            effects: Vec::new(),
            overlays: HashMap::new(),
        }
    }

    /// The number and time of acceptance of a run that arrived at `received_ms`: both only rise,
    /// whatever the clock does.
    pub(crate) fn accept(&mut self, received_ms: u64) -> (u64, u64) {
        let seq = self.counters.next_seq;
        self.counters.next_seq += 1;
        // What SQLite can hold; no clock goes there.
        let received_ms = received_ms.min(i64::MAX as u64);
        self.counters.accepted_ms = self.counters.accepted_ms.max(received_ms);
        (seq, self.counters.accepted_ms)
    }

    /// The best entry of a player.
    pub(crate) fn best(&self, board: &BoardState, player: u64) -> Option<Key> {
        let overlay = self.overlays.get(&board.id);
        match overlay.and_then(|overlay| overlay.best.get(&player)) {
            Some(best) => *best,
            None => board.ranks().best(player).map(|entry| entry.key),
        }
    }

    /// Plans a change of a board's entries; the caller writes it into the file.
    pub(crate) fn change(&mut self, board: &Arc<BoardState>, change: Change) {
        let overlay = self.overlays.entry(board.id).or_default();
        overlay.changed.extend(change.removed.map(|key| (key, -1)));
        overlay.changed.extend(change.inserted.map(|key| (key, 1)));
        overlay.more += i64::from(change.inserted.is_some());
        overlay.more -= i64::from(change.removed.is_some());
        overlay.best.insert(change.player, change.best);
        self.effects
            .push(Effect::Entries(Arc::clone(board), change));
    }

    /// Where a player will stand after the transaction so far.
    pub(crate) fn standing(&self, board: &BoardState, player: u64) -> Standing {
        if !self.counts {
            return Standing::default();
        }
        let ranks = board.ranks();
        let overlay = self.overlays.get(&board.id);
        let changed = overlay.map_or(&[][..], |overlay| &overlay.changed);
        let before = |key: Key| {
            let moved = changed.iter().filter(|(other, _)| *other < key);
            ranks.before(key) as i64 + moved.map(|(_, by)| by).sum::<i64>()
        };
        let place = |key: Key| {
            let position = before(key) as u64 + 1;
            let better = || {
                before(Key {
                    key: key.key,
                    tie: 0,
                }) as usize
            };
            Place {
                rank: board.rank(position, better),
                position,
                score: board.sorting.turned(key.key),
                seq: board.sorting.seq(key),
            }
        };
        let total = ranks.len() as i64 + overlay.map_or(0, |overlay| overlay.more);
        Standing {
            place: self.best(board, player).map(place),
            would_rank: None,
            total: total as u64,
        }
    }
}

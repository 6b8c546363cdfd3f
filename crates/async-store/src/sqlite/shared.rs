//! What the threads of a store share.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

use async_protocol::RunId;
use async_protocol::wire::Stored;

use super::file::Keys;
use super::group::Effect;
use super::players::Numbers;
use super::rows::Answer;
use super::{Options, load};
use crate::Error;
use crate::board::Boards;
use crate::types::{Board, Figures, Submitted};

/// The memory of a store.
pub(crate) struct Shared {
    pub(crate) options: Options,
    pub(crate) keys: Keys,
    pub(crate) numbers: Numbers,
    /// Bytes of writes that wait.
    pub(crate) waiting_bytes: AtomicUsize,
    pub(crate) groups: AtomicU64,
    pub(crate) writes: AtomicU64,
    boards: RwLock<Boards>,
    bans: RwLock<HashSet<(i64, u64)>>,
    tombstones: AtomicBool,
    gate: Mutex<()>,
}

impl Shared {
    /// Takes what was read from the file.
    pub(crate) fn new(options: Options, keys: Keys, loaded: load::Loaded) -> Self {
        Self {
            options,
            keys,
            numbers: loaded.numbers,
            waiting_bytes: AtomicUsize::new(0),
            groups: AtomicU64::new(0),
            writes: AtomicU64::new(0),
            boards: RwLock::new(loaded.boards),
            bans: RwLock::new(loaded.bans),
            tombstones: AtomicBool::new(loaded.tombstones),
            gate: Mutex::new(()),
        }
    }

    /// The boards. Never held across a call of the disk.
    pub(crate) fn boards(&self) -> RwLockReadGuard<'_, Boards> {
        self.boards.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Held by the writer for a transaction, and by checkpoints that must not meet one.
    pub(crate) fn gate(&self) -> MutexGuard<'_, ()> {
        self.gate.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// True if the player is banned from the app.
    pub(crate) fn banned(&self, app: i64, player: u64) -> bool {
        let bans = self.bans.read().unwrap_or_else(PoisonError::into_inner);
        bans.contains(&(app, player))
    }

    /// True if anything was ever erased.
    pub(crate) fn has_tombstones(&self) -> bool {
        self.tombstones.load(Relaxed)
    }

    /// What an erased run leaves behind.
    pub(crate) fn run_mark(&self, app: i64, id: RunId) -> [u8; 32] {
        self.mark(b'r', app, &id.0)
    }

    /// What the inputs of an erased run leave behind.
    pub(crate) fn inputs_mark(&self, app: i64, inputs: &[u8; 16]) -> [u8; 32] {
        self.mark(b'i', app, inputs)
    }

    fn mark(&self, kind: u8, app: i64, name: &[u8; 16]) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new_keyed(&self.keys.tombstones);
        hasher
            .update(&[kind])
            .update(&app.to_le_bytes())
            .update(name);
        *hasher.finalize().as_bytes()
    }

    /// Makes the committed changes visible, in their order.
    pub(crate) fn apply(&self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Entries(board, change) => board.apply(change),
                Effect::Row(board, player) => board.refresh(player),
                Effect::Name(player) => {
                    let boards: Vec<_> = self.boards().all().cloned().collect();
                    boards.iter().for_each(|board| board.refresh(player));
                }
                Effect::Board(board) => {
                    self.change_boards(|boards| boards.put(Arc::clone(&board)));
                    // The rank style may be another one.
                    board.refresh_all();
                }
                Effect::App(name, id) => self.change_boards(|boards| boards.add_app(&name, id)),
                Effect::Ban(app, player, banned) => {
                    let mut bans = self.bans.write().unwrap_or_else(PoisonError::into_inner);
                    if banned {
                        bans.insert((app, player));
                    } else {
                        bans.remove(&(app, player));
                    }
                }
                Effect::Tombstone => self.tombstones.store(true, Relaxed),
            }
        }
    }

    fn change_boards(&self, change: impl FnOnce(&mut Boards)) {
        change(&mut self.boards.write().unwrap_or_else(PoisonError::into_inner));
    }

    /// The first answer; of an import, which counted nothing, where the player stands now.
    pub(crate) fn complete(&self, answer: Answer) -> Submitted {
        let mut submitted = answer.submitted;
        let board = self.boards().by_id(answer.board).map(Arc::clone);
        if let Some(board) = board {
            let now = board.standing(Some(answer.player), None);
            submitted.standing.total = now.total;
            let counted = submitted.standing.place.is_some();
            if !counted && matches!(submitted.stored, Stored::Better | Stored::NotBetter) {
                submitted.standing.place = now.place;
            }
        }
        submitted
    }

    /// Numbers for health pages.
    pub(crate) fn figures(&self) -> Figures {
        let mut figures = Figures {
            groups: self.groups.load(Relaxed),
            writes: self.writes.load(Relaxed),
            ..Figures::default()
        };
        for board in self.boards().all() {
            let ranks = board.ranks();
            figures.boards += 1;
            figures.entries += ranks.len() as u64;
            figures.rank_bytes += ranks.bytes() as u64;
        }
        figures
    }

    /// Room for one more board that nobody declared. Those that close take none from the others:
    /// else the dailies alone would use it up in three years, and then there would be no daily.
    pub(crate) fn check_room(&self, board: &Board) -> Result<(), Error> {
        let max = self.options.auto_boards_max;
        if board.closes_ms.is_some() && max > 0 {
            return Ok(());
        }
        let boards = self.boards();
        let made = boards.all().filter(|board| board.board.takes_room());
        if made.count() >= max {
            return Err(Error::UnknownBoard);
        }
        Ok(())
    }
}

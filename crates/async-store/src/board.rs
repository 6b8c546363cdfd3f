//! A board in memory: its policy, its ranks, and its first rows ready to serve.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

use async_protocol::{Order, RankStyle, Status, Ties, Trust};

use crate::rank::{Entry, Key, Ranks};
use crate::types::{Board, Place, Row, Standing};

/// Rows of the first page that are kept ready.
pub(crate) const TOP_ROWS: usize = 100;

/// Turns scores into keys and back: the one comparator of every view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sorting {
    descending: bool,
    latest: bool,
}

impl Sorting {
    /// The order a board asks for.
    pub(crate) fn of(board: &Board) -> Self {
        Self {
            descending: board.policy.order == Order::Descending,
            latest: board.policy.ties == Ties::Latest,
        }
    }

    /// The key of a score and a run's number. `!x` reverses all of i64 without overflow.
    pub(crate) fn key(self, score: i64, seq: u64) -> Key {
        Key {
            key: self.turned(score),
            tie: if self.latest { !seq } else { seq },
        }
    }

    /// The score of a key, and the key of a score without its run.
    pub(crate) fn turned(self, score: i64) -> i64 {
        if self.descending { !score } else { score }
    }

    /// The run's number of a key.
    pub(crate) fn seq(self, key: Key) -> u64 {
        if self.latest { !key.tie } else { key.tie }
    }
}

/// The first rows, and how far they can be believed.
#[derive(Debug, Default)]
pub(crate) struct Top {
    /// Rises with every change that may show on the first page.
    pub(crate) epoch: u64,
    /// The epoch that `rows` show; older ones still spare most of the reading.
    pub(crate) shown: Option<u64>,
    /// At most [`TOP_ROWS`] rows; fewer only if the board had no more.
    pub(crate) rows: Arc<[Row]>,
}

/// A board with its ranks.
#[derive(Debug)]
pub(crate) struct BoardState {
    /// Its number in the file.
    pub(crate) id: i64,
    /// Its app's number in the file.
    pub(crate) app: i64,
    /// Its policy.
    pub(crate) board: Arc<Board>,
    /// Its order, from the policy.
    pub(crate) sorting: Sorting,
    ranks: Arc<RwLock<Ranks>>,
    top: Arc<Mutex<Top>>,
}

/// A committed change of a board's entries.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Change {
    /// The player's number.
    pub(crate) player: u64,
    /// The entry that went.
    pub(crate) removed: Option<Key>,
    /// The entry that came.
    pub(crate) inserted: Option<Key>,
    /// The player's best after the change.
    pub(crate) best: Option<Key>,
}

impl BoardState {
    /// A board with these entries, in any order.
    pub(crate) fn new(id: i64, app: i64, board: Board, entries: Vec<Entry>) -> Self {
        Self {
            id,
            app,
            sorting: Sorting::of(&board),
            board: Arc::new(board),
            ranks: Arc::new(RwLock::new(Ranks::build(entries))),
            top: Arc::default(),
        }
    }

    /// The same board under another policy, with the same ranks.
    pub(crate) fn with_policy(&self, board: Board) -> Self {
        Self {
            id: self.id,
            app: self.app,
            sorting: Sorting::of(&board),
            board: Arc::new(board),
            ranks: Arc::clone(&self.ranks),
            top: Arc::clone(&self.top),
        }
    }

    /// The lowest status that ranks.
    pub(crate) fn trust(&self) -> Status {
        match self.board.policy.trust {
            Some(Trust::Plausible) => Status::Plausible,
            Some(Trust::Verified) | None => Status::Verified,
        }
    }

    /// True if a run of this status ranks here.
    pub(crate) fn ranks_status(&self, status: Status, practice: bool) -> bool {
        status >= self.trust() && !practice
    }

    /// The ranks, to read.
    pub(crate) fn ranks(&self) -> RwLockReadGuard<'_, Ranks> {
        // A panic elsewhere cannot leave the ranks half changed: `change` itself never panics.
        self.ranks.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first rows.
    pub(crate) fn top(&self) -> MutexGuard<'_, Top> {
        self.top.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a committed change visible.
    pub(crate) fn apply(&self, change: Change) {
        let mut ranks = self.ranks.write().unwrap_or_else(PoisonError::into_inner);
        let first =
            |ranks: &Ranks, key: Option<Key>| key.is_some_and(|key| ranks.before(key) < TOP_ROWS);
        let mut shows = first(&ranks, change.removed);
        ranks.change(change.player, change.removed, change.inserted, change.best);
        shows |= first(&ranks, change.inserted);
        drop(ranks);
        if shows {
            self.top().epoch += 1;
        }
    }

    /// Something other than an entry changed in a player's rows (a name, a status).
    pub(crate) fn refresh(&self, player: u64) {
        let best = self.ranks().best(player);
        let shows = best.is_some_and(|best| self.ranks().before(best.key) < TOP_ROWS);
        // Rows that are stale already may hold one of the player's that is off the page now: should
        // it come back before anybody reads (a ban ends), it must not come with what it said then.
        let stale = {
            let top = self.top();
            !top.rows.is_empty() && top.shown != Some(top.epoch)
        };
        if shows || stale {
            self.refresh_all();
        }
    }

    /// All rows must be read again.
    pub(crate) fn refresh_all(&self) {
        let mut top = self.top();
        top.epoch += 1;
        top.rows = Arc::default();
    }

    /// The place of a key that is (or would be) on the board.
    pub(crate) fn place(&self, ranks: &Ranks, key: Key) -> Place {
        let position = ranks.before(key) as u64 + 1;
        Place {
            rank: self.rank(position, || ranks.better(key.key)),
            position,
            score: self.sorting.turned(key.key),
            seq: self.sorting.seq(key),
        }
    }

    /// The number to show for a position, by the board's style.
    pub(crate) fn rank(&self, position: u64, better: impl FnOnce() -> usize) -> u64 {
        match self.board.policy.rank {
            RankStyle::Unique => position,
            // Boards with dense ranks cannot be declared yet.
            RankStyle::Competition | RankStyle::Dense => better() as u64 + 1,
        }
    }

    /// Where a player stands, and where a score would.
    pub(crate) fn standing(&self, player: Option<u64>, would: Option<i64>) -> Standing {
        let ranks = self.ranks();
        let best = player.and_then(|player| ranks.best(player));
        let would_rank = would.map(|score| {
            // A new run is the youngest of its equals.
            let key = match best {
                Some(best) if best.key.key <= self.sorting.turned(score) => best.key,
                _ => self.sorting.key(score, i64::MAX as u64),
            };
            self.place(&ranks, key).rank
        });
        Standing {
            place: best.map(|best| self.place(&ranks, best.key)),
            would_rank,
            total: ranks.len() as u64,
        }
    }
}

/// All boards, by app and name, and by number.
#[derive(Debug, Default)]
pub(crate) struct Boards {
    apps: HashMap<String, App>,
    by_id: HashMap<i64, Arc<BoardState>>,
}

#[derive(Debug, Default)]
struct App {
    id: i64,
    boards: HashMap<String, Arc<BoardState>>,
}

impl Boards {
    /// Adds an app, or does nothing if it is there.
    pub(crate) fn add_app(&mut self, name: &str, id: i64) {
        self.apps.entry(name.to_owned()).or_default().id = id;
    }

    /// Puts a board in, in place of the one with its number.
    pub(crate) fn put(&mut self, board: Arc<BoardState>) {
        let app = self.apps.entry(board.board.app.clone()).or_default();
        app.id = board.app;
        app.boards
            .insert(board.board.name.clone(), Arc::clone(&board));
        self.by_id.insert(board.id, board);
    }

    /// An app's number.
    pub(crate) fn app(&self, app: &str) -> Option<i64> {
        self.apps.get(app).map(|app| app.id)
    }

    /// A board by name.
    pub(crate) fn board(&self, app: &str, board: &str) -> Option<&Arc<BoardState>> {
        self.apps.get(app)?.boards.get(board)
    }

    /// A board by number.
    pub(crate) fn by_id(&self, id: i64) -> Option<&Arc<BoardState>> {
        self.by_id.get(&id)
    }

    /// All boards of an app, by name.
    pub(crate) fn of_app(&self, app: &str) -> Vec<Arc<Board>> {
        let boards = self
            .apps
            .get(app)
            .into_iter()
            .flat_map(|app| app.boards.values());
        let mut boards: Vec<_> = boards.map(|state| Arc::clone(&state.board)).collect();
        boards.sort_by(|a, b| a.name.cmp(&b.name));
        boards
    }

    /// Every board.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Arc<BoardState>> {
        self.by_id.values()
    }
}

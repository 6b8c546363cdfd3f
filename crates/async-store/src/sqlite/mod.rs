//! The store in one SQLite file.

mod checkpoint;
mod declare;
mod file;
mod group;
mod lists;
mod load;
mod players;
mod readers;
mod rows;
mod settle;
mod shared;
mod submit;
mod views;
mod writer;

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use async_protocol::limits::AUTO_BOARDS_MAX_COUNT;
use async_protocol::{PlayerId, RunId, Status};
use rusqlite::{OptionalExtension, params};

use crate::board::BoardState;
use crate::types::{
    Attempt, Board, Done, Figures, Judgement, NewRun, Page, PageQuery, PendingRun, ROWS_MAX,
    Removal, RunPage, RunQuery, Secrets, Standing, StoredRun, Submitted,
};
use crate::{Error, Store};
use checkpoint::Checkpointer;
use readers::Readers;
use shared::Shared;
use writer::Writer;

/// How a file is opened.
#[derive(Debug, Clone)]
pub struct Options {
    /// Where secrets come from when the file has none; None for the system's source.
    pub entropy: Option<[u8; 32]>,
    /// Connections that read at the same time.
    pub readers: usize,
    /// Page cache of each connection, in KiB.
    pub cache_kib: u32,
    /// Writes that may wait; more are refused with [`Error::Busy`].
    pub waiting_max: usize,
    /// Bytes of writes that may wait.
    pub waiting_max_bytes: usize,
    /// The largest the file may become (apart from its log); more is [`Error::Full`].
    pub file_max_bytes: u64,
    /// Boards that may be made on first use, apart from those that close; 0 for none at all.
    pub auto_boards_max: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            entropy: None,
            readers: 4,
            cache_kib: 32_768,
            waiting_max: 8_192,
            waiting_max_bytes: 256 << 20,
            file_max_bytes: u64::MAX,
            auto_boards_max: AUTO_BOARDS_MAX_COUNT as usize,
        }
    }
}

/// Runs, boards and ranks in one SQLite file and the memory of one process.
///
/// Dropping it writes everything that waits and answers it.
pub struct SqliteStore {
    // Fields drop in this order: the writer ends first, and with it its word to the checkpoints.
    writer: Writer,
    _checkpointer: Checkpointer,
    readers: Readers,
    shared: Arc<Shared>,
    // Closing any handle of the file drops all of SQLite's locks on it, so this one goes after
    // the connections.
    _file: Arc<File>,
    _lock: File,
}

impl std::fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SqliteStore")
            .field("figures", &self.figures())
            .finish()
    }
}

impl SqliteStore {
    /// Opens a file, making it if it is not there, and reads all ranks. Ready when it returns.
    ///
    /// # Errors
    /// [`Error::InUse`], [`Error::Newer`], [`Error::Damaged`] or a failure of the disk.
    pub fn open(path: &Path, options: Options) -> Result<Self, Error> {
        let path = &file::locate(path)?;
        let lock = file::lock(path)?;
        let mut conn = file::open_writer(path, options.cache_kib)?;
        file::migrate(&mut conn)?;
        file::limit(&conn, options.file_max_bytes)?;
        let keys = file::keys(&mut conn, options.entropy)?;
        let loaded = load::load(&conn, &keys)?;
        let counters = loaded.counters;
        let readers = Readers::open(path.to_owned(), options.readers, options.cache_kib)?;
        let file = Arc::new(File::open(path).map_err(Error::failed)?);
        let mover = file::open_writer(path, options.cache_kib)?;
        let shared = Arc::new(Shared::new(options, keys, loaded));
        let (checkpointer, committed) =
            Checkpointer::start(mover, Arc::clone(&file), Arc::clone(&shared))?;
        let writer = Writer::start(conn, Arc::clone(&shared), counters, committed)?;
        Ok(Self {
            writer,
            _checkpointer: checkpointer,
            readers,
            shared,
            _file: file,
            _lock: lock,
        })
    }

    fn state(&self, app: &str, board: &str) -> Result<Arc<BoardState>, Error> {
        self.shared
            .boards()
            .board(app, board)
            .cloned()
            .ok_or(Error::UnknownBoard)
    }

    fn app(&self, app: &str) -> Option<i64> {
        self.shared.boards().app(app)
    }

    fn one_run(
        &self,
        condition: &str,
        key: impl rusqlite::Params,
    ) -> Result<Option<StoredRun>, Error> {
        let (columns, tables) = (rows::RUN_COLUMNS, rows::RUN_TABLES);
        let sql = format!(
            "SELECT {columns}, (SELECT verdict FROM files WHERE files.seq = runs.seq) \
             FROM {tables} WHERE {condition}"
        );
        self.readers.read(|conn| {
            let run = conn.prepare_cached(&sql)?.query_row(key, |row| {
                let verdict: Option<String> = row.get(13)?;
                Ok(StoredRun {
                    verdict: verdict.unwrap_or_default(),
                    ..rows::stored_run(row)?
                })
            });
            Ok(run.optional()?)
        })
    }
}

impl Store for SqliteStore {
    fn submit(&self, run: NewRun, done: Done<Submitted>) {
        self.writer
            .write(run.bytes.len(), false, done, move |group| {
                group.submit(&run)
            });
    }

    fn import(&self, runs: Vec<NewRun>, done: Done<Vec<Submitted>>) {
        let bytes = runs.iter().map(|run| run.bytes.len()).sum();
        self.writer.write(bytes, true, done, move |group| {
            group.counts = false;
            let runs = runs.iter().map(|run| match group.submit(run) {
                // All or none: what was done before must be undone too.
                Err(group::Failure::Refused(error)) => Err(group::Failure::Broken(error)),
                other => other,
            });
            runs.collect()
        });
    }

    fn known(&self, app: &str, id: RunId) -> Result<Option<Submitted>, Error> {
        let Some(app) = self.app(app) else {
            return Ok(None);
        };
        let answer = self.readers.read(|conn| Ok(rows::answer(conn, app, id)?))?;
        let kept = answer.filter(|answer| answer.status != Status::Refused);
        Ok(kept.map(|answer| self.shared.complete(answer)))
    }

    fn run(&self, app: &str, id: RunId) -> Result<Option<StoredRun>, Error> {
        match self.app(app) {
            Some(app) => self.one_run("runs.id = ?1 AND runs.app = ?2", params![id.0, app]),
            None => Ok(None),
        }
    }

    fn run_bytes(&self, app: &str, id: RunId) -> Result<Option<Vec<u8>>, Error> {
        let Some(app) = self.app(app) else {
            return Ok(None);
        };
        let sql = "SELECT bytes FROM files JOIN runs USING (seq) \
                   WHERE runs.id = ?1 AND runs.app = ?2 AND runs.status > 0";
        self.readers.read(|conn| {
            let mut find = conn.prepare_cached(sql)?;
            Ok(find
                .query_row(params![id.0, app], |row| row.get(0))
                .optional()?)
        })
    }

    fn summary(&self, seq: u64) -> Result<Option<StoredRun>, Error> {
        self.one_run("runs.seq = ?1", params![seq as i64])
    }

    fn runs(&self, query: &RunQuery<'_>) -> Result<RunPage, Error> {
        self.read_runs(query)
    }

    fn board(&self, app: &str, board: &str) -> Option<Arc<Board>> {
        self.shared
            .boards()
            .board(app, board)
            .map(|state| Arc::clone(&state.board))
    }

    fn boards(&self, app: &str) -> Vec<Arc<Board>> {
        self.shared.boards().of_app(app)
    }

    fn declare_board(&self, board: Board, done: Done<Arc<Board>>) {
        self.writer
            .write(0, true, done, move |group| group.declare(board));
    }

    fn page(&self, query: &PageQuery<'_>) -> Result<Page, Error> {
        self.read_page(query)
    }

    fn page_now(&self, query: &PageQuery<'_>) -> Option<Page> {
        let board = self.state(query.app, query.board).ok()?;
        self.page_in_memory(&board, &query.at, query.rows.min(ROWS_MAX))
    }

    fn standing(
        &self,
        app: &str,
        board: &str,
        player: Option<PlayerId>,
        would: Option<i64>,
    ) -> Result<Standing, Error> {
        let player = player.map(|player| self.shared.numbers.number(player));
        Ok(self.state(app, board)?.standing(player, would))
    }

    fn pending(&self, after: u64, rows: usize) -> Result<Vec<(u64, PendingRun)>, Error> {
        self.read_pending(after, rows)
    }

    fn judge(&self, judgement: Judgement, done: Done<Submitted>) {
        self.writer
            .write(0, false, done, move |group| group.judge(&judgement));
    }

    fn issue_attempt(&self, attempt: Attempt, done: Done<u32>) {
        self.writer
            .write(0, false, done, move |group| group.attempt(&attempt));
    }

    fn rename(&self, player: PlayerId, name: String, done: Done<()>) {
        self.writer
            .write(0, false, done, move |group| group.rename(player, &name));
    }

    fn remove(&self, app: &str, removal: Removal, done: Done<()>) {
        let app = app.to_owned();
        self.writer
            .write(0, true, done, move |group| group.remove(&app, &removal));
    }

    fn secrets(&self) -> Secrets {
        self.shared.keys.server.clone()
    }

    fn figures(&self) -> Figures {
        self.shared.figures()
    }
}

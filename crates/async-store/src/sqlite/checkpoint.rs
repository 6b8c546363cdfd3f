//! Moves committed pages from the WAL into the file, so that no submit has to wait for it.

use std::fs::File;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use rusqlite::Connection;

use super::Shared;
use crate::Error;

/// Pages (4 KiB) in the WAL that are worth moving.
const STEP_PAGES: i64 = 1_024;
/// Pages in the WAL from which on writers wait a moment, so that it can start over at its front.
/// Overwriting a file costs less than extending it, so it is never cut.
const START_OVER_PAGES: i64 = 16_384;

/// So few pages are moved in no time, so that writers may wait for it.
const REST_PAGES: i64 = 128;
/// Under heavy writing the rest may never get that small.
const PASSES_MAX: usize = 4;

/// The thread.
pub(crate) struct Checkpointer {
    thread: Option<JoinHandle<()>>,
}

impl Checkpointer {
    /// Starts the thread; it ends when the sender is gone.
    pub(crate) fn start(
        conn: Connection,
        file: Arc<File>,
        shared: Arc<Shared>,
    ) -> Result<(Self, SyncSender<()>), Error> {
        let (committed, commits) = sync_channel(1);
        let state = Thread { conn, file, shared };
        let thread = std::thread::Builder::new()
            .name("gf-store-checkpoint".to_owned())
            .spawn(move || state.run(&commits))
            .map_err(Error::failed)?;
        Ok((
            Self {
                thread: Some(thread),
            },
            committed,
        ))
    }
}

impl Drop for Checkpointer {
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the checkpoints of the store had panicked");
        }
    }
}

struct Thread {
    conn: Connection,
    file: Arc<File>,
    shared: Arc<Shared>,
}

impl Thread {
    fn run(&self, commits: &Receiver<()>) {
        let mut moved = 0;
        while commits.recv().is_ok() {
            // NOOP only looks: how many pages does the WAL hold now?
            let Some(wal) = self.checkpoint("PRAGMA wal_checkpoint(NOOP)") else {
                continue;
            };
            // It may have started over since.
            moved = moved.min(wal.moved);
            if wal.pages - moved < STEP_PAGES {
                continue;
            }
            // Beside the writer: moves what was committed so far.
            moved = self.pass().unwrap_or(moved);
            if moved >= START_OVER_PAGES {
                self.start_over();
                moved = 0;
            }
        }
    }

    /// Empties the WAL. Nobody can add to it while the gate is closed, so as much as possible is
    /// moved before: each pass leaves what came in during it, which is less each time.
    fn start_over(&self) {
        for _ in 0..PASSES_MAX {
            let before = self.pass();
            let now = self
                .checkpoint("PRAGMA wal_checkpoint(NOOP)")
                .map(|wal| wal.pages);
            if let (Some(before), Some(now)) = (before, now)
                && now - before <= REST_PAGES
            {
                break;
            }
        }
        let _gate = self.shared.gate();
        self.move_pages();
    }

    /// Moves what is committed; answers how many pages of the WAL are moved now.
    fn pass(&self) -> Option<i64> {
        let moved = self.move_pages()?;
        // SQLite syncs the file only when it reached the end of the WAL, which it never does
        // beside a busy writer. Left to the last pass, that sync would keep the gate closed long.
        if let Err(error) = self.file.sync_data() {
            tracing::warn!(%error, "the file could not be synced");
        }
        Some(moved)
    }

    fn move_pages(&self) -> Option<i64> {
        self.checkpoint("PRAGMA wal_checkpoint(PASSIVE)")
            .map(|wal| wal.moved)
    }

    fn checkpoint(&self, pragma: &str) -> Option<Wal> {
        // A reader may hold an old page; then the next round moves it.
        let read = self.conn.query_row(pragma, [], |row| {
            Ok(Wal {
                pages: row.get(1)?,
                moved: row.get(2)?,
            })
        });
        read.inspect_err(|error| tracing::warn!(%error, pragma, "a checkpoint failed"))
            .ok()
    }
}

/// How far the WAL is moved.
#[derive(Clone, Copy)]
struct Wal {
    pages: i64,
    moved: i64,
}

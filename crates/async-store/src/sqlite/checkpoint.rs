//! Moves committed pages from the WAL into the file, so that no submit has to wait for it.

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
const START_OVER_PAGES: i64 = 8_192;

/// The thread.
pub(crate) struct Checkpointer {
    thread: Option<JoinHandle<()>>,
}

impl Checkpointer {
    /// Starts the thread; it ends when the sender is gone.
    pub(crate) fn start(
        conn: Connection,
        shared: Arc<Shared>,
    ) -> Result<(Self, SyncSender<()>), Error> {
        let (committed, commits) = sync_channel(1);
        let state = Thread { conn, shared };
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
    shared: Arc<Shared>,
}

impl Thread {
    fn run(&self, commits: &Receiver<()>) {
        let mut moved = 0;
        while commits.recv().is_ok() {
            // NOOP only looks: how many pages does the WAL hold now?
            let Some(pages) = self.checkpoint("PRAGMA wal_checkpoint(NOOP)") else {
                continue;
            };
            if pages < moved {
                moved = 0;
            }
            if pages - moved < STEP_PAGES {
                continue;
            }
            // Beside the writer: moves what was committed so far.
            moved = self
                .checkpoint("PRAGMA wal_checkpoint(PASSIVE)")
                .unwrap_or(moved);
            if moved >= START_OVER_PAGES {
                // What came in meanwhile is little. Nobody can add to it while the gate is closed.
                let _gate = self.shared.gate();
                moved = self
                    .checkpoint("PRAGMA wal_checkpoint(PASSIVE)")
                    .unwrap_or(moved);
            }
        }
    }

    /// Answers how many pages the WAL holds.
    fn checkpoint(&self, pragma: &str) -> Option<i64> {
        // A reader may hold an old page; then the next round moves it.
        match self.conn.query_row(pragma, [], |row| row.get(1)) {
            Ok(pages) => Some(pages),
            Err(error) => {
                tracing::warn!(%error, pragma, "a checkpoint failed");
                None
            }
        }
    }
}

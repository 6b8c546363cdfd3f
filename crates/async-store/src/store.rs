//! The trait every store implements.

use std::sync::Arc;

use async_protocol::{PlayerId, RunId};

use crate::Error;
use crate::types::{
    Attempt, Board, Done, Figures, Judgement, NewRun, Page, PageQuery, PendingRun, Removal,
    RunPage, RunQuery, Secrets, Standing, StoredRun, Submitted,
};

/// Runs, boards and exact ranks.
///
/// Writes are durable when `done` is called, and seen by every read made after that. Their order
/// is total: better score, then earlier `seq` (or later, where the board says so). Reads block on
/// the disk at most briefly; those marked "memory only" never do.
pub trait Store: Send + Sync {
    /// Takes a run in. `done` is called with [`Error::UnknownBoard`], [`Error::WrongRuleset`],
    /// [`Error::DuplicateRun`], [`Error::TicketUsed`], [`Error::Erased`], [`Error::Banned`] or a
    /// failure of the disk; then nothing was stored.
    fn submit(&self, run: NewRun, done: Done<Submitted>);

    /// Takes many runs in as one transaction, for imports and benches: all or none.
    fn import(&self, runs: Vec<NewRun>, done: Done<Vec<Submitted>>);

    /// The first answer to this very run, so that a repeated one need not be verified again.
    /// None for a run that is unknown or was refused.
    ///
    /// # Errors
    /// A failure of the disk.
    fn known(&self, app: &str, id: RunId) -> Result<Option<Submitted>, Error>;

    /// A run without its bytes. Refused pending runs are found too.
    ///
    /// # Errors
    /// A failure of the disk.
    fn run(&self, app: &str, id: RunId) -> Result<Option<StoredRun>, Error>;

    /// The bytes of a run.
    ///
    /// # Errors
    /// A failure of the disk.
    fn run_bytes(&self, app: &str, id: RunId) -> Result<Option<Vec<u8>>, Error>;

    /// A run by its number.
    ///
    /// # Errors
    /// A failure of the disk.
    fn summary(&self, seq: u64) -> Result<Option<StoredRun>, Error>;

    /// Runs of a player or a board, newest first, hidden ones left out.
    ///
    /// # Errors
    /// A failure of the disk; an unknown board has no runs.
    fn runs(&self, query: &RunQuery<'_>) -> Result<RunPage, Error>;

    /// A board's policy. Memory only.
    fn board(&self, app: &str, board: &str) -> Option<Arc<Board>>;

    /// All boards of an app, by name. Memory only.
    fn boards(&self, app: &str) -> Vec<Arc<Board>>;

    /// Makes a board or changes its policy. The answer is the board as it stands: declaring on
    /// first use (`declared: false`) never changes one that exists.
    fn declare_board(&self, board: Board, done: Done<Arc<Board>>);

    /// Rows of a board.
    ///
    /// # Errors
    /// [`Error::UnknownBoard`] or a failure of the disk.
    fn page(&self, query: &PageQuery<'_>) -> Result<Page, Error>;

    /// The page, if it can be had without touching the disk.
    fn page_now(&self, query: &PageQuery<'_>) -> Option<Page>;

    /// Where a player stands, and the rank `would` a score have. Memory only.
    ///
    /// # Errors
    /// [`Error::UnknownBoard`].
    fn standing(
        &self,
        app: &str,
        board: &str,
        player: Option<PlayerId>,
        would: Option<i64>,
    ) -> Result<Standing, Error>;

    /// Runs that were acknowledged as pending and wait for a verdict, oldest first: what a server
    /// queues again at start. `after` is the `accepted` order's last seen id's number, 0 at first.
    ///
    /// # Errors
    /// A failure of the disk.
    fn pending(&self, after: u64, rows: usize) -> Result<Vec<(u64, PendingRun)>, Error>;

    /// Gives a stored run a new verdict; ranks follow, its `seq` and time stay.
    fn judge(&self, judgement: Judgement, done: Done<Submitted>);

    /// Writes the next attempt of a player on a board into the ledger and answers its number,
    /// from 1. [`Error::NoAttempts`] when all are used.
    fn issue_attempt(&self, attempt: Attempt, done: Done<u32>);

    /// Gives a player another name, on old rows too; names in later runs no longer count.
    fn rename(&self, player: PlayerId, name: String, done: Done<()>);

    /// Hides, shows, deletes. Ranks follow on every board in one step; ties keep their order.
    fn remove(&self, app: &str, removal: Removal, done: Done<()>);

    /// The secrets in the file.
    fn secrets(&self) -> Secrets;

    /// What the store holds.
    fn figures(&self) -> Figures;
}

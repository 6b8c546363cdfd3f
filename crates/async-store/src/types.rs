//! What goes into a store and what comes out of it.

use std::sync::Arc;

use async_protocol::wire::Stored;
use async_protocol::{BoardPolicy, PlayerId, RulesetId, RunId, Status, limits};

use crate::Error;
use crate::rank::Key;

/// Called once with the outcome of a durable write, on the writer's thread (or the caller's, when
/// there is no room to wait): be brief.
pub type Done<T> = Box<dyn FnOnce(Result<T, Error>) + Send>;

/// A judged (or pending) run on its way into the store.
#[derive(Debug, Clone)]
pub struct NewRun {
    /// The app the run was sent to.
    pub app: String,
    /// The board's name within the app; the board must have been declared.
    pub board: String,
    /// The ruleset the run follows; checked against the board's.
    pub ruleset: RulesetId,
    /// The id computed from the bytes, never one that was claimed.
    pub id: RunId,
    /// The run's owner.
    pub player: PlayerId,
    /// The owner's cleaned name; shown until the player is renamed.
    pub player_name: String,
    /// The developer's build string of the run.
    pub build: String,
    /// The score the verdict trusts, not the claimed one.
    pub score: i64,
    /// Frames in the run.
    pub frames: u32,
    /// What the verification said; anything below the board's trust is kept but not ranked.
    pub status: Status,
    /// Kept without a rank, whatever its status.
    pub practice: bool,
    /// The verdict as JSON, kept and given back as it is.
    pub verdict: String,
    /// Hash of board, ruleset, seed and inputs, without the player.
    pub input_hash: [u8; 32],
    /// How often the inputs change; from
    /// [`async_protocol::limits::DUPLICATE_MIN_INPUT_CHANGES`] on, copies are refused.
    pub input_changes: u32,
    /// When the run arrived, in milliseconds since 1970 by the server's clock.
    pub received_ms: u64,
    /// The ticket the run was played with, spent in the same transaction.
    pub ticket_use: Option<TicketUse>,
    /// The whole file.
    pub bytes: Vec<u8>,
}

/// A ticket to be marked as used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TicketUse {
    /// The ticket's nonce.
    pub nonce: [u8; 16],
    /// When the ticket expires; its nonce is remembered for [`TICKET_KEEP_MS`] longer.
    pub expires_ms: u64,
}

/// How long after its expiry a used ticket is still remembered: 90 days.
/// A server must refuse tickets that expired longer ago.
pub const TICKET_KEEP_MS: u64 = 90 * 86_400_000;

/// The durable answer to a submit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submitted {
    /// The run's id.
    pub id: RunId,
    /// The run's own score.
    pub score: i64,
    /// The run's status as stored.
    pub status: Status,
    /// Where the player stands with the best run, at the moment this run was accepted.
    pub standing: Standing,
    /// What became of this run.
    pub stored: Stored,
    /// True when the very same run was there before: everything else is the first answer.
    pub duplicate: bool,
    /// max(received, last accepted), in milliseconds since 1970.
    pub accepted_at_ms: u64,
    /// The run's immutable number, the tie-breaker of equal scores.
    pub seq: u64,
    /// The verdict, as it was given.
    pub verdict: String,
}

/// Where a player stands on a board.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Standing {
    /// The player's place, unless the player has no ranked run.
    pub place: Option<Place>,
    /// The rank the asked-for score would have (counting the player's own entry).
    pub would_rank: Option<u64>,
    /// Ranked entries on the board.
    pub total: u64,
}

/// A ranked entry's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Strictly better entries + 1 (or the position, where the board ranks uniquely).
    pub rank: u64,
    /// The unique place, from 1.
    pub position: u64,
    /// The entry's score.
    pub score: i64,
    /// The number of the entry's run; see [`crate::Store::summary`].
    pub seq: u64,
}

/// A board and its policy.
#[derive(Debug, Clone, PartialEq)]
pub struct Board {
    /// The app it belongs to.
    pub app: String,
    /// Its name within the app.
    pub name: String,
    /// The ruleset it binds; None until the first declaration that names one.
    pub ruleset: Option<RulesetId>,
    /// How it orders, keeps and trusts runs. An absent `trust` counts as verified: whoever
    /// declares the board knows the game and fills it in.
    pub policy: BoardPolicy,
    /// When it opens, for dailies and seasons; milliseconds since 1970.
    pub opens_ms: Option<u64>,
    /// When it closes; milliseconds since 1970.
    pub closes_ms: Option<u64>,
    /// True when an operator declared it; false when it was made on first use.
    pub declared: bool,
}

impl Board {
    /// Whether it counts against the number of boards that may be made on first use: nobody
    /// declared it, and it does not close by itself.
    #[must_use]
    pub fn takes_room(&self) -> bool {
        !self.declared && self.closes_ms.is_none()
    }
}

/// One visible row of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// See [`Place::rank`].
    pub rank: u64,
    /// See [`Place::position`].
    pub position: u64,
    /// The run's owner.
    pub player: PlayerId,
    /// The owner's present name, also on rows older than the name.
    pub name: Arc<str>,
    /// The score.
    pub score: i64,
    /// The run.
    pub run: RunId,
    /// The run's status.
    pub status: Status,
    /// When it was accepted, in milliseconds since 1970.
    pub accepted_at_ms: u64,
    /// The run's number.
    pub seq: u64,
}

/// Which rows of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageAt {
    /// From the first place.
    Top,
    /// Forward or backward from a cursor of an earlier page.
    Cursor(Cursor),
    /// Centred on a player, filled at both ends; the top where the player does not rank.
    Around(PlayerId),
}

/// A question for rows of a board.
#[derive(Debug, Clone)]
pub struct PageQuery<'a> {
    /// The app.
    pub app: &'a str,
    /// The board.
    pub board: &'a str,
    /// Rows wanted, at most [`ROWS_MAX`]; 0 asks for the total only.
    pub rows: usize,
    /// Where.
    pub at: PageAt,
}

/// The most rows one page has; more are clamped to it.
pub const ROWS_MAX: usize = limits::BOARD_ROWS_CEILING_ROWS as usize;

/// Rows of a board, in order.
#[derive(Debug, Clone)]
pub struct Page {
    /// The board they are on.
    pub board: Arc<Board>,
    /// Ranked entries on the board.
    pub total: u64,
    /// The rows.
    pub rows: Arc<[Row]>,
    /// Where to go on after the last row; None when nothing follows now.
    pub next: Option<Cursor>,
    /// Where to go back from the first row; None when nothing precedes it now.
    pub prev: Option<Cursor>,
    /// For a top page: equal numbers mean equal rows, so that a rendered answer can be kept.
    /// 0 for all other pages.
    pub version: u64,
}

/// A gap between entries that stays where it is while scores arrive. Its text is opaque.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    /// The direction it walks in.
    pub(crate) forward: bool,
    /// The gap lies just before the first entry that is not smaller than this.
    pub(crate) gap: Key,
}

/// A run as the store keeps it, without its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRun {
    /// The run's number.
    pub seq: u64,
    /// The app.
    pub app: String,
    /// The board.
    pub board: String,
    /// The id.
    pub id: RunId,
    /// The owner.
    pub player: PlayerId,
    /// The owner's present name.
    pub player_name: Arc<str>,
    /// The build string.
    pub build: String,
    /// The score.
    pub score: i64,
    /// Frames.
    pub frames: u32,
    /// The status now.
    pub status: Status,
    /// The verdict as JSON.
    pub verdict: String,
    /// When it was accepted, in milliseconds since 1970.
    pub accepted_at_ms: u64,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Hidden by an operator.
    pub hidden: bool,
}

/// Which runs to list: newest first, of a player, of a board, or of a player on a board.
#[derive(Debug, Clone, Default)]
pub struct RunQuery<'a> {
    /// The app.
    pub app: &'a str,
    /// Only this board.
    pub board: Option<&'a str>,
    /// Only this player.
    pub player: Option<PlayerId>,
    /// Rows wanted, at most [`ROWS_MAX`].
    pub rows: usize,
    /// Only runs with a smaller number than this: [`RunPage::next`] of the page before.
    pub before: Option<u64>,
}

/// A page of a run list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunPage {
    /// The runs, newest first.
    pub runs: Vec<StoredRun>,
    /// Pass as [`RunQuery::before`] for the next page; None at the end.
    pub next: Option<u64>,
}

/// A durable run that still waits for its verification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingRun {
    /// The app.
    pub app: String,
    /// The board.
    pub board: String,
    /// The id.
    pub id: RunId,
    /// When it was accepted, in milliseconds since 1970.
    pub accepted_at_ms: u64,
    /// The whole file.
    pub bytes: Vec<u8>,
}

/// A new verdict for a stored run: of a pending one, after a re-verification, or an operator's.
#[derive(Debug, Clone)]
pub struct Judgement {
    /// The app.
    pub app: String,
    /// The run.
    pub id: RunId,
    /// Its status from now on; `Refused` frees the id, so that a good run can be sent.
    pub status: Status,
    /// The score the verdict trusts.
    pub score: i64,
    /// Frames.
    pub frames: u32,
    /// The verdict as JSON.
    pub verdict: String,
}

/// A ticket is about to be issued on a board that counts attempts.
#[derive(Debug, Clone)]
pub struct Attempt {
    /// The app.
    pub app: String,
    /// The board.
    pub board: String,
    /// The player.
    pub player: PlayerId,
    /// Attempts allowed; 0 for unlimited (they are still numbered).
    pub attempts_max: u32,
    /// Now, in milliseconds since 1970.
    pub issued_ms: u64,
}

/// What an operator may hide or remove.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Removal {
    /// Hides every run of the player and refuses new ones; exactly undone by `Unban`.
    Ban(PlayerId),
    /// Shows the player's runs again where they were.
    Unban(PlayerId),
    /// Hides one run; the player's next best takes its place.
    Hide(RunId),
    /// Shows it again where it was.
    Show(RunId),
    /// Deletes one run for ever; it cannot be sent again.
    Delete(RunId),
    /// Deletes all of a player's runs and the name; none can be sent again.
    Erase(PlayerId),
}

/// The server's own secrets, made on first open and kept in the file.
#[derive(Clone, PartialEq, Eq)]
pub struct Secrets {
    /// Seed of the signing key of tickets and receipts.
    pub server_key_seed: [u8; 32],
    /// Draws the seeds of dailies and attempts.
    pub daily_secret: [u8; 32],
    /// Authenticates call nonces.
    pub nonce_secret: [u8; 32],
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secrets(..)")
    }
}

/// What a store holds and how it fares, for health pages and benches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Figures {
    /// Boards in memory.
    pub boards: u64,
    /// Ranked entries on all boards.
    pub entries: u64,
    /// Bytes of memory the ranks take, player maps included.
    pub rank_bytes: u64,
    /// Write transactions since open.
    pub groups: u64,
    /// Writes in them.
    pub writes: u64,
}

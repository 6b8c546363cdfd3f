//! Taking a run in: everything is decided within the transaction.

use std::sync::Arc;

use async_protocol::limits::DUPLICATE_MIN_INPUT_CHANGES;
use async_protocol::wire::Stored;
use async_protocol::{Keep, RunId, Status};
use rusqlite::{OptionalExtension, params};

use super::group::{Effect, Failure, Group};
use super::rows::{self, inputs_half};
use crate::Error;
use crate::board::{BoardState, Change};
use crate::rank::Key;
use crate::types::{NewRun, Standing, Submitted, TICKET_KEEP_MS, TicketUse};

const DAY_MS: u64 = 86_400_000;
/// Largest file of a run; far above what any server accepts.
const BYTES_MAX: usize = 64 << 20;
/// Longest verdict.
const VERDICT_MAX_BYTES: usize = 64 << 10;
/// Longest name of an app, board, player or build.
pub(crate) const TEXT_MAX_BYTES: usize = 512;

/// A run that passed every check, with what the checks found.
struct Checked {
    board: Arc<BoardState>,
    inputs: Option<[u8; 16]>,
    /// An earlier run of this id that was refused and makes room.
    refused: Option<u64>,
}

impl Group<'_> {
    /// Takes a run in, or answers again what the same run was answered first.
    pub(crate) fn submit(&mut self, run: &NewRun) -> Result<Submitted, Failure> {
        check_sizes(run)?;
        let app = self
            .shared
            .boards()
            .app(&run.app)
            .ok_or(Error::UnknownBoard)?;
        let before = rows::answer(self.conn, app, run.id)?;
        let refused = match before {
            Some(first) if first.status != Status::Refused => {
                return Ok(self.shared.complete(first));
            }
            Some(refused) => Some(refused.seq),
            None => None,
        };
        let checked = self.check(run, refused)?;
        self.store(run, &checked)
    }

    /// All reasons to refuse, before anything changes.
    fn check(&self, run: &NewRun, refused: Option<u64>) -> Result<Checked, Failure> {
        let board = self.shared.boards().board(&run.app, &run.board).cloned();
        let board = board.ok_or(Error::UnknownBoard)?;
        if board
            .board
            .ruleset
            .is_some_and(|ruleset| ruleset != run.ruleset)
        {
            return Err(Error::WrongRuleset.into());
        }
        let number = self.shared.numbers.number(run.player);
        if self.shared.banned(board.app, number) {
            return Err(Error::Banned.into());
        }
        let telling = run.input_changes >= DUPLICATE_MIN_INPUT_CHANGES;
        let inputs = telling.then(|| inputs_half(&run.input_hash));
        if self.shared.has_tombstones() {
            let marks = [
                Some(self.shared.run_mark(board.app, run.id)),
                inputs.map(|inputs| self.shared.inputs_mark(board.app, &inputs)),
            ];
            for mark in marks.into_iter().flatten() {
                let sql = "SELECT 1 FROM tombstones WHERE mark = ?1";
                if self.conn.prepare_cached(sql)?.exists([mark])? {
                    return Err(Error::Erased.into());
                }
            }
        }
        if let Some(other) = self.same_inputs(board.app, number, inputs)? {
            return Err(Error::DuplicateRun(other).into());
        }
        if let Some(ticket) = &run.ticket_use {
            let sql = "SELECT 1 FROM tickets WHERE day = ?1 AND nonce = ?2";
            let key = params![keep_day(ticket), ticket.nonce];
            if self.conn.prepare_cached(sql)?.exists(key)? {
                return Err(Error::TicketUsed.into());
            }
        }
        Ok(Checked {
            board,
            inputs,
            refused,
        })
    }

    /// Another player's run of the same inputs.
    fn same_inputs(
        &self,
        app: i64,
        player: u64,
        inputs: Option<[u8; 16]>,
    ) -> rusqlite::Result<Option<RunId>> {
        let Some(inputs) = inputs else {
            return Ok(None);
        };
        let sql = "SELECT id FROM runs WHERE inputs = ?1 AND app = ?2 AND player <> ?3 \
                   AND status > 0 ORDER BY seq LIMIT 1";
        let key = params![inputs, app, player as i64];
        self.conn
            .prepare_cached(sql)?
            .query_row(key, |row| row.get(0).map(RunId))
            .optional()
    }

    fn store(&mut self, run: &NewRun, checked: &Checked) -> Result<Submitted, Failure> {
        let board = &checked.board;
        if let Some(seq) = checked.refused {
            rows::delete(self.conn, seq)?;
        }
        let numbers = &self.shared.numbers;
        let (player, renamed) = numbers.intern(self.conn, run.player, &run.player_name)?;
        if renamed {
            self.effects.push(Effect::Name(player));
        }
        let (seq, accepted_ms) = self.accept(run.received_ms);
        let stored = self.rank(board, player, run, seq)?;
        let standing = self.standing(board, player);
        self.insert(run, checked, [seq, accepted_ms, player], stored, &standing)?;
        if let Some(ticket) = &run.ticket_use {
            let sql = "INSERT INTO tickets (day, nonce, seq) VALUES (?1, ?2, ?3)";
            let values = params![keep_day(ticket), ticket.nonce, seq as i64];
            self.conn.prepare_cached(sql)?.execute(values)?;
            // Few or none: one day's tickets go at a time. By the clock of this run: the time of
            // acceptance never runs backwards, so one wrong clock would free all tickets for good.
            let sql = "DELETE FROM tickets WHERE day < ?1";
            self.conn
                .prepare_cached(sql)?
                .execute([(run.received_ms / DAY_MS) as i64])?;
        }
        Ok(Submitted {
            id: run.id,
            score: run.score,
            status: run.status,
            standing,
            stored,
            duplicate: false,
            accepted_at_ms: accepted_ms,
            seq,
            verdict: run.verdict.clone(),
        })
    }

    /// Puts the run on its board, if it belongs there.
    fn rank(
        &mut self,
        board: &Arc<BoardState>,
        player: u64,
        run: &NewRun,
        seq: u64,
    ) -> rusqlite::Result<Stored> {
        if !board.ranks_status(run.status, run.practice) {
            let pending = run.status == Status::Pending;
            return Ok(if pending {
                Stored::Pending
            } else {
                Stored::Unranked
            });
        }
        let key = board.sorting.key(run.score, seq);
        let best = self.best(board, player);
        let keeps_all = board.board.policy.keep == Keep::All;
        // Where all runs have a row, the best is the player's first row, ties included.
        let improves = best.is_none_or(|best| {
            if keeps_all {
                key < best
            } else {
                key.key < best.key
            }
        });
        if !improves && !keeps_all {
            return Ok(Stored::NotBetter);
        }
        let removed = best.filter(|_| !keeps_all);
        self.write_entry(board, player, removed, (seq, run.score))?;
        let best = if improves { Some(key) } else { best };
        self.change(
            board,
            Change {
                player,
                removed,
                inserted: Some(key),
                best,
            },
        );
        Ok(Stored::Better)
    }

    fn write_entry(
        &self,
        board: &BoardState,
        player: u64,
        removed: Option<Key>,
        (seq, score): (u64, i64),
    ) -> rusqlite::Result<()> {
        let player = player as i64;
        let sql = match removed {
            Some(_) => {
                "UPDATE entries SET seq = ?3, score = ?4 \
                 WHERE board = ?1 AND player = ?2 AND seq = ?5"
            }
            None => "INSERT INTO entries (board, player, seq, score) VALUES (?1, ?2, ?3, ?4)",
        };
        let mut write = self.conn.prepare_cached(sql)?;
        match removed {
            Some(old) => {
                let old = board.sorting.seq(old) as i64;
                write.execute(params![board.id, player, seq as i64, score, old])?
            }
            None => write.execute(params![board.id, player, seq as i64, score])?,
        };
        Ok(())
    }

    fn insert(
        &self,
        run: &NewRun,
        checked: &Checked,
        [seq, accepted_ms, player]: [u64; 3],
        stored: Stored,
        standing: &Standing,
    ) -> rusqlite::Result<()> {
        let place = standing.place.as_ref();
        let sql = "INSERT INTO runs (seq, app, board, player, id, score, frames, status, \
                   practice, accepted_ms, size, build, inputs, stored, rank, position, best, \
                   best_seq) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, \
                   ?14, ?15, ?16, ?17, ?18)";
        self.conn.prepare_cached(sql)?.execute(params![
            seq as i64,
            checked.board.app,
            checked.board.id,
            player as i64,
            run.id.0,
            run.score,
            run.frames,
            rows::status_number(run.status),
            run.practice,
            accepted_ms as i64,
            run.bytes.len() as i64,
            run.build,
            checked.inputs,
            rows::stored_number(stored),
            place.map(|place| place.rank as i64),
            place.map(|place| place.position as i64),
            place.map(|place| place.score),
            place.map(|place| place.seq as i64),
        ])?;
        let sql = "INSERT INTO files (seq, verdict, bytes) VALUES (?1, ?2, ?3)";
        let mut add = self.conn.prepare_cached(sql)?;
        add.execute(params![seq as i64, run.verdict, run.bytes])?;
        Ok(())
    }
}

/// The day after which a used ticket may be forgotten.
fn keep_day(ticket: &TicketUse) -> i64 {
    (ticket.expires_ms.saturating_add(TICKET_KEEP_MS) / DAY_MS + 1) as i64
}

fn check_sizes(run: &NewRun) -> Result<(), Error> {
    if run.status == Status::Refused {
        return Err(Error::failed("a refused run is not kept"));
    }
    let texts = [
        (run.bytes.len(), BYTES_MAX, "the file"),
        (run.verdict.len(), VERDICT_MAX_BYTES, "the verdict"),
        (run.player_name.len(), TEXT_MAX_BYTES, "the player's name"),
        (run.build.len(), TEXT_MAX_BYTES, "the build"),
    ];
    match texts.into_iter().find(|(len, max, _)| len > max) {
        Some((_, _, what)) => Err(Error::TooLarge(what)),
        None => Ok(()),
    }
}

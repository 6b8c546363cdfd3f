//! Changes of runs that are there already: verdicts, bans, removals. Ranks follow.

use std::collections::BTreeSet;
use std::sync::Arc;

use async_protocol::wire::Stored;
use async_protocol::{Keep, Order, PlayerId, RunId, Status};
use rusqlite::{OptionalExtension, params};

use super::group::{Effect, Failure, Group};
use super::rows;
use crate::Error;
use crate::board::{BoardState, Change};
use crate::types::{Judgement, Removal, Submitted};

impl Group<'_> {
    /// Gives a run another verdict. The first answer is from now on this one.
    pub(crate) fn judge(&mut self, judgement: &Judgement) -> Result<Submitted, Failure> {
        let app = self
            .shared
            .boards()
            .app(&judgement.app)
            .ok_or(Error::UnknownRun)?;
        let found = rows::answer(self.conn, app, judgement.id)?.ok_or(Error::UnknownRun)?;
        let board = self.shared.boards().by_id(found.board).cloned();
        let board = board.ok_or(Error::UnknownBoard)?;
        let seq = found.seq as i64;
        let sql = "UPDATE runs SET status = ?2, score = ?3, frames = ?4 WHERE seq = ?1";
        let status = rows::status_number(judgement.status);
        let values = params![seq, status, judgement.score, judgement.frames];
        self.conn.prepare_cached(sql)?.execute(values)?;
        let sql = "UPDATE files SET verdict = ?2, bytes = CASE WHEN ?3 THEN x'' ELSE bytes END \
                   WHERE seq = ?1";
        let refused = judgement.status == Status::Refused;
        self.conn
            .prepare_cached(sql)?
            .execute(params![seq, judgement.verdict, refused])?;
        self.settle(&board, found.player)?;
        self.effects
            .push(Effect::Row(Arc::clone(&board), found.player));
        let standing = self.standing(&board, found.player);
        let stored = self.stored(&board, found.seq, judgement.status)?;
        let place = standing.place.as_ref();
        let sql = "UPDATE runs SET stored = ?2, rank = ?3, position = ?4, best = ?5, \
                   best_seq = ?6 WHERE seq = ?1";
        self.conn.prepare_cached(sql)?.execute(params![
            seq,
            rows::stored_number(stored),
            place.map(|place| place.rank as i64),
            place.map(|place| place.position as i64),
            place.map(|place| place.score),
            place.map(|place| place.seq as i64),
        ])?;
        Ok(Submitted {
            score: judgement.score,
            status: judgement.status,
            standing,
            stored,
            duplicate: false,
            verdict: judgement.verdict.clone(),
            ..found.submitted
        })
    }

    fn stored(&self, board: &BoardState, seq: u64, status: Status) -> Result<Stored, Failure> {
        let sql = "SELECT 1 FROM entries JOIN runs USING (board, player, seq) \
                   WHERE runs.seq = ?1";
        let entered = self.conn.prepare_cached(sql)?.exists([seq as i64])?;
        Ok(match status {
            _ if entered => Stored::Better,
            Status::Refused => Stored::Refused,
            Status::Pending => Stored::Pending,
            status if status >= board.trust() && !self.practice(seq)? => Stored::NotBetter,
            _ => Stored::Unranked,
        })
    }

    fn practice(&self, seq: u64) -> rusqlite::Result<bool> {
        let sql = "SELECT practice FROM runs WHERE seq = ?1";
        self.conn
            .prepare_cached(sql)?
            .query_row([seq as i64], |row| row.get(0))
    }

    /// Makes a player's entries on a board what the runs say they should be.
    fn settle(&mut self, board: &Arc<BoardState>, player: u64) -> rusqlite::Result<()> {
        let is = self.entries(board, player)?;
        let shall_be = self.deserved(board, player)?;
        let sorting = board.sorting;
        let best = shall_be
            .iter()
            .map(|(seq, score)| sorting.key(*score, *seq))
            .min();
        // First what comes, so that the best one is there when it is marked.
        for (seq, score) in shall_be.iter().filter(|entry| !is.contains(entry)) {
            let sql = "INSERT OR REPLACE INTO entries (board, player, seq, score) \
                       VALUES (?1, ?2, ?3, ?4)";
            let values = params![board.id, player as i64, *seq as i64, score];
            self.conn.prepare_cached(sql)?.execute(values)?;
            let inserted = Some(sorting.key(*score, *seq));
            self.change(
                board,
                Change {
                    player,
                    removed: None,
                    inserted,
                    best,
                },
            );
        }
        for (seq, score) in is.iter().filter(|entry| !shall_be.contains(entry)) {
            // A run whose score changed keeps its number: its row was replaced above.
            if shall_be
                .range((*seq, i64::MIN)..=(*seq, i64::MAX))
                .next()
                .is_none()
            {
                let sql = "DELETE FROM entries WHERE board = ?1 AND player = ?2 AND seq = ?3";
                let key = params![board.id, player as i64, *seq as i64];
                self.conn.prepare_cached(sql)?.execute(key)?;
            }
            let removed = Some(sorting.key(*score, *seq));
            self.change(
                board,
                Change {
                    player,
                    removed,
                    inserted: None,
                    best,
                },
            );
        }
        Ok(())
    }

    fn entries(&self, board: &BoardState, player: u64) -> rusqlite::Result<BTreeSet<(u64, i64)>> {
        let sql = "SELECT seq, score FROM entries WHERE board = ?1 AND player = ?2";
        let mut find = self.conn.prepare_cached(sql)?;
        let key = params![board.id, player as i64];
        find.query_map(key, |row| Ok((row.get::<_, i64>(0)? as u64, row.get(1)?)))?
            .collect()
    }

    fn deserved(&self, board: &BoardState, player: u64) -> rusqlite::Result<BTreeSet<(u64, i64)>> {
        let order = match board.board.policy.order {
            Order::Descending => "DESC",
            Order::Ascending => "ASC",
        };
        let rows = match board.board.policy.keep {
            Keep::Best => 1,
            Keep::All => -1,
        };
        // Of equal scores the first one counts under either tie rule: an equal is no improvement.
        let sql = format!(
            "SELECT seq, score FROM runs WHERE player = ?1 AND board = ?2 AND status >= ?3 \
             AND practice = 0 AND hidden = 0 \
             AND NOT EXISTS (SELECT 1 FROM bans WHERE app = ?4 AND bans.player = ?1) \
             ORDER BY score {order}, seq LIMIT ?5"
        );
        let mut find = self.conn.prepare_cached(&sql)?;
        let trust = rows::status_number(board.trust());
        let key = params![player as i64, board.id, trust, board.app, rows];
        find.query_map(key, |row| Ok((row.get::<_, i64>(0)? as u64, row.get(1)?)))?
            .collect()
    }

    /// Hides, shows or deletes.
    pub(crate) fn remove(&mut self, app: &str, removal: &Removal) -> Result<(), Failure> {
        let app = self.shared.boards().app(app).ok_or(Error::UnknownRun)?;
        match removal {
            Removal::Ban(player) => self.ban(app, *player, true)?,
            Removal::Unban(player) => self.ban(app, *player, false)?,
            Removal::Hide(run) => self.hide(app, *run, true)?,
            Removal::Show(run) => self.hide(app, *run, false)?,
            Removal::Delete(run) => {
                let found = rows::answer(self.conn, app, *run)?.ok_or(Error::UnknownRun)?;
                self.delete_runs(app, found.player, Some(found.seq))?;
            }
            Removal::Erase(player) => self.erase(app, *player)?,
        }
        Ok(())
    }

    fn ban(&mut self, app: i64, player: PlayerId, banned: bool) -> rusqlite::Result<()> {
        let number = self.shared.numbers.number(player);
        let sql = if banned {
            "INSERT OR IGNORE INTO bans (app, player) VALUES (?1, ?2)"
        } else {
            "DELETE FROM bans WHERE app = ?1 AND player = ?2"
        };
        self.conn
            .prepare_cached(sql)?
            .execute(params![app, number as i64])?;
        self.effects.push(Effect::Ban(app, number, banned));
        self.settle_all(app, number)
    }

    fn hide(&mut self, app: i64, run: RunId, hidden: bool) -> Result<(), Failure> {
        let found = rows::answer(self.conn, app, run)?.ok_or(Error::UnknownRun)?;
        let sql = "UPDATE runs SET hidden = ?2 WHERE seq = ?1";
        self.conn
            .prepare_cached(sql)?
            .execute(params![found.seq as i64, hidden])?;
        self.settle_all(app, found.player)?;
        Ok(())
    }

    /// Settles a player on every board of an app that knows the player.
    fn settle_all(&mut self, app: i64, player: u64) -> rusqlite::Result<()> {
        let sql = "SELECT DISTINCT board FROM runs WHERE player = ?1 AND app = ?2";
        let mut find = self.conn.prepare_cached(sql)?;
        let boards = find.query_map(params![player as i64, app], |row| row.get(0))?;
        let boards: Vec<i64> = boards.collect::<Result<_, _>>()?;
        for id in boards {
            let board = self.shared.boards().by_id(id).cloned();
            if let Some(board) = board {
                self.settle(&board, player)?;
            }
        }
        Ok(())
    }

    fn erase(&mut self, app: i64, player: PlayerId) -> rusqlite::Result<()> {
        let number = self.shared.numbers.number(player);
        self.delete_runs(app, number, None)?;
        // The ledger of attempts keeps the number, which says nothing without the key: erasing
        // oneself must not buy new attempts.
        let sql = "DELETE FROM players WHERE id = ?1 \
                   AND NOT EXISTS (SELECT 1 FROM runs WHERE player = ?1)";
        self.conn.prepare_cached(sql)?.execute([number as i64])?;
        Ok(())
    }

    /// Deletes one run or all of a player, leaving tombstones.
    fn delete_runs(&mut self, app: i64, player: u64, seq: Option<u64>) -> rusqlite::Result<()> {
        let sql = "SELECT seq, id, inputs FROM runs \
                   WHERE player = ?1 AND app = ?2 AND (?3 IS NULL OR seq = ?3)";
        let mut find = self.conn.prepare_cached(sql)?;
        let key = params![player as i64, app, seq.map(|seq| seq as i64)];
        let runs = find.query_map(key, |row| {
            Ok((
                row.get::<_, i64>(0)?,
                RunId(row.get(1)?),
                row.get::<_, Option<[u8; 16]>>(2)?,
            ))
        })?;
        let runs: Vec<_> = runs.collect::<Result<_, _>>()?;
        // Hidden first and settled, so that no entry is left without its run.
        for (seq, ..) in &runs {
            let sql = "UPDATE runs SET hidden = 1 WHERE seq = ?1";
            self.conn.prepare_cached(sql)?.execute([seq])?;
        }
        self.settle_all(app, player)?;
        for (seq, id, inputs) in runs {
            let mut marks = vec![self.shared.run_mark(app, id)];
            marks.extend(inputs.map(|inputs| self.shared.inputs_mark(app, &inputs)));
            for mark in marks {
                let sql = "INSERT OR IGNORE INTO tombstones (mark) VALUES (?1)";
                self.conn.prepare_cached(sql)?.execute([mark])?;
            }
            rows::delete(self.conn, seq as u64)?;
        }
        self.effects.push(Effect::Tombstone);
        Ok(())
    }

    /// Gives a player another name. A player without a run has no name to change yet: the row is
    /// made, and waits.
    pub(crate) fn rename(&mut self, player: PlayerId, name: &str) -> Result<(), Failure> {
        if name.len() > super::submit::TEXT_MAX_BYTES {
            return Err(Error::TooLarge("the player's name").into());
        }
        let (number, _) = self.shared.numbers.intern(self.conn, player, name)?;
        let sql = "UPDATE players SET name = ?2, renamed = 1 WHERE id = ?1";
        self.conn
            .prepare_cached(sql)?
            .execute(params![number as i64, name])?;
        self.effects.push(Effect::Name(number));
        Ok(())
    }

    /// The next attempt's number.
    pub(crate) fn attempt(&mut self, attempt: &crate::types::Attempt) -> Result<u32, Failure> {
        let board = self
            .shared
            .boards()
            .board(&attempt.app, &attempt.board)
            .cloned();
        let board = board.ok_or(Error::UnknownBoard)?;
        let player = self.shared.numbers.number(attempt.player);
        if self.shared.banned(board.app, player) {
            return Err(Error::Banned.into());
        }
        let sql = "SELECT max(number) FROM attempts WHERE board = ?1 AND player = ?2";
        let mut find = self.conn.prepare_cached(sql)?;
        let key = params![board.id, player as i64];
        let last: Option<u32> = find.query_row(key, |row| row.get(0)).optional()?.flatten();
        let number = last.unwrap_or(0).saturating_add(1);
        if attempt.attempts_max > 0 && number > attempt.attempts_max {
            return Err(Error::NoAttempts.into());
        }
        let sql = "INSERT INTO attempts (board, player, number, issued_ms) VALUES (?1, ?2, ?3, ?4)";
        let values = params![board.id, player as i64, number, attempt.issued_ms as i64];
        self.conn.prepare_cached(sql)?.execute(values)?;
        Ok(number)
    }
}

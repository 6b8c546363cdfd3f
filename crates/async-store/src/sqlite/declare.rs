//! Making boards and changing their policy.

use std::sync::Arc;

use async_protocol::{RankStyle, board::check_key};
use rusqlite::{OptionalExtension, params};

use super::group::{Effect, Failure, Group};
use super::submit::TEXT_MAX_BYTES;
use crate::Error;
use crate::board::BoardState;
use crate::types::Board;

impl Group<'_> {
    /// Makes a board or changes its policy; on first use, only makes it.
    pub(crate) fn declare(&mut self, board: Board) -> Result<Arc<Board>, Failure> {
        let old = self.shared.boards().board(&board.app, &board.name).cloned();
        if let Some(old) = &old
            && (!board.declared || *old.board == board)
        {
            return Ok(Arc::clone(&old.board));
        }
        check_key(&board.name).map_err(|_| Error::UnknownBoard)?;
        if board.app.len() > TEXT_MAX_BYTES {
            return Err(Error::TooLarge("the app's name").into());
        }
        if board.policy.rank == RankStyle::Dense {
            return Err(Error::Unsupported("dense ranks").into());
        }
        if !board.declared {
            self.shared.check_room(&board)?;
        }
        match old {
            Some(old) => self.redeclare(&old, board),
            None => self.make(board),
        }
    }

    fn make(&mut self, board: Board) -> Result<Arc<Board>, Failure> {
        let app = self.app(&board.app)?;
        let sql = "INSERT INTO boards (app, name, ruleset, policy, opens_ms, closes_ms, declared) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        self.conn.prepare_cached(sql)?.execute(params![
            app,
            board.name,
            board.ruleset.map(|ruleset| ruleset.0),
            policy_text(&board)?,
            board.opens_ms.map(|ms| ms as i64),
            board.closes_ms.map(|ms| ms as i64),
            board.declared,
        ])?;
        let id = self.conn.last_insert_rowid();
        let state = Arc::new(BoardState::new(id, app, board, Vec::new()));
        let board = Arc::clone(&state.board);
        self.effects.push(Effect::Board(state));
        Ok(board)
    }

    fn redeclare(&mut self, old: &BoardState, mut board: Board) -> Result<Arc<Board>, Failure> {
        board.ruleset = board.ruleset.or(old.board.ruleset);
        if let Some(what) = difference(&old.board, &board) {
            let sql = "SELECT 1 FROM runs WHERE board = ?1";
            if self.conn.prepare_cached(sql)?.exists([old.id])? {
                return Err(Error::BoardConflict(what).into());
            }
        }
        let sql = "UPDATE boards SET ruleset = ?2, policy = ?3, opens_ms = ?4, closes_ms = ?5, \
                   declared = ?6 WHERE id = ?1";
        self.conn.prepare_cached(sql)?.execute(params![
            old.id,
            board.ruleset.map(|ruleset| ruleset.0),
            policy_text(&board)?,
            board.opens_ms.map(|ms| ms as i64),
            board.closes_ms.map(|ms| ms as i64),
            board.declared,
        ])?;
        let state = Arc::new(old.with_policy(board));
        let board = Arc::clone(&state.board);
        self.effects.push(Effect::Board(state));
        Ok(board)
    }

    fn app(&mut self, name: &str) -> Result<i64, Failure> {
        let sql = "SELECT id FROM apps WHERE name = ?1";
        let found = self
            .conn
            .prepare_cached(sql)?
            .query_row([name], |row| row.get(0))
            .optional()?;
        if let Some(id) = found {
            return Ok(id);
        }
        self.conn
            .prepare_cached("INSERT INTO apps (name) VALUES (?1)")?
            .execute([name])?;
        let id = self.conn.last_insert_rowid();
        self.effects.push(Effect::App(name.to_owned(), id));
        Ok(id)
    }
}

fn policy_text(board: &Board) -> Result<String, Error> {
    serde_json::to_string(&board.policy).map_err(Error::failed)
}

/// What runs that are there already depend on.
fn difference(old: &Board, new: &Board) -> Option<&'static str> {
    let (a, b) = (&old.policy, &new.policy);
    if old.ruleset != new.ruleset {
        Some("ruleset")
    } else if a.order != b.order {
        Some("order")
    } else if a.ties != b.ties {
        Some("tie rule")
    } else if a.keep != b.keep {
        Some("keep rule")
    } else if a.trust != b.trust {
        Some("trust")
    } else {
        None
    }
}

//! Lists of runs, and the runs that wait.

use async_protocol::{RunId, Status};
use rusqlite::{ToSql, named_params};

use super::{SqliteStore, rows};
use crate::Error;
use crate::types::{PendingRun, ROWS_MAX, RunPage, RunQuery};

impl SqliteStore {
    /// Newest first, by number: the index of whatever the query fixes ends with it.
    pub(crate) fn read_runs(&self, query: &RunQuery<'_>) -> Result<RunPage, Error> {
        let board = match query.board {
            None => None,
            Some(board) => match self.state(query.app, board) {
                Ok(board) => Some(board.id),
                Err(_) => return Ok(RunPage::default()),
            },
        };
        let Some(app) = self.app(query.app) else {
            return Ok(RunPage::default());
        };
        let player = query
            .player
            .map(|player| self.shared.numbers.number(player) as i64);
        let before = query
            .before
            .map_or(i64::MAX, |before| before.min(i64::MAX as u64) as i64);
        let limit = query.rows.min(ROWS_MAX) as i64;
        // Every named value must occur, so those that are not asked for are compared to nothing.
        let which = match (player, board) {
            (Some(_), Some(_)) => "runs.player = :player AND runs.board = :board",
            (Some(_), None) => "runs.player = :player AND :board IS NULL",
            (None, Some(_)) => "runs.board = :board AND :player IS NULL",
            (None, None) => ":board IS NULL AND :player IS NULL",
        };
        let (columns, tables) = (rows::RUN_COLUMNS, rows::RUN_TABLES);
        let sql = format!(
            "SELECT {columns} FROM {tables} WHERE {which} AND runs.app = :app \
             AND runs.seq < :before AND runs.status > 0 AND runs.hidden = 0 AND NOT EXISTS \
             (SELECT 1 FROM bans WHERE bans.app = runs.app AND bans.player = runs.player) \
             ORDER BY runs.seq DESC LIMIT :limit"
        );
        let values: &[(&str, &dyn ToSql)] = named_params! {
            ":player": player, ":board": board, ":app": app, ":before": before, ":limit": limit
        };
        let runs = self.readers.read(|conn| {
            let mut find = conn.prepare_cached(&sql)?;
            let runs = find.query_map(values, rows::stored_run)?;
            Ok(runs.collect::<Result<Vec<_>, _>>()?)
        })?;
        let full = !runs.is_empty() && runs.len() as i64 == limit;
        let next = runs.last().filter(|_| full).map(|run| run.seq);
        Ok(RunPage { runs, next })
    }

    /// Pending runs by number.
    pub(crate) fn read_pending(
        &self,
        after: u64,
        limit: usize,
    ) -> Result<Vec<(u64, PendingRun)>, Error> {
        // The number stands in the text, or SQLite could not use the index of pending runs.
        let pending = rows::status_number(Status::Pending);
        let sql = format!(
            "SELECT runs.seq, apps.name, boards.name, runs.id, runs.accepted_ms, files.bytes \
             FROM runs JOIN files USING (seq) JOIN apps ON apps.id = runs.app \
             JOIN boards ON boards.id = runs.board \
             WHERE runs.status = {pending} AND runs.seq > ?1 ORDER BY runs.seq LIMIT ?2"
        );
        self.readers.read(|conn| {
            let mut find = conn.prepare_cached(&sql)?;
            let limit = limit.min(ROWS_MAX) as i64;
            let runs = find.query_map([after.min(i64::MAX as u64) as i64, limit], |row| {
                let run = PendingRun {
                    app: row.get(1)?,
                    board: row.get(2)?,
                    id: RunId(row.get(3)?),
                    accepted_at_ms: row.get::<_, i64>(4)? as u64,
                    bytes: row.get(5)?,
                };
                Ok((row.get::<_, i64>(0)? as u64, run))
            })?;
            Ok(runs.collect::<Result<_, _>>()?)
        })
    }
}

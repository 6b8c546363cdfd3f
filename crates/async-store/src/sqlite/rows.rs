//! How runs stand in the file, and how they are read.

use std::sync::Arc;

use async_protocol::wire::Stored;
use async_protocol::{PlayerId, RunId, Status};
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::types::{Place, Standing, StoredRun, Submitted};

/// The half of an input hash that is kept: 128 bits name a run's inputs.
pub(crate) fn inputs_half(hash: &[u8; 32]) -> [u8; 16] {
    let mut half = [0; 16];
    half.copy_from_slice(&hash[..16]);
    half
}

/// A status as the file has it; higher is more trusted.
pub(crate) fn status_number(status: Status) -> i64 {
    match status {
        Status::Refused => 0,
        Status::Quarantined => 1,
        Status::Pending => 2,
        Status::Plausible => 3,
        Status::Verified => 4,
    }
}

/// Anything unknown counts as refused: it never ranks.
pub(crate) fn status(number: i64) -> Status {
    match number {
        1 => Status::Quarantined,
        2 => Status::Pending,
        3 => Status::Plausible,
        4 => Status::Verified,
        _ => Status::Refused,
    }
}

/// What became of a run, as the file has it.
pub(crate) fn stored_number(stored: Stored) -> i64 {
    match stored {
        Stored::Better => 0,
        Stored::NotBetter => 1,
        Stored::Pending => 2,
        Stored::Unranked => 3,
        Stored::Refused => 4,
    }
}

fn stored(number: i64) -> Stored {
    match number {
        0 => Stored::Better,
        1 => Stored::NotBetter,
        2 => Stored::Pending,
        3 => Stored::Unranked,
        _ => Stored::Refused,
    }
}

/// An answer from the file, and what is needed to complete it if it was not counted.
pub(crate) struct Answer {
    /// The answer, its standing possibly missing.
    pub(crate) submitted: Submitted,
    /// The run's status.
    pub(crate) status: Status,
    /// The run's number.
    pub(crate) seq: u64,
    /// The board's number.
    pub(crate) board: i64,
    /// The player's number.
    pub(crate) player: u64,
}

/// The first answer to a run, refused ones included.
pub(crate) fn answer(conn: &Connection, app: i64, id: RunId) -> rusqlite::Result<Option<Answer>> {
    let sql = "SELECT seq, score, status, stored, rank, position, best, best_seq, accepted_ms, \
               board, player, (SELECT verdict FROM files WHERE files.seq = runs.seq) \
               FROM runs WHERE id = ?1 AND app = ?2";
    let read = |row: &Row<'_>| {
        let place = match row.get::<_, Option<i64>>(4)? {
            None => None,
            Some(rank) => Some(Place {
                rank: rank as u64,
                position: row.get::<_, i64>(5)? as u64,
                score: row.get(6)?,
                seq: row.get::<_, i64>(7)? as u64,
            }),
        };
        let seq = row.get::<_, i64>(0)? as u64;
        let status = status(row.get(2)?);
        Ok(Answer {
            submitted: Submitted {
                id,
                score: row.get(1)?,
                status,
                standing: Standing {
                    place,
                    would_rank: None,
                    total: 0,
                },
                stored: stored(row.get(3)?),
                duplicate: true,
                accepted_at_ms: row.get::<_, i64>(8)? as u64,
                seq,
                verdict: row.get::<_, Option<String>>(11)?.unwrap_or_default(),
            },
            status,
            seq,
            board: row.get(9)?,
            player: row.get::<_, i64>(10)? as u64,
        })
    };
    conn.prepare_cached(sql)?
        .query_row(params![id.0, app], read)
        .optional()
}

/// Removes a run's rows; its entry must be gone already.
pub(crate) fn delete(conn: &Connection, seq: u64) -> rusqlite::Result<()> {
    conn.prepare_cached("DELETE FROM files WHERE seq = ?1")?
        .execute([seq as i64])?;
    conn.prepare_cached("DELETE FROM runs WHERE seq = ?1")?
        .execute([seq as i64])?;
    Ok(())
}

/// The columns that [`stored_run`] reads, in its order.
pub(crate) const RUN_COLUMNS: &str = "runs.seq, apps.name, boards.name, runs.id, players.key, \
    players.name, runs.build, runs.score, runs.frames, runs.status, runs.accepted_ms, runs.size, \
    runs.hidden OR EXISTS (SELECT 1 FROM bans WHERE bans.app = runs.app \
    AND bans.player = runs.player)";

/// The tables that [`RUN_COLUMNS`] come from.
pub(crate) const RUN_TABLES: &str = "runs JOIN apps ON apps.id = runs.app \
    JOIN boards ON boards.id = runs.board JOIN players ON players.id = runs.player";

/// A run, without its verdict.
pub(crate) fn stored_run(row: &Row<'_>) -> rusqlite::Result<StoredRun> {
    Ok(StoredRun {
        seq: row.get::<_, i64>(0)? as u64,
        app: row.get(1)?,
        board: row.get(2)?,
        id: RunId(row.get(3)?),
        player: PlayerId(row.get(4)?),
        player_name: Arc::from(row.get_ref(5)?.as_str()?),
        build: row.get(6)?,
        score: row.get(7)?,
        frames: row.get(8)?,
        status: status(row.get(9)?),
        verdict: String::new(),
        accepted_at_ms: row.get::<_, i64>(10)? as u64,
        bytes: row.get::<_, i64>(11)? as u64,
        hidden: row.get(12)?,
    })
}

//! What a store reads before it is ready.

use std::collections::HashSet;
use std::sync::Arc;

use async_protocol::RulesetId;
use rusqlite::{Connection, OptionalExtension, Row};

use super::file::Keys;
use super::group::Counters;
use super::players::Numbers;
use crate::Error;
use crate::board::{BoardState, Boards, Sorting};
use crate::rank::Entry;
use crate::types::Board;

/// Everything that is kept in memory.
pub(crate) struct Loaded {
    pub(crate) boards: Boards,
    pub(crate) bans: HashSet<(i64, u64)>,
    pub(crate) tombstones: bool,
    pub(crate) numbers: Numbers,
    pub(crate) counters: Counters,
}

/// Reads the file of an opened store.
pub(crate) fn load(conn: &Connection, keys: &Keys) -> Result<Loaded, Error> {
    Ok(Loaded {
        boards: boards(conn)?,
        bans: bans(conn)?,
        tombstones: conn
            .prepare("SELECT 1 FROM tombstones LIMIT 1")?
            .exists([])?,
        numbers: Numbers::load(keys.numbers, conn)?,
        counters: counters(conn)?,
    })
}

fn boards(conn: &Connection) -> Result<Boards, Error> {
    let mut boards = Boards::default();
    let mut find = conn.prepare("SELECT name, id FROM apps")?;
    let mut rows = find.query([])?;
    while let Some(row) = rows.next()? {
        boards.add_app(&row.get::<_, String>(0)?, row.get(1)?);
    }
    let mut find = conn.prepare(
        "SELECT boards.id, app, apps.name, boards.name, ruleset, policy, opens_ms, closes_ms, \
         declared FROM boards JOIN apps ON apps.id = boards.app",
    )?;
    let mut rows = find.query([])?;
    while let Some(row) = rows.next()? {
        let (id, app) = (row.get(0)?, row.get(1)?);
        let board = board(row)?;
        let entries = entries(conn, id, Sorting::of(&board))?;
        boards.put(Arc::new(BoardState::new(id, app, board, entries)));
    }
    Ok(boards)
}

fn board(row: &Row<'_>) -> Result<Board, Error> {
    let name: String = row.get(3)?;
    let policy = serde_json::from_str(row.get_ref(5)?.as_str().map_err(Error::failed)?)
        .map_err(|error| Error::Damaged(format!("the policy of board {name}: {error}")))?;
    Ok(Board {
        app: row.get(2)?,
        name,
        ruleset: row.get::<_, Option<[u8; 16]>>(4)?.map(RulesetId),
        policy,
        opens_ms: row.get::<_, Option<i64>>(6)?.map(|ms| ms as u64),
        closes_ms: row.get::<_, Option<i64>>(7)?.map(|ms| ms as u64),
        declared: row.get(8)?,
    })
}

fn entries(conn: &Connection, board: i64, sorting: Sorting) -> Result<Vec<Entry>, Error> {
    let mut find =
        conn.prepare_cached("SELECT player, seq, score FROM entries WHERE board = ?1")?;
    let mut rows = find.query([board])?;
    let mut entries = Vec::new();
    while let Some(row) = rows.next()? {
        let player = row.get::<_, i64>(0)? as u64;
        let seq = row.get::<_, i64>(1)? as u64;
        entries.push(Entry {
            key: sorting.key(row.get(2)?, seq),
            player,
        });
    }
    Ok(entries)
}

fn bans(conn: &Connection) -> Result<HashSet<(i64, u64)>, Error> {
    let mut find = conn.prepare("SELECT app, player FROM bans")?;
    let rows = find.query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// AUTOINCREMENT remembers the last number even if its run is gone.
fn counters(conn: &Connection) -> Result<Counters, Error> {
    let sql = "SELECT seq FROM sqlite_sequence WHERE name = 'runs'";
    let last: Option<i64> = conn.query_row(sql, [], |row| row.get(0)).optional()?;
    let sql = "SELECT accepted_ms FROM runs ORDER BY seq DESC LIMIT 1";
    let accepted: Option<i64> = conn.query_row(sql, [], |row| row.get(0)).optional()?;
    Ok(Counters {
        next_seq: last.unwrap_or(0) as u64 + 1,
        accepted_ms: accepted.unwrap_or(0) as u64,
    })
}

//! Pages of a board: places from memory, the rest of a row from the file.

use std::collections::HashMap;
use std::sync::Arc;

use async_protocol::{PlayerId, RunId};
use rusqlite::{Connection, OptionalExtension};

use super::SqliteStore;
use super::rows;
use crate::Error;
use crate::board::{BoardState, TOP_ROWS};
use crate::rank::{Entry, Key, Ranks};
use crate::types::{Cursor, Page, PageAt, PageQuery, Place, ROWS_MAX, Row};

/// A window of a board's entries, as the ranks were at one moment.
struct Window {
    places: Vec<Place>,
    total: usize,
    next: Option<Cursor>,
    prev: Option<Cursor>,
}

impl SqliteStore {
    /// A page that needs the disk only for rows nobody asked for lately.
    pub(crate) fn read_page(&self, query: &PageQuery<'_>) -> Result<Page, Error> {
        let board = self.state(query.app, query.board)?;
        let rows = query.rows.min(ROWS_MAX);
        if let Some(page) = self.page_in_memory(&board, &query.at, rows) {
            return Ok(page);
        }
        if query.at == PageAt::Top && rows <= TOP_ROWS {
            return self.fresh_top(&board, rows);
        }
        let window = self.window(&board, &query.at, rows);
        let rows = self
            .readers
            .read(|conn| rows_of(conn, &window.places, &[]))?;
        Ok(page(&board, window, rows.into()))
    }

    /// The page, if memory has it: a page without rows, or the first one if it is fresh.
    pub(crate) fn page_in_memory(
        &self,
        board: &BoardState,
        at: &PageAt,
        rows: usize,
    ) -> Option<Page> {
        if rows == 0 {
            return Some(page(board, self.window(board, at, 0), Arc::default()));
        }
        ready_page(board, at, rows)
    }

    /// Reads the first rows anew, sparing those that were there before, and keeps them.
    fn fresh_top(&self, board: &BoardState, rows: usize) -> Result<Page, Error> {
        let (epoch, known) = {
            let top = board.top();
            (top.epoch, Arc::clone(&top.rows))
        };
        let window = self.window(board, &PageAt::Top, TOP_ROWS);
        let total = window.total;
        let read = self
            .readers
            .read(|conn| rows_of(conn, &window.places, &known))?;
        let all: Arc<[Row]> = read.into();
        let mut top = board.top();
        // A change that came in between is not in these rows; the next reader starts over.
        let current = top.epoch == epoch;
        if current {
            top.rows = Arc::clone(&all);
            top.shown = Some(epoch);
        }
        drop(top);
        let version = if current { epoch + 1 } else { 0 };
        Ok(top_page(board, &all, rows, total, version))
    }

    fn window(&self, board: &BoardState, at: &PageAt, rows: usize) -> Window {
        let ranks = board.ranks();
        let total = ranks.len();
        let (start, gap) = match at {
            PageAt::Top => (0, Key::MIN),
            PageAt::Cursor(cursor) => {
                let place = ranks.before(cursor.gap);
                let start = if cursor.forward {
                    place
                } else {
                    place.saturating_sub(rows)
                };
                let rows = if cursor.forward {
                    rows
                } else {
                    rows.min(place)
                };
                return window(board, &ranks, start, rows, cursor.gap);
            }
            PageAt::Around(player) => {
                let number = self.shared.numbers.number(*player);
                let own = ranks.best(number).map_or(0, |own| ranks.before(own.key));
                // The window slides inwards at both ends, so that it is full if it can be.
                let last_start = total.saturating_sub(rows);
                (own.saturating_sub(rows / 2).min(last_start), Key::MIN)
            }
        };
        window(board, &ranks, start, rows, gap)
    }
}

/// Entries from the position `start` on. `gap` is where an empty window lies.
fn window(board: &BoardState, ranks: &Ranks, start: usize, rows: usize, gap: Key) -> Window {
    let entries: Vec<Entry> = ranks.from(start).take(rows).collect();
    let mut places: Vec<Place> = Vec::with_capacity(entries.len());
    for (index, entry) in entries.iter().enumerate() {
        let position = (start + index) as u64 + 1;
        // Equal scores share a rank; only the first of them must be counted.
        let rank = match (index.checked_sub(1), places.last()) {
            (Some(before), Some(place)) if entries[before].key.key == entry.key.key => {
                board.rank(position, || place.rank as usize - 1)
            }
            _ => board.rank(position, || ranks.better(entry.key.key)),
        };
        let score = board.sorting.turned(entry.key.key);
        places.push(Place {
            rank,
            position,
            score,
            seq: board.sorting.seq(entry.key),
        });
    }
    let first = entries.first().map_or(gap, |entry| entry.key);
    let after = entries.last().map_or(gap, |entry| Key {
        key: entry.key.key,
        tie: entry.key.tie.saturating_add(1),
    });
    Window {
        next: (start + entries.len() < ranks.len()).then_some(Cursor::forward(after)),
        prev: (start > 0).then_some(Cursor::backward(first)),
        places,
        total: ranks.len(),
    }
}

/// The first page, if it is fresh.
fn ready_page(board: &BoardState, at: &PageAt, rows: usize) -> Option<Page> {
    if *at != PageAt::Top {
        return None;
    }
    let total = board.ranks().len();
    let top = board.top();
    if top.shown != Some(top.epoch) || rows > TOP_ROWS {
        return None;
    }
    let (all, version) = (Arc::clone(&top.rows), top.epoch + 1);
    drop(top);
    Some(top_page(board, &all, rows, total, version))
}

fn top_page(board: &BoardState, all: &Arc<[Row]>, rows: usize, total: usize, version: u64) -> Page {
    let shown = if rows >= all.len() {
        Arc::clone(all)
    } else {
        all[..rows].into()
    };
    let next = match shown.last() {
        Some(last) if shown.len() < total => {
            let key = board.sorting.key(last.score, last.seq);
            Some(Cursor::forward(Key {
                key: key.key,
                tie: key.tie.saturating_add(1),
            }))
        }
        None if total > 0 => Some(Cursor::forward(Key::MIN)),
        _ => None,
    };
    Page {
        board: Arc::clone(&board.board),
        total: total as u64,
        rows: shown,
        next,
        prev: None,
        version,
    }
}

fn page(board: &BoardState, window: Window, rows: Arc<[Row]>) -> Page {
    Page {
        board: Arc::clone(&board.board),
        total: window.total as u64,
        rows,
        next: window.next,
        prev: window.prev,
        version: 0,
    }
}

/// The rows of these places; what `known` has is not read. A run that was deleted since the ranks
/// were read is left out.
fn rows_of(conn: &Connection, places: &[Place], known: &[Row]) -> Result<Vec<Row>, Error> {
    // One snapshot for all, which also spares taking locks for each row.
    let snapshot = conn.unchecked_transaction()?;
    let known: HashMap<u64, &Row> = known.iter().map(|row| (row.seq, row)).collect();
    let mut rows = Vec::with_capacity(places.len());
    for place in places {
        let row = match known.get(&place.seq) {
            Some(row) => Some(Row {
                rank: place.rank,
                position: place.position,
                ..Row::clone(row)
            }),
            None => read_row(conn, place)?,
        };
        rows.extend(row);
    }
    snapshot.commit()?;
    Ok(rows)
}

fn read_row(conn: &Connection, place: &Place) -> Result<Option<Row>, Error> {
    let sql = "SELECT runs.id, runs.status, runs.accepted_ms, players.key, players.name \
               FROM runs JOIN players ON players.id = runs.player WHERE runs.seq = ?1";
    let row = conn
        .prepare_cached(sql)?
        .query_row([place.seq as i64], |row| {
            Ok(Row {
                rank: place.rank,
                position: place.position,
                player: PlayerId(row.get(3)?),
                name: Arc::from(row.get_ref(4)?.as_str()?),
                score: place.score,
                run: RunId(row.get(0)?),
                status: rows::status(row.get(1)?),
                accepted_at_ms: row.get::<_, i64>(2)? as u64,
                seq: place.seq,
            })
        });
    Ok(row.optional()?)
}

//! A board's answer as bytes. The rows of a top page are rendered once per version of the board
//! and shared; what changes from answer to answer stands before and behind them.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};

use async_protocol::{Order, limits::JSON_INTEGER_MAX};
use async_store::{Board, Row};
use axum::body::{Body, Bytes};
use axum::http::{Response, StatusCode};
use data_encoding::HEXLOWER;

use super::answer::json_bytes;
use super::chain::Chain;
use crate::clock::unix_ms;
use crate::failure::Failure;
use crate::service::BoardPage;

/// Rendered top pages kept at most; past it all are dropped and rendered again as asked for.
const PAGES_MAX: usize = 1_024;

/// Rows up to this many bytes are copied into one buffer: one part is written faster than three.
const COPIED_MAX: usize = 4 * 1024;

/// Rendered rows by app, board and count, each with its version.
#[derive(Debug, Default)]
pub(crate) struct Pages(Mutex<HashMap<String, (u64, Bytes)>>);

/// What is to be rendered.
pub(super) struct Rendered<'a> {
    pub(super) board: &'a Board,
    pub(super) answered: &'a BoardPage,
    /// Rows that were asked for.
    pub(super) rows: usize,
}

/// The answer of `GET /boards/{board}`.
pub(super) fn answer(pages: &Pages, rendered: &Rendered<'_>) -> Result<Response<Body>, Failure> {
    let rows = match &rendered.answered.page {
        // An own rank asks for no rows, and is asked for more often than anything else.
        Some(page) if page.rows.is_empty() => Bytes::new(),
        Some(page) if page.version != 0 => pages.rows(rendered, page.version, &page.rows),
        Some(page) => render(&page.rows),
        None => Bytes::new(),
    };
    let (mut head, tail) = (head(rendered).into_bytes(), tail(rendered)?);
    if rows.len() <= COPIED_MAX {
        head.reserve(rows.len() + tail.len());
        head.extend_from_slice(&rows);
        head.extend_from_slice(tail.as_bytes());
        return Ok(json_bytes(StatusCode::OK, head));
    }
    let chain = Chain::new([Bytes::from(head), rows, Bytes::from(tail)]);
    Ok(json_bytes(StatusCode::OK, Body::new(chain)))
}

impl Pages {
    fn rows(&self, rendered: &Rendered<'_>, version: u64, rows: &[Row]) -> Bytes {
        let board = rendered.board;
        let key = format!("{}\0{}\0{}", board.app, board.name, rendered.rows);
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((kept, bytes)) = pages.get(&key)
            && *kept == version
        {
            return bytes.clone();
        }
        let bytes = render(rows);
        if pages.len() >= PAGES_MAX {
            pages.clear();
        }
        pages.insert(key, (version, bytes.clone()));
        bytes
    }
}

// Writing to a String cannot fail, so the results below are dropped.

fn head(rendered: &Rendered<'_>) -> String {
    let Rendered {
        board, answered, ..
    } = rendered;
    let order = match board.policy.order {
        Order::Ascending => "asc",
        Order::Descending => "desc",
    };
    let total = answered.page.as_ref().map_or(0, |page| page.total);
    // A board key needs no escape: its syntax has nothing that JSON would escape.
    let (name, period) = (&board.name, "alltime");
    format!(
        "{{\"board\":\"{name}\",\"period\":\"{period}\",\"order\":\"{order}\",\
         \"total\":{total},\"rows\":["
    )
}

fn tail(rendered: &Rendered<'_>) -> Result<String, Failure> {
    let Rendered {
        board, answered, ..
    } = rendered;
    let mut out = String::with_capacity(256);
    out.push(']');
    let page = answered.page.as_ref();
    for (name, place) in [
        ("next", page.and_then(|page| page.next)),
        ("prev", page.and_then(|page| page.prev)),
    ] {
        if let Some(place) = place {
            let _ = write!(out, ",\"{name}\":\"{place}\"");
        }
    }
    if let Some(own) = &answered.own {
        let own = serde_json::to_string(own).map_err(|error| Failure::internal(&error))?;
        let _ = write!(out, ",\"own\":{own}");
    }
    for (name, time) in [("opens_ms", board.opens_ms), ("closes_ms", board.closes_ms)] {
        if let Some(time) = time {
            let _ = write!(out, ",\"{name}\":{time}");
        }
    }
    let _ = write!(out, ",\"server_ms\":{}}}", unix_ms());
    Ok(out)
}

fn render(rows: &[Row]) -> Bytes {
    // A row is about 290 bytes with its two ids.
    let mut out = String::with_capacity(rows.len() * 320);
    for (index, row) in rows.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        render_row(&mut out, row);
    }
    Bytes::from(out)
}

fn render_row(out: &mut String, row: &Row) {
    let _ = write!(out, "{{\"rank\":{},\"position\":{}", row.rank, row.position);
    out.push_str(",\"player\":\"");
    HEXLOWER.encode_append(&row.player.0, out);
    out.push_str("\",\"name\":");
    // Names are cleaned of controls, but may hold quotes: the JSON library escapes them.
    out.push_str(&serde_json::to_string(row.name.as_ref()).unwrap_or_else(|_| "\"\"".to_owned()));
    let score = row.score;
    let _ = match score.unsigned_abs() <= JSON_INTEGER_MAX.unsigned_abs() {
        true => write!(out, ",\"score\":{score}"),
        false => write!(out, ",\"score\":\"{score}\""),
    };
    out.push_str(",\"run\":\"");
    HEXLOWER.encode_append(&row.run.0, out);
    let (status, time) = (row.status.name(), row.accepted_at_ms);
    let _ = write!(
        out,
        "\",\"status\":\"{status}\",\"accepted_at_ms\":{time}}}"
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use async_protocol::{PlayerId, RunId, Status, wire};

    fn row(score: i64, name: &str) -> Row {
        Row {
            rank: 2,
            position: 3,
            player: PlayerId([0xab; 32]),
            name: name.into(),
            score,
            run: RunId([0x0c; 16]),
            status: Status::Verified,
            accepted_at_ms: 1_700_000_000_123,
            seq: 9,
        }
    }

    #[test]
    fn a_row_is_rendered_as_the_wire_type_is() {
        let scores = [
            0,
            -1,
            JSON_INTEGER_MAX,
            JSON_INTEGER_MAX + 1,
            i64::MIN,
            i64::MAX,
        ];
        for score in scores
            .into_iter()
            .chain([-JSON_INTEGER_MAX, -JSON_INTEGER_MAX - 1])
        {
            for name in ["", "Ada", "q\"uo\\te", "é 日本 👩‍🚀", "\u{1}"] {
                let row = row(score, name);
                let wire = wire::Row {
                    rank: row.rank,
                    position: row.position,
                    player: row.player,
                    name: name.to_owned(),
                    score,
                    run: row.run,
                    status: row.status,
                    accepted_at_ms: row.accepted_at_ms,
                };
                let expected = serde_json::to_string(&wire).unwrap();
                assert_eq!(render(&[row]), expected.as_bytes());
            }
        }
    }
}

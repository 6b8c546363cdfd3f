//! Boards and the daily.

use std::sync::Arc;

use async_protocol::Period;
use async_store::Cursor;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{Response, StatusCode};

use super::answer::json;
use super::page::{self, Rendered};
use super::query::{Query, board_key, row_count};
use super::{segment, signed};
use crate::clock::unix_ms;
use crate::failure::Failure;
use crate::service::{BoardQuestion, Service};

type Answer = Result<Response<Body>, Failure>;

const KNOWN: [&str; 7] = [
    "app", "rows", "cursor", "around", "player", "period", "would",
];

/// `GET /boards/{board}`: rows and the asked player's standing.
pub(super) async fn page(State(service): State<Arc<Service>>, request: Request) -> Answer {
    let (parts, _) = request.into_parts();
    let query = Query::parse(parts.uri.query(), &KNOWN)?;
    let app = signed::app(&service, &parts, Some(&query))?;
    let name = board_key(segment(&parts.uri, "/boards/"))?;
    let (board, stored) = service.find_board(&app, &name, None)?;
    period(&query, &board.policy.periods)?;
    let most = service.config.board_rows.min(u64::from(board.policy.rows));
    let question = BoardQuestion {
        rows: row_count(&query, &service.config, most)?,
        cursor: cursor_of(&query)?,
        around: query.flag("around")?,
        player: query.player()?,
        would: query.integer("would")?,
        app,
        board: name,
    };
    if question.around && (question.player.is_none() || question.cursor.is_some()) {
        return Err(Failure::new("bad_query").say("around needs player, and takes no cursor"));
    }
    let rows = question.rows;
    let answered = service.page(question, stored).await?;
    page::answer(
        &service.pages,
        &Rendered {
            board: &board,
            answered: &answered,
            rows,
        },
    )
}

/// `GET /daily`.
pub(super) async fn daily(State(service): State<Arc<Service>>, request: Request) -> Answer {
    let (parts, _) = request.into_parts();
    let query = Query::parse(parts.uri.query(), &["app"])?;
    let app = signed::app(&service, &parts, Some(&query))?;
    json(StatusCode::OK, &service.daily(&app, unix_ms())?)
}

fn cursor_of(query: &Query<'_>) -> Result<Option<Cursor>, Failure> {
    Ok(query.text("cursor").map(str::parse).transpose()?)
}

/// Only all time is ranked so far; a period that the board does not rank is an error.
fn period(query: &Query<'_>, _ranked: &[Period]) -> Result<(), Failure> {
    query
        .read("period", "alltime", |text| {
            (text == "alltime").then_some(())
        })
        .map(drop)
}

//! Runs: submitting, downloading, listing.

use std::sync::Arc;
use std::time::Duration;

use async_protocol::{RunId, Status, limits};
use async_store::RunQuery;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Response, StatusCode};

use super::answer::json;
use super::query::{Query, board_key, row_count};
use super::signed::{self, Nonce};
use super::{body, segment};
use crate::clock::unix_ms;
use crate::failure::Failure;
use crate::service::{Service, Submission};

type Answer = Result<Response<Body>, Failure>;

/// `POST /runs`: the answer is durable.
pub(super) async fn submit(State(service): State<Arc<Service>>, request: Request) -> Answer {
    let (parts, body) = request.into_parts();
    Query::parse(parts.uri.query(), &[])?;
    let app = signed::claimed_app(&service, &parts, None)?;
    let limit = usize::try_from(service.config.max_run_bytes).unwrap_or(usize::MAX);
    let timeout = Duration::from_millis(service.config.body_timeout_ms);
    let bytes = body::read(&parts.headers, body, limit, timeout).await?;
    let submission = Submission {
        bytes,
        app,
        arrived_ms: unix_ms(),
    };
    let accepted = service.submit(submission).await?;
    let answer = service.submit_answer(&accepted)?;
    json(status_of(answer.status), &answer)
}

/// A run that waits is accepted, but not decided.
fn status_of(status: Status) -> StatusCode {
    if status == Status::Pending {
        StatusCode::ACCEPTED
    } else {
        StatusCode::OK
    }
}

fn run_id(parts: &Parts) -> Result<RunId, Failure> {
    Ok(segment(&parts.uri, "/runs/").parse()?)
}

/// `GET /runs/{id}`: the file, as far as its board reveals it; signed by its owner, always.
pub(super) async fn bytes(State(service): State<Arc<Service>>, request: Request) -> Answer {
    let (parts, _) = request.into_parts();
    let query = Query::parse(parts.uri.query(), &["app"])?;
    let app = signed::app(&service, &parts, Some(&query))?;
    let id = run_id(&parts)?;
    let asking = match signed::is_signed(&parts) {
        true => Some(signed::player(&service, &app, &parts, &[], Nonce::Again)?),
        false => None,
    };
    let now_ms = unix_ms();
    let bytes = service
        .read(move |service| service.run_bytes(&app, id, asking, now_ms))
        .await?;
    let tag = format!("\"{id}\"");
    let seen = parts
        .headers
        .get(IF_NONE_MATCH)
        .and_then(|value| value.to_str().ok());
    let unchanged = seen.is_some_and(|seen| seen == "*" || seen.contains(&tag));
    let mut response = Response::new(if unchanged {
        Body::empty()
    } else {
        Body::from(bytes)
    });
    if unchanged {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let headers = response.headers_mut();
    headers.insert(
        CONTENT_TYPE,
        HeaderValue::from_static("application/octet-stream"),
    );
    let tag = HeaderValue::from_str(&tag).map_err(|error| Failure::internal(&error))?;
    headers.insert(ETAG, tag);
    headers.insert(CACHE_CONTROL, cache_control(asking.is_some())?);
    Ok(response)
}

/// What an owner is shown early must not be handed on by a cache.
fn cache_control(private: bool) -> Result<HeaderValue, Failure> {
    if private {
        return Ok(HeaderValue::from_static("private, no-store"));
    }
    let text = format!("public, max-age={}", limits::RUN_CACHE_MAX_AGE_S);
    HeaderValue::from_str(&text).map_err(|error| Failure::internal(&error))
}

/// `GET /runs/{id}/info`.
pub(super) async fn info(State(service): State<Arc<Service>>, request: Request) -> Answer {
    let (app, id) = named(&service, request)?;
    let info = service
        .read(move |service| service.run_info(&app, id))
        .await?;
    json(StatusCode::OK, &info)
}

/// `GET /runs/{id}/status`.
pub(super) async fn status(State(service): State<Arc<Service>>, request: Request) -> Answer {
    let (app, id) = named(&service, request)?;
    let answer = service
        .read(move |service| service.run_status(&app, id))
        .await?;
    json(status_of(answer.status), &answer)
}

fn named(service: &Service, request: Request) -> Result<(String, RunId), Failure> {
    let (parts, _) = request.into_parts();
    let query = Query::parse(parts.uri.query(), &["app"])?;
    Ok((signed::app(service, &parts, Some(&query))?, run_id(&parts)?))
}

/// `GET /runs`: newest first.
pub(super) async fn list(State(service): State<Arc<Service>>, request: Request) -> Answer {
    let (parts, _) = request.into_parts();
    let known = ["app", "board", "player", "rows", "cursor"];
    let query = Query::parse(parts.uri.query(), &known)?;
    let app = signed::app(&service, &parts, Some(&query))?;
    let board = query.text("board").map(board_key).transpose()?;
    let player = query.player()?;
    let rows = row_count(&query, &service.config, service.config.board_rows)?;
    let before = query.read("cursor", "the next of an earlier answer", |text| {
        text.parse::<u64>()
            .ok()
            .filter(|number| number.to_string() == text)
    });
    let before = before.map_err(|_| Failure::new("bad_cursor"))?;
    let list = service.read(move |service| {
        let board = board.as_deref();
        service.runs(&RunQuery {
            app: &app,
            board,
            player,
            rows,
            before,
        })
    });
    json(StatusCode::OK, &list.await?)
}

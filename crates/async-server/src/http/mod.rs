//! The HTTP surface: thin, typed, without SQL.

mod answer;
mod boards;
mod body;
mod calls;
mod chain;
pub(crate) mod cors;
pub(crate) mod health;
mod page;
mod query;
mod runs;
mod signed;

use std::sync::Arc;

use async_protocol::wire::BASE_PATH;
use axum::Router;
use axum::http::Uri;
use axum::routing::{get, post};

use crate::failure::Failure;
use crate::service::Service;
pub(crate) use page::Pages;

/// All calls of the API over `service`.
pub(crate) fn router(service: Arc<Service>) -> Router {
    let at = |path: &str| format!("{BASE_PATH}{path}");
    Router::new()
        .route(&at("/runs"), post(runs::submit).get(runs::list))
        .route(&at("/runs/{id}"), get(runs::bytes))
        .route(&at("/runs/{id}/info"), get(runs::info))
        .route(&at("/runs/{id}/status"), get(runs::status))
        .route(&at("/boards/{board}"), get(boards::page))
        .route(&at("/daily"), get(boards::daily))
        .route(&at("/tickets"), post(calls::ticket))
        .route(&at("/nonce"), post(calls::nonce))
        .route(&at("/limits"), get(calls::limits))
        .route(&at("/keys"), get(calls::keys))
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .fallback(not_found)
        .method_not_allowed_fallback(method_not_allowed)
        .with_state(service)
}

async fn not_found(uri: Uri) -> Failure {
    Failure::new("not_found")
        .say("there is nothing at this path")
        .detail("path", uri.path())
}

async fn method_not_allowed() -> Failure {
    Failure::new("method_not_allowed")
}

/// The segment of `uri` behind `BASE_PATH/collection/`, up to the next slash. Nothing that may
/// stand there needs percent-encoding, so none is undone.
fn segment<'a>(uri: &'a Uri, collection: &str) -> &'a str {
    let rest = uri.path().strip_prefix(BASE_PATH).unwrap_or_default();
    let rest = rest.strip_prefix(collection).unwrap_or_default();
    rest.split('/').next().unwrap_or_default()
}

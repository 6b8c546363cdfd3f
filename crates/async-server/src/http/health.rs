//! Health: whether the process lives, and whether it can serve.

use axum::body::Body;
use axum::http::{Response, StatusCode};

use super::answer::json_bytes;

/// The process answers.
pub(crate) async fn alive() -> Response<Body> {
    json_bytes(StatusCode::OK, r#"{"ok":true}"#)
}

/// Ranks are loaded: until then another router answers `not_ready`.
pub(super) async fn ready() -> Response<Body> {
    json_bytes(StatusCode::OK, r#"{"ok":true,"ready":true}"#)
}

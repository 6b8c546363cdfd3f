//! Successful answers: bytes of JSON with their length known, written at once.

use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, Response, StatusCode};
use serde::Serialize;

use crate::failure::Failure;

const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// `value` as JSON with `status`.
pub(crate) fn json(status: StatusCode, value: &impl Serialize) -> Result<Response<Body>, Failure> {
    let bytes = serde_json::to_vec(value).map_err(|error| Failure::internal(&error))?;
    Ok(json_bytes(status, bytes))
}

/// Bytes that are JSON already.
pub(crate) fn json_bytes(status: StatusCode, bytes: impl Into<Body>) -> Response<Body> {
    let mut response = Response::new(bytes.into());
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, JSON);
    response
}

//! Request bodies, read within a size and a time.

use std::time::Duration;

use axum::body::Body;
use axum::http::HeaderMap;
use axum::http::header::CONTENT_LENGTH;
use http_body_util::BodyExt;

use crate::failure::Failure;

/// What is still read of a body that is too large, so that a client that sends before it listens
/// hears the answer instead of a reset connection.
const DRAIN_BYTES_MAX: usize = 2 * 1024 * 1024;

/// Reads a body of at most `limit` bytes within `timeout`.
///
/// # Errors
/// `too_large` with the limit, `body_timeout` when it came too slowly or broke off.
pub(super) async fn read(
    headers: &HeaderMap,
    body: Body,
    limit: usize,
    timeout: Duration,
) -> Result<Vec<u8>, Failure> {
    let announced = headers
        .get(CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok());
    let announced = announced
        .and_then(|text| text.parse::<usize>().ok())
        .unwrap_or(0);
    match tokio::time::timeout(timeout, collect(body, announced, limit)).await {
        Ok(collected) => collected,
        Err(_) => Err(Failure::new("body_timeout")),
    }
}

async fn collect(mut body: Body, announced: usize, limit: usize) -> Result<Vec<u8>, Failure> {
    let too_large = || {
        Failure::new("too_large")
            .say("the body has more bytes than allowed")
            .detail("limit_bytes", limit)
    };
    if announced > DRAIN_BYTES_MAX {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(announced.min(limit));
    let mut seen = 0;
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| Failure::new("body_timeout").say("the body broke off"))?;
        let Ok(data) = frame.into_data() else {
            continue;
        };
        seen += data.len();
        if seen <= limit {
            bytes.extend_from_slice(&data);
        } else if seen > DRAIN_BYTES_MAX {
            break;
        }
    }
    if seen > limit {
        Err(too_large())
    } else {
        Ok(bytes)
    }
}

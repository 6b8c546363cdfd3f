//! What answers before the store is open: health says alive, everything else says not yet.

use std::sync::OnceLock;

use axum::Router;
use axum::routing::get;

use crate::failure::Failure;

/// The router of the moment.
#[derive(Debug)]
pub(crate) struct Gate {
    closed: Router,
    open: OnceLock<Router>,
}

impl Gate {
    pub(crate) fn new() -> Self {
        let closed = Router::new()
            .route("/healthz", get(crate::http::health::alive))
            .fallback(|| async { Failure::new("not_ready").retry_after_s(1) });
        Self {
            closed,
            open: OnceLock::new(),
        }
    }

    /// Lets requests through to `router`. Only the first call counts.
    pub(crate) fn open(&self, router: Router) {
        drop(self.open.set(router));
    }

    pub(crate) fn router(&self) -> Router {
        self.open.get().unwrap_or(&self.closed).clone()
    }
}

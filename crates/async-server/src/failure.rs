//! An answer that is not a success: matching status and `{error, code, details}`.

use async_protocol::codes::lookup;
use async_protocol::limits::RETRY_AFTER_S;
use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, Response, StatusCode};
use axum::response::IntoResponse;
use serde_json::{Map, Value, json};

/// Why a request was not granted. The status comes from the registry by the code.
///
/// Boxed, since nearly every answer is a success and the error half should not widen them all.
#[derive(Clone, Debug)]
pub(crate) struct Failure(Box<Parts>);

#[derive(Clone, Debug)]
struct Parts {
    code: &'static str,
    message: Option<String>,
    details: Map<String, Value>,
    retry_after_s: Option<u32>,
}

impl Failure {
    /// The failure of a code; its meaning is the message until [`Failure::say`] says more.
    pub(crate) fn new(code: &'static str) -> Self {
        Self(Box::new(Parts {
            code,
            message: None,
            details: Map::new(),
            retry_after_s: None,
        }))
    }

    /// More than a bounded queue can hold: come again.
    pub(crate) fn busy() -> Self {
        Self::new("busy").retry_after_s(RETRY_AFTER_S)
    }

    /// Something broke here; the log says what, the client only that.
    pub(crate) fn internal(what: &dyn std::fmt::Display) -> Self {
        tracing::error!(error = %what, "a request failed");
        Self::new("internal")
    }

    /// One line for a person.
    pub(crate) fn say(mut self, message: &str) -> Self {
        self.0.message = Some(message.to_owned());
        self
    }

    /// Adds one detail.
    pub(crate) fn detail(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.0.details.insert(name.to_owned(), value.into());
        self
    }

    /// Seconds after which it is worth trying again.
    pub(crate) fn retry_after_s(mut self, seconds: u32) -> Self {
        self.0.retry_after_s = Some(seconds);
        self
    }

    /// The stable code.
    pub(crate) fn code(&self) -> &'static str {
        self.0.code
    }

    fn status(&self) -> StatusCode {
        lookup(self.0.code)
            .and_then(|entry| StatusCode::from_u16(entry.status).ok())
            .unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    fn message(&self) -> &str {
        let meaning = || lookup(self.0.code).map_or(self.0.code, |entry| entry.meaning);
        self.0.message.as_deref().unwrap_or_else(meaning)
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response<Body> {
        tracing::debug!(code = self.0.code, message = self.message(), "not granted");
        let details = match self.0.details.is_empty() {
            true => Value::Null,
            false => Value::Object(self.0.details.clone()),
        };
        let body = json!({"error": self.message(), "code": self.0.code, "details": details});
        let mut response = Response::new(Body::from(body.to_string()));
        *response.status_mut() = self.status();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(seconds) = self.0.retry_after_s {
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl From<crate::pool::Full> for Failure {
    fn from(_: crate::pool::Full) -> Self {
        Self::busy()
    }
}

impl From<async_identity::Error> for Failure {
    fn from(error: async_identity::Error) -> Self {
        Self::new(error.code()).say(&error.to_string())
    }
}

impl From<async_protocol::Error> for Failure {
    fn from(error: async_protocol::Error) -> Self {
        Self::new(error.code()).say(&error.to_string())
    }
}

impl From<async_store::Error> for Failure {
    fn from(error: async_store::Error) -> Self {
        if error.retry() {
            tracing::error!(%error, "the store refuses");
        }
        let failure = Self::new(error.code()).say(&error.to_string());
        let failure = if error.retry() {
            failure.retry_after_s(RETRY_AFTER_S)
        } else {
            failure
        };
        match error {
            async_store::Error::DuplicateRun(run) => failure.detail("run", run.to_string()),
            _ => failure,
        }
    }
}

/// Ids on the wire are the run format's: all that can be wrong with one is its text.
impl From<async_replay::Error> for Failure {
    fn from(_: async_replay::Error) -> Self {
        Self::new("bad_id")
    }
}

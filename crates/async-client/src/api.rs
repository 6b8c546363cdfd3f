//! The run API over HTTP: requests built, answers read. Nothing here waits or sends.

use async_identity::{Call, PlayerKey};
use async_protocol::codes::{self, Fault};
use async_protocol::limits::{HTTP_TIMEOUT_MS, URL_MAX_BYTES};
use async_protocol::wire::{ErrorBody, NonceAnswer, SubmitAnswer, headers};
use async_protocol::{Status, Verdict};
use data_encoding::HEXLOWER;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Error;
use crate::commands::HttpRequest;

/// Where the run API is, and in whose name it is called.
#[derive(Clone, Debug)]
pub(crate) struct Api {
    /// `apiUrl` without a slash at its end.
    base: String,
    /// Where the path begins in `base`.
    path_at: usize,
    api_key: String,
    app: String,
}

/// An answer of the server.
#[derive(Debug)]
pub(crate) struct Response<'a> {
    pub(crate) status: u16,
    pub(crate) headers: &'a [(String, String)],
    pub(crate) body: &'a [u8],
}

/// Why a request has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) code: String,
    pub(crate) msg: String,
    /// Who can do something about it.
    pub(crate) fault: Fault,
    /// What the server asks to wait, in milliseconds.
    pub(crate) after_ms: Option<u64>,
    /// What the verification of a refused run found.
    pub(crate) verdict: Option<Box<Verdict>>,
}

impl Api {
    /// The API at `url`; none where it is empty.
    ///
    /// # Errors
    /// `bad_url`: not http or https, no host, or a query or fragment behind.
    pub(crate) fn new(url: &str, api_key: &str, app: &str) -> Result<Option<Self>, Error> {
        if url.is_empty() {
            return Ok(None);
        }
        let base = url.trim_end_matches('/');
        let rest = base
            .strip_prefix("https://")
            .or_else(|| base.strip_prefix("http://"));
        let rest = rest.filter(|rest| !rest.is_empty() && !rest.starts_with('/'));
        let plain = |byte: u8| byte.is_ascii_graphic() && !b"?#\"<>\\^`{|}".contains(&byte);
        let Some(rest) = rest.filter(|rest| rest.len() < URL_MAX_BYTES && rest.bytes().all(plain))
        else {
            return Err(Error::BadUrl(format!(
                "`apiUrl` is http:// or https://, a host and a path, not {url:?}"
            )));
        };
        let host_at = base.len() - rest.len();
        let path_at = host_at + rest.find('/').unwrap_or(rest.len());
        Ok(Some(Self {
            base: base.to_owned(),
            path_at,
            api_key: api_key.to_owned(),
            app: app.to_owned(),
        }))
    }

    /// The base URL, without a slash at its end.
    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    /// A request for `path` (with its query) below the base.
    pub(crate) fn get(&self, path: &str) -> HttpRequest {
        self.request("GET", path, Vec::new())
    }

    /// A request that sends a run.
    pub(crate) fn post_run(&self, run: &[u8]) -> HttpRequest {
        let mut http = self.request("POST", "/runs", run.to_vec());
        http.headers
            .push(("content-type".into(), "application/octet-stream".into()));
        http
    }

    /// A request that sends JSON.
    pub(crate) fn post_json(&self, path: &str, body: &impl Serialize) -> HttpRequest {
        let mut http = self.request("POST", path, serde_json::to_vec(body).unwrap_or_default());
        http.headers
            .push(("content-type".into(), "application/json".into()));
        http
    }

    /// Signs a request with a nonce of the server.
    pub(crate) fn sign(
        &self,
        http: &mut HttpRequest,
        key: &PlayerKey,
        nonce: &NonceAnswer,
    ) -> Result<(), Error> {
        let bytes = HEXLOWER
            .decode(nonce.nonce.as_bytes())
            .map_err(|_| Error::BadAnswer("a nonce is lower-case hex".into()))?;
        let signature = key.sign_call(&Call {
            server: &nonce.server,
            app: &nonce.app,
            method: http.method,
            path_and_query: http.url.get(self.path_at..).unwrap_or("/"),
            body: &http.body,
            nonce: &bytes,
        })?;
        let mut add = |name: &str, value: String| http.headers.push((name.to_owned(), value));
        add(headers::PLAYER, HEXLOWER.encode(&key.player()));
        add(headers::NONCE, nonce.nonce.clone());
        add(headers::SIGNATURE, HEXLOWER.encode(&signature));
        Ok(())
    }

    fn request(&self, method: &'static str, path: &str, body: Vec<u8>) -> HttpRequest {
        let mut list = Vec::new();
        for (name, value) in [(headers::API_KEY, &self.api_key), (headers::APP, &self.app)] {
            if !value.is_empty() {
                list.push((name.to_owned(), value.clone()));
            }
        }
        HttpRequest {
            request: 0,
            method,
            url: format!("{}{path}", self.base),
            headers: list,
            body,
            timeout_ms: HTTP_TIMEOUT_MS,
        }
    }
}

/// The query of a request, with what is absent left out.
#[derive(Debug, Default)]
pub(crate) struct Query(String);

impl Query {
    pub(crate) fn add(mut self, name: &str, value: Option<&str>) -> Self {
        if let Some(value) = value {
            self.0.push(if self.0.is_empty() { '?' } else { '&' });
            self.0.push_str(name);
            self.0.push('=');
            escape(value, &mut self.0);
        }
        self
    }

    pub(crate) fn text(self) -> String {
        self.0
    }
}

/// Writes `text` so that it is one part of a path or a query.
pub(crate) fn escape(text: &str, out: &mut String) {
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push('%');
            out.push_str(&data_encoding::HEXUPPER.encode(&[byte]));
        }
    }
}

impl Response<'_> {
    /// The answer as `T`, or why there is none.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        if !(200..300).contains(&self.status) {
            return Err(self.failure());
        }
        serde_json::from_slice(self.body).map_err(|error| self.nonsense(&error.to_string()))
    }

    /// The answer to a submit. A refusal may come with an error status and the same body.
    pub(crate) fn submit_answer(&self) -> Result<SubmitAnswer, Failure> {
        match serde_json::from_slice::<SubmitAnswer>(self.body) {
            Ok(answer) if answer.status == Status::Refused => Ok(answer),
            _ => self.read(),
        }
    }

    /// The body of a successful answer as it came.
    pub(crate) fn bytes(&self) -> Result<&[u8], Failure> {
        if (200..300).contains(&self.status) {
            Ok(self.body)
        } else {
            Err(self.failure())
        }
    }

    fn failure(&self) -> Failure {
        let Ok(body) = serde_json::from_slice::<ErrorBody>(self.body) else {
            return self.nonsense(&format!("status {}", self.status));
        };
        // 429 and 5xx ask to come again, whatever the code says about whose fault it is.
        let fault = match (self.status, codes::lookup(&body.code)) {
            (408 | 429 | 500.., _) => Fault::Server,
            // What the call says is wrong, and saying it again would not change that.
            (400 | 409 | 410 | 413 | 422, Some(entry)) if entry.fault == Fault::Caller => {
                Fault::Run
            }
            (_, Some(entry)) => entry.fault,
            (_, None) => Fault::Caller,
        };
        let verdict = body.details.get("verdict").cloned();
        Failure {
            code: body.code,
            msg: body.error,
            fault,
            after_ms: self.retry_after_ms(),
            verdict: verdict.and_then(|verdict| serde_json::from_value(verdict).ok()),
        }
    }

    /// An answer that this server would not give: a proxy, a captive portal, another service.
    fn nonsense(&self, msg: &str) -> Failure {
        Failure {
            code: "bad_answer".into(),
            msg: format!("the server's answer makes no sense: {msg}"),
            fault: Fault::Network,
            after_ms: self.retry_after_ms(),
            verdict: None,
        }
    }

    fn retry_after_ms(&self) -> Option<u64> {
        let found = self
            .headers
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case("retry-after"));
        let seconds: u64 = found?.1.trim().parse().ok()?;
        Some(seconds.saturating_mul(1_000))
    }
}

impl Failure {
    /// The code where nobody answered.
    pub(crate) const UNREACHABLE: &str = "unreachable";

    /// No answer was had.
    pub(crate) fn unreachable(msg: &str) -> Self {
        Self {
            code: Self::UNREACHABLE.into(),
            msg: if msg.is_empty() {
                "no answer was had".into()
            } else {
                msg.to_owned()
            },
            fault: Fault::Network,
            after_ms: None,
            verdict: None,
        }
    }

    /// An answer that was had and is wrong.
    pub(crate) fn wrong(error: &Error) -> Self {
        Self {
            code: error.code().to_owned(),
            msg: error.to_string(),
            fault: Fault::Server,
            after_ms: None,
            verdict: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn api(url: &str) -> Api {
        Api::new(url, "key", "app").unwrap().unwrap()
    }

    #[test]
    fn a_url_is_whole_or_refused() {
        assert!(Api::new("", "", "").unwrap().is_none());
        for wrong in [
            "h",
            "ftp://h",
            "http://",
            "http:///x",
            "http://h/?q",
            "http://h/ x",
            "ws://h",
        ] {
            assert_eq!(
                Api::new(wrong, "", "").unwrap_err().code(),
                "bad_url",
                "{wrong}"
            );
        }
        assert_eq!(
            api("http://h/api/v1/async/").get("/daily").url,
            "http://h/api/v1/async/daily"
        );
    }

    #[test]
    fn a_signed_request_covers_the_path_as_it_is_sent() {
        let key = PlayerKey::from_seed([1; 32]);
        let nonce = NonceAnswer {
            nonce: "00".repeat(32),
            server: "s".into(),
            app: "app".into(),
            lifetime_ms: 1,
            server_ms: 1,
        };
        let mut http = api("http://h:1/api/v1/async").post_json("/tickets?x=1", &1);
        api("http://h:1/api/v1/async")
            .sign(&mut http, &key, &nonce)
            .unwrap();
        let signature = http
            .headers
            .iter()
            .find(|(name, _)| name == "x-signature")
            .unwrap();
        let signature = HEXLOWER
            .decode(signature.1.as_bytes())
            .unwrap()
            .try_into()
            .unwrap();
        let call = Call {
            server: "s",
            app: "app",
            method: "POST",
            path_and_query: "/api/v1/async/tickets?x=1",
            body: b"1",
            nonce: &[0; 32],
        };
        async_identity::verify_call(&key.player(), &call, &signature).unwrap();
    }

    #[test]
    fn failures_say_who_can_help() {
        let headers = [("Retry-After".to_owned(), "7".to_owned())];
        let busy = Response {
            status: 503,
            headers: &headers,
            body: b"<html>",
        };
        let failure = busy.read::<u32>().unwrap_err();
        assert_eq!(
            (failure.fault, failure.after_ms),
            (Fault::Network, Some(7_000))
        );
        let portal = Response {
            status: 200,
            headers: &[],
            body: b"<html>please log in",
        };
        assert_eq!(portal.read::<u32>().unwrap_err().code, "bad_answer");
        let body = br#"{"error": "e", "code": "whatever", "details": null}"#;
        let unknown = Response {
            status: 429,
            headers: &[],
            body,
        };
        assert_eq!(unknown.read::<u32>().unwrap_err().fault, Fault::Server);
    }

    #[test]
    fn queries_are_escaped() {
        let query = Query::default()
            .add("a", Some("b c/ä"))
            .add("n", None)
            .add("z", Some("1"));
        assert_eq!(query.text(), "?a=b%20c%2F%C3%A4&z=1");
    }
}

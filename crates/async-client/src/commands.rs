//! What a session asks of its host, and what the host answers. A command is tagged `c` in JSON, an
//! answer `a`; bytes are padded base64.
//!
//! | command | answer |
//! |---|---|
//! | `connect`, `send`, `close` | `opened`, `text`, `closed` |
//! | `http` | `http_done` or `http_failed`, once for each request |
//! | `store`, `append`, `load`, `erase` | in order `stored`, `loaded`, `erased`, `store_failed` |
//!
//! A host carries out the storage commands in the order they came. `stored` promises that the bytes
//! survive a crash. Keys are made of `a-z 0-9 _ - /`.

use data_encoding::BASE64;
use serde_json::{Map, Value, json};

use crate::Error;
use crate::args::{bad, read_bytes, read_whole};

/// Largest bytes of an answer that are taken.
pub const ANSWER_BYTES_MAX: usize = 64 << 20;

/// An HTTP request to make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpRequest {
    /// Number to give back with the answer.
    pub request: u64,
    /// `GET` or `POST`.
    pub method: &'static str,
    /// The whole URL.
    pub url: String,
    /// Names (lower case) and values.
    pub headers: Vec<(String, String)>,
    /// The body; empty for none.
    pub body: Vec<u8>,
    /// How long the host may take, in milliseconds.
    pub timeout_ms: u32,
}

/// Work for the host.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Command {
    /// Open a WebSocket.
    Connect {
        /// Number of the connection.
        session: u32,
        /// Where to.
        url: String,
        /// The session's configuration: `{model, transport: {url}}`.
        config: Value,
    },
    /// Send a text frame.
    Send {
        /// Number of the connection.
        session: u32,
        /// The frame.
        text: String,
    },
    /// Close a WebSocket.
    Close {
        /// Number of the connection.
        session: u32,
    },
    /// Make an HTTP request.
    Http(HttpRequest),
    /// Replace the value of a key, durably and at once.
    Store {
        /// The key.
        key: String,
        /// The value.
        bytes: Vec<u8>,
    },
    /// Add to the value of a key, durably.
    Append {
        /// The key.
        key: String,
        /// What to add.
        bytes: Vec<u8>,
    },
    /// Read the value of a key.
    Load {
        /// The key.
        key: String,
    },
    /// Remove a key.
    Erase {
        /// The key.
        key: String,
    },
}

impl Command {
    /// The command as JSON, tagged `c`.
    pub fn to_json(&self) -> Value {
        match self {
            Self::Connect {
                session,
                url,
                config,
            } => {
                json!({"c": "connect", "session": session, "url": url, "config": config})
            }
            Self::Send { session, text } => json!({"c": "send", "session": session, "text": text}),
            Self::Close { session } => json!({"c": "close", "session": session}),
            Self::Http(http) => http_json(http),
            Self::Store { key, bytes } => {
                json!({"c": "store", "key": key, "bytes": BASE64.encode(bytes)})
            }
            Self::Append { key, bytes } => {
                json!({"c": "append", "key": key, "bytes": BASE64.encode(bytes)})
            }
            Self::Load { key } => json!({"c": "load", "key": key}),
            Self::Erase { key } => json!({"c": "erase", "key": key}),
        }
    }
}

fn http_json(http: &HttpRequest) -> Value {
    let headers: Map<String, Value> = http
        .headers
        .iter()
        .map(|(k, v)| (k.clone(), Value::from(v.as_str())))
        .collect();
    json!({
        "c": "http", "request": http.request, "method": http.method, "url": http.url,
        "headers": headers, "body": BASE64.encode(&http.body), "timeout_ms": http.timeout_ms,
    })
}

/// What the host found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Answer {
    /// The WebSocket is open.
    Opened {
        /// Number of the connection.
        session: u32,
    },
    /// A text frame came.
    Text {
        /// Number of the connection.
        session: u32,
        /// The frame.
        text: String,
    },
    /// The WebSocket is closed, or could not be opened.
    Closed {
        /// Number of the connection.
        session: u32,
        /// Why, for a person.
        msg: String,
    },
    /// The server answered, with whatever status.
    HttpDone {
        /// The request's number.
        request: u64,
        /// HTTP status.
        status: u16,
        /// Names (any case) and values.
        headers: Vec<(String, String)>,
        /// The body.
        body: Vec<u8>,
    },
    /// No answer was had.
    HttpFailed {
        /// The request's number.
        request: u64,
        /// Why, for a person.
        msg: String,
    },
    /// The bytes are durable.
    Stored {
        /// The key.
        key: String,
    },
    /// The value of a key.
    Loaded {
        /// The key.
        key: String,
        /// None where the key has no value.
        bytes: Option<Vec<u8>>,
    },
    /// The key is gone.
    Erased {
        /// The key.
        key: String,
    },
    /// A storage command failed.
    StoreFailed {
        /// The key.
        key: String,
        /// Why, for a person.
        msg: String,
    },
}

impl Answer {
    /// Reads an answer, tagged `a`.
    ///
    /// # Errors
    /// `bad_arguments`: the tag is unknown, or a field is missing or of another type.
    pub fn from_json(value: &Value) -> Result<Self, Error> {
        let fields = Fields(value);
        match fields.text("a")?.as_str() {
            "opened" => Ok(Self::Opened {
                session: fields.session()?,
            }),
            "text" => Ok(Self::Text {
                session: fields.session()?,
                text: fields.text("text")?,
            }),
            "closed" => Ok(Self::Closed {
                session: fields.session()?,
                msg: fields.msg(),
            }),
            "http_done" => fields.http_done(),
            "http_failed" => Ok(Self::HttpFailed {
                request: fields.request()?,
                msg: fields.msg(),
            }),
            "stored" => Ok(Self::Stored {
                key: fields.text("key")?,
            }),
            "loaded" => Ok(Self::Loaded {
                key: fields.text("key")?,
                bytes: fields.bytes("bytes")?,
            }),
            "erased" => Ok(Self::Erased {
                key: fields.text("key")?,
            }),
            "store_failed" => Ok(Self::StoreFailed {
                key: fields.text("key")?,
                msg: fields.msg(),
            }),
            other => Err(bad(&format!("`{}` is no answer", other.escape_debug()))),
        }
    }
}

/// The fields of an answer in JSON.
struct Fields<'a>(&'a Value);

impl Fields<'_> {
    fn text(&self, name: &str) -> Result<String, Error> {
        match self.0.get(name) {
            Some(Value::String(text)) => Ok(text.clone()),
            _ => Err(bad(&format!("an answer's `{name}` is a text"))),
        }
    }

    fn msg(&self) -> String {
        self.text("msg").unwrap_or_default()
    }

    fn number(&self, name: &str) -> Result<u64, Error> {
        self.0
            .get(name)
            .and_then(read_whole)
            .and_then(|number| u64::try_from(number).ok())
            .ok_or_else(|| bad(&format!("an answer's `{name}` is a whole number from 0")))
    }

    fn session(&self) -> Result<u32, Error> {
        u32::try_from(self.number("session")?).map_err(|_| bad("`session` is too large"))
    }

    fn request(&self) -> Result<u64, Error> {
        self.number("request")
    }

    fn bytes(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => read_bytes(name, text, ANSWER_BYTES_MAX).map(Some),
            Some(_) => Err(bad(&format!("an answer's `{name}` is padded base64"))),
        }
    }

    fn http_done(&self) -> Result<Answer, Error> {
        let headers = match self.0.get("headers") {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Object(map)) => map
                .iter()
                .filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())))
                .collect(),
            Some(_) => return Err(bad("an answer's `headers` is an object")),
        };
        Ok(Answer::HttpDone {
            request: self.request()?,
            status: u16::try_from(self.number("status")?)
                .map_err(|_| bad("`status` is an HTTP status"))?,
            headers,
            body: self.bytes("body")?.unwrap_or_default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_tagged_c() {
        let store = Command::Store {
            key: "identity".into(),
            bytes: vec![1, 2],
        };
        assert_eq!(
            store.to_json(),
            json!({"c": "store", "key": "identity", "bytes": "AQI="})
        );
        let http = Command::Http(HttpRequest {
            request: 7,
            method: "GET",
            url: "http://h/limits".into(),
            headers: vec![("x-app".into(), "a".into())],
            body: Vec::new(),
            timeout_ms: 9,
        });
        assert_eq!(http.to_json()["headers"]["x-app"], "a");
        assert_eq!(http.to_json()["body"], "");
    }

    #[test]
    fn answers_are_read_or_refused() {
        let done = json!({"a": "http_done", "request": 1, "status": 200,
                          "headers": {"ETag": "x"}, "body": "e30="});
        assert_eq!(
            Answer::from_json(&done).unwrap(),
            Answer::HttpDone {
                request: 1,
                status: 200,
                headers: vec![("ETag".into(), "x".into())],
                body: b"{}".to_vec()
            }
        );
        let doubles = json!({"a": "http_done", "request": 1.0, "status": 200.0,
                             "headers": {"ETag": "x"}, "body": "e30="});
        let read = |answer| Answer::from_json(answer).unwrap();
        assert_eq!(read(&doubles), read(&done));
        let none = json!({"a": "loaded", "key": "k", "bytes": null});
        assert_eq!(
            Answer::from_json(&none).unwrap(),
            Answer::Loaded {
                key: "k".into(),
                bytes: None
            }
        );
        for wrong in [
            json!({}),
            json!([]),
            json!({"a": "x"}),
            json!({"a": "stored"}),
            json!({"a": "opened", "session": -1}),
            json!({"a": "opened", "session": 1.5}),
            json!({"a": "opened", "session": true}),
            json!({"a": "http_done", "request": 1, "status": 70_000}),
            json!({"a": "loaded", "key": "k", "bytes": "!"}),
        ] {
            assert_eq!(
                Answer::from_json(&wrong).unwrap_err().code(),
                "bad_arguments",
                "{wrong}"
            );
        }
    }
}

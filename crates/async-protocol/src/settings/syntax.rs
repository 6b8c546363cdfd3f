//! Which texts a setting allows, and the form they are kept in.

use crate::{board, limits, names};

/// The syntax of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Syntax {
    /// No control characters, within a length.
    Printable {
        /// Fewest bytes.
        min_bytes: usize,
        /// Most bytes.
        max_bytes: usize,
    },
    /// Empty, or a key as boards and apps have them ([`board::check_key`]).
    Key,
    /// The same; a name of its own for the message.
    BoardKey,
    /// A player name, cleaned ([`names::clean`]).
    PlayerName,
    /// Empty, or `http://…` or `https://…`; a slash at the end is dropped.
    HttpUrl,
    /// Empty, or `ws://…` or `wss://…`.
    SocketUrl,
    /// Visible ASCII, as an HTTP header carries it.
    HeaderValue,
}

impl Syntax {
    /// What is allowed, for a message: "allowed is …".
    #[must_use]
    pub fn allowed(self) -> String {
        match self {
            Self::Printable {
                min_bytes: 0,
                max_bytes,
            } => {
                format!("a text of at most {max_bytes} bytes without control characters")
            }
            Self::Printable {
                min_bytes,
                max_bytes,
            } => {
                format!("a text of {min_bytes} to {max_bytes} bytes without control characters")
            }
            Self::Key | Self::BoardKey => format!("an empty text or {}", board::KEY_SYNTAX),
            Self::PlayerName => format!(
                "a text of at most {} characters and {} bytes",
                limits::PLAYER_NAME_MAX_GRAPHEMES,
                limits::PLAYER_NAME_MAX_BYTES
            ),
            Self::HttpUrl => url_allowed("http", "https"),
            Self::SocketUrl => url_allowed("ws", "wss"),
            Self::HeaderValue => {
                format!(
                    "a text of at most {} visible ASCII characters",
                    limits::API_KEY_MAX_BYTES
                )
            }
        }
    }

    /// The regular expression of a JSON Schema, where one says it.
    #[must_use]
    pub fn pattern(self) -> Option<&'static str> {
        match self {
            Self::Printable { .. } | Self::PlayerName => None,
            Self::Key | Self::BoardKey => Some("^([A-Za-z0-9][A-Za-z0-9._-]{0,63})?$"),
            Self::HttpUrl => Some("^(https?://[!-~]+)?$"),
            Self::SocketUrl => Some("^(wss?://[!-~]+)?$"),
            Self::HeaderValue => Some("^[!-~]{0,256}$"),
        }
    }

    /// The text as it is kept, or `None` if it is not allowed.
    #[must_use]
    pub fn accept(self, text: &str) -> Option<String> {
        match self {
            Self::Printable {
                min_bytes,
                max_bytes,
            } => {
                let fits = (min_bytes..=max_bytes).contains(&text.len());
                (fits && !text.contains(char::is_control)).then(|| text.to_owned())
            }
            Self::Key | Self::BoardKey => {
                (text.is_empty() || board::check_key(text).is_ok()).then(|| text.to_owned())
            }
            Self::PlayerName => names::clean(text).ok(),
            Self::HttpUrl => {
                url(text, ["http://", "https://"]).map(|url| url.trim_end_matches('/').to_owned())
            }
            Self::SocketUrl => url(text, ["ws://", "wss://"]).map(str::to_owned),
            Self::HeaderValue => {
                let visible = text.bytes().all(|byte| byte.is_ascii_graphic());
                (visible && text.len() <= limits::API_KEY_MAX_BYTES).then(|| text.to_owned())
            }
        }
    }
}

fn url_allowed(plain: &str, secure: &str) -> String {
    let most = limits::URL_MAX_BYTES;
    format!("an empty text or a URL {plain}://host or {secure}://host of at most {most} bytes")
}

/// A URL of one of the schemes with a host; visible ASCII only, so that nothing can hide in it.
fn url<'a>(text: &'a str, schemes: [&str; 2]) -> Option<&'a str> {
    if text.is_empty() {
        return Some(text);
    }
    let plain = text.len() <= limits::URL_MAX_BYTES && text.bytes().all(|b| b.is_ascii_graphic());
    let rest = schemes
        .iter()
        .find_map(|scheme| text.strip_prefix(scheme))?;
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    (plain && !host.is_empty()).then_some(text)
}

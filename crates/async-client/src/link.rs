//! The session path: a WebSocket to `net.transport.url`. So far it connects, and says when the
//! server refuses; runs go over HTTP.

use serde_json::Value;

use crate::commands::Command;
use crate::entropy::Entropy;
use crate::events::Event;
use crate::outbox::backoff::Backoff;

/// Number of the only connection of a session.
const SESSION: u32 = 1;
/// Longest text that is looked at.
const TEXT_MAX_BYTES: usize = 65_536;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Off,
    Closed {
        due_ms: u64,
    },
    Opening,
    Open,
    /// The server does not want this game; asking again would not help.
    Refused,
}

/// The connection of a session.
#[derive(Debug)]
pub(crate) struct Link {
    url: String,
    config: Value,
    reconnect: bool,
    state: State,
    backoff: Backoff,
}

impl Link {
    /// No URL, no connection.
    pub(crate) fn new(url: &str, config: Value, reconnect: bool) -> Self {
        let state = if url.is_empty() {
            State::Off
        } else {
            State::Closed { due_ms: 0 }
        };
        Self {
            url: url.to_owned(),
            config,
            reconnect,
            state,
            backoff: Backoff::default(),
        }
    }

    /// What a host may show about the connection: its number, configuration and state.
    pub(crate) fn describe(&self) -> Option<(u32, &Value, &'static str)> {
        let state = match self.state {
            State::Off => return None,
            State::Closed { .. } => "closed",
            State::Opening => "opening",
            State::Open => "open",
            State::Refused => "refused",
        };
        Some((SESSION, &self.config, state))
    }

    /// The next command, if one is due.
    pub(crate) fn command(&mut self, now_ms: u64) -> Option<Command> {
        match self.state {
            State::Closed { due_ms } if due_ms <= now_ms => {
                self.state = State::Opening;
                Some(Command::Connect {
                    session: SESSION,
                    url: self.url.clone(),
                    config: self.config.clone(),
                })
            }
            _ => None,
        }
    }

    pub(crate) fn opened(&mut self, session: u32) {
        if session == SESSION && self.state == State::Opening {
            self.state = State::Open;
            self.backoff.succeeded();
        }
    }

    pub(crate) fn closed(&mut self, session: u32, now_ms: u64, entropy: &mut Entropy) {
        if session != SESSION || matches!(self.state, State::Off | State::Refused) {
            return;
        }
        self.state = if self.reconnect {
            State::Closed {
                due_ms: now_ms + self.backoff.failed(None, entropy),
            }
        } else {
            State::Off
        };
    }

    /// A frame of the server; `refused` is the one that is understood so far.
    pub(crate) fn text(&mut self, session: u32, text: &str) -> Option<Event> {
        if session != SESSION || text.len() > TEXT_MAX_BYTES {
            return None;
        }
        let frame: Value = serde_json::from_str(text).ok()?;
        if frame.get("t")?.as_str()? != "refused" {
            return None;
        }
        self.state = State::Refused;
        let field = |name: &str| {
            frame
                .get(name)
                .and_then(Value::as_str)
                .unwrap_or("")
                .to_owned()
        };
        Some(Event::SessionRefused {
            code: field("code"),
            msg: field("msg"),
        })
    }
}

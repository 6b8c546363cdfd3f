//! What a session tells its host, each thing once. In JSON an event is an object tagged `e` with
//! its full name and the fields of the reference, plus some of ours.

use async_protocol::Verdict;
use async_protocol::wire::{BoardAnswer, DailyAnswer, SubmitAnswer, TicketAnswer};
use async_replay::{PlayerId, RunId};
use data_encoding::BASE64;
use serde::Serialize;
use serde_json::{Value, json};

use crate::args::write_integer;
use crate::session::RunSummary;

/// A run that was fetched and can now be loaded as a ghost by its id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchedRun {
    /// The run.
    pub id: RunId,
    /// Who played.
    pub player: Option<PlayerId>,
    /// The player's name.
    pub name: String,
    /// The score as the run says.
    pub score: i64,
    /// Frames of the run.
    pub frames: u32,
    /// Size of the file in bytes.
    pub bytes: usize,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A recording stopped; `export` returns it.
    Recorded {
        /// The run.
        summary: RunSummary,
        /// It was cut by a crash and opened again at the start of this session.
        recovered: bool,
    },
    /// The outbox has the run on disk; it will be sent.
    Queued {
        /// The submit.
        request: u64,
        /// The run.
        id: RunId,
    },
    /// The server verified or refused a run.
    Submitted {
        /// The submit.
        request: u64,
        /// The server's answer.
        answer: Box<SubmitAnswer>,
    },
    /// The server refused to take a run at all: damaged, a duplicate of another player's, …
    Refused {
        /// The submit.
        request: u64,
        /// The run.
        id: RunId,
        /// The stable code.
        code: String,
        /// For a person.
        msg: String,
        /// What its verification found, where it came so far.
        verdict: Option<Box<Verdict>>,
    },
    /// Runs were fetched.
    Fetched {
        /// The request.
        request: u64,
        /// The runs, in the order of the board.
        runs: Vec<FetchedRun>,
    },
    /// A board came.
    Board {
        /// The request.
        request: u64,
        /// The page.
        answer: Box<BoardAnswer>,
    },
    /// The daily came.
    Daily {
        /// The request.
        request: u64,
        /// The challenge.
        answer: DailyAnswer,
    },
    /// A ticket came.
    Ticket {
        /// The request.
        request: u64,
        /// The ticket.
        answer: TicketAnswer,
    },
    /// No answer was had; final unless it is tried again.
    Failed {
        /// The request.
        request: u64,
        /// The stable code.
        code: String,
        /// For a person.
        msg: String,
        /// In how many milliseconds it is tried again by itself.
        retry_ms: Option<u64>,
    },
    /// A ghost reached the end of its run.
    GhostEnd {
        /// The ghost.
        ghost: u64,
        /// Its run.
        id: RunId,
    },
    /// The server of the session path refused the handshake.
    SessionRefused {
        /// The stable code.
        code: String,
        /// For a person.
        msg: String,
    },
}

impl Event {
    /// The event's full name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Recorded { .. } => "net.async.recorded",
            Self::Queued { .. } => "net.async.queued",
            Self::Submitted { .. } | Self::Refused { .. } => "net.async.submitted",
            Self::Fetched { .. } => "net.async.fetched",
            Self::Board { .. } => "net.async.board",
            Self::Daily { .. } => "net.async.daily",
            Self::Ticket { .. } => "net.async.ticket",
            Self::Failed { .. } => "net.async.failed",
            Self::GhostEnd { .. } => "net.async.ghost_end",
            Self::SessionRefused { .. } => "net.refused",
        }
    }

    /// The request whose result this is.
    pub fn request(&self) -> Option<u64> {
        match self {
            Self::Queued { request, .. }
            | Self::Submitted { request, .. }
            | Self::Refused { request, .. }
            | Self::Fetched { request, .. }
            | Self::Board { request, .. }
            | Self::Daily { request, .. }
            | Self::Ticket { request, .. }
            | Self::Failed { request, .. } => Some(*request),
            Self::Recorded { .. } | Self::GhostEnd { .. } | Self::SessionRefused { .. } => None,
        }
    }

    /// The event as JSON, tagged `e`.
    pub fn to_json(&self) -> Value {
        let mut value = self.fields();
        if let Some(map) = value.as_object_mut() {
            map.insert("e".to_owned(), self.name().into());
            if let Some(request) = self.request() {
                map.insert("request".to_owned(), request.into());
            }
        }
        value
    }

    fn fields(&self) -> Value {
        match self {
            Self::Recorded { summary, recovered } => json!({
                "id": summary.id.to_string(), "bytes": summary.bytes, "frames": summary.frames,
                "score": write_integer(summary.score), "truncated": summary.truncated,
                "recovered": recovered,
            }),
            Self::Queued { id, .. } => json!({"id": id.to_string()}),
            Self::Submitted { answer, .. } => with_rank(wire(answer)),
            Self::Refused {
                id,
                code,
                msg,
                verdict,
                ..
            } => json!({
                "ok": false, "id": id.to_string(), "score": null, "rank": null, "code": code,
                "msg": msg, "status": "refused", "verdict": verdict,
            }),
            Self::Fetched { runs, .. } => {
                json!({"runs": runs.iter().map(FetchedRun::to_json).collect::<Vec<_>>()})
            }
            Self::Board { answer, .. } => wire(answer),
            Self::Daily { answer, .. } => wire(answer),
            Self::Ticket { answer, .. } => wire(answer),
            Self::Failed {
                code,
                msg,
                retry_ms: None,
                ..
            } => json!({"code": code, "msg": msg}),
            Self::Failed {
                code,
                msg,
                retry_ms,
                ..
            } => {
                json!({"code": code, "msg": msg, "retry_ms": retry_ms})
            }
            Self::GhostEnd { ghost, id } => json!({"ghost": ghost, "id": id.to_string()}),
            Self::SessionRefused { code, msg } => json!({"code": code, "msg": msg}),
        }
    }
}

impl FetchedRun {
    fn to_json(&self) -> Value {
        json!({
            "id": self.id.to_string(), "player": self.player.map(|player| player.to_string()),
            "name": self.name, "score": write_integer(self.score), "frames": self.frames,
            "bytes": self.bytes,
        })
    }
}

/// A wire type as the JSON it has on the wire. These types always serialize.
fn wire(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_else(|_| json!({}))
}

/// The reference's event has a `rank`; a run that does not rank has none to tell.
fn with_rank(mut value: Value) -> Value {
    if let Some(map) = value.as_object_mut() {
        map.entry("rank").or_insert(Value::Null);
    }
    value
}

/// Bytes as JSON carries them.
pub(crate) fn base64(bytes: &[u8]) -> Value {
    BASE64.encode(bytes).into()
}

//! The kit net.async: a session that records runs, submits them, and plays ghosts.
//!
//! [`Session`] is sans IO. A host calls it, feeds it time ([`Session::tick`]) and answers
//! ([`Session::feed`]), carries out its [`Command`]s and shows its [`Event`]s. The same session
//! drives a Rust game by its typed methods, any other by JSON ([`Session::call`]), and a test by a
//! virtual clock. With the feature `native`, `native::NativeDriver` carries out the commands with
//! files and HTTP.
//!
//! ```
//! use async_client::{RecordOptions, Session};
//! use serde_json::json;
//!
//! let kits = [("net.async", json!({"board": "first", "frameHz": 60}))];
//! let mut session = Session::new(&kits, [7; 32])?;
//! session.record_start(&RecordOptions::default())?;
//! session.tick(0.1, None);
//! let run = session.record_stop(None)?;
//! assert_eq!(run.frames, 6);
//! assert!(session.verify(session.export(None)?, None)?.accepted());
//! # Ok::<(), async_client::Error>(())
//! ```

mod api;
mod args;
mod call;
mod clock;
mod commands;
mod controls;
mod device;
mod entropy;
mod error;
mod events;
mod ghosts;
mod kits;
mod known_server;
mod link;
#[cfg(feature = "native")]
pub mod native;
mod online;
mod outbox;
mod recorder;
mod runs;
mod session;
mod storage_keys;

pub use commands::{ANSWER_BYTES_MAX, Answer, Command, HttpRequest};
pub use error::{CODES, Error};
pub use events::{Event, FetchedRun};
pub use ghosts::{CHANNELS_MAX, Gap, GhostInfo, GhostOptions, GhostState, Play, Pose, SPEED_MAX};
pub use kits::Kits;
pub use online::REQUESTS_MAX;
pub use online::jobs::{BoardRequest, FETCH_MAX, Pick};
pub use outbox::{OUTBOX_RUNS_MAX, Waiting};
pub use recorder::{EngineSample, Recorded, Recorder, Turn};
pub use runs::{FETCHED_MAX, Frozen, RECORDED_MAX};
pub use session::{RecordOptions, RunSummary, Session};

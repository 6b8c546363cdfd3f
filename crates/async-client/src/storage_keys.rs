//! Keys of the host's store that have no owner of their own; the outbox and the identity have.

use async_replay::RunId;

/// The recording as it grows, and the last run until the next recording starts.
pub(crate) const RECORDING: &str = "recording";

/// The trace of a recorded run.
pub(crate) fn trace(run: RunId) -> String {
    format!("trace/{run}")
}

/// The server's receipt for a run.
pub(crate) fn receipt(run: RunId) -> String {
    format!("receipt/{run}")
}

//! What a check can find, and its stable code.

use async_protocol::Status;

/// Every code that a verdict or an error of this crate can carry beside those of the crates that
/// it passes on (`async-core`, `async-replay`, `async-identity`).
pub const CODES: &[&str] = &[
    DIVERGED,
    FRAMES_AFTER_FINISH,
    UNFINISHED_GAME,
    SCORE_MISMATCH,
    SAMPLES_DIFFER,
    WRONG_SCHEMA,
    WRONG_BUILD,
    WRONG_CONTENT,
    WRONG_MODS,
    UNKNOWN_CHUNKS,
    PRACTICE,
    NO_INPUTS,
    OPPONENT_UNAVAILABLE,
    OPPONENT_DIFFERS,
    TOO_SHORT,
    SCORE_EXCEEDED,
    SPEED_EXCEEDED,
    TURN_RATE_EXCEEDED,
    TICKET_REQUIRED,
    TOO_FAST,
    UNSIGNED,
    "not_a_trace",
    "trace_version",
    "trace_truncated",
    "trace_damaged",
    "trace_malformed",
];

/// The re-simulation gave another digest than the run says.
pub(crate) const DIVERGED: &str = "diverged";
/// There are inputs after the frame in which the game finished.
pub(crate) const FRAMES_AFTER_FINISH: &str = "frames_after_finish";
/// The run says that the game finished, or must have, and it did not.
pub(crate) const UNFINISHED_GAME: &str = "unfinished_game";
/// The claimed score is not the simulated one.
pub(crate) const SCORE_MISMATCH: &str = "score_mismatch";
/// The samples of a deterministic game show something else than its simulation.
pub(crate) const SAMPLES_DIFFER: &str = "samples_differ";
/// The input schema is not the game's.
pub(crate) const WRONG_SCHEMA: &str = "wrong_schema";
/// Recorded by another build than expected.
pub(crate) const WRONG_BUILD: &str = "wrong_build";
/// Recorded on another map or scene than expected.
pub(crate) const WRONG_CONTENT: &str = "wrong_content";
/// Recorded with other mods than expected.
pub(crate) const WRONG_MODS: &str = "wrong_mods";
/// The file has chunks that this build does not know.
pub(crate) const UNKNOWN_CHUNKS: &str = "unknown_chunks";
/// A practice run never ranks.
pub(crate) const PRACTICE: &str = "practice";
/// A deterministic game of which no inputs were recorded: plausible at best.
pub(crate) const NO_INPUTS: &str = "no_inputs";
/// The opponent's run is not at hand, so the run has to wait.
pub(crate) const OPPONENT_UNAVAILABLE: &str = "opponent_unavailable";
/// The opponent's slot does not play the opponent's run.
pub(crate) const OPPONENT_DIFFERS: &str = "opponent_differs";
/// Fewer frames than the rules ask for.
pub(crate) const TOO_SHORT: &str = "too_short";
/// A higher score than the rules believe.
pub(crate) const SCORE_EXCEEDED: &str = "score_exceeded";
/// Something moved faster than the rules believe.
pub(crate) const SPEED_EXCEEDED: &str = "speed_exceeded";
/// Something turned faster than the rules believe.
pub(crate) const TURN_RATE_EXCEEDED: &str = "turn_rate_exceeded";
/// The board wants a ticket and the run has none.
pub(crate) const TICKET_REQUIRED: &str = "ticket_required";
/// The run arrived sooner after its ticket than it lasts.
pub(crate) const TOO_FAST: &str = "too_fast";
/// The board wants a signature and the run has none.
pub(crate) const UNSIGNED: &str = "unsigned";

/// One thing that speaks against a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) status: Status,
    pub(crate) code: &'static str,
    pub(crate) msg: String,
}

impl Finding {
    pub(crate) fn refused(code: &'static str, msg: impl Into<String>) -> Self {
        Self {
            status: Status::Refused,
            code,
            msg: msg.into(),
        }
    }

    pub(crate) fn quarantined(code: &'static str, msg: impl Into<String>) -> Self {
        Self {
            status: Status::Quarantined,
            code,
            msg: msg.into(),
        }
    }

    pub(crate) fn pending(code: &'static str, msg: impl Into<String>) -> Self {
        Self {
            status: Status::Pending,
            code,
            msg: msg.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_registered() {
        for code in CODES {
            assert!(async_protocol::codes::lookup(code).is_some(), "{code}");
        }
    }
}

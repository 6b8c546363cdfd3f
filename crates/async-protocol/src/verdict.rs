use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::integer;

/// What a verification came to, one word everywhere (client, HTTP, gfnet, boards).
///
/// Ordered by trust, lowest first, so that a board can ask for "at least".
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Wrong, and the code says how. Kept nowhere.
    Refused,
    /// Suspicious: kept, not ranked, a person decides.
    Quarantined,
    /// Not decided yet; kept and decided later, also after a restart.
    Pending,
    /// Passed its rules; it cannot be re-simulated.
    Plausible,
    /// Re-simulated: every checkpoint, the frame count and the score agree.
    Verified,
}

impl Status {
    /// Every status, lowest trust first.
    pub const ALL: [Self; 5] = [
        Self::Refused,
        Self::Quarantined,
        Self::Pending,
        Self::Plausible,
        Self::Verified,
    ];

    /// The word of the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Quarantined => "quarantined",
            Self::Pending => "pending",
            Self::Plausible => "plausible",
            Self::Verified => "verified",
        }
    }

    /// The status of a word, if it is one.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }
}

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// What a verification found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Verdict {
    /// The outcome.
    pub status: Status,
    /// [`Verdict::OK`], or the code of what was found ([`crate::codes::REGISTRY`]).
    pub code: Cow<'static, str>,
    /// The last checkpoint frame that agreed, where the run diverged; 0 = only the start did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agreed: Option<u32>,
    /// The first frame known to differ: a checkpoint's, or the exact one where a trace is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame: Option<u32>,
    /// The first field that differs, by name, where a trace is given: `player[1].vel.y`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The score that was computed; the claimed one where nothing can compute it; 0 if unread.
    #[serde(with = "integer")]
    pub score: i64,
    /// Frames of the run, or as far as it could be read.
    pub frames: u32,
    /// The run digest after the last frame simulated: 16 hex digits on the wire; 0 if none was.
    #[serde(with = "crate::text::hex64")]
    pub digest: u64,
    /// One line for a person.
    pub msg: String,
}

impl Verdict {
    /// The code of a verdict that found nothing wrong.
    pub const OK: &'static str = "ok";

    /// A verdict without findings about frames; set the other fields as they are known.
    #[must_use]
    pub fn new(status: Status, code: &'static str, msg: impl Into<String>) -> Self {
        Self {
            status,
            code: Cow::Borrowed(code),
            agreed: None,
            frame: None,
            field: None,
            score: 0,
            frames: 0,
            digest: 0,
            msg: msg.into(),
        }
    }

    /// The run is refused for `code`.
    #[must_use]
    pub fn refused(code: &'static str, msg: impl Into<String>) -> Self {
        Self::new(Status::Refused, code, msg)
    }

    /// True if the run may stand on a board that trusts its status.
    #[must_use]
    pub fn accepted(&self) -> bool {
        self.status >= Status::Plausible
    }
}

//! What a verification is told beside the run itself.

use async_identity::Ticket;
use async_protocol::Rules;
use async_replay::Run;

use crate::Trace;

/// What to hold against a run. Begin with [`Evidence::local`] or [`Evidence::for_board`], then set
/// what else is known.
#[derive(Debug, Clone, Copy)]
pub struct Evidence<'a> {
    /// The rules of the board, or of the game's configuration.
    pub rules: &'a Rules,
    /// Whether the run must be signed.
    pub signature: SignatureRule,
    /// Whether the run wants to stand on a board: a practice run is then refused, so is a file
    /// with chunks that this build does not know, and so is a race that was not finished.
    pub ranking: bool,
    /// What this game, server or board expects the header to say.
    pub expected: Expected<'a>,
    /// The ticket of the attempt, already opened, and when its run arrived.
    pub ticket: Option<TicketEvidence<'a>>,
    /// The trace of the recording, where it is at hand: it names the exact frame and field.
    pub trace: Option<&'a Trace>,
    /// The run that the header names as the opponent, where it is at hand.
    pub opponent: Option<&'a Run>,
}

impl<'a> Evidence<'a> {
    /// For a look at a run at home: signatures are checked where there are any, and practice runs
    /// are as good as others.
    #[must_use]
    pub fn local(rules: &'a Rules) -> Self {
        Self {
            rules,
            signature: SignatureRule::IfPresent,
            ranking: false,
            expected: Expected::default(),
            ticket: None,
            trace: None,
            opponent: None,
        }
    }

    /// For a run that wants to be ranked: it must be signed, and practice does not count.
    #[must_use]
    pub fn for_board(rules: &'a Rules) -> Self {
        Self {
            signature: SignatureRule::Required,
            ranking: true,
            ..Self::local(rules)
        }
    }
}

/// Whether a run must be signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignatureRule {
    /// An unsigned run is refused (`unsigned`).
    Required,
    /// A signature is checked where there is one.
    IfPresent,
}

/// What the header should say; `None` = anything. The message of a refusal names both sides.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Expected<'a> {
    /// The game's build (`wrong_build`).
    pub build: Option<&'a str>,
    /// The hash of the map or scene (`wrong_content`).
    pub content: Option<[u8; 32]>,
    /// The loaded mods, in load order (`wrong_mods`).
    pub mods: Option<&'a [String]>,
}

/// The ticket that an attempt was started with, and how the run came back.
#[derive(Debug, Clone, Copy)]
pub struct TicketEvidence<'a> {
    /// The ticket, opened with the server's keys.
    pub ticket: &'a Ticket,
    /// The app that the run was submitted to.
    pub app: &'a str,
    /// When the run arrived, in Unix milliseconds of the clock that issued the ticket. Where runs
    /// arrive in parts, when the first part did.
    pub arrived_ms: u64,
}

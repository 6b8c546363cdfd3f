//! What a board promises: its policy and the syntax of its key.

use serde::{Deserialize, Serialize};

use crate::limits::{BOARD_KEY_MAX_BYTES, BOARD_MAX_ROWS};
use crate::{Error, Order, Rules, Status};

/// Which of a player's runs stand on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Keep {
    /// The best one of each player.
    #[default]
    Best,
    /// All of them.
    All,
}

/// How equal scores are numbered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RankStyle {
    /// 1, 2, 2, 4: strictly better visible entries + 1.
    #[default]
    Competition,
    /// 1, 2, 2, 3: strictly better scores + 1.
    Dense,
    /// 1, 2, 3, 4: the position.
    Unique,
}

/// Which of two equal scores stands first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ties {
    /// The one accepted first.
    #[default]
    Earliest,
    /// The one accepted last.
    Latest,
}

/// The lowest status that ranks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trust {
    /// Only runs that were re-simulated.
    Verified,
    /// Also runs that passed their rules.
    Plausible,
}

/// Whether a run must have been started with the server's ticket.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TicketRule {
    /// A ticket is ignored.
    Off,
    /// A ticket is checked where there is one.
    #[default]
    Optional,
    /// A run without one is refused.
    Required,
}

/// What others may download of a run on the board; its owner and admins always get all.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reveal {
    /// The run as it was sent.
    #[default]
    Inputs,
    /// Samples made by the server, without the inputs.
    Samples,
    /// Samples until the board closes, then everything.
    AfterClose,
}

/// A span of time that a board ranks by itself. UTC; a week starts on Monday.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Period {
    /// Everything since the board began.
    #[default]
    Alltime,
    /// One day.
    Daily,
    /// Monday to Sunday.
    Weekly,
    /// One calendar month.
    Monthly,
}

/// The policy of a board, as an operator declares it; every field has a default.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BoardPolicy {
    /// Which scores come first.
    #[serde(with = "crate::text::order")]
    pub order: Order,
    /// Which runs of a player stand.
    pub keep: Keep,
    /// How equal scores are numbered.
    pub rank: RankStyle,
    /// Which of two equal scores stands first.
    pub ties: Ties,
    /// The lowest status that ranks; absent: [`BoardPolicy::trust_for`] decides by the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trust: Option<Trust>,
    /// Whether a ticket is needed.
    pub ticket: TicketRule,
    /// Attempts a player has; 0 = unlimited. More than 0 needs `ticket: required`.
    pub attempts: u32,
    /// What others may download.
    pub reveal: Reveal,
    /// The spans that are ranked.
    pub periods: Vec<Period>,
    /// Slowness is judged, by a signed `finish` call.
    pub live: bool,
    /// Checks of each run.
    pub rules: Rules,
    /// Most rows of one answer, 1 to 1,000.
    pub rows: u32,
}

impl Default for BoardPolicy {
    fn default() -> Self {
        Self {
            order: Order::Descending,
            keep: Keep::default(),
            rank: RankStyle::default(),
            ties: Ties::default(),
            trust: None,
            ticket: TicketRule::default(),
            attempts: 0,
            reveal: Reveal::default(),
            periods: vec![Period::Alltime],
            live: false,
            rules: Rules::default(),
            rows: BOARD_MAX_ROWS,
        }
    }
}

impl BoardPolicy {
    /// The lowest status that ranks: as declared, else `verified` for a game that can be
    /// re-simulated and `plausible` for any other.
    #[must_use]
    pub fn trust_for(&self, deterministic: bool) -> Status {
        match (self.trust, deterministic) {
            (Some(Trust::Verified), _) | (None, true) => Status::Verified,
            (Some(Trust::Plausible), _) | (None, false) => Status::Plausible,
        }
    }
}

pub(crate) const KEY_SYNTAX: &str =
    "1 to 64 characters of a-z A-Z 0-9 . _ - starting with a letter or digit";

/// Checks a board key: 1 to 64 characters of `a-z A-Z 0-9 . _ -`, the first a letter or a digit.
///
/// Safe in a URL path, a file name, a log line and a terminal without any escaping, and never
/// `.` or `..`.
///
/// # Errors
/// [`Error::BadBoard`] with the key, cut to its first 64 characters.
pub fn check_key(key: &str) -> Result<(), Error> {
    let safe = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    let starts = key
        .as_bytes()
        .first()
        .is_some_and(u8::is_ascii_alphanumeric);
    if starts && key.len() <= BOARD_KEY_MAX_BYTES && key.bytes().all(safe) {
        return Ok(());
    }
    let key = key.chars().take(BOARD_KEY_MAX_BYTES).collect();
    Err(Error::BadBoard {
        key,
        allowed: KEY_SYNTAX,
    })
}

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Base64, RulesetId, RunId, integer};

/// Names of the request headers, lower case as HTTP libraries compare them.
pub mod headers {
    /// Names the app; public by nature, so it grants no identity.
    pub const API_KEY: &str = "x-api-key";
    /// The app, where no key names it.
    pub const APP: &str = "x-app";
    /// The player of a signed call, hex.
    pub const PLAYER: &str = "x-player";
    /// The nonce of a signed call, hex.
    pub const NONCE: &str = "x-nonce";
    /// The signature of a signed call, hex.
    pub const SIGNATURE: &str = "x-signature";
}

/// The body of every response that is not a success.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ErrorBody {
    /// One line for a person.
    pub error: String,
    /// The stable code, listed in [`crate::codes::REGISTRY`].
    pub code: String,
    /// What belongs to it: a limit and the size, a verdict, the key of a setting. Null if nothing.
    #[serde(default)]
    pub details: Value,
}

/// `GET /daily`: the challenge that is open now, by the server's clock.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DailyAnswer {
    /// `daily-YYYY-MM-DD`.
    pub board: String,
    /// UTC midnight.
    #[serde(with = "integer")]
    pub opens_ms: u64,
    /// The next UTC midnight.
    #[serde(with = "integer")]
    pub closes_ms: u64,
    /// The server's clock.
    #[serde(with = "integer")]
    pub server_ms: u64,
    /// The seed, 0 to 2^53−1; absent where a ticket gives it.
    #[serde(
        default,
        with = "integer::seed::option",
        skip_serializing_if = "Option::is_none"
    )]
    pub seed: Option<u64>,
}

/// `POST /tickets`, signed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TicketRequest {
    /// The board of the attempt.
    pub board: String,
    /// The developer's version of the game.
    pub build: String,
    /// The ruleset of the attempt; needed where no run has bound the board to one yet.
    #[serde(
        default,
        with = "crate::text::shown_option",
        skip_serializing_if = "Option::is_none"
    )]
    pub ruleset: Option<RulesetId>,
    /// The run to fight, if any.
    #[serde(
        default,
        with = "crate::text::shown_option",
        skip_serializing_if = "Option::is_none"
    )]
    pub opponent: Option<RunId>,
}

/// The ticket, and in the clear what the game needs to start.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TicketAnswer {
    /// The signed statement; the run carries it back.
    pub ticket: Base64,
    /// The board.
    pub board: String,
    /// The seed of the attempt, 0 to 2^53−1.
    #[serde(with = "integer::seed")]
    pub seed: u64,
    /// The number of this attempt, from 1; 0 where attempts are not counted.
    pub attempt: u32,
    /// Attempts left after this one; absent where they are unlimited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempts_left: Option<u32>,
    /// When it was issued.
    #[serde(with = "integer")]
    pub issued_ms: u64,
    /// When it ends.
    #[serde(with = "integer")]
    pub expires_ms: u64,
}

/// `POST /nonce`: what one signed call needs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NonceAnswer {
    /// 32 bytes, lower-case hex, for the header.
    pub nonce: String,
    /// The server's id, which the signature covers.
    pub server: String,
    /// The app that the request's key or header names, which the signature covers too.
    pub app: String,
    /// How long the nonce lives.
    #[serde(with = "integer")]
    pub lifetime_ms: u64,
    /// The server's clock.
    #[serde(with = "integer")]
    pub server_ms: u64,
}

/// `GET /limits`: every limit this server enforces.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LimitsAnswer {
    /// Largest run.
    pub run_max_bytes: u32,
    /// Longest run.
    pub run_max_frames: u32,
    /// Slots of a run.
    pub run_max_players: u8,
    /// Largest JSON body.
    pub json_body_max_bytes: u32,
    /// Most rows of an answer.
    pub board_max_rows: u32,
    /// Rows of an answer when the query does not say.
    pub board_default_rows: u32,
    /// Longest board key.
    pub board_key_max_bytes: u32,
    /// Boards made on first use.
    pub auto_boards_max_count: u32,
    /// Longest player name, after cleaning.
    pub player_name_max_bytes: u32,
    /// The same as a reader counts.
    pub player_name_max_graphemes: u32,
    /// Life of a call's nonce.
    #[serde(with = "integer")]
    pub call_nonce_lifetime_ms: u64,
    /// Life of a ticket.
    #[serde(with = "integer")]
    pub ticket_lifetime_ms: u64,
    /// Grace after the close of a daily.
    #[serde(with = "integer")]
    pub daily_grace_ms: u64,
}

/// One public key of a server.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct KeyInfo {
    /// 8 bytes, lower-case hex.
    pub key_id: String,
    /// The Ed25519 public key, lower-case hex.
    pub public: String,
    /// False for an old key, which signs nothing new.
    pub current: bool,
}

/// `GET /keys`: who this server is and what checks its statements, old keys too.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct KeysAnswer {
    /// The server's id, as signed calls name it.
    pub server: String,
    /// Its keys, the current one first.
    pub keys: Vec<KeyInfo>,
}

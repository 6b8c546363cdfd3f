use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Standing;
use crate::{Base64, PlayerId, RulesetId, RunId, Status, Verdict, integer};

/// What became of a submitted run on its board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stored {
    /// It ranks: the player's first, a better one, or one of all.
    Better,
    /// Kept, but the player's best is better or equal.
    NotBetter,
    /// Kept until it is decided.
    Pending,
    /// Kept without a rank: practice, or below the board's trust.
    Unranked,
    /// Not kept.
    Refused,
}

/// `POST /runs` and `GET /runs/{id}/status`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SubmitAnswer {
    /// True unless the run was refused.
    pub ok: bool,
    /// The id that the server computed.
    #[serde(with = "crate::text::shown")]
    pub id: RunId,
    /// The score that counts.
    #[serde(with = "integer")]
    pub score: i64,
    /// The player's rank now, if ranked.
    #[serde(
        default,
        with = "integer::option",
        skip_serializing_if = "Option::is_none"
    )]
    pub rank: Option<u64>,
    /// The player's unique place now, if ranked.
    #[serde(
        default,
        with = "integer::option",
        skip_serializing_if = "Option::is_none"
    )]
    pub position: Option<u64>,
    /// The player's best score on the board, if ranked.
    #[serde(
        default,
        with = "integer::option",
        skip_serializing_if = "Option::is_none"
    )]
    pub best: Option<i64>,
    /// How far the run is trusted.
    pub status: Status,
    /// Why, if it was refused or is pending.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The same run was here before; this is the first answer again.
    #[serde(default)]
    pub duplicate: bool,
    /// What became of it.
    pub stored: Stored,
    /// What the verification found.
    pub verdict: Verdict,
    /// The server's signed receipt, for the player to keep.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<Base64>,
}

/// A frame rate as a reduced fraction of frames per second.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Rate {
    /// Frames.
    pub numer: u32,
    /// In so many seconds.
    pub denom: u32,
}

/// `GET /runs/{id}/info`: what the header says, the verdict and the standing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RunInfo {
    /// The run.
    #[serde(with = "crate::text::shown")]
    pub id: RunId,
    /// The application.
    pub app: String,
    /// The board.
    pub board: String,
    /// The ruleset that the run belongs to.
    #[serde(with = "crate::text::shown")]
    pub ruleset: RulesetId,
    /// The game.
    pub game: String,
    /// The game's revision; 0 for an engine game.
    pub revision: u32,
    /// The developer's version of the game.
    pub build: String,
    /// The game's own options.
    pub options: Map<String, Value>,
    /// Who played.
    #[serde(with = "crate::text::shown")]
    pub player: PlayerId,
    /// The player's name of today.
    pub name: String,
    /// The engine.
    pub engine: String,
    /// The seed.
    #[serde(with = "integer::seed")]
    pub seed: u64,
    /// Slots of the game.
    pub players: u8,
    /// The slot of the player.
    pub slot: u8,
    /// Frames per second.
    pub rate: Rate,
    /// Frames of the run.
    pub frames: u32,
    /// The score that counts.
    #[serde(with = "integer")]
    pub score: i64,
    /// Size of the file.
    pub bytes: u32,
    /// The run that was fought, if any.
    #[serde(
        default,
        with = "crate::text::shown_option",
        skip_serializing_if = "Option::is_none"
    )]
    pub opponent: Option<RunId>,
    /// A practice run never ranks.
    pub practice: bool,
    /// What the game noted about the run, by name: texts of its recorder, checked by nobody.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub meta: BTreeMap<String, String>,
    /// What the verification found.
    pub verdict: Verdict,
    /// The standing of its player on its board.
    pub standing: Standing,
    /// When the server accepted it.
    #[serde(with = "integer")]
    pub accepted_at_ms: u64,
}

/// One run of a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RunRow {
    /// The run.
    #[serde(with = "crate::text::shown")]
    pub run: RunId,
    /// The board.
    pub board: String,
    /// Who played.
    #[serde(with = "crate::text::shown")]
    pub player: PlayerId,
    /// The player's name of today.
    pub name: String,
    /// The score that counts.
    #[serde(with = "integer")]
    pub score: i64,
    /// Frames of the run.
    pub frames: u32,
    /// Size of the file.
    pub bytes: u32,
    /// How far it is trusted.
    pub status: Status,
    /// When the server accepted it.
    #[serde(with = "integer")]
    pub accepted_at_ms: u64,
}

/// `GET /runs`: newest first.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct RunList {
    /// The page.
    pub rows: Vec<RunRow>,
    /// The cursor of the page after this one, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

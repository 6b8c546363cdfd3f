use serde::{Deserialize, Serialize};

use crate::{Order, Period, PlayerId, RunId, Status, integer};

/// One row of a board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// The number shown, by the board's way of counting equals; 1 is the best.
    #[serde(with = "integer")]
    pub rank: u64,
    /// The unique place; 1 is the first row.
    #[serde(with = "integer")]
    pub position: u64,
    /// Whose it is.
    #[serde(with = "crate::text::shown")]
    pub player: PlayerId,
    /// The player's name of today, for showing only.
    pub name: String,
    /// The score.
    #[serde(with = "integer")]
    pub score: i64,
    /// The run behind it.
    #[serde(with = "crate::text::shown")]
    pub run: RunId,
    /// How far the run is trusted.
    pub status: Status,
    /// When the server accepted it.
    #[serde(with = "integer")]
    pub accepted_at_ms: u64,
}

/// Where a player stands on a board.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Standing {
    /// False if no run of the player ranks here; then only `would_rank` may be set.
    pub ranked: bool,
    /// The number shown.
    #[serde(
        default,
        with = "integer::option",
        skip_serializing_if = "Option::is_none"
    )]
    pub rank: Option<u64>,
    /// The unique place.
    #[serde(
        default,
        with = "integer::option",
        skip_serializing_if = "Option::is_none"
    )]
    pub position: Option<u64>,
    /// The score that ranks.
    #[serde(
        default,
        with = "integer::option",
        skip_serializing_if = "Option::is_none"
    )]
    pub score: Option<i64>,
    /// The run that ranks.
    #[serde(
        default,
        with = "crate::text::shown_option",
        skip_serializing_if = "Option::is_none"
    )]
    pub run: Option<RunId>,
    /// How far it is trusted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// The rank that the score of the query would get, were it accepted now.
    #[serde(
        default,
        with = "integer::option",
        skip_serializing_if = "Option::is_none"
    )]
    pub would_rank: Option<u64>,
}

/// `GET /boards/{board}`: a page of rows and the asking player's own standing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BoardAnswer {
    /// The board's key.
    pub board: String,
    /// The period that was ranked.
    pub period: Period,
    /// Which scores come first.
    #[serde(with = "crate::text::order")]
    pub order: Order,
    /// Visible entries in all.
    #[serde(with = "integer")]
    pub total: u64,
    /// The page.
    pub rows: Vec<Row>,
    /// The cursor of the page after this one, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// The cursor of the page before this one, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prev: Option<String>,
    /// The standing of the query's `player`, if it named one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own: Option<Standing>,
    /// When the board, or the period, opened.
    #[serde(
        default,
        with = "integer::option",
        skip_serializing_if = "Option::is_none"
    )]
    pub opens_ms: Option<u64>,
    /// When it closes.
    #[serde(
        default,
        with = "integer::option",
        skip_serializing_if = "Option::is_none"
    )]
    pub closes_ms: Option<u64>,
    /// The server's clock.
    #[serde(with = "integer")]
    pub server_ms: u64,
}

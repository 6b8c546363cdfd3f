use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::table::NET_ASYNC;
use super::{KIT, SettingsError, check, cross, forms, merge};
use crate::limits;
use crate::{Options, Order, Rules};

/// A ready-made set of options between the defaults and your keys.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    /// No set.
    #[default]
    None,
    /// Lower is better, both recordings, arena races.
    GhostRace,
    /// Two players, inputs, arena duels.
    AsyncPvp,
    /// Today's daily board, arena collecting, at least 60 frames.
    DailyChallenge,
}

/// Who computes the physics of the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Physics {
    /// Nobody: the game has none of its own.
    #[default]
    None,
    /// The engine; it is recorded as samples.
    Native,
    /// The core.
    Shared,
}

/// What a run stores.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Record {
    /// Input streams.
    Inputs,
    /// Transform samples.
    Samples,
    /// Both.
    #[default]
    Both,
}

impl Record {
    /// True if the run has input streams.
    #[must_use]
    pub fn inputs(self) -> bool {
        self != Self::Samples
    }

    /// True if the run has samples.
    #[must_use]
    pub fn samples(self) -> bool {
        self != Self::Inputs
    }
}

/// What drives the frames of a run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Clock {
    /// Time, by `tick`.
    #[default]
    Core,
    /// The host, by `step`.
    Host,
}

/// Where the player's key comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Identity {
    /// Made on first use and kept on the device.
    #[default]
    Device,
}

/// The configuration of net.async, checked and merged.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Settings {
    /// The set between the defaults and your keys.
    pub preset: Preset,
    /// `arena` and `physics` are games of the core; any other name is your engine game.
    pub game: String,
    /// Who computes the physics.
    pub physics: Physics,
    /// What a run stores.
    pub record: Record,
    /// Slots of the recorded game, 1 to 8.
    pub players: u8,
    /// The recording player's slot.
    pub slot: u8,
    /// The slot of the loaded opponent run; `None` = automatic (-1).
    #[serde(with = "super::forms::slot")]
    pub opponent_slot: Option<u8>,
    /// Frames per second of a run.
    pub frame_hz: u32,
    /// Samples per second, at most `frame_hz`.
    pub sample_hz: u32,
    /// Longest recording, in frames.
    pub max_frames: u32,
    /// What drives the frames.
    pub clock: Clock,
    /// The board of the runs; "" = none.
    pub board: String,
    /// Which scores come first.
    #[serde(with = "crate::text::order")]
    pub order: Order,
    /// Application id written in runs.
    pub app: String,
    /// Player name written in runs, cleaned.
    pub player: String,
    /// Engine tag written in runs.
    pub engine: String,
    /// Run API, up to /api/v1/async; "" = none.
    pub api_url: String,
    /// Sent as x-api-key; "" = none.
    pub api_key: String,
    /// Server checks of a submitted run.
    #[serde(with = "super::forms::KitRules")]
    pub rules: Rules,
    /// Runs that an async gfnet server keeps in memory.
    pub max_runs: u32,
    /// Largest run.
    pub max_run_bytes: u32,
    /// Upload rate, in chunks per second.
    #[serde(with = "super::forms::number")]
    pub upload_chunks_per_second: f64,
    /// Uploads in progress per peer.
    pub max_partial_uploads_per_peer: u32,
    /// Most rows of a board or run list.
    pub board_rows: u32,
    /// Rows when the query does not say, at most `board_rows`.
    pub board_default_rows: u32,
    /// The game's own options (ours).
    #[serde(with = "super::forms::options")]
    pub game_options: Options,
    /// Submits wait on disk until they are answered (ours).
    pub outbox: bool,
    /// Where the player's key comes from (ours).
    pub identity: Identity,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            preset: Preset::default(),
            game: "arena".to_owned(),
            physics: Physics::default(),
            record: Record::default(),
            players: 1,
            slot: 0,
            opponent_slot: None,
            frame_hz: 60,
            sample_hz: 10,
            max_frames: limits::RUN_DEFAULT_FRAMES,
            clock: Clock::default(),
            board: String::new(),
            order: Order::Descending,
            app: String::new(),
            player: String::new(),
            engine: String::new(),
            api_url: String::new(),
            api_key: String::new(),
            rules: Rules::default(),
            max_runs: 1_000,
            max_run_bytes: limits::RUN_DEFAULT_BYTES,
            upload_chunks_per_second: 6.0,
            max_partial_uploads_per_peer: 2,
            board_rows: limits::BOARD_MAX_ROWS,
            board_default_rows: limits::BOARD_DEFAULT_ROWS,
            game_options: Options::default(),
            outbox: true,
            identity: Identity::default(),
        }
    }
}

impl Settings {
    /// Checks and merges a configuration: defaults ← preset ← your keys, key by key.
    ///
    /// # Errors
    /// The first bad key, the value and what is allowed; for an unknown key the nearest known one.
    pub fn from_json(config: &Value) -> Result<Self, SettingsError> {
        let yours = check::check(KIT, NET_ASYNC, config)?;
        let mut merged = merge::merge(&yours);
        cross::check_and_clamp(&mut merged, |key| yours.contains_key(key))?;
        forms::typed(KIT, merged)
    }

    /// The same as JSON, in the kit's spelling: what [`Settings::from_json`] reads back.
    #[must_use]
    pub fn to_json(&self) -> Value {
        // Every field has a JSON form, so the null cannot happen.
        serde_json::to_value(self).unwrap_or_default()
    }

    /// True if the game is one of the core's, which a server can re-simulate.
    #[must_use]
    pub fn deterministic(&self) -> bool {
        self.game == "arena" || self.game == "physics"
    }
}

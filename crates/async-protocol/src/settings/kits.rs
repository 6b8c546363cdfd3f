use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::table::{GAME_ENGINE, INPUT_ACTIONS, NET_TRANSPORT, Setting};
use super::{SettingsError, check, forms};

/// The configuration of net.transport (ours beyond `url` and `app`).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TransportSettings {
    /// The gfnet server; "" = no connection.
    pub url: String,
    /// Application id.
    pub app: String,
    /// The game's build.
    pub version: String,
    /// Ids of the loaded mods.
    pub mods: Vec<String>,
    /// Connect again after a loss.
    pub reconnect: bool,
}

impl Default for TransportSettings {
    fn default() -> Self {
        Self {
            url: String::new(),
            app: String::new(),
            version: String::new(),
            mods: Vec::new(),
            reconnect: true,
        }
    }
}

/// One axis of input.actions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AxisConfig {
    /// Its name.
    pub name: String,
    /// 8 or 16 bit, signed, -1..1.
    pub bits: u8,
}

/// The configuration of input.actions (ours): the input schema of an engine game's run.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ActionsSettings {
    /// Names of the buttons, at most 32.
    pub buttons: Vec<String>,
    /// The axes, at most 8.
    pub axes: Vec<AxisConfig>,
}

/// Whether a track moves in the plane or in space.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum TrackDimensions {
    /// x and y, a yaw.
    #[serde(rename = "2d")]
    Two,
    /// x, y and z, a quaternion.
    #[serde(rename = "3d")]
    Three,
}

/// One named transform of game.engine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TrackConfig {
    /// Its name.
    pub name: String,
    /// Whether it moves in the plane or in space.
    pub dimensions: TrackDimensions,
    /// Names of the extra channels.
    pub channels: Vec<String>,
}

/// The configuration of game.engine (ours).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EngineSettings {
    /// Engine tag.
    pub engine: String,
    /// The transforms that are sampled, at most 64.
    pub tracks: Vec<TrackConfig>,
    /// Names of the marks.
    pub events: Vec<String>,
}

impl Default for EngineSettings {
    fn default() -> Self {
        let events = ["split", "lap", "respawn"].map(str::to_owned).to_vec();
        Self {
            engine: String::new(),
            tracks: Vec::new(),
            events,
        }
    }
}

impl TransportSettings {
    /// Checks a configuration of net.transport.
    ///
    /// # Errors
    /// As [`super::Settings::from_json`].
    pub fn from_json(config: &Value) -> Result<Self, SettingsError> {
        typed("net.transport", NET_TRANSPORT, config)
    }
}

impl ActionsSettings {
    /// Checks a configuration of input.actions.
    ///
    /// # Errors
    /// As [`super::Settings::from_json`].
    pub fn from_json(config: &Value) -> Result<Self, SettingsError> {
        typed("input.actions", INPUT_ACTIONS, config)
    }
}

impl EngineSettings {
    /// Checks a configuration of game.engine.
    ///
    /// # Errors
    /// As [`super::Settings::from_json`].
    pub fn from_json(config: &Value) -> Result<Self, SettingsError> {
        typed("game.engine", GAME_ENGINE, config)
    }
}

/// Checks a configuration, merges it over the defaults and gives it its type.
fn typed<T: DeserializeOwned>(
    kit: &'static str,
    table: &[Setting],
    config: &Value,
) -> Result<T, SettingsError> {
    let mut merged = check::defaults(table);
    merged.extend(check::check(kit, table, config)?);
    forms::typed(kit, merged)
}

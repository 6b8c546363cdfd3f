use serde_json::Value;

use super::SettingsError;

/// The configuration of net.transport (ours beyond `url` and `app`).
#[derive(Clone, PartialEq, Eq, Debug)]
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
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AxisConfig {
    /// Its name.
    pub name: String,
    /// 8 or 16 bit, signed, -1..1.
    pub bits: u8,
}

/// The configuration of input.actions (ours): the input schema of an engine game's run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ActionsSettings {
    /// Names of the buttons, at most 32.
    pub buttons: Vec<String>,
    /// The axes, at most 8.
    pub axes: Vec<AxisConfig>,
}

/// One named transform of game.engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrackConfig {
    /// Its name.
    pub name: String,
    /// 2 or 3.
    pub dimensions: u8,
    /// Names of the extra channels.
    pub channels: Vec<String>,
}

/// The configuration of game.engine (ours).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineSettings {
    /// Engine tag.
    pub engine: String,
    /// The transforms that are sampled, at most 64.
    pub tracks: Vec<TrackConfig>,
    /// Names of the marks.
    pub events: Vec<String>,
}

impl TransportSettings {
    /// Checks a configuration of net.transport.
    ///
    /// # Errors
    /// As [`super::Settings::from_json`].
    pub fn from_json(config: &Value) -> Result<Self, SettingsError> {
        let _ = config;
        unimplemented!()
    }
}

impl ActionsSettings {
    /// Checks a configuration of input.actions.
    ///
    /// # Errors
    /// As [`super::Settings::from_json`].
    pub fn from_json(config: &Value) -> Result<Self, SettingsError> {
        let _ = config;
        unimplemented!()
    }
}

impl EngineSettings {
    /// Checks a configuration of game.engine.
    ///
    /// # Errors
    /// As [`super::Settings::from_json`].
    pub fn from_json(config: &Value) -> Result<Self, SettingsError> {
        let _ = config;
        unimplemented!()
    }
}

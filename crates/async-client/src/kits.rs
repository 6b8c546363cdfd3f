//! The kits of a session: `[(kit id, config)]`, checked once, and what they add up to.

use async_protocol::settings::{
    ActionsSettings, EngineSettings, KIT, Settings, SettingsError, TransportSettings, kit,
};
use serde_json::{Value, json};

use crate::Error;

/// The configured kits. A kit that is not named has its defaults: net.async brings them in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kits {
    /// `net.async`.
    pub settings: Settings,
    /// `net.transport`.
    pub transport: TransportSettings,
    /// `input.actions`.
    pub actions: ActionsSettings,
    /// `game.engine`.
    pub engine: EngineSettings,
}

impl Kits {
    /// Checks the configuration of each kit.
    ///
    /// # Errors
    /// The first bad key of the first bad kit; a kit that is unknown or named twice.
    pub fn new(configs: &[(&str, Value)]) -> Result<Self, Error> {
        let mut kits = Self::default();
        for (place, (kit, config)) in configs.iter().enumerate() {
            if configs[..place].iter().any(|(earlier, _)| earlier == kit) {
                return Err(Error::DuplicateKit((*kit).to_owned()));
            }
            match *kit {
                KIT => kits.settings = Settings::from_json(config)?,
                "net.transport" => kits.transport = TransportSettings::from_json(config)?,
                "input.actions" => kits.actions = ActionsSettings::from_json(config)?,
                "game.engine" => kits.engine = EngineSettings::from_json(config)?,
                other => return Err(unknown(other).into()),
            }
        }
        kits.fill();
        Ok(kits)
    }

    /// What wrappers fill in: the app from net.transport, the engine tag from game.engine.
    fn fill(&mut self) {
        if self.settings.app.is_empty() {
            self.settings.app.clone_from(&self.transport.app);
        }
        if self.settings.engine.is_empty() {
            self.settings.engine.clone_from(&self.engine.engine);
        }
    }

    /// What a `connect` command carries.
    pub(crate) fn session_config(&self) -> Value {
        json!({
            "model": "async",
            "transport": {"url": self.transport.url},
            "app": self.settings.app,
            "version": self.transport.version,
            "mods": self.transport.mods,
        })
    }
}

/// The error for a kit that is unknown here, with the nearest known one.
fn unknown(name: &str) -> SettingsError {
    match kit(name) {
        Err(error) => error,
        // Known to the table, and yet not one that a session is built from.
        Ok(_) => SettingsError::UnknownKit {
            kit: name.to_owned(),
            nearest: KIT.to_owned(),
        },
    }
}

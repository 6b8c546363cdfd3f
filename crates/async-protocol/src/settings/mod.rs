//! The settings of the kits: ONE table ([`table::NET_ASYNC`]) drives validation, merge, `kit_api`,
//! the JSON Schema and the page of the docs.

mod api;
mod check;
mod config;
mod cross;
mod error;
mod forms;
mod kits;
mod merge;
mod page;
mod schema;
pub mod syntax;
pub mod table;

pub use api::{Event, Service, Variable, kit, kit_api};
pub use config::{Clock, Identity, Physics, Preset, Record, Settings};
pub use error::SettingsError;
pub use kits::{
    ActionsSettings, AxisConfig, EngineSettings, TrackConfig, TrackDimensions, TransportSettings,
};
pub use page::settings_page;
pub use schema::json_schema;

/// The id of the kit.
pub const KIT: &str = "net.async";
/// The kit's version.
pub const KIT_VERSION: &str = "1.2.0";
/// The kits that net.async brings in.
pub const REQUIRES: [&str; 3] = ["net.transport", "input.actions", "game.engine"];

//! The kit's spelling of types whose own JSON is the wire's, and the step from JSON to a type.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::SettingsError;
use crate::{Rules, TicketRule, integer};

/// [`Rules`] in camelCase.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Rules", rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct KitRules {
    min_frames: u32,
    #[serde(with = "number")]
    max_speed: f64,
    #[serde(with = "number")]
    speed_slack: f64,
    #[serde(with = "integer")]
    max_score: i64,
    #[serde(with = "number")]
    max_turn_rate: f64,
    ticket: TicketRule,
}

/// A number, without a fraction where it is whole: `6`, not `6.0`.
pub(super) mod number {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[allow(
        clippy::trivially_copy_pass_by_ref,
        reason = "serde's `with` passes references"
    )]
    pub(crate) fn serialize<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        crate::settings::check::number_value(*number).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        f64::deserialize(deserializer)
    }
}

/// A slot, with -1 for none.
pub(super) mod slot {
    use serde::{Deserialize, Deserializer, Serializer};

    #[allow(clippy::ref_option, reason = "serde's `with` passes references")]
    pub(crate) fn serialize<S: Serializer>(
        slot: &Option<u8>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_i16(slot.map_or(-1, i16::from))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<u8>, D::Error> {
        Ok(u8::try_from(i16::deserialize(deserializer)?).ok())
    }
}

/// A game's own options.
pub(super) mod options {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use serde_json::{Map, Value};

    use crate::{Options, game_options};

    pub(crate) fn serialize<S: Serializer>(
        options: &Options,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        game_options::to_json(options).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Options, D::Error> {
        let json = Map::<String, Value>::deserialize(deserializer)?;
        game_options::from_json(&json).map_err(D::Error::custom)
    }
}

/// Gives checked and merged keys their type. That cannot fail for a table that fits its type, which
/// the tests of every row show; the error is there so that nothing panics.
pub(super) fn typed<T: DeserializeOwned>(
    kit: &'static str,
    merged: Map<String, Value>,
) -> Result<T, SettingsError> {
    serde_json::from_value(Value::Object(merged)).map_err(|error| SettingsError::Bad {
        kit,
        key: "configuration".to_owned(),
        value: "merged".to_owned(),
        allowed: error.to_string(),
    })
}

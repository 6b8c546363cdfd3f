//! The game's own `gfkits.json`: what its author decided, so that an operator need not repeat it.

use std::path::Path;

use async_protocol::Settings;
use async_protocol::settings::KIT;
use serde_json::Value;

use crate::error::Error;

/// The settings of net.async in a game's kit file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct KitFile {
    /// The checked settings.
    pub(crate) settings: Settings,
}

impl KitFile {
    /// Reads the file.
    pub(crate) fn load(file: &Path) -> Result<Self, Error> {
        let failed = |message| Error::Config {
            file: file.display().to_string(),
            message,
        };
        let text = std::fs::read_to_string(file).map_err(|error| failed(error.to_string()))?;
        Self::parse(&text).map_err(failed)
    }

    fn parse(text: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let config = find(&value).ok_or_else(|| format!("no kit {KIT} in it"))?;
        let settings = Settings::from_json(config).map_err(|error| error.to_string())?;
        Ok(Self { settings })
    }
}

/// The configuration of the kit: `{"net.async": {…}}`, or `[{"id": "net.async", "config": {…}}]`,
/// or `[["net.async", {…}]]`, each at the top or under `kits`.
fn find(value: &Value) -> Option<&Value> {
    let kits = value.get("kits").unwrap_or(value);
    if let Some(config) = kits.get(KIT) {
        return Some(config.get("config").unwrap_or(config));
    }
    kits.as_array()?.iter().find_map(|entry| {
        let pair = entry.get(0).and_then(Value::as_str).filter(|id| *id == KIT);
        let named = entry
            .get("id")
            .and_then(Value::as_str)
            .filter(|id| *id == KIT);
        pair.and_then(|_| entry.get(1))
            .or_else(|| named.and_then(|_| entry.get("config")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use async_protocol::Order;

    #[test]
    fn each_known_shape_is_read() {
        for text in [
            r#"{"net.async": {"order": "asc"}}"#,
            r#"{"kits": {"net.async": {"config": {"order": "asc"}}}}"#,
            r#"{"kits": [{"id": "x"}, {"id": "net.async", "config": {"order": "asc"}}]}"#,
            r#"[["net.transport", {}], ["net.async", {"order": "asc"}]]"#,
        ] {
            let kit = KitFile::parse(text).unwrap();
            assert_eq!(kit.settings.order, Order::Ascending, "{text}");
        }
    }

    #[test]
    fn another_kit_or_a_bad_setting_is_an_error() {
        assert!(
            KitFile::parse(r#"{"net.transport": {}}"#)
                .unwrap_err()
                .contains(KIT)
        );
        assert!(
            KitFile::parse(r#"{"net.async": {"ordr": "asc"}}"#)
                .unwrap_err()
                .contains("order")
        );
        assert!(KitFile::parse("{").is_err());
    }
}

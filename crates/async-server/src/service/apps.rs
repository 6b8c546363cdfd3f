//! Which app a call is for. A key names an app and travels with every copy of the game, so it
//! grants nothing more; without configured apps any name is one.

use async_protocol::limits::{API_KEY_MAX_BYTES, APP_MAX_BYTES};

use crate::config::{AppEntry, key_hash};
use crate::failure::Failure;

/// What a request says about its app.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AppClaim<'a> {
    /// The header `x-api-key`.
    pub(crate) key: Option<&'a str>,
    /// The header `x-app`, or the query's `app`.
    pub(crate) name: Option<&'a str>,
}

/// The app of a call. `None`: any app may call, and the request does not say which.
///
/// # Errors
/// `bad_api_key`, `wrong_app`, `bad_app`.
pub(crate) fn resolve(apps: &[AppEntry], claim: AppClaim<'_>) -> Result<Option<String>, Failure> {
    if claim.name.is_some_and(|name| name.len() > APP_MAX_BYTES) {
        return Err(Failure::new("bad_app"));
    }
    if apps.is_empty() {
        return Ok(claim.name.map(str::to_owned));
    }
    let key = claim.key.filter(|key| key.len() <= API_KEY_MAX_BYTES);
    let key = key.ok_or_else(|| Failure::new("bad_api_key"))?;
    let hash = key_hash(key);
    // Hashes of secrets may be compared in any time: what leaks is of the hash alone.
    let entry = apps.iter().find(|app| app.keys.contains(&hash));
    let entry = entry.ok_or_else(|| Failure::new("bad_api_key"))?;
    match claim.name {
        Some(name) if name != entry.name => Err(Failure::new("wrong_app")),
        _ => Ok(Some(entry.name.clone())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(apps: &[AppEntry], key: Option<&str>, name: Option<&str>, expected: &str) {
        let found = match resolve(apps, AppClaim { key, name }) {
            Ok(app) => app.unwrap_or_else(|| "(any)".to_owned()),
            Err(failure) => failure.code().to_owned(),
        };
        assert_eq!(found, expected, "{key:?} {name:?}");
    }

    #[test]
    fn without_configured_apps_the_name_counts() {
        check(&[], None, None, "(any)");
        check(&[], None, Some("a"), "a");
        check(&[], Some("whatever"), Some("a"), "a");
        check(&[], None, Some(&"a".repeat(65)), "bad_app");
    }

    #[test]
    fn with_configured_apps_the_key_counts() {
        let entry = |name: &str, key| AppEntry {
            name: name.to_owned(),
            keys: vec![key_hash(key)],
        };
        let apps = [entry("a", "key-of-a"), entry("b", "key-of-b")];
        check(&apps, Some("key-of-b"), None, "b");
        check(&apps, Some("key-of-b"), Some("b"), "b");
        check(&apps, Some("key-of-b"), Some("a"), "wrong_app");
        check(&apps, Some("key-of-c"), Some("a"), "bad_api_key");
        check(&apps, None, Some("a"), "bad_api_key");
    }
}

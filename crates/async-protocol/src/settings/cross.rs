//! What one setting demands of another (KIT §3). The first that is broken is named.

use serde_json::{Map, Value};

use super::check::shown;
use super::{KIT, SettingsError};

/// Checks the merged keys and applies the two that clamp. `wrote` tells whether the user set a key.
pub(super) fn check_and_clamp(
    merged: &mut Map<String, Value>,
    wrote: impl Fn(&str) -> bool,
) -> Result<(), SettingsError> {
    physics(merged, wrote)?;
    slots(merged)?;
    clamp(merged, "sampleHz", "frameHz");
    clamp(merged, "boardDefaultRows", "boardRows");
    Ok(())
}

fn physics(
    merged: &mut Map<String, Value>,
    wrote: impl Fn(&str) -> bool,
) -> Result<(), SettingsError> {
    let is = |merged: &Map<String, Value>, key: &str, word: &str| of(merged, key) == word;
    if is(merged, "game", "physics") {
        if wrote("physics") && !is(merged, "physics", "shared") {
            return Err(bad(
                merged,
                "physics",
                "\"shared\" with game \"physics\"".to_owned(),
            ));
        }
        merged.insert("physics".to_owned(), Value::from("shared"));
    }
    if !is(merged, "physics", "native") {
        return Ok(());
    }
    if is(merged, "game", "arena") {
        let allowed = "\"none\" or \"shared\" with game \"arena\" (native needs an engine game)";
        return Err(bad(merged, "physics", allowed.to_owned()));
    }
    if is(merged, "record", "inputs") {
        let allowed = "\"samples\" or \"both\" with physics \"native\"";
        return Err(bad(merged, "record", allowed.to_owned()));
    }
    Ok(())
}

fn slots(merged: &Map<String, Value>) -> Result<(), SettingsError> {
    let [players, slot, opponent] =
        ["players", "slot", "opponentSlot"].map(|key| of(merged, key).as_i64().unwrap_or_default());
    let last = players - 1;
    if slot > last {
        let allowed = format!("an integer from 0 to {last} with players {players}");
        return Err(bad(merged, "slot", allowed));
    }
    if opponent > last {
        let allowed = format!("an integer from -1 to {last} with players {players}");
        return Err(bad(merged, "opponentSlot", allowed));
    }
    if opponent == slot {
        let allowed = format!("-1 or another slot than slot, which is {slot}");
        return Err(bad(merged, "opponentSlot", allowed));
    }
    Ok(())
}

fn clamp(merged: &mut Map<String, Value>, key: &str, most: &str) {
    let most = of(merged, most).clone();
    if of(merged, key).as_i64() > most.as_i64() {
        merged.insert(key.to_owned(), most);
    }
}

fn bad(merged: &Map<String, Value>, key: &str, allowed: String) -> SettingsError {
    let value = shown(of(merged, key));
    SettingsError::Bad {
        kit: KIT,
        key: key.to_owned(),
        value,
        allowed,
    }
}

/// A merged key; every row of the table is there.
fn of<'a>(merged: &'a Map<String, Value>, key: &str) -> &'a Value {
    merged.get(key).unwrap_or(&Value::Null)
}

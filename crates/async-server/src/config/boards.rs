//! The tables of the configuration: apps with their keys, boards with their policies.

use async_protocol::limits::{API_KEY_MAX_BYTES, APP_MAX_BYTES, BOARD_ROWS_CEILING_ROWS};
use async_protocol::{BoardPolicy, Period, RankStyle, Rules, RulesetId, TicketRule, board};
use toml::{Table, Value};

use super::parse::unknown;

/// One app and the hashes of its keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppEntry {
    /// The app's id, as its runs name it.
    pub name: String,
    /// BLAKE3 of each key: the file may hold `blake3:HEX` instead of the key itself.
    pub keys: Vec<[u8; 32]>,
}

/// One declared board.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardEntry {
    /// The app that it belongs to.
    pub app: String,
    /// Its key.
    pub board: String,
    /// The ruleset that it binds; without one, the first run that is kept binds it.
    pub ruleset: Option<RulesetId>,
    /// What it promises.
    pub policy: BoardPolicy,
}

/// The hash under which a key is kept.
pub(crate) fn key_hash(key: &str) -> [u8; 32] {
    *blake3::hash(key.as_bytes()).as_bytes()
}

/// Reads one `[[apps]]`.
pub(super) fn app(table: &Table) -> Result<AppEntry, String> {
    known(table, &["name", "keys"])?;
    let name = text(table, "name")?.ok_or("[[apps]] needs a name")?;
    if name.len() > APP_MAX_BYTES {
        return Err(format!("apps.name is longer than {APP_MAX_BYTES} bytes"));
    }
    let keys = table
        .get("keys")
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        .unwrap_or_default();
    let keys: Vec<_> = keys.iter().map(app_key).collect::<Result<_, _>>()?;
    if keys.is_empty() {
        return Err(format!("app {name} needs keys, as keys = [\"…\"]"));
    }
    Ok(AppEntry { name, keys })
}

fn app_key(value: &Value) -> Result<[u8; 32], String> {
    let bad =
        || format!("apps.keys must be texts of 8 to {API_KEY_MAX_BYTES} bytes, or blake3:HEX");
    let key = value.as_str().ok_or_else(bad)?;
    if let Some(hash) = key.strip_prefix("blake3:") {
        let bytes = data_encoding::HEXLOWER
            .decode(hash.as_bytes())
            .map_err(|_| bad())?;
        return bytes.try_into().map_err(|_| bad());
    }
    (8..=API_KEY_MAX_BYTES)
        .contains(&key.len())
        .then(|| key_hash(key))
        .ok_or_else(bad)
}

/// Reads one `[[boards]]`: its names, and the policy with the wire's own types.
pub(super) fn board(table: &Table) -> Result<BoardEntry, String> {
    let names = ["app", "board", "ruleset", "trust"];
    let policy_keys = json_keys(&BoardPolicy::default());
    let all: Vec<&str> = names
        .into_iter()
        .chain(policy_keys.iter().map(String::as_str))
        .collect();
    known(table, &all)?;
    if let Some(rules) = table.get("rules").and_then(Value::as_table) {
        let keys = json_keys(&Rules::default());
        known(rules, &keys.iter().map(String::as_str).collect::<Vec<_>>())?;
    }
    let board = text(table, "board")?.ok_or("[[boards]] needs a board, its key")?;
    let ruleset = match text(table, "ruleset")? {
        Some(hex) => Some(
            hex.parse()
                .map_err(|_| format!("ruleset {hex} is not 32 hex digits"))?,
        ),
        None => None,
    };
    let policy = policy(table, &board)?;
    Ok(BoardEntry {
        app: text(table, "app")?.unwrap_or_default(),
        board,
        ruleset,
        policy,
    })
}

fn policy(table: &Table, board: &str) -> Result<BoardPolicy, String> {
    let mut table = table.clone();
    for name in ["app", "board", "ruleset"] {
        table.remove(name);
    }
    let value = serde_json::to_value(&table).map_err(|error| error.to_string())?;
    // One at a time, so that the message can name the key: serde's own does not.
    if let Some(object) = value.as_object() {
        for (key, value) in object {
            serde_json::from_value::<BoardPolicy>(serde_json::json!({ key: value }))
                .map_err(|error| format!("board {board}: {key} = {value}: {error}"))?;
        }
    }
    serde_json::from_value(value).map_err(|error| format!("board {board}: {error}"))
}

/// Checks apps and boards against each other.
pub(super) fn check(apps: &[AppEntry], boards: &[BoardEntry]) -> Result<(), String> {
    for (index, entry) in boards.iter().enumerate() {
        check_board(entry)?;
        let same = |other: &BoardEntry| other.app == entry.app && other.board == entry.board;
        if boards[..index].iter().any(same) {
            return Err(format!("board {} is declared twice", entry.board));
        }
        if !apps.is_empty() && !apps.iter().any(|app| app.name == entry.app) {
            return Err(format!(
                "board {}: no [[apps]] is named {:?}",
                entry.board, entry.app
            ));
        }
    }
    Ok(())
}

fn check_board(entry: &BoardEntry) -> Result<(), String> {
    board::check_key(&entry.board).map_err(|error| error.to_string())?;
    let policy = &entry.policy;
    if policy.attempts > 0 && policy.ticket != TicketRule::Required {
        return Err(format!(
            "board {}: attempts need ticket = \"required\"",
            entry.board
        ));
    }
    if !(1..=BOARD_ROWS_CEILING_ROWS).contains(&policy.rows) {
        return Err(format!(
            "board {}: rows must be 1 to {BOARD_ROWS_CEILING_ROWS}",
            entry.board
        ));
    }
    supported(entry)
}

/// What the wire knows and this server does not do yet is refused, not quietly left out.
fn supported(entry: &BoardEntry) -> Result<(), String> {
    let policy = &entry.policy;
    let missing = match policy {
        policy if policy.rank == RankStyle::Dense => "rank = \"dense\"",
        policy if policy.periods != [Period::Alltime] => "periods other than [\"alltime\"]",
        policy if policy.live => "live = true",
        _ => return Ok(()),
    };
    Err(format!(
        "board {}: {missing} is not supported yet",
        entry.board
    ))
}

fn known(table: &Table, names: &[&str]) -> Result<(), String> {
    match table.keys().find(|key| !names.contains(&key.as_str())) {
        Some(key) => Err(unknown(key, names.iter().copied())),
        None => Ok(()),
    }
}

fn text(table: &Table, name: &str) -> Result<Option<String>, String> {
    match table.get(name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(other) => Err(format!("{name} = {other}: must be a text")),
    }
}

fn json_keys(value: &impl serde::Serialize) -> Vec<String> {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::Object(object)) => object.keys().cloned().collect(),
        _ => Vec::new(),
    }
}

//! From TOML to a [`Config`]: the table of keys decides, an unknown key is an error.

use toml::{Table, Value};

use super::keys::KEYS;
use super::{Config, boards};

/// Reads a whole configuration file.
pub(super) fn config(text: &str) -> Result<Config, String> {
    let table: Table = text
        .parse()
        .map_err(|error: toml::de::Error| error.to_string())?;
    let mut config = Config::default();
    for (name, value) in &table {
        match name.as_str() {
            "apps" => {
                config.apps = tables(name, value)?
                    .into_iter()
                    .map(boards::app)
                    .collect::<Result<_, _>>()?
            }
            "boards" => {
                config.boards = tables(name, value)?
                    .into_iter()
                    .map(boards::board)
                    .collect::<Result<_, _>>()?
            }
            _ => plain(&mut config, name, value)?,
        }
    }
    boards::check(&config.apps, &config.boards)?;
    Ok(config)
}

fn plain(config: &mut Config, name: &str, value: &Value) -> Result<(), String> {
    let Some(key) = KEYS.iter().find(|key| key.name == name) else {
        let known = KEYS.iter().map(|key| key.name).chain(["apps", "boards"]);
        return Err(unknown(name, known));
    };
    key.set(config, value)
        .map_err(|allowed| format!("{name} = {value}: must be {allowed}"))
}

fn tables<'a>(name: &str, value: &'a Value) -> Result<Vec<&'a Table>, String> {
    let list = value
        .as_array()
        .and_then(|list| list.iter().map(Value::as_table).collect());
    list.ok_or_else(|| format!("{name} must be a list of tables, as [[{name}]]"))
}

/// The message about a key that nobody knows, with the one that was meant where that is likely.
pub(super) fn unknown<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.collect();
    let distance = |key: &&&str| strsim::damerau_levenshtein(name, key);
    // A word that shares less than half of its letters was not a slip of the finger.
    let near = |key: &&&str| distance(key) * 2 <= name.chars().count().max(4);
    match known.iter().min_by_key(distance).filter(near) {
        Some(nearest) => format!("unknown key {name:?}; did you mean {nearest}?"),
        None => format!("unknown key {name:?}; known are {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(toml: &str, said: &str) {
        let message = config(toml)
            .map(|_| String::from("fine"))
            .unwrap_or_else(|error| error);
        assert!(message.contains(said), "{toml}: {message}");
    }

    #[test]
    fn what_is_wrong_is_named_with_what_is_allowed() {
        check("", "fine");
        check("verify_queue = 3", "fine");
        check("verify_queu = 3", "did you mean verify_queue?");
        check(
            "verify_queue = 0",
            "verify_queue = 0: must be a whole number from 1 to 100000",
        );
        check("verify_queue = \"3\"", "must be a whole number");
        check("listen = \"here\"", "must be an address and port");
        check("data = \"\"", "must be a path");
        check("bords = []", "did you mean boards?");
        check(
            "colour = 1",
            "unknown key \"colour\"; known are listen, data",
        );
        check("boards = 3", "as [[boards]]");
        check("listen = ", "TOML");
    }

    #[test]
    fn boards_take_their_policy() {
        check("[[boards]]\nboard = \"a\"\norder = \"asc\"", "fine");
        check(
            "[[boards]]\nboard = \"a\"\nordr = \"asc\"",
            "did you mean order?",
        );
        check("[[boards]]\norder = \"asc\"", "board");
        check("[[boards]]\nboard = \"a\"\norder = \"up\"", "order");
        check("[[boards]]\nboard = \"a/b\"", "a board key must be");
        check(
            "[[boards]]\nboard = \"a\"\n[boards.rules]\nmin_frame = 3",
            "did you mean min_frames?",
        );
        check(
            "[[boards]]\nboard = \"a\"\n[boards.rules]\nmin_frames = 3",
            "fine",
        );
        check("[[boards]]\nboard = \"a\"\nruleset = \"12\"", "ruleset");
        check("[[boards]]\nboard = \"a\"\nattempts = 3", "ticket");
        check("[[boards]]\nboard = \"a\"\nrows = 1001", "rows");
        check(
            "[[boards]]\nboard = \"a\"\nrank = \"dense\"",
            "not supported yet",
        );
        check(
            "[[boards]]\nboard = \"a\"\nperiods = [\"weekly\"]",
            "not supported yet",
        );
    }

    #[test]
    fn apps_need_a_name_and_keys() {
        check("[[apps]]\nname = \"a\"\nkeys = [\"k-123456\"]", "fine");
        check(
            "[[apps]]\nname = \"a\"\nkey = [\"k\"]",
            "did you mean keys?",
        );
        check("[[apps]]\nkeys = [\"k-123456\"]", "name");
        check("[[apps]]\nname = \"a\"\nkeys = []", "keys");
    }
}

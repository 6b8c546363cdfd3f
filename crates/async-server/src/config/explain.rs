//! `--print-config`: the configuration as a TOML file that explains itself and reads back.

use std::fmt::Write as _;

use data_encoding::HEXLOWER;
use toml::Value;

use super::keys::KEYS;
use super::{AppEntry, BoardEntry, Config};

const HEAD: &str = "\
# gf-async-server: every key with its meaning, what is allowed, and its value.
# A file needs only the keys it changes. --listen, --data and --kit win over the file.
";

const APPS: &str = "
# Apps that may call, each with its keys (8 to 256 bytes, or blake3:HEX of one). None = any app,
# no key. A key names the app; it travels with the game, so it proves nothing about a player.
#
# [[apps]]
# name = \"my-game\"
# keys = [\"a-long-random-text\"]
";

const BOARDS: &str = "
# Declared boards. A board that is not declared is made on first use (see auto_boards).
#
# [[boards]]
# app = \"\"                  # the app it belongs to
# board = \"sprint\"          # 1 to 64 characters of a-z A-Z 0-9 . _ -
# ruleset = \"…\"             # 32 hex digits; without it, the first run binds the board
# order = \"desc\"            # desc: higher is better, asc: lower is
# keep = \"best\"             # best: one row per player, all: every run
# rank = \"competition\"      # competition 1,2,2,4; unique 1,2,3,4
# ties = \"earliest\"         # which of two equal scores stands first: earliest, latest
# trust = \"verified\"        # lowest status that ranks: verified, plausible
# ticket = \"optional\"       # off, optional, required
# attempts = 0              # attempts per player, 0 = unlimited; more needs ticket = \"required\"
# reveal = \"inputs\"         # what others may download: inputs, samples, after_close
# periods = [\"alltime\"]     # what is ranked by itself
# rows = 100                # most rows of one answer, 1 to 1000
#
# [boards.rules]
# min_frames = 1            # shortest run, in frames
# max_speed = 0.0           # units per second between samples, 0 = off
# speed_slack = 1.1         # factor on max_speed, over a window of one second
# max_score = 0             # highest score believed, 0 = off
# max_turn_rate = 0.0       # degrees per second, 0 = off
";

/// The whole file.
pub(super) fn toml(config: &Config) -> String {
    let mut text = HEAD.to_owned();
    let mut config = config.clone();
    for key in KEYS {
        let (meaning, allowed, value) = (key.meaning, key.allowed(), key.value(&mut config));
        // Writing to a String cannot fail.
        let _ = write!(
            text,
            "\n# {meaning}\n# Allowed: {allowed}.\n{} = {value}\n",
            key.name
        );
    }
    text.push_str(APPS);
    config.apps.iter().for_each(|entry| app(&mut text, entry));
    text.push_str(BOARDS);
    config
        .boards
        .iter()
        .for_each(|entry| board(&mut text, entry));
    text
}

fn app(text: &mut String, entry: &AppEntry) {
    let keys = entry
        .keys
        .iter()
        .map(|hash| format!("blake3:{}", HEXLOWER.encode(hash)));
    let keys = Value::Array(keys.map(Value::String).collect());
    let name = Value::String(entry.name.clone());
    let _ = write!(text, "\n[[apps]]\nname = {name}\nkeys = {keys}\n");
}

fn board(text: &mut String, entry: &BoardEntry) {
    let (app, key) = (
        Value::String(entry.app.clone()),
        Value::String(entry.board.clone()),
    );
    let _ = write!(text, "\n[[boards]]\napp = {app}\nboard = {key}\n");
    if let Some(ruleset) = entry.ruleset {
        let _ = writeln!(text, "ruleset = \"{ruleset}\"");
    }
    if let Ok(Value::Table(policy)) = Value::try_from(&entry.policy) {
        policy.iter().for_each(|(name, value)| {
            let _ = writeln!(text, "{name} = {value}");
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_reads_back() {
        let toml = "verify_queue = 7\nkit = \"game/gfkits.json\"\n\
            [[apps]]\nname = \"a \\\"b\\\"\"\nkeys = [\"12345678\"]\n\
            [[boards]]\napp = \"a \\\"b\\\"\"\nboard = \"sprint\"\norder = \"asc\"\n\
            trust = \"plausible\"\n\
            ruleset = \"000102030405060708090a0b0c0d0e0f\"\n[boards.rules]\nmax_speed = 3.5\n";
        for config in [Config::default(), Config::from_toml(toml).unwrap()] {
            let printed = config.explain();
            assert_eq!(Config::from_toml(&printed).unwrap(), config, "{printed}");
        }
    }

    #[test]
    fn every_key_of_the_examples_is_one_that_is_read() {
        let uncomment = |line: &str| {
            let line = line.strip_prefix("# ").unwrap_or_default();
            let is_toml = line.starts_with('[') || line.contains(" = ");
            is_toml.then(|| line.replace("\"…\"", "\"000102030405060708090a0b0c0d0e0f\""))
        };
        let examples: Vec<_> = BOARDS.lines().filter_map(uncomment).collect();
        let read = Config::from_toml(&examples.join("\n"));
        assert_eq!(read.unwrap().boards.len(), 1, "{}", examples.join("\n"));
    }
}

//! docs/settings.md, written from the table.

use serde_json::Value;

use super::merge::preset_keys;
use super::table::{KITS, Kind, Kit, Setting};
use super::{KIT, KIT_VERSION, REQUIRES};

const HEAD: &str = "\
# Settings

<!-- Written from the table in crates/async-protocol/src/settings/table.rs by the test
     `the_page_of_the_settings_is_the_tables`; GF_BLESS=1 writes it again. -->

";

const RULES_OF_THE_PAGE: &str = "\
A configuration is a JSON object of these keys. Defaults ← preset ← your keys, merged key by key;
`rules` and `gameOptions` one level deeper. A key you wrote wins even if it equals the default.

Ranges are inclusive. An integer may be written `60` or `60.0`, nothing else: no fraction, no text,
no `true`. An integer beyond ±(2^53−1) is a decimal string. A configuration with an unknown key or a
value that is not allowed is refused as a whole; the error (`unknown_setting`, `bad_setting`) names
the key, the value and what is allowed, and for an unknown key the nearest known one. Lines marked
*ours* are not in the reference.

What one setting demands of another:

- `slot` is less than `players`; `opponentSlot` is -1, or less than `players` and not `slot`.
- `physics: native` needs an engine game and `record` other than `inputs`.
- `game: physics` means `physics: shared`.
- `sampleHz` is clamped to `frameHz`, `boardDefaultRows` to `boardRows`.
";

/// The page, as Markdown.
#[must_use]
pub fn settings_page() -> String {
    let mut page = String::from(HEAD);
    let requires = REQUIRES.map(|kit| format!("`{kit}`")).join(", ");
    page.push_str(&format!(
        "The kit `{KIT}` {KIT_VERSION} needs {requires}; installing it brings them in.\n\n"
    ));
    page.push_str(RULES_OF_THE_PAGE);
    for kit in KITS {
        page.push_str(&section(kit));
    }
    page
}

fn section(kit: &Kit) -> String {
    let mut text = format!("\n## {}\n\n{}", kit.name, table(kit.settings));
    for row in kit.settings {
        if let Kind::Object { fields } = row.kind {
            text.push_str(&format!("\n### {}\n\n{}", row.name, table(fields)));
        }
    }
    if kit.name == KIT {
        text.push_str(&presets());
    }
    text
}

fn table(rows: &[Setting]) -> String {
    let mut text =
        String::from("| Setting | Type | Default | Allowed | Meaning |\n|---|---|---|---|---|\n");
    for row in rows {
        let ours = if row.ours { " *Ours.*" } else { "" };
        text.push_str(&format!(
            "| `{}` | {} | `{}` | {} | {}{ours} |\n",
            row.name,
            row.kind.type_name(),
            row.kind.default_value(),
            allowed(&row.kind),
            row.meaning.replace('|', "\\|").replace('<', "&lt;"),
        ));
    }
    text
}

/// What is allowed, shorter than in an error: the type stands in a column of its own.
fn allowed(kind: &Kind) -> String {
    match kind {
        Kind::Choice { values, .. } => values
            .iter()
            .map(|value| format!("`{value}`"))
            .collect::<Vec<_>>()
            .join(", "),
        Kind::Integer { min, max, .. } => format!("{min} to {max}"),
        Kind::Number { min, max, .. } => format!("{min} to {max}"),
        Kind::Object { .. } => "see below".to_owned(),
        other => other.allowed(),
    }
}

/// The presets, as the keys that they set.
fn presets() -> String {
    let mut text = String::from("\n### Presets\n\n*Ours.*\n\n| Preset | Keys |\n|---|---|\n");
    for preset in ["ghost-race", "async-pvp", "daily-challenge"] {
        let keys = Value::Object(preset_keys(preset, "arena"));
        text.push_str(&format!("| `{preset}` | `{keys}` |\n"));
    }
    text.push_str(
        "\nThe arena's `mode` only goes with `game: arena`. The board and the seed of \
         `daily-challenge` come\nfrom the server's last `daily` answer, never from the device's \
         clock.\n",
    );
    text
}

//! Rules on which crate may know what.

use crate::sources::lines_with;
use crate::tree::Tree;

/// Each crate and the house crates it may use: the layers of ARCHITECTURE.md, outermost last.
const LAYERS: [(&str, &[&str]); 9] = [
    ("async-core", &[]),
    ("async-replay", &["async-core"]),
    ("async-identity", &[]),
    (
        "async-protocol",
        &["async-core", "async-replay", "async-identity"],
    ),
    (
        "async-verify",
        &[
            "async-core",
            "async-replay",
            "async-identity",
            "async-protocol",
        ],
    ),
    (
        "async-client",
        &[
            "async-core",
            "async-replay",
            "async-identity",
            "async-protocol",
            "async-verify",
        ],
    ),
    (
        "async-store",
        &[
            "async-core",
            "async-replay",
            "async-identity",
            "async-protocol",
        ],
    ),
    (
        "async-server",
        &[
            "async-core",
            "async-replay",
            "async-identity",
            "async-protocol",
            "async-verify",
            "async-store",
        ],
    ),
    (
        "async-cli",
        &[
            "async-core",
            "async-replay",
            "async-identity",
            "async-protocol",
            "async-verify",
            "async-client",
        ],
    ),
];

pub(crate) fn dependencies(tree: &Tree) -> Vec<String> {
    let mut broken = Vec::new();
    for (name, allowed) in LAYERS {
        let manifest = manifest(tree, name);
        let Some(used) = manifest
            .get("dependencies")
            .and_then(|table| table.as_table())
        else {
            continue;
        };
        for house in used.keys().filter(|key| key.starts_with("async-")) {
            if !allowed.contains(&house.as_str()) {
                broken.push(format!("{name} must not use {house}"));
            }
        }
    }
    broken
}

pub(crate) fn manifests(tree: &Tree) -> Vec<String> {
    let mut broken = Vec::new();
    for file in tree
        .files
        .iter()
        .filter(|file| file.path.ends_with("/Cargo.toml"))
    {
        let Some(name) = file
            .path
            .strip_prefix("crates/")
            .and_then(|path| path.split('/').next())
        else {
            continue;
        };
        if !LAYERS.iter().any(|(known, _)| *known == name) {
            broken.push(format!(
                "{name}: give it a layer in tests/tests/tidy/layers.rs"
            ));
        }
        for line in [
            "[lints]",
            "workspace = true",
            "rust-version.workspace = true",
        ] {
            if !file.text.contains(line) {
                broken.push(format!("{}: `{line}` is missing", file.path));
            }
        }
    }
    broken
}

fn manifest(tree: &Tree, name: &str) -> toml::Table {
    let text = tree.file(&format!("crates/{name}/Cargo.toml"));
    text.parse().unwrap_or_else(|why| panic!("{name}: {why}"))
}

/// Time, randomness and the outside world are always arguments of these crates.
const PURE_CRATES: [&str; 5] = [
    "crates/async-core/src/",
    "crates/async-replay/src/",
    "crates/async-identity/src/",
    "crates/async-protocol/src/",
    "crates/async-verify/src/",
];
const OUTSIDE_CALLS: [&str; 8] = [
    "std::fs",
    "std::net",
    "std::thread",
    "std::env",
    "Instant::now",
    "SystemTime::now",
    "getrandom",
    "std::process",
];

pub(crate) fn outside_calls(tree: &Tree) -> Vec<String> {
    let mut broken = Vec::new();
    for file in tree.rust() {
        let pure = PURE_CRATES.iter().any(|place| file.path.starts_with(place));
        // The client's session is as pure; only its native driver touches the machine.
        let session = file.path.starts_with("crates/async-client/src/")
            && !file.path.starts_with("crates/async-client/src/native");
        if !(pure || session) || file.is_test() {
            continue;
        }
        for (at, line) in file.shipped_lines() {
            if let Some(call) = OUTSIDE_CALLS.iter().find(|call| line.contains(**call)) {
                broken.push(format!("{}:{at}: `{call}`: make it an argument", file.path));
            }
        }
    }
    broken
}

pub(crate) fn sql_in_server(tree: &Tree) -> Vec<String> {
    let server = tree
        .rust()
        .filter(|file| file.path.starts_with("crates/async-server/src/"));
    let words = ["rusqlite", "SELECT ", "INSERT ", "UPDATE ", "DELETE FROM"];
    server
        .flat_map(|file| lines_with(file, &words, "SQL belongs to async-store"))
        .collect()
}

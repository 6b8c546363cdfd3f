//! Every code that any crate can answer with is in the registry, and nothing else is.

use std::collections::BTreeSet;

use async_protocol::Verdict;
use async_protocol::codes::{REGISTRY, lookup};

const CRATES: &[(&str, &[&str])] = &[
    ("async-core", async_core::CODES),
    ("async-replay", async_replay::CODES),
    ("async-identity", async_identity::CODES),
    ("async-protocol", async_protocol::CODES),
    ("async-verify", async_verify::CODES),
    ("async-store", async_store::CODES),
    ("async-server", async_server::CODES),
    ("async-client", async_client::CODES),
];

/// Codes that the reference or the API names and that no crate can answer with yet.
const PLANNED: &[&str] = &[
    "app",
    "auth",
    "full",
    "mods",
    "model",
    "rate_limited",
    "version",
];

#[test]
fn every_code_of_every_crate_is_registered() {
    for (name, codes) in CRATES {
        assert!(!codes.is_empty(), "{name}");
        let unique: BTreeSet<_> = codes.iter().collect();
        assert_eq!(unique.len(), codes.len(), "{name} lists a code twice");
        for code in codes.iter().filter(|code| **code != Verdict::OK) {
            let snake = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
            assert!(code.bytes().all(snake), "{name}: {code} is not snake_case");
            assert!(lookup(code).is_some(), "{name}: {code} is not registered");
        }
    }
}

#[test]
fn nothing_is_registered_that_no_crate_answers_with() {
    let used: BTreeSet<&str> = CRATES
        .iter()
        .flat_map(|(_, codes)| *codes)
        .chain(PLANNED)
        .copied()
        .collect();
    let unused = REGISTRY
        .iter()
        .map(|entry| entry.code)
        .filter(|code| !used.contains(code));
    assert_eq!(unused.collect::<Vec<_>>(), [""; 0]);
    for planned in PLANNED {
        assert!(lookup(planned).is_some(), "{planned}");
    }
}

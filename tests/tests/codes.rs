//! Every code that any crate can answer with is in the registry, and nothing else is.

use std::collections::BTreeSet;

use async_protocol::Verdict;
use async_protocol::codes::lookup;

const CRATES: &[(&str, &[&str])] = &[
    ("async-core", async_core::CODES),
    ("async-replay", async_replay::CODES),
    ("async-identity", async_identity::CODES),
    ("async-protocol", async_protocol::CODES),
    ("async-verify", async_verify::CODES),
    ("async-store", async_store::CODES),
    ("async-server", async_server::CODES),
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

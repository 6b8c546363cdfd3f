//! PROTOCOL.md says what the code does.
//!
//! `GF_BLESS=1 cargo test -p async-tests --test protocol` rewrites its table of codes.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;
use std::{env, fs};

use async_protocol::codes::REGISTRY;
use async_protocol::limits;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../PROTOCOL.md");
const BEGIN: &str = "<!-- codes: written by the test `the_table_of_codes_is_the_registry` -->\n";
const END: &str = "<!-- /codes -->\n";

fn table() -> String {
    let mut text = String::from("| code | status | fault | meaning |\n|---|---|---|---|\n");
    for entry in REGISTRY {
        let (code, status, fault) = (entry.code, entry.status, entry.fault.name());
        writeln!(
            text,
            "| `{code}` | {status} | {fault} | {} |",
            entry.meaning
        )
        .unwrap();
    }
    text
}

#[test]
fn the_table_of_codes_is_the_registry() {
    let text = fs::read_to_string(FILE).unwrap();
    let (head, rest) = text.split_once(BEGIN).unwrap();
    let (written, tail) = rest.split_once(END).unwrap();
    if env::var_os("GF_BLESS").is_some() {
        fs::write(FILE, [head, BEGIN, &table(), END, tail].concat()).unwrap();
        return;
    }
    assert!(
        written == table(),
        "the table is old: run this test again with GF_BLESS=1"
    );
}

#[test]
fn the_sizes_of_statements_are_those_of_the_code() {
    let text = fs::read_to_string(FILE).unwrap();
    let said = |bytes: usize| text.contains(&format!("At most {bytes} bytes."));
    assert!(said(async_identity::TICKET_BYTES_MAX));
    assert!(said(async_identity::RECEIPT_BYTES_MAX));
    for field in [
        format!("text({})", async_identity::APP_BYTES_MAX),
        format!("text({})", async_identity::STATUS_BYTES_MAX),
        format!("text({})", async_identity::PATH_BYTES_MAX),
        format!("| {} |", async_identity::NONCE_BYTES),
    ] {
        assert!(text.contains(&field), "{field}");
    }
}

#[test]
fn identity_and_protocol_agree_on_limits() {
    assert_eq!(async_identity::APP_BYTES_MAX, limits::APP_MAX_BYTES);
    assert_eq!(async_identity::BOARD_BYTES_MAX, limits::BOARD_KEY_MAX_BYTES);
    assert_eq!(
        async_identity::NONCE_LIFE_MS,
        limits::CALL_NONCE_LIFETIME_MS
    );
    assert_eq!(async_identity::SEED_MAX, limits::SEED_MAX);
    const { assert!(async_identity::PATH_BYTES_MAX >= limits::REQUEST_TARGET_MAX_BYTES) };
}

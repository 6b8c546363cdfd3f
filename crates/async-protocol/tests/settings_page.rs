//! docs/settings.md is what the table says.
//!
//! `GF_BLESS=1 cargo test -p async-protocol --test settings_page` writes it again.

#![allow(clippy::unwrap_used, reason = "a test fails so")]

use std::{env, fs};

use async_protocol::settings::settings_page;

#[test]
fn the_page_of_the_settings_is_the_tables() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/settings.md");
    if env::var_os("GF_BLESS").is_some() {
        fs::write(file, settings_page()).unwrap();
        return;
    }
    let written = fs::read_to_string(file).unwrap_or_default();
    assert!(
        written == settings_page(),
        "docs/settings.md is old: run this test with GF_BLESS=1"
    );
}

//! Boards that nobody declared: who may make one, and what the first run decides.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod site;

use async_core::OptionValue;
use async_replay::EndReason;
use serde_json::json;
use site::Site;
use site::recordings::{arena, collect, engine, open, play};

#[test]
fn a_boards_order_is_the_modes_own_never_the_runs_claim() {
    let site = Site::new();
    let mut header = collect(1, "race");
    header.options = async_core::Options::default();
    header
        .options
        .insert("mode", OptionValue::Text("race".to_owned()))
        .unwrap();
    header.options.insert("laps", OptionValue::Int(1)).unwrap();
    let run = play(header, 1, 1);
    assert_eq!(open(&run).end.reason, EndReason::Finished);
    site.submit(&run).good();
    assert_eq!(site.api("/boards/race").good()["order"], "asc");
    site.submit(&arena(1, "sprint", 1)).good();
    assert_eq!(site.api("/boards/sprint").good()["order"], "desc");
}

#[test]
fn the_first_run_of_a_board_does_not_choose_the_mode_of_the_kit() {
    let folder = tempfile::tempdir().unwrap();
    let kit = folder.path().join("gfkits.json");
    let settings = json!({"game": "arena", "gameOptions": {"mode": "collect", "seconds": 10}});
    std::fs::write(&kit, json!({"net.async": settings}).to_string()).unwrap();
    let site = Site::with(&format!("kit = {}", json!(kit)));
    let mut header = collect(2, "sprint");
    header
        .options
        .insert("seconds", OptionValue::Int(11))
        .unwrap();
    assert_eq!(site.submit(&play(header, 2, 2)).code(), "wrong_ruleset");
    assert_eq!(site.total("sprint"), 0);
    site.submit(&arena(1, "sprint", 1)).good();
}

#[test]
fn boards_are_made_on_first_use_up_to_a_number() {
    let site = Site::with("auto_boards = 2\n[[boards]]\nboard = \"mine\"\ntrust = \"plausible\"");
    site.submit(&engine(1, "a", 1)).good();
    site.submit(&engine(1, "b", 1)).good();
    let reply = site.submit(&engine(1, "c", 1));
    assert_eq!(
        (reply.status, reply.code().as_str()),
        (404, "unknown_board")
    );
    assert_eq!(site.api("/boards/c").code(), "unknown_board");
    // Each day has its daily all the same.
    let daily = site.api("/daily").good();
    let mut header = collect(1, daily["board"].as_str().unwrap());
    header.seed = daily["seed"].as_u64().unwrap();
    site.submit(&play(header, 1, 1)).good();
    site.submit(&engine(1, "a", 2)).good();
    site.submit(&engine(1, "mine", 1)).good();
}

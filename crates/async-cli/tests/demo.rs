//! The demo end to end, with a real server process beside it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

mod recordings;

use recordings::{Ran, build_server, gf_async};
use serde_json::Value;

const STEPS: [&str; 11] = [
    "server", "record", "submit", "ghost", "race", "board", "tamper", "twice", "offline", "daily",
    "done",
];

fn step<'a>(ran: &'a Ran, name: &str) -> &'a Value {
    let found = ran.objects.iter().find(|object| object["step"] == name);
    found.unwrap_or_else(|| panic!("no step {name}: {ran:?}"))
}

fn assert_whole(ran: &Ran) {
    assert_eq!(ran.status, 0, "{ran:?}");
    let steps: Vec<&str> = ran
        .objects
        .iter()
        .map(|object| object["step"].as_str().unwrap())
        .collect();
    assert_eq!(steps, STEPS);
    assert!(ran.objects.iter().all(|object| object["ok"] == true));
}

#[test]
fn the_demo_plays_the_whole_loop() {
    build_server();
    let ran = gf_async(["--json".as_ref(), "demo".as_ref()]);
    assert_whole(&ran);
    assert_eq!(step(&ran, "submit")["rank"], 1);
    assert!(step(&ran, "race")["gap"].as_array().unwrap().len() > 10);
    assert_eq!(step(&ran, "board")["total"], 2);
    let tamper = step(&ran, "tamper");
    let frame = tamper["changed"]["frame"].as_u64().unwrap();
    assert_eq!(tamper["server"]["code"], "diverged");
    assert!(tamper["server"]["agreed"].as_u64().unwrap() <= frame);
    assert!(tamper["server"]["frame"].as_u64().unwrap() > frame);
    assert_eq!(tamper["trace"]["frame"], frame);
    assert_eq!(tamper["trace"]["field"], tamper["changed"]["field"]);
    assert_eq!(step(&ran, "twice")["duplicate"], true);
    assert_eq!(step(&ran, "offline")["while_away"], "unreachable");

    let text = gf_async(["demo".as_ref()]);
    assert_eq!(text.status, 0, "{text:?}");
    for word in [
        "Autopilot A",
        "verified",
        "rank 1",
        "gap to the ghost",
        "refused",
        "duplicate",
    ] {
        assert!(
            text.stdout.contains(word),
            "{word} is missing in {}",
            text.stdout
        );
    }
}

#[test]
fn a_recording_of_human_play_drives_the_demo() {
    build_server();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("steady.inp");
    std::fs::write(&file, recording(700)).unwrap();
    let ran = gf_async([
        "--json".as_ref(),
        "demo".as_ref(),
        "--input".as_ref(),
        file.as_os_str(),
    ]);
    assert_whole(&ran);
    let record = step(&ran, "record");
    assert_eq!(record["player"], "Recording steady");
    // It ends before the game does.
    assert_eq!(
        (&record["frames"], &record["end"]),
        (&700.into(), &"stopped".into())
    );
}

/// An INP1 file of one player with two bytes of buttons and two axes, as a kart's recording has.
fn recording(frames: u32) -> Vec<u8> {
    let mut bytes = b"INP1".to_vec();
    bytes.extend(frames.to_le_bytes());
    bytes.extend(60.0_f32.to_le_bytes());
    bytes.extend([1, 2, 2, 1]);
    for frame in 0..frames {
        bytes.extend([u8::from(frame % 90 < 5), 0, (frame / 50 % 15) as u8, 0]);
        let stick = bytes.len() - 2;
        bytes[stick] = bytes[stick].wrapping_sub(7);
    }
    bytes
}

#[test]
fn a_demo_that_cannot_begin_says_why() {
    let missing = gf_async([
        "--json".as_ref(),
        "demo".as_ref(),
        "--input".as_ref(),
        "no-such-file.inp".as_ref(),
    ]);
    assert_eq!(missing.status, 2);
    assert_eq!(missing.objects[0]["code"], "file_not_found");
    let foreign = gf_async([
        "--json".as_ref(),
        "demo".as_ref(),
        "--input".as_ref(),
        env!("CARGO_BIN_EXE_gf-async").as_ref(),
    ]);
    assert_eq!(
        (foreign.status, &foreign.objects[0]["code"]),
        (2, &"bad_corpus".into())
    );
}

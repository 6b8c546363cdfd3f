//! Revision 1 of the arena is frozen: these digests never change.
//!
//! A change of behaviour is a new revision with a file of its own. After adding a line to
//! `PLAYED`, run with `GF_BLESS=1` to write the file; a diff in an old line is a broken promise to
//! everybody who has a run.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "this is test code")]

mod driver;

use std::fmt::Write as _;

use async_core::{FrameRate, Setup};
use driver::{Jitter, play, setup, start};

/// Mode, players, frames in so many seconds, frames played.
const PLAYED: &[(&str, u8, (u32, u32), u32)] = &[
    ("collect", 1, (60, 1), 3_600),
    ("collect", 1, (10, 1), 600),
    ("collect", 3, (120, 1), 1_500),
    ("collect", 8, (24, 1), 500),
    ("race", 1, (60, 1), 4_000),
    ("race", 1, (10, 1), 700),
    ("race", 4, (60_000, 1001), 1_500),
    ("race", 8, (120, 1), 1_500),
    ("duel", 2, (60, 1), 3_000),
    ("duel", 2, (10, 1), 1_075),
    ("duel", 4, (30, 1), 1_500),
    ("duel", 8, (120, 1), 1_500),
];

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/arena_r1.txt");

fn line(mode: &str, players: u8, rate: (u32, u32), frames: u32, seed: u64) -> String {
    let rate = FrameRate::new(rate.0, rate.1).unwrap();
    let setup = Setup {
        rate,
        ..setup(mode, players, 60, seed)
    };
    let mut eager = start(&setup);
    let opening = eager.state_digest();
    play(&mut eager, frames);
    let mut wild = start(&setup);
    let mut jitter = Jitter::new(seed, players);
    for _ in 0..eager.frame().min(600) {
        wild.step(&jitter.next()).unwrap();
    }
    let mut line = format!(
        "{mode} players={players} rate={}/{}",
        rate.numer(),
        rate.denom()
    );
    let scores: Vec<String> = (0..players)
        .map(|slot| eager.game().score(slot).to_string())
        .collect();
    let _ = write!(
        line,
        " seed={seed} start={opening:016x} frames={} run={:016x} state={:016x} scores={} \
         wild={:016x}",
        eager.frame(),
        eager.run_digest(),
        eager.state_digest(),
        scores.join(","),
        wild.run_digest(),
    );
    line
}

#[test]
fn revision_1_is_frozen() {
    let lines = PLAYED
        .iter()
        .enumerate()
        .map(|(index, (mode, players, rate, frames))| {
            line(
                mode,
                *players,
                *rate,
                *frames,
                1_000_003 * index as u64 + 17,
            ) + "\n"
        });
    let now: String = lines.collect();
    if std::env::var_os("GF_BLESS").is_some() {
        std::fs::write(FILE, &now).unwrap();
    }
    let frozen = std::fs::read_to_string(FILE).unwrap();
    for (now, frozen) in now.lines().zip(frozen.lines()) {
        assert_eq!(now, frozen);
    }
    assert_eq!(now.lines().count(), frozen.lines().count());
}

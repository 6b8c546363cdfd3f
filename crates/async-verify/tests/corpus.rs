//! Real recordings of human play drive the arena, and every such run verifies. The folder comes by
//! `GF_CORPUS`; without it the test says so, and under CI it fails.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test may fail"
)]

mod recordings;

use std::path::PathBuf;

use async_core::Input;
use async_protocol::Status;
use async_replay::corpus::{InputRecording, to_arena};
use recordings::*;

fn corpus() -> Option<Vec<PathBuf>> {
    let Some(folder) = std::env::var_os("GF_CORPUS") else {
        let ci = std::env::var("CI").is_ok_and(|value| value == "true");
        assert!(!ci, "GF_CORPUS names no folder of recordings");
        eprintln!("skipped: GF_CORPUS names no folder of recordings");
        return None;
    };
    let folder = PathBuf::from(folder).join("inputs");
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|why| panic!("{folder:?}: {why}"));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "inp"));
    files.sort();
    assert!(!files.is_empty(), "{folder:?} holds no recordings");
    Some(files)
}

/// A run of `mode` driven by a recording. Slots that it has no player for stand still.
fn driven(recording: &InputRecording, inputs: &[Input], mode: &str, players: u8) -> Recorded {
    let mut header = arena(mode, players, 60);
    header.rate = recording.rate;
    let recorded = usize::from(recording.players);
    let frames = inputs.len() / recorded;
    record(header, &mut |simulation| {
        let frame = simulation.frame() as usize;
        (frame < frames).then(|| {
            let mut row = vec![Input::default(); usize::from(players)];
            let shared = recorded.min(row.len());
            row[..shared].copy_from_slice(&inputs[frame * recorded..][..shared]);
            row
        })
    })
}

#[test]
fn every_recording_drives_a_run_that_verifies_and_no_changed_one_does() {
    let Some(files) = corpus() else { return };
    let (mut runs, mut flips) = (0, 0);
    for path in &files {
        let bytes = std::fs::read(path).unwrap();
        let recording = InputRecording::parse(&bytes).unwrap();
        let inputs = to_arena(&recording).unwrap();
        let modes = [
            ("collect", recording.players),
            ("race", recording.players),
            ("duel", 2),
        ];
        for (mode, players) in modes {
            let recorded = driven(&recording, &inputs, mode, players);
            let found = verdict(&recorded.bytes);
            assert_eq!(found.status, Status::Verified, "{path:?} {mode}: {found:?}");
            runs += 1;
            flips += sampled_flips(&recorded, players);
        }
    }
    println!(
        "{runs} runs of {} recordings verified, {flips} flips refused",
        files.len()
    );
}

/// Flips dash at five places of a run; each must be refused around its frame.
fn sampled_flips(recorded: &Recorded, players: u8) -> usize {
    let run = recorded.run();
    let count = run.inputs.flat().len();
    let places = [0, count / 7, count / 3, count - count / 5, count - 1];
    for place in places {
        let mut changed = run.clone();
        changed.inputs.flat_mut()[place].buttons ^= async_core::arena::DASH;
        let found = verdict(&reencode(&changed));
        assert_eq!(found.status, Status::Refused, "{found:?}");
        let frame = (place / usize::from(players)) as u32;
        let (agreed, apart) = (found.agreed.unwrap(), found.frame.unwrap());
        assert!(
            agreed <= frame && frame < apart,
            "{frame} is not in {agreed}..{apart}"
        );
    }
    places.len()
}

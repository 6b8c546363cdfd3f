//! Runs from files: adopted to be submitted, by tools and on another device.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use async_client::{Answer, Command, RecordOptions, Session};
use async_replay::{Limits, Run};
use serde_json::json;

/// A session whose store is empty: its player's key is made at once.
fn session() -> Session {
    let kits = [("net.async", json!({"board": "b"}))];
    let mut session = Session::new(&kits, [7; 32]).unwrap();
    while session.player().is_none() {
        for command in session.commands() {
            if let Command::Load { key } = command {
                session.feed(Answer::Loaded { key, bytes: None });
            }
        }
    }
    session
}

fn recorded(practice: bool) -> Vec<u8> {
    let mut session = session();
    let options = RecordOptions {
        practice,
        ..RecordOptions::default()
    };
    session.record_start(&options).unwrap();
    session.tick(0.2, None);
    session.record_stop(None).unwrap();
    session.export(None).unwrap().to_vec()
}

#[test]
fn a_signed_run_can_be_adopted_and_submitted() {
    let bytes = recorded(false);
    let mut other = session();
    let id = other.adopt(&bytes).unwrap();
    assert_eq!(other.export(Some(id)).unwrap(), bytes);
    other.submit(Some(id)).unwrap();
}

#[test]
fn neither_practice_nor_unsigned_nor_broken_runs_are_adopted() {
    let code = |bytes: &[u8]| session().adopt(bytes).unwrap_err().code().to_owned();
    assert_eq!(code(&recorded(true)), "practice_run");
    let mut run = Run::open(&recorded(false), &Limits::LOCAL).unwrap();
    run.signature = None;
    assert_eq!(code(&run.encode().unwrap()), "unsigned_run");
    assert_eq!(code(b"no run"), "not_a_run");
}

//! Runs to hand to the command, and the command itself.
#![allow(dead_code, reason = "each test file uses its own part of this module")]

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use async_client::{Answer, RecordOptions, Session};
use async_core::{arena::DASH, autopilot};
use async_identity::PlayerKey;
use async_replay::{Limits, PlayerId, Run};
use serde_json::{Value, json};

/// What the command did.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// The lines of stdout that are JSON objects.
    pub(crate) objects: Vec<Value>,
}

pub(crate) fn gf_async<'a>(arguments: impl IntoIterator<Item = &'a OsStr>) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gf-async"));
    for variable in [
        "GF_ASYNC_URL",
        "GF_ASYNC_APP",
        "GF_ASYNC_KEY",
        "GF_ASYNC_DATA",
    ] {
        command.env_remove(variable);
    }
    let output = command.args(arguments).output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    Ran {
        status: output.status.code().unwrap(),
        objects: stdout
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        stdout,
    }
}

pub(crate) struct Recorded {
    pub(crate) bytes: Vec<u8>,
    pub(crate) trace: Vec<u8>,
}

/// A signed run of an autopilot that gathers orbs, `frames` long, recorded by the kit.
pub(crate) fn record(frames: u32) -> Recorded {
    let settings = json!({"clock": "host", "board": "b", "gameOptions": {"mode": "collect"}});
    let mut session = Session::new(&[("net.async", settings)], [5; 32]).unwrap();
    while session.player().is_none() {
        for command in session.commands() {
            if let async_client::Command::Load { key } = command {
                session.feed(Answer::Loaded { key, bytes: None });
            }
        }
    }
    let options = RecordOptions {
        seed: Some(3),
        trace: true,
        meta: [("car".to_owned(), "red".to_owned())].into(),
        ..RecordOptions::default()
    };
    session.record_start(&options).unwrap();
    let mut pilot = autopilot("arena", 1).unwrap();
    for _ in 0..frames {
        let input = pilot.input(session.game().unwrap(), 0);
        session.set_input(0, input).unwrap();
        session.step().unwrap();
    }
    session.record_stop(None).unwrap();
    let recorded = session.recorded(None).unwrap();
    Recorded {
        bytes: recorded.bytes.clone(),
        trace: recorded.trace.clone().unwrap(),
    }
}

/// The run with the dash of `frame` flipped, every checksum right, signed by somebody else.
pub(crate) fn signed_by_a_cheater(bytes: &[u8], frame: usize) -> Vec<u8> {
    let mut run = Run::open(bytes, &Limits::LOCAL).unwrap();
    run.inputs.flat_mut()[frame].buttons ^= DASH;
    let key = PlayerKey::from_seed([9; 32]);
    run.header.player = Some(PlayerId(key.player()));
    run.signature = Some(key.sign_run(&run.full_hash().0));
    run.encode().unwrap()
}

/// The demo looks for the server beside its own binary; cargo builds no binary of another package
/// for a test, so it is built here where it is not there yet.
pub(crate) fn build_server() {
    let command = Path::new(env!("CARGO_BIN_EXE_gf-async"));
    let folder = command.parent().unwrap();
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args([
        "build",
        "--quiet",
        "--package",
        "async-server",
        "--bin",
        "gf-async-server",
    ]);
    cargo.arg("--target-dir").arg(folder.parent().unwrap());
    if folder.ends_with("release") {
        cargo.arg("--release");
    }
    assert!(
        cargo.status().unwrap().success(),
        "the server does not build"
    );
}

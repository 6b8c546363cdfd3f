//! The program itself: what it prints, how it ends, what it says when it cannot start.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod site;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use site::recordings::{arena, engine};
use site::{BASE, Caller};

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gf-async-server"));
    command
        .args(arguments)
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Starts it and waits for its line.
fn start(folder: &Path, arguments: &[&str]) -> (Child, Caller) {
    let mut child = command(folder, arguments).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap())
        .read_line(&mut line)
        .unwrap();
    let url = line.trim().strip_prefix("listening on ").unwrap();
    let caller = Caller::new(url);
    (child, caller)
}

fn terminate(child: &Child) {
    let pid = child.id().to_string();
    assert!(Command::new("kill").arg(&pid).status().unwrap().success());
}

/// What it exits with, and says on stderr.
fn failed(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let output = command(folder, arguments).output().unwrap();
    assert!(output.stdout.is_empty(), "stdout is for readiness alone");
    (
        output.status.code().unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

#[test]
fn without_any_configuration_it_serves_and_keeps_everything_in_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let (mut child, caller) = start(folder.path(), &["--listen", "127.0.0.1:0"]);
    assert_eq!(caller.get("/readyz").status, 200, "ready when it says so");
    let run = arena(1, "sprint", 1);
    caller.submit(&run).good();
    terminate(&child);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(folder.path().join("gf-async.sqlite").exists());

    let (mut child, caller) = start(folder.path(), &["--listen", "127.0.0.1:0"]);
    assert_eq!(caller.submit(&run).good()["duplicate"], true);
    terminate(&child);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn open_to_the_network_without_keys_is_said() {
    for (address, said) in [("127.0.0.1:0", false), ("0.0.0.0:0", true)] {
        let folder = tempfile::tempdir().unwrap();
        let (mut child, _) = start(folder.path(), &["--listen", address]);
        terminate(&child);
        assert_eq!(child.wait().unwrap().code(), Some(0));
        let mut log = String::new();
        child.stderr.unwrap().read_to_string(&mut log).unwrap();
        assert_eq!(log.contains("without a key"), said, "{address}: {log}");
    }
}

#[test]
fn a_stop_lets_running_requests_finish_and_idle_ones_go() {
    let folder = tempfile::tempdir().unwrap();
    let (mut child, caller) = start(folder.path(), &["--listen", "127.0.0.1:0"]);
    let address = caller.url.trim_start_matches("http://").to_owned();
    let idle = TcpStream::connect(&address).unwrap();
    let run = engine(1, "kart", 5);
    let mut stream = TcpStream::connect(&address).unwrap();
    let length = run.len();
    write!(
        stream,
        "POST {BASE}/runs HTTP/1.1\r\nhost: x\r\ncontent-length: {length}\r\n\r\n"
    )
    .unwrap();
    stream.write_all(&run[..length / 2]).unwrap();
    std::thread::sleep(Duration::from_millis(100));
    let started = Instant::now();
    terminate(&child);
    std::thread::sleep(Duration::from_millis(100));
    assert!(
        TcpStream::connect(&address).is_err(),
        "no new connections while stopping"
    );
    stream.write_all(&run[length / 2..]).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(
        started.elapsed() < Duration::from_secs(5),
        "idle connections hold nothing up"
    );
    drop(idle);
}

#[test]
fn what_keeps_it_from_starting_is_said_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let (code, said) = failed(folder.path(), &["--listen", &address]);
    assert!(
        code == 1 && said.contains(&address) && said.contains("another program"),
        "{said}"
    );

    let anywhere = ["--listen", "127.0.0.1:0"];
    let with = |more: &[&'static str]| failed(folder.path(), &[&anywhere, more].concat());
    std::fs::write(
        folder.path().join("text"),
        "this is no database, and long enough to say so",
    )
    .unwrap();
    let (code, said) = with(&["--data", "text"]);
    assert!(code == 1 && said.contains("data file text"), "{said}");
    let (code, said) = with(&["--data", "no/such/folder/file"]);
    assert!(code == 1 && said.contains("no/such/folder/file"), "{said}");
    let (code, said) = with(&["--config", "missing.toml"]);
    assert!(code == 2 && said.contains("missing.toml"), "{said}");
    std::fs::write(folder.path().join("bad.toml"), "verify_queu = 3").unwrap();
    let (code, said) = with(&["--config", "bad.toml"]);
    assert!(
        code == 2 && said.contains("did you mean verify_queue?"),
        "{said}"
    );
    std::fs::write(
        folder.path().join("gfkits.json"),
        "{\"net.async\": {\"ordr\": 1}}",
    )
    .unwrap();
    let (code, said) = with(&["--kit", "gfkits.json"]);
    assert!(
        code == 2 && said.contains("gfkits.json") && said.contains("order"),
        "{said}"
    );
    let (code, _) = with(&["--no-such-flag"]);
    assert_eq!(code, 2);
}

#[test]
fn the_printed_configuration_explains_itself_and_starts_a_server() {
    let folder = tempfile::tempdir().unwrap();
    let output = command(folder.path(), &["--print-config"])
        .output()
        .unwrap();
    assert!(output.status.success());
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.contains("# Largest run accepted"), "{printed}");
    std::fs::write(folder.path().join("server.toml"), &printed).unwrap();
    let arguments = [
        "--config",
        "server.toml",
        "--listen",
        "127.0.0.1:0",
        "--data",
        "x.sqlite",
    ];
    let (mut child, caller) = start(folder.path(), &arguments);
    assert_eq!(caller.api("/limits").status, 200);
    terminate(&child);
    assert!(child.wait().unwrap().success());
    assert!(folder.path().join("x.sqlite").exists());
}

#[test]
fn the_games_own_kit_file_gives_undeclared_boards_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let kit = r#"{"net.async": {"game": "my_kart", "order": "asc", "physics": "native",
        "record": "samples"}}"#;
    std::fs::write(folder.path().join("gfkits.json"), kit).unwrap();
    let (mut child, caller) = start(
        folder.path(),
        &["--listen", "127.0.0.1:0", "--kit", "gfkits.json"],
    );
    caller.submit(&engine(1, "kart", 9)).good();
    assert_eq!(caller.submit(&engine(2, "kart", 5)).good()["rank"], 1);
    assert_eq!(caller.api("/boards/kart").good()["order"], "asc");
    assert_eq!(
        caller.submit(&arena(1, "sprint", 1)).code(),
        "wrong_ruleset",
        "another game"
    );
    terminate(&child);
    child.wait().unwrap();
}

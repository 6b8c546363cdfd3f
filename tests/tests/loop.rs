//! The whole loop over a real server on a loopback port: record, submit, verify, rank, fetch, race
//! the ghost, board, daily; twice the same; offline and back.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use async_client::native::NativeDriver;
use async_client::{Event, Session};
use async_core::autopilot;
use async_replay::{Limits, Run};
use async_server::{Config, Running, Server};
use serde_json::{Value, json};

/// How long anything may take here before the test says that it does not happen.
const PATIENCE: Duration = Duration::from_secs(30);

fn serve(folder: &Path, port: u16) -> Running {
    let mut config = Config::default();
    config.listen = SocketAddr::from(([127, 0, 0, 1], port));
    config.data = folder.join("server.sqlite");
    config.stop_timeout_ms = 500;
    Server::start(config).unwrap()
}

/// A player with a device of their own.
struct Device {
    session: Session,
    driver: NativeDriver,
    events: Vec<Value>,
}

impl Device {
    fn new(folder: &Path, server: SocketAddr, name: &str, more: Value) -> Self {
        let mut config = json!({
            "apiUrl": format!("http://{server}/api/v1/async"), "app": "loop", "player": name,
            "clock": "host", "board": "field", "gameOptions": {"mode": "collect", "seconds": 10},
        });
        for (key, value) in more.as_object().unwrap() {
            config[key] = value.clone();
        }
        let entropy = async_client::native::entropy().unwrap();
        let mut device = Self {
            session: Session::new(&[("net.async", config)], entropy).unwrap(),
            driver: NativeDriver::new(&folder.join(name)).unwrap(),
            events: Vec::new(),
        };
        let since = Instant::now();
        while device.session.player().is_none() {
            assert!(since.elapsed() < PATIENCE, "the device's key is not loaded");
            device.turn();
        }
        device
    }

    /// A turn of the host's loop.
    fn turn(&mut self) {
        self.session.tick(0.01, None);
        self.driver.pump(&mut self.session);
        self.events
            .extend(self.session.events().iter().map(Event::to_json));
        std::thread::sleep(Duration::from_millis(2));
    }

    fn call(&mut self, method: &str, args: Value) -> Value {
        self.session.call("net.async", method, &args)
    }

    /// The next event of a name.
    fn told(&mut self, name: &str) -> Value {
        let since = Instant::now();
        loop {
            if let Some(at) = self.events.iter().position(|event| event["e"] == name) {
                return self.events.remove(at);
            }
            assert!(
                since.elapsed() < PATIENCE,
                "no {name}, but {:?}",
                self.events
            );
            self.turn();
        }
    }

    /// The result of a request, or of its failure.
    fn result(&mut self, request: &Value) -> Value {
        assert_eq!(request["ok"], true, "{request}");
        let since = Instant::now();
        loop {
            let mine = |event: &Value| {
                event["request"] == request["request"] && event["e"] != "net.async.queued"
            };
            if let Some(at) = self.events.iter().position(mine) {
                return self.events.remove(at);
            }
            assert!(
                since.elapsed() < PATIENCE,
                "no result of {request}: {:?}",
                self.events
            );
            self.turn();
        }
    }

    /// Plays a run with an autopilot, to the end of the game or to so many frames.
    fn record(&mut self, start: Value, skill: u64, frames: u32) -> String {
        let started = self.call("recordStart", start);
        assert_eq!(started["ok"], true, "{started}");
        let mut pilot = autopilot("arena", skill).unwrap();
        while self.session.recording() && self.session.frames() < frames {
            let input = pilot.input(self.session.game().unwrap(), 0);
            self.session.set_input(0, input).unwrap();
            self.session.step().unwrap();
        }
        let stopped = self.call("recordStop", json!({}));
        assert_eq!(stopped["ok"], true, "{stopped}");
        stopped["id"].as_str().unwrap().to_owned()
    }

    fn submit(&mut self) -> Value {
        let request = self.call("submit", json!({}));
        self.result(&request)
    }
}

#[test]
fn a_run_goes_all_the_way_round() {
    let folder = tempfile::tempdir().unwrap();
    let server = serve(folder.path(), 0);
    let mut ada = Device::new(folder.path(), server.address(), "ada", json!({}));
    let run = ada.record(json!({"seed": 3}), 1, 600);
    let answer = ada.submit();
    assert_eq!(
        (&answer["ok"], &answer["status"]),
        (&json!(true), &json!("verified")),
        "{answer}"
    );
    assert_eq!(
        (&answer["rank"], &answer["id"]),
        (&json!(1), &json!(run)),
        "{answer}"
    );
    let queued = ada.told("net.async.queued");
    assert_eq!(queued["request"], answer["request"]);
    let receipt = folder.path().join("ada/receipt").join(format!("{run}.bin"));
    let since = Instant::now();
    while std::fs::read(&receipt).unwrap_or_default().is_empty() {
        assert!(since.elapsed() < PATIENCE, "the receipt is kept");
        ada.turn();
    }

    let mut ben = Device::new(folder.path(), server.address(), "ben", json!({}));
    let asked = ben.call("fetch", json!({"pick": "top", "count": 5}));
    let fetched = ben.result(&asked);
    assert_eq!(fetched["runs"][0]["id"], json!(run), "{fetched}");
    assert_eq!(fetched["runs"][0]["name"], "ada");
    let ghost = ben.call("loadGhost", json!({"run": run}))["ghost"].clone();
    ben.call("play", json!({"ghost": ghost}));
    ben.record(json!({"seed": 3}), 2, 600);
    assert_eq!(ben.told("net.async.ghost_end")["id"], json!(run));
    assert_eq!(ben.submit()["status"], "verified");

    let asked = ben.call("board", json!({"around": true}));
    let board = ben.result(&asked);
    assert_eq!(
        (&board["total"], board["rows"].as_array().unwrap().len()),
        (&json!(2), 2)
    );
    assert_eq!(board["own"]["ranked"], true, "{board}");
    for pick in ["around", "rival", "random"] {
        let asked = ben.call("fetch", json!({"pick": pick, "count": 2}));
        let fetched = ben.result(&asked);
        assert_eq!(fetched["e"], "net.async.fetched", "{pick}: {fetched}");
        for one in fetched["runs"].as_array().unwrap() {
            assert_eq!(one["id"], json!(run), "{pick} is about others");
        }
    }
    server.stop();
}

#[test]
fn the_daily_comes_from_the_server_and_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let server = serve(folder.path(), 0);
    let config = json!({"preset": "daily-challenge", "board": "", "gameOptions": {"seconds": 10}});
    let mut ada = Device::new(folder.path(), server.address(), "ada", config);
    assert_eq!(ada.call("recordStart", json!({}))["code"], "no_challenge");
    let asked = ada.call("daily", json!({}));
    let daily = ada.result(&asked);
    assert!(
        daily["board"].as_str().unwrap().starts_with("daily-"),
        "{daily}"
    );
    ada.record(json!({}), 1, 600);
    let answer = ada.submit();
    assert_eq!(
        (&answer["status"], &answer["rank"]),
        (&json!("verified"), &json!(1)),
        "{answer}"
    );
    let asked = ada.call("board", json!({"board": daily["board"]}));
    assert_eq!(ada.result(&asked)["total"], 1);
    server.stop();
}

#[test]
fn a_ticket_starts_an_attempt() {
    let folder = tempfile::tempdir().unwrap();
    let server = serve(folder.path(), 0);
    let mut ada = Device::new(folder.path(), server.address(), "ada", json!({}));
    let asked = ada.call("ticket", json!({"board": "field"}));
    let ticket = ada.result(&asked);
    assert_eq!(ticket["e"], "net.async.ticket", "{ticket}");
    let started = json!({"ticket": ticket["ticket"]});
    ada.record(started.clone(), 1, 60);
    assert_eq!(
        ada.submit()["code"],
        "too_fast",
        "a second of play in no time"
    );
    std::thread::sleep(Duration::from_secs(1));
    ada.record(started, 2, 60);
    let answer = ada.submit();
    assert_eq!(answer["status"], "verified", "{answer}");
    server.stop();
}

/// POST times out, retry: two rows for other people. Here the first answer comes again.
#[test]
fn case_u5_the_same_run_twice_is_one_row() {
    let folder = tempfile::tempdir().unwrap();
    let server = serve(folder.path(), 0);
    let mut ada = Device::new(folder.path(), server.address(), "ada", json!({}));
    ada.record(json!({}), 1, 600);
    let first = ada.submit();
    let second = ada.submit();
    assert_eq!(
        (&first["duplicate"], &second["duplicate"]),
        (&json!(false), &json!(true))
    );
    assert_ne!(first["request"], second["request"]);
    assert_eq!(
        (&first["id"], &first["rank"]),
        (&second["id"], &second["rank"])
    );
    let asked = ada.call("board", json!({}));
    assert_eq!(ada.result(&asked)["total"], 1);
    server.stop();
}

#[test]
fn a_tampered_run_is_refused_with_its_stretch() {
    let folder = tempfile::tempdir().unwrap();
    let server = serve(folder.path(), 0);
    let mut ada = Device::new(folder.path(), server.address(), "ada", json!({}));
    ada.record(json!({}), 1, 600);
    let bytes = ada.session.export(None).unwrap();
    let mut run = Run::open(bytes, &Limits::LOCAL).unwrap();
    run.inputs.flat_mut()[100].axes[0] ^= 0x40;
    let id = ada.session.adopt(&run.encode().unwrap()).unwrap();
    let asked = ada.call("submit", json!({"id": id.to_string()}));
    let answer = ada.result(&asked);
    assert_eq!(
        (&answer["ok"], &answer["code"]),
        (&json!(false), &json!("diverged")),
        "{answer}"
    );
    assert_eq!(
        (&answer["verdict"]["agreed"], &answer["verdict"]["frame"]),
        (&json!(0), &json!(600))
    );
    let asked = ada.call("outbox", json!({}));
    assert_eq!(asked["runs"], json!([]), "a refusal is final");
    server.stop();
}

/// The server is away, the game restarts, the server comes back: the run arrives.
#[test]
fn case_u2_a_run_submitted_offline_arrives_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let server = serve(folder.path(), 0);
    let address = server.address();
    server.stop();
    let mut ada = Device::new(folder.path(), address, "ada", json!({}));
    let run = ada.record(json!({}), 1, 600);
    ada.call("submit", json!({}));
    assert_eq!(ada.told("net.async.queued")["id"], json!(run));
    let failed = ada.told("net.async.failed");
    assert!(failed["retry_ms"].is_u64(), "{failed}");
    let since = Instant::now();
    drop(ada);
    assert!(
        since.elapsed() < Duration::from_secs(1),
        "a drop takes {:?}",
        since.elapsed()
    );

    let mut ada = Device::new(folder.path(), address, "ada", json!({}));
    let server = serve(folder.path(), address.port());
    ada.session.try_now();
    let answer = ada.told("net.async.submitted");
    assert_eq!(
        (&answer["id"], &answer["status"]),
        (&json!(run), &json!("verified")),
        "{answer}"
    );
    let asked = ada.call("board", json!({}));
    assert_eq!(ada.result(&asked)["total"], 1);
    drop(ada);
    server.stop();
}

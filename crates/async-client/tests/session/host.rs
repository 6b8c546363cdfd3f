//! A scripted host in memory: a store that survives restarts, a network that answers as told, and
//! a virtual clock. What the server thinks of a run is tested against the real server elsewhere;
//! the answers here are made up to test what happens on the way.

use std::collections::{BTreeMap, VecDeque};

use async_client::{Answer, Command, Event, HttpRequest, Session};
use async_core::{Pilot, autopilot};
use serde_json::{Value, json};

/// How the network behaves.
pub(crate) type Network = Box<dyn FnMut(&HttpRequest) -> Reaction>;

/// What becomes of a request.
pub(crate) enum Reaction {
    /// The server answers.
    Answer(u16, Value),
    /// The server answers with a `Retry-After` in seconds.
    Later(u16, Value, u32),
    /// The server answers with bytes.
    Bytes(Vec<u8>),
    /// No connection.
    Fails,
    /// The host never says anything.
    Silence,
}

/// A host with one session.
pub(crate) struct Host {
    pub(crate) session: Session,
    pub(crate) files: BTreeMap<String, Vec<u8>>,
    pub(crate) network: Network,
    /// Every HTTP request that was made.
    pub(crate) requests: Vec<HttpRequest>,
    pub(crate) events: Vec<Event>,
    /// Storage commands fail.
    pub(crate) disk_full: bool,
    /// Storage commands wait here until the host gets round to them.
    pub(crate) disk_stalls: bool,
    stalled: VecDeque<Command>,
}

/// The usual configuration.
pub(crate) fn config(more: Value) -> Value {
    let mut config = json!({
        "board": "field", "apiUrl": "http://server/api/v1/async", "app": "test",
        "player": "ada", "gameOptions": {"mode": "collect", "seconds": 10},
    });
    for (key, value) in more.as_object().unwrap() {
        config[key] = value.clone();
    }
    config
}

impl Host {
    pub(crate) fn new(more: Value) -> Self {
        Self::with_files(more, BTreeMap::new())
    }

    /// A host whose store holds what an earlier one left.
    pub(crate) fn with_files(more: Value, files: BTreeMap<String, Vec<u8>>) -> Self {
        let session = Session::new(&[("net.async", config(more))], [7; 32]).unwrap();
        let mut host = Self {
            session,
            files,
            network: Box::new(|_| Reaction::Fails),
            requests: Vec::new(),
            events: Vec::new(),
            disk_full: false,
            disk_stalls: false,
            stalled: VecDeque::new(),
        };
        host.pump();
        host
    }

    /// Does what the session wants until it wants nothing more.
    pub(crate) fn pump(&mut self) {
        loop {
            let commands = self.session.commands();
            if commands.is_empty() {
                break;
            }
            for command in commands {
                self.carry_out(command);
            }
        }
        self.events.extend(self.session.events());
    }

    /// The disk catches up with what it put off.
    pub(crate) fn unstall(&mut self) {
        self.disk_stalls = false;
        while let Some(command) = self.stalled.pop_front() {
            let answer = self.disk(command);
            self.session.feed(answer);
        }
        self.pump();
    }

    fn carry_out(&mut self, command: Command) {
        match command {
            Command::Http(request) => self.exchange(request),
            Command::Connect { .. } | Command::Send { .. } | Command::Close { .. } => {}
            command if self.disk_stalls => self.stalled.push_back(command),
            command => {
                let answer = self.disk(command);
                self.session.feed(answer);
            }
        }
    }

    fn disk(&mut self, command: Command) -> Answer {
        let failed = |key| Answer::StoreFailed {
            key,
            msg: "disk full".into(),
        };
        match command {
            Command::Load { key } => Answer::Loaded {
                bytes: self.files.get(&key).cloned(),
                key,
            },
            Command::Store { key, .. } | Command::Append { key, .. } if self.disk_full => {
                failed(key)
            }
            Command::Store { key, bytes } => {
                self.files.insert(key.clone(), bytes);
                Answer::Stored { key }
            }
            Command::Append { key, bytes } => {
                self.files.entry(key.clone()).or_default().extend(bytes);
                Answer::Stored { key }
            }
            Command::Erase { key } => {
                self.files.remove(&key);
                Answer::Erased { key }
            }
            other => panic!("no storage command: {other:?}"),
        }
    }

    fn exchange(&mut self, ask: HttpRequest) {
        let request = ask.request;
        let reaction = (self.network)(&ask);
        self.requests.push(ask);
        let done = |status, body: Value, headers| Answer::HttpDone {
            request,
            status,
            headers,
            body: serde_json::to_vec(&body).unwrap(),
        };
        let answer = match reaction {
            Reaction::Answer(status, body) => done(status, body, Vec::new()),
            Reaction::Later(status, body, seconds) => done(
                status,
                body,
                vec![("Retry-After".into(), seconds.to_string())],
            ),
            Reaction::Bytes(body) => Answer::HttpDone {
                request,
                status: 200,
                headers: Vec::new(),
                body,
            },
            Reaction::Fails => Answer::HttpFailed {
                request,
                msg: "no route".into(),
            },
            Reaction::Silence => return,
        };
        self.session.feed(answer);
    }

    /// Time passes.
    pub(crate) fn wait(&mut self, seconds: f64) {
        self.session.tick(seconds, None);
        self.pump();
    }

    /// Records a run of the given frames with the clock `host`, played by an autopilot.
    pub(crate) fn record(&mut self, frames: u32, seed: u64) -> String {
        let started = self.call("recordStart", json!({"seed": seed, "restart": true}));
        assert_eq!(started["ok"], true, "{started}");
        self.play(frames, seed);
        let stopped = self.call("recordStop", json!({}));
        assert_eq!(stopped["ok"], true, "{stopped}");
        stopped["id"].as_str().unwrap().to_owned()
    }

    /// Lets an autopilot play on.
    pub(crate) fn play(&mut self, frames: u32, seed: u64) {
        let mut pilot: Box<dyn Pilot> = autopilot("arena", seed).unwrap();
        for _ in 0..frames {
            let Some(game) = self.session.game() else {
                return;
            };
            let input = pilot.input(game, 0);
            self.session.set_input(0, input).unwrap();
            self.session.step().unwrap();
        }
        self.pump();
    }

    /// Calls net.async.
    pub(crate) fn call(&mut self, method: &str, args: Value) -> Value {
        let reply = self.session.call("net.async", method, &args);
        self.pump();
        reply
    }

    /// The events of a name so far, as JSON.
    pub(crate) fn told(&self, name: &str) -> Vec<Value> {
        let of_name = self.events.iter().filter(|event| event.name() == name);
        of_name.map(Event::to_json).collect()
    }

    /// The process dies: only the store is left.
    pub(crate) fn crash(self) -> BTreeMap<String, Vec<u8>> {
        self.files
    }
}

/// An answer to a submit as the server writes it.
pub(crate) fn accepted(run: &str, duplicate: bool) -> Value {
    json!({
        "ok": true, "id": run, "score": 5, "rank": 1, "position": 1, "best": 5,
        "status": "verified", "duplicate": duplicate, "stored": "better", "receipt": "AQI=",
        "verdict": {"status": "verified", "code": "ok", "score": 5, "frames": 60,
                    "digest": "0000000000000000", "msg": "as recorded"},
    })
}

/// The id of the run that a submit carries.
pub(crate) fn run_of(request: &HttpRequest) -> String {
    let run = async_replay::Run::open(&request.body, &async_replay::Limits::LARGEST).unwrap();
    run.id().to_string()
}

//! A session of the kit, sans IO: it is called, it is told of time and answers, and it says what it
//! wants done and what happened. It owns no socket, thread, file, clock or random source.

mod engine;
mod ghosting;
mod net;
mod recording;
mod storage;

use std::collections::VecDeque;

use async_core::{Axis, AxisBits, Catalogue, Input, InputSchema, Simulation};
use async_protocol::settings::{ActionsSettings, Clock};
use async_protocol::wire::DailyAnswer;
use async_replay::{Limits, PlayerId};
use async_verify::Verifier;
use serde_json::Value;

use crate::api::Api;
use crate::clock::{Elapsed, FrameClock};
use crate::commands::{Answer, Command};
use crate::controls::Controls;
use crate::device::Device;
use crate::entropy::Entropy;
use crate::events::Event;
use crate::ghosts::Ghosts;
use crate::kits::Kits;
use crate::known_server::KnownServer;
use crate::link::Link;
use crate::online::Online;
use crate::outbox::Outbox;
use crate::recorder::Recorder;
use crate::runs::Runs;
use crate::{Error, args};

pub use recording::{RecordOptions, RunSummary};

/// A session of net.async and the kits that it brings in.
#[derive(Debug)]
pub struct Session {
    kits: Kits,
    verifier: Verifier,
    /// The revision of the configured game; 0 for an engine game.
    revision: u32,
    entropy: Entropy,
    elapsed: Elapsed,
    now_ns: u64,
    unix_ms: Option<u64>,
    clock: FrameClock,
    controls: Controls,
    recorder: Option<Box<Recorder>>,
    /// The last simulation, to look at after its recording stopped.
    shown: Option<Box<Simulation>>,
    /// A recording that ended by itself and was not yet asked for by `record_stop`.
    unclaimed: Option<RunSummary>,
    runs: Runs,
    ghosts: Ghosts,
    device: Device,
    outbox: Outbox,
    saved: storage::Saved,
    api: Option<Api>,
    server: KnownServer,
    online: Online,
    daily: Option<DailyAnswer>,
    link: Link,
    commands: VecDeque<Command>,
    events: VecDeque<Event>,
}

impl Session {
    /// A session of the configured kits with the built-in games. `entropy` decides every seed, key
    /// and wait of the session: draw it from the system.
    ///
    /// # Errors
    /// The first bad setting; `unknown_game` for a game of the core that this build lacks.
    pub fn new(kits: &[(&str, Value)], entropy: [u8; 32]) -> Result<Self, Error> {
        Self::with_catalogue(kits, entropy, Catalogue::standard())
    }

    /// The same with games of one's own.
    ///
    /// # Errors
    /// As [`Session::new`].
    pub fn with_catalogue(
        kits: &[(&str, Value)],
        entropy: [u8; 32],
        catalogue: Catalogue,
    ) -> Result<Self, Error> {
        let kits = Kits::new(kits)?;
        let settings = &kits.settings;
        let revision = match catalogue.latest(&settings.game) {
            Some(revision) => revision,
            None if settings.deterministic() => {
                return Err(async_core::Error::UnknownGame(settings.game.clone()).into());
            }
            None => 0,
        };
        let schema = match revision {
            0 => schema_of(&kits.actions)?,
            _ => catalogue.schema(&settings.game, revision)?.clone(),
        };
        let api = Api::new(&settings.api_url, &settings.api_key, &settings.app)?;
        let mut session = Self {
            verifier: Verifier::new(catalogue, Limits::LOCAL),
            revision,
            entropy: Entropy::new(entropy),
            elapsed: Elapsed::default(),
            now_ns: 0,
            unix_ms: None,
            clock: FrameClock::new(settings.frame_hz),
            controls: Controls::new(schema, settings.players),
            recorder: None,
            shown: None,
            unclaimed: None,
            runs: Runs::new(Limits::LARGEST),
            ghosts: Ghosts::new(settings.frame_hz, settings.sample_hz),
            device: Device::new(settings.identity),
            outbox: Outbox::new(settings.outbox),
            saved: storage::Saved::default(),
            server: KnownServer::new(api.as_ref()),
            api,
            online: Online::default(),
            daily: None,
            link: Link::new(
                &kits.transport.url,
                kits.session_config(),
                kits.transport.reconnect,
            ),
            commands: VecDeque::new(),
            events: VecDeque::new(),
            kits,
        };
        session.pump();
        Ok(session)
    }

    /// The configuration.
    pub fn kits(&self) -> &Kits {
        &self.kits
    }

    /// Time passes: `dt_s` seconds of it, and, where the host knows it, the time of day in Unix
    /// milliseconds (for showing only: no verdict ever depends on it). Frames advance with the
    /// clock `core`. What is no time (negative, NaN) is none.
    pub fn tick(&mut self, dt_s: f64, unix_ms: Option<u64>) {
        let elapsed_ns = self.elapsed.add(dt_s);
        self.now_ns = self.now_ns.saturating_add(elapsed_ns);
        self.unix_ms = unix_ms.or(self.unix_ms);
        match self.kits.settings.clock {
            Clock::Host => self.clock.wait(elapsed_ns),
            Clock::Core => {
                let advance = self.clock.advance(elapsed_ns);
                if advance.gap_ms > 0 {
                    self.record_pause(advance.gap_ms);
                }
                (0..advance.frames).for_each(|_| self.frame());
            }
        }
        self.ghosts.simulate();
        self.give_up_overdue();
        self.pump();
    }

    /// Plays one frame with the clock `host`. Nothing happens while paused.
    ///
    /// # Errors
    /// `wrong_clock` with the clock `core`.
    pub fn step(&mut self) -> Result<(), Error> {
        if self.kits.settings.clock != Clock::Host {
            return Err(Error::WrongClock);
        }
        if !self.clock.is_paused() {
            self.frame();
        }
        Ok(())
    }

    fn frame(&mut self) {
        self.record_frame();
        let events = &mut self.events;
        self.ghosts
            .advance(|ghost, id| events.push_back(Event::GhostEnd { ghost, id }));
    }

    /// What the host is to do, since the last call.
    pub fn commands(&mut self) -> Vec<Command> {
        self.pump();
        self.store_recording();
        self.commands.drain(..).collect()
    }

    /// The next thing that the host is to do.
    pub fn next_command(&mut self) -> Option<Command> {
        if self.commands.is_empty() {
            self.pump();
            self.store_recording();
        }
        self.commands.pop_front()
    }

    /// What happened, since the last call; each thing once.
    pub fn events(&mut self) -> Vec<Event> {
        self.events.drain(..).collect()
    }

    /// The next thing that happened.
    pub fn next_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// An answer of the host. Answers that nobody waits for are ignored.
    pub fn feed(&mut self, answer: Answer) {
        match answer {
            Answer::Opened { session } => self.link.opened(session),
            Answer::Text { session, text } => {
                let event = self.link.text(session, &text);
                self.events.extend(event);
            }
            Answer::Closed { session, .. } => {
                let now_ms = self.now_ms();
                self.link.closed(session, now_ms, &mut self.entropy);
            }
            Answer::HttpDone {
                request,
                status,
                headers,
                body,
            } => {
                self.http_done(request, status, &headers, &body);
            }
            Answer::HttpFailed { request, msg } => self.http_failed(request, &msg),
            Answer::Stored { key } | Answer::Erased { key } => self.stored(&key),
            Answer::Loaded { key, bytes } => self.loaded(&key, bytes),
            Answer::StoreFailed { key, msg } => self.store_failed(&key, &msg),
        }
        self.pump();
    }

    /// A variable of the kit: `net.async.frame`, `net.async.score`, `net.async.recording`.
    pub fn variable(&self, name: &str) -> Option<Value> {
        match name {
            "net.async.frame" => Some(self.frames().into()),
            "net.async.score" => Some(args::write_integer(self.score())),
            "net.async.recording" => Some(self.recording().into()),
            _ => None,
        }
    }

    /// This device's player, once its key is loaded.
    pub fn player(&self) -> Option<PlayerId> {
        self.device.player()
    }

    /// The connection of the session path: its number, its configuration and its state (`closed`,
    /// `opening`, `open`, `refused`); none where no URL is configured.
    pub fn connection(&self) -> Option<(u32, &Value, &'static str)> {
        self.link.describe()
    }

    /// Virtual time in milliseconds: the sum of all ticks.
    pub fn now_ms(&self) -> u64 {
        self.now_ns / 1_000_000
    }

    /// The time of day as the host last told it; for showing only.
    pub fn unix_ms(&self) -> Option<u64> {
        self.unix_ms
    }

    /// The judge of this session: the same code as the server's.
    pub fn verifier(&self) -> &Verifier {
        &self.verifier
    }

    /// The inputs that the game takes.
    pub fn input_schema(&self) -> &InputSchema {
        self.controls.schema()
    }

    /// Sets what a slot holds down from now on; it is read once for each frame.
    ///
    /// # Errors
    /// `input_undeclared`; `bad_arguments` for a slot that there is not.
    pub fn set_input(&mut self, slot: u8, input: Input) -> Result<(), Error> {
        self.controls.set(slot, input)
    }

    pub(crate) fn controls(&self) -> &Controls {
        &self.controls
    }

    /// Moves on whatever waits for its time or its turn.
    fn pump(&mut self) {
        let now_ms = self.now_ms();
        self.commands.extend(self.link.command(now_ms));
        self.pump_storage(now_ms);
        self.pump_outbox(now_ms);
    }
}

fn schema_of(actions: &ActionsSettings) -> Result<InputSchema, Error> {
    let axes = actions.axes.iter().map(|axis| Axis {
        name: axis.name.clone(),
        bits: if axis.bits == 16 {
            AxisBits::Sixteen
        } else {
            AxisBits::Eight
        },
    });
    Ok(InputSchema::new(actions.buttons.clone(), axes.collect())?)
}

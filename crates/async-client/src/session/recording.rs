//! Recording: start, frames, stop, export.

use std::collections::BTreeMap;

use async_core::{FrameRate, Game, Setup, Simulation};
use async_identity::{Ticket, TicketUse};
use async_protocol::board::check_key;
use async_protocol::settings::Preset;
use async_replay::{EndReason, FullHash, Header, Precision, Run, RunId, SampleSchema, TrackSchema};

use super::Session;
use crate::args::bad;
use crate::clock::FrameClock;
use crate::commands::Command;
use crate::events::Event;
use crate::ghosts::player_track;
use crate::recorder::{EngineTracks, Recorded, Recorder, track_schemas};
use crate::runs::Frozen;
use crate::{Error, storage_keys};

/// How to start a recording.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordOptions {
    /// The server's ticket: it names board and seed.
    pub ticket: Option<Vec<u8>>,
    /// The seed, 0 to 2^53 - 1; drawn if absent.
    pub seed: Option<u64>,
    /// The board of the run; the session's if absent.
    pub board: Option<String>,
    /// What the game notes about the run, by name: within the limits of [`Header::meta`].
    pub meta: BTreeMap<String, String>,
    /// The run never ranks and is never sent.
    pub practice: bool,
    /// Keep a digest of each field in each frame, so that `verify` can name the exact divergence.
    pub trace: bool,
    /// Discard a recording that is under way.
    pub restart: bool,
}

/// What a recording came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunSummary {
    /// The run.
    pub id: RunId,
    /// Size of the file in bytes.
    pub bytes: usize,
    /// Frames of the run.
    pub frames: u32,
    /// The score.
    pub score: i64,
    /// It stopped by itself at a limit.
    pub truncated: bool,
}

impl Session {
    /// Starts a recording, and with it the game; returns the seed.
    ///
    /// # Errors
    /// `already_recording` without `restart`; `no_challenge`; `bad_header` for meta beyond its
    /// limits; what is wrong with ticket, board or the game's options. Nothing is discarded then.
    pub fn record_start(&mut self, options: &RecordOptions) -> Result<u64, Error> {
        if self.recorder.is_some() && !options.restart {
            return Err(Error::AlreadyRecording);
        }
        let ticket = options.ticket.as_deref().map(Ticket::peek).transpose()?;
        let board = self.board_of(options, ticket.as_ref())?;
        let seed = self.seed_of(options, ticket.as_ref(), &board)?;
        let mut header = self.header(board, seed)?;
        header.practice = options.practice;
        header.meta.clone_from(&options.meta);
        header.ticket.clone_from(&options.ticket);
        if let Some(ticket) = &ticket {
            self.check_ticket(ticket, &header)?;
        }
        let recorder = self.recorder_of(header, options.trace)?;
        self.recorder = Some(Box::new(recorder));
        self.shown = None;
        self.unclaimed = None;
        self.clock = FrameClock::new(self.kits.settings.frame_hz);
        Ok(seed)
    }

    fn board_of(&self, options: &RecordOptions, ticket: Option<&Ticket>) -> Result<String, Error> {
        let settings = &self.kits.settings;
        let board = match (&options.board, ticket) {
            (Some(board), _) => board.clone(),
            (None, Some(ticket)) => ticket.board.clone(),
            (None, None) if settings.preset == Preset::DailyChallenge => match &self.daily {
                Some(daily) => daily.board.clone(),
                None if options.practice => settings.board.clone(),
                None => return Err(Error::NoChallenge),
            },
            (None, None) => settings.board.clone(),
        };
        if !board.is_empty() {
            check_key(&board)?;
        }
        Ok(board)
    }

    fn seed_of(
        &mut self,
        options: &RecordOptions,
        ticket: Option<&Ticket>,
        board: &str,
    ) -> Result<u64, Error> {
        let daily = self.daily.as_ref().filter(|daily| daily.board == board);
        let bound = ticket
            .map(|ticket| ticket.seed)
            .or(daily.and_then(|daily| daily.seed));
        match (bound, options.seed) {
            (Some(bound), Some(seed)) if bound != seed && !options.practice => {
                Err(bad("`seed` is not the seed of the ticket or of the daily"))
            }
            (_, Some(seed)) if seed > async_core::SEED_MAX => Err(bad("`seed` is 0 to 2^53 - 1")),
            (_, Some(seed)) => Ok(seed),
            (Some(bound), None) => Ok(bound),
            (None, None) => Ok(self.entropy.seed()),
        }
    }

    fn check_ticket(&self, ticket: &Ticket, header: &Header) -> Result<(), Error> {
        let player = header.player.ok_or(Error::NoIdentity)?;
        Ok(ticket.check_for(&TicketUse {
            app: &header.app,
            player: &player.0,
            board: &header.board,
            ruleset: &header.ruleset().0,
            opponent: ticket.opponent.as_ref(),
            seed: header.seed,
        })?)
    }

    /// The header of a run with this configuration.
    pub(super) fn header(&self, board: String, seed: u64) -> Result<Header, Error> {
        let settings = &self.kits.settings;
        let samples = SampleSchema {
            rate_hz: u8::try_from(settings.sample_hz).unwrap_or(u8::MAX),
            tracks: self.tracks(),
            precision: Precision::default(),
        };
        let sampled = settings.record.samples() && !samples.tracks.is_empty();
        Ok(Header {
            build: self.kits.transport.version.clone(),
            options: settings.game_options.clone(),
            mods: self.kits.transport.mods.clone(),
            seed,
            players: settings.players,
            slot: settings.slot,
            player: self.device.player(),
            player_name: settings.player.clone(),
            engine: settings.engine.clone(),
            app: settings.app.clone(),
            board,
            frames_max: settings.max_frames,
            inputs: settings
                .record
                .inputs()
                .then(|| self.controls().schema().clone()),
            samples: sampled.then_some(samples),
            ..Header::new(
                &settings.game,
                self.revision,
                FrameRate::hz(settings.frame_hz)?,
            )
        })
    }

    fn tracks(&self) -> Vec<TrackSchema> {
        if self.revision == 0 {
            return track_schemas(&self.kits.engine);
        }
        let slots = 0..usize::from(self.kits.settings.players);
        slots
            .map(|slot| TrackSchema::flat(&player_track(slot)))
            .collect()
    }

    fn recorder_of(&self, header: Header, trace: bool) -> Result<Recorder, Error> {
        let bytes_max = usize::try_from(self.kits.settings.max_run_bytes).unwrap_or(usize::MAX);
        if self.revision == 0 {
            let tracks = EngineTracks::new(header.samples.as_ref());
            return Recorder::engine(tracks, header, bytes_max);
        }
        let setup = Setup {
            seed: header.seed,
            players: header.players,
            slot: header.slot,
            rate: header.rate,
            options: header.options.clone(),
        };
        let catalogue = self.verifier.catalogue();
        let simulation = Simulation::start(catalogue, &header.game, header.revision, &setup)?;
        Recorder::core(simulation, header, bytes_max, trace)
    }

    /// One frame of the recording, with what is held down now.
    pub(super) fn record_frame(&mut self) {
        let Some(recorder) = &mut self.recorder else {
            return;
        };
        match recorder.frame(self.controls.held()) {
            Ok(None) => {}
            // It ended by itself: finished, full, or the game failed. What was played is kept.
            Ok(Some(_)) | Err(_) => match self.finish_recording(None) {
                Ok(summary) => self.unclaimed = Some(summary),
                Err(error) => self.events.push_back(Event::Failed {
                    request: 0,
                    code: error.code().to_owned(),
                    msg: error.to_string(),
                    retry_ms: None,
                }),
            },
        }
    }

    pub(super) fn record_pause(&mut self, wall_ms: u32) {
        if let Some(recorder) = &mut self.recorder {
            // A run with more pauses than it may hold loses the later ones, not the run.
            let _ = recorder.pause(wall_ms);
        }
    }

    /// Stops the recording and freezes the run. `score` is the claim of an engine game. A recording
    /// that ended by itself is answered once, and told as an event once.
    ///
    /// # Errors
    /// `not_recording`; `not_an_engine_game` for a score that the core computes; `too_short` before
    /// the first frame: the recording goes on then.
    pub fn record_stop(&mut self, score: Option<i64>) -> Result<RunSummary, Error> {
        if self.recorder.is_none() {
            return self.unclaimed.take().ok_or(Error::NotRecording);
        }
        if score.is_some() && self.revision != 0 {
            return Err(Error::NotAnEngineGame("score"));
        }
        if self.frames() == 0 {
            return Err(Error::NoFrames);
        }
        self.finish_recording(score)
    }

    fn finish_recording(&mut self, score: Option<i64>) -> Result<RunSummary, Error> {
        self.resume();
        let recorder = self.recorder.take().ok_or(Error::NotRecording)?;
        let header = recorder.header().clone();
        let key = self
            .device
            .key()
            .filter(|_| header.player == self.device.player());
        let mut sign = |hash: &FullHash| key.map_or([0; 64], |key| key.sign_run(&hash.0));
        let signed = key.is_some();
        let recorded = recorder.finish(score, if signed { Some(&mut sign) } else { None })?;
        let mut frozen = frozen(&header, &recorded, signed);
        self.shown = recorded.simulation;
        if !signed {
            self.sign_late(&mut frozen)?;
        }
        Ok(self.freeze(frozen, false))
    }

    /// A recording that began before the device's key was loaded is signed at its end.
    fn sign_late(&self, frozen: &mut Frozen) -> Result<(), Error> {
        let Some(key) = self.device.key() else {
            return Ok(());
        };
        let mut run = Run::open(&frozen.bytes, self.verifier.limits())?;
        run.header.player = self.device.player();
        let hash = run.full_hash();
        run.signature = Some(key.sign_run(&hash.0));
        frozen.bytes = run.encode()?;
        frozen.id = hash.id();
        frozen.signed = true;
        Ok(())
    }

    /// Keeps a run for good and tells of it.
    pub(super) fn freeze(&mut self, run: Frozen, recovered: bool) -> RunSummary {
        let summary = RunSummary {
            id: run.id,
            bytes: run.bytes.len(),
            frames: run.frames,
            score: run.score,
            truncated: run.reason == EndReason::Truncated,
        };
        self.events
            .push_back(Event::Recorded { summary, recovered });
        let key = storage_keys::RECORDING.to_owned();
        self.commands.push_back(Command::Store {
            key,
            bytes: run.bytes.clone(),
        });
        if let Some(trace) = &run.trace {
            let key = storage_keys::trace(run.id);
            self.commands.push_back(Command::Store {
                key,
                bytes: trace.clone(),
            });
        }
        self.runs.keep_recorded(run);
        summary
    }

    /// A recorded run by its id, or the last one.
    ///
    /// # Errors
    /// `unknown_run`.
    pub fn recorded(&self, id: Option<RunId>) -> Result<&Frozen, Error> {
        self.runs.recorded(id)
    }

    /// The file of a recorded or fetched run by its id, or of the last recorded one.
    ///
    /// # Errors
    /// `unknown_run`.
    pub fn export(&self, id: Option<RunId>) -> Result<&[u8], Error> {
        match id {
            Some(id) => self.runs.bytes(id),
            None => Ok(&self.recorded(None)?.bytes),
        }
    }

    /// Whether a recording is under way.
    pub fn recording(&self) -> bool {
        self.recorder.is_some()
    }

    /// The frame of the recording, or of the last one.
    pub fn frames(&self) -> u32 {
        match (&self.recorder, &self.shown) {
            (Some(recorder), _) => recorder.frames(),
            (None, Some(simulation)) => simulation.frame(),
            (None, None) => 0,
        }
    }

    /// The score of the recording, or of the last one.
    pub fn score(&self) -> i64 {
        match (&self.recorder, &self.shown) {
            (Some(recorder), _) => recorder.score(),
            (None, Some(shown)) => shown.game().score(self.kits.settings.slot),
            (None, None) => self.runs.recorded(None).map_or(0, |run| run.score),
        }
    }

    /// The game of the core that is being recorded, or the last one in its last state.
    pub fn game(&self) -> Option<&dyn Game> {
        let recorded = self
            .recorder
            .as_ref()
            .and_then(|recorder| recorder.simulation());
        recorded.or(self.shown.as_deref()).map(Simulation::game)
    }

    pub(super) fn store_recording(&mut self) {
        let Some((first, bytes)) = self.recorder.as_mut().and_then(|r| r.unstored()) else {
            return;
        };
        let (key, bytes) = (storage_keys::RECORDING.to_owned(), bytes.to_vec());
        self.commands.push_back(if first {
            Command::Store { key, bytes }
        } else {
            Command::Append { key, bytes }
        });
    }
}

fn frozen(header: &Header, recorded: &Recorded, signed: bool) -> Frozen {
    Frozen {
        id: recorded.finished.id,
        bytes: recorded.finished.bytes.clone(),
        frames: recorded.end.frames,
        score: recorded.end.score,
        reason: recorded.end.reason,
        practice: header.practice,
        signed,
        trace: recorded
            .trace
            .as_ref()
            .and_then(|trace| trace.encode().ok()),
    }
}

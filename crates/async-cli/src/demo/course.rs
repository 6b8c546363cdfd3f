//! What is played in the demo, and what drives it: autopilots, or a recording of human play.

use std::path::Path;

use async_core::{Game, Input, Pilot, autopilot};
use async_replay::corpus::{InputRecording, to_arena};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::files;
use crate::output::plain;

/// Largest recording that is read, in bytes.
const RECORDING_BYTES_MAX: usize = 64 << 20;
/// The game's name in the catalogue.
pub(crate) const GAME: &str = "arena";
/// The app that the demo's runs belong to.
pub(crate) const APP: &str = "demo";

/// A recording of human play, as the arena's inputs.
#[derive(Debug, Clone)]
pub(crate) struct Recording {
    name: String,
    players: u8,
    inputs: Vec<Input>,
}

impl Recording {
    /// Reads an `INP1` file.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let bytes = files::read(path, RECORDING_BYTES_MAX)?;
        let named = |error: async_replay::Error| {
            Failure::new(error.code(), format_args!("{}: {error}", path.display()))
        };
        let recording = InputRecording::parse(&bytes).map_err(named)?;
        let inputs = to_arena(&recording).map_err(named)?;
        let name = path.file_stem().map(|stem| plain(&stem.to_string_lossy()));
        Ok(Self {
            name: name.unwrap_or_default(),
            players: recording.players,
            inputs,
        })
    }
}

/// The mode, the number of players and what drives the first of them.
#[derive(Debug, Clone)]
pub(crate) struct Course {
    pub(crate) mode: &'static str,
    players: u8,
    recording: Option<Recording>,
}

impl Course {
    /// A race of autopilots; a recording of one player gathers orbs, since nobody steered it
    /// through gates, and one of two players is a duel.
    pub(crate) fn of(recording: Option<Recording>) -> Self {
        let (mode, players) = match &recording {
            None => ("race", 1),
            Some(recording) if recording.players > 1 => ("duel", recording.players),
            Some(_) => ("collect", 1),
        };
        Self {
            mode,
            players,
            recording,
        }
    }

    pub(crate) fn board(&self) -> String {
        format!("demo-{}", self.mode)
    }

    /// Whether less is better.
    pub(crate) fn ascending(&self) -> bool {
        self.mode == "race"
    }

    /// The settings of a player's session.
    pub(crate) fn settings(&self, api_url: &str, player: &str) -> Value {
        json!({
            "game": GAME, "gameOptions": {"mode": self.mode}, "players": self.players,
            "order": if self.ascending() { "asc" } else { "desc" }, "clock": "host",
            "app": APP, "board": self.board(), "player": player, "apiUrl": api_url,
        })
    }

    /// How the first player is called: nobody is invented.
    pub(crate) fn first_name(&self) -> String {
        match &self.recording {
            Some(recording) => format!("Recording {}", recording.name),
            None => "Autopilot A".into(),
        }
    }

    /// What drives the first player.
    pub(crate) fn first_drive(&self) -> Drive {
        Drive {
            recording: self.recording.clone(),
            pilots: self.pilots(1),
        }
    }

    /// What drives a player that is not the recording; each seed plays differently.
    pub(crate) fn autopilots(&self, seed: u64) -> Drive {
        Drive {
            recording: None,
            pilots: self.pilots(seed),
        }
    }

    fn pilots(&self, seed: u64) -> Vec<Box<dyn Pilot>> {
        (0..self.players)
            .filter_map(|slot| autopilot(GAME, seed + u64::from(slot)))
            .collect()
    }
}

/// Gives every slot its input, frame by frame.
pub(crate) struct Drive {
    recording: Option<Recording>,
    pilots: Vec<Box<dyn Pilot>>,
}

impl Drive {
    /// The inputs of a frame, one a slot; `None` once the recording is over.
    pub(crate) fn inputs(&mut self, game: &dyn Game, frame: u32) -> Option<Vec<Input>> {
        if let Some(recording) = &self.recording {
            let players = usize::from(recording.players);
            let start = frame as usize * players;
            return recording
                .inputs
                .get(start..start + players)
                .map(<[Input]>::to_vec);
        }
        let pilots = self.pilots.iter_mut().zip(0_u8..);
        Some(
            pilots
                .map(|(pilot, slot)| pilot.input(game, slot))
                .collect(),
        )
    }
}

//! Ghosts: runs played beside the game. A ghost holds a copy of what was played and nothing of the
//! game, so it cannot touch it; and it is not among the recorded runs, so it cannot be submitted.

mod playback;
mod pose;
mod progress;
mod shadow;

use async_core::{Catalogue, Simulation};
use async_protocol::limits::GHOSTS_MAX_COUNT;
use async_replay::{PlayerId, Rotation, Run, RunId, Sample, SampleSchema};

use crate::Error;
use crate::args::bad;

pub use playback::{Play, SPEED_MAX};
pub use pose::{CHANNELS_MAX, Pose};
pub use progress::Gap;

use playback::Playback;
use pose::Key;
use progress::Progress;
use shadow::Shadow;

/// Most frames that ghosts are simulated in one tick, all of them together.
const SHADOW_FRAMES_PER_TICK: u32 = 2_000;
/// Bits of a ghost's number that say its place; the others count how often it was reused.
const PLACE_BITS: u32 = 16;
/// The name of the channel or track value in which an engine game may record its progress.
const PROGRESS_CHANNEL: &str = "progress";

/// How to load a ghost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GhostOptions {
    /// The slot to show; the recording player's if absent.
    pub slot: Option<u8>,
    /// How many frames later than the game it starts; negative is a lead.
    pub offset_frames: i32,
}

/// What a loaded ghost is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GhostInfo {
    /// Its number.
    pub ghost: u64,
    /// Its run.
    pub id: RunId,
    /// Who played, if the run says so.
    pub player: Option<PlayerId>,
    /// The player's name.
    pub name: String,
    /// Frames of the run.
    pub frames: u32,
    /// The score as the run says.
    pub score: i64,
}

/// Where a ghost is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GhostState {
    /// The frame of its run.
    pub frame: u32,
    /// Its pose, between samples.
    pub pose: Pose,
    /// False before it starts, and until the first of its frames is known.
    pub visible: bool,
    /// It reached the end and does not repeat.
    pub ended: bool,
    /// How far the player is ahead of it, in frames of the session; none if it never gets there.
    pub gap_frames: Option<i64>,
    /// How far the player is ahead of it in progress.
    pub gap_progress: Option<i64>,
}

#[derive(Debug)]
struct Track {
    name: String,
    keys: Vec<Key>,
}

#[derive(Debug)]
struct Ghost {
    info: GhostInfo,
    own_track: usize,
    tracks: Vec<Track>,
    progress: Progress,
    shadow: Option<Shadow>,
    playback: Playback,
    /// Frames of the run in one frame of the session.
    scale: f64,
}

#[derive(Debug, Default)]
struct Place {
    reuses: u32,
    ghost: Option<Box<Ghost>>,
}

/// The ghosts of a session.
#[derive(Debug)]
pub(crate) struct Ghosts {
    places: Vec<Place>,
    frame_hz: u32,
    sample_hz: u32,
}

impl Ghosts {
    pub(crate) fn new(frame_hz: u32, sample_hz: u32) -> Self {
        Self {
            places: Vec::new(),
            frame_hz,
            sample_hz,
        }
    }

    /// Loads a run as a ghost.
    ///
    /// # Errors
    /// `ghosts_full`; `bad_arguments` for a slot that the run does not have; codes of the core for
    /// a run that has nothing to show and cannot be simulated.
    pub(crate) fn load(
        &mut self,
        run: Run,
        catalogue: &Catalogue,
        options: GhostOptions,
    ) -> Result<GhostInfo, Error> {
        let place = self.free_place()?;
        let mut ghost = Box::new(self.ghost_of(run, catalogue, options)?);
        let entry = &mut self.places[place];
        entry.reuses += 1;
        ghost.info.ghost = u64::from(entry.reuses) << PLACE_BITS | place as u64;
        let info = ghost.info.clone();
        entry.ghost = Some(ghost);
        Ok(info)
    }

    fn free_place(&mut self) -> Result<usize, Error> {
        if let Some(place) = self.places.iter().position(|place| place.ghost.is_none()) {
            return Ok(place);
        }
        if self.places.len() == GHOSTS_MAX_COUNT {
            return Err(Error::GhostsFull {
                max: GHOSTS_MAX_COUNT,
            });
        }
        self.places.push(Place::default());
        Ok(self.places.len() - 1)
    }

    fn ghost_of(
        &self,
        run: Run,
        catalogue: &Catalogue,
        options: GhostOptions,
    ) -> Result<Ghost, Error> {
        let header = &run.header;
        let slot = options.slot.unwrap_or(header.slot);
        if slot >= header.players {
            return Err(bad(&format!(
                "`slot` is a slot of the run: 0 to {}",
                header.players - 1
            )));
        }
        let tracks = tracks_of(&run);
        let shadow = match Shadow::start(&run, slot, catalogue, tracks.is_empty(), self.sample_hz) {
            Ok(shadow) => shadow,
            // It can still be shown from its samples; only its progress stays unknown.
            Err(_) if !tracks.is_empty() => None,
            Err(error) => return Err(error),
        };
        if tracks.is_empty() && shadow.is_none() {
            return Err(bad(
                "the run has no samples, and its game is not one of the core's",
            ));
        }
        let own_track = if header.revision == 0 {
            0
        } else {
            usize::from(slot)
        };
        let rate = header.rate;
        Ok(Ghost {
            progress: recorded_progress(&run, own_track),
            info: GhostInfo {
                ghost: 0,
                id: run.id(),
                player: header.player,
                name: header.player_name.clone(),
                frames: run.end.frames,
                score: run.end.score,
            },
            scale: f64::from(rate.numer()) / f64::from(rate.denom()) / f64::from(self.frame_hz),
            playback: Playback::new(run.end.frames, options.offset_frames),
            own_track,
            tracks,
            shadow,
        })
    }

    /// Forgets a ghost.
    pub(crate) fn unload(&mut self, number: u64) -> Result<(), Error> {
        let place = self.place_of(number)?;
        self.places[place].ghost = None;
        Ok(())
    }

    /// Starts, pauses or moves a ghost.
    pub(crate) fn play(&mut self, number: u64, play: &Play) -> Result<(), Error> {
        let place = self.place_of(number)?;
        match &mut self.places[place].ghost {
            Some(ghost) => ghost.playback.play(play),
            None => Err(Error::UnknownGhost(number)),
        }
    }

    /// A frame of the session passes; tells each ghost that reached its end.
    pub(crate) fn advance(&mut self, mut ended: impl FnMut(u64, RunId)) {
        for ghost in self
            .places
            .iter_mut()
            .filter_map(|place| place.ghost.as_mut())
        {
            if ghost.playback.advance(ghost.scale) {
                ended(ghost.info.ghost, ghost.info.id);
            }
        }
    }

    /// Simulates on what is to be simulated, a bounded part of it.
    pub(crate) fn simulate(&mut self) {
        let mut left = SHADOW_FRAMES_PER_TICK;
        for ghost in self
            .places
            .iter_mut()
            .filter_map(|place| place.ghost.as_mut())
        {
            left = ghost.simulate(left);
        }
    }

    /// Where a ghost is; `player` is the progress of the game beside it. Allocates nothing.
    pub(crate) fn state(
        &self,
        number: u64,
        track: Option<usize>,
        player: Option<i64>,
    ) -> Result<GhostState, Error> {
        let place = self.place_of(number)?;
        match &self.places[place].ghost {
            Some(ghost) => ghost.state(track, player),
            None => Err(Error::UnknownGhost(number)),
        }
    }

    /// The place of a track among a ghost's tracks.
    pub(crate) fn track(&self, number: u64, name: &str) -> Result<usize, Error> {
        let place = self.place_of(number)?;
        let tracks = self.places[place].ghost.as_ref().map(|ghost| &ghost.tracks);
        tracks
            .and_then(|tracks| tracks.iter().position(|track| track.name == name))
            .ok_or_else(|| bad("`track` is a track of the ghost's run, by its name"))
    }

    /// The loaded ghosts.
    pub(crate) fn list(&self) -> impl Iterator<Item = &GhostInfo> {
        self.places
            .iter()
            .filter_map(|place| place.ghost.as_ref())
            .map(|ghost| &ghost.info)
    }

    fn place_of(&self, number: u64) -> Result<usize, Error> {
        let place = usize::try_from(number & ((1 << PLACE_BITS) - 1)).unwrap_or(usize::MAX);
        let here = self
            .places
            .get(place)
            .and_then(|place| place.ghost.as_ref());
        match here {
            Some(ghost) if ghost.info.ghost == number => Ok(place),
            _ => Err(Error::UnknownGhost(number)),
        }
    }
}

impl Ghost {
    fn simulate(&mut self, frames: u32) -> u32 {
        let Some(shadow) = &mut self.shadow else {
            return frames;
        };
        let left = shadow.advance(frames, &mut self.progress, |track, key| {
            if let Some(track) = self.tracks.get_mut(track) {
                track.keys.push(key);
            } else if self.tracks.len() == track {
                let name = player_track(track);
                self.tracks.push(Track {
                    name,
                    keys: vec![key],
                });
            }
        });
        if shadow.done() {
            self.shadow = None;
        }
        left
    }

    fn state(&self, track: Option<usize>, player: Option<i64>) -> Result<GhostState, Error> {
        let keys = match (track, self.tracks.get(track.unwrap_or(self.own_track))) {
            (_, Some(track)) => track.keys.as_slice(),
            (Some(_), None) if self.shadow.is_none() => {
                return Err(bad("`track` is a track of the ghost's run"));
            }
            (_, None) => &[],
        };
        let frame = self.playback.frame();
        let pose = pose::at(keys, self.playback.position());
        let gap = player.and_then(|value| self.progress.gap(value, frame));
        Ok(GhostState {
            frame,
            pose: pose.unwrap_or_default(),
            visible: pose.is_some() && self.playback.started(),
            ended: self.playback.ended(),
            gap_frames: gap
                .and_then(|gap| gap.frames)
                // A ghost that has ended was where the player is longer ago with every frame.
                .map(|frames| self.session_frames(frames.saturating_sub(self.playback.past()))),
            gap_progress: gap.map(|gap| gap.progress),
        })
    }

    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "at most 216,000 frames times twelve"
    )]
    fn session_frames(&self, frames: i64) -> i64 {
        if self.scale == 1.0 {
            frames
        } else {
            (frames as f64 / self.scale).round() as i64
        }
    }
}

/// The name of the track of a slot, as the recorder writes it for games of the core.
pub(crate) fn player_track(slot: usize) -> String {
    format!("player[{slot}]")
}

fn tracks_of(run: &Run) -> Vec<Track> {
    let Some(schema) = &run.header.samples else {
        return Vec::new();
    };
    let tracks = schema.tracks.iter().zip(&run.tracks);
    tracks
        .map(|(declared, samples)| Track {
            name: declared.name.clone(),
            keys: samples
                .iter()
                .map(|sample| key_of(sample, schema))
                .collect(),
        })
        .collect()
}

fn key_of(sample: &Sample, schema: &SampleSchema) -> Key {
    let precision = schema.precision;
    let (rotation, yaw) = match sample.rotation {
        Rotation::Yaw(steps) => pose::of_yaw(precision.yaw_to_radians(steps)),
        Rotation::Quaternion(steps) => (precision.quaternion_to(steps), 0.0),
    };
    Key {
        frame: sample.frame,
        pose: Pose {
            position: sample
                .position
                .map(|steps| precision.position_to_metres(steps)),
            rotation,
            yaw,
            flat: matches!(sample.rotation, Rotation::Yaw(_)),
            channels: sample.channels,
        },
        teleport: sample.teleport,
    }
}

/// What an engine game recorded of its progress, in a channel of that name.
fn recorded_progress(run: &Run, own_track: usize) -> Progress {
    let mut progress = Progress::default();
    let declared = run
        .header
        .samples
        .as_ref()
        .and_then(|schema| schema.tracks.get(own_track));
    let channel = declared.and_then(|track| {
        track
            .channels
            .iter()
            .position(|name| name == PROGRESS_CHANNEL)
    });
    if let (Some(channel), Some(samples)) = (channel, run.tracks.get(own_track)) {
        for sample in samples {
            progress.note(sample.frame, i64::from(sample.channels[channel]));
        }
    }
    progress
}

/// Whether a run can be played on by the core.
fn simulation_of(run: &Run, catalogue: &Catalogue) -> Result<Simulation, Error> {
    let header = &run.header;
    let setup = async_core::Setup {
        seed: header.seed,
        players: header.players,
        slot: header.slot,
        rate: header.rate,
        options: header.options.clone(),
    };
    Ok(Simulation::start(
        catalogue,
        &header.game,
        header.revision,
        &setup,
    )?)
}

//! How fast the simulation is: figures of `scripts/bench sim`.

use async_core::{
    Catalogue, Error, Fault, FrameRate, Input, Options, Setup, Simulation, Step, autopilot,
};

use async_replay::CHECKPOINT_FRAMES;

use crate::{Figure, best_of};

/// Why a figure could not be had.
#[derive(Debug)]
#[non_exhaustive]
pub enum Failure {
    /// The game refused to start.
    Start(Error),
    /// A frame could not be simulated.
    Frame(Fault),
    /// There is no autopilot for the game.
    NoPilot,
    /// The same inputs led somewhere else.
    Diverged,
    /// The recording could not be written.
    Replay(async_replay::Error),
    /// A run could not be recorded.
    Record(async_client::Error),
    /// An honest run was not verified; the code of the verdict.
    Verdict(String),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Start(error) => write!(f, "{error}"),
            Self::Frame(fault) => write!(f, "{fault}"),
            Self::NoPilot => write!(f, "no autopilot"),
            Self::Diverged => write!(f, "the same inputs led to another run digest"),
            Self::Replay(error) => write!(f, "{error}"),
            Self::Record(error) => write!(f, "{error}"),
            Self::Verdict(code) => write!(f, "an honest run was not verified: {code}"),
        }
    }
}

impl std::error::Error for Failure {}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Start(error)
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self::Frame(fault)
    }
}

impl From<async_client::Error> for Failure {
    fn from(error: async_client::Error) -> Self {
        Self::Record(error)
    }
}

impl From<async_replay::Error> for Failure {
    fn from(error: async_replay::Error) -> Self {
        Self::Replay(error)
    }
}

/// A game of autopilots, recorded: its inputs, frame by frame.
#[derive(Clone, Debug)]
pub struct Recording {
    pub(crate) setup: Setup,
    /// `players` inputs for each frame.
    pub(crate) inputs: Vec<Input>,
    pub(crate) frames: u32,
    pub(crate) score: i64,
    pub(crate) finished: bool,
    pub(crate) run_digest: u64,
    /// The run digest after each whole [`async_replay::CHECKPOINT_FRAMES`].
    pub(crate) checkpoints: Vec<u64>,
}

pub(crate) const FRAMES_PER_SECOND: u32 = 60;

impl Recording {
    /// The inputs of each frame.
    pub(crate) fn frames(&self) -> impl Iterator<Item = &[Input]> {
        self.inputs.chunks_exact(usize::from(self.setup.players))
    }

    /// Lets autopilots play a mode to its end at 60 Hz, or for so many frames.
    ///
    /// # Errors
    /// A [`Failure`].
    pub fn of(mode: &str, players: u8, seed: u64, frames: u32) -> Result<Self, Failure> {
        let rate = FrameRate::hz(FRAMES_PER_SECOND)?;
        let options = Options::default().with("mode", mode.into())?;
        let setup = Setup {
            seed,
            players,
            slot: 0,
            rate,
            options,
        };
        let mut simulation = start(&setup)?;
        let pilots = (0..players).map(|slot| autopilot("arena", seed * 8 + u64::from(slot)));
        let mut pilots = pilots.collect::<Option<Vec<_>>>().ok_or(Failure::NoPilot)?;
        let (mut inputs, mut checkpoints) = (Vec::new(), Vec::new());
        while !simulation.finished() && simulation.frame() < frames {
            let first = inputs.len();
            for (slot, pilot) in pilots.iter_mut().enumerate() {
                inputs.push(pilot.input(simulation.game(), slot as u8));
            }
            simulation.step(&inputs[first..])?;
            if simulation.frame() % CHECKPOINT_FRAMES == 0 {
                checkpoints.push(simulation.run_digest());
            }
        }
        Ok(Self {
            setup,
            inputs,
            frames: simulation.frame(),
            score: simulation.game().score(0),
            finished: simulation.finished(),
            run_digest: simulation.run_digest(),
            checkpoints,
        })
    }

    /// Simulates the game again, with every state digest and the run digest.
    ///
    /// # Errors
    /// A [`Failure`], also if it does not lead to the same run digest.
    pub fn replay(&self) -> Result<(), Failure> {
        let mut simulation = start(&self.setup)?;
        for inputs in self.inputs.chunks_exact(usize::from(self.setup.players)) {
            if simulation.step(inputs)? == Step::Finished {
                break;
            }
        }
        let same = simulation.run_digest() == self.run_digest;
        if same { Ok(()) } else { Err(Failure::Diverged) }
    }
}

pub(crate) fn start(setup: &Setup) -> Result<Simulation, Error> {
    Simulation::start(&Catalogue::standard(), "arena", 1, setup)
}

/// Frames a second of one mode: simulated and digested on one core, autopilots not counted.
///
/// # Errors
/// A [`Failure`].
pub fn frames_per_second(name: &str, mode: &str, players: u8) -> Result<Figure, Failure> {
    let recordings = (1..=4)
        .map(|seed| Recording::of(mode, players, seed, u32::MAX))
        .collect::<Result<Vec<_>, _>>()?;
    // Enough at a time for the clock, often enough for a quiet moment on a shared machine.
    let frames: u32 = recordings.iter().map(|recording| recording.frames).sum();
    let repeats = (200_000 / frames).max(1);
    let mut outcome = Ok(());
    let time = best_of(15, || {
        for recording in (0..repeats).flat_map(|_| &recordings) {
            outcome = recording
                .replay()
                .and(std::mem::replace(&mut outcome, Ok(())));
        }
    });
    outcome?;
    let per_second = f64::from(frames * repeats) / time.as_secs_f64();
    let times = per_second / f64::from(FRAMES_PER_SECOND);
    let note = format!("players: {players}, {times:.0} times real time");
    Ok(Figure::new(name, per_second, "frames/s").noted(note))
}

//! The recorder: each frame goes through the simulation (or comes from the engine) and into the
//! run, with its checkpoints and samples. It allocates when it starts, and not per frame.

mod engine;
mod grid;

use async_core::{Fault, Input, Simulation, Step, Transform};
use async_replay::{
    CHECKPOINT_FRAMES, Checkpoint, End, EndReason, Finished, Header, Mark, Pause, Precision, Sign,
    Writer,
};
use async_verify::TraceRecorder;

use crate::Error;

pub use engine::{EngineSample, Turn};
pub(crate) use engine::{EngineTracks, mark_kind, on_grid, track_schemas};
pub(crate) use grid::{SampleGrid, transform_sample};

/// Most transforms that a game of the core is expected to show; room for them is made at once.
const TRANSFORMS_EXPECTED: usize = 256;

/// What is being recorded.
#[derive(Debug)]
enum Source {
    /// A game of the core.
    Core(Box<Simulation>),
    /// The developer's own game.
    Engine(EngineTracks),
}

/// A recording under way.
#[derive(Debug)]
pub struct Recorder {
    source: Source,
    writer: Writer,
    grid: SampleGrid,
    precision: Precision,
    tracks: usize,
    transforms: Vec<Transform>,
    trace: Option<TraceRecorder>,
    records_inputs: bool,
    bytes_max: usize,
    /// Room that one more frame, the last samples and the end may need.
    bytes_margin: usize,
    ended: Option<EndReason>,
    /// How much of the file was handed to the host's store.
    stored: usize,
}

impl Recorder {
    /// Starts to record a game of the core from its first frame.
    ///
    /// # Errors
    /// `bad_header` where the header cannot be written.
    pub fn core(
        simulation: Simulation,
        header: Header,
        bytes_max: usize,
        trace: bool,
    ) -> Result<Self, Error> {
        let players = header.players;
        let source = Source::Core(Box::new(simulation));
        let mut recorder = Self::new(source, header, bytes_max)?;
        recorder.trace = trace.then(|| TraceRecorder::new(players));
        recorder.take_samples(false)?;
        Ok(recorder)
    }

    /// Starts to record an engine's own game.
    pub(crate) fn engine(
        tracks: EngineTracks,
        header: Header,
        bytes_max: usize,
    ) -> Result<Self, Error> {
        let mut recorder = Self::new(Source::Engine(tracks), header, bytes_max)?;
        recorder.take_samples(false)?;
        Ok(recorder)
    }

    fn new(source: Source, header: Header, bytes_max: usize) -> Result<Self, Error> {
        let schema = header.samples.as_ref();
        let tracks = schema.map_or(0, |schema| schema.tracks.len());
        let columns = header
            .inputs
            .as_ref()
            .map_or(0, |inputs| 1 + inputs.axes.len());
        let sample_hz = schema.map_or(1, |schema| u32::from(schema.rate_hz));
        Ok(Self {
            source,
            grid: SampleGrid::new(header.rate, sample_hz),
            precision: schema.map_or(Precision::default(), |schema| schema.precision),
            tracks,
            transforms: Vec::with_capacity(TRANSFORMS_EXPECTED),
            trace: None,
            records_inputs: header.inputs.is_some(),
            bytes_max,
            bytes_margin: 64 + usize::from(header.players) * columns * 8 + tracks * 128,
            ended: None,
            stored: 0,
            writer: Writer::new(header)?,
        })
    }

    /// Plays and records one frame. Returns why the recording ended, if it did with this frame; it
    /// takes no more then.
    ///
    /// # Errors
    /// `fault` codes of the game and codes of the run format; the recording has ended then.
    pub fn frame(&mut self, inputs: &[Input]) -> Result<Option<EndReason>, Error> {
        if self.ended.is_some() {
            return Ok(None);
        }
        let outcome = self.record(inputs);
        if outcome.is_err() {
            self.ended = Some(EndReason::Stopped);
        }
        outcome
    }

    fn record(&mut self, inputs: &[Input]) -> Result<Option<EndReason>, Error> {
        let step = self.source.step(inputs).map_err(Error::Fault)?;
        self.writer
            .frame(if self.records_inputs { inputs } else { &[] })?;
        let frame = self.writer.frames();
        if let Source::Core(simulation) = &self.source {
            if let Some(trace) = &mut self.trace {
                trace.frame(inputs, simulation.game());
            }
            if frame.is_multiple_of(CHECKPOINT_FRAMES) {
                self.writer
                    .checkpoint(Checkpoint::of(frame, simulation.run_digest()))?;
            }
        }
        self.take_samples(false)?;
        let full = frame >= self.writer.header().frames_max
            || self.writer.bytes_bound() + self.bytes_margin > self.bytes_max;
        self.ended = match step {
            Step::Finished => Some(EndReason::Finished),
            Step::Running if full => Some(EndReason::Truncated),
            Step::Running => None,
        };
        Ok(self.ended)
    }

    /// Records where the tracks are, if a sample is due now; `last` records it in any case.
    fn take_samples(&mut self, last: bool) -> Result<(), Error> {
        let frame = self.writer.frames();
        if self.tracks == 0 || !self.grid.due(frame, last) {
            return Ok(());
        }
        match &mut self.source {
            Source::Core(simulation) => {
                self.transforms.clear();
                simulation.game().transforms(&mut self.transforms);
                for (track, shown) in self.transforms.iter().take(self.tracks).enumerate() {
                    let sample = transform_sample(frame, shown, self.precision);
                    self.writer.sample(track, &sample)?;
                }
            }
            Source::Engine(tracks) => tracks.record(frame, &mut self.writer)?,
        }
        Ok(())
    }

    /// Ends the run. `score` is the claim of an engine game; the core computes its own.
    ///
    /// # Errors
    /// Codes of the run format.
    pub fn finish(mut self, score: Option<i64>, sign: Option<Sign<'_>>) -> Result<Recorded, Error> {
        self.take_samples(true)?;
        let end = End {
            frames: self.writer.frames(),
            score: score.unwrap_or_else(|| self.score()),
            reason: self.ended.unwrap_or(EndReason::Stopped),
            digest: self.simulation().map_or(0, Simulation::run_digest),
        };
        let trace = self.trace.take().map(TraceRecorder::finish);
        let simulation = match self.source {
            Source::Core(simulation) => Some(simulation),
            Source::Engine(_) => None,
        };
        let finished = self.writer.finish(end, sign)?;
        Ok(Recorded {
            finished,
            end,
            trace,
            simulation,
        })
    }

    /// Records a stamped event at the present frame.
    pub(crate) fn mark(&mut self, kind: async_replay::MarkKind, value: i64) -> Result<(), Error> {
        let frame = self.writer.frames();
        Ok(self.writer.mark(Mark { frame, kind, value })?)
    }

    /// Records that time passed without frames.
    pub(crate) fn pause(&mut self, wall_ms: u32) -> Result<(), Error> {
        let frame = self.writer.frames();
        Ok(self.writer.pause(Pause { frame, wall_ms })?)
    }

    /// Frames so far.
    pub fn frames(&self) -> u32 {
        self.writer.frames()
    }

    /// The score so far.
    pub fn score(&self) -> i64 {
        let slot = self.writer.header().slot;
        match &self.source {
            Source::Core(simulation) => simulation.game().score(slot),
            Source::Engine(tracks) => tracks.score,
        }
    }

    /// The progress so far; none where an engine game never told any.
    pub fn progress(&self) -> Option<i64> {
        let slot = self.writer.header().slot;
        match &self.source {
            Source::Core(simulation) => Some(simulation.game().progress(slot)),
            Source::Engine(tracks) => tracks.progress,
        }
    }

    /// The simulation, where it is a game of the core.
    pub fn simulation(&self) -> Option<&Simulation> {
        match &self.source {
            Source::Core(simulation) => Some(simulation),
            Source::Engine(_) => None,
        }
    }

    pub(crate) fn header(&self) -> &Header {
        self.writer.header()
    }

    pub(crate) fn engine_tracks(&mut self) -> Option<&mut EngineTracks> {
        match &mut self.source {
            Source::Core(_) => None,
            Source::Engine(tracks) => Some(tracks),
        }
    }

    /// Whole chunks that the host's store does not have yet, and whether they are the first.
    pub(crate) fn unstored(&mut self) -> Option<(bool, &[u8])> {
        let bytes = self.writer.bytes();
        let from = std::mem::replace(&mut self.stored, bytes.len());
        (bytes.len() > from).then(|| (from == 0, &bytes[from..]))
    }
}

impl Source {
    fn step(&mut self, inputs: &[Input]) -> Result<Step, Fault> {
        match self {
            Self::Core(simulation) => simulation.step(inputs),
            Self::Engine(_) => Ok(Step::Running),
        }
    }
}

/// What a recording came to.
#[derive(Debug)]
pub struct Recorded {
    /// The file and its names.
    pub finished: Finished,
    /// Frames, score, reason, digest.
    pub end: End,
    /// The trace, where one was asked for.
    pub trace: Option<async_verify::Trace>,
    /// The simulation in its last state, where it is a game of the core.
    pub simulation: Option<Box<Simulation>>,
}

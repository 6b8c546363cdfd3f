//! A finished run in memory, and the parts it is made of.

use async_core::Input;

use crate::{
    Encoding, Error, FullHash, Header, Limits, Priors, RunId, Sample, identity, read, seal,
};

/// A finished run: what [`Run::open`] reads and [`Run::encode`] writes.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// What was known at the start.
    pub header: Header,
    /// Every slot's input in every frame; empty where inputs were not recorded.
    pub inputs: Inputs,
    /// The samples of each track of the schema, frames strictly ascending.
    pub tracks: Vec<Vec<Sample>>,
    /// Stamped events, frames not descending.
    pub marks: Vec<Mark>,
    /// Where the game was paused, frames not descending.
    pub pauses: Vec<Pause>,
    /// None, or one after each whole [`CHECKPOINT_FRAMES`].
    pub checkpoints: Vec<Checkpoint>,
    /// How it ended.
    pub end: End,
    /// The player's Ed25519 signature of the full hash.
    pub signature: Option<[u8; 64]>,
    /// How many chunks of unknown, non-critical types the file had. They are not part of the run
    /// and are not written again; servers refuse files that have any.
    pub unknown_chunks: u32,
}

/// A checkpoint stands after each this many frames.
pub const CHECKPOINT_FRAMES: u32 = 600;

/// Inputs of all slots, frame by frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inputs {
    players: usize,
    flat: Vec<Input>,
}

impl Inputs {
    /// Takes frame-major inputs: all slots of frame 0, then of frame 1. `malformed` if there are
    /// no players or the last frame is not whole.
    pub fn new(players: u8, flat: Vec<Input>) -> Result<Self, Error> {
        let players = usize::from(players);
        if players == 0 || !flat.len().is_multiple_of(players) {
            return Err(Error::Malformed("inputs are whole frames of every slot"));
        }
        Ok(Self { players, flat })
    }

    /// No inputs at all.
    pub fn none(players: u8) -> Self {
        Self {
            players: usize::from(players.max(1)),
            flat: Vec::new(),
        }
    }

    /// How many frames there are.
    pub fn frames(&self) -> u32 {
        (self.flat.len() / self.players) as u32
    }

    /// How many slots a frame has.
    pub fn players(&self) -> usize {
        self.players
    }

    /// The inputs of one frame, one per slot; empty past the end.
    pub fn frame(&self, frame: u32) -> &[Input] {
        let Some(start) = (frame as usize).checked_mul(self.players) else {
            return &[];
        };
        self.flat
            .get(start..start.saturating_add(self.players))
            .unwrap_or_default()
    }

    /// All frames in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[Input]> {
        self.flat.chunks_exact(self.players)
    }

    /// All inputs, frame-major.
    pub fn flat(&self) -> &[Input] {
        &self.flat
    }

    /// All inputs, frame-major, to change.
    pub fn flat_mut(&mut self) -> &mut [Input] {
        &mut self.flat
    }

    /// Forgets the frames from `frames` on.
    pub fn truncate(&mut self, frames: u32) {
        self.flat
            .truncate((frames as usize).saturating_mul(self.players));
    }

    /// Adds frames in which nothing is pressed, in room for at most `most` inputs, or as many as
    /// there then are.
    pub(crate) fn grow(&mut self, frames: u32, most: usize) -> &mut [Input] {
        let start = self.flat.len();
        let end = start + frames as usize * self.players;
        if end > self.flat.capacity() {
            let room = end.max(most.min(2 * end));
            self.flat.reserve_exact(room - start);
        }
        self.flat.resize(end, Input::default());
        &mut self.flat[start..]
    }
}

/// A stamped event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// After this many frames.
    pub frame: u32,
    /// What happened.
    pub kind: MarkKind,
    /// A value of the game's own: split time, lap number.
    pub value: i64,
}

/// What a mark stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkKind {
    /// A split time.
    Split,
    /// A lap.
    Lap,
    /// A respawn.
    Respawn,
    /// The game's own event: its index among the names that the game's configuration declares.
    Custom(u8),
}

/// A mark's kind as files and hashes write it.
pub(crate) fn mark_code(kind: MarkKind) -> u16 {
    match kind {
        MarkKind::Split => 0,
        MarkKind::Lap => 1,
        MarkKind::Respawn => 2,
        MarkKind::Custom(index) => 3 + u16::from(index),
    }
}

/// The kind that [`mark_code`] wrote.
pub(crate) fn mark_kind(code: u64) -> Result<MarkKind, Error> {
    match code {
        0 => Ok(MarkKind::Split),
        1 => Ok(MarkKind::Lap),
        2 => Ok(MarkKind::Respawn),
        3..=258 => Ok(MarkKind::Custom((code - 3) as u8)),
        _ => Err(Error::Malformed("a mark of an unknown kind")),
    }
}

/// A pause: the frame count stood still while time went on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pause {
    /// After this many frames.
    pub frame: u32,
    /// For how long, in milliseconds.
    pub wall_ms: u32,
}

/// The low 32 bits of the run digest after a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checkpoint {
    /// After this many frames, a multiple of [`CHECKPOINT_FRAMES`].
    pub frame: u32,
    /// The low half of the run digest.
    pub digest: u32,
}

impl Checkpoint {
    /// The checkpoint of a run digest.
    pub fn of(frame: u32, run_digest: u64) -> Self {
        Self {
            frame,
            digest: run_digest as u32,
        }
    }
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct End {
    /// How many frames it has.
    pub frames: u32,
    /// The score claimed.
    pub score: i64,
    /// Why it ended.
    pub reason: EndReason,
    /// The run digest after the last frame; 0 where nothing was simulated.
    pub digest: u64,
}

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndReason {
    /// The game finished.
    Finished,
    /// The player or the game stopped the recording.
    Stopped,
    /// The recording reached its limit, or was recovered from a crash.
    Truncated,
}

/// An end reason as files and hashes write it.
pub(crate) fn reason_code(reason: EndReason) -> u8 {
    match reason {
        EndReason::Finished => 0,
        EndReason::Stopped => 1,
        EndReason::Truncated => 2,
    }
}

/// The reason that [`reason_code`] wrote.
pub(crate) fn end_reason(code: u8) -> Result<EndReason, Error> {
    match code {
        0 => Ok(EndReason::Finished),
        1 => Ok(EndReason::Stopped),
        2 => Ok(EndReason::Truncated),
        _ => Err(Error::Malformed("an end of an unknown kind")),
    }
}

/// What [`Run::info`] tells without decoding the run.
#[derive(Debug, Clone, PartialEq)]
pub struct Info {
    /// The header.
    pub header: Header,
    /// The format version.
    pub version: u8,
    /// Bytes of the magic, version and header chunk.
    pub header_bytes: usize,
    /// Bytes of the whole file.
    pub file_bytes: usize,
}

/// What is left of a recording that was cut: every whole chunk.
#[derive(Debug, Clone, PartialEq)]
pub struct Recovered {
    /// What was known at the start.
    pub header: Header,
    /// The whole frames.
    pub inputs: Inputs,
    /// Samples up to the last whole frame.
    pub tracks: Vec<Vec<Sample>>,
    /// Marks up to the last whole frame.
    pub marks: Vec<Mark>,
    /// Pauses up to the last whole frame.
    pub pauses: Vec<Pause>,
    /// Checkpoints up to the last whole frame.
    pub checkpoints: Vec<Checkpoint>,
    /// The end, if the file is whole after all. Without it the run is unfinished.
    pub end: Option<End>,
    /// The signature, if the file is whole.
    pub signature: Option<[u8; 64]>,
    /// How many frames are whole.
    pub whole_frames: u32,
    /// How many bytes the whole chunks have.
    pub whole_bytes: usize,
    /// Why reading stopped; `None` if the file is whole.
    pub cause: Option<Error>,
}

impl Recovered {
    /// Closes what was recovered as a run, unsigned. `bad_end` if `end` does not fit.
    pub fn into_run(self, end: End) -> Result<Run, Error> {
        let run = Run {
            header: self.header,
            inputs: self.inputs,
            tracks: self.tracks,
            marks: self.marks,
            pauses: self.pauses,
            checkpoints: self.checkpoints,
            end,
            signature: None,
            unknown_chunks: 0,
        };
        run.check()?;
        Ok(run)
    }
}

impl Run {
    /// Reads a whole run and refuses anything less or more: see `FORMAT.md` for each code.
    pub fn open(bytes: &[u8], limits: &Limits) -> Result<Self, Error> {
        read::open(bytes, limits, &Priors::new())
    }

    /// Reads as many whole chunks as there are, for a recording that a crash cut off. Fails only
    /// where not even the header is whole, or where it is over the limits.
    pub fn recover(bytes: &[u8], limits: &Limits) -> Result<Recovered, Error> {
        read::recover(bytes, limits, &Priors::new())
    }

    /// Recovers a run that may ask for one of `priors`; `missing_prior` if it asks for another.
    pub fn recover_with(
        bytes: &[u8],
        limits: &Limits,
        priors: &Priors,
    ) -> Result<Recovered, Error> {
        read::recover(bytes, limits, priors)
    }

    /// Reads the header alone.
    pub fn info(bytes: &[u8], limits: &Limits) -> Result<Info, Error> {
        read::info(bytes, limits)
    }

    /// Reads a whole run that may ask for one of `priors`; `missing_prior` if it asks for another.
    pub fn open_with(bytes: &[u8], limits: &Limits, priors: &Priors) -> Result<Self, Error> {
        read::open(bytes, limits, priors)
    }

    /// Writes the run, small and seekable. Fails where [`Run::check`] does.
    pub fn encode(&self) -> Result<Vec<u8>, Error> {
        self.encode_with(&Encoding::default())
    }

    /// Writes the run in another way. Fails where [`Run::check`] does, and with `bad_prior` where
    /// the prior is for another input schema.
    pub fn encode_with(&self, encoding: &Encoding<'_>) -> Result<Vec<u8>, Error> {
        seal::encode(self, encoding)
    }

    /// Checks that the parts fit together: what can be encoded can be opened.
    pub fn check(&self) -> Result<(), Error> {
        seal::check(self)
    }

    /// All that names the run, in one pass.
    pub fn hashes(&self) -> identity::Hashes {
        identity::hashes(self)
    }

    /// The hash of the canonical form: what is signed.
    pub fn full_hash(&self) -> FullHash {
        self.hashes().full
    }

    /// The run's name: the first 128 bits of the full hash.
    pub fn id(&self) -> RunId {
        self.full_hash().id()
    }

    /// Names what was played, whoever played it: board, ruleset, seed and inputs.
    pub fn input_hash(&self) -> [u8; 32] {
        self.hashes().input_hash
    }

    /// In how many frames the recording player's input differs from the frame before.
    pub fn input_changes(&self) -> u32 {
        self.hashes().input_changes
    }
}

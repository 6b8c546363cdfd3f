//! The recorder's end: frames go in, whole chunks come out.

use async_core::Input;

use crate::{Checkpoint, End, Error, FullHash, Header, Mark, Pause, RunId, Sample};

/// Signs a full hash; the writer never sees the key.
pub type Sign<'a> = &'a mut dyn FnMut(&FullHash) -> [u8; 64];

/// Records a run. Allocates when it is made, and hardly again.
#[derive(Debug)]
pub struct Writer {
    header: Header,
}

/// A finished recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// The file.
    pub bytes: Vec<u8>,
    /// The run's name.
    pub id: RunId,
    /// The hash that was signed.
    pub full_hash: FullHash,
}

impl Writer {
    /// Starts a recording. `bad_header` where [`Header::check`] fails.
    pub fn new(header: Header) -> Result<Self, Error> {
        header.check()?;
        Ok(Self { header })
    }

    /// What was given at the start.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// How many frames were recorded.
    pub fn frames(&self) -> u32 {
        unimplemented!()
    }

    /// Records one frame: one input per slot, or none at all where the header has no input schema
    /// (the frame still counts). `too_many_frames` at the header's `frames_max`,
    /// `input_undeclared`, or `wrong_order` for a wrong number of slots; nothing is recorded then.
    pub fn frame(&mut self, _inputs: &[Input]) -> Result<(), Error> {
        unimplemented!()
    }

    /// Records a sample of a track. `bad_sample` where it does not fit the track; `wrong_order`
    /// unless its frame is after the track's last and not after the frames recorded so far.
    pub fn sample(&mut self, _track: usize, _sample: &Sample) -> Result<(), Error> {
        unimplemented!()
    }

    /// Records a mark; frames may not descend.
    pub fn mark(&mut self, _mark: Mark) -> Result<(), Error> {
        unimplemented!()
    }

    /// Records a pause; frames may not descend.
    pub fn pause(&mut self, _pause: Pause) -> Result<(), Error> {
        unimplemented!()
    }

    /// Records a checkpoint, right after the frame it belongs to.
    pub fn checkpoint(&mut self, _checkpoint: Checkpoint) -> Result<(), Error> {
        unimplemented!()
    }

    /// The whole chunks so far, only ever appended to: what a crash would leave.
    pub fn bytes(&self) -> &[u8] {
        unimplemented!()
    }

    /// No finished file of what was recorded so far is larger than this, in bytes.
    pub fn bytes_bound(&self) -> usize {
        unimplemented!()
    }

    /// Ends the run and gives its file, in the smallest layout. `bad_end` where `end` does not
    /// agree with what was recorded.
    pub fn finish(self, _end: End, _sign: Option<Sign<'_>>) -> Result<Finished, Error> {
        unimplemented!()
    }
}

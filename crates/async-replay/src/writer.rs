//! The recorder's end: frames go in, whole chunks come out.

use async_core::Input;

use crate::{
    CHECKPOINT_FRAMES, Checkpoint, End, Error, FullHash, Header, Limits, Mark, Pause, Run, RunId,
    Sample,
    group::{Groups, Layout},
    identity::RunHasher,
    inputs::{Coding, L2},
};

/// Signs a full hash; the writer never sees the key.
pub type Sign<'a> = &'a mut dyn FnMut(&FullHash) -> [u8; 64];

/// Records a run. What it needs is allocated when it is made; only a recording larger than
/// [`RESERVE_BYTES`] makes its file's buffer grow, at the end of a chunk.
#[derive(Debug)]
pub struct Writer {
    header: Header,
    groups: Groups,
    hasher: RunHasher,
    frames: u32,
    last_inputs: Vec<Input>,
    last_samples: Vec<Option<u32>>,
    last_mark: u32,
    last_pause: u32,
    marks: usize,
    pauses: usize,
    samples: usize,
    checkpoints: u32,
}

/// How inputs are coded while they come.
const STREAMED: Coding = Coding {
    model: L2,
    runs_on: false,
};

/// The file size that a writer sets aside when it starts: the default of `maxRunBytes`.
pub const RESERVE_BYTES: usize = 262_144;

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
        let tracks = header
            .samples
            .as_ref()
            .map_or(0, |schema| schema.tracks.len());
        Ok(Self {
            groups: Groups::new(&header, Layout::STREAMED, RESERVE_BYTES, Some(STREAMED))?,
            hasher: RunHasher::new(&header),
            frames: 0,
            last_inputs: vec![Input::default(); usize::from(header.players)],
            last_samples: vec![None; tracks],
            last_mark: 0,
            last_pause: 0,
            marks: 0,
            pauses: 0,
            samples: 0,
            checkpoints: 0,
            header,
        })
    }

    /// What was given at the start.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// How many frames were recorded.
    pub fn frames(&self) -> u32 {
        self.frames
    }

    /// Records one frame: one input per slot, or none at all where the header has no input schema
    /// (the frame still counts). `too_many_frames` at the header's `frames_max`,
    /// `input_undeclared`, or `wrong_order` for a wrong number of slots; nothing is recorded then.
    pub fn frame(&mut self, inputs: &[Input]) -> Result<(), Error> {
        self.check_frame(inputs)?;
        self.groups.frame(inputs)?;
        self.hasher.frame(inputs);
        self.last_inputs[..inputs.len()].copy_from_slice(inputs);
        self.frames += 1;
        Ok(())
    }

    fn check_frame(&self, inputs: &[Input]) -> Result<(), Error> {
        let slots = self
            .header
            .inputs
            .as_ref()
            .map_or(0, |_| usize::from(self.header.players));
        if inputs.len() != slots {
            return Err(Error::WrongOrder("a frame has one input for each slot"));
        }
        let frames_max = self.header.frames_max;
        if self.frames >= frames_max {
            return Err(Error::TooManyFrames {
                frames: self.frames.saturating_add(1),
                frames_max,
            });
        }
        let Some(schema) = &self.header.inputs else {
            return Ok(());
        };
        // What equals the frame before was checked there.
        let mut changed = inputs
            .iter()
            .zip(&self.last_inputs)
            .filter(|(now, last)| now != last);
        changed
            .try_for_each(|(now, _)| schema.check(now))
            .map_err(|_| Error::InputUndeclared { frame: self.frames })
    }

    /// Records a sample of a track. `bad_sample` where it does not fit the track; `wrong_order`
    /// unless its frame is after the track's last and not after the frames recorded so far;
    /// `limit` past the most samples that any server takes.
    pub fn sample(&mut self, track: usize, sample: &Sample) -> Result<(), Error> {
        let schema = self.header.samples.as_ref();
        let schema = schema.ok_or(Error::BadSample("samples without a schema"))?;
        let declared = schema
            .tracks
            .get(track)
            .ok_or(Error::BadSample("an unknown track"))?;
        sample.check(declared, schema.precision)?;
        // A group may have closed since: what it covers is written.
        let follows = self.last_samples[track].is_none_or(|last| last < sample.frame);
        if !follows || sample.frame > self.frames || sample.frame < self.groups.start() {
            return Err(Error::WrongOrder(
                "samples of a track ascend, up to the last frame",
            ));
        }
        let max = Limits::LARGEST.samples_max;
        if self.samples >= max {
            return Err(Error::Limit {
                what: "samples",
                max,
            });
        }
        self.groups.sample(track, sample);
        self.hasher.sample(track, sample);
        self.last_samples[track] = Some(sample.frame);
        self.samples += 1;
        Ok(())
    }

    /// Records a mark. `wrong_order` where its frame is before the last mark's or not recorded
    /// yet; `limit` past the most marks that any server takes.
    pub fn mark(&mut self, mark: Mark) -> Result<(), Error> {
        self.check_side(mark.frame, self.last_mark, self.marks)?;
        self.groups.mark(&mark)?;
        self.hasher.mark(&mark);
        self.last_mark = mark.frame;
        self.marks += 1;
        Ok(())
    }

    /// Records a pause, by the rules of [`Writer::mark`].
    pub fn pause(&mut self, pause: Pause) -> Result<(), Error> {
        self.check_side(pause.frame, self.last_pause, self.pauses)?;
        self.groups.pause(&pause)?;
        self.hasher.pause(&pause);
        self.last_pause = pause.frame;
        self.pauses += 1;
        Ok(())
    }

    fn check_side(&self, frame: u32, last: u32, count: usize) -> Result<(), Error> {
        if frame < last || frame > self.frames {
            return Err(Error::WrongOrder(
                "marks and pauses ascend, up to the last frame",
            ));
        }
        let max = Limits::LARGEST.marks_max;
        if count >= max {
            return Err(Error::Limit {
                what: "marks or pauses",
                max,
            });
        }
        Ok(())
    }

    /// Records a checkpoint, right after the frame it belongs to. `wrong_order` at any frame but
    /// each whole [`CHECKPOINT_FRAMES`], or after one was left out.
    pub fn checkpoint(&mut self, checkpoint: Checkpoint) -> Result<(), Error> {
        let due = (self.checkpoints + 1) * CHECKPOINT_FRAMES;
        if checkpoint.frame != due || self.frames != due {
            return Err(Error::WrongOrder(
                "checkpoints stand after each whole 600 frames",
            ));
        }
        self.groups.checkpoint(&checkpoint)?;
        self.hasher.checkpoint(&checkpoint);
        self.checkpoints += 1;
        Ok(())
    }

    /// The whole chunks so far, only ever appended to: what a crash would leave.
    pub fn bytes(&self) -> &[u8] {
        self.groups.bytes()
    }

    /// No finished file of what was recorded so far is larger than this, in bytes.
    pub fn bytes_bound(&self) -> usize {
        // Beside what waits: the ends of columns, heads and counts of the last group, the index
        // (some 12 bytes a group, where groups are too large to be merged), signature, end.
        let columns = usize::from(self.header.players) * self.header.columns();
        let open = 4 * columns + 16 * self.last_samples.len();
        let recorded = self.groups.bytes().len() + self.groups.pending_bytes();
        recorded + recorded / 1_024 + open + 256
    }

    /// Ends the run and gives its file, in the smallest layout. `bad_end` where `end` does not
    /// agree with what was recorded.
    pub fn finish(mut self, end: End, sign: Option<Sign<'_>>) -> Result<Finished, Error> {
        if end.frames != self.frames {
            return Err(Error::BadEnd("another number of frames than recorded"));
        }
        self.groups.flush()?;
        let full_hash = self.hasher.finish(&self.header, &end).full;
        // Reading back what was written both proves it and lets short chunks be merged.
        let mut run = Run::recover(self.groups.bytes(), &Limits::LOCAL)?.into_run(end)?;
        run.signature = sign.map(|sign| sign(&full_hash));
        let sealed = run.encode()?;
        let streamed = self.groups.finish(&run.end, run.signature.as_ref())?;
        let smaller = sealed.len() <= streamed.len();
        Ok(Finished {
            bytes: if smaller { sealed } else { streamed },
            id: full_hash.id(),
            full_hash,
        })
    }
}

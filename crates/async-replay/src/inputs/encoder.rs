//! Codes chunks with L1 or L2, frame by frame.

use core::mem;

use async_core::{Input, InputSchema};

use super::{
    SEGMENT_FRAMES_MIN,
    chunk::{ChunkHead, Coding},
    code,
    learner::Learner,
};
use crate::{Error, PriorHash, coder, coder::Mixer, model::Model};

/// Bytes set aside for a chunk; one that takes more makes its buffers grow.
const RESERVE_BYTES: usize = 64 << 10;

/// Codes the inputs of one chunk after the other, as they come.
#[derive(Debug)]
pub(crate) struct Encoder {
    coding: Coding,
    learner: Learner,
    prior: Option<PriorHash>,
    /// Frames of a segment, or 0 for one segment a chunk.
    span: u32,
    coder: coder::Encoder,
    /// Where the segments of this chunk end, in the coder's bytes.
    ends: Vec<usize>,
    head: Vec<u8>,
    closed: Vec<u8>,
    inputs: Vec<Input>,
    frames: u32,
}

impl Encoder {
    /// At the start of a file of up to `frames_max` frames.
    pub(crate) fn new(
        coding: Coding,
        players: u8,
        schema: &InputSchema,
        prior: Option<(PriorHash, &Model<Mixer>)>,
        frames_max: u32,
    ) -> Self {
        let mut learner = Learner::new(coding, players, schema, prior.map(|(_, model)| model));
        learner.reserve(frames_max);
        Self {
            coding,
            learner,
            prior: prior.map(|(hash, _)| hash),
            span: 0,
            coder: coder::Encoder::new(Vec::with_capacity(RESERVE_BYTES)),
            ends: Vec::with_capacity(64),
            head: Vec::with_capacity(256),
            closed: Vec::with_capacity(RESERVE_BYTES),
            inputs: vec![Input::default(); usize::from(players)],
            frames: 0,
        }
    }

    /// From the next chunk on, segments have `span` frames; 0 for one segment a chunk.
    pub(crate) fn cut(&mut self, span: u32) {
        self.span = span;
    }

    /// The next frame of the file.
    pub(crate) fn frame(&self) -> u32 {
        self.learner.frame()
    }

    /// The frames before which a segment starts in the head of the file.
    pub(crate) fn head_frames(&self) -> u32 {
        self.learner.head_frames()
    }

    /// Bytes of the chunk so far, give or take those that end it.
    pub(crate) fn bytes(&self) -> usize {
        let code = code::least_bytes(self.coder.questions());
        self.ends.last().unwrap_or(&0) + code.max(self.coder.len())
    }

    /// Frames of the chunk so far.
    pub(crate) fn frames(&self) -> u32 {
        self.frames
    }

    /// Whether another segment may start: the one that is open is long enough.
    pub(crate) fn may_close(&self) -> bool {
        let open = match self.span {
            0 => self.frames,
            span => self.frames.saturating_sub(1) % span + 1,
        };
        self.frames > 0 && open >= SEGMENT_FRAMES_MIN
    }

    /// Adds one frame. `malformed` where a chunk was closed after too few frames.
    pub(crate) fn push(&mut self, inputs: &[Input]) -> Result<(), Error> {
        let cut = self.span > 0 && self.frames > 0 && self.frames.is_multiple_of(self.span);
        if cut {
            let coder = mem::replace(&mut self.coder, coder::Encoder::new(Vec::new()));
            let bytes = code::finish(coder);
            self.ends.push(bytes.len());
            self.coder = coder::Encoder::new(bytes);
        }
        if cut || self.frames == 0 {
            self.learner.start()?;
        }
        self.inputs.copy_from_slice(inputs);
        self.learner.code(&mut self.coder, &mut self.inputs);
        self.frames += 1;
        Ok(())
    }

    /// Ends the chunk; [`Encoder::parts`] is then its payload.
    pub(crate) fn close(&mut self) {
        let room = coder::Encoder::new(mem::take(&mut self.closed));
        self.closed = code::finish(mem::replace(&mut self.coder, room));
        let mut start = 0;
        for end in &mut self.ends {
            (start, *end) = (*end, *end - start);
        }
        let head = ChunkHead {
            coding: self.coding,
            prior: self.prior.take(),
            frames: self.frames,
            span: (!self.ends.is_empty()).then_some(self.span),
        };
        head.put(&self.ends, &mut self.head);
    }

    /// The payload of the chunk that was closed.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &[u8]> + Clone {
        [self.head.as_slice(), self.closed.as_slice()].into_iter()
    }

    /// Starts the next chunk.
    pub(crate) fn reset(&mut self) {
        self.ends.clear();
        self.head.clear();
        self.closed.clear();
        self.frames = 0;
    }
}

//! A model on its way through a file.

use async_core::{Input, InputSchema};

use super::{
    SEGMENT_FRAMES_MIN,
    chunk::{Coding, L1},
    head_frames,
};
use crate::{
    Error,
    coder::{Average, Coder, Mixer},
    model::Model,
};

/// A model that starts every segment from the right state.
#[derive(Debug, Clone)]
pub(crate) struct Learner {
    now: Learned,
    /// What the model had learned when the head ended.
    head: Option<Learned>,
    /// Whether that is so yet, where room for it was made before.
    head_ended: bool,
    head_frames: u32,
    /// Where the open segment started, and the next frame.
    start: u32,
    frame: u32,
}

/// A model of either kind.
#[derive(Debug, Clone)]
pub(crate) enum Learned {
    L1(Model<Average>),
    L2(Model<Mixer>),
}

impl Learner {
    /// At the start of a file. Starts from a prior, if there is one.
    pub(crate) fn new(
        coding: Coding,
        players: u8,
        schema: &InputSchema,
        prior: Option<&Model<Mixer>>,
    ) -> Self {
        let now = match (coding.model, prior) {
            (L1, _) => Learned::L1(Model::new(players, schema)),
            (_, None) => Learned::L2(Model::new(players, schema)),
            (_, Some(prior)) => {
                let mut model = prior.clone();
                model.restart(players);
                Learned::L2(model)
            }
        };
        let head_frames = if coding.runs_on {
            u32::MAX
        } else {
            head_frames(players)
        };
        Self {
            now,
            head: None,
            head_ended: false,
            head_frames,
            start: 0,
            frame: 0,
        }
    }

    /// Sets aside what a run of up to `frames_max` frames will need, so that recording does not
    /// allocate.
    pub(crate) fn reserve(&mut self, frames_max: u32) {
        if frames_max > self.head_frames {
            self.head = Some(self.now.clone());
        }
    }

    /// The next frame.
    pub(crate) fn frame(&self) -> u32 {
        self.frame
    }

    /// The frames before which a segment starts in the head.
    pub(crate) fn head_frames(&self) -> u32 {
        self.head_frames
    }

    /// Starts a segment. `malformed` if the one before was too short.
    pub(crate) fn start(&mut self) -> Result<(), Error> {
        if self.frame > 0 && self.frame - self.start < SEGMENT_FRAMES_MIN {
            return Err(Error::Malformed("a segment of too few frames"));
        }
        self.start = self.frame;
        if self.frame < self.head_frames {
            return Ok(());
        }
        match &mut self.head {
            Some(head) if self.head_ended => self.now.copy_from(head),
            Some(head) => head.copy_from(&self.now),
            None => self.head = Some(self.now.clone()),
        }
        self.head_ended = true;
        Ok(())
    }

    /// Starts the segment at `frame`, behind a head that was decoded.
    pub(crate) fn jump(&mut self, frame: u32) {
        self.frame = frame;
        self.start = frame;
        match &mut self.head {
            Some(head) => self.now.copy_from(head),
            None => self.head = Some(self.now.clone()),
        }
        self.head_ended = true;
    }

    /// Codes one frame; see [`Model::code`].
    #[inline]
    pub(crate) fn code(&mut self, coder: &mut impl Coder, inputs: &mut [Input]) {
        match &mut self.now {
            Learned::L1(model) => model.code(coder, inputs),
            Learned::L2(model) => model.code(coder, inputs),
        }
        self.frame += 1;
    }

    /// See [`Model::check`].
    pub(crate) fn check(&self) -> Result<(), Error> {
        match &self.now {
            Learned::L1(model) => model.check(),
            Learned::L2(model) => model.check(),
        }
    }
}

impl Learned {
    fn copy_from(&mut self, other: &Self) {
        match (self, other) {
            (Self::L1(model), Self::L1(other)) => model.copy_from(other),
            (Self::L2(model), Self::L2(other)) => model.copy_from(other),
            (model, other) => *model = other.clone(),
        }
    }
}

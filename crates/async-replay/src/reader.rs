//! A run that is opened without decoding it: any frame's inputs, for the price of a few seconds.

use async_core::Input;

use crate::{
    Error, Header, Limits, Priors,
    container::{Chunk, kind},
    inputs::{self, Budget, ChunkHead, Coding, Learner, Segment, l0},
    read,
    wire::Cursor,
};

/// Gives the inputs of any frame of a file.
///
/// Opening checks every chunk's checksum and where its frames are. A frame in the head is found by
/// decoding the head up to it, a frame behind it by decoding the head once and then one segment.
/// What was decoded last is kept, so that going on from there costs nothing more.
///
/// Whether the run is whole, and what it proves, is what [`crate::Run::open`] tells.
#[derive(Debug)]
pub struct Reader<'b> {
    header: Header,
    parts: Vec<Part<'b>>,
    frames: u32,
    learner: Option<Learner>,
    /// The head as far as it was decoded, and the next of its parts.
    head: Vec<Input>,
    next: usize,
    /// What it leaves of the questions that the limits allow.
    budget: Budget,
    /// What is wrong with that part: a model that stumbled there cannot go on, or try again.
    broken: Option<Error>,
    /// The part behind the head that was decoded last.
    open: Option<usize>,
    inputs: Vec<Input>,
}

/// What is decoded at once.
#[derive(Debug, Clone, Copy)]
struct Part<'b> {
    first: u32,
    model: u8,
    segment: Segment<'b>,
}

impl<'b> Reader<'b> {
    /// Opens a file. Fails as [`crate::Run::open`] does where the chunks are not whole or not in
    /// order; what their content breaks is found when it is decoded.
    pub fn open(bytes: &'b [u8], limits: &Limits) -> Result<Self, Error> {
        Self::open_with(bytes, limits, &Priors::new())
    }

    /// Opens a file that may ask for one of `priors`.
    pub fn open_with(bytes: &'b [u8], limits: &Limits, priors: &Priors) -> Result<Self, Error> {
        let (mut chunks, header) = read::header(bytes, limits)?;
        let mut reader = Self {
            header,
            parts: Vec::new(),
            frames: 0,
            learner: None,
            head: Vec::new(),
            next: 0,
            budget: Budget::of_run(limits),
            broken: None,
            open: None,
            inputs: Vec::new(),
        };
        let mut coding = None;
        loop {
            let chunk = chunks.next()?.ok_or(Error::Unfinished)?;
            match chunk.kind {
                kind::INPUTS => reader.add(&chunk, &mut coding, limits, priors)?,
                kind::END => break,
                _ => {}
            }
        }
        match chunks.left() {
            0 => Ok(reader),
            bytes => Err(Error::Trailing { bytes }),
        }
    }

    fn add(
        &mut self,
        chunk: &Chunk<'b>,
        coding: &mut Option<Coding>,
        limits: &Limits,
        priors: &Priors,
    ) -> Result<(), Error> {
        let schema = self.header.inputs.as_ref();
        let schema = schema.ok_or(Error::Malformed("inputs without a schema"))?;
        let players = usize::from(self.header.players);
        let mut cursor = Cursor::new(chunk.payload);
        let head = ChunkHead::read(&mut cursor, players)?;
        if coding.is_some_and(|coding| coding != head.coding || head.prior.is_some()) {
            return Err(Error::Malformed("inputs coded in more than one way"));
        }
        read::check_frames(&self.header, limits, self.frames, head.frames)?;
        if (self.frames + head.frames) as usize * players > limits.inputs_max {
            return Err(Error::Limit {
                what: "inputs",
                max: limits.inputs_max,
            });
        }
        if coding.replace(head.coding).is_none() && head.coding.model != l0::MODEL {
            let prior = read::wanted_prior(&head, priors, schema)?;
            let players = self.header.players;
            self.learner = Some(Learner::new(head.coding, players, schema, prior));
        }
        let segments = match head.coding.model {
            l0::MODEL => vec![Segment::whole(head.frames, cursor)],
            _ => head.segments(cursor)?,
        };
        for segment in segments {
            let first = self.frames;
            self.frames += segment.frames;
            self.parts.push(Part {
                first,
                model: head.coding.model,
                segment,
            });
        }
        Ok(())
    }

    /// What was known at the start.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// How many frames there are; 0 if the run has samples only.
    pub fn frames(&self) -> u32 {
        self.frames
    }

    /// The inputs of a frame, one for each slot. `limit` past the last frame, or whatever the
    /// content is broken by.
    pub fn frame(&mut self, frame: u32) -> Result<&[Input], Error> {
        if frame >= self.frames {
            return Err(Error::Limit {
                what: "frames of the run",
                max: self.frames as usize,
            });
        }
        let players = usize::from(self.header.players);
        let at = self.parts.partition_point(|part| part.first <= frame) - 1;
        let part = self.parts[at];
        let inputs = if self.in_head(&part) {
            self.decode_head(at + 1)?;
            &self.head[frame as usize * players..]
        } else {
            self.decode_part(at)?;
            &self.inputs[(frame - part.first) as usize * players..]
        };
        Ok(&inputs[..players])
    }

    fn in_head(&self, part: &Part<'_>) -> bool {
        let head_frames = self.learner.as_ref().map_or(0, Learner::head_frames);
        part.first < head_frames
    }

    /// Decodes the head up to, not including, a part.
    fn decode_head(&mut self, end: usize) -> Result<(), Error> {
        while self.next < end {
            if let Some(error) = &self.broken {
                return Err(error.clone());
            }
            let whole = self.head.len();
            if let Err(error) = self.decode_next() {
                self.head.truncate(whole);
                self.broken = Some(error.clone());
                return Err(error);
            }
        }
        Ok(())
    }

    /// Decodes the next part of the head.
    fn decode_next(&mut self) -> Result<(), Error> {
        let Some(learner) = &mut self.learner else {
            return Err(Error::Malformed("inputs without a schema"));
        };
        let players = usize::from(self.header.players);
        let segment = self.parts[self.next].segment;
        learner.start()?;
        let start = self.head.len();
        let inputs = segment.frames as usize * players;
        self.head.resize(start + inputs, Input::default());
        let out = &mut self.head[start..];
        self.budget = inputs::segment(learner, &segment, players, self.budget, out)?;
        self.next += 1;
        Ok(())
    }

    /// Decodes one part behind the head, or of a run in L0.
    fn decode_part(&mut self, at: usize) -> Result<(), Error> {
        if self.open == Some(at) {
            return Ok(());
        }
        self.open = None;
        let head_parts = self.parts.partition_point(|part| self.in_head(part));
        self.decode_head(head_parts)?;
        let (part, players) = (self.parts[at], usize::from(self.header.players));
        self.inputs.clear();
        self.inputs
            .resize(part.segment.frames as usize * players, Input::default());
        match (&mut self.learner, &self.header.inputs) {
            (Some(learner), _) => {
                learner.jump(part.first);
                let out = &mut self.inputs;
                inputs::segment(learner, &part.segment, players, self.budget, out)?;
            }
            (None, Some(schema)) if part.model == l0::MODEL => {
                let cursor = Cursor::new(part.segment.bytes);
                l0::decode(cursor, schema, players, part.first, &mut self.inputs)?;
            }
            _ => return Err(Error::Malformed("inputs without a schema")),
        }
        self.open = Some(at);
        Ok(())
    }
}

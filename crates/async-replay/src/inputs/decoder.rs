//! Decodes chunks of inputs, one after the other.

use async_core::{Input, InputSchema};

use super::{
    chunk::{ChunkHead, Coding, Segment},
    code::{Answers, Budget},
    l0,
    learner::Learner,
};
use crate::{Error, coder::Mixer, model::Model, wire::Cursor};

/// Decodes the inputs of a file.
#[derive(Debug)]
pub(crate) struct Decoder {
    coding: Option<Coding>,
    learner: Option<Learner>,
    budget: Budget,
}

impl Decoder {
    /// Answers at most so many questions, however many inputs those are.
    pub(crate) fn new(budget: Budget) -> Self {
        Self {
            coding: None,
            learner: None,
            budget,
        }
    }

    /// Takes in the head of a chunk, before anything of its size is allocated. `malformed` if it
    /// does not go with the chunks before it. `prior` is what the head asks for.
    pub(crate) fn begin(
        &mut self,
        head: &ChunkHead,
        players: u8,
        schema: &InputSchema,
        prior: Option<&Model<Mixer>>,
    ) -> Result<(), Error> {
        match self.coding {
            Some(coding) if coding != head.coding || head.prior.is_some() => {
                return Err(Error::Malformed("inputs coded in more than one way"));
            }
            Some(_) => return Ok(()),
            None => self.coding = Some(head.coding),
        }
        if head.coding.model != l0::MODEL {
            self.learner = Some(Learner::new(head.coding, players, schema, prior));
        }
        Ok(())
    }

    /// Decodes a chunk, whose head was read, into `out`: as many frames as it says, of zeros.
    /// `first` is its first frame.
    pub(crate) fn chunk(
        &mut self,
        head: &ChunkHead,
        cursor: Cursor<'_>,
        schema: &InputSchema,
        (players, first): (usize, u32),
        out: &mut [Input],
    ) -> Result<(), Error> {
        let Some(learner) = &mut self.learner else {
            return l0::decode(cursor, schema, players, first, out);
        };
        let mut rest = out;
        for part in head.segments(cursor)? {
            let (inputs, after) = rest.split_at_mut(part.frames as usize * players);
            learner.start()?;
            self.budget = segment(learner, &part, players, self.budget, inputs)?;
            rest = after;
        }
        Ok(())
    }
}

/// Decodes one segment, which was started. Gives what is left of the budget.
pub(crate) fn segment(
    learner: &mut Learner,
    part: &Segment<'_>,
    players: usize,
    budget: Budget,
    out: &mut [Input],
) -> Result<Budget, Error> {
    let mut answers = Answers::new(part.bytes, budget);
    for inputs in out.chunks_exact_mut(players) {
        learner.code(&mut answers.coder, inputs);
        answers.check()?;
        learner.check()?;
    }
    answers.finish()
}

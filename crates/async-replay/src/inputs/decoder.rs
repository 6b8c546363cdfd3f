//! Decodes chunks of inputs, one after the other.

use async_core::{Input, InputSchema};

use super::{
    chunk::{ChunkHead, Coding, Segment},
    l0,
    learner::Learner,
};
use crate::{Error, coder, coder::Mixer, model::Model, wire::Cursor};

/// Decodes the inputs of a file.
#[derive(Debug, Default)]
pub(crate) struct Decoder {
    coding: Option<Coding>,
    learner: Option<Learner>,
}

impl Decoder {
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
        chunk_bytes: usize,
        out: &mut [Input],
    ) -> Result<(), Error> {
        let Some(learner) = &mut self.learner else {
            return l0::decode(cursor, schema, players, first, out);
        };
        let mut rest = out;
        for part in head.segments(cursor, players, chunk_bytes)? {
            let (inputs, after) = rest.split_at_mut(part.frames as usize * players);
            learner.start()?;
            segment(learner, &part, players, inputs)?;
            rest = after;
        }
        Ok(())
    }
}

/// Decodes one segment, which was started.
pub(crate) fn segment(
    learner: &mut Learner,
    part: &Segment<'_>,
    players: usize,
    out: &mut [Input],
) -> Result<(), Error> {
    let used = part.bytes.len() - zeros(part.bytes).min(part.filled);
    let mut coder = coder::Decoder::new(&part.bytes[..used]);
    for inputs in out.chunks_exact_mut(players) {
        learner.code(&mut coder, inputs);
    }
    learner.check()?;
    coder.finish()
}

fn zeros(bytes: &[u8]) -> usize {
    bytes.iter().rev().take_while(|byte| **byte == 0).count()
}

//! One range code of inputs, which pays for the questions that it answers.
//!
//! An adaptive code says "as expected" for next to nothing, and each question costs a reader some
//! tens of nanoseconds. So a code has a byte for every 256 of them, and is filled up with zeros
//! where it would have fewer: what a file makes a reader do goes by its size.

use crate::{
    Error, Limits,
    coder::{Decoder, Encoder},
};

/// The most questions that a byte of a code answers. What people play asks 20 to 60.
const QUESTIONS_PER_BYTE: usize = 256;

/// The fewest bytes of a code that answers so many questions.
pub(crate) fn least_bytes(questions: usize) -> usize {
    questions.div_ceil(QUESTIONS_PER_BYTE)
}

/// Ends a code, which gets its fill. Gives the bytes that it was written behind, and its own.
pub(crate) fn finish(coder: Encoder) -> Vec<u8> {
    let least = coder.start() + least_bytes(coder.questions());
    let mut bytes = coder.finish();
    if bytes.len() < least {
        bytes.resize(least, 0);
    }
    bytes
}

/// How many questions a reader still answers, whatever asks them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget {
    what: &'static str,
    max: usize,
    left: usize,
}

impl Budget {
    /// For a run's inputs.
    pub(crate) fn of_run(limits: &Limits) -> Self {
        Self::new("questions about inputs", limits.questions_max())
    }

    pub(crate) const fn new(what: &'static str, max: usize) -> Self {
        Self {
            what,
            max,
            left: max,
        }
    }
}

/// A code that is being read.
#[derive(Debug)]
pub(crate) struct Answers<'b> {
    pub(crate) coder: Decoder<'b>,
    bytes: usize,
    fill: usize,
    budget: Budget,
}

impl<'b> Answers<'b> {
    pub(crate) fn new(bytes: &'b [u8], budget: Budget) -> Self {
        let fill = bytes.iter().rev().take_while(|byte| **byte == 0).count();
        Self {
            coder: Decoder::new(&bytes[..bytes.len() - fill]),
            bytes: bytes.len(),
            fill,
            budget,
        }
    }

    /// `malformed` as soon as more was asked than so many bytes answer, `limit` where it is more
    /// than the budget: after each frame.
    #[inline]
    pub(crate) fn check(&self) -> Result<(), Error> {
        let questions = self.coder.questions();
        if questions > QUESTIONS_PER_BYTE * self.bytes {
            return Err(Error::Malformed("fewer bytes than so many inputs take"));
        }
        if questions > self.budget.left {
            return Err(Error::Limit {
                what: self.budget.what,
                max: self.budget.max,
            });
        }
        Ok(())
    }

    /// Ends the code and gives what is left of the budget. `malformed` where the code has other
    /// bytes than [`finish`] gives.
    pub(crate) fn finish(mut self) -> Result<Budget, Error> {
        let questions = self.coder.questions();
        if self.fill > 0 && self.bytes != least_bytes(questions) {
            return Err(Error::Malformed("zeros behind the end of a code"));
        }
        self.coder.finish()?;
        self.budget.left -= questions;
        Ok(self.budget)
    }
}

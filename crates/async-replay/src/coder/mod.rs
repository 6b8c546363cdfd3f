//! The entropy coder under the models: bits in, bytes out, in whole numbers alone.
//!
//! A model asks one bit after another, each as a [`Decision`]: what kind of bit it is and which
//! contexts may tell it. [`Average`] and [`Mixer`] turn that into a probability and learn from the
//! outcome; the range coder turns bit and probability into bytes, and back.

mod average;
mod logistic;
mod mixer;
mod range;
mod slots;

pub(crate) use average::Average;
pub(crate) use mixer::Mixer;
pub(crate) use range::{Coder, Decoder, Encoder, ONE};
pub(crate) use slots::hash;

/// What is to be decided, and what may tell it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Decision<const WAYS: usize> {
    /// Hashes of the contexts, different between kinds of bits and between ways. The first two are
    /// those that tell most.
    pub(crate) contexts: [u32; WAYS],
    /// A context that decides alone as soon as it is sure.
    pub(crate) lead: Option<u32>,
    /// Two sets of weights, of all that a mixer has.
    pub(crate) sets: [usize; 2],
    /// A curve of the last stage, of all that a mixer has.
    pub(crate) curve: usize,
}

/// How much a model can ask.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    /// For each kind of bit: how many sets of weights, what the weights of a fresh one add up to,
    /// in hundredths, and how many ways.
    pub(crate) kinds: &'static [(usize, i32, usize)],
    /// How many curves.
    pub(crate) curves: usize,
}

/// Decides bits and learns from them.
pub(crate) trait Decide: Clone {
    /// One that has learned nothing.
    fn new(shape: &Shape) -> Self;

    /// Codes one bit, and learns from it. Gives the bit.
    fn code<const WAYS: usize>(
        &mut self,
        coder: &mut impl Coder,
        decision: &Decision<WAYS>,
        bit: bool,
    ) -> bool;

    /// Lets what was learned give way to what comes: nothing counts as seen more than `seen` times.
    fn unsettle(&mut self, seen: u8);

    /// Becomes a copy of another of the same shape, without allocating.
    fn copy_from(&mut self, other: &Self);
}

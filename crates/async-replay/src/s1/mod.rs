//! Sample model S1: each track as differences from what was to be expected, in adaptive bits.
//!
//! All in whole numbers, so that every machine reads the same. Each model is written once, for
//! both ways: it codes a value through a [`crate::coder::Coder`] that either writes or reads it.

mod bit;
mod chunk;
mod column;
pub(crate) mod lattice;
mod tables;
mod track;
mod trend;

pub(crate) use chunk::{Encoder, Models};

/// The model id of S1.
pub(crate) const MODEL: u8 = 1;

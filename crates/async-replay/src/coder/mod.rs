//! The entropy coder under the models: bits in, bytes out, in whole numbers alone.

mod range;

pub(crate) use range::{Decoder, Encoder, ONE};

//! How a run is written.

use crate::Prior;

/// How hard the inputs are pressed. What a run is does not depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Level {
    /// L2, or L0 where that is smaller: for runs of a few inputs.
    #[default]
    Auto,
    /// Runs of equal values: trivial to read, three to five times as large as L2.
    L0,
    /// Two contexts averaged: a quarter larger than L2, and read almost three times as fast.
    L1,
    /// Contexts mixed: the smallest.
    L2,
}

/// Whether a reader can start in the middle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Seek {
    /// Any frame is found by decoding the head of the file and a few seconds around the frame.
    #[default]
    Head,
    /// A frame is found by decoding all before it: the smallest file for a long run.
    None,
}

/// How a run is written. The default is right for almost everything.
#[derive(Debug, Clone, Copy, Default)]
pub struct Encoding<'p> {
    /// How hard the inputs are pressed.
    pub level: Level,
    /// Whether a reader can start in the middle.
    pub seek: Seek,
    /// What other runs of the same game have taught. Whoever reads the run needs the same prior.
    /// Only L2 uses one.
    pub prior: Option<&'p Prior>,
}

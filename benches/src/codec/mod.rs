//! How small and how fast runs are, beside everything else that could hold them: the figures of
//! `scripts/bench codec`.
//!
//! Recordings of people come from any folder of `INP1` and `SMP1` files ([`corpus`]). Each file is
//! coded on its own, by ours and by every rival, and what was coded is decoded and compared: a
//! figure of a coder that loses something cannot be printed. What a rival would have to be told
//! beside its bytes (frames, players, the width of a record) is given to it for nothing.

pub mod corpus;
mod ggrs;
pub mod inputs;
mod layouts;
pub mod minute;
mod numbers;
mod ours;
pub mod overhead;
mod packing;
pub mod priors;
mod rivals;
pub mod samples;
pub mod seek;
pub mod speed;
mod squeeze;
pub mod table;

use std::path::PathBuf;

/// Why a figure could not be had.
#[derive(Debug)]
#[non_exhaustive]
pub enum Failure {
    /// A file or a folder could not be read.
    Read(PathBuf, std::io::Error),
    /// The folder holds no recordings.
    Empty(PathBuf),
    /// Our codec refused something, and of which file.
    Ours(String, async_replay::Error),
    /// A rival refused something.
    Rival(String, String),
    /// What was decoded is not what was coded: by whom, and which file.
    Differs(String, String),
    /// The output is closed.
    Output(std::io::Error),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Read(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Empty(path) => write!(f, "{}: no .inp and no .smp files", path.display()),
            Self::Ours(file, error) => write!(f, "{file}: {error}"),
            Self::Rival(coder, reason) => write!(f, "{coder}: {reason}"),
            Self::Differs(coder, file) => {
                write!(f, "{coder}: {file} decodes to something else")
            }
            Self::Output(error) => write!(f, "output: {error}"),
        }
    }
}

impl std::error::Error for Failure {}

/// The geometric mean; 1 of nothing.
#[allow(clippy::cast_precision_loss, reason = "a handful of values")]
fn geometric_mean(values: &[f64]) -> f64 {
    let sum: f64 = values.iter().map(|value| value.ln()).sum();
    (sum / values.len().max(1) as f64).exp()
}

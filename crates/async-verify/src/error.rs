//! What can go wrong with a trace. Runs never cause an error here: they get a verdict.

/// Why a trace could not be read or compared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The bytes do not begin like a trace.
    #[error("this is not a trace file")]
    NotATrace,
    /// The trace was written by another version of the format.
    #[error("the trace has version {found}, this program knows {known}")]
    TraceVersion {
        /// The version in the file.
        found: u8,
        /// The version this build writes and reads.
        known: u8,
    },
    /// The file ends before the trace does.
    #[error("the trace ends early")]
    TraceTruncated,
    /// The checksum does not match.
    #[error("the trace is damaged: its checksum does not match")]
    TraceDamaged,
    /// The checksum matches but the content breaks the format.
    #[error("the trace is malformed: {0}")]
    TraceMalformed(&'static str),
    /// The run cannot be simulated, so there is nothing to compare with.
    #[error("the run cannot be simulated: {0}")]
    Simulation(#[from] async_core::Error),
}

impl Error {
    /// The stable code of this error, as in the registry of `async-protocol`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotATrace => "not_a_trace",
            Self::TraceVersion { .. } => "trace_version",
            Self::TraceTruncated => "trace_truncated",
            Self::TraceDamaged => "trace_damaged",
            Self::TraceMalformed(_) => "trace_malformed",
            Self::Simulation(error) => error.code(),
        }
    }
}

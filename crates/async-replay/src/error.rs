//! What can be wrong with a run, each case with a stable code.

/// Every code that this crate's errors can carry.
pub const CODES: &[&str] = &[
    "not_a_run",
    "wrong_version",
    "truncated",
    "unfinished",
    "damaged",
    "malformed",
    "trailing",
    "too_large",
    "too_many_frames",
    "limit",
    "bad_header",
    "input_undeclared",
    "unknown_critical",
    "unknown_model",
    "bad_sample",
    "bad_end",
    "wrong_order",
    "bad_corpus",
    "not_a_prior",
    "bad_prior",
    "missing_prior",
];

/// Why a run cannot be read or written. Reading errors are the file's fault, except `limit`,
/// `too_large` and `too_many_frames`, where the reader's own [`crate::Limits`] said no.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The bytes do not start with the magic of a run.
    #[error("not a run file")]
    NotARun,
    /// A run of another format version. The header is the same in every version, so the recorder
    /// can be named where it is whole.
    #[error(
        "the run is in format version {recorded} and this reader supports {supported} \
         (recorded by {game} build \"{build}\")"
    )]
    WrongVersion {
        /// The version the file says.
        recorded: u8,
        /// The version this reader supports.
        supported: u8,
        /// The game named by the header, or `?` where the header cannot be read.
        game: String,
        /// The build named by the header, or nothing where the header cannot be read.
        build: String,
    },
    /// The bytes stop in the middle of a chunk.
    #[error("the run is cut off after {bytes} bytes")]
    Truncated {
        /// How many bytes there are.
        bytes: usize,
    },
    /// Whole chunks, but no end: a recording that nobody finished.
    #[error("the recording was never finished")]
    Unfinished,
    /// A chunk does not match its checksum.
    #[error("the chunk at byte {offset} is damaged")]
    Damaged {
        /// Where the chunk starts.
        offset: usize,
    },
    /// The checksum holds and yet the content breaks the format.
    #[error("malformed: {0}")]
    Malformed(&'static str),
    /// There are bytes after the end.
    #[error("{bytes} bytes after the end of the run")]
    Trailing {
        /// How many.
        bytes: usize,
    },
    /// The file has more bytes than the reader allows.
    #[error("{bytes} bytes, and at most {bytes_max} are allowed")]
    TooLarge {
        /// The size of the file.
        bytes: usize,
        /// The reader's limit.
        bytes_max: usize,
    },
    /// The run has more frames than the reader, or its own header, allows.
    #[error("{frames} frames, and at most {frames_max} are allowed")]
    TooManyFrames {
        /// What the run holds or claims.
        frames: u32,
        /// The limit.
        frames_max: u32,
    },
    /// More of something than the reader or the format allows.
    #[error("too many {what}: at most {max} are allowed")]
    Limit {
        /// Of what, in plain words.
        what: &'static str,
        /// The limit.
        max: usize,
    },
    /// A header field has a value that the format does not allow.
    #[error("bad header: {0}")]
    BadHeader(&'static str),
    /// An input with a button or an axis value that the schema does not declare.
    #[error("frame {frame}: an input that the schema does not declare")]
    InputUndeclared {
        /// The frame, counted from 0.
        frame: u32,
    },
    /// A chunk that must be understood and is not.
    #[error("unknown critical chunk {kind:#04x}")]
    UnknownCritical {
        /// The chunk's type byte.
        kind: u8,
    },
    /// Coded with a model that this reader does not have.
    #[error("unknown model {model} of {stream}")]
    UnknownModel {
        /// Which stream.
        stream: &'static str,
        /// The model id.
        model: u8,
    },
    /// A sample that cannot be put on the grid, or that breaks its track's rules.
    #[error("bad sample: {0}")]
    BadSample(&'static str),
    /// The end does not agree with what was recorded.
    #[error("bad end: {0}")]
    BadEnd(&'static str),
    /// A writer was given something out of order (a mark before an earlier one, a checkpoint at
    /// another frame than the one just recorded). The caller's mistake.
    #[error("out of order: {0}")]
    WrongOrder(&'static str),
    /// A recording of the corpus (`INP1`, `SMP1`) that does not hold what it says.
    #[error("bad corpus file: {0}")]
    BadCorpus(&'static str),
    /// The bytes do not start with the magic of a prior of this version.
    #[error("not a prior")]
    NotAPrior,
    /// A prior that cannot be trained, or that is for other runs.
    #[error("bad prior: {0}")]
    BadPrior(&'static str),
    /// The run was written with a prior that the reader does not have.
    #[error("the run needs the prior {hash}")]
    MissingPrior {
        /// Which.
        hash: crate::PriorHash,
    },
}

impl Error {
    /// The stable code of this error; all are in [`CODES`].
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotARun => "not_a_run",
            Self::WrongVersion { .. } => "wrong_version",
            Self::Truncated { .. } => "truncated",
            Self::Unfinished => "unfinished",
            Self::Damaged { .. } => "damaged",
            Self::Malformed(_) => "malformed",
            Self::Trailing { .. } => "trailing",
            Self::TooLarge { .. } => "too_large",
            Self::TooManyFrames { .. } => "too_many_frames",
            Self::Limit { .. } => "limit",
            Self::BadHeader(_) => "bad_header",
            Self::InputUndeclared { .. } => "input_undeclared",
            Self::UnknownCritical { .. } => "unknown_critical",
            Self::UnknownModel { .. } => "unknown_model",
            Self::BadSample(_) => "bad_sample",
            Self::BadEnd(_) => "bad_end",
            Self::WrongOrder(_) => "wrong_order",
            Self::BadCorpus(_) => "bad_corpus",
            Self::NotAPrior => "not_a_prior",
            Self::BadPrior(_) => "bad_prior",
            Self::MissingPrior { .. } => "missing_prior",
        }
    }
}

//! The run format: write, read, recover, name and hash recordings.
//!
//! `FORMAT.md` at the root of the repository is the standard; this crate is one implementation.
//! It works on byte slices alone, reads no clock, opens nothing, and never panics on input.

mod coder;
mod container;
pub mod corpus;
mod costs;
mod encoding;
mod error;
mod group;
mod header;
mod header_code;
mod identity;
mod ids;
mod inputs;
mod layout;
mod limits;
mod model;
mod player;
mod prior;
mod quantiser;
mod read;
mod reader;
mod run;
mod s0;
mod s1;
mod sample;
mod samples;
mod seal;
mod wire;
mod writer;

pub use container::VERSION;
pub use costs::InputCosts;
pub use encoding::{Encoding, Level, Seek};
pub use error::{CODES, Error};
pub use header::{Header, Opponent, UnknownField};
pub use identity::Hashes;
pub use ids::{FullHash, PlayerId, PriorHash, RulesetId, RunId};
pub use layout::{ChunkCoding, ChunkSize, chunk_sizes};
pub use limits::{
    CHANNELS_MAX, CHUNK_BYTES_MAX, CHUNK_FRAMES_MAX, HEADER_BYTES_MAX, Limits, TRACKS_MAX,
};
pub use player::{Edge, FRAME_UNITS, Facing, Moved, Player, Pose, Speed, Stretch};
pub use prior::{PRIOR_INPUTS_MAX, PRIOR_LESSONS_MAX, Prior, Priors};
pub use quantiser::Quantiser;
pub use reader::Reader;
pub use run::{
    CHECKPOINT_FRAMES, Checkpoint, End, EndReason, Info, Inputs, Mark, MarkKind, Pause, Recovered,
    Run,
};
pub use sample::{
    Dimensions, Precision, QUATERNION_MAX, QUATERNION_UNIT, Rotation, RotationKind, Sample,
    SampleSchema, TrackSchema,
};
pub use writer::{Finished, RESERVE_BYTES, Sign, Writer};

//! Wire types, the settings table, limits and the registry of error codes.
//!
//! Everything that two ends must agree on and that is not a file format stands here, once: what a
//! client sends and a server answers, what a setting may be, how large anything may become, and
//! whose fault an error code is. The crate does no IO, reads no clock and draws no randomness.
//!
//! Three rules hold on every JSON surface:
//! - an integer beyond ±(2^53−1) is a decimal string, and both forms are read ([`integer`]);
//! - bytes are padded base64 ([`Base64`]), ids are lower-case hex;
//! - HTTP names are snake_case, kit names are camelCase, times end in `_ms` and are Unix
//!   milliseconds, UTC.

pub mod board;
pub mod calendar;
pub mod codes;
mod error;
pub mod game_options;
pub mod integer;
pub mod limits;
pub mod names;
mod rules;
pub mod settings;
mod text;
mod verdict;
pub mod wire;

pub use async_core::{OptionValue, Options, Order};
pub use async_replay::{PlayerId, RulesetId, RunId};
pub use board::{BoardPolicy, Keep, Period, RankStyle, Reveal, TicketRule, Ties, Trust};
pub use error::{CODES, Error};
pub use rules::Rules;
pub use settings::{Settings, SettingsError};
pub use text::Base64;
pub use verdict::{Status, Verdict};

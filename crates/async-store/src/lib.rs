//! Runs, boards and exact ranks, on SQLite.
//!
//! The file is the truth; ranks are counted in memory, built from the file before a store is
//! ready and changed only after a commit. The crate reads no clock: times are arguments.

mod board;
mod cursor;
mod error;
mod rank;
mod sqlite;
mod store;
mod types;

pub use error::{CODES, Error};
pub use rank::{Entry, Key, Ranks};
pub use sqlite::{Options, SqliteStore};
pub use store::Store;
pub use types::*;

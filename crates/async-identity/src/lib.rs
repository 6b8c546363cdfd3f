//! Signed statements: runs, tickets, receipts and calls.
//!
//! A player is an Ed25519 key pair ([`PlayerKey`]), a server another one ([`ServerKey`]). Whatever
//! either of them says is a *statement*: a domain string of its own, then a fixed binary encoding.
//! The domains differ, so a signature over one kind of statement never passes as another, and the
//! encodings are exact, so one statement has one sequence of bytes. `PROTOCOL.md` holds the byte
//! tables.
//!
//! Nothing here reads a clock or a random source: entropy and time are arguments. Verification is
//! strict: keys of small order, keys written in a non-canonical form and malleable signatures are
//! refused, so that every implementation gives the same answer.

mod call;
mod encoding;
mod error;
mod key;
mod key_text;
mod nonce;
mod receipt;
mod ring;
mod seed;
mod server_key;
mod statement;
mod ticket;

pub use call::{Call, METHOD_BYTES_MAX, PATH_BYTES_MAX, SERVER_BYTES_MAX, verify_call};
pub use error::{CODES, Error};
pub use key::{PlayerKey, check_player, verify_run};
pub use nonce::{CallNonce, NONCE_BYTES, NONCE_LIFE_MS};
pub use receipt::{RECEIPT_BYTES_MAX, RECEIPT_VERSION, Receipt, STATUS_BYTES_MAX};
pub use ring::{KEYS_MAX, KeyRing};
pub use seed::{SEED_MAX, attempt_seed, daily_seed};
pub use server_key::{ServerKey, key_id};
pub use ticket::{TICKET_BYTES_MAX, TICKET_VERSION, Ticket, TicketUse};

/// Longest app name in a statement, in bytes of UTF-8.
pub const APP_BYTES_MAX: usize = 64;
/// Longest board key in a statement, in bytes of UTF-8.
pub const BOARD_BYTES_MAX: usize = 64;
/// Length of every signature here, in bytes.
pub const SIGNATURE_BYTES: usize = 64;

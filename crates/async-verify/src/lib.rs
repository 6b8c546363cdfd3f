//! A run and a catalogue of games in, a verdict out.
//!
//! [`Verifier`] is the one judge: the server, the kit and the command line all ask it, so that a
//! player's own machine says what the server will say. It does no IO and reads no clock; what it
//! should hold against a run (rules, a ticket, a trace) comes as [`Evidence`].
//!
//! A deterministic game is re-simulated from the header and the inputs alone, and every checkpoint,
//! the last digest, the frame count and the score are compared. An engine game, which nobody here
//! can re-simulate, is judged by its rules and can at best be plausible.

mod error;
mod evidence;
mod finding;
mod opponent;
mod resimulate;
mod rules;
mod samples;
mod trace;
mod verifier;

pub use error::Error;
pub use evidence::{Evidence, Expected, SignatureRule, TicketEvidence};
pub use finding::CODES;
pub use trace::{
    Divergence, FIELDS_MAX, NAME_BYTES_MAX, NAMES_MAX, TRACE_BYTES_MAX, Trace, TraceRecorder,
};
pub use verifier::{Examined, Verifier};

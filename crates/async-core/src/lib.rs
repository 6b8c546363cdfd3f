//! The deterministic simulation: games, inputs, fixed-point maths, seeded randomness, digests.
//!
//! A game is started from a [`Setup`] and stepped one frame at a time with every player's
//! [`Input`]; nothing else reaches it. The same setup and inputs give the same states, digests and
//! scores on every machine, in every build: there is no clock, no float, no hash order and no
//! global state in here.
//!
//! [`Simulation`] is the one way to step a game: the recorder, the verifier and ghosts all use it,
//! so that they cannot differ.
//!
//! ```
//! use async_core::{Catalogue, FrameRate, Input, Options, Setup, Simulation};
//!
//! let setup = Setup {
//!     seed: 7,
//!     players: 1,
//!     slot: 0,
//!     rate: FrameRate::hz(60)?,
//!     options: Options::default(),
//! };
//! let mut simulation = Simulation::start(&Catalogue::standard(), "arena", 1, &setup)?;
//! simulation.step(&[Input::default()])?;
//! assert_eq!(simulation.frame(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![no_std]
#![deny(clippy::float_arithmetic)]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod arena;
mod catalogue;
mod digest;
mod error;
mod fault;
pub mod fixed;
mod game;
mod input;
mod options;
mod pilot;
mod rate;
mod rng;
mod simulation;
pub(crate) mod state;

pub use catalogue::{Catalogue, Start};
pub use digest::{Hasher, RunDigest};
pub use error::{CODES, Error};
pub use fault::{Fault, Step, WorkBudget};
pub use fixed::{Angle, Fixed, Vec2};
pub use game::{Game, GameId, Kind, Order, Shape, ShapeKind, Transform};
pub use input::{Axis, AxisBits, Input, InputSchema};
pub use options::{OptionValue, Options};
pub use pilot::{Pilot, autopilot};
pub use rate::FrameRate;
pub use rng::Rng;
pub use simulation::{Setup, Simulation};

/// Most buttons an input schema may declare.
pub const BUTTONS_MAX: usize = 32;
/// Most axes an input schema may declare.
pub const AXES_MAX: usize = 8;
/// Most players (slots) a game may have.
pub const PLAYERS_MAX: usize = 8;
/// Most frames a run may have: an hour at 60 Hz, half of one at 120 Hz.
pub const FRAMES_MAX: u32 = 216_000;
/// The largest seed, so that a seed survives every JSON reader as a number.
pub const SEED_MAX: u64 = (1 << 53) - 1;

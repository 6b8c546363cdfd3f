//! The session against a scripted host.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod cases;
mod ghosts;
mod host;
mod malformed;
mod online;
mod recording;
mod settings;

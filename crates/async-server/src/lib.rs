//! The self-hosted server of runs and boards, over HTTP.
//!
//! ```no_run
//! let running = async_server::Server::start(async_server::Config::default())?;
//! println!("listening on http://{}", running.address());
//! running.stop();
//! # Ok::<(), async_server::Error>(())
//! ```
//!
//! The layers, from the socket inwards: `accept` speaks HTTP and holds its timeouts, `http` reads
//! requests and writes answers, `service` does the work, `async-verify` and `async-store` do the
//! heavy part of it on threads of their own (`gf-verify-N`, `gf-store-…`): neither a simulation
//! nor SQLite ever runs on the async runtime (`gf-http-N`).

mod accept;
mod clock;
mod codes;
mod config;
mod error;
mod failure;
mod gate;
mod http;
mod pool;
mod service;
mod stall;
mod start;

pub use codes::CODES;
pub use config::{AppEntry, BoardEntry, Config, PORT};
pub use error::Error;
pub use start::{Running, Server};

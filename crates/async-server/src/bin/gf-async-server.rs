//! The self-hosted server of runs and boards.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use async_server::{Config, Error, Server};
use clap::Parser;

// Many small buffers live for one request each; this allocator keeps them out of the way.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Verifies runs and keeps boards: one program, one file.
#[derive(Debug, Parser)]
#[command(name = "gf-async-server", version)]
#[command(after_help = "Logs go to stderr as JSON; GF_LOG=info or GF_LOG=debug says more.")]
struct Arguments {
    /// Serve on this address and port (port 0 takes a free one).
    #[arg(long, value_name = "IP:PORT")]
    listen: Option<SocketAddr>,
    /// Keep everything in this file.
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    /// Read the configuration from this TOML file.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Take order and rules of undeclared boards from the game's gfkits.json.
    #[arg(long, value_name = "FILE")]
    kit: Option<PathBuf>,
    /// Print the configuration with every key explained, and exit.
    #[arg(long)]
    print_config: bool,
}

fn main() -> ExitCode {
    let filter = tracing_subscriber::EnvFilter::try_from_env("GF_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn"));
    // Lines for the machine that reads them, on stderr: stdout carries the one line of readiness.
    tracing_subscriber::fmt()
        .json()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .init();
    match run(Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            drop(writeln!(io::stderr(), "gf-async-server: {error}"));
            ExitCode::from(error.exit_code())
        }
    }
}

fn run(arguments: Arguments) -> Result<(), Error> {
    let mut config = match &arguments.config {
        Some(file) => Config::load(file)?,
        None => Config::default(),
    };
    if let Some(listen) = arguments.listen {
        config.listen = listen;
    }
    if let Some(data) = arguments.data {
        config.data = data;
    }
    if arguments.kit.is_some() {
        config.kit = arguments.kit;
    }
    if arguments.print_config {
        io::stdout().write_all(config.explain().as_bytes())?;
        return Ok(());
    }
    let open = config.apps.is_empty();
    let running = Server::start(config)?;
    if open && !running.address().ip().is_loopback() {
        tracing::warn!("open to the network for any app without a key; [[apps]] closes it");
    }
    let line = format!("listening on http://{}\n", running.address());
    running.until_signalled(|| io::stdout().write_all(line.as_bytes()))
}

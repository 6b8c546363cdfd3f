//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Record, verify, rank and race runs with gf-async.
#[derive(Debug, Parser)]
#[command(name = "gf-async", version, max_term_width = 100)]
pub(crate) struct Arguments {
    /// Print one JSON object a line instead of text for people
    #[arg(long, global = true)]
    pub(crate) json: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play the whole loop on an empty temporary folder: record, submit, race, refuse, rank
    Demo(DemoArgs),
    /// Judge runs: one verdict a file; exit 0 all good, 1 some refused, 2 could not run
    Verify(VerifyArgs),
    /// Show what a run file holds and what each stream costs
    Inspect(InspectArgs),
    /// Learn from a game's runs how to make the others smaller: a prior
    Train(TrainArgs),
    /// Write a run another way; it stays the same run
    Recode(RecodeArgs),
    /// Send a signed run to a server and wait for its verdict
    Submit(SubmitArgs),
    /// Get runs from a server
    Fetch(FetchArgs),
    /// Show a board
    Board(BoardArgs),
    /// Show today's challenge
    Daily(DailyArgs),
}

#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// Let this recording (INP1) drive the arena instead of an autopilot
    #[arg(long, value_name = "FILE.inp")]
    pub(crate) input: Option<PathBuf>,
    /// Keep the server running at the end and print its address
    #[arg(long)]
    pub(crate) serve: bool,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// Run files, or folders of them (*.gfrun)
    #[arg(required = true, value_name = "FILE")]
    pub(crate) paths: Vec<PathBuf>,
    /// The trace of the recording: names the exact frame and field of a divergence (one file only)
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    /// The run that was played against
    #[arg(long, value_name = "FILE")]
    pub(crate) opponent: Option<PathBuf>,
    /// Judge as a board does: signed, finished, no practice
    #[arg(long)]
    pub(crate) ranked: bool,
}

#[derive(Debug, Args)]
pub(crate) struct InspectArgs {
    /// The run file
    #[arg(value_name = "FILE")]
    pub(crate) path: PathBuf,
    /// Priors that the run may have been written with
    #[arg(long = "prior", value_name = "FILE")]
    pub(crate) known: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct TrainArgs {
    /// Run files, or folders of them (*.gfrun), of one input schema
    #[arg(required = true, value_name = "FOLDER")]
    pub(crate) paths: Vec<PathBuf>,
    /// Where to write the prior
    #[arg(long, short, value_name = "FILE", default_value = "game.gfprior")]
    pub(crate) output: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct RecodeArgs {
    /// The run file
    #[arg(value_name = "FILE")]
    pub(crate) path: PathBuf,
    /// Where to write it
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// How hard to press the inputs
    #[arg(long, default_value = "auto", value_parser = ["auto", "l0", "l1", "l2"])]
    pub(crate) level: String,
    /// Let no reader start in the middle: a little smaller for long runs
    #[arg(long)]
    pub(crate) no_seek: bool,
    /// Start from this prior; whoever reads the run needs it too
    #[arg(long, value_name = "FILE")]
    pub(crate) prior: Option<PathBuf>,
    /// Priors that the run may have been written with so far
    #[arg(long = "read-prior", value_name = "FILE")]
    pub(crate) known: Vec<PathBuf>,
}

/// Which server, and who asks.
#[derive(Debug, Clone, Args)]
pub(crate) struct ServerArgs {
    /// The server; the path of the run API is added where it is missing
    #[arg(long, env = "GF_ASYNC_URL", default_value = "http://127.0.0.1:8787")]
    pub(crate) url: String,
    /// The app; runs that are sent name their own
    #[arg(long, env = "GF_ASYNC_APP", default_value = "")]
    pub(crate) app: String,
    /// The key of the app, where the server asks for one
    #[arg(long, env = "GF_ASYNC_KEY", default_value = "", hide_env_values = true)]
    pub(crate) api_key: String,
    /// Where the player's key and the outbox are kept; a folder of the user's by default
    #[arg(long, env = "GF_ASYNC_DATA", value_name = "DIR")]
    pub(crate) data_dir: Option<PathBuf>,
    /// How long to wait for the server, in seconds
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=3_600))]
    pub(crate) timeout: u32,
}

#[derive(Debug, Args)]
pub(crate) struct SubmitArgs {
    /// The run file, signed by its player
    #[arg(value_name = "FILE")]
    pub(crate) path: PathBuf,
    #[command(flatten)]
    pub(crate) server: ServerArgs,
}

#[derive(Debug, Args)]
pub(crate) struct FetchArgs {
    /// Ids of runs; without any, the best of --board
    #[arg(value_name = "ID", required_unless_present = "board")]
    pub(crate) ids: Vec<String>,
    /// Pick runs of this board instead
    #[arg(long, conflicts_with = "ids")]
    pub(crate) board: Option<String>,
    /// Which runs of the board
    #[arg(long, default_value = "top", value_parser = ["top", "around", "rival", "random"])]
    pub(crate) pick: String,
    /// How many runs of the board
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=32))]
    pub(crate) count: u32,
    /// Where to write them, as ID.gfrun
    #[arg(long, short, value_name = "DIR", default_value = ".")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) server: ServerArgs,
}

#[derive(Debug, Args)]
pub(crate) struct BoardArgs {
    /// The board's key
    pub(crate) board: String,
    /// How many rows
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub(crate) rows: Option<u32>,
    /// Where to go on: `next` or `prev` of an earlier answer
    #[arg(long)]
    pub(crate) cursor: Option<String>,
    /// Centre on the own place
    #[arg(long)]
    pub(crate) around: bool,
    /// The span that is ranked
    #[arg(long, value_parser = ["alltime", "daily", "weekly", "monthly"])]
    pub(crate) period: Option<String>,
    #[command(flatten)]
    pub(crate) server: ServerArgs,
}

#[derive(Debug, Args)]
pub(crate) struct DailyArgs {
    #[command(flatten)]
    pub(crate) server: ServerArgs,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        Arguments::command().debug_assert();
    }
}

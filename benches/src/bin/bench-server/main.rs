//! `scripts/bench server`: submits and reads against rivals of the same run.

mod cpu;
mod load;
mod plays;
mod reads;
mod rival;
mod subject;
mod submits;
mod verifying;

use std::error::Error;
use std::path::PathBuf;
use std::thread;

use clap::{Parser, ValueEnum};

/// The connections of every load.
const CONNECTIONS: usize = 64;

/// What can go wrong here is for a person to read.
type Fallible<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// Figures of the server, each beside a rival measured in the same run.
#[derive(Debug, Parser)]
struct Arguments {
    /// One JSON object a line instead of text.
    #[arg(long)]
    json: bool,
    /// Only these measurements.
    #[arg(long, value_enum)]
    only: Option<Part>,
    /// Runs to submit; each is another one.
    #[arg(long, default_value_t = 5_000)]
    runs: usize,
    /// Entries on the board that is read.
    #[arg(long, default_value_t = 1_000_000)]
    entries: usize,
    /// Roughly how long each kind of read is measured.
    #[arg(long, default_value_t = 5.0)]
    seconds: f64,
    /// Where the data files go for the time of the bench: a folder on a disk.
    #[arg(long, default_value_os_t = std::env::temp_dir())]
    folder: PathBuf,
}

/// A measurement that can be asked for alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    Submits,
    Reads,
}

fn main() -> Fallible<()> {
    let arguments = Arguments::parse();
    let cores = thread::available_parallelism()?.get();
    if arguments.only != Some(Part::Reads) {
        for figure in submits::measure(arguments.runs, cores, &arguments.folder)? {
            figure.print(arguments.json)?;
        }
    }
    if arguments.only != Some(Part::Submits) {
        let board = reads::Size {
            entries: arguments.entries,
            seconds: arguments.seconds,
        };
        for figure in reads::measure(board, cores, &arguments.folder)? {
            figure.print(arguments.json)?;
        }
    }
    Ok(())
}

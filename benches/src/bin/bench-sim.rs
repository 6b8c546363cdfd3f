//! `scripts/bench sim`: how fast the simulation is.

use std::process::ExitCode;

use async_benches::{
    Figure,
    recorded::{record_ns_per_frame, verify_60s_ms},
    sim::{Failure, frames_per_second},
};
use clap::Parser;

/// How fast the simulation is, on one core.
#[derive(Debug, Parser)]
struct Args {
    /// One JSON object per figure.
    #[arg(long)]
    json: bool,
    /// Taken as every part takes it; this one needs no corpus.
    #[arg(long)]
    corpus: Option<std::path::PathBuf>,
}

/// Measures one figure, or says why it cannot.
type Measure = fn() -> Result<Figure, Failure>;

/// The figures in the order in which they are printed.
const FIGURES: &[Measure] = &[
    || frames_per_second("arena_frames_per_s", "duel", 4),
    || frames_per_second("arena_duel_2_frames_per_s", "duel", 2),
    || frames_per_second("arena_duel_8_frames_per_s", "duel", 8),
    || frames_per_second("arena_collect_1_frames_per_s", "collect", 1),
    || frames_per_second("arena_race_1_frames_per_s", "race", 1),
    || frames_per_second("arena_race_4_frames_per_s", "race", 4),
    || verify_60s_ms("arena_verify_60s_ms", "duel", 4),
    || verify_60s_ms("arena_verify_collect_1_60s_ms", "collect", 1),
    || record_ns_per_frame("record_ns_per_frame", "duel", 4),
];

fn main() -> ExitCode {
    let args = Args::parse();
    for measure in FIGURES {
        let printed = match measure() {
            Ok(figure) => figure.print(args.json).map_err(|error| error.to_string()),
            Err(failure) => Err(failure.to_string()),
        };
        if let Err(reason) = printed {
            let _ = std::io::Write::write_fmt(&mut std::io::stderr(), format_args!("{reason}\n"));
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

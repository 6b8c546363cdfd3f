//! `scripts/bench codec`: how fast runs are written and read.

use std::process::ExitCode;

use async_benches::codec::figures;
use clap::Parser;

/// How fast runs are written and read, on one core.
#[derive(Debug, Parser)]
struct Args {
    /// One JSON object per figure.
    #[arg(long)]
    json: bool,
    /// Taken as every part takes it; the figures so far need no corpus.
    #[arg(long)]
    corpus: Option<std::path::PathBuf>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let printed = figures()
        .map_err(|error| error.to_string())
        .and_then(|figures| {
            let mut printed = figures.iter().map(|figure| figure.print(args.json));
            printed.try_for_each(|done| done.map_err(|error| error.to_string()))
        });
    if let Err(reason) = printed {
        let _ = std::io::Write::write_fmt(&mut std::io::stderr(), format_args!("{reason}\n"));
        return ExitCode::from(2);
    }
    ExitCode::SUCCESS
}

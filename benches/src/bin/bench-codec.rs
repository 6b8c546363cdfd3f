//! `scripts/bench codec`: how small and how fast runs are, beside everything else.

use std::path::PathBuf;
use std::process::ExitCode;

use async_benches::codec::{
    Failure, corpus::Corpus, inputs, minute, overhead, priors, samples, seek, speed, table::Output,
};
use clap::Parser;

/// How small and how fast runs are: recordings of people by our codec and by its rivals, each
/// round trip checked.
#[derive(Debug, Parser)]
struct Args {
    /// One JSON object per figure.
    #[arg(long)]
    json: bool,
    /// A folder of INP1 (.inp) and SMP1 (.smp) files, or of folders of them.
    #[arg(long, env = "GF_CORPUS", default_value = "../shared/corpus")]
    corpus: PathBuf,
}

fn main() -> ExitCode {
    if let Err(failure) = run(&Args::parse()) {
        let _ = std::io::Write::write_fmt(&mut std::io::stderr(), format_args!("{failure}\n"));
        return ExitCode::from(2);
    }
    ExitCode::SUCCESS
}

fn run(args: &Args) -> Result<(), Failure> {
    let output = Output { json: args.json };
    let corpus = Corpus::read(&args.corpus)?;
    let sets: Vec<inputs::Measured> = corpus
        .inputs
        .iter()
        .map(inputs::measure)
        .collect::<Result<_, _>>()?;
    inputs::print(&sets, output)?;
    let taught: Vec<priors::Measured> = corpus
        .inputs
        .iter()
        .map(priors::measure)
        .collect::<Result<_, _>>()?;
    priors::print(&taught, output)?;
    seek::run(&corpus.inputs, output)?;
    speed::run(&corpus.inputs, output)?;
    samples::run(&corpus.samples, output)?;
    overhead::run(output)?;
    let made =
        minute::figures().map_err(|error| Failure::Ours("a made-up minute".into(), error))?;
    output.figures(&made)
}

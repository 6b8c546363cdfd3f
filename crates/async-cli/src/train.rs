//! `gf-async train`: what runs of a game teach, as a prior that makes its other runs smaller.

use std::path::{Path, PathBuf};

use async_replay::{Encoding, Level, Limits, PRIOR_INPUTS_MAX, Prior, Run, chunk_sizes};
use rayon::prelude::*;
use serde_json::json;

use crate::args::TrainArgs;
use crate::failure::{Exit, Failure};
use crate::files;
use crate::output::{DIM, GOOD, Output, Thousands};

/// Runs below this cannot show what a prior is worth: each half of them would be too few.
const PROVEN_MIN: usize = 4;

/// What the inputs of some runs take, in bytes.
#[derive(Debug, Clone, Copy, Default)]
struct Sizes {
    without: usize,
    with: usize,
}

pub(crate) fn run(args: &TrainArgs, output: &mut Output) -> Result<Exit, Failure> {
    let (paths, failures) = files::runs(&args.paths);
    if let Some(failure) = failures.into_iter().next() {
        return Err(failure);
    }
    let runs = readable(&paths)?;
    let prior = Prior::train(&runs)?;
    files::write(&args.output, prior.bytes())?;
    let sizes = proven(&runs)?;
    show(args, &prior, &runs, sizes, output)?;
    Ok(Exit::Fine)
}

/// All runs that have inputs. One schema has to fit all: the first file of another one is named.
fn readable(paths: &[PathBuf]) -> Result<Vec<Run>, Failure> {
    let opened: Vec<_> = paths.par_iter().map(|path| open(path)).collect();
    let mut runs: Vec<Run> = Vec::new();
    for (path, run) in paths.iter().zip(opened) {
        let run = run?;
        let Some(schema) = &run.header.inputs else {
            continue;
        };
        let first = runs.first().and_then(|first| first.header.inputs.as_ref());
        if first.is_some_and(|first| first != schema) {
            let msg = "its buttons or axes are not those of the runs before; train each apart";
            return Err(Failure::new("bad_prior", msg).about(path));
        }
        runs.push(run);
    }
    Ok(runs)
}

fn open(path: &Path) -> Result<Run, Failure> {
    let bytes = files::read_run(path)?;
    Run::open(&bytes, &Limits::LOCAL).map_err(|error| Failure::from(error).about(path))
}

/// What a prior of one half of the runs saves on the other half, both ways. Nothing of too few.
fn proven(runs: &[Run]) -> Result<Option<Sizes>, Failure> {
    if runs.len() < PROVEN_MIN {
        return Ok(None);
    }
    let half = |odd: usize| -> Vec<Run> { runs.iter().skip(odd).step_by(2).cloned().collect() };
    let (even, odd) = (half(0), half(1));
    let mut sizes = Sizes::default();
    for (lessons, others) in [(&even, &odd), (&odd, &even)] {
        let prior = Prior::train(lessons)?;
        let with = Encoding {
            level: Level::L2,
            prior: Some(&prior),
            ..Encoding::default()
        };
        sizes.with += inputs(others, &with)?;
        sizes.without += inputs(others, &Encoding::default())?;
    }
    Ok(Some(sizes))
}

/// Bytes of the chunks of inputs.
fn inputs(runs: &[Run], encoding: &Encoding<'_>) -> Result<usize, Failure> {
    let size = |run: &Run| -> Result<usize, Failure> {
        let bytes = run.encode_with(encoding)?;
        let chunks = chunk_sizes(&bytes, &Limits::LOCAL)?;
        let inputs = chunks.iter().filter(|chunk| chunk.name == "inputs");
        Ok(inputs.map(|chunk| chunk.bytes).sum())
    };
    runs.par_iter().map(size).sum()
}

fn show(
    args: &TrainArgs,
    prior: &Prior,
    runs: &[Run],
    sizes: Option<Sizes>,
    output: &mut Output,
) -> Result<(), Failure> {
    let (path, bytes) = (args.output.display().to_string(), prior.bytes().len());
    let inputs: usize = runs.iter().map(|run| run.inputs.flat().len()).sum();
    let learned = inputs.min(PRIOR_INPUTS_MAX);
    let saved = sizes.map(|sizes| 1.0 - sizes.with as f64 / sizes.without.max(1) as f64);
    let mut object = json!({
        "ok": true, "file": path, "prior": prior.hash().to_string(), "bytes": bytes,
        "runs": runs.len(), "inputs": inputs, "learned": learned,
    });
    if let (Some(sizes), Some(saved)) = (sizes, saved) {
        object["without"] = sizes.without.into();
        object["with"] = sizes.with.into();
        object["saved"] = ((saved * 1_000.0).round() / 1_000.0).into();
    }
    output.object(&object)?;
    let (count, hash) = (Thousands(runs.len()), prior.hash());
    output.line(format_args!(
        "{GOOD}trained{GOOD:#}  {path}  {DIM}prior {hash}, {} bytes, of {count} runs{DIM:#}",
        Thousands(bytes)
    ))?;
    if learned < inputs {
        output.line(format_args!(
            "  {} of {} inputs fit into a prior; the last runs were left out",
            Thousands(learned),
            Thousands(inputs)
        ))?;
    }
    match (sizes, saved) {
        (Some(sizes), Some(saved)) => output.line(format_args!(
            "  each half of the runs with a prior of the other half: inputs of {} bytes \
             instead of {}, {:.1} % saved",
            Thousands(sizes.with),
            Thousands(sizes.without),
            saved * 100.0
        ))?,
        _ => output.line(format_args!(
            "  {PROVEN_MIN} runs or more would show what it is worth"
        ))?,
    }
    Ok(())
}

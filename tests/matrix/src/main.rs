//! Prints what every target must compute alike, one line for each file or run and operation. The
//! part `matrix` of `scripts/test` builds this for several targets and compares what they print.
//!
//! `async-matrix FOLDER` reads the committed runs and priors in that folder and those below it.
#![allow(
    clippy::print_stdout,
    reason = "this prints lines for a script to compare"
)]

mod files;
mod played;

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use async_replay::{Encoding, Level, Limits, Prior, Priors, Reader, Run, Seek};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1);
    let folder = folder.ok_or("the folder of runs is missing")?;
    let files = files::below(Path::new(&folder))?;
    let mut priors = Priors::new();
    for (name, bytes) in files.iter().filter(|(name, _)| name.ends_with(".prior")) {
        let prior = Prior::open(bytes, &Limits::LARGEST)?;
        line(name, "prior", &prior.hash().to_string());
        priors.insert(prior.hash(), Arc::new(prior));
    }
    for (name, bytes) in files.iter().filter(|(name, _)| name.ends_with(".run")) {
        let run = Run::open_with(bytes, &Limits::LARGEST, &priors)?;
        line(name, "sought", &sought(bytes, &run, &priors)?.to_string());
        describe(name, &run, &priors)?;
    }
    let played = played::runs()?;
    let runs: Vec<Run> = played.iter().map(|(_, run)| run.clone()).collect();
    let prior = Prior::train(&runs)?;
    line("arena", "prior", &hash(prior.bytes()));
    priors.insert(prior.hash(), Arc::new(prior));
    for (name, run) in &played {
        describe(name, run, &priors)?;
    }
    Ok(())
}

/// Decoded content, names, and the bytes that every way to write it gives.
fn describe(name: &str, run: &Run, priors: &Priors) -> Result<(), Box<dyn Error>> {
    line(name, "content", &hash(format!("{run:?}").as_bytes()));
    line(name, "full hash", &run.full_hash().to_string());
    for (way, encoding) in encodings(run, priors) {
        let bytes = run.encode_with(&encoding)?;
        line(name, way, &hash(&bytes));
        let back = Run::open_with(&bytes, &Limits::LARGEST, priors)?;
        let same = back == *run && sought(&bytes, run, priors)?;
        line(name, "comes back", &same.to_string());
    }
    Ok(())
}

fn encodings<'p>(run: &Run, priors: &'p Priors) -> Vec<(&'static str, Encoding<'p>)> {
    let plain = |level, seek| Encoding {
        level,
        seek,
        prior: None,
    };
    let mut ways = vec![
        ("L0", plain(Level::L0, Seek::Head)),
        ("L1", plain(Level::L1, Seek::Head)),
        ("L1 that runs on", plain(Level::L1, Seek::None)),
        ("L2", plain(Level::L2, Seek::Head)),
        ("L2 that runs on", plain(Level::L2, Seek::None)),
    ];
    let mut all = priors.values();
    let prior = all.find(|prior| Some(prior.schema()) == run.header.inputs.as_ref());
    if let Some(prior) = prior {
        let with_prior = Encoding {
            prior: Some(prior),
            ..plain(Level::L2, Seek::Head)
        };
        ways.push(("L2 from a prior", with_prior));
    }
    ways
}

/// Whether frames here and there, forwards and back, are found as they are.
fn sought(bytes: &[u8], run: &Run, priors: &Priors) -> Result<bool, Box<dyn Error>> {
    let mut reader = Reader::open_with(bytes, &Limits::LARGEST, priors)?;
    let mut frame = 0;
    for _ in 0..reader.frames().min(40) {
        frame = (frame * 31 + 7_919) % reader.frames();
        if reader.frame(frame)? != run.inputs.frame(frame) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn line(name: &str, what: &str, value: &str) {
    println!("{name}: {what} {value}");
}

fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..32].to_owned()
}

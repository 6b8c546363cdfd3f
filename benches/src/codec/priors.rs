//! Inputs of one half of a set with what the other half taught: our priors beside zstd's
//! dictionaries, over every layout.

use async_replay::{Encoding, Prior, Run, Seek};
use rayon::prelude::*;

use super::{
    Failure,
    corpus::{Inputs, Set},
    geometric_mean,
    layouts::Layout,
    ours,
    squeeze::ZSTD_LEVEL,
    table::{Output, Table},
};
use crate::Figure;

/// Sizes of dictionaries that are tried, in bytes; the best of a layout counts.
const DICTIONARY_BYTES: [usize; 4] = [4 << 10, 16 << 10, 64 << 10, 256 << 10];

/// What a set takes with what its other half taught, all files together. Neither a prior nor a
/// dictionary counts: both are sent once.
#[derive(Debug)]
pub struct Measured {
    name: String,
    player_minutes: f64,
    /// Bytes of both our priors.
    priors: usize,
    with: usize,
    without: usize,
    rivals: Vec<(Layout, usize)>,
}

impl Measured {
    fn best(&self, usual: bool) -> Option<(Layout, usize)> {
        let rivals = self.rivals.iter().copied();
        let rivals = rivals.filter(|(layout, _)| !usual || layout.is_usual());
        rivals.min_by_key(|(_, bytes)| *bytes)
    }

    #[allow(clippy::cast_precision_loss, reason = "a corpus fits in memory")]
    fn ratio(&self, usual: bool) -> f64 {
        let best = self.best(usual).map_or(0, |(_, bytes)| bytes);
        self.with as f64 / best as f64
    }

    #[allow(clippy::cast_precision_loss, reason = "a corpus fits in memory")]
    fn per_minute(&self, bytes: usize) -> f64 {
        bytes as f64 / self.player_minutes
    }
}

/// The files of a set in two halves, each the lessons of the other.
fn halves(set: &Set<Inputs>) -> [[Vec<&Inputs>; 2]; 2] {
    let half = |first| set.files.iter().skip(first).step_by(2).collect::<Vec<_>>();
    [[half(0), half(1)], [half(1), half(0)]]
}

/// Measures a set.
///
/// # Errors
/// A coder that fails, or loses something.
pub fn measure(set: &Set<Inputs>) -> Result<Measured, Failure> {
    let mut measured = Measured {
        name: set.name.clone(),
        player_minutes: set.player_minutes(),
        priors: 0,
        with: 0,
        without: 0,
        rivals: Layout::ALL.map(|layout| (layout, 0)).to_vec(),
    };
    for [lessons, files] in halves(set) {
        let prior = train(&lessons)?;
        measured.priors += prior.bytes().len();
        measured.with += ours(&files, Some(&prior))?;
        measured.without += ours(&files, None)?;
        let rivals = measured.rivals.par_iter_mut();
        rivals.try_for_each(|(layout, sum)| {
            *sum += with_dictionary(*layout, &lessons, &files)?;
            Ok(())
        })?;
    }
    Ok(measured)
}

fn train(lessons: &[&Inputs]) -> Result<Prior, Failure> {
    let runs: Vec<Run> = lessons
        .iter()
        .map(|it| ours::run(it))
        .collect::<Result<_, _>>()?;
    Prior::train(&runs).map_err(|error| Failure::Ours("a prior".into(), error))
}

/// Bytes of the INPUTS chunks, framing and the prior's name included.
fn ours(files: &[&Inputs], prior: Option<&Prior>) -> Result<usize, Failure> {
    let encoding = Encoding {
        seek: Seek::None,
        prior,
        ..Encoding::default()
    };
    let bytes = |file: &&Inputs| {
        let bytes = ours::bytes(&file.name, &ours::run(file)?, &encoding)?;
        Ok(bytes.inputs)
    };
    files.par_iter().map(bytes).sum()
}

/// zstd-19 with the best of the dictionaries that its own trainer makes, or none if that is best.
fn with_dictionary(
    layout: Layout,
    lessons: &[&Inputs],
    files: &[&Inputs],
) -> Result<usize, Failure> {
    let lay = |file: &&Inputs| layout.lay(&file.records, file.shape);
    let samples: Vec<Vec<u8>> = lessons.iter().map(lay).collect();
    let laid: Vec<Vec<u8>> = files.iter().map(lay).collect();
    let mut best = zstd_bytes(&laid, &[])?;
    for bytes in DICTIONARY_BYTES {
        // The trainer refuses sizes that the samples cannot fill.
        if let Ok(dictionary) = zstd::dict::from_samples(&samples, bytes) {
            best = best.min(zstd_bytes(&laid, &dictionary)?);
        }
    }
    Ok(best)
}

fn zstd_bytes(laid: &[Vec<u8>], dictionary: &[u8]) -> Result<usize, Failure> {
    let failed = |error: std::io::Error| Failure::Rival("zstd".into(), error.to_string());
    let mut small =
        zstd::bulk::Compressor::with_dictionary(ZSTD_LEVEL, dictionary).map_err(failed)?;
    let mut large = zstd::bulk::Decompressor::with_dictionary(dictionary).map_err(failed)?;
    let mut sum = 0;
    for bytes in laid {
        let compressed = small.compress(bytes).map_err(failed)?;
        if large.decompress(&compressed, bytes.len()).map_err(failed)? != *bytes {
            return Err(Failure::Differs("zstd".into(), "a dictionary".into()));
        }
        sum += compressed.len();
    }
    Ok(sum)
}

/// Prints the table and its figures.
///
/// # Errors
/// When the output is closed.
pub fn print(sets: &[Measured], output: Output) -> Result<(), Failure> {
    output.text("Inputs with what the other half of their set taught, bytes per player-minute;")?;
    output.text("ours with framing and the name of the prior.\n")?;
    output.text(&table(sets).to_string())?;
    let mean = |usual| {
        let ratios: Vec<f64> = sets.iter().map(|set| set.ratio(usual)).collect();
        geometric_mean(&ratios)
    };
    let figure = Figure::new("inputs_prior_ratio_geomean", mean(false), "ratio")
        .against("each set's best zstd dictionary", 1.0)
        .noted(format!("{:.3} with split runs left out", mean(true)));
    output.figure(&figure)?;
    output.text("")
}

fn table(sets: &[Measured]) -> Table {
    let row = |name: String, cell: &dyn Fn(&Measured) -> String| -> Vec<String> {
        std::iter::once(name).chain(sets.iter().map(cell)).collect()
    };
    let mut table = Table::new(row(String::new(), &|set| set.name.clone()));
    for (place, layout) in Layout::ALL.iter().enumerate() {
        table.row(row(
            format!("{}, zstd-19, dictionary", layout.name()),
            &|set| {
                let bytes = set.rivals[place].1;
                let best = set.best(false).is_some_and(|(best, _)| best == *layout);
                let mark = if best { "* " } else { "" };
                format!("{mark}{:.1}", set.per_minute(bytes))
            },
        ));
    }
    table.line();
    table.row(row("ours, no prior".into(), &|set| {
        format!("{:.1}", set.per_minute(set.without))
    }));
    table.row(row("ours, with a prior".into(), &|set| {
        format!("{:.1}", set.per_minute(set.with))
    }));
    table.row(row("  of the best dictionary".into(), &|set| {
        format!("{:.3}", set.ratio(false))
    }));
    table.row(row("  of the best, split runs left out".into(), &|set| {
        format!("{:.3}", set.ratio(true))
    }));
    table.row(row("  bytes of a prior".into(), &|set| {
        (set.priors / 2).to_string()
    }));
    table
}

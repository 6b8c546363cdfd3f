//! Inputs: bytes per player-minute, ours and each rival's.

use rayon::prelude::*;

use super::{
    Failure,
    corpus::{Inputs, Set},
    geometric_mean,
    ours::{self, Bytes},
    rivals::Rival,
    table::{Output, Table},
};
use crate::Figure;

/// What a set takes, all files together.
#[derive(Debug)]
pub struct Measured {
    name: String,
    files: usize,
    player_minutes: f64,
    raw: usize,
    rivals: Vec<(Rival, usize)>,
    ours: Bytes,
}

impl Measured {
    /// Bytes per player-minute.
    #[allow(clippy::cast_precision_loss, reason = "a corpus fits in memory")]
    fn per_minute(&self, bytes: usize) -> f64 {
        bytes as f64 / self.player_minutes
    }

    /// The smallest rival, chosen for this set now that all are known.
    fn best(&self) -> Option<(Rival, usize)> {
        self.rivals.iter().copied().min_by_key(|(_, bytes)| *bytes)
    }

    fn of(&self, wanted: Rival) -> Option<usize> {
        let found = self.rivals.iter().find(|(rival, _)| *rival == wanted);
        found.map(|(_, bytes)| *bytes)
    }

    #[allow(clippy::cast_precision_loss, reason = "a corpus fits in memory")]
    fn ratio(&self, rival: Option<usize>) -> f64 {
        self.ours.inputs as f64 / rival.unwrap_or(0) as f64
    }
}

/// Measures a set: every file by every coder, two at a time.
///
/// # Errors
/// A coder that fails, or loses something.
pub fn measure(set: &Set<Inputs>) -> Result<Measured, Failure> {
    let rivals = Rival::all().into_par_iter().map(|rival| {
        let files = set.files.par_iter().map(|file| rival.bytes(file));
        Ok((rival, files.sum::<Result<usize, Failure>>()?))
    });
    let rivals = rivals.collect::<Result<Vec<_>, Failure>>()?;
    let mut sum = Bytes::default();
    for file in &set.files {
        let bytes = ours::bytes(&file.name, &ours::run(file)?, async_replay::Run::encode)?;
        sum.inputs += bytes.inputs;
        sum.file += bytes.file;
    }
    Ok(Measured {
        name: set.name.clone(),
        files: set.files.len(),
        player_minutes: set.player_minutes(),
        raw: set.files.iter().map(|file| file.records.len()).sum(),
        rivals,
        ours: sum,
    })
}

/// Prints the table and its figures.
///
/// # Errors
/// When the output is closed.
pub fn print(sets: &[Measured], output: Output) -> Result<(), Failure> {
    output.text("Inputs, bytes per player-minute. Each file on its own, decoded and compared;")?;
    output.text("* the best rival of a set, with hindsight.\n")?;
    output.text(&table(sets).to_string())?;
    output.figures(&figures(sets))?;
    output.text("")
}

fn table(sets: &[Measured]) -> Table {
    let row = |name: &str, cell: &dyn Fn(&Measured) -> String| -> Vec<String> {
        std::iter::once(name.to_owned())
            .chain(sets.iter().map(cell))
            .collect()
    };
    let mut table = Table::new(row("", &|set| set.name.clone()));
    table.row(row("files", &|set| set.files.to_string()));
    table.row(row("player-minutes", &|set| {
        format!("{:.1}", set.player_minutes)
    }));
    table.line();
    table.row(row("raw records", &|set| whole(set.per_minute(set.raw))));
    for rival in Rival::all() {
        table.row(row(&rival.name(), &|set| {
            let bytes = set.of(rival).unwrap_or(0);
            let best = set.best().is_some_and(|(best, _)| best == rival);
            let mark = if best { "* " } else { "" };
            format!("{mark}{}", whole(set.per_minute(bytes)))
        }));
    }
    table.line();
    table.row(row("ours, the INPUTS chunks", &|set| {
        whole(set.per_minute(set.ours.inputs))
    }));
    table.row(row("ours, the whole file", &|set| {
        whole(set.per_minute(set.ours.file))
    }));
    table.row(row("chunks : best rival", &|set| {
        format!("{:.3}", set.ratio(set.best().map(|(_, bytes)| bytes)))
    }));
    table
}

fn figures(sets: &[Measured]) -> Vec<Figure> {
    let mean = |rival: &dyn Fn(&Measured) -> Option<usize>| {
        let ratios: Vec<f64> = sets.iter().map(|set| set.ratio(rival(set))).collect();
        geometric_mean(&ratios)
    };
    let best = mean(&|set| set.best().map(|(_, bytes)| bytes));
    let mut figures = vec![
        Figure::new("inputs_ratio_geomean", best, "ratio").against("each set's best rival", 1.0),
    ];
    for set in sets {
        let name = format!("inputs_{}_bytes_per_min", set.name);
        let figure = Figure::new(name, set.per_minute(set.ours.inputs), "B/min");
        figures.push(match set.best() {
            Some((rival, bytes)) => figure.against(rival.name(), set.per_minute(bytes)),
            None => figure,
        });
    }
    let ggrs = mean(&|set| set.of(Rival::Ggrs));
    figures.push(
        Figure::new("inputs_vs_ggrs_ratio", ggrs, "ratio")
            .against("GGRS 0.13's input payloads", 1.0)
            .noted(format!("1 : {:.1}", 1.0 / ggrs)),
    );
    figures
}

/// A whole number with commas.
pub(super) fn whole(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

//! Inputs: bytes per player-minute, ours and each rival's.

use async_replay::{Encoding, Seek};
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
    /// In one go, as every rival codes it.
    ours: Bytes,
    /// As files are by default: any frame is found without decoding all before it.
    seekable: Bytes,
}

/// Bytes of one way of ours.
type Ours = fn(&Measured) -> usize;

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

    fn best_bytes(&self) -> Option<usize> {
        self.best().map(|(_, bytes)| bytes)
    }

    /// The smallest of those that people use.
    fn best_usual_bytes(&self) -> Option<usize> {
        let usual = self.rivals.iter().filter(|(rival, _)| rival.is_usual());
        usual.map(|(_, bytes)| *bytes).min()
    }

    fn of(&self, wanted: Rival) -> Option<usize> {
        let found = self.rivals.iter().find(|(rival, _)| *rival == wanted);
        found.map(|(_, bytes)| *bytes)
    }

    #[allow(clippy::cast_precision_loss, reason = "a corpus fits in memory")]
    fn ratio(&self, ours: usize, rival: Option<usize>) -> f64 {
        ours as f64 / rival.unwrap_or(0) as f64
    }
}

impl Measured {
    /// The ways of ours beside the best rival.
    fn figures(&self) -> Vec<Figure> {
        let ways = [
            ("", self.ours.inputs),
            ("payload_", self.ours.payload),
            ("seekable_", self.seekable.inputs),
        ];
        let figure = |(way, ours): (&str, usize)| {
            let name = format!("inputs_{}_{way}bytes_per_min", self.name);
            let figure = Figure::new(name, self.per_minute(ours), "B/min");
            match self.best() {
                Some((rival, bytes)) => figure.against(rival.name(), self.per_minute(bytes)),
                None => figure,
            }
        };
        ways.into_iter().map(figure).collect()
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
    let ours = |seek| {
        let encoding = Encoding {
            seek,
            ..Encoding::default()
        };
        ours::set_bytes(set, &encoding)
    };
    Ok(Measured {
        name: set.name.clone(),
        files: set.files.len(),
        player_minutes: set.player_minutes(),
        raw: set.files.iter().map(|file| file.records.len()).sum(),
        rivals,
        ours: ours(Seek::None)?,
        seekable: ours(Seek::Head)?,
    })
}

/// Prints the table and its figures.
///
/// # Errors
/// When the output is closed.
pub fn print(sets: &[Measured], output: Output) -> Result<(), Failure> {
    output.text("Inputs, bytes per player-minute. Each file on its own, decoded and compared;")?;
    output.text(
        "ours with the framing and checksums of its chunks unless said; * the best rival of",
    )?;
    output.text("a set, with hindsight.\n")?;
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
    let ours: [(&str, Ours); 3] = [
        ("ours, in one go, the bytes alone", |set| set.ours.payload),
        ("ours, in one go", |set| set.ours.inputs),
        ("ours, seekable (the default)", |set| set.seekable.inputs),
    ];
    for (name, ours) in ours {
        table.row(row(name, &|set| {
            format!("{:.1}", set.per_minute(ours(set)))
        }));
        table.row(row("  of the best rival", &|set| {
            format!("{:.3}", set.ratio(ours(set), set.best_bytes()))
        }));
        table.row(row("  of the best, split runs left out", &|set| {
            format!("{:.3}", set.ratio(ours(set), set.best_usual_bytes()))
        }));
    }
    table.row(row("  with the rest of the file", &|set| {
        whole(set.per_minute(set.seekable.file))
    }));
    table
}

fn figures(sets: &[Measured]) -> Vec<Figure> {
    let mean = |ours: Ours, rival: &dyn Fn(&Measured) -> Option<usize>| {
        let ratio = |set: &Measured| set.ratio(ours(set), rival(set));
        geometric_mean(&sets.iter().map(ratio).collect::<Vec<_>>())
    };
    let against_best = |name: &str, ours| {
        let usual = mean(ours, &Measured::best_usual_bytes);
        Figure::new(name, mean(ours, &Measured::best_bytes), "ratio")
            .against("each set's best rival", 1.0)
            .noted(format!("{usual:.3} with split runs left out"))
    };
    let mut figures = vec![
        against_best("inputs_ratio_geomean", |set| set.ours.inputs),
        against_best("inputs_payload_ratio_geomean", |set| set.ours.payload),
        against_best("inputs_seekable_ratio_geomean", |set| set.seekable.inputs),
    ];
    figures.extend(sets.iter().flat_map(Measured::figures));
    let ggrs = mean(|set| set.ours.inputs, &|set| set.of(Rival::Ggrs));
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

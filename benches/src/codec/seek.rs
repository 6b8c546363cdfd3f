//! What it costs that any frame can be found, and how long finding one takes.

use async_core::Input;
use async_replay::{Encoding, Limits, Reader, Run, Seek};

use super::{
    Failure,
    corpus::{Inputs, Set},
    ours,
    table::{Output, Table},
};
use crate::{Figure, best_of};

/// Runs shorter than this are found whole.
const LONG_MINUTES: f64 = 2.0;
/// A long run of many.
const MADE_FRAMES: usize = 36_000;
/// Frames that are asked for, each by a reader that was just opened.
const PLACES: u32 = 24;

/// A name, the number of runs, and the bytes of their INPUTS chunks in one go and seekable.
type Row = (String, usize, usize, usize);

/// Measures all sets, and long runs put together from the first of them; prints the table and its
/// figures.
///
/// # Errors
/// A codec that fails or gives other inputs than were recorded; a closed output.
pub fn run(sets: &[Set<Inputs>], output: Output) -> Result<(), Failure> {
    let mut rows = Vec::new();
    for set in sets {
        let long = set
            .files
            .iter()
            .filter(|file| file.minutes() > LONG_MINUTES);
        let runs = long.map(ours::run).collect::<Result<Vec<_>, _>>()?;
        rows.push(measured(&set.name, &runs)?);
    }
    let mut figures: Vec<Figure> = rows.iter().map(overhead).collect();
    if let Some(set) = sets.first() {
        for players in [1, 8] {
            let made = put_together(set, players)?;
            let name = format!("{} of 10 minutes, {players} players", set.name);
            rows.push(measured(&name, std::slice::from_ref(&made))?);
            figures.extend(seeks(&made, players)?);
        }
    }
    output
        .text("Seekable against in one go: bytes of INPUTS chunks, of runs over two minutes.\n")?;
    output.text(&table(&rows).to_string())?;
    output.figures(&figures)?;
    output.text("")
}

fn measured(name: &str, runs: &[Run]) -> Result<Row, Failure> {
    let bytes = |seek| {
        let encoding = Encoding {
            seek,
            ..Encoding::default()
        };
        let each = runs.iter().map(|run| ours::bytes(name, run, &encoding));
        each.map(|bytes| Ok(bytes?.inputs))
            .sum::<Result<usize, Failure>>()
    };
    Ok((
        name.to_owned(),
        runs.len(),
        bytes(Seek::None)?,
        bytes(Seek::Head)?,
    ))
}

#[allow(clippy::cast_precision_loss, reason = "a corpus fits in memory")]
fn ratio((_, _, at_once, seekable): &Row) -> f64 {
    *seekable as f64 / (*at_once).max(1) as f64
}

fn overhead(row: &Row) -> Figure {
    let name = format!("seek_overhead_{}_ratio", row.0);
    Figure::new(name, ratio(row), "ratio").against("the same in one go", 1.0)
}

fn table(rows: &[Row]) -> Table {
    let mut table = Table::new(["", "runs", "in one go", "seekable", "more"]);
    for row in rows {
        let (name, runs, at_once, seekable) = row;
        let more = format!("{:.1} %", 100.0 * (ratio(row) - 1.0));
        let cells = [
            name.clone(),
            runs.to_string(),
            at_once.to_string(),
            seekable.to_string(),
            more,
        ];
        table.row(cells);
    }
    table
}

/// Ten minutes of so many players, each made of recordings of the set behind each other.
fn put_together(set: &Set<Inputs>, players: usize) -> Result<Run, Failure> {
    let recorded: Vec<&[Input]> = set
        .files
        .iter()
        .map(|file| &file.parsed.inputs[..])
        .collect();
    let mut flat = vec![Input::default(); MADE_FRAMES * players];
    for player in 0..players {
        // Everyone starts with another recording.
        let from = recorded
            .iter()
            .cycle()
            .skip(player * recorded.len() / players);
        let played = from.flat_map(|inputs| inputs.iter());
        let slots = flat.iter_mut().skip(player).step_by(players);
        slots.zip(played).for_each(|(slot, input)| *slot = *input);
    }
    let mut run = ours::run(&set.files[0])?;
    run.header.players = players as u8;
    run.header.frames_max = MADE_FRAMES as u32;
    run.end.frames = MADE_FRAMES as u32;
    run.inputs = async_replay::Inputs::new(players as u8, flat)
        .map_err(|error| Failure::Ours("a long run".into(), error))?;
    Ok(run)
}

/// The time to open the file and find a frame: the slowest of many, each at its best.
fn seeks(run: &Run, players: usize) -> Result<[Figure; 2], Failure> {
    let bytes = ours::encoded("a long run", run, &Encoding::default())?;
    let limits = Limits::LARGEST;
    let found = |frame: u32| -> Result<Vec<Input>, async_replay::Error> {
        Ok(Reader::open(&bytes, &limits)?.frame(frame)?.to_vec())
    };
    let mut milliseconds = Vec::new();
    for place in 0..PLACES {
        let frame = (place + 1) * run.end.frames / PLACES - 1;
        let inputs = found(frame).map_err(|error| Failure::Ours("a long run".into(), error))?;
        if inputs != run.inputs.frame(frame) {
            return Err(Failure::Differs(
                "our reader".into(),
                format!("frame {frame}"),
            ));
        }
        let time = best_of(5, || drop(std::hint::black_box(found(frame))));
        milliseconds.push(time.as_secs_f64() * 1e3);
    }
    let whole = best_of(5, || drop(std::hint::black_box(Run::open(&bytes, &limits))));
    let worst = milliseconds.iter().copied().fold(0.0, f64::max);
    #[allow(clippy::cast_precision_loss, reason = "a few dozen")]
    let mean = milliseconds.iter().sum::<f64>() / milliseconds.len() as f64;
    let name = |what: &str| format!("seek_{players}p_10min_{what}ms");
    let whole = whole.as_secs_f64() * 1e3;
    Ok([
        Figure::new(name(""), worst, "ms").against("decoding all of it", whole),
        Figure::new(name("mean_"), mean, "ms").against("decoding all of it", whole),
    ])
}

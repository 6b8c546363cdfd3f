//! How fast inputs are coded and decoded, in player-frames per second of one core's time.

use async_core::Input;
use async_replay::{Encoding, Level, Limits, Reader, Run, Seek};

use super::{
    Failure,
    corpus::{Inputs, Set},
    layouts::Layout,
    ours,
    squeeze::Squeeze,
    table::{Output, Table},
};
use crate::{Figure, best_of};

/// Times that a whole set is taken, of which the best counts.
const RUNS: u32 = 5;

/// One set's speeds, in player-frames per second.
struct Speeds {
    name: String,
    encode: f64,
    decode_l1: f64,
    decode_l2: f64,
    rival_encode: f64,
    rival_decode: f64,
}

/// Measures each set beside zstd-19 over columns; prints the table and its figures.
///
/// # Errors
/// A coder that fails or loses something; a closed output.
pub fn run(sets: &[Set<Inputs>], output: Output) -> Result<(), Failure> {
    let speeds: Vec<Speeds> = sets.iter().map(measure).collect::<Result<_, _>>()?;
    output.text("Speed, million player-frames per second of one core, whole files.\n")?;
    let mut table = Table::new([
        "",
        "encode L2",
        "decode L2",
        "decode L1",
        "zstd-19",
        "unzstd",
    ]);
    let mut figures = Vec::new();
    for set in &speeds {
        let cells = [
            set.encode,
            set.decode_l2,
            set.decode_l1,
            set.rival_encode,
            set.rival_decode,
        ];
        let cells = cells.map(|speed| format!("{:.2}", speed / 1e6));
        table.row(std::iter::once(set.name.clone()).chain(cells));
        let ours = [
            ("encode_l2", set.encode, set.rival_encode),
            ("decode_l2", set.decode_l2, set.rival_decode),
            ("decode_l1", set.decode_l1, set.rival_decode),
        ];
        figures.extend(ours.map(|(what, speed, rival)| {
            let name = format!("{what}_{}_frames_per_s", set.name);
            Figure::new(name, speed, "1/s").against("zstd-19 of columns", rival)
        }));
    }
    output.text(&table.to_string())?;
    output.figures(&figures)?;
    output.text("")
}

fn measure(set: &Set<Inputs>) -> Result<Speeds, Failure> {
    let runs: Vec<Run> = set.files.iter().map(ours::run).collect::<Result<_, _>>()?;
    #[allow(clippy::cast_precision_loss, reason = "a corpus fits in memory")]
    let inputs = runs
        .iter()
        .map(|run| run.inputs.flat().len())
        .sum::<usize>() as f64;
    let per_second = |work: &mut dyn FnMut()| inputs / best_of(RUNS, work).as_secs_f64();
    let encoding = |level| Encoding {
        level,
        seek: Seek::None,
        prior: None,
    };
    let files = |level| -> Result<Vec<Vec<u8>>, Failure> {
        let encoding = encoding(level);
        runs.iter()
            .map(|run| ours::encoded(&set.name, run, &encoding))
            .collect()
    };
    let decoded = |level| -> Result<f64, Failure> {
        let files = files(level)?;
        Ok(per_second(&mut || {
            files.iter().for_each(|file| decode(file))
        }))
    };
    let (decode_l1, decode_l2) = (decoded(Level::L1)?, decoded(Level::L2)?);
    let laid: Vec<Vec<u8>> = set.files.iter().map(lay).collect();
    let small: Vec<Vec<u8>> = laid
        .iter()
        .map(|it| Squeeze::Zstd19.compress(it))
        .collect::<Result<_, _>>()?;
    Ok(Speeds {
        name: set.name.clone(),
        encode: per_second(&mut || {
            runs.iter()
                .for_each(|run| encode(run, &encoding(Level::L2)))
        }),
        decode_l1,
        decode_l2,
        rival_encode: per_second(&mut || {
            laid.iter()
                .for_each(|it| drop(std::hint::black_box(Squeeze::Zstd19.compress(it))));
        }),
        rival_decode: per_second(&mut || {
            for (small, laid) in small.iter().zip(&laid) {
                let _ = std::hint::black_box(Squeeze::Zstd19.decompress(small, laid.len()));
            }
        }),
    })
}

fn lay(file: &Inputs) -> Vec<u8> {
    Layout::Columns.lay(&file.records, file.shape)
}

fn encode(run: &Run, encoding: &Encoding<'_>) {
    let _ = std::hint::black_box(run.encode_with(encoding));
}

/// All inputs of a file, which was read before.
fn decode(file: &[u8]) {
    let last = Reader::open(file, &Limits::LARGEST).and_then(|mut reader| {
        let last = reader.frames().saturating_sub(1);
        reader.frame(last).map(<[Input]>::to_vec)
    });
    let _ = std::hint::black_box(last);
}

//! Samples: bytes per track-minute at ten a second, ours and each rival's, and how far off what was
//! stored is.

use async_replay::{
    Encoding, End, EndReason, Header, Inputs, Precision, Rotation, Run, Sample, SampleSchema,
    corpus::Pose,
};
use rayon::prelude::*;

use super::{
    Failure,
    corpus::{Samples, Set},
    numbers, ours,
    squeeze::Squeeze,
    table::{Output, Table},
};
use crate::Figure;

/// Samples per second.
const RATE_HZ: f32 = 10.0;
const PRECISIONS: [Precision; 3] = [Precision::Fine, Precision::Default, Precision::Tiny];
/// Parts of a quaternion that a rival stores, in steps for 1, within the same bound as ours.
const RIVAL_STEPS: [f64; 3] = [1_200.0, 240.0, 120.0];
/// How often a rival takes differences before it is squeezed.
const DIFFERENCES: [usize; 2] = [1, 2];

/// A set at one precision.
struct Measured {
    set: String,
    precision: Precision,
    minutes: f64,
    ours: usize,
    /// A name and bytes.
    rivals: Vec<(String, usize)>,
    /// The furthest that anything stored is from what was recorded.
    metres: f64,
    degrees: f64,
}

/// Measures all sets at all precisions; prints the table and its figures.
///
/// # Errors
/// A coder that fails or loses something, a sample beyond its bound, a closed output.
pub fn run(sets: &[Set<Samples>], output: Output) -> Result<(), Failure> {
    let mut all = Vec::new();
    for set in sets {
        for precision in PRECISIONS {
            all.push(measure(set, precision)?);
        }
    }
    output.text("Samples, bytes per track-minute at 10 a second; every one within its bound.\n")?;
    let headings = [
        "",
        "best rival",
        "is",
        "ours",
        "of it",
        "furthest off",
        "and turned",
    ];
    let mut table = Table::new(headings);
    let mut figures = Vec::new();
    for measured in &all {
        let (rival, bytes) = measured.best();
        let [ours, theirs] = [measured.ours, bytes].map(|bytes| measured.per_minute(bytes));
        let word = format!("{:?}", measured.precision).to_lowercase();
        table.row([
            format!("{} {word}", measured.set),
            format!("{theirs:.0}"),
            rival.clone(),
            format!("{ours:.0}"),
            format!("{:.3}", ours / theirs),
            format!("{:.2} mm", measured.metres * 1e3),
            format!("{:.3}°", measured.degrees),
        ]);
        let name = format!("samples_{}_{word}_bytes_per_min", measured.set);
        figures.push(Figure::new(name, ours, "B/min").against(rival, theirs));
    }
    output.text(&table.to_string())?;
    output.figures(&figures)?;
    output.text("")
}

impl Measured {
    fn best(&self) -> (String, usize) {
        let best = self.rivals.iter().min_by_key(|(_, bytes)| *bytes);
        best.cloned().unwrap_or_default()
    }

    #[allow(clippy::cast_precision_loss, reason = "a corpus fits in memory")]
    fn per_minute(&self, bytes: usize) -> f64 {
        bytes as f64 / self.minutes
    }
}

fn measure(set: &Set<Samples>, precision: Precision) -> Result<Measured, Failure> {
    let mut measured = Measured {
        set: set.name.clone(),
        precision,
        minutes: set.files.iter().map(minutes).sum(),
        ours: 0,
        rivals: rivals(set, precision)?,
        metres: 0.0,
        degrees: 0.0,
    };
    for file in &set.files {
        let run = sampled(file, precision)?;
        measured.ours += ours::bytes(&file.name, &run, &Encoding::default())?.samples;
        let (metres, degrees) = furthest(file, &run, precision);
        measured.metres = measured.metres.max(metres);
        measured.degrees = measured.degrees.max(degrees);
    }
    // Half a step, and what is lost far from the origin, where an f32 of the file is coarse itself.
    let bound = f64::from(precision.step_mm()) / 2_000.0 + 1e-6;
    if measured.metres > bound || measured.degrees > precision.rotation_tolerance_degrees() {
        return Err(Failure::Differs("our grid".into(), set.name.clone()));
    }
    Ok(measured)
}

/// Every how many ticks a sample is taken.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "1 to 60"
)]
fn every(file: &Samples) -> usize {
    (file.parsed.hz / RATE_HZ).round().max(1.0) as usize
}

#[allow(clippy::cast_precision_loss, reason = "at most an hour of ticks")]
fn minutes(file: &Samples) -> f64 {
    let ticks: usize = file.parsed.tracks.iter().map(|track| track.len() - 1).sum();
    ticks as f64 / f64::from(file.parsed.hz) / 60.0
}

/// The recording as an engine's game would record it, a tick for a frame.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "ticks and rates of a file that was parsed"
)]
fn sampled(file: &Samples, precision: Precision) -> Result<Run, Failure> {
    let failed = |error| Failure::Ours(file.name.clone(), error);
    let tracks = file
        .parsed
        .samples(precision, every(file))
        .map_err(failed)?;
    let ticks = file.parsed.tracks.iter().map(Vec::len).max().unwrap_or(1);
    let rate = async_core::FrameRate::hz(file.parsed.hz.round() as u32)
        .map_err(|error| Failure::Rival("our frame rate".into(), error.to_string()))?;
    let mut header = Header::new("bench", 0, rate);
    header.frames_max = ticks as u32 - 1;
    header.samples = Some(SampleSchema {
        rate_hz: 10,
        tracks: file.parsed.schema(),
        precision,
    });
    Ok(Run {
        end: End {
            frames: header.frames_max,
            score: 0,
            reason: EndReason::Finished,
            digest: 0,
        },
        header,
        inputs: Inputs::none(1),
        tracks,
        marks: Vec::new(),
        pauses: Vec::new(),
        checkpoints: Vec::new(),
        signature: None,
        unknown_chunks: 0,
    })
}

/// How far the samples are from the poses, in metres along an axis and in degrees.
fn furthest(file: &Samples, run: &Run, precision: Precision) -> (f64, f64) {
    let mut most = (0.0_f64, 0.0_f64);
    for (poses, samples) in file.parsed.tracks.iter().zip(&run.tracks) {
        for sample in samples {
            let pose = &poses[sample.frame as usize];
            most.0 = most.0.max(metres_off(sample, pose, precision));
            most.1 = most.1.max(degrees_off(sample, pose));
        }
    }
    most
}

fn metres_off(sample: &Sample, pose: &Pose, precision: Precision) -> f64 {
    let off = |axis: usize| {
        let steps = f64::from(sample.position[axis]) * f64::from(precision.step_mm());
        (steps / 1_000.0 - f64::from(pose.position[axis])).abs()
    };
    [0, 1, 2].map(off).into_iter().fold(0.0, f64::max)
}

/// The angle between two rotations, by the part of the way from one to the other that turns.
fn degrees_off(sample: &Sample, pose: &Pose) -> f64 {
    let (Rotation::Quaternion(stored), Some(wanted)) = (sample.rotation, pose.rotation) else {
        return 0.0;
    };
    let [ax, ay, az, aw] = stored.map(f64::from);
    let [bx, by, bz, bw] = wanted.map(f64::from);
    let x = aw * bx - ax * bw - ay * bz + az * by;
    let y = aw * by + ax * bz - ay * bw - az * bx;
    let z = aw * bz - ax * by + ay * bx - az * bw;
    let w = aw * bw + ax * bx + ay * by + az * bz;
    let turned = (x * x + y * y + z * z).sqrt();
    2.0 * turned.atan2(w.abs()).to_degrees()
}

/// Every rival's bytes: columns of whole numbers within the same bounds, as differences or
/// differences of differences in varints, squeezed; and pco over the numbers.
fn rivals(set: &Set<Samples>, precision: Precision) -> Result<Vec<(String, usize)>, Failure> {
    let columns = set.files.iter().map(|file| columns(file, precision));
    let columns: Vec<Vec<Vec<i32>>> = columns.collect::<Result<_, _>>()?;
    let mut rivals = Vec::new();
    for times in DIFFERENCES {
        for squeeze in Squeeze::ALL {
            let bytes = columns.par_iter().map(|it| squeezed(it, times, squeeze));
            let bytes = bytes.sum::<Result<usize, Failure>>()?;
            let name = format!("{times} × differences, {}", squeeze.name());
            rivals.push((name, bytes));
        }
    }
    let pco = |file: &Vec<Vec<i32>>| {
        let columns = file.iter();
        let bytes = columns.map(|it| numbers::column(it.iter().copied(), &set.name));
        bytes.sum::<Result<usize, Failure>>()
    };
    let bytes = columns.par_iter().map(pco);
    rivals.push(("pco".into(), bytes.sum::<Result<usize, Failure>>()?));
    Ok(rivals)
}

/// Positions on our grid, and rotations as the three smallest parts and which is the largest.
fn columns(file: &Samples, precision: Precision) -> Result<Vec<Vec<i32>>, Failure> {
    let place = PRECISIONS.iter().position(|it| *it == precision);
    let steps = RIVAL_STEPS[place.unwrap_or(0)];
    let tracks = file.parsed.samples(precision, every(file));
    let tracks = tracks.map_err(|error| Failure::Ours(file.name.clone(), error))?;
    let mut columns: Vec<Vec<i32>> = Vec::new();
    for (samples, poses) in tracks.iter().zip(&file.parsed.tracks) {
        let positions = |axis: usize| samples.iter().map(|it| it.position[axis]).collect();
        columns.extend((0..3).map(positions));
        let taken = samples.iter();
        let taken = taken.filter_map(|it| poses[it.frame as usize].rotation);
        let smallest: Vec<[i32; 4]> = taken.map(|it| smallest_three(it, steps)).collect();
        if !smallest.is_empty() {
            columns.extend((0..4).map(|part| smallest.iter().map(|it| it[part]).collect()));
        }
    }
    Ok(columns)
}

/// Which part is the largest, and the others in their order, as many steps as they have.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "within the steps for 1"
)]
fn smallest_three(rotation: [f32; 4], steps: f64) -> [i32; 4] {
    let wide = rotation.map(f64::from);
    let length = wide.iter().map(|part| part * part).sum::<f64>().sqrt();
    let by_size = |a: &usize, b: &usize| wide[*a].abs().total_cmp(&wide[*b].abs());
    let largest = (0..4).max_by(by_size).unwrap_or(3);
    let scale = steps / length.max(1e-9) * wide[largest].signum();
    let mut out = [largest as i32, 0, 0, 0];
    let rest = (0..4).filter(|part| *part != largest);
    for (place, part) in rest.enumerate() {
        out[1 + place] = (wide[part] * scale).round() as i32;
    }
    out
}

fn squeezed(columns: &[Vec<i32>], times: usize, squeeze: Squeeze) -> Result<usize, Failure> {
    let mut bytes = Vec::new();
    for column in columns {
        let mut values: Vec<i64> = column.iter().map(|it| i64::from(*it)).collect();
        for _ in 0..times {
            let before: Vec<i64> = std::iter::once(0).chain(values.iter().copied()).collect();
            let pairs = values.iter().zip(before);
            values = pairs.map(|(value, before)| value - before).collect();
        }
        values
            .iter()
            .for_each(|value| put_signed(&mut bytes, *value));
    }
    let small = squeeze.compress(&bytes)?;
    if squeeze.decompress(&small, bytes.len())? != bytes {
        return Err(Failure::Differs(squeeze.name().into(), "samples".into()));
    }
    Ok(small.len())
}

/// A varint of the zigzag.
#[allow(
    clippy::cast_sign_loss,
    clippy::cast_possible_truncation,
    reason = "that is the coding"
)]
fn put_signed(bytes: &mut Vec<u8>, value: i64) {
    let mut rest = ((value << 1) ^ (value >> 63)) as u64;
    while rest >= 0x80 {
        bytes.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(rest as u8);
}

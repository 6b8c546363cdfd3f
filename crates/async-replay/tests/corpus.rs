//! Recordings of human play, each through the mapping and the format. The folder comes by
//! `GF_CORPUS`; without it the tests say that they are skipped, except on a build server.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::panic,
    reason = "tests"
)]

mod made;

use std::path::{Path, PathBuf};

use async_replay::{
    Checkpoint, End, EndReason, Header, Inputs, Limits, Precision, Rotation, Run, Sample,
    SampleSchema, chunk_sizes,
    corpus::{InputRecording, Pose, SampleRecording, to_arena},
};

fn files(kind: &str) -> Vec<PathBuf> {
    let Some(folder) = std::env::var_os("GF_CORPUS") else {
        assert!(
            std::env::var("CI").as_deref() != Ok("true"),
            "GF_CORPUS must be set here"
        );
        eprintln!("skipped: GF_CORPUS is not set, no recordings of {kind}");
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = std::fs::read_dir(Path::new(&folder).join(kind))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no recordings of {kind} in {folder:?}");
    files
}

#[test]
fn every_input_recording_survives_the_format() {
    let mut idle = 0;
    let mut sums = std::collections::BTreeMap::<String, (usize, f64)>::new();
    let all = files("inputs");
    for path in &all {
        let recording = InputRecording::parse(&std::fs::read(path).unwrap()).unwrap();
        let run = arena_run(&recording);
        let bytes = run.encode().unwrap();
        assert_eq!(
            Run::open(&bytes, &Limits::default()).as_ref(),
            Ok(&run),
            "{path:?}"
        );
        let finished = made::record(&run).finish(run.end, None).unwrap();
        assert_eq!(
            (&finished.bytes, finished.id),
            (&bytes, run.id()),
            "{path:?}"
        );
        idle += usize::from(run.input_changes() == 0);

        let set = path.file_name().unwrap().to_string_lossy();
        let set = set.split('-').next().unwrap().to_owned();
        let minutes = run.header.rate.milliseconds(run.end.frames) as f64 / 60_000.0;
        let sum = sums.entry(set).or_default();
        sum.0 += bytes.len();
        sum.1 += minutes * f64::from(run.header.players);
    }
    assert!(idle * 10 <= all.len(), "{idle} recordings of nobody");
    for (set, (bytes, minutes)) in sums {
        eprintln!(
            "{set}: {:.0} bytes per player-minute",
            bytes as f64 / minutes
        );
    }
}

/// The arena run that a recording drives, without a simulation: digests are made up.
fn arena_run(recording: &InputRecording) -> Run {
    let inputs = Inputs::new(recording.players, to_arena(recording).unwrap()).unwrap();
    let frames = inputs.frames();
    Run {
        header: Header {
            players: recording.players,
            rate: recording.rate,
            frames_max: frames,
            ..made::plain_header()
        },
        inputs,
        tracks: Vec::new(),
        marks: Vec::new(),
        pauses: Vec::new(),
        checkpoints: (1..=frames / 600)
            .map(|it| Checkpoint::of(it * 600, it.into()))
            .collect(),
        end: End {
            frames,
            score: 0,
            reason: EndReason::Finished,
            digest: 1,
        },
        signature: None,
        unknown_chunks: 0,
    }
}

/// What is recorded ten times a second stays within its tolerance, the true rotation included.
#[test]
fn every_sample_recording_survives_the_format_within_its_tolerance() {
    let mut sums = std::collections::BTreeMap::<String, SampleSum>::new();
    for path in files("samples") {
        let recording = SampleRecording::parse(&std::fs::read(&path).unwrap()).unwrap();
        let every = (recording.hz / 10.0) as usize;
        for precision in [Precision::Fine, Precision::Default, Precision::Tiny] {
            let run = sampled_run(&recording, precision, every);
            let bytes = run.encode().unwrap();
            let back = Run::open(&bytes, &Limits::LARGEST).unwrap();
            assert_eq!(back, run, "{path:?}");
            for (poses, samples) in recording.tracks.iter().zip(&back.tracks) {
                for sample in samples {
                    within_tolerance(sample, &poses[sample.frame as usize], precision);
                }
            }
            let set = path.file_name().unwrap().to_string_lossy();
            let set = format!("{} {precision:?}", set.split('-').next().unwrap());
            let sum = sums.entry(set).or_default();
            sum.bytes += sample_bytes(&bytes);
            sum.minutes += f64::from(run.end.frames) / f64::from(recording.hz) / 60.0
                * recording.tracks.len() as f64;
            sum.add_live(&run);
        }
    }
    for (set, sum) in sums {
        let each = sum.bytes as f64 / sum.minutes;
        let live = sum.live as f64 / sum.sealed.max(1) as f64;
        eprintln!("{set}: {each:.0} bytes of samples per track-minute, {live:.3} while recording");
        let most = match set.as_str() {
            "kart Default" => 1_650.0,
            "kart Fine" => 2_800.0,
            _ => f64::INFINITY,
        };
        assert!(each <= most, "{set}: {each} over {most}");
        assert!(
            live <= 1.125,
            "{set}: chunks of 10 seconds cost an eighth more"
        );
    }
}

/// What the samples of a set of recordings take.
#[derive(Default)]
struct SampleSum {
    bytes: usize,
    minutes: f64,
    /// In chunks of 10 seconds, up to the last whole one, and the same frames in a finished file.
    live: usize,
    sealed: usize,
}

impl SampleSum {
    fn add_live(&mut self, run: &Run) {
        let writer = made::record(run);
        let left = Run::recover(writer.bytes(), &Limits::LARGEST).unwrap();
        if left.whole_frames > 0 {
            let end = End {
                frames: left.whole_frames,
                ..run.end
            };
            self.live += sample_bytes(writer.bytes());
            self.sealed += sample_bytes(&left.into_run(end).unwrap().encode().unwrap());
        }
    }
}

/// Bytes of all chunks of samples, framing included.
fn sample_bytes(file: &[u8]) -> usize {
    let chunks = chunk_sizes(file, &Limits::LARGEST).unwrap();
    let samples = chunks.iter().filter(|chunk| chunk.kind == 3);
    samples.map(|chunk| chunk.bytes).sum()
}

fn within_tolerance(sample: &Sample, pose: &Pose, precision: Precision) {
    let (metres, degrees) = match precision {
        Precision::Fine => (0.001, 0.1),
        Precision::Default => (0.01, 0.5),
        Precision::Tiny => (0.025, 1.0),
    };
    for (exact, steps) in pose.position.iter().zip(sample.position) {
        let off = precision.position_to_metres(steps) - exact;
        // An f32 far from 0 has a grid of its own.
        assert!(
            off.abs() <= metres + exact.abs() * 1e-6,
            "{sample:?} {pose:?}"
        );
    }
    let (Some(exact), Rotation::Quaternion(steps)) = (pose.rotation, sample.rotation) else {
        return;
    };
    let (a, b) = (exact.map(f64::from), steps.map(f64::from));
    let dot = |a: [f64; 4], b: [f64; 4]| a.iter().zip(&b).map(|(a, b)| a * b).sum::<f64>();
    let squared = dot(a, b).powi(2) / dot(a, a) / dot(b, b);
    let off = 2.0 * (1.0 - squared).max(0.0).sqrt().asin().to_degrees();
    assert!(off <= degrees, "{off}: {sample:?} {pose:?}");
}

fn sampled_run(recording: &SampleRecording, precision: Precision, every: usize) -> Run {
    let tracks = recording.samples(precision, every).unwrap();
    let last = tracks[0].last().unwrap().frame;
    let schema = SampleSchema {
        rate_hz: 10,
        tracks: recording.schema(),
        precision,
    };
    let mut run = made::plain_run(1, 1);
    run.header.inputs = None;
    run.header.samples = Some(schema);
    run.header.frames_max = last;
    run.inputs = Inputs::none(1);
    run.tracks = tracks;
    run.end.frames = last;
    run
}

/// The mapping of `FORMAT.md`, one line each, on recordings made by hand.
#[test]
fn each_pad_maps_as_the_standard_says() {
    let one = |axes: u8, axis_bytes: u8, record: &[u8]| {
        let head = [1, 2, axes, axis_bytes];
        let bytes = [
            b"INP1",
            &1_u32.to_le_bytes()[..],
            &60_f32.to_le_bytes(),
            &head,
            record,
        ];
        to_arena(&InputRecording::parse(&bytes.concat()).unwrap()).unwrap()[0]
    };
    let pad = |buttons: u8| one(0, 1, &[buttons, 0]);
    assert_eq!(pad(0), made::input(0, [0; 4]));
    assert_eq!(pad(0b1000_0101), made::input(1, [127, 127, 0, 0]));
    assert_eq!(pad(0b0100_1010), made::input(2, [-127, -127, 0, 0]));
    assert_eq!(pad(0b0011_1111), made::input(0, [0; 4]));

    let kart =
        |buttons: [u8; 2], x: i8, y: i8| one(2, 1, &[buttons[0], buttons[1], x as u8, y as u8]);
    assert_eq!(kart([0b11, 0], 7, 7), made::input(3, [127, -127, 0, 0]));
    assert_eq!(
        kart([0b1100, 0b0001], -7, -1),
        made::input(0, [-127, 18, 0, -127])
    );
    assert_eq!(kart([0, 0b1010], 3, 0), made::input(0, [54, 0, 127, 127]));
    assert_eq!(
        kart([0, 0b0100], -128, 0),
        made::input(0, [-127, 0, -127, 0])
    );

    let sticks = |buttons: u16, axes: [i8; 6]| {
        one(
            6,
            1,
            &[
                buttons.to_le_bytes().to_vec(),
                axes.map(|axis| axis as u8).to_vec(),
            ]
            .concat(),
        )
    };
    assert_eq!(
        sticks(0, [80, 80, -80, -80, 127, 127]),
        made::input(0, [127, -127, -127, 127])
    );
    assert_eq!(
        sticks(1 << 4, [40, -1, 0, 0, 0, 0]),
        made::input(1, [63, 1, 0, 0])
    );
    assert_eq!(sticks(1 << 8 | 1 << 10, [0; 6]), made::input(3, [0; 4]));
    assert_eq!(sticks(1 << 12 | 0b1111, [0; 6]), made::input(0, [0; 4]));
}

#[test]
fn a_recording_that_lies_is_refused() {
    let file = |head: [u8; 4], hz: f32, record: &[u8]| {
        let bytes = [
            b"INP1",
            &1_u32.to_le_bytes()[..],
            &hz.to_le_bytes(),
            &head,
            record,
        ]
        .concat();
        InputRecording::parse(&bytes)
            .map(|_| ())
            .map_err(|error| error.code())
    };
    assert_eq!(file([1, 1, 0, 1], 60.0, &[0]), Ok(()));
    let refused = Err("bad_corpus");
    assert_eq!(file([1, 1, 0, 1], 60.0, &[]), refused);
    assert_eq!(file([1, 1, 0, 1], 60.0, &[0, 0]), refused);
    assert_eq!(file([0, 1, 0, 1], 60.0, &[]), refused);
    assert_eq!(file([9, 1, 0, 1], 60.0, &[0; 9]), refused);
    assert_eq!(file([1, 5, 0, 1], 60.0, &[0; 5]), refused);
    assert_eq!(file([1, 1, 9, 1], 60.0, &[0; 10]), refused);
    assert_eq!(file([1, 1, 0, 3], 60.0, &[0]), refused);
    assert_eq!(file([1, 1, 0, 1], f32::NAN, &[0]), refused);
    assert_eq!(file([1, 1, 0, 1], 1e9, &[0]), refused);
    assert_eq!(
        InputRecording::parse(b"INP2").unwrap_err().code(),
        "bad_corpus"
    );
    let huge = [
        b"INP1",
        &u32::MAX.to_le_bytes()[..],
        &60_f32.to_le_bytes(),
        &[8, 4, 8, 2],
    ];
    assert_eq!(
        InputRecording::parse(&huge.concat()).unwrap_err().code(),
        "bad_corpus"
    );
    let huge = [
        b"SMP1",
        &u32::MAX.to_le_bytes()[..],
        &60_f32.to_le_bytes(),
        &[64, 1, 0, 0],
    ];
    assert_eq!(
        SampleRecording::parse(&huge.concat()).unwrap_err().code(),
        "bad_corpus"
    );
    let odd = [
        b"SMP1",
        &0_u32.to_le_bytes()[..],
        &60_f32.to_le_bytes(),
        &[1, 0, 0, 0],
    ];
    assert_eq!(
        SampleRecording::parse(&odd.concat()).unwrap_err().code(),
        "bad_corpus"
    );
    let bytes = [
        b"INP1",
        &1_u32.to_le_bytes()[..],
        &60_f32.to_le_bytes(),
        &[1, 1, 3, 1, 0, 0, 0, 0],
    ];
    let three_axes = InputRecording::parse(&bytes.concat()).unwrap();
    assert_eq!(to_arena(&three_axes).unwrap_err().code(), "bad_corpus");
}

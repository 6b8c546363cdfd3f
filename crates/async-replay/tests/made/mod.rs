//! Runs to test with: a small one with everything in it, and random ones.
#![allow(dead_code, reason = "each test file uses its own part of this")]
#![allow(clippy::unwrap_used, reason = "these helpers only serve tests")]

use async_core::{Axis, AxisBits, FrameRate, Input, InputSchema, OptionValue, Options};
use async_replay::{
    Checkpoint, Dimensions, End, EndReason, Header, Inputs, Mark, MarkKind, Opponent, Pause,
    PlayerId, Precision, Recovered, Rotation, RotationKind, Run, RunId, Sample, SampleSchema,
    TrackSchema, UnknownField,
};

pub(crate) mod forge;
pub(crate) mod random;

/// Two buttons and four sticks of 8 bits, like the arena's.
pub(crate) fn pad() -> InputSchema {
    let axis = |name: &str| Axis {
        name: name.into(),
        bits: AxisBits::Eight,
    };
    let axes = ["move_x", "move_y", "aim_x", "aim_y"].map(axis).to_vec();
    InputSchema::new(vec!["fire".into(), "dash".into()], axes).unwrap()
}

/// A header of one player at 60 Hz who records inputs.
pub(crate) fn plain_header() -> Header {
    let mut header = Header::new("arena", 1, FrameRate::hz(60).unwrap());
    header.inputs = Some(pad());
    header.frames_max = 36_000;
    header.seed = 7;
    header
}

/// A header with every field set.
pub(crate) fn full_header() -> Header {
    let options = Options::default();
    let options = options.with("laps", OptionValue::Int(-3)).unwrap();
    let options = options.with("mode", "race".into()).unwrap();
    let solid = TrackSchema {
        channels: vec!["hp".into()],
        ..TrackSchema::solid("car")
    };
    Header {
        build: "1.2".into(),
        options: options.with("wet", true.into()).unwrap(),
        content: Some([0xC0; 32]),
        mods: vec!["mod-a".into(), "b".into()],
        seed: (1 << 53) - 1,
        players: 2,
        slot: 1,
        player: Some(PlayerId([0x9A; 32])),
        player_name: "Ümit".into(),
        engine: "godot".into(),
        app: "app".into(),
        board: "board".into(),
        rate: FrameRate::new(600_988, 10_000).unwrap(),
        frames_max: 1_000,
        samples: Some(SampleSchema {
            rate_hz: 10,
            tracks: vec![TrackSchema::flat("body"), solid],
            precision: Precision::Fine,
        }),
        ticket: Some(vec![1, 2, 3]),
        opponent: Some(Opponent {
            run: RunId([0x0B; 16]),
            slot: 0,
        }),
        practice: true,
        unknown: vec![UnknownField {
            tag: 0x40,
            value: vec![9],
        }],
        ..plain_header()
    }
}

/// An input of the pad.
pub(crate) fn input(buttons: u32, axes: [i16; 4]) -> Input {
    let mut input = Input {
        buttons,
        ..Input::default()
    };
    input.axes[..4].copy_from_slice(&axes);
    input
}

/// A small run with everything in it: 602 frames of two players, two tracks, marks, a pause, a
/// checkpoint, a signature.
pub(crate) fn full_run() -> Run {
    let frames = 602;
    let at = |frame: u32| {
        let turn = (frame / 150) as i16;
        [
            input(frame / 300, [turn, -turn * 30, 0, 0]),
            input(3, [127, 0, turn, -128]),
        ]
    };
    let samples = |rotation: fn(i32) -> Rotation, z: i32| {
        let sample = |step: u32| Sample {
            frame: step * 300,
            position: [step as i32 * 1_000, -5, z],
            rotation: rotation(step as i32),
            channels: [z, 0, 0, 0, 0, 0, 0, 0],
            teleport: step == 1,
        };
        (0..3).map(sample).collect::<Vec<_>>()
    };
    Run {
        header: full_header(),
        inputs: Inputs::new(2, (0..frames).flat_map(at).collect()).unwrap(),
        tracks: vec![
            samples(|step| Rotation::Yaw(step * 300), 0),
            samples(|step| Rotation::Quaternion([step, -3, 0, 1_190]), 8),
        ],
        marks: vec![
            Mark {
                frame: 0,
                kind: MarkKind::Split,
                value: -1,
            },
            Mark {
                frame: 602,
                kind: MarkKind::Custom(255),
                value: i64::MAX,
            },
        ],
        pauses: vec![Pause {
            frame: 300,
            wall_ms: 2_500,
        }],
        checkpoints: vec![Checkpoint {
            frame: 600,
            digest: 0xDEAD_BEEF,
        }],
        end: End {
            frames,
            score: -42,
            reason: EndReason::Finished,
            digest: 0x0123_4567_89AB_CDEF,
        },
        signature: Some([0x51; 64]),
        unknown_chunks: 0,
    }
}

/// Ten minutes in which one player presses anything, four times a second: no chunk can guess much.
pub(crate) fn wild_run() -> Run {
    let mut run = plain_run(36_000, 1);
    let (mut state, mut held) = (1_u32, Input::default());
    for (frame, pressed) in run.inputs.flat_mut().iter_mut().enumerate() {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        if frame % 15 == 0 {
            held = input(
                state >> 30,
                [0, 4, 8, 12].map(|shift| i16::from((state >> shift) as i8)),
            );
        }
        *pressed = held;
    }
    run
}

/// A run of one player whose input changes every `hold` frames.
pub(crate) fn plain_run(frames: u32, hold: u32) -> Run {
    let at = |frame: u32| {
        let step = frame / hold;
        input(step % 4, [(step % 15) as i16 * 18 - 126, 0, 0, 0])
    };
    Run {
        header: Header {
            frames_max: frames.max(600),
            ..plain_header()
        },
        inputs: Inputs::new(1, (0..frames).map(at).collect()).unwrap(),
        tracks: Vec::new(),
        marks: Vec::new(),
        pauses: Vec::new(),
        checkpoints: (1..=frames / 600)
            .map(|n| Checkpoint::of(n * 600, u64::from(n)))
            .collect(),
        end: End {
            frames,
            score: 1_234,
            reason: EndReason::Finished,
            digest: 99,
        },
        signature: None,
        unknown_chunks: 0,
    }
}

/// Records a run frame by frame, as a game would.
pub(crate) fn record(run: &Run) -> async_replay::Writer {
    let mut writer = async_replay::Writer::new(run.header.clone()).unwrap();
    for frame in 0..=run.end.frames {
        for (track, samples) in run.tracks.iter().enumerate() {
            let now = samples.iter().filter(|sample| sample.frame == frame);
            now.for_each(|sample| writer.sample(track, sample).unwrap());
        }
        let marks = run.marks.iter().filter(|mark| mark.frame == frame);
        marks.for_each(|mark| writer.mark(*mark).unwrap());
        let pauses = run.pauses.iter().filter(|pause| pause.frame == frame);
        pauses.for_each(|pause| writer.pause(*pause).unwrap());
        let checkpoints = run
            .checkpoints
            .iter()
            .filter(|checkpoint| checkpoint.frame == frame);
        checkpoints.for_each(|checkpoint| writer.checkpoint(*checkpoint).unwrap());
        if frame < run.end.frames {
            writer.frame(run.inputs.frame(frame)).unwrap();
        }
    }
    writer
}

/// Asserts that what was recovered is the run up to its whole frames, with all that belongs there.
pub(crate) fn assert_prefix(left: &Recovered, run: &Run) {
    let whole = left.whole_frames;
    assert_eq!(left.header, run.header);
    let inputs = left.inputs.flat();
    assert_eq!(inputs, &run.inputs.flat()[..inputs.len()]);
    assert_eq!(
        left.inputs.frames(),
        if run.header.inputs.is_some() {
            whole
        } else {
            0
        }
    );
    assert_eq!(left.tracks.len(), run.tracks.len());
    for (left, all) in left.tracks.iter().zip(&run.tracks) {
        // A sample at the very seam may still have been waiting for its chunk.
        assert_eq!(left, &all[..left.len()]);
        assert!(all[left.len()..].iter().all(|sample| sample.frame >= whole));
    }
    let marks: Vec<Mark> = run
        .marks
        .iter()
        .copied()
        .filter(|it| it.frame <= whole)
        .collect();
    assert!(marks.starts_with(&left.marks));
    assert!(
        marks[left.marks.len()..]
            .iter()
            .all(|mark| mark.frame >= whole)
    );
    let pauses: Vec<Pause> = run
        .pauses
        .iter()
        .copied()
        .filter(|it| it.frame <= whole)
        .collect();
    assert!(pauses.starts_with(&left.pauses));
    let whole_checkpoints = (whole / 600).min(run.checkpoints.len() as u32) as usize;
    assert_eq!(left.checkpoints, run.checkpoints[..whole_checkpoints]);
}

/// A track in the plane with this rotation and these channels.
pub(crate) fn track(name: &str, rotation: RotationKind, channels: usize) -> TrackSchema {
    TrackSchema {
        name: name.into(),
        dimensions: Dimensions::Two,
        rotation,
        channels: (0..channels)
            .map(|index| format!("channel {index}"))
            .collect(),
    }
}

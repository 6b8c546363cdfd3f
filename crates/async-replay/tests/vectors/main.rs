//! The vectors that readers in other languages check themselves with: each file beside a text that
//! says what is in it. They are frozen: a change of these bytes is a change of the format.
//! `GF_WRITE_VECTORS=1` writes those that are missing.
#![allow(clippy::unwrap_used, reason = "tests")]

#[path = "../made/mod.rs"]
mod made;
mod tracks;

use std::path::PathBuf;
use std::sync::Arc;

use async_core::Input;
use async_replay::{
    Encoding, End, EndReason, Error, Header, Inputs, Level, Limits, MarkKind, Precision, Prior,
    Priors, Reader, Rotation, Run, Sample, Seek, chunk_sizes,
};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors/runs")
}

/// One button, one axis, six frames: small enough to read with a pencil.
fn pencil() -> Run {
    let mut header = Header::new("g", 1, async_core::FrameRate::hz(60).unwrap());
    let axis = async_core::Axis {
        name: "x".into(),
        bits: async_core::AxisBits::Eight,
    };
    header.inputs = async_core::InputSchema::new(vec!["a".into()], vec![axis]).ok();
    header.frames_max = 600;
    let at = |(buttons, x): (u32, i16)| made::input(buttons, [x, 0, 0, 0]);
    let flat: Vec<Input> = [(0, 0), (1, 0), (1, -3), (0, -3), (0, 127), (0, 127)]
        .map(at)
        .to_vec();
    Run {
        header,
        inputs: Inputs::new(1, flat).unwrap(),
        end: End {
            frames: 6,
            score: 5,
            reason: EndReason::Stopped,
            digest: 0x0102_0304_0506_0708,
        },
        ..made::plain_run(1, 1)
    }
}

/// Ten minutes of two players: many chunks, an index, and a group closed by its size.
fn long() -> Run {
    let mut run = made::plain_run(36_000, 5);
    let mut state = 1_u32;
    let mut flat = Vec::new();
    for frame in 0..36_000_u32 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let busy = if frame < 1_500 { state } else { frame / 50 };
        flat.push(made::input(
            (busy >> 8) & 3,
            [(busy >> 16) as i16 % 100, 0, 0, 0],
        ));
        flat.push(made::input(
            (frame / 900) & 1,
            [0, 0, 0, (frame / 700) as i16],
        ));
    }
    run.header.players = 2;
    run.inputs = Inputs::new(2, flat).unwrap();
    run
}

/// The same, with notes of the game in its header.
fn meta() -> Run {
    let mut run = pencil();
    let notes = [("car", "red"), ("note", "")];
    run.header.meta = notes.map(|(name, text)| (name.into(), text.into())).into();
    run
}

/// Everything a schema may have: 32 buttons and eight axes, of 8 and of 16 bits in turn.
fn wide() -> Run {
    let mut run = made::plain_run(120, 5);
    let axis = |number: u8| async_core::Axis {
        name: format!("x{number}"),
        bits: match number % 2 {
            0 => async_core::AxisBits::Eight,
            _ => async_core::AxisBits::Sixteen,
        },
    };
    let buttons = (0..32).map(|number| format!("b{number}")).collect();
    let axes = (0..8).map(axis).collect();
    run.header.inputs = async_core::InputSchema::new(buttons, axes).ok();
    run.header.players = 3;
    let mut state = 1_u32;
    let mut at = |frame: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let mut input = Input {
            buttons: if frame % 9 < 5 {
                0x8000_0001
            } else {
                state & state << 3
            },
            ..Input::default()
        };
        for (axis, value) in input.axes.iter_mut().enumerate() {
            let wide = (state.rotate_left(axis as u32) >> 16) as i16;
            *value = if axis % 2 == 0 { wide >> 8 } else { wide };
        }
        input
    };
    let frames = (0..360).map(|place| at(place / 3 / 4)).collect();
    run.inputs = Inputs::new(3, frames).unwrap();
    run
}

/// Eight players who do next to nothing for ten minutes: less than a byte for 512 inputs.
fn idle() -> Run {
    let mut run = made::plain_run(36_000, 36_000);
    run.header.players = 8;
    let mut flat = vec![Input::default(); 8 * 36_000];
    flat[8 * 20_000].buttons = 1;
    run.inputs = Inputs::new(8, flat).unwrap();
    run
}

/// Without a button, without an axis: a run of nothing but its length.
fn nothing() -> Run {
    let mut run = made::plain_run(90, 90);
    run.header.inputs = Some(async_core::InputSchema::default());
    run.inputs = Inputs::new(1, vec![Input::default(); 90]).unwrap();
    run
}

/// What a vector is written from, and how.
struct Vector {
    name: &'static str,
    run: Run,
    level: Level,
    seek: Seek,
    /// Whether it starts from the prior of these vectors.
    prior: bool,
}

fn vectors() -> Vec<Vector> {
    use Level::{L0, L1, L2};
    let all = [
        ("l0-meta", meta(), L0),
        ("l0-pencil", pencil(), L0),
        ("l0-everything", made::full_run(), L0),
        ("l0-long", long(), L0),
        ("l1-pencil", pencil(), L1),
        ("l1-everything", made::full_run(), L1),
        ("l1-wide", wide(), L1),
        ("l1-long", long(), L1),
        ("l1-runs-on", long(), L1),
        ("l2-pencil", pencil(), L2),
        ("l2-everything", made::full_run(), L2),
        ("l2-wide", wide(), L2),
        ("l2-nothing", nothing(), L2),
        ("l2-idle", idle(), L2),
        ("l2-long", long(), L2),
        ("l2-runs-on", long(), L2),
        ("l2-prior", made::plain_run(900, 4), L2),
        ("l2-prior-long", long(), L2),
        ("l2-prior-runs-on", long(), L2),
        ("s0-rare", tracks::rare(), L0),
        ("s1-flat", tracks::flat(), L0),
        ("s1-solid", tracks::solid(Precision::Default), L0),
        ("s1-solid-fine", tracks::solid(Precision::Fine), L0),
        ("s1-solid-tiny", tracks::solid(Precision::Tiny), L0),
        ("s1-tracks", tracks::many(), L0),
        ("s1-wild", tracks::wild(), L0),
        ("s1-long", tracks::long(), L0),
    ];
    let vector = |(name, run, level): (&'static str, Run, Level)| Vector {
        name,
        run,
        level,
        seek: match name.ends_with("runs-on") {
            true => Seek::None,
            false => Seek::Head,
        },
        prior: name.contains("prior"),
    };
    all.into_iter().map(vector).collect()
}

/// The prior of the vectors, frozen like them; trained on two runs of its own.
fn prior() -> Prior {
    let trained = Prior::train(&[made::plain_run(2_000, 7), made::plain_run(1_500, 3)]).unwrap();
    let file = folder().join("pad.prior");
    if std::env::var_os("GF_WRITE_VECTORS").is_some() && !file.exists() {
        std::fs::create_dir_all(folder()).unwrap();
        std::fs::write(&file, trained.bytes()).unwrap();
    }
    let bytes = std::fs::read(&file).unwrap();
    assert_eq!(trained.bytes(), bytes, "training is frozen too");
    Prior::open(&bytes, &Limits::default()).unwrap()
}

#[test]
fn every_vector_holds_what_its_text_says() {
    let prior = prior();
    let hash = prior.hash();
    for vector in vectors() {
        let Vector { name, run, .. } = &vector;
        let (file, text) = (
            folder().join(name).with_extension("run"),
            folder().join(name).with_extension("txt"),
        );
        let encoding = Encoding {
            level: vector.level,
            seek: vector.seek,
            prior: vector.prior.then_some(&prior),
        };
        let encoded = run.encode_with(&encoding).unwrap();
        if std::env::var_os("GF_WRITE_VECTORS").is_some() && !file.exists() {
            std::fs::write(&file, &encoded).unwrap();
            std::fs::write(&text, describe(run)).unwrap();
        }
        let bytes = std::fs::read(&file).unwrap();
        let mut priors = Priors::new();
        if vector.prior {
            let opened = Run::open(&bytes, &Limits::default());
            assert_eq!(opened.unwrap_err(), Error::MissingPrior { hash }, "{name}");
            priors.insert(hash, Arc::new(prior.clone()));
        }
        let opened = Run::open_with(&bytes, &Limits::default(), &priors).unwrap();
        let expected = std::fs::read_to_string(&text).unwrap();
        assert_eq!(describe(&opened), expected, "{name}");
        assert_eq!(opened, *run, "{name}");
        assert_eq!(encoded, bytes, "{name}: the writer's bytes are frozen too");
        if let Some(model) = name.strip_prefix('s') {
            let chunks = chunk_sizes(&bytes, &Limits::default()).unwrap();
            let models = chunks.iter().filter(|chunk| chunk.name == "samples");
            let mut models = models.map(|chunk| chunk.coding.unwrap().model);
            assert!(models.all(|it| it[1..] == model[..1]), "{name}");
        } else {
            every_frame_is_found(&bytes, run, &priors);
        }
    }
}

/// Frames here and there, forwards and back.
fn every_frame_is_found(bytes: &[u8], run: &Run, priors: &Priors) {
    let mut reader = Reader::open_with(bytes, &Limits::default(), priors).unwrap();
    assert_eq!(reader.frames(), run.end.frames);
    let mut frame = 0;
    for _ in 0..200 {
        frame = (frame * 31 + 7_919) % run.end.frames;
        let inputs = reader.frame(frame).unwrap();
        assert_eq!(inputs, run.inputs.frame(frame), "frame {frame}");
    }
}

/// Everything a reader should find, one fact a line; of a long run inputs and samples by their hash
/// alone.
fn describe(run: &Run) -> String {
    let mut lines = names(run);
    if run.end.frames < 1_000 {
        lines.extend(inputs(run));
    }
    if run.end.frames < 2_000 {
        lines.extend(samples(run));
    }
    lines.extend(run.marks.iter().map(|mark| {
        let kind = match mark.kind {
            MarkKind::Custom(index) => format!("custom {index}"),
            other => format!("{other:?}").to_lowercase(),
        };
        format!("mark {} {kind} {}", mark.frame, mark.value)
    }));
    let pauses = run.pauses.iter();
    lines.extend(pauses.map(|pause| format!("pause {} {}", pause.frame, pause.wall_ms)));
    let checkpoints = run.checkpoints.iter();
    lines.extend(checkpoints.map(|it| format!("checkpoint {} {:08x}", it.frame, it.digest)));
    let End {
        frames,
        score,
        reason,
        digest,
    } = run.end;
    let reason = format!("{reason:?}").to_lowercase();
    lines.push(format!("end {frames} {score} {reason} {digest:016x}"));
    lines.push(format!(
        "signature {}",
        run.signature.map_or("none".into(), |it| hex(&it))
    ));
    lines.join("\n") + "\n"
}

fn names(run: &Run) -> Vec<String> {
    let (hashes, header) = (run.hashes(), &run.header);
    let meta = header.meta.iter();
    let meta = meta.map(|(name, text)| format!("meta {name:?} {text:?}"));
    let lines = vec![
        format!("id {}", hashes.full.id()),
        format!("full_hash {}", hashes.full),
        format!("input_hash {}", hex(&hashes.input_hash)),
        format!("input_changes {}", hashes.input_changes),
        format!("ruleset {}", header.ruleset()),
        format!("game {} revision {}", header.game, header.revision),
        format!(
            "seed {} slot {} of {}",
            header.seed, header.slot, header.players
        ),
        format!("rate {}/{}", header.rate.numer(), header.rate.denom()),
    ];
    lines.into_iter().chain(meta).collect()
}

fn inputs(run: &Run) -> Vec<String> {
    let mut last = vec![Input::default(); run.inputs.players()];
    let mut lines = Vec::new();
    for (frame, inputs) in run.inputs.iter().enumerate() {
        for (slot, input) in inputs.iter().enumerate() {
            if last[slot] != *input {
                lines.push(format!(
                    "input {frame} {slot} {} {:?}",
                    input.buttons, input.axes
                ));
            }
            last[slot] = *input;
        }
    }
    lines
}

fn samples(run: &Run) -> Vec<String> {
    let line = |track: usize, sample: &Sample| {
        let rotation = match sample.rotation {
            Rotation::Yaw(yaw) => format!("{yaw}"),
            Rotation::Quaternion(parts) => format!("{parts:?}"),
        };
        let Sample {
            frame,
            position,
            channels,
            teleport,
            ..
        } = sample;
        let jump = if *teleport { " teleport" } else { "" };
        format!("sample {track} {frame} {position:?} {rotation} {channels:?}{jump}")
    };
    let tracks = run.tracks.iter().enumerate();
    tracks
        .flat_map(|(track, samples)| samples.iter().map(move |it| line(track, it)))
        .collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

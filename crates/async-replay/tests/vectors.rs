//! The vectors that readers in other languages check themselves with: each file beside a text that
//! says what is in it. They are frozen: a change of these bytes is a change of the format.
//! `GF_WRITE_VECTORS=1` writes those that are missing.
#![allow(clippy::unwrap_used, reason = "tests")]

mod made;

use std::{fmt::Write, path::PathBuf};

use async_core::Input;
use async_replay::{End, EndReason, Header, Inputs, Limits, MarkKind, Rotation, Run};

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
            busy >> 8 & 3,
            [(busy >> 16) as i16 % 100, 0, 0, 0],
        ));
        flat.push(made::input(
            frame / 900 & 1,
            [0, 0, 0, (frame / 700) as i16],
        ));
    }
    run.header.players = 2;
    run.inputs = Inputs::new(2, flat).unwrap();
    run
}

fn vectors() -> [(&'static str, Run); 3] {
    [
        ("l0-pencil", pencil()),
        ("l0-everything", made::full_run()),
        ("l0-long", long()),
    ]
}

#[test]
fn every_vector_holds_what_its_text_says() {
    for (name, run) in vectors() {
        let (file, text) = (
            folder().join(name).with_extension("run"),
            folder().join(name).with_extension("txt"),
        );
        if std::env::var_os("GF_WRITE_VECTORS").is_some() && !file.exists() {
            std::fs::create_dir_all(folder()).unwrap();
            std::fs::write(&file, run.encode().unwrap()).unwrap();
            std::fs::write(&text, describe(&run)).unwrap();
        }
        let bytes = std::fs::read(&file).unwrap();
        let opened = Run::open(&bytes, &Limits::default()).unwrap();
        let expected = std::fs::read_to_string(&text).unwrap();
        assert_eq!(describe(&opened), expected, "{name}");
        assert_eq!(opened, run, "{name}");
        assert_eq!(
            run.encode().unwrap(),
            bytes,
            "{name}: the writer's bytes are frozen too"
        );
    }
}

/// Everything a reader should find, one fact a line; the inputs of a long run by their hash alone.
fn describe(run: &Run) -> String {
    let mut out = String::new();
    let hashes = run.hashes();
    let hex = |bytes: &[u8]| {
        bytes
            .iter()
            .fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
    };
    let mut line = |text: String| writeln!(out, "{text}").unwrap();
    line(format!("id {}", hashes.full.id()));
    line(format!("full_hash {}", hashes.full));
    line(format!("input_hash {}", hex(&hashes.input_hash)));
    line(format!("input_changes {}", hashes.input_changes));
    line(format!("ruleset {}", run.header.ruleset()));
    line(format!(
        "game {} revision {}",
        run.header.game, run.header.revision
    ));
    line(format!(
        "seed {} slot {} of {}",
        run.header.seed, run.header.slot, run.header.players
    ));
    line(format!(
        "rate {}/{}",
        run.header.rate.numer(),
        run.header.rate.denom()
    ));
    let mut last = vec![Input::default(); run.inputs.players()];
    let listed = if run.end.frames < 1_000 {
        run.end.frames
    } else {
        0
    };
    for (frame, inputs) in run.inputs.iter().enumerate().take(listed as usize) {
        for (slot, input) in inputs
            .iter()
            .enumerate()
            .filter(|(slot, input)| last[*slot] != **input)
        {
            line(format!(
                "input {frame} {slot} {} {:?}",
                input.buttons, input.axes
            ));
        }
        last.copy_from_slice(inputs);
    }
    for (track, samples) in run.tracks.iter().enumerate() {
        for sample in samples {
            let rotation = match sample.rotation {
                Rotation::Yaw(yaw) => format!("{yaw}"),
                Rotation::Quaternion(parts) => format!("{parts:?}"),
            };
            let (frame, position, channels) = (sample.frame, sample.position, sample.channels);
            let teleport = if sample.teleport { " teleport" } else { "" };
            line(format!(
                "sample {track} {frame} {position:?} {rotation} {channels:?}{teleport}"
            ));
        }
    }
    for mark in &run.marks {
        let kind = match mark.kind {
            MarkKind::Split => "split".to_owned(),
            MarkKind::Lap => "lap".to_owned(),
            MarkKind::Respawn => "respawn".to_owned(),
            MarkKind::Custom(index) => format!("custom {index}"),
        };
        line(format!("mark {} {kind} {}", mark.frame, mark.value));
    }
    run.pauses
        .iter()
        .for_each(|pause| line(format!("pause {} {}", pause.frame, pause.wall_ms)));
    for checkpoint in &run.checkpoints {
        line(format!(
            "checkpoint {} {:08x}",
            checkpoint.frame, checkpoint.digest
        ));
    }
    let End {
        frames,
        score,
        reason,
        digest,
    } = run.end;
    let reason = format!("{reason:?}").to_lowercase();
    line(format!("end {frames} {score} {reason} {digest:016x}"));
    line(format!(
        "signature {}",
        run.signature.map_or("none".into(), |bytes| hex(&bytes))
    ));
    out
}

//! What is written is read again, in every layout, under the same name.
#![allow(clippy::unwrap_used, reason = "tests")]

mod made;

use async_replay::{Header, Limits, Precision, Run};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn a_run_survives_encoding(run in made::random::run()) {
        let bytes = run.encode().unwrap();
        prop_assert_eq!(&Run::open(&bytes, &Limits::LOCAL).unwrap(), &run);
        prop_assert_eq!(Run::open(&bytes, &Limits::LOCAL).unwrap().encode().unwrap(), bytes);
    }

    #[test]
    fn recording_frame_by_frame_gives_the_same_run(run in made::random::run()) {
        let writer = made::record(&run);
        let bound = writer.bytes_bound();
        let mut signer = |_: &_| run.signature.unwrap();
        let sign = run.signature.is_some().then_some(&mut signer as async_replay::Sign<'_>);
        let finished = writer.finish(run.end, sign).unwrap();
        prop_assert!(finished.bytes.len() <= bound, "{} > {bound}", finished.bytes.len());
        prop_assert_eq!(finished.full_hash, run.full_hash());
        prop_assert_eq!(&Run::open(&finished.bytes, &Limits::LOCAL).unwrap(), &run);
        // Of the two ways to cut a run into chunks, the one that came out smaller.
        let encoded = run.encode().unwrap();
        prop_assert!(finished.bytes.len() <= encoded.len(), "{}", encoded.len());
    }

    /// What a crash would leave is a prefix of the run, short of its end by 10 seconds and a frame
    /// at most.
    #[test]
    fn a_recording_in_progress_is_whole_up_to_its_last_chunk(run in made::random::run()) {
        let left = Run::recover(made::record(&run).bytes(), &Limits::LOCAL).unwrap();
        let rate = run.header.rate;
        let lost = run.end.frames - left.whole_frames;
        prop_assert!(u64::from(lost) <= u64::from(rate.numer() * 10 / rate.denom()) + 2, "{lost}");
        made::assert_prefix(&left, &run);
    }

    #[test]
    fn a_header_survives_encoding(header in made::random::header()) {
        let run = Run { header, ..one_frame() };
        let run = fitted(run);
        let bytes = run.encode().unwrap();
        let info = Run::info(&bytes, &Limits::default()).unwrap();
        prop_assert_eq!(&info.header, &run.header);
        prop_assert_eq!(info.header.ruleset(), run.header.ruleset());
    }

    #[test]
    fn positions_hold_their_tolerance(metres in -4_000.0_f32..4_000.0) {
        for (grid, tolerance) in grids() {
            let steps = grid.position_from_metres(metres).unwrap();
            let exact = f64::from(steps) * f64::from(grid.step_mm()) / 1000.0;
            prop_assert!((exact - f64::from(metres)).abs() <= tolerance.0 + 1e-9);
        }
    }

    #[test]
    fn rotations_hold_their_tolerance(raw in proptest::array::uniform4(-1.0_f32..1.0)) {
        prop_assume!(raw.iter().map(|part| part * part).sum::<f32>() > 0.01);
        for (grid, tolerance) in grids() {
            let back = grid.quaternion_to(grid.quaternion_from(raw).unwrap());
            prop_assert!(degrees_between(raw, back) <= tolerance.1, "{grid:?}");
            let yaw = raw[0] * 100.0;
            let back = grid.yaw_to_radians(grid.yaw_from_radians(yaw).unwrap());
            let off = f64::from(yaw) - f64::from(back);
            let off = off.rem_euclid(core::f64::consts::TAU).to_degrees();
            prop_assert!(off.min(360.0 - off) <= tolerance.1 + 1e-3, "{grid:?} {off}");
        }
    }
}

fn one_frame() -> Run {
    let mut run = made::plain_run(1, 1);
    run.header.frames_max = 1;
    run
}

/// The run with as many slots and tracks as its header says.
fn fitted(mut run: Run) -> Run {
    let slots = vec![async_core::Input::default(); usize::from(run.header.players)];
    let players = run.header.players;
    run.inputs = match run.header.inputs {
        Some(_) => async_replay::Inputs::new(players, slots).unwrap(),
        None => async_replay::Inputs::none(players),
    };
    run.tracks = vec![Vec::new(); run.header.samples.as_ref().map_or(0, |it| it.tracks.len())];
    run
}

/// Metres and degrees that each preset promises.
fn grids() -> [(Precision, (f64, f64)); 3] {
    [
        (Precision::Fine, (0.001, 0.1)),
        (Precision::Default, (0.01, 0.5)),
        (Precision::Tiny, (0.025, 1.0)),
    ]
}

fn degrees_between(a: [f32; 4], b: [f32; 4]) -> f64 {
    let (a, b) = (a.map(f64::from), b.map(f64::from));
    let length = |q: [f64; 4]| q.iter().map(|part| part * part).sum::<f64>().sqrt();
    let scale = 1.0 / (length(a) * length(b));
    let dot = a.iter().zip(&b).map(|(a, b)| a * b).sum::<f64>() * scale;
    // The cosine is flat near 1; the chord is not.
    let sign = dot.signum();
    let chord = a
        .iter()
        .zip(&b)
        .map(|(x, y)| x / length(a) - sign * y / length(b));
    4.0 * (chord.map(|part| part * part).sum::<f64>().sqrt() / 2.0)
        .asin()
        .to_degrees()
}

#[test]
fn what_is_not_a_number_is_not_on_the_grid() {
    let grid = Precision::Default;
    for bad in [f32::NAN, f32::INFINITY, -f32::INFINITY] {
        assert_eq!(
            grid.position_from_metres(bad).unwrap_err().code(),
            "bad_sample"
        );
        assert_eq!(grid.yaw_from_radians(bad).unwrap_err().code(), "bad_sample");
        assert_eq!(
            grid.quaternion_from([bad, 0.0, 0.0, 1.0])
                .unwrap_err()
                .code(),
            "bad_sample"
        );
    }
    assert_eq!(
        grid.quaternion_from([0.0; 4]).unwrap_err().code(),
        "bad_sample"
    );
    assert_eq!(
        grid.position_from_metres(1e30).unwrap_err().code(),
        "bad_sample"
    );
    assert_eq!(grid.yaw_from_radians(-1e-9), Ok(0));
}

/// Every field of the header, the inputs, the samples, marks, pauses, checkpoints and the end are
/// in the run's name; the signature is not.
#[test]
fn the_name_covers_everything_but_the_signature() {
    type Change = fn(&mut Run);
    let run = made::full_run();
    let changes: [(&str, Change); 29] = [
        ("game", |run| run.header.game.push('x')),
        ("revision", |run| run.header.revision += 1),
        ("build", |run| run.header.build.push('x')),
        ("options", |run| {
            run.header.options.insert("laps", 4_i64.into()).unwrap()
        }),
        ("content", |run| run.header.content = None),
        ("mods", |run| run.header.mods.swap(0, 1)),
        ("seed", |run| run.header.seed -= 1),
        ("players", |run| run.header.players += 1),
        ("slot", |run| run.header.slot = 0),
        ("player", |run| run.header.player = None),
        ("player_name", |run| run.header.player_name.clear()),
        ("engine", |run| run.header.engine.clear()),
        ("app", |run| run.header.app.clear()),
        ("board", |run| run.header.board.clear()),
        ("rate", |run| {
            run.header.rate = async_core::FrameRate::hz(60).unwrap()
        }),
        ("frames_max", |run| run.header.frames_max += 1),
        ("inputs schema", |run| {
            run.header.inputs.as_mut().unwrap().buttons.swap(0, 1)
        }),
        ("samples schema", |run| {
            run.header.samples.as_mut().unwrap().rate_hz += 1
        }),
        ("ticket", |run| run.header.ticket = None),
        ("opponent", |run| run.header.opponent = None),
        ("practice", |run| run.header.practice = false),
        ("unknown", |run| run.header.unknown.clear()),
        ("input", |run| run.inputs.flat_mut()[1_203].buttons ^= 1),
        ("sample", |run| run.tracks[1][2].channels[0] += 1),
        ("mark", |run| run.marks[0].value += 1),
        ("pause", |run| run.pauses[0].wall_ms += 1),
        ("checkpoint", |run| run.checkpoints[0].digest ^= 1),
        ("score", |run| run.end.score += 1),
        ("digest", |run| run.end.digest += 1),
    ];
    let mut seen = vec![run.id()];
    for (what, change) in changes {
        let mut other = run.clone();
        change(&mut other);
        assert!(!seen.contains(&other.id()), "{what}");
        seen.push(other.id());
    }
    let unsigned = Run {
        signature: None,
        ..run.clone()
    };
    assert_eq!(unsigned.id(), run.id());
}

#[test]
fn the_input_hash_knows_the_play_but_not_the_player() {
    let run = made::full_run();
    let thief = Header {
        player: None,
        player_name: "thief".into(),
        ..run.header.clone()
    };
    let stolen = Run {
        header: thief,
        signature: None,
        ..run.clone()
    };
    assert_eq!(stolen.input_hash(), run.input_hash());
    assert_ne!(stolen.id(), run.id());
    let elsewhere = Header {
        board: "other".into(),
        ..run.header.clone()
    };
    assert_ne!(
        Run {
            header: elsewhere,
            ..run.clone()
        }
        .input_hash(),
        run.input_hash()
    );
    let mut played = run.clone();
    played.inputs.flat_mut()[7].buttons ^= 1;
    assert_ne!(played.input_hash(), run.input_hash());
}

#[test]
fn only_the_recording_players_changes_count() {
    // Slot 1 turns at frames 0, 150, 300, 450 and 600.
    assert_eq!(made::full_run().input_changes(), 5);
    assert_eq!(made::plain_run(100, 10).input_changes(), 10);
}

#[test]
fn meta_is_kept_and_hashed_and_its_absence_is_nothing() {
    let plain = made::plain_run(6, 2);
    let mut noted = plain.clone();
    noted.header.meta = [
        ("car".into(), "red \u{1f697}".into()),
        ("empty".into(), String::new()),
    ]
    .into();
    let bytes = noted.encode().unwrap();
    let opened = Run::open(&bytes, &Limits::default()).unwrap();
    assert_eq!(opened, noted);
    assert_eq!(opened.encode().unwrap(), bytes);
    assert_ne!(noted.id(), plain.id());
    noted.header.meta.insert("car".into(), "rex".into());
    assert_ne!(
        Run::open(&bytes, &Limits::default()).unwrap().id(),
        noted.id()
    );
    noted.header.meta.clear();
    assert_eq!(noted.encode().unwrap(), plain.encode().unwrap());
}

#[test]
fn meta_is_small() {
    let with = |entries: &[(String, String)]| {
        let mut header = made::plain_header();
        header.meta = entries.iter().cloned().collect();
        header.check().map_err(|error| error.code())
    };
    let many = |count: usize| -> Vec<(String, String)> {
        (0..count)
            .map(|n| (format!("k{n:02}"), "v".into()))
            .collect()
    };
    let one = |name: usize, text: usize| [("n".repeat(name), "t".repeat(text))];
    // Two length bytes, two more for a length over 127: 3 x 292 + 148 = 1,024.
    let whole = |last: usize| -> Vec<(String, String)> {
        (0..3)
            .map(|n| (format!("{n}{}", "n".repeat(31)), "t".repeat(256)))
            .chain([("z".into(), "t".repeat(last))])
            .collect()
    };
    assert_eq!(with(&many(16)), Ok(()));
    assert_eq!(with(&many(17)), Err("bad_header"));
    assert_eq!(with(&one(32, 256)), Ok(()));
    assert_eq!(with(&one(33, 1)), Err("bad_header"));
    assert_eq!(with(&one(0, 1)), Err("bad_header"));
    assert_eq!(with(&one(1, 257)), Err("bad_header"));
    assert_eq!(with(&whole(147)), Ok(()));
    assert_eq!(with(&whole(148)), Err("bad_header"));
}

#[test]
fn a_ruleset_is_what_makes_runs_comparable() {
    let header = made::full_header();
    let same = [
        Header {
            player_name: String::new(),
            ..header.clone()
        },
        Header {
            seed: 1,
            ..header.clone()
        },
        Header {
            build: "other".into(),
            ..header.clone()
        },
        Header {
            board: "other".into(),
            app: String::new(),
            ..header.clone()
        },
        Header {
            meta: [("car".into(), "red".into())].into(),
            ..header.clone()
        },
    ];
    assert!(same.iter().all(|other| other.ruleset() == header.ruleset()));
    let other = [
        Header {
            slot: 0,
            ..header.clone()
        },
        Header {
            revision: 2,
            ..header.clone()
        },
        Header {
            mods: vec![],
            ..header.clone()
        },
        Header {
            content: None,
            ..header.clone()
        },
        Header {
            options: Default::default(),
            ..header.clone()
        },
        Header {
            rate: async_core::FrameRate::hz(10).unwrap(),
            ..header.clone()
        },
    ];
    assert!(
        other
            .iter()
            .all(|other| other.ruleset() != header.ruleset())
    );
    let engine = Header {
        revision: 0,
        ..header
    };
    let rebuilt = Header {
        build: "other".into(),
        ..engine.clone()
    };
    assert_ne!(engine.ruleset(), rebuilt.ruleset());
}

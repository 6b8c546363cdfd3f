//! Every way to code inputs gives the same run back, whole and frame by frame.
#![allow(clippy::unwrap_used, reason = "tests")]

mod made;

use std::sync::Arc;

use async_core::Input;
use async_replay::{
    Encoding, InputCosts, Inputs, Level, Limits, PRIOR_INPUTS_MAX, Prior, Priors, Reader, Run, Seek,
};
use proptest::prelude::*;

const LEVELS: [Level; 4] = [Level::Auto, Level::L0, Level::L1, Level::L2];

/// Every level with every seek mode.
fn encodings<'p>() -> impl Iterator<Item = Encoding<'p>> {
    let with = |level| [Seek::Head, Seek::None].map(|seek| (level, seek));
    LEVELS
        .into_iter()
        .flat_map(with)
        .map(|(level, seek)| Encoding {
            level,
            seek,
            prior: None,
        })
}

/// Opens what was written, whole and by frames in an order that goes back and forth.
fn assert_comes_back(run: &Run, bytes: &[u8], priors: &Priors, step: u32) {
    let opened = Run::open_with(bytes, &Limits::LOCAL, priors).unwrap();
    assert_eq!(opened, *run);
    let mut reader = Reader::open_with(bytes, &Limits::LOCAL, priors).unwrap();
    assert_eq!(reader.header(), &run.header);
    assert_eq!(reader.frames(), run.inputs.frames());
    let (mut frame, frames) = (0, run.inputs.frames());
    for _ in 0..frames.min(150) {
        assert_eq!(reader.frame(frame).unwrap(), run.inputs.frame(frame));
        frame = (frame + step) % frames;
    }
    assert_eq!(reader.frame(frames).unwrap_err().code(), "limit");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_level_and_seek_mode_gives_the_run_back(run in made::random::run(), step: u32) {
        for encoding in encodings() {
            let bytes = run.encode_with(&encoding).unwrap();
            assert_comes_back(&run, &bytes, &Priors::new(), step);
        }
    }

    #[test]
    fn a_prior_gives_the_run_back(run in made::random::run(), lesson in made::random::run()) {
        prop_assume!(run.header.inputs.is_some());
        let mut lesson = Run { header: run.header.clone(), ..lesson };
        lesson.inputs = run.inputs.clone();
        let trained = Prior::train(&[fitted(lesson)]).unwrap();
        let prior = Prior::open(trained.bytes(), &Limits::default()).unwrap();
        prop_assert_eq!(prior.hash(), trained.hash());
        prop_assert_eq!(prior.schema(), trained.schema());
        let priors = Priors::from([(prior.hash(), Arc::new(trained))]);
        for seek in [Seek::Head, Seek::None] {
            let encoding = Encoding { level: Level::L2, seek, prior: Some(&prior) };
            let bytes = run.encode_with(&encoding).unwrap();
            assert_comes_back(&run, &bytes, &priors, 7);
            let opened = Run::open(&bytes, &Limits::LOCAL);
            prop_assert_eq!(opened.unwrap_err().code(), "missing_prior");
            let opened = Reader::open(&bytes, &Limits::LOCAL);
            prop_assert_eq!(opened.unwrap_err().code(), "missing_prior");
        }
    }
}

/// A run of nothing but a header, inputs and an end that goes with them.
fn fitted(run: Run) -> Run {
    let frames = run.inputs.frames();
    let mut header = run.header;
    header.samples = None;
    header.frames_max = header.frames_max.max(frames);
    Run {
        header,
        tracks: Vec::new(),
        marks: Vec::new(),
        pauses: Vec::new(),
        checkpoints: Vec::new(),
        end: async_replay::End { frames, ..run.end },
        ..run
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// Long enough that there are segments behind the head, of every kind of play.
    #[test]
    fn frames_behind_the_head_are_found(players in 1_u8..=8, hold in 1_u32..400, state: u32) {
        let run = long_run(players, 70_000 / u32::from(players), hold, state);
        for encoding in encodings() {
            let bytes = run.encode_with(&encoding).unwrap();
            assert_comes_back(&run, &bytes, &Priors::new(), 9_973);
        }
        let recorded = made::record(&run).finish(run.end, None).unwrap();
        assert_comes_back(&run, &recorded.bytes, &Priors::new(), 9_973);
    }
}

/// A run of so many players who each change something every `hold` frames or so.
fn long_run(players: u8, frames: u32, hold: u32, mut state: u32) -> Run {
    let mut held = vec![Input::default(); usize::from(players)];
    let mut flat = Vec::new();
    for _ in 0..frames {
        for input in &mut held {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            if (state >> 8).is_multiple_of(hold) {
                let axis = |shift: u32| i16::from((state >> shift) as i8);
                *input = made::input(state >> 30, [axis(16), 0, axis(20) / 8, 0]);
            }
        }
        flat.extend_from_slice(&held);
    }
    let mut run = made::plain_run(1, 1);
    run.header.players = players;
    run.inputs = Inputs::new(players, flat).unwrap();
    fitted(run)
}

#[test]
fn nothing_happening_costs_next_to_nothing() {
    for players in [1, 8] {
        let run = long_run(players, 36_000, u32::MAX, 0);
        for encoding in encodings().filter(|encoding| encoding.level != Level::L0) {
            let bytes = run.encode_with(&encoding).unwrap();
            assert_comes_back(&run, &bytes, &Priors::new(), 101);
            // A byte answers at most 256 questions, here one for each input.
            let least = run.inputs.flat().len() / 256;
            assert!(
                bytes.len() <= 100 + 2 * least,
                "{encoding:?}: {}",
                bytes.len()
            );
        }
    }
}

#[test]
fn the_level_goes_by_the_content() {
    let size = |run: &Run, level| {
        let encoding = Encoding {
            level,
            ..Encoding::default()
        };
        run.encode_with(&encoding).unwrap().len()
    };
    for run in [made::plain_run(1, 1), made::full_run(), made::wild_run()] {
        let [auto, l0, l1, l2] = LEVELS.map(|level| size(&run, level));
        assert_eq!(auto, l0.min(l2), "l0 {l0}, l1 {l1}, l2 {l2}");
    }
    let play = long_run(1, 20_000, 40, 3);
    assert!(size(&play, Level::L2) < size(&play, Level::L1));
    assert!(size(&play, Level::L1) < size(&play, Level::L0));
}

#[test]
fn a_prior_helps_runs_like_those_it_has_seen() {
    let prior = Prior::train(&[long_run(1, 20_000, 30, 1)]).unwrap();
    let run = long_run(1, 900, 30, 2);
    let with = Encoding {
        level: Level::L2,
        prior: Some(&prior),
        ..Encoding::default()
    };
    let with = run.encode_with(&with).unwrap().len();
    let without = run.encode().unwrap().len();
    // The eight bytes of the prior's name included.
    assert!(with + 12 < without, "{with} of {without}");
}

#[test]
fn costs_are_what_the_columns_take() {
    let run = made::wild_run();
    let trained = Prior::train(std::slice::from_ref(&run)).unwrap();
    let taken = |prior| {
        let encoding = Encoding {
            level: Level::L2,
            seek: Seek::None,
            prior,
        };
        let bytes = run.encode_with(&encoding).unwrap();
        let chunks = async_replay::chunk_sizes(&bytes, &Limits::default()).unwrap();
        let inputs = chunks.iter().filter(|chunk| chunk.name == "inputs");
        inputs.map(|chunk| chunk.bytes).sum::<usize>() as f64
    };
    let mut counted = Vec::new();
    for prior in [None, Some(&trained)] {
        let costs = InputCosts::of(&run, prior).unwrap();
        let bits = costs.when + costs.buttons + costs.axes.iter().sum::<u64>();
        let (taken, bytes) = (taken(prior), bits as f64 / 8.0);
        assert!((taken / bytes - 1.0).abs() < 0.01, "{taken} of {bytes}");
        // Four axes that go anywhere cost about as much each, and more than two buttons.
        assert!(costs.axes.iter().all(|axis| *axis > costs.buttons));
        counted.push(bits);
    }
    assert!(counted[1] < counted[0], "{counted:?}");
    let mut other = run.clone();
    other.header.inputs.as_mut().unwrap().buttons.pop();
    assert_eq!(InputCosts::of(&other, Some(&trained)), None);
}

#[test]
fn priors_are_for_one_schema_and_of_a_bounded_size() {
    assert_eq!(Prior::train(&[]).unwrap_err().code(), "bad_prior");
    let samples_only = Run {
        header: async_replay::Header {
            inputs: None,
            ..made::full_header()
        },
        inputs: Inputs::none(2),
        ..made::full_run()
    };
    let trained = Prior::train(&[samples_only]);
    assert_eq!(trained.unwrap_err().code(), "bad_prior");

    let pad = made::plain_run(100, 3);
    let mut other = pad.clone();
    other.header.inputs = async_core::InputSchema::new(vec!["a".into()], vec![]).ok();
    other.inputs = Inputs::new(1, vec![Input::default(); 100]).unwrap();
    let trained = Prior::train(&[pad.clone(), other.clone()]);
    assert_eq!(trained.unwrap_err().code(), "bad_prior");

    let prior = Prior::train(&[other]).unwrap();
    let encoding = Encoding {
        level: Level::L2,
        prior: Some(&prior),
        ..Encoding::default()
    };
    assert_eq!(pad.encode_with(&encoding).unwrap_err().code(), "bad_prior");
    // A reader that files another prior under the name that a run asks for.
    let right = Prior::train(std::slice::from_ref(&pad)).unwrap();
    let encoding = Encoding {
        prior: Some(&right),
        ..encoding
    };
    let bytes = pad.encode_with(&encoding).unwrap();
    let wrong = Priors::from([(right.hash(), Arc::new(prior))]);
    let opened = Run::open_with(&bytes, &Limits::default(), &wrong);
    assert_eq!(opened.unwrap_err().code(), "bad_prior");

    // What does not fit is left out, and the rest is learned.
    let long = long_run(2, PRIOR_INPUTS_MAX as u32 / 2 - 10, 50, 1);
    let trained = Prior::train(&[long, pad.clone(), pad.clone()]).unwrap();
    assert!(Prior::open(trained.bytes(), &Limits::default()).is_ok());
    let small = Limits {
        bytes_max: 1_000,
        ..Limits::default()
    };
    let opened = Prior::open(trained.bytes(), &small);
    assert_eq!(opened.unwrap_err().code(), "too_large");
    // An input that the schema does not declare is nothing to learn from.
    let mut broken = pad;
    broken.inputs.flat_mut()[5].axes[0] = 128;
    let trained = Prior::train(&[broken]);
    assert_eq!(trained.unwrap_err().code(), "input_undeclared");
}

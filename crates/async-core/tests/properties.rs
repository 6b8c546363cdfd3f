//! What holds for every setup and every input.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "this is test code")]

mod driver;

use std::collections::BTreeSet;

use async_core::{
    Catalogue, FrameRate, Input, Kind, OptionValue, Options, SEED_MAX, Setup, Simulation, Step,
    arena,
};
use driver::{Jitter, saved, start, trace};
use proptest::prelude::*;

fn setups() -> impl Strategy<Value = Setup> {
    let rate = prop_oneof![
        (10u32..=120).prop_map(|hz| FrameRate::hz(hz).unwrap()),
        (10_000u32..=120_000).prop_map(|milli| FrameRate::new(milli, 1000).unwrap()),
        Just(FrameRate::new(60_000, 1001).unwrap()),
    ];
    let seed = prop_oneof![0..=SEED_MAX, Just(0), Just(SEED_MAX)];
    let mode = prop_oneof![Just("collect"), Just("race"), Just("duel")];
    (seed, 2u8..=8, 0u8..8, rate, mode, 1i64..=3).prop_map(
        |(seed, players, slot, rate, mode, few)| {
            // A duel takes two or more, the others one or more.
            let players = if mode == "duel" { players } else { players - 1 };
            let mut options = Options::default();
            options.insert("mode", mode.into()).unwrap();
            options.insert("laps", few.into()).unwrap();
            options.insert("rounds", few.into()).unwrap();
            options.insert("seconds", (10 * few).into()).unwrap();
            Setup {
                seed,
                players,
                slot: slot % players,
                rate,
                options,
            }
        },
    )
}

/// Every value stays where the rules put it.
fn check_ranges(simulation: &Simulation, progress: &mut [i64]) {
    let game = simulation.game();
    let mut bodies = Vec::new();
    game.transforms(&mut bodies);
    for body in &bodies {
        let [x, y, z] = body.position.map(|at| at.floor());
        assert!(
            (0..48).contains(&x) && (0..27).contains(&y) && z == 0,
            "{body:?}"
        );
    }
    let players = usize::from(game.players());
    assert!(
        bodies[..players]
            .iter()
            .all(|body| body.kind == Kind::Player)
    );
    assert!(
        bodies[players..]
            .iter()
            .all(|body| body.kind != Kind::Player)
    );
    for (slot, least) in progress.iter_mut().enumerate() {
        let (score, now) = (game.score(slot as u8), game.progress(slot as u8));
        assert!(
            (0..=i64::from(arena::SCORE_MAX)).contains(&score),
            "score {score}"
        );
        assert!(now >= *least, "progress fell from {least} to {now}");
        *least = now;
    }
    assert_eq!(game.score(200), 0);
    assert_eq!(game.progress(200), 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_inputs_keep_every_value_in_its_range(setup in setups(), seed in any::<u64>()) {
        let mut simulation = start(&setup);
        let mut jitter = Jitter::new(seed, setup.players);
        let mut progress = vec![0; usize::from(setup.players)];
        for _ in 0..1_200 {
            check_ranges(&simulation, &mut progress);
            if simulation.step(&jitter.next()).unwrap() == Step::Finished {
                break;
            }
        }
        check_ranges(&simulation, &mut progress);
    }

    #[test]
    fn a_save_has_the_same_future(setup in setups(), seed in any::<u64>(), at in 0usize..300) {
        let mut simulation = start(&setup);
        let mut jitter = Jitter::new(seed, setup.players);
        for _ in 0..at {
            if simulation.step(&jitter.next()).unwrap() == Step::Finished {
                break;
            }
        }
        let mut other = start(&setup);
        other.load(&saved(&simulation)).unwrap();
        prop_assert_eq!(trace(&other), trace(&simulation));
        for _ in 0..100 {
            let inputs = jitter.next();
            let (a, b) = (simulation.step(&inputs), other.step(&inputs));
            prop_assert_eq!(a, b);
            prop_assert_eq!(simulation.run_digest(), other.run_digest());
            prop_assert_eq!(saved(&simulation), saved(&other));
            if a != Ok(Step::Running) {
                break;
            }
        }
    }

    #[test]
    fn one_changed_input_changes_the_run(
        setup in setups(), seed in any::<u64>(), at in 0usize..100, bit in 0u32..2
    ) {
        let inputs: Vec<Vec<Input>> = {
            let mut jitter = Jitter::new(seed, setup.players);
            (0..100).map(|_| jitter.next()).collect()
        };
        let mut changed = inputs.clone();
        changed[at][usize::from(setup.slot)].buttons ^= 1 << bit;
        let run = |inputs: &[Vec<Input>]| {
            let mut simulation = start(&setup);
            for frame in inputs {
                simulation.step(frame).unwrap();
            }
            simulation.run_digest()
        };
        prop_assert_ne!(run(&inputs), run(&changed));
    }

    #[test]
    fn foreign_bytes_never_become_a_state_that_panics(
        setup in setups(),
        seed in any::<u64>(),
        hits in prop::collection::vec(any::<(u16, u8)>(), 1..6),
    ) {
        let mut simulation = start(&setup);
        let mut jitter = Jitter::new(seed, setup.players);
        for _ in 0..120 {
            if simulation.step(&jitter.next()).unwrap() == Step::Finished {
                break;
            }
        }
        let mut bytes = saved(&simulation);
        for (at, value) in hits {
            let at = usize::from(at) % bytes.len();
            bytes[at] = value;
        }
        let before = saved(&simulation);
        match simulation.load(&bytes) {
            Err(error) => {
                prop_assert_eq!(error.code(), "bad_save");
                prop_assert_eq!(saved(&simulation), before);
            }
            Ok(()) => {
                for _ in 0..200 {
                    if simulation.step(&jitter.next()) != Ok(Step::Running) {
                        break;
                    }
                    let mut bodies = Vec::new();
                    simulation.game().transforms(&mut bodies);
                    simulation.game().status(0, &mut |_, _| {});
                    let _ = (simulation.game().score(0), simulation.game().progress(0));
                }
            }
        }
    }

    #[test]
    fn any_option_is_taken_or_refused_with_its_code(
        name in "[a-z]{0,8}|mode|laps|rounds|seconds", number in any::<i64>(), kind in 0..3
    ) {
        let value = match kind {
            0 => OptionValue::Int(number),
            1 => OptionValue::Bool(number % 2 == 0),
            _ => OptionValue::Text(number.to_string()),
        };
        let rate = FrameRate::hz(120).unwrap();
        let mut options = Options::default();
        let Ok(()) = options.insert(&name, value) else { return Ok(()) };
        let setup = Setup { seed: 1, players: 2, slot: 0, rate, options };
        if let Err(error) = Simulation::start(&Catalogue::standard(), "arena", 1, &setup) {
            prop_assert_eq!(error.code(), "bad_option");
        }
    }
}

/// Save, load, digest and trace cover the same words: changing any one of the saved state changes
/// the digest and exactly the trace field of that word.
#[test]
fn every_saved_word_is_digested_and_traced() {
    // Frame count, finished, run digest, identity: what stands before the words of the state.
    const BEFORE: usize = 4 + 1 + 8 + 8;
    for (mode, players) in [("collect", 2), ("race", 3), ("duel", 4)] {
        let mut simulation = start(&driver::setup(mode, players, 60, 77));
        driver::play(&mut simulation, 700);
        let (bytes, before) = (saved(&simulation), trace(&simulation));
        let names: BTreeSet<&str> = before.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names.len(), before.len(), "{mode}: a name is used twice");
        assert_eq!(before[0].0, "setup");
        assert_eq!(
            before.len() - 1,
            (bytes.len() - BEFORE) / 4,
            "{mode}: one name for a word"
        );
        assert!(names.contains("player[1].vel.y") && names.contains("shot.count"));
        let mut changed_words = 0;
        for (word, (name, _)) in before[1..].iter().enumerate() {
            let mut changed = bytes.clone();
            changed[BEFORE + 4 * word] ^= 1;
            let mut other = simulation.clone();
            // A value that cannot be is refused, which is as good.
            if other.load(&changed).is_err() {
                continue;
            }
            changed_words += 1;
            assert_ne!(
                other.state_digest(),
                simulation.state_digest(),
                "{mode}: {name}"
            );
            let after = trace(&other);
            let differing: Vec<&str> = before
                .iter()
                .zip(&after)
                .filter(|(a, b)| a != b)
                .map(|((name, _), _)| name.as_str())
                .collect();
            assert_eq!(differing, [name.as_str()], "{mode}");
        }
        assert!(
            changed_words > before.len() * 3 / 4,
            "{mode}: {changed_words}"
        );
    }
}

#[test]
fn a_save_belongs_to_its_setup() {
    let mut bytes = saved(&start(&driver::setup("collect", 1, 60, 1)));
    let mut other = start(&driver::setup("collect", 1, 60, 2));
    assert_eq!(other.load(&bytes).unwrap_err().code(), "bad_save");
    let mut same = start(&driver::setup("collect", 1, 60, 1));
    for length in 0..bytes.len() {
        assert_eq!(same.load(&bytes[..length]).unwrap_err().code(), "bad_save");
    }
    bytes.push(0);
    assert_eq!(same.load(&bytes).unwrap_err().code(), "bad_save");
}

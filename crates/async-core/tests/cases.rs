//! The rows of the case list that the simulation answers for, each test by its row's id.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "this is test code")]

mod driver;

use std::process::Command;

use async_core::{
    Axis, Catalogue, Fault, FrameRate, Game, Input, InputSchema, Options, Rng, SEED_MAX, Setup,
    Simulation, Step, arena, autopilot,
};
use driver::{digests, eager, play, saved, setup, start, trace, with};

const MODES: [(&str, u8); 3] = [("collect", 2), ("race", 2), ("duel", 4)];

/// One line that depends on everything the arena computes.
fn fingerprint() -> String {
    let lines = MODES.map(|(mode, players)| {
        let mut simulation = start(&setup(mode, players, 60, 99));
        play(&mut simulation, 900);
        format!("{:016x}", simulation.run_digest())
    });
    format!("fingerprint {}", lines.join(" "))
}

#[test]
fn fingerprint_is_printed() {
    println!("{}", fingerprint());
}

/// Map iteration order differed by architecture and by run.
#[test]
fn case_v3_two_processes_agree() {
    let other = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "fingerprint_is_printed", "--nocapture"])
        .output()
        .unwrap();
    let text = String::from_utf8(other.stdout).unwrap();
    assert!(
        text.contains(&fingerprint()),
        "the other process said: {text}"
    );
}

#[test]
fn case_v3_the_order_of_insertion_does_not_matter() {
    let names = [("laps", 4), ("rounds", 3), ("seconds", 20)];
    let forward = names
        .iter()
        .fold(setup("race", 2, 60, 5), |s, (n, v)| with(&s, n, *v));
    let backward = names
        .iter()
        .rev()
        .fold(setup("race", 2, 60, 5), |s, (n, v)| with(&s, n, *v));
    let inputs = play(&mut start(&forward), 300);
    assert_eq!(digests(&forward, &inputs), digests(&backward, &inputs));

    let mut catalogue = Catalogue::empty();
    let entry = |game: &str| -> async_core::Start {
        let name = game.to_owned();
        std::sync::Arc::new(move |_| Err(async_core::Error::UnknownGame(name.clone())))
    };
    for name in ["zebra", "arena-b", "aardvark"] {
        let axes: Vec<Axis> = Vec::new();
        catalogue.add(
            name,
            1,
            InputSchema {
                buttons: vec![],
                axes,
            },
            entry(name),
        );
    }
    let start: async_core::Start =
        std::sync::Arc::new(|setup| Ok(Box::new(arena::Arena::start(setup)?) as Box<dyn Game>));
    catalogue.add("arena", 1, arena::schema(), start);
    let crowded = Simulation::start(&catalogue, "arena", 1, &forward).unwrap();
    assert_eq!(crowded.run_digest(), driver::start(&forward).run_digest());
}

/// The first viewing was fine, the second desynced; so did speed ×30.
#[test]
fn case_v6_every_viewing_is_the_same() {
    for (mode, players) in MODES {
        let setup = setup(mode, players, 60, 11);
        let inputs = play(&mut start(&setup), 1_300);
        let first = digests(&setup, &inputs);
        for _ in 0..3 {
            assert_eq!(digests(&setup, &inputs), first, "{mode}");
        }
        for speed in [1, 7, 30, 1_300] {
            let mut simulation = start(&setup);
            for batch in inputs.chunks(speed) {
                for frame in batch {
                    simulation.step(frame).unwrap();
                }
                // What a host looks at between frames.
                let mut bodies = Vec::new();
                simulation.game().transforms(&mut bodies);
                simulation.game().status(0, &mut |_, _| {});
                let _ = (trace(&simulation), saved(&simulation));
                assert_eq!(
                    simulation.state_digest(),
                    first.0[simulation.frame() as usize]
                );
            }
            assert_eq!(simulation.run_digest(), first.1, "{mode} at speed {speed}");
        }
    }
}

#[test]
fn case_v6_a_save_of_any_frame_has_the_same_future() {
    for (mode, players) in MODES {
        let setup = setup(mode, players, 30, 12);
        let mut simulation = start(&setup);
        let mut saves = vec![saved(&simulation)];
        let inputs: Vec<Vec<Input>> = (0..400)
            .flat_map(|_| {
                let frame = play(&mut simulation, 1);
                saves.push(saved(&simulation));
                frame
            })
            .collect();
        let (states, run) = digests(&setup, &inputs);
        // Seeking back and forth, in one simulation that already is elsewhere.
        let mut seeker = start(&setup);
        for from in (0..400).step_by(23).rev().chain([0, 399, 1]) {
            seeker.load(&saves[from]).unwrap();
            assert_eq!(seeker.frame() as usize, from);
            assert_eq!(seeker.state_digest(), states[from], "{mode} {from}");
            let branch = seeker.clone();
            for (frame, input) in inputs.iter().enumerate().skip(from) {
                seeker.step(input).unwrap();
                assert_eq!(seeker.state_digest(), states[frame + 1], "{mode} {from}");
            }
            assert_eq!(seeker.run_digest(), run);
            assert_eq!(
                branch.frame() as usize,
                from,
                "a clone is not carried along"
            );
        }
    }
}

/// Visual effects drew from the game's randomness.
#[test]
fn case_v8_effects_and_autopilots_cannot_change_the_game() {
    let setup = setup("collect", 1, 60, 40);
    let inputs = play(&mut start(&setup), 600);
    let undisturbed = digests(&setup, &inputs);
    let mut simulation = start(&setup);
    let mut effects = Rng::stream(setup.seed, "effects");
    let mut spectator = autopilot("arena", setup.seed).unwrap();
    for (frame, input) in inputs.iter().enumerate() {
        for _ in 0..effects.below(5) {
            effects.next_u32();
            spectator.input(simulation.game(), 0);
        }
        simulation.step(input).unwrap();
        assert_eq!(simulation.state_digest(), undisturbed.0[frame + 1]);
    }
    assert_eq!(simulation.run_digest(), undisturbed.1);
}

#[test]
fn case_v8_only_the_seed_decides() {
    let at = |seed| start(&setup("collect", 1, 60, seed)).state_digest();
    assert_eq!(at(40), at(40));
    assert_ne!(at(40), at(41));
}

/// A camera setting made tick 0 diverge: whatever reaches the simulation must be in the header.
#[test]
fn case_v9_every_field_of_the_setup_is_in_the_digest() {
    let base = with(&setup("race", 3, 60, 8), "laps", 3);
    // Taken apart without `..`: a new field does not compile until it is tested here.
    let Setup {
        seed,
        players,
        slot,
        rate,
        options,
    } = base.clone();
    let ntsc = FrameRate::new(60_000, 1001).unwrap();
    let fewer = Options::default().with("mode", "race".into()).unwrap();
    let others = [
        Setup {
            seed: seed + 1,
            ..base.clone()
        },
        Setup {
            players: players - 1,
            ..base.clone()
        },
        Setup {
            slot: slot + 1,
            ..base.clone()
        },
        Setup {
            rate: ntsc,
            ..base.clone()
        },
        Setup {
            options: fewer,
            ..base.clone()
        },
        with(&base, "laps", 4),
        with(&base, "mode", "collect"),
        with(&base, "rounds", 4),
        with(&base, "seconds", 30),
    ];
    let same = Setup {
        seed,
        players,
        slot,
        rate,
        options,
    };
    assert_eq!(start(&same).run_digest(), start(&base).run_digest());
    let mut seen = vec![start(&base)];
    for other in others {
        let other = start(&other);
        for earlier in &seen {
            assert_ne!(other.state_digest(), earlier.state_digest());
            assert_ne!(other.run_digest(), earlier.run_digest());
        }
        seen.push(other);
    }
}

/// Inputs were stamped with times; a release between two frames got lost.
#[test]
fn case_v10_a_release_of_one_frame_counts() {
    let setup = setup("race", 1, 60, 3);
    let dash = Input {
        buttons: arena::DASH,
        axes: [127, 0, 0, 0, 0, 0, 0, 0],
    };
    let release = Input { buttons: 0, ..dash };
    let dashes = |inputs: &mut dyn Iterator<Item = Input>| {
        let mut simulation = start(&setup);
        let mut was = 0;
        let mut count = 0;
        for input in inputs {
            simulation.step(&[input]).unwrap();
            simulation.game().status(0, &mut |name, value| {
                if name == "dashing" {
                    count += i64::from(value > was);
                    was = value;
                }
            });
        }
        count
    };
    assert_eq!(
        dashes(&mut std::iter::repeat_n(dash, 240)),
        1,
        "held, it acts once"
    );
    let mut pressed_twice = (0..240).map(|frame| if frame == 150 { release } else { dash });
    assert_eq!(
        dashes(&mut pressed_twice),
        2,
        "a release of one frame is seen"
    );
}

#[test]
fn case_v10_the_rate_of_the_host_cannot_change_a_frame() {
    let setup = setup("duel", 2, 60, 4);
    let inputs = play(&mut start(&setup), 300);
    let expected = digests(&setup, &inputs).1;
    // Hosts that draw at 24, 144 or a stuttering rate, each catching up by whole frames.
    for steps in [[2, 3, 2, 3], [0, 0, 1, 0], [0, 9, 1, 4]] {
        let mut simulation = start(&setup);
        let mut draws = 0;
        while (simulation.frame() as usize) < inputs.len() {
            for _ in 0..steps[draws % 4] {
                if let Some(frame) = inputs.get(simulation.frame() as usize) {
                    simulation.step(frame).unwrap();
                }
            }
            draws += 1;
            assert!(draws < 5_000);
        }
        assert_eq!(simulation.run_digest(), expected);
    }
}

/// The input was polled on frames that were only drawn.
#[test]
fn case_v11_one_input_for_each_player_and_frame() {
    let mut simulation = start(&setup("duel", 3, 60, 4));
    let before = saved(&simulation);
    let idle = Input::default();
    assert_eq!(simulation.step(&[idle; 2]), Err(Fault::WrongInputs));
    assert_eq!(simulation.step(&[idle; 4]), Err(Fault::WrongInputs));
    assert_eq!(simulation.step(&[]), Err(Fault::WrongInputs));
    let undeclared = Input { buttons: 4, ..idle };
    assert_eq!(
        simulation.step(&[idle, undeclared, idle]),
        Err(Fault::InputUndeclared)
    );
    assert_eq!(saved(&simulation), before, "a refused frame did not happen");
    assert_eq!(simulation.step(&[idle; 3]), Ok(Step::Running));
    assert_eq!(simulation.frame(), 1);
}

#[test]
fn case_v11_an_input_without_effect_still_changes_the_run() {
    let setup = setup("duel", 2, 60, 4);
    let (mut quiet, mut aiming) = (start(&setup), start(&setup));
    let idle = Input::default();
    // During the countdown nobody can shoot.
    let press = Input {
        buttons: arena::FIRE,
        ..idle
    };
    quiet.step(&[idle, idle]).unwrap();
    aiming.step(&[idle, press]).unwrap();
    quiet.step(&[idle, idle]).unwrap();
    aiming.step(&[idle, idle]).unwrap();
    assert_eq!(quiet.state_digest(), aiming.state_digest());
    assert_ne!(quiet.run_digest(), aiming.run_digest());
}

/// A seed above the engine's limit behaved differently in tool and game.
#[test]
fn case_s2_seeds_end_at_two_to_the_53() {
    let refused = |seed| {
        let refusal = Simulation::start(
            &Catalogue::standard(),
            "arena",
            1,
            &Setup {
                seed,
                ..setup("collect", 1, 60, 0)
            },
        );
        refusal.err().map(|error| error.code())
    };
    assert_eq!(refused(0), None);
    assert_eq!(refused(SEED_MAX), None);
    assert_eq!(refused(SEED_MAX + 1), Some("bad_seed"));
    assert_eq!(refused(u64::MAX), Some("bad_seed"));
}

#[test]
fn there_is_no_frame_after_the_finish() {
    let mut simulation = start(&with(&setup("collect", 1, 10, 1), "seconds", 10));
    play(&mut simulation, 1_000);
    assert!(simulation.finished());
    assert_eq!(simulation.frame(), 100);
    let digest = simulation.run_digest();
    assert_eq!(
        simulation.step(&[Input::default()]),
        Err(Fault::FramesAfterFinish)
    );
    let mut again = start(&with(&setup("collect", 1, 10, 1), "seconds", 10));
    again.load(&saved(&simulation)).unwrap();
    assert_eq!(
        again.step(&[Input::default()]),
        Err(Fault::FramesAfterFinish)
    );
    assert_eq!((simulation.run_digest(), simulation.frame()), (digest, 100));
}

#[test]
fn every_mode_ends_even_if_nobody_plays() {
    for (mode, players, frames) in [("collect", 1, 600), ("race", 1, 1_800), ("duel", 2, 1_075)] {
        let mut simulation = start(&setup(mode, players, 10, 1));
        let idle = vec![Input::default(); usize::from(players)];
        while simulation.step(&idle).unwrap() == Step::Running {}
        assert_eq!(simulation.frame(), frames, "{mode}");
        let score = simulation.game().score(0);
        let worst = if mode == "race" {
            arena::UNFINISHED_MS
        } else {
            0
        };
        assert_eq!(score, worst, "{mode}");
    }
}

#[test]
fn a_race_ends_with_the_slot_that_is_recorded() {
    let base = setup("race", 2, 60, 21);
    let mut simulation = start(&Setup { slot: 1, ..base });
    // Slot 0 stays where it is.
    while !simulation.finished() {
        let driven = eager(&simulation, 1);
        simulation.step(&[Input::default(), driven]).unwrap();
    }
    let game = simulation.game();
    let expected = u64::from(simulation.frame()) * 1000 / 60;
    assert_eq!(game.score(1), expected as i64);
    assert_eq!(game.score(0), arena::UNFINISHED_MS);
}

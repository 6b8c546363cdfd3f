//! The autopilot plays every mode decently, and each seed plays differently.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "this is test code")]

mod driver;

use std::collections::BTreeSet;

use async_core::{Input, Setup, Simulation, autopilot};
use driver::{setup, start};

/// A whole game of autopilots; the simulation at its end and the inputs of slot 0.
fn flown(setup: &Setup, seed: u64) -> (Simulation, Vec<Input>) {
    let mut simulation = start(setup);
    let mut pilots: Vec<_> = (0..setup.players)
        .map(|slot| autopilot("arena", seed + 1_000 * u64::from(slot)).unwrap())
        .collect();
    let mut first = Vec::new();
    while !simulation.finished() {
        let inputs: Vec<Input> = pilots
            .iter_mut()
            .enumerate()
            .map(|(slot, pilot)| pilot.input(simulation.game(), slot as u8))
            .collect();
        first.push(inputs[0]);
        simulation.step(&inputs).unwrap();
    }
    (simulation, first)
}

#[test]
fn it_races_to_the_finish_at_every_rate() {
    for seed in 0..60 {
        let hz = [10, 24, 30, 60, 90, 120][seed as usize % 6];
        let (simulation, _) = flown(&setup("race", 1, hz, seed), seed);
        let score = simulation.game().score(0);
        assert!(
            (10_000..60_000).contains(&score),
            "seed {seed}, {hz} Hz: {score} ms"
        );
    }
}

#[test]
fn it_gathers_more_than_an_eager_player() {
    let (mut flown_points, mut eager_points) = (0, 0);
    for seed in 0..12 {
        let setup = setup("collect", 1, 60, seed);
        let (simulation, _) = flown(&setup, seed);
        let points = simulation.game().score(0);
        assert!(points > 1_200, "seed {seed}: {points}");
        flown_points += points;
        let mut eager = start(&setup);
        driver::play(&mut eager, 3_600);
        eager_points += eager.game().score(0);
    }
    assert!(
        4 * flown_points > 5 * eager_points,
        "{flown_points} against {eager_points}"
    );
}

#[test]
fn it_beats_an_eager_player_in_a_duel() {
    let mut wins = 0;
    for seed in 0..10 {
        let mut simulation = start(&setup("duel", 2, 60, seed));
        let mut pilot = autopilot("arena", seed).unwrap();
        while !simulation.finished() {
            let inputs = [
                pilot.input(simulation.game(), 0),
                driver::eager(&simulation, 1),
            ];
            simulation.step(&inputs).unwrap();
        }
        wins += u32::from(simulation.game().score(0) > simulation.game().score(1));
    }
    assert!(wins >= 7, "{wins} of 10");
}

#[test]
fn each_seed_plays_differently_and_always_alike() {
    for (mode, players) in [("collect", 1), ("race", 1), ("duel", 4)] {
        let setup = setup(mode, players, 60, 3);
        let games: Vec<_> = (0..16).map(|seed| flown(&setup, seed)).collect();
        let digests: BTreeSet<u64> = games.iter().map(|(game, _)| game.run_digest()).collect();
        assert_eq!(digests.len(), 16, "{mode}");
        let scores: BTreeSet<i64> = games.iter().map(|(game, _)| game.game().score(0)).collect();
        assert!(scores.len() >= 10, "{mode}: {scores:?}");
        let (again, inputs) = flown(&setup, 5);
        assert_eq!(again.run_digest(), games[5].0.run_digest());
        assert_eq!(inputs, games[5].1);
    }
}

#[test]
fn it_holds_its_controls_as_a_hand_would() {
    let (_, inputs) = flown(&setup("collect", 1, 60, 9), 9);
    let changes = inputs.windows(2).filter(|pair| pair[0] != pair[1]).count();
    assert!(changes * 2 < inputs.len(), "{changes} of {}", inputs.len());
    assert!(changes * 20 > inputs.len(), "{changes} of {}", inputs.len());
}

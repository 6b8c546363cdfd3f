//! Failures that players of other games met, each by the row of the list of cases.

use std::ops::Range;

use async_core::{Catalogue, Setup, Simulation};
use async_replay::{
    FRAME_UNITS, Facing, Moved, Player, QUATERNION_UNIT, Rotation, Run, Speed, Stretch,
};

use crate::{ENDED, made, run, sample, stretches};

/// The grid quaternion of a turn about z.
fn about_z(degrees: f64) -> [i32; 4] {
    let (sin, cos) = (degrees.to_radians() / 2.0).sin_cos();
    let unit = f64::from(QUATERNION_UNIT - 1);
    [
        0,
        0,
        (sin * unit).round() as i32,
        (cos * unit).round() as i32,
    ]
}

/// The angle about z of a quaternion, in degrees from -180 up to 180.
fn degrees(facing: Facing) -> f64 {
    let Facing::Quaternion(parts) = facing else {
        panic!("{facing:?}")
    };
    let [_, _, z, w] = parts.map(f64::from);
    let turned = 2.0 * z.atan2(w).to_degrees();
    (turned + 180.0).rem_euclid(360.0) - 180.0
}

/// From 358° to 2° (or over any other seam) the ghost span the long way.
#[test]
fn case_g1_a_yaw_turns_the_short_way() {
    for (from, to, arc) in [(350, 10, 20), (10, 350, -20), (358, 2, 4), (90, 269, 179)] {
        let mut run = run(20);
        run.tracks[0] = vec![
            sample(0, 0, Rotation::Yaw(from)),
            sample(20, 0, Rotation::Yaw(to)),
        ];
        let mut player = Player::new(&run);
        for frame in 0..=20_i32 {
            let turned = from * 65_536 + arc * 65_536 * frame / 20;
            let Facing::Yaw(yaw) = player.pose(0).unwrap().facing else {
                panic!("a yaw")
            };
            let off = (yaw - turned + 1).rem_euclid(360 * 65_536) - 1;
            assert!(off.abs() <= 1, "{from} to {to} at {frame}: {yaw}");
            player.advance(FRAME_UNITS);
        }
    }
}

/// The same rotation has two quaternions, and the ghost span through all that lies between them.
#[test]
fn case_g1_a_quaternion_turns_the_short_way_whatever_its_sign() {
    for (from, to, arc) in [
        (350.0, 10.0, 20.0),
        (10.0, 350.0, -20.0),
        (100.0, 190.0, 90.0),
    ] {
        for sign in [1, -1] {
            let mut run = run(16);
            run.tracks[1] = vec![
                sample(0, 0, Rotation::Quaternion(about_z(from))),
                sample(
                    16,
                    0,
                    Rotation::Quaternion(about_z(to).map(|part| sign * part)),
                ),
            ];
            let mut player = Player::new(&run);
            let mut last = 0.0;
            for frame in 0..=16 {
                let pose = player.pose(1).unwrap();
                let turned = (degrees(pose.facing) - from + 180.0).rem_euclid(360.0) - 180.0;
                // Straight between both is at most so far from an even turn of 90°.
                let even = arc * f64::from(frame) / 16.0;
                assert!((turned - even).abs() < 4.1, "{turned} for {even}");
                assert!((turned - last) * arc.signum() > -0.001, "never back");
                last = turned;
                let length: f32 = pose
                    .quaternion()
                    .unwrap()
                    .map(|part| part * part)
                    .iter()
                    .sum();
                assert!((length - 1.0).abs() < 1e-6);
                player.advance(FRAME_UNITS);
            }
            assert!((last - arc).abs() < 0.01);
        }
    }
}

/// A run of no frames or no samples broke the list of ghosts; hours were too long for it.
#[test]
fn case_g5_runs_of_no_length_and_of_hours_are_played() {
    let nothing = run(0);
    for repeat in [false, true] {
        let mut player = Player::new(&nothing);
        player.set_repeat(repeat);
        let moved = player.advance(u64::MAX);
        assert_eq!(moved, if repeat { Moved::default() } else { ENDED });
        assert_eq!(player.advance(u64::MAX), Moved::default());
        assert_eq!((player.position(), player.pose(0)), (0, None));
        assert_eq!((player.input(0), stretches(&player)), (None, vec![(0, 0)]));
    }
    // Two hours at 30 frames a second, on the grid's outermost steps.
    let mut long = run(216_000);
    long.tracks[0] = vec![
        sample(0, -i32::MAX, Rotation::Yaw(0)),
        sample(216_000, i32::MAX, Rotation::Yaw(0)),
    ];
    let mut player = Player::new(&long);
    assert_eq!(player.advance(108_000 * FRAME_UNITS), Moved::default());
    assert_eq!(player.pose(0).unwrap().position[0], 0);
    assert_eq!(player.advance(108_000 * FRAME_UNITS), ENDED);
    let last = player.pose(0).unwrap();
    assert_eq!(last.position[0], i64::from(i32::MAX) << 16);
    assert_eq!(player.frame(), 216_000);
}

/// The first viewing was right, a second one or a fast one was not.
#[test]
fn case_v6_any_viewing_at_any_speed_shows_the_same() {
    let run = made::full_run();
    let mut player = Player::new(&run);
    let show = |player: &mut Player<&Run>, elapsed: u64| {
        let mut marks = Vec::new();
        let mut frames = Vec::new();
        loop {
            let moved = player.advance(elapsed);
            marks.extend(player.crossed());
            frames.extend(player.stretches().flat_map(Stretch::frames));
            if moved.reached.is_some() {
                return (marks, frames, player.pose(0), player.pose(1));
            }
        }
    };
    let first = show(&mut player, FRAME_UNITS);
    assert_eq!(first.0, run.marks);
    assert_eq!(first.1, (0..602).collect::<Vec<_>>());
    let viewings = [
        (65_536, 65_536),
        (7, 600_000),
        (32_768, 77_777),
        (524_288, 30 * 65_536),
        (1, u64::MAX),
    ];
    for (speed, elapsed) in viewings {
        player.restart();
        player.set_speed(Speed::fixed(speed));
        assert_eq!(show(&mut player, elapsed), first, "{elapsed} at {speed}");
    }
}

/// A simulation that follows the player, brought from the start to wherever a jump leads.
struct Shadow<'a> {
    run: &'a Run,
    simulation: Simulation,
}

impl<'a> Shadow<'a> {
    fn start(run: &'a Run) -> Self {
        let header = &run.header;
        let setup = Setup {
            seed: header.seed,
            players: header.players,
            slot: header.slot,
            rate: header.rate,
            options: header.options.clone(),
        };
        let catalogue = Catalogue::standard();
        let simulation = Simulation::start(&catalogue, "arena", 1, &setup).unwrap();
        Self { run, simulation }
    }

    fn follow(&mut self, stretch: Stretch) {
        if stretch.from != self.simulation.frame() || stretch.is_backwards() {
            *self = Self::start(self.run);
            self.play(0..stretch.from.min(stretch.to));
        }
        if !stretch.is_backwards() {
            self.play(stretch.frames());
        }
    }

    fn play(&mut self, frames: Range<u32>) {
        for frame in frames {
            self.simulation.step(self.run.inputs.frame(frame)).unwrap();
        }
    }
}

/// A simulation beside the player came apart at thirty times the speed, or after a jump.
#[test]
fn case_v6_a_simulation_follows_a_player_at_any_speed() {
    let run = made::plain_run(300, 7);
    let mut truth = Shadow::start(&run);
    let mut digests = vec![truth.simulation.run_digest()];
    for frame in 0..300 {
        truth.play(frame..frame + 1);
        digests.push(truth.simulation.run_digest());
    }
    let mut player = Player::new(&run);
    player.set_repeat(true);
    let mut shadow = Shadow::start(&run);
    let mut seen = vec![false; 301];
    let speeds = [65_536, 21_845, 524_288, -65_536, -200_000, 131_072];
    for round in 0..600_u32 {
        if round % 41 == 40 {
            player.seek(round % 301);
        }
        player.set_speed(Speed::fixed(speeds[round as usize / 50 % 6]));
        player.advance(u64::from(round % 30) * 30_011);
        player
            .stretches()
            .for_each(|stretch| shadow.follow(stretch));
        let frame = player.frame();
        assert_eq!(shadow.simulation.frame(), frame, "in round {round}");
        assert_eq!(shadow.simulation.run_digest(), digests[frame as usize]);
        seen[frame as usize] = true;
    }
    assert!(seen.iter().filter(|seen| **seen).count() > 150);
}

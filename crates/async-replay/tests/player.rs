//! Playing a run back: what it shows between samples, what it crosses, and where it ends.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod made;

use async_replay::{
    Edge, FRAME_UNITS, Facing, Mark, MarkKind, Moved, Player, QUATERNION_UNIT, Rotation, Run,
    Sample, SampleSchema, Speed, Stretch, TrackSchema,
};

/// A run of so many frames with a flat and a solid track, in degrees and 20 mm.
fn run(frames: u32) -> Run {
    let mut run = made::plain_run(frames, 7);
    run.checkpoints.clear();
    run.header.samples = Some(SampleSchema {
        rate_hz: 10,
        tracks: vec![TrackSchema::flat("flat"), TrackSchema::solid("solid")],
        precision: async_replay::Precision::Default,
    });
    run.tracks = vec![Vec::new(), Vec::new()];
    run
}

fn sample(frame: u32, x: i32, rotation: Rotation) -> Sample {
    Sample {
        frame,
        position: [x, -x, 0],
        rotation,
        channels: [x, 0, 0, 0, 0, 0, 0, 0],
        teleport: false,
    }
}

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

fn mark(frame: u32, value: i64) -> Mark {
    Mark {
        frame,
        kind: MarkKind::Lap,
        value,
    }
}

fn crossed<R: std::borrow::Borrow<Run>>(player: &Player<R>) -> Vec<i64> {
    player.crossed().map(|mark| mark.value).collect()
}

fn stretches<R: std::borrow::Borrow<Run>>(player: &Player<R>) -> Vec<(u32, u32)> {
    let both = player.stretches().map(|stretch| (stretch.from, stretch.to));
    both.collect()
}

const ENDED: Moved = Moved {
    reached: Some(Edge::End),
    wraps: 0,
};

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

#[test]
fn positions_go_straight_and_channels_hold() {
    let mut run = run(30);
    run.tracks[0] = vec![
        sample(10, 100, Rotation::Yaw(0)),
        sample(20, 200, Rotation::Yaw(0)),
    ];
    let mut player = Player::new(&run);
    let mut at = |frame: u32, part: u64| {
        player.seek(frame);
        player.advance(part);
        let pose = player.pose(0).unwrap();
        (pose.position, pose.channels[0])
    };
    let steps = |steps: i64| [steps << 16, -steps << 16, 0];
    assert_eq!(at(0, 0), (steps(100), 100), "before the first, the first");
    assert_eq!(at(10, 0), (steps(100), 100));
    assert_eq!(at(15, 0), (steps(150), 100));
    assert_eq!(
        at(15, 6_554 / 2 * 2),
        ([(151 << 16) + 4, -(151 << 16) - 4, 0], 100)
    );
    assert_eq!(at(20, 0), (steps(200), 200));
    assert_eq!(at(29, 9), (steps(200), 200), "after the last, the last");
}

#[test]
fn nothing_is_shown_between_a_teleport_and_the_sample_before() {
    let mut run = run(30);
    run.tracks[0] = vec![
        sample(0, 0, Rotation::Yaw(0)),
        Sample {
            teleport: true,
            ..sample(10, 5_000, Rotation::Yaw(90))
        },
        sample(20, 5_010, Rotation::Yaw(90)),
    ];
    let mut player = Player::new(&run);
    let first = player.pose(0).unwrap();
    player.advance(10 * FRAME_UNITS - 1);
    assert_eq!(player.pose(0).unwrap(), first, "held until the very frame");
    player.advance(1);
    let there = player.pose(0).unwrap();
    assert_eq!(there.position[0], 5_000 << 16);
    assert_eq!(there.facing, Facing::Yaw(90 << 16));
    player.advance(5 * FRAME_UNITS);
    assert_eq!(player.pose(0).unwrap().position[0], 5_005 << 16);
    player.set_speed(-Speed::NORMAL);
    player.advance(5 * FRAME_UNITS + 1);
    assert_eq!(player.pose(0).unwrap(), first, "backwards as well");
}

#[test]
fn tracks_without_samples_and_with_one() {
    let mut run = run(30);
    run.tracks[1] = vec![sample(15, 7, Rotation::Quaternion([1, -2, 3, 131_000]))];
    let mut player = Player::new(&run);
    for _ in 0..=31 {
        let pose = player.pose(1).unwrap();
        assert_eq!(pose.position, [7 << 16, -7 << 16, 0]);
        assert_eq!(pose.facing, Facing::Quaternion([1, -2, 3, 131_000]));
        assert_eq!((player.pose(0), player.pose(2)), (None, None));
        player.advance(FRAME_UNITS);
    }
}

#[test]
fn quaternions_of_any_length_turn_alike() {
    // 90° about x and none, a hundred times shorter than they should be; then no rotation at all.
    let mut run = run(2);
    let facing = |from: [i32; 4], to: [i32; 4], run: &mut Run| {
        run.tracks[1] = vec![
            sample(0, 0, Rotation::Quaternion(from)),
            sample(2, 0, Rotation::Quaternion(to)),
        ];
        let mut player = Player::new(&*run);
        player.advance(FRAME_UNITS);
        let Facing::Quaternion(parts) = player.pose(1).unwrap().facing else {
            panic!("a quaternion")
        };
        parts
    };
    let near = |parts: [i32; 4], x: i32, w: i32| {
        assert!(
            (parts[0] - x).abs() <= 1 && (parts[3] - w).abs() <= 1,
            "{parts:?}"
        );
        assert_eq!(parts[1..3], [0, 0]);
    };
    // The sine and cosine of 22.5°, as parts of 131,072.
    near(
        facing([0, 0, 0, 131_071], [1, 0, 0, 1], &mut run),
        50_159,
        121_095,
    );
    near(
        facing([0, 0, 0, 1], [i32::MAX, 0, 0, i32::MAX], &mut run),
        50_159,
        121_095,
    );
    near(facing([0; 4], [0; 4], &mut run), 0, 131_071);
    near(facing([0; 4], [0, 0, 0, i32::MIN], &mut run), 0, 131_071);
}

#[test]
fn metres_and_radians_are_those_of_the_grid() {
    let run = made::full_run();
    let precision = async_replay::Precision::Fine;
    let mut player = Player::new(&run);
    for index in 0..3 {
        let expected = run.tracks[0][index];
        player.seek(expected.frame);
        let flat = player.pose(0).unwrap();
        let metres = expected
            .position
            .map(|steps| precision.position_to_metres(steps));
        assert_eq!(flat.metres(), metres);
        let Rotation::Yaw(yaw) = expected.rotation else {
            panic!("a yaw")
        };
        assert_eq!(flat.yaw_radians(), Some(precision.yaw_to_radians(yaw)));
        assert_eq!(flat.quaternion(), None);
        let Rotation::Quaternion(parts) = run.tracks[1][index].rotation else {
            panic!("a quaternion")
        };
        let solid = player.pose(1).unwrap();
        assert_eq!(solid.quaternion(), Some(precision.quaternion_to(parts)));
        assert_eq!(solid.yaw_radians(), None);
    }
}

/// Marks at 0, twice at 4, at 7 and at the end of ten frames.
fn marked() -> Run {
    let mut run = run(10);
    run.marks = [(0, 0), (4, 1), (4, 2), (7, 3), (10, 4)]
        .map(|(frame, value)| mark(frame, value))
        .to_vec();
    run
}

#[test]
fn the_end_is_told_once_until_it_is_left() {
    let run = run(10);
    let mut player = Player::new(&run);
    assert_eq!(player.advance(10 * FRAME_UNITS - 1), Moved::default());
    assert!(!player.ended());
    assert_eq!(player.advance(1), ENDED);
    assert!(player.ended());
    for _ in 0..3 {
        assert_eq!(player.advance(u64::MAX), Moved::default());
        assert!(player.ended());
    }
    player.seek(10);
    assert!(!player.ended(), "sought, not played");
    assert_eq!(player.advance(1), ENDED);
    player.set_speed(-Speed::NORMAL);
    assert_eq!(player.advance(1), Moved::default());
    assert!(!player.ended());
    let start = player.advance(u64::MAX);
    assert_eq!((start.reached, player.frame()), (Some(Edge::Start), 0));
    assert_eq!(player.advance(u64::MAX), Moved::default());
    player.set_speed(Speed::FASTEST);
    assert_eq!(player.advance(u64::MAX), ENDED);
    player.set_repeat(true);
    assert_eq!(player.advance(FRAME_UNITS).wraps, 1);
    assert!(!player.ended());
}

#[test]
fn a_pause_and_no_speed_stand_still() {
    let run = marked();
    let mut player = Player::new(&run);
    player.set_speed(Speed::fixed(3 << 15));
    player.pause();
    player.advance(u64::MAX);
    assert_eq!((player.position(), player.paused()), (0, true));
    player.resume();
    player.advance(2 * FRAME_UNITS);
    assert_eq!(
        (player.position(), player.speed().units()),
        (3 << 16, 3 << 15)
    );
    assert_eq!(crossed(&player), [0]);
    player.set_speed(Speed::STOPPED);
    player.advance(u64::MAX);
    assert_eq!((player.position(), crossed(&player)), (3 << 16, vec![]));
}

#[test]
fn a_step_goes_to_whole_frames_also_while_paused() {
    let run = marked();
    let mut player = Player::new(&run);
    player.advance(3 * FRAME_UNITS + 1);
    player.pause();
    player.step(1);
    assert_eq!((player.position(), crossed(&player)), (4 << 16, vec![1, 2]));
    player.step(-1);
    assert_eq!((player.position(), crossed(&player)), (3 << 16, vec![2, 1]));
    player.step(0);
    assert_eq!((player.frame(), crossed(&player)), (3, vec![]));
    let start = player.step(i32::MIN);
    assert_eq!((start.reached, player.frame()), (Some(Edge::Start), 0));
    assert_eq!((player.step(i32::MAX), player.frame()), (ENDED, 10));
}

#[test]
fn marks_are_crossed_in_order_both_ways() {
    let run = marked();
    let mut player = Player::new(&run);
    player.advance(u64::MAX);
    assert_eq!(crossed(&player), [0, 1, 2, 3, 4]);
    player.advance(1);
    assert_eq!(crossed(&player), [], "each once");
    player.set_speed(-Speed::NORMAL);
    player.advance(3 * FRAME_UNITS);
    assert_eq!(crossed(&player), [4, 3]);
    player.set_speed(Speed::NORMAL);
    player.advance(FRAME_UNITS);
    assert_eq!(crossed(&player), [3], "turned round on it, so crossed back");
    player.seek(10);
    assert_eq!(crossed(&player), [], "a seek crosses nothing");
    player.set_speed(-Speed::FASTEST);
    player.advance(u64::MAX);
    assert_eq!(
        crossed(&player),
        [4, 3, 2, 1, 0],
        "all from the end, as from the start"
    );
}

#[test]
fn marks_are_crossed_over_every_lap() {
    let run = marked();
    let mut player = Player::new(&run);
    player.set_repeat(true);
    player.seek(5);
    assert_eq!(player.advance(25 * FRAME_UNITS).wraps, 3);
    assert_eq!(crossed(&player), [3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0]);
    assert_eq!(stretches(&player), [(5, 10), (0, 10), (0, 10), (0, 0)]);
    player.set_speed(-Speed::NORMAL);
    assert_eq!(player.advance(15 * FRAME_UNITS).wraps, 2);
    assert_eq!(crossed(&player), [0, 4, 3, 2, 1, 0, 4, 3]);
    assert_eq!(stretches(&player), [(0, 0), (10, 0), (10, 5)]);
    // More laps than anyone counts: told, and listed as far as one looks.
    player.set_speed(Speed::FASTEST);
    let moved = player.advance(u64::MAX);
    assert!(moved.wraps > 1 << 47 && moved.reached.is_none());
    assert_eq!(
        player.crossed().take(7).map(|mark| mark.value).sum::<i64>(),
        3 + 4 + 6 + 4
    );
}

#[test]
fn nothing_is_listed_of_laps_without_marks() {
    let run = run(10);
    let mut player = Player::new(&run);
    player.set_repeat(true);
    player.advance(u64::MAX);
    assert_eq!(crossed(&player), []);
}

#[test]
fn marks_are_sought_both_ways() {
    let run = marked();
    let mut player = Player::new(&run);
    let any = |_: &Mark| true;
    let next = |player: &mut Player<&Run>| player.seek_next_mark(any).map(|mark| mark.value);
    let back = |player: &mut Player<&Run>| player.seek_previous_mark(any).map(|mark| mark.value);
    assert_eq!(next(&mut player), Some(1));
    assert_eq!((player.frame(), crossed(&player)), (4, vec![]));
    assert_eq!(next(&mut player), Some(3));
    assert_eq!(next(&mut player), Some(4));
    assert_eq!((next(&mut player), player.frame()), (None, 10));
    assert_eq!(back(&mut player), Some(3));
    player.advance(1);
    assert_eq!(
        crossed(&player),
        [3],
        "played on, the mark itself is crossed"
    );
    assert_eq!(back(&mut player), Some(3));
    assert_eq!(back(&mut player), Some(2));
    assert_eq!(back(&mut player), Some(0));
    assert_eq!((back(&mut player), player.frame()), (None, 0));
    let split = player.seek_next_mark(|mark| mark.kind == MarkKind::Split);
    assert_eq!((split, player.frame()), (None, 0));
    let third = player.seek_next_mark(|mark| mark.value == 3);
    assert_eq!((third.map(|mark| mark.frame), player.frame()), (Some(7), 7));
}

#[test]
fn a_ghost_may_start_later_or_with_a_lead() {
    let mut run = marked();
    run.tracks[0] = vec![
        sample(0, 3, Rotation::Yaw(0)),
        sample(10, 13, Rotation::Yaw(0)),
    ];
    let mut player = Player::with_offset(&run, 5);
    player.set_repeat(true);
    assert!(!player.started());
    assert_eq!((player.position(), player.frame()), (-5 << 16, 0));
    assert_eq!(player.pose(0).unwrap().position[0], 3 << 16);
    assert_eq!(player.input(0), None);
    player.set_speed(-Speed::NORMAL);
    player.advance(FRAME_UNITS);
    assert_eq!(player.position(), -5 << 16, "a delay passes forwards");
    player.set_speed(Speed::NORMAL);
    player.advance(4 * FRAME_UNITS);
    assert_eq!((player.position(), crossed(&player)), (-1 << 16, vec![]));
    player.advance(2 * FRAME_UNITS);
    assert_eq!((player.position(), crossed(&player)), (1 << 16, vec![0]));
    assert_eq!(stretches(&player), [(0, 1)]);
    assert_eq!(
        (player.advance(9 * FRAME_UNITS).wraps, player.position()),
        (1, 0)
    );
    player.restart();
    assert_eq!(player.position(), -5 << 16);

    let mut lead = Player::with_offset(&run, -6);
    assert_eq!((lead.frame(), stretches(&lead)), (6, vec![(6, 6)]));
    lead.advance(FRAME_UNITS);
    assert_eq!(crossed(&lead), [3]);
    assert_eq!(Player::with_offset(&run, i32::MIN).frame(), 10);
    let late = Player::with_offset(&run, i32::MAX);
    assert_eq!(late.position(), -i64::from(i32::MAX) << 16);
}

#[test]
fn inputs_are_those_of_the_frame() {
    let run = made::full_run();
    let mut player = Player::new(std::sync::Arc::new(run.clone()));
    for frame in [0, 1, 299, 300, 601, 5] {
        player.seek(frame);
        player.advance(FRAME_UNITS - 1);
        assert_eq!(player.input(0), Some(&run.inputs.frame(frame)[0]));
        assert_eq!(player.input(1), Some(&run.inputs.frame(frame)[1]));
        assert_eq!(player.input(2), None);
    }
    player.seek(602);
    assert_eq!(player.input(0), None, "nothing was pressed after the end");
}

#[test]
fn a_run_that_no_check_passed_stops_nothing() {
    let mut run = marked();
    run.end.frames = u32::MAX;
    run.marks = vec![mark(9, 0), mark(u32::MAX, 1), mark(3, 2), mark(0, 3)];
    let wild = [i32::MIN, 0, i32::MAX, -7].map(|yaw| sample(9, i32::MAX, Rotation::Yaw(yaw)));
    run.tracks = vec![wild.to_vec(); 3];
    run.tracks[1].insert(1, sample(2, 5, Rotation::Quaternion([i32::MIN; 4])));
    run.header.samples = None;
    let mut player = Player::with_offset(&run, i32::MAX);
    player.set_repeat(true);
    for speed in [i32::MAX, 1, i32::MIN] {
        player.set_speed(Speed::fixed(speed));
        for elapsed in [u64::MAX, 1, FRAME_UNITS, 1 << 48] {
            player.advance(elapsed);
            player.step(i32::MIN);
            let _ = (
                player.crossed().take(9).count(),
                player.stretches().take(9).count(),
            );
            let _ = (
                player.pose(0),
                player.pose(1),
                player.pose(2),
                player.input(0),
            );
            player.seek_next_mark(|_| true);
            player.seek_previous_mark(|_| true);
            assert!(player.position() <= i64::from(u32::MAX) << 16);
        }
    }
}

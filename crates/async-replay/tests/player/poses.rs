//! What is shown: between samples, around them, over a teleport, and in an engine's units.

use async_replay::{FRAME_UNITS, Facing, Player, Rotation, Run, Sample, Speed};

use crate::{made, run, sample};

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

//! The player against the model, over any run and anything that is done to it.

use async_replay::{
    Edge, FRAME_UNITS, Facing, Mark, MarkKind, Player, Pose, Precision, Rotation, Run, Sample,
    SampleSchema, Speed, TrackSchema,
};
use proptest::{collection::vec, prelude::*};

use crate::{
    made,
    model::{Model, TICKS},
};

#[derive(Debug, Clone, Copy)]
enum Act {
    /// So many eighths of a frame.
    Advance(u64),
    /// So many frames.
    Step(i32),
    Seek(u32),
    /// In quarters of the normal speed.
    Speed(i32),
    Pause(bool),
    Repeat(bool),
    Mark(bool),
    Restart,
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        8 => (0..40_u64).prop_map(Act::Advance),
        1 => (0..900_u64).prop_map(Act::Advance),
        2 => (-3..=3).prop_map(Act::Step),
        2 => (0..30_u32).prop_map(Act::Seek),
        3 => (-32..=32).prop_map(Act::Speed),
        1 => any::<bool>().prop_map(Act::Pause),
        2 => any::<bool>().prop_map(Act::Repeat),
        1 => any::<bool>().prop_map(Act::Mark),
        1 => Just(Act::Restart),
    ]
}

fn samples(
    frames: u32,
    rotation: impl Strategy<Value = Rotation>,
) -> impl Strategy<Value = Vec<Sample>> {
    let one = (
        0..=frames,
        [-90..90, -9..9, 0..1],
        rotation,
        any::<i32>(),
        0..4_u8,
    );
    vec(one, 0..8).prop_map(|mut list| {
        list.sort_by_key(|one| one.0);
        list.dedup_by_key(|one| one.0);
        let sample = |(frame, position, rotation, channel, teleport)| Sample {
            frame,
            position,
            rotation,
            channels: [channel, 0, 0, 0, 0, 0, 0, 0],
            teleport: teleport == 0,
        };
        list.into_iter().map(sample).collect()
    })
}

/// Short runs, so that their ends and marks are met often.
fn run() -> impl Strategy<Value = Run> {
    (0..25_u32).prop_flat_map(|frames| {
        let marks = vec(0..=frames, 0..7);
        let yaws = samples(frames, (0..360).prop_map(Rotation::Yaw));
        let parts = [-90_000..90_000, -90_000..90_000, -9..9, -90_000..90_000_i32];
        let quaternions = samples(frames, parts.prop_map(Rotation::Quaternion));
        (marks, yaws, quaternions).prop_map(move |(mut marks, yaws, quaternions)| {
            let mut run = made::plain_run(frames, 3);
            run.header.samples = Some(SampleSchema {
                rate_hz: 10,
                tracks: vec![TrackSchema::flat("flat"), TrackSchema::solid("solid")],
                precision: Precision::Default,
            });
            run.tracks = vec![yaws, quaternions];
            marks.sort_unstable();
            let mark = |(value, frame): (usize, &u32)| Mark {
                frame: *frame,
                kind: MarkKind::Lap,
                value: value as i64,
            };
            run.marks = marks.iter().enumerate().map(mark).collect();
            run
        })
    })
}

/// Does the same to both; what each says of it is equal.
fn act_on(player: &mut Player, model: &mut Model, act: Act) {
    match act {
        Act::Advance(eighths) => {
            let speed = if model.paused { 0 } else { model.speed };
            let moved = model.walk(eighths as i64 * speed);
            assert_eq!(player.advance(eighths * FRAME_UNITS / 8), moved);
        }
        Act::Step(frames) => {
            let from =
                model.tick.div_euclid(TICKS) + i64::from(frames < 0 && model.tick % TICKS != 0);
            let ticks = if frames == 0 {
                0
            } else {
                (from + i64::from(frames)) * TICKS - model.tick
            };
            let moved = model.walk(ticks);
            assert_eq!(player.step(frames), moved);
        }
        Act::Seek(frame) => {
            model.put(i64::from(frame) * TICKS);
            player.seek(frame);
        }
        Act::Speed(quarters) => {
            model.speed = i64::from(quarters);
            player.set_speed(Speed::fixed(quarters * 16_384));
        }
        Act::Pause(pause) => {
            model.paused = pause;
            if pause {
                player.pause()
            } else {
                player.resume()
            }
        }
        Act::Repeat(repeat) => {
            model.repeat = repeat;
            player.set_repeat(repeat);
        }
        Act::Mark(true) => assert_eq!(player.seek_next_mark(|_| true), model.seek_mark(true)),
        Act::Mark(false) => assert_eq!(player.seek_previous_mark(|_| true), model.seek_mark(false)),
        Act::Restart => {
            model.put(-i64::from(model.offset) * TICKS);
            player.restart();
        }
    }
}

fn frames(player: &Player) -> Vec<i64> {
    let mut list = Vec::new();
    for stretch in player.stretches() {
        let frames = stretch.frames().map(i64::from);
        if stretch.is_backwards() {
            list.extend(frames.rev());
        } else {
            list.extend(frames);
        }
    }
    list
}

fn values(player: &Player) -> Vec<i64> {
    player.crossed().map(|mark| mark.value).collect()
}

/// The pose by looking at every sample, with floats.
fn check_pose(pose: Option<Pose>, samples: &[Sample], tick: i64) {
    let at = |sample: &Sample| i64::from(sample.frame) * TICKS;
    let last = samples
        .iter()
        .rfind(|sample| at(sample) <= tick.max(0))
        .or(samples.first());
    let (Some(last), Some(pose)) = (last, pose) else {
        return assert_eq!((last, pose), (None, None));
    };
    let next = samples
        .iter()
        .find(|sample| at(sample) > tick.max(at(last)));
    let next = next
        .filter(|next| !next.teleport && tick > at(last))
        .unwrap_or(last);
    let part = (tick - at(last)) as f64 / (at(next) - at(last)).max(1) as f64;
    let part = if next == last { 0.0 } else { part };
    for axis in 0..3 {
        let [from, to] = [last, next].map(|sample| f64::from(sample.position[axis]));
        let expected = (from + (to - from) * part) * 65_536.0;
        assert!((pose.position[axis] as f64 - expected).abs() <= 0.51);
    }
    assert_eq!(pose.channels, last.channels);
    match (pose.facing, last.rotation, next.rotation) {
        (Facing::Yaw(yaw), Rotation::Yaw(from), Rotation::Yaw(to)) => {
            let arc = f64::from((to - from + 179).rem_euclid(360) - 179);
            let off = f64::from(yaw) / 65_536.0 - f64::from(from) - arc * part;
            assert!(
                ((off + 180.0).rem_euclid(360.0) - 180.0).abs() < 1e-5,
                "{off}"
            );
        }
        (Facing::Quaternion(parts), Rotation::Quaternion(from), Rotation::Quaternion(to)) => {
            let [from, to] = [from, to].map(unit);
            let dot: f64 = from.iter().zip(&to).map(|(a, b)| a * b).sum();
            let to = to.map(|part| if dot < 0.0 { -part } else { part });
            let mixed = std::array::from_fn(|i| from[i] + (to[i] - from[i]) * part);
            let [expected, shown] = [unit64(mixed), unit(parts)];
            let apart = expected.iter().zip(&shown).map(|(a, b)| (a - b).abs());
            // Half a turn has two shorter ways, as near as it can be told.
            let far = apart.fold(0.0, f64::max);
            assert!(far < 1e-4 || dot.abs() < 1e-6, "{shown:?} for {expected:?}");
        }
        other => panic!("{other:?}"),
    }
}

fn unit(parts: [i32; 4]) -> [f64; 4] {
    unit64(parts.map(f64::from))
}

fn unit64(parts: [f64; 4]) -> [f64; 4] {
    let length = parts.iter().map(|part| part * part).sum::<f64>().sqrt();
    if length == 0.0 {
        [0.0, 0.0, 0.0, 1.0]
    } else {
        parts.map(|part| part / length)
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        cases: 512,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_player_does_what_the_model_does(
        run in run(),
        offset in prop_oneof![Just(0), -9..9],
        acts in vec(act(), 1..60),
    ) {
        let mut model = Model::new(run.clone(), offset);
        let mut player = Player::with_offset(run, offset);
        for act in acts {
            if matches!(act, Act::Speed(_) | Act::Pause(_) | Act::Repeat(_)) {
                act_on(&mut player, &mut model, act);
                continue;
            }
            act_on(&mut player, &mut model, act);
            prop_assert_eq!(player.position(), model.tick * (FRAME_UNITS as i64 / TICKS));
            prop_assert_eq!(values(&player), &model.crossed[..], "{:?}", act);
            prop_assert_eq!(frames(&player), &model.frames[..], "{:?}", act);
            prop_assert_eq!(player.ended(), model.told == Some(Edge::End));
            for track in 0..2 {
                check_pose(player.pose(track), &model.run.tracks[track], model.tick);
            }
            let frame = u32::try_from(model.tick.div_euclid(TICKS)).ok();
            let inputs = frame.map(|frame| model.run.inputs.frame(frame));
            prop_assert_eq!(player.input(0), inputs.and_then(<[_]>::first));
        }
    }

    #[test]
    fn portions_and_speeds_add_up_exactly(
        run in run(),
        repeat: bool,
        from in 0..25_u32,
        parts in vec((0..200_000_u64, -524_288..=524_288_i32), 1..20),
    ) {
        let mut player = Player::new(run.clone());
        player.set_repeat(repeat);
        player.seek(from);
        let mut exact = i128::from(from.min(run.end.frames)) << 32;
        let length = i128::from(run.end.frames) << 32;
        for (elapsed, speed) in parts {
            player.set_speed(Speed::fixed(speed));
            player.advance(elapsed);
            exact += i128::from(elapsed) * i128::from(speed);
            exact = match repeat && length > 0 {
                // The end stays the end until something moves.
                true if elapsed > 0 && speed != 0 => exact.rem_euclid(length),
                true => exact,
                false => exact.clamp(0, length),
            };
            prop_assert_eq!(i128::from(player.position()), exact >> 16);
        }
    }

    #[test]
    fn wherever_a_frame_was_come_from_it_shows_the_same(
        run in run(),
        steps in vec((0..25_u32, 1..300_000_u64), 1..12),
    ) {
        let show = |player: &Player| (player.pose(0), player.pose(1), player.input(0).copied());
        let (mut moving, mut fresh) = (Player::new(run.clone()), Player::new(run));
        for (frame, elapsed) in steps {
            fresh.seek(frame);
            let shown = show(&fresh);
            let there = i64::from(fresh.frame()) << 16;
            // Played there from where it is, in portions, whichever way that is.
            while moving.position() != there {
                let way = there - moving.position();
                moving.set_speed(Speed::fixed(65_536 * way.signum() as i32));
                moving.advance(elapsed.min(way.unsigned_abs()));
            }
            prop_assert_eq!(show(&moving), shown);
        }
    }
}

//! Where a ghost is between two samples: positions go straight, rotations the short way round, and
//! a teleport does not glide.

pub use async_replay::CHANNELS_MAX;

/// A transform as a host reads it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose {
    /// Metres; `z` is 0 on a two-dimensional track.
    pub position: [f32; 3],
    /// A unit quaternion `x, y, z, w`; a yaw turns about `z`.
    pub rotation: [f32; 4],
    /// The yaw in radians, -π..=π, where the track records one.
    pub yaw: f32,
    /// Whether the track is two-dimensional, so that `yaw` says all of its rotation.
    pub flat: bool,
    /// Extra channels, in the order of the schema; they are states, so they do not glide.
    pub channels: [i32; CHANNELS_MAX],
}

/// A pose at a frame of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Key {
    pub(crate) frame: u32,
    pub(crate) pose: Pose,
    /// It was not reached by moving there.
    pub(crate) teleport: bool,
}

/// The pose at `frame` (whole and part) of a track whose keys are in order; none without keys.
pub(crate) fn at(keys: &[Key], frame: f64) -> Option<Pose> {
    let after = keys.partition_point(|key| f64::from(key.frame) <= frame);
    let Some(before) = after.checked_sub(1).map(|index| &keys[index]) else {
        return keys.first().map(|key| key.pose);
    };
    let Some(next) = keys.get(after).filter(|next| !next.teleport) else {
        return Some(before.pose);
    };
    let span = f64::from(next.frame) - f64::from(before.frame);
    #[allow(
        clippy::cast_possible_truncation,
        reason = "a part of one, for showing"
    )]
    let part = ((frame - f64::from(before.frame)) / span) as f32;
    Some(between(&before.pose, &next.pose, part))
}

/// A yaw as a quaternion and as an angle in -π..=π.
pub(crate) fn of_yaw(radians: f32) -> ([f32; 4], f32) {
    let (sin, cos) = (radians / 2.0).sin_cos();
    ([0.0, 0.0, sin, cos], wrap(radians))
}

fn between(a: &Pose, b: &Pose, part: f32) -> Pose {
    Pose {
        position: std::array::from_fn(|i| lerp(a.position[i], b.position[i], part)),
        rotation: turn(a.rotation, b.rotation, part),
        yaw: yaw_between(a.yaw, b.yaw, part),
        flat: a.flat,
        channels: a.channels,
    }
}

fn lerp(a: f32, b: f32, part: f32) -> f32 {
    a + (b - a) * part
}

/// Between two angles in radians, through the smaller of the two arcs; the result is in -π..=π.
fn yaw_between(a: f32, b: f32, part: f32) -> f32 {
    wrap(a + wrap(b - a) * part)
}

fn wrap(radians: f32) -> f32 {
    use std::f32::consts::{PI, TAU};
    (radians + PI).rem_euclid(TAU) - PI
}

/// Between two unit quaternions; `q` and `-q` are the same rotation, so the nearer is taken.
fn turn(a: [f32; 4], b: [f32; 4], part: f32) -> [f32; 4] {
    let dot: f32 = (0..4).map(|i| a[i] * b[i]).sum();
    let sign = if dot < 0.0 { -1.0 } else { 1.0 };
    let mixed: [f32; 4] = std::array::from_fn(|i| lerp(a[i], b[i] * sign, part));
    let length = mixed.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length < 1e-6 {
        a
    } else {
        mixed.map(|x| x / length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(frame: u32, degrees: f32, x: f32) -> Key {
        let yaw = degrees.to_radians();
        let rotation = [0.0, 0.0, (yaw / 2.0).sin(), (yaw / 2.0).cos()];
        let pose = Pose {
            position: [x, 0.0, 0.0],
            rotation,
            yaw,
            ..Pose::default()
        };
        Key {
            frame,
            pose,
            teleport: false,
        }
    }

    fn degrees_at(keys: &[Key], frame: f64) -> (f32, f32) {
        let pose = at(keys, frame).unwrap();
        let quaternion = 2.0 * pose.rotation[2].atan2(pose.rotation[3]);
        (pose.yaw.to_degrees(), quaternion.to_degrees())
    }

    #[test]
    fn case_g1_rotations_take_the_short_way() {
        let keys = [key(0, 358.0, 0.0), key(10, 2.0, 0.0)];
        for tenth in 0..=10_u8 {
            let (yaw, quaternion) = degrees_at(&keys, f64::from(tenth));
            let expected = -2.0 + 0.4 * f32::from(tenth);
            assert!((yaw - expected).abs() < 0.01, "yaw {yaw} at {tenth}");
            let turned = (quaternion + 180.0).rem_euclid(360.0) - 180.0;
            assert!(
                (turned - expected).abs() < 0.05,
                "quaternion {quaternion} at {tenth}"
            );
        }
    }

    #[test]
    fn case_g1_the_sign_of_a_quaternion_does_not_matter() {
        let (a, mut b) = (key(0, 10.0, 0.0), key(10, 20.0, 0.0));
        let straight = at(&[a, b], 5.0).unwrap();
        b.pose.rotation = b.pose.rotation.map(|x| -x);
        let flipped = at(&[a, b], 5.0).unwrap();
        for i in 0..4 {
            assert!((straight.rotation[i] - flipped.rotation[i]).abs() < 1e-6);
        }
    }

    #[test]
    fn a_teleport_does_not_glide_and_the_ends_hold() {
        let mut keys = [key(10, 0.0, 1.0), key(20, 0.0, 3.0), key(30, 0.0, 100.0)];
        keys[2].teleport = true;
        let x = |frame| at(&keys, frame).unwrap().position[0];
        assert_eq!(
            (x(0.0), x(15.0), x(29.9), x(30.0), x(99.0)),
            (1.0, 2.0, 3.0, 100.0, 100.0)
        );
        assert_eq!(at(&[], 1.0), None);
    }
}

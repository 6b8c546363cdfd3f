//! What a track shows between two samples: positions go straight, rotations the short way round,
//! channels hold, and a teleport does not glide. Integers alone, so that it is the same everywhere.

use crate::{CHANNELS_MAX, Precision, QUATERNION_MAX, QUATERNION_UNIT, Rotation, Sample};

/// Bits behind the point of a pose's positions and yaws: parts of a grid step.
pub(super) const STEP_BITS: u32 = 16;
/// Bits of a 1 while a quaternion is turned, and of the part of the way.
const FINE_BITS: u32 = 30;

/// Where a track is shown. Positions and yaws are in 1/65,536 of the steps of its run's grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pose {
    /// The grid.
    pub precision: Precision,
    /// In 1/65,536 grid steps; the third is 0 in a track of two dimensions.
    pub position: [i64; 3],
    /// How it is turned.
    pub facing: Facing,
    /// The extra channels of the last sample: they are states, so nothing lies between two.
    pub channels: [i32; CHANNELS_MAX],
}

/// How a track is turned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Facing {
    /// In 1/65,536 yaw steps, from 0 up to a whole turn.
    Yaw(i32),
    /// x, y, z, w, as a sample has them: each within ±[`QUATERNION_MAX`].
    Quaternion([i32; 4]),
}

impl Pose {
    /// What a sample says, as it is.
    fn of(sample: &Sample, precision: Precision) -> Self {
        Self {
            precision,
            position: sample.position.map(|steps| i64::from(steps) << STEP_BITS),
            facing: match sample.rotation {
                Rotation::Yaw(steps) => Facing::Yaw(turned_yaw(steps, 0, PART_NONE, precision)),
                Rotation::Quaternion(parts) => Facing::Quaternion(parts),
            },
            channels: sample.channels,
        }
    }
}

/// A part of the way between two samples.
#[derive(Debug, Clone, Copy)]
struct Part {
    done: i128,
    whole: i128,
}

const PART_NONE: Part = Part { done: 0, whole: 1 };

impl Part {
    /// So much of a distance, to the nearest.
    fn of(self, distance: i128) -> i128 {
        (2 * distance * self.done + self.whole).div_euclid(2 * self.whole)
    }
}

/// The pose at `position`, in 1/65,536 frames, of a track of which `past` samples are not later.
/// Before the first sample it is the first one's, after the last the last one's; nothing without.
pub(super) fn at(
    samples: &[Sample],
    past: usize,
    position: i64,
    precision: Precision,
) -> Option<Pose> {
    let Some(last) = past.checked_sub(1).and_then(|place| samples.get(place)) else {
        return Some(Pose::of(samples.first()?, precision));
    };
    let pose = Pose::of(last, precision);
    let Some(next) = samples.get(past).filter(|next| !next.teleport) else {
        return Some(pose);
    };
    let part = Part {
        done: i128::from(position) - (i128::from(last.frame) << STEP_BITS),
        whole: (i128::from(next.frame) - i128::from(last.frame)) << STEP_BITS,
    };
    // On a sample it is the sample, to the bit.
    if part.done <= 0 || part.done >= part.whole {
        return Some(pose);
    }
    Some(between(pose, last, next, part))
}

fn between(pose: Pose, last: &Sample, next: &Sample, part: Part) -> Pose {
    let precision = pose.precision;
    let place = |axis: usize| {
        let distance = i128::from(next.position[axis]) - i128::from(last.position[axis]);
        pose.position[axis] + part.of(distance << STEP_BITS) as i64
    };
    Pose {
        position: [place(0), place(1), place(2)],
        facing: match (last.rotation, next.rotation) {
            (Rotation::Yaw(from), Rotation::Yaw(to)) => Facing::Yaw(turned_yaw(
                from,
                i64::from(to) - i64::from(from),
                part,
                precision,
            )),
            (Rotation::Quaternion(from), Rotation::Quaternion(to)) => {
                Facing::Quaternion(turned(from, to, part))
            }
            _ => pose.facing,
        },
        ..pose
    }
}

/// A part of a turn from a yaw, by the smaller of the two arcs; half a turn goes with growing yaw.
fn turned_yaw(from: i32, by: i64, part: Part, precision: Precision) -> i32 {
    let turn = i64::from(precision.yaw_steps());
    let half = turn / 2;
    let arc = half - (half - by).rem_euclid(turn);
    let yaw = (i128::from(from) << STEP_BITS) + part.of(i128::from(arc) << STEP_BITS);
    // Below 1,800 steps of 16 bits.
    yaw.rem_euclid(i128::from(turn) << STEP_BITS) as i32
}

/// A part of the way between two rotations, straight and made as long as it was. Of `to` and its
/// opposite, which is the same rotation, the nearer is taken.
fn turned(from: [i32; 4], to: [i32; 4], part: Part) -> [i32; 4] {
    let (from, to) = (
        scaled(from.map(i64::from), 1 << FINE_BITS),
        scaled(to.map(i64::from), 1 << FINE_BITS),
    );
    let dot: i64 = (from.iter().zip(&to))
        .map(|(a, b)| (a * b) >> FINE_BITS)
        .sum();
    // At most 2^30, as both are within the way.
    let done = part.of(1 << FINE_BITS) as i64;
    let mixed = [0, 1, 2, 3].map(|axis| {
        let to = if dot < 0 { -to[axis] } else { to[axis] };
        (from[axis] * ((1 << FINE_BITS) - done) + to * done) >> FINE_BITS
    });
    let most = i64::from(QUATERNION_MAX);
    scaled(mixed, QUATERNION_UNIT.into()).map(|part| part.clamp(-most, most) as i32)
}

/// The same direction, `length` long, which is at most 2^30; no turn at all for one of length 0.
fn scaled(parts: [i64; 4], length: i64) -> [i64; 4] {
    let largest = parts
        .iter()
        .fold(0, |most, part| part.unsigned_abs() | most);
    if largest == 0 {
        return [0, 0, 0, length];
    }
    // All bits that there is room for: short ones would have a root of too few digits.
    let bits = u64::BITS - largest.leading_zeros();
    let wide = match FINE_BITS.checked_sub(bits) {
        Some(up) => parts.map(|part| part << up),
        None => parts.map(|part| part >> (bits - FINE_BITS)),
    };
    let square: u64 = wide.iter().map(|part| part.unsigned_abs().pow(2)).sum();
    let now = square.isqrt() as i64;
    wide.map(|part| (2 * part * length + now).div_euclid(2 * now))
}

//! Rotations as steps of a lattice from the rotation before.
//!
//! A turn is the vector part of a quaternion. Its lattice is body-centred cubic: three whole
//! numbers, all even or all odd, times a step. Of all lattices it needs the fewest points for a
//! turn to be near one.

use crate::Precision;

/// A turn on the lattice: three even or three odd numbers.
pub(crate) type Turn = [i32; 3];

/// A quaternion's 1, as a power of two.
pub(crate) const UNIT_BITS: u32 = 17;
const UNIT: i64 = 1 << UNIT_BITS;

/// The step of the lattice. No turn of up to 20° is further than 1.118 steps from a point of it,
/// and so within the tolerance: 114.4, 571.9 and 1,143.8 of the unit.
pub(crate) fn step(precision: Precision) -> i32 {
    match precision {
        Precision::Fine => 100,
        Precision::Default => 500,
        Precision::Tiny => 1_000,
    }
}

/// The rotation that a turn leads to, made length 1 again; `None` for more than half a turn.
pub(crate) fn turned(from: [i32; 4], turn: Turn, step: i32) -> Option<[i32; 4]> {
    let part = |part: i32| i64::from(part).saturating_mul(i64::from(step));
    let [x, y, z] = turn.map(part);
    let rest = [x, y, z].iter().try_fold(UNIT * UNIT, |rest, part| {
        rest.checked_sub(part.checked_mul(*part)?)
    })?;
    let w = u64::try_from(rest).ok()?.isqrt() as i64;
    let parts = product(from.map(i64::from), [x, y, z, w]);
    let square: i64 = parts.iter().map(|part| part * part).sum();
    let scale = 3 * UNIT * UNIT - square;
    let scaled = |part: i64| (part * scale + UNIT * UNIT) >> (2 * UNIT_BITS + 1);
    let most = UNIT - 1;
    Some(parts.map(|part| scaled(part).clamp(-most, most) as i32))
}

/// The turn between two rotations, if it is on the lattice.
pub(crate) fn turn(from: [i32; 4], to: [i32; 4], step: i32) -> Option<Turn> {
    let [x, y, z, w] = from.map(i64::from);
    let [x, y, z, _] = product([-x, -y, -z, w], to.map(i64::from));
    let half = i64::from(step / 2);
    let found = [x, y, z].map(|part| (part + half).div_euclid(i64::from(step)) as i32);
    let exact = on_lattice(found) && turned(from, found, step) == Some(to);
    exact.then_some(found)
}

/// Whether all three are even or all three are odd.
pub(crate) fn on_lattice([x, y, z]: Turn) -> bool {
    (x ^ y) & 1 == 0 && (x ^ z) & 1 == 0
}

/// The product of two quaternions (x, y, z, w), in the same unit as they are.
fn product(a: [i64; 4], b: [i64; 4]) -> [i64; 4] {
    let [ax, ay, az, aw] = a;
    let [bx, by, bz, bw] = b;
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
    .map(|part| (part + UNIT / 2) >> UNIT_BITS)
}

/// What is left of a turn by the time of the next, of 16: bodies come to rest, and hands correct.
const KEPT: i64 = 11;

/// The turn to expect in `frames` after one in `frames_before`: the nearest point of the lattice.
pub(crate) fn expected(turn: Turn, frames: u32, frames_before: u32) -> Turn {
    // In sixteenths.
    let wanted = turn.map(|part| {
        let kept = KEPT * i64::from(part);
        if frames == frames_before {
            kept
        } else {
            kept * i64::from(frames) / i64::from(frames_before.max(1))
        }
    });
    let even = wanted.map(|part| 2 * ((part + 16) >> 5));
    let odd = wanted.map(|part| 2 * (part >> 5) + 1);
    let far = |to: [i64; 3]| -> i64 {
        let each = to.iter().zip(&wanted);
        each.map(|(to, wanted)| (16 * to - wanted).pow(2)).sum()
    };
    let nearest = if far(even) <= far(odd) { even } else { odd };
    nearest.map(|part| part as i32)
}

//! Rotations as steps of a lattice from the rotation before.
//!
//! A turn is the vector part of a quaternion. Its lattice is body-centred cubic: three whole
//! numbers, all even or all odd, times a step. Of all lattices it needs the fewest points for a
//! turn to be near one.

use crate::{Precision, s1::trend::moved};

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

/// The way from one rotation to another, as a quaternion that turns vectors of the world.
pub(super) fn swing(from: [i32; 4], to: [i32; 4]) -> [i64; 4] {
    let [x, y, z, w] = from.map(i64::from);
    product(to.map(i64::from), [-x, -y, -z, w])
}

/// No swing at all.
pub(super) const STILL: [i64; 4] = [0, 0, 0, UNIT];

/// What a swing adds to a vector of less than 2^28: twice w (v × a) + v × (v × a).
pub(super) fn swung([x, y, z, w]: [i64; 4], vector: [i64; 3]) -> [i64; 3] {
    let cross = |[a, b, c]: [i64; 3]| [y * c - z * b, z * a - x * c, x * b - y * a];
    let first = cross(vector).map(|part| (part + UNIT / 2) >> UNIT_BITS);
    let second = cross(first);
    [0, 1, 2].map(|axis| (w * first[axis] + second[axis] + UNIT / 4) >> (UNIT_BITS - 1))
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

/// The turn to expect, in sixteenths, in `frames` after one in `frames_before`.
pub(crate) fn expected(turn: Turn, frames: u32, frames_before: u32) -> [i64; 3] {
    turn.map(|part| moved(KEPT * i64::from(part), frames, frames_before))
}

/// The point of the lattice nearest to sixteenths, among the even or the odd ones.
pub(super) fn nearest(sixteenths: [i64; 3], odd: bool) -> [i64; 3] {
    let odd = i64::from(odd);
    sixteenths.map(|part| 2 * ((part - 16 * odd + 16) >> 5) + odd)
}

/// Whether the nearest point of the lattice is an odd one.
pub(super) fn nearest_is_odd(sixteenths: [i64; 3]) -> bool {
    let far = |odd: bool| -> i64 {
        let each = nearest(sixteenths, odd).into_iter().zip(sixteenths);
        each.map(|(to, exact)| (16 * to - exact).pow(2)).sum()
    };
    far(true) < far(false)
}

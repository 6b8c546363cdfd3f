//! Puts one rotation after another on the grid, each where it costs the fewest bytes.

use crate::{
    Error, Precision,
    s1::lattice::{self, Turn},
    sample::{nearest_quaternion, unit_quaternion},
};

/// Chooses the grid quaternions of one track as it is recorded. Each is within the tolerance of
/// the precision, which is checked, and a whole turn on the lattice of `FORMAT.md` away from the
/// one before wherever there is such a one; other quaternions cost several times the bytes.
#[derive(Debug, Clone)]
pub struct Quantiser {
    precision: Precision,
    last: Option<[i32; 4]>,
    turn: Turn,
}

impl Quantiser {
    /// For a track that starts, or starts anew after a jump.
    pub fn new(precision: Precision) -> Self {
        Self {
            precision,
            last: None,
            turn: [0; 3],
        }
    }

    /// The track jumps: the next sample follows from nothing.
    pub fn restart(&mut self) {
        *self = Self::new(self.precision);
    }

    /// The grid quaternion (x, y, z, w) of the next sample, for any non-zero one. `bad_sample` if
    /// its length is zero or not a number.
    pub fn rotation(&mut self, xyzw: [f32; 4]) -> Result<[i32; 4], Error> {
        let wanted = unit_quaternion(xyzw)?;
        let near = self.last.and_then(|last| self.cheapest(last, wanted));
        let (steps, turn) = match near {
            Some(near) => near,
            None => (self.first(wanted), [0; 3]),
        };
        (self.last, self.turn) = (Some(steps), turn);
        Ok(steps)
    }

    /// The nearest of the two that mean the same: the one like the last, or of positive w.
    fn first(&self, wanted: [f64; 4]) -> [i32; 4] {
        let steps = nearest_quaternion(wanted);
        let like = self.last.unwrap_or([0, 0, 0, 1]);
        let dot: i64 = (steps.iter().zip(&like))
            .map(|(a, b)| i64::from(*a) * i64::from(*b))
            .sum();
        if dot < 0 {
            steps.map(|part| -part)
        } else {
            steps
        }
    }

    /// Of the turns that lead within the tolerance, the one nearest to what is expected.
    fn cheapest(&self, last: [i32; 4], wanted: [f64; 4]) -> Option<([i32; 4], Turn)> {
        let step = lattice::step(self.precision);
        let expected = lattice::expected(self.turn, 1, 1);
        let [x, y, z, _] = way(last.map(f64::from), wanted);
        let exact = [x, y, z].map(|part| part / f64::from(step));
        let mut best: Option<(i64, f64, [i32; 4], Turn)> = None;
        for corner in 0..16_i32 {
            // Along each axis, the nearest number of the corner's parity below and above.
            let place = |axis: usize| {
                let parity = corner & 1;
                let below = ((exact[axis] - f64::from(parity)) / 2.0).floor() as i32;
                2 * (below + (corner >> (axis + 1) & 1)) + parity
            };
            let turn = [place(0), place(1), place(2)];
            let Some(steps) = lattice::turned(last, turn, step) else {
                continue;
            };
            let error = self.precision.error_of(steps, wanted);
            let cost = cost(turn, expected);
            let better = best.is_none_or(|(least, off, ..)| (cost, error) < (least, off));
            if error <= 1.0 && better {
                best = Some((cost, error, steps, turn));
            }
        }
        best.map(|(_, _, steps, turn)| (steps, turn))
    }
}

/// Grows with the bytes that a turn costs: each axis costs as much as its difference has digits.
fn cost(turn: Turn, expected: [i64; 3]) -> i64 {
    let each = turn.iter().zip(&expected);
    each.map(|(turn, expected)| 16 + (16 * i64::from(*turn) - expected).abs())
        .product()
}

/// The turn from one quaternion to another, on the shorter of both ways.
fn way(from: [f64; 4], to: [f64; 4]) -> [f64; 4] {
    let [ax, ay, az, aw] = from;
    let [bx, by, bz, bw] = to;
    let way = [
        aw * bx - ax * bw - ay * bz + az * by,
        aw * by + ax * bz - ay * bw - az * bx,
        aw * bz - ax * by + ay * bx - az * bw,
        aw * bw + ax * bx + ay * by + az * bz,
    ];
    if way[3] < 0.0 {
        way.map(|part| -part)
    } else {
        way
    }
}

impl Precision {
    /// How far a grid quaternion is from a unit quaternion, where 1 is the tolerance: the square
    /// of the sine of half the angle between them, over that of the tolerance.
    fn error_of(self, steps: [i32; 4], unit: [f64; 4]) -> f64 {
        let steps = steps.map(f64::from);
        let length: f64 = steps.iter().map(|part| part * part).sum();
        let [x, y, z, _] = way(steps, unit);
        (x * x + y * y + z * z) / length / self.turn_tolerance()
    }

    /// The square of the sine of half of 0.1°, 0.5° and 1°, and a ten-thousandth less: poses are
    /// shown in f32.
    fn turn_tolerance(self) -> f64 {
        match self {
            Self::Fine => 7.614_7e-7,
            Self::Default => 1.903_67e-5,
            Self::Tiny => 7.614_59e-5,
        }
    }
}

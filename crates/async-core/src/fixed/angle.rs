//! Angles and the two tables behind them.

use core::ops::{Add, Sub};

use super::{Fixed, Vec2};

/// An angle in 1/65536 of a turn, from +x towards +y (clockwise on a screen whose y grows down).
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug)]
pub struct Angle(u16);

impl Angle {
    /// A quarter of a turn: +y.
    pub const QUARTER: Self = Self(1 << 14);
    /// Half a turn: −x.
    pub const HALF: Self = Self(1 << 15);

    /// The angle of so many 1/65536 of a turn.
    #[must_use]
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    /// How many 1/65536 of a turn.
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Its sine, to within 1/65536.
    #[must_use]
    #[inline]
    pub fn sin(self) -> Fixed {
        let within = i32::from(self.0 & 0x3FFF);
        let rising = if self.0 & 0x4000 == 0 {
            within
        } else {
            0x4000 - within
        };
        let size = quarter_sine(rising as usize);
        Fixed::from_bits(if self.0 & 0x8000 == 0 { size } else { -size })
    }

    /// Its cosine, to within 1/65536.
    #[must_use]
    #[inline]
    pub fn cos(self) -> Fixed {
        (self + Self::QUARTER).sin()
    }

    /// The unit vector that points there.
    #[must_use]
    #[inline]
    pub fn direction(self) -> Vec2 {
        Vec2::new(self.cos(), self.sin())
    }

    /// Where the vector (x, y) points, to within 1/32768 of a turn; 0 for the zero vector. Any
    /// two numbers of one scale will do.
    #[must_use]
    pub fn of(x: i32, y: i32) -> Self {
        let (across, along) = (y.unsigned_abs(), x.unsigned_abs());
        let (small, large) = if across <= along {
            (across, along)
        } else {
            (along, across)
        };
        if large == 0 {
            return Self(0);
        }
        let eighth = eighth_arctangent(small, large);
        let quarter = if across <= along {
            eighth
        } else {
            0x4000 - eighth
        };
        let half = if x >= 0 { quarter } else { 0x8000 - quarter };
        Self((if y >= 0 { half } else { -half }) as u16)
    }

    /// The shortest way from here to `other`, in 1/65536 of a turn, −32768..=32767.
    #[must_use]
    pub const fn to(self, other: Self) -> i32 {
        other.0.wrapping_sub(self.0) as i16 as i32
    }

    /// Exactly this angle in turns, for drawing. Nothing of it may return to a simulation.
    #[must_use]
    #[allow(
        clippy::float_arithmetic,
        reason = "leaves the simulation, and is exact"
    )]
    pub fn to_turns(self) -> f64 {
        f64::from(self.0) / 65_536.0
    }
}

impl Add for Angle {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

impl Sub for Angle {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
}

/// Steps of each table; between them it is read along straight lines.
const STEPS: usize = 256;
/// Sines over a quarter turn, with 16 fractional bits.
const SINE: [i32; STEPS + 1] = sine_table();
/// Arctangents of 0..=1, in 1/65536 of a turn with 8 fractional bits.
const ARCTANGENT: [i32; STEPS + 1] = arctangent_table();

#[inline]
fn quarter_sine(at: usize) -> i32 {
    let (step, part) = (at >> 6, (at & 63) as i32);
    let here = SINE[step];
    let next = SINE[(step + 1).min(STEPS)];
    here + (((next - here) * part + 32) >> 6)
}

/// The arctangent of `small / large` (which is at most 1) in 1/65536 of a turn.
#[inline]
fn eighth_arctangent(small: u32, large: u32) -> i32 {
    // Where 32 bits suffice (sticks), dividing them is several times faster, and the same.
    let ratio = if large < 1 << 16 {
        ((small << 16) / large) as usize
    } else {
        ((u64::from(small) << 16) / u64::from(large)) as usize
    };
    let (step, part) = (ratio >> 8, (ratio & 255) as i32);
    let here = ARCTANGENT[step];
    let next = ARCTANGENT[(step + 1).min(STEPS)];
    (here + (((next - here) * part) >> 8) + 128) >> 8
}

// The tables are computed when this crate is compiled, in whole numbers with 60 fractional bits, so
// that they do not depend on anybody's libm.
const FRACTION: u32 = 60;
/// π with 60 fractional bits.
const PI: i128 = 0x3243_F6A8_885A_308D;

const fn sine_table() -> [i32; STEPS + 1] {
    let mut table = [0; STEPS + 1];
    let mut step = 0;
    while step <= STEPS {
        let x = PI * step as i128 / (2 * STEPS as i128);
        // Taylor: x − x³/3! + x⁵/5! − …
        let (mut sum, mut term, mut order) = (0, x, 1);
        while term != 0 {
            sum += term;
            term = -times(times(term, x), x) / ((order + 1) * (order + 2));
            order += 2;
        }
        table[step] = to_nearest(sum, FRACTION - 16);
        step += 1;
    }
    table
}

const fn arctangent_table() -> [i32; STEPS + 1] {
    let mut table = [0; STEPS + 1];
    let mut step = 0;
    while step <= STEPS {
        let x = ((step as i128) << FRACTION) / STEPS as i128;
        let square = times(x, x);
        let one_more = (1 << FRACTION) + square;
        // Euler: Σ tₙ with t₀ = x/(1+x²), tₙ = tₙ₋₁ · 2n/(2n+1) · x²/(1+x²)
        let (mut sum, mut term, mut n) = (0, (x << FRACTION) / one_more, 0);
        while term != 0 {
            sum += term;
            n += 1;
            term = term * square / one_more * (2 * n) / (2 * n + 1);
        }
        // Radians to 1/65536 of a turn with 8 fractional bits.
        let turns = (sum << (16 + 8)) / (PI >> 19);
        table[step] = to_nearest(turns, 20);
        step += 1;
    }
    table
}

const fn times(a: i128, b: i128) -> i128 {
    (a * b) >> FRACTION
}

const fn to_nearest(value: i128, drop: u32) -> i32 {
    ((value + (1 << (drop - 1))) >> drop) as i32
}

#[cfg(test)]
#[allow(
    clippy::float_arithmetic,
    clippy::disallowed_methods,
    reason = "the tables are checked against an independent source"
)]
mod tests {
    use core::f64::consts::TAU;

    use super::*;

    #[test]
    fn sine_and_cosine_agree_with_the_reference_everywhere() {
        for bits in 0..=u16::MAX {
            let radians = f64::from(bits) / 65_536.0 * TAU;
            let angle = Angle::from_bits(bits);
            assert!(
                (angle.sin().to_f64() - radians.sin()).abs() < 1.3 / 65_536.0,
                "sin {bits}"
            );
            assert!(
                (angle.cos().to_f64() - radians.cos()).abs() < 1.3 / 65_536.0,
                "cos {bits}"
            );
        }
    }

    #[test]
    fn the_arctangent_returns_every_direction() {
        for bits in 0..=u16::MAX {
            let radians = f64::from(bits) / 65_536.0 * TAU;
            let (x, y) = ((radians.cos() * 1e9) as i32, (radians.sin() * 1e9) as i32);
            let back = Angle::of(x, y);
            assert!(
                back.to(Angle::from_bits(bits)).abs() <= 2,
                "{bits} became {}",
                back.bits()
            );
        }
    }

    #[test]
    fn the_axes_are_exact_and_the_extremes_do_not_panic() {
        assert_eq!(Angle::of(1, 0).bits(), 0);
        assert_eq!(Angle::of(0, 1), Angle::QUARTER);
        assert_eq!(Angle::of(-1, 0), Angle::HALF);
        assert_eq!(Angle::of(0, -1).bits(), 0xC000);
        assert_eq!(Angle::of(0, 0).bits(), 0);
        assert_eq!(Angle::of(i32::MIN, i32::MIN).bits(), 0xA000);
        assert_eq!(Angle::QUARTER.sin(), Fixed::ONE);
        assert_eq!(Angle::HALF.cos(), -Fixed::ONE);
    }
}

//! Fixed-point maths: Q16.16 numbers in `i32`, products in `i64`, angles as 1/65536 of a turn.
//!
//! Everything wraps where it leaves its range, in debug and release builds alike, so that no input
//! can make two builds differ. The games keep their values far inside of it.

mod angle;
mod vector;

use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

pub use angle::Angle;
pub use vector::Vec2;

/// A number with 16 fractional bits, −32768 to just below 32768.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fixed(i32);

impl Fixed {
    /// How many bits stand behind the point.
    pub const FRACTION_BITS: u32 = 16;
    /// 0.
    pub const ZERO: Self = Self(0);
    /// 1.
    pub const ONE: Self = Self(1 << 16);
    /// 1/2.
    pub const HALF: Self = Self(1 << 15);

    /// The number that is stored as these bits: `bits / 65536`.
    #[must_use]
    pub const fn from_bits(bits: i32) -> Self {
        Self(bits)
    }

    /// The bits that store the number.
    #[must_use]
    pub const fn bits(self) -> i32 {
        self.0
    }

    /// A whole number.
    #[must_use]
    pub const fn from_int(whole: i32) -> Self {
        Self(whole.wrapping_shl(16))
    }

    /// A thousandth of `thousandths`, rounded to nearest: how constants are written down.
    #[must_use]
    pub const fn milli(thousandths: i32) -> Self {
        let bits = thousandths as i64 * 65_536;
        let half = if bits < 0 { -500 } else { 500 };
        Self(((bits + half) / 1000) as i32)
    }

    /// The largest whole number that is not above it.
    #[must_use]
    pub const fn floor(self) -> i32 {
        self.0 >> 16
    }

    /// Its distance from zero.
    #[must_use]
    pub const fn abs(self) -> Self {
        Self(self.0.wrapping_abs())
    }

    const fn widened(self) -> i64 {
        (self.0 as i64) << 16
    }

    /// The nearest number in `low..=high`; `low` if they cross.
    #[must_use]
    pub fn clamp(self, low: Self, high: Self) -> Self {
        self.min(high).max(low)
    }

    /// Exactly this number as a float, for drawing. Nothing of it may return to a simulation.
    #[must_use]
    #[allow(
        clippy::float_arithmetic,
        reason = "leaves the simulation, and is exact"
    )]
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / 65_536.0
    }
}

impl Add for Fixed {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

impl Sub for Fixed {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
}

impl Neg for Fixed {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.wrapping_neg())
    }
}

impl Mul for Fixed {
    type Output = Self;
    /// The product, rounded to nearest (half up), so that friction pulls both ways alike.
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let product = i64::from(self.0) * i64::from(other.0);
        Self(((product + (1 << 15)) >> 16) as i32)
    }
}

impl Div for Fixed {
    type Output = Self;
    /// The quotient, rounded towards zero; by zero it is zero.
    #[inline]
    fn div(self, other: Self) -> Self {
        Self(self.widened().checked_div(i64::from(other.0)).unwrap_or(0) as i32)
    }
}

impl AddAssign for Fixed {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Fixed {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn constants_are_rounded_to_nearest() {
        assert_eq!(Fixed::milli(1000), Fixed::ONE);
        assert_eq!(Fixed::milli(500), Fixed::HALF);
        assert_eq!(Fixed::milli(-500), -Fixed::HALF);
        assert_eq!(Fixed::milli(1).bits(), 66);
        assert_eq!(Fixed::milli(-1).bits(), -66);
        assert_eq!(Fixed::from_int(-3).floor(), -3);
        assert_eq!(Fixed::milli(-1).floor(), -1);
    }

    #[test]
    fn the_edges_wrap_instead_of_panicking() {
        let lowest = Fixed::from_bits(i32::MIN);
        assert_eq!(-lowest, lowest);
        assert_eq!(lowest.abs(), lowest);
        assert_eq!(lowest - Fixed::from_bits(1), Fixed::from_bits(i32::MAX));
        assert_eq!(Fixed::ONE / Fixed::ZERO, Fixed::ZERO);
        let _ = lowest / Fixed::from_bits(-1);
        let _ = lowest * lowest;
    }

    proptest! {
        #[test]
        fn products_are_the_nearest(a in -8_000_000..8_000_000i32, b in -8_000_000..8_000_000i32) {
            let exact = i128::from(a) * i128::from(b);
            let got = i128::from((Fixed::from_bits(a) * Fixed::from_bits(b)).bits());
            prop_assume!(i32::try_from(exact >> 16).is_ok());
            prop_assert!(((got << 16) - exact).abs() <= 1 << 15);
        }
    }
}

//! Vectors in the plane.

use core::ops::{Add, AddAssign, Neg, Sub, SubAssign};

use super::{Angle, Fixed};

/// A vector or a place in the plane: x to the right, y down the screen.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug)]
pub struct Vec2 {
    /// To the right.
    pub x: Fixed,
    /// Down the screen.
    pub y: Fixed,
}

impl Vec2 {
    /// The zero vector.
    pub const ZERO: Self = Self {
        x: Fixed::ZERO,
        y: Fixed::ZERO,
    };

    /// The vector (x, y).
    #[must_use]
    pub const fn new(x: Fixed, y: Fixed) -> Self {
        Self { x, y }
    }

    /// (x, y) in thousandths of a world unit.
    #[must_use]
    pub const fn milli(x: i32, y: i32) -> Self {
        Self {
            x: Fixed::milli(x),
            y: Fixed::milli(y),
        }
    }

    /// The square of its length, with 32 fractional bits.
    #[must_use]
    #[inline(always)]
    pub const fn length_squared(self) -> u64 {
        let (x, y) = (self.x.bits() as i64, self.y.bits() as i64);
        // Two squares of at most 2^62 each.
        (x * x) as u64 + (y * y) as u64
    }

    /// Its length, rounded down.
    #[must_use]
    #[inline]
    pub fn length(self) -> Fixed {
        Fixed::from_bits(self.length_squared().isqrt() as i32)
    }

    /// Whether it is shorter than `limit`, without a square root.
    #[must_use]
    #[inline(always)]
    pub const fn shorter_than(self, limit: Fixed) -> bool {
        let limit = limit.bits() as i64;
        self.length_squared() < (limit * limit) as u64
    }

    /// The scalar product, with 32 fractional bits.
    #[must_use]
    pub const fn dot(self, other: Self) -> i64 {
        let x = self.x.bits() as i64 * other.x.bits() as i64;
        x.wrapping_add(self.y.bits() as i64 * other.y.bits() as i64)
    }

    /// Longer or shorter by a factor.
    #[must_use]
    #[inline(always)]
    pub fn scaled(self, factor: Fixed) -> Self {
        Self {
            x: self.x * factor,
            y: self.y * factor,
        }
    }

    /// The same direction with another length; the zero vector stays.
    #[must_use]
    pub fn with_length(self, length: Fixed) -> Self {
        let now = self.length();
        Self {
            x: ratio(self.x, length, now),
            y: ratio(self.y, length, now),
        }
    }

    /// A quarter turn from +x towards +y.
    #[must_use]
    pub fn turned(self) -> Self {
        Self {
            x: -self.y,
            y: self.x,
        }
    }

    /// Where it points.
    #[must_use]
    pub fn angle(self) -> Angle {
        Angle::of(self.x.bits(), self.y.bits())
    }
}

#[inline]
fn ratio(part: Fixed, length: Fixed, now: Fixed) -> Fixed {
    let product = i64::from(part.bits()) * i64::from(length.bits());
    Fixed::from_bits(product.checked_div(i64::from(now.bits())).unwrap_or(0) as i32)
}

impl Add for Vec2 {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self {
            x: self.x + other.x,
            y: self.y + other.y,
        }
    }
}

impl Sub for Vec2 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self {
            x: self.x - other.x,
            y: self.y - other.y,
        }
    }
}

impl Neg for Vec2 {
    type Output = Self;
    fn neg(self) -> Self {
        Self {
            x: -self.x,
            y: -self.y,
        }
    }
}

impl AddAssign for Vec2 {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Vec2 {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths() {
        let v = Vec2::milli(3000, -4000);
        assert_eq!(v.length(), Fixed::from_int(5));
        assert_eq!(v.with_length(Fixed::from_int(10)), Vec2::milli(6000, -8000));
        assert!(v.shorter_than(Fixed::milli(5001)));
        assert!(!v.shorter_than(Fixed::from_int(5)));
        assert_eq!(Vec2::ZERO.with_length(Fixed::ONE), Vec2::ZERO);
    }

    #[test]
    fn the_extremes_do_not_panic() {
        let lowest = Fixed::from_bits(i32::MIN);
        let corner = Vec2::new(lowest, lowest);
        let _ = (
            corner.length(),
            corner.dot(corner),
            corner.with_length(lowest),
            -corner,
        );
    }
}

//! How fast a run is played.

use core::ops::Neg;

/// Frames of the run per frame that passes, with 16 bits behind the point; below zero the run is
/// played backwards. At most eight times either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Speed(i32);

impl Speed {
    /// Nothing moves.
    pub const STOPPED: Self = Self(0);
    /// As it was played.
    pub const NORMAL: Self = Self(1 << 16);
    /// Eight times as fast.
    pub const FASTEST: Self = Self(8 << 16);

    /// A speed in 1/65,536 of normal; what is faster than the fastest, either way, is the fastest.
    #[must_use]
    pub const fn fixed(units: i32) -> Self {
        let most = Self::FASTEST.0;
        if units > most {
            Self(most)
        } else if units < -most {
            Self(-most)
        } else {
            Self(units)
        }
    }

    /// In 1/65,536 of normal.
    #[must_use]
    pub const fn units(self) -> i32 {
        self.0
    }
}

impl Default for Speed {
    fn default() -> Self {
        Self::NORMAL
    }
}

impl Neg for Speed {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_speed_is_over_eight_times_either_way() {
        assert_eq!(Speed::fixed(i32::MAX), Speed::FASTEST);
        assert_eq!(Speed::fixed(i32::MIN), -Speed::FASTEST);
        assert_eq!(Speed::fixed(-32_768).units(), -32_768);
        assert_eq!(Speed::default(), Speed::fixed(65_536));
    }
}

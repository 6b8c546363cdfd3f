//! Frames a second as an exact ratio.

use crate::Error;

/// Frames a second, a reduced ratio between 10 and 120 (60.0988 Hz exists, so no whole number).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FrameRate {
    numer: u32,
    denom: u32,
}

impl FrameRate {
    /// The slowest rate, in Hz.
    pub const HZ_MIN: u32 = 10;
    /// The fastest rate, in Hz.
    pub const HZ_MAX: u32 = 120;

    /// `numer` frames in `denom` seconds; the ratio is reduced.
    ///
    /// # Errors
    /// [`Error::BadRate`] unless it lies between 10 and 120 Hz.
    pub fn new(numer: u32, denom: u32) -> Result<Self, Error> {
        let (wide, per) = (u64::from(numer), u64::from(denom));
        let slowest = u64::from(Self::HZ_MIN) * per;
        let fastest = u64::from(Self::HZ_MAX) * per;
        if denom == 0 || wide < slowest || wide > fastest {
            return Err(Error::BadRate { numer, denom });
        }
        let divisor = greatest_common_divisor(numer, denom);
        Ok(Self {
            numer: numer / divisor,
            denom: denom / divisor,
        })
    }

    /// A whole number of frames a second.
    ///
    /// # Errors
    /// [`Error::BadRate`] unless it lies between 10 and 120 Hz.
    pub fn hz(hz: u32) -> Result<Self, Error> {
        Self::new(hz, 1)
    }

    /// Frames per [`denom`](Self::denom) seconds.
    #[must_use]
    pub const fn numer(self) -> u32 {
        self.numer
    }

    /// The seconds in which [`numer`](Self::numer) frames pass.
    #[must_use]
    pub const fn denom(self) -> u32 {
        self.denom
    }

    /// How long so many frames last, in whole milliseconds (rounded down).
    #[must_use]
    pub fn milliseconds(self, frames: u32) -> u64 {
        let exact = u128::from(frames) * 1000 * u128::from(self.denom) / u128::from(self.numer);
        // At 10 Hz or more, 2^32 frames are below 2^42 milliseconds.
        exact as u64
    }

    /// The frames that are needed to fill so many milliseconds (rounded up).
    #[must_use]
    pub fn frames_in(self, ms: u64) -> u64 {
        let per_second = u128::from(self.denom) * 1000;
        let frames = (u128::from(ms) * u128::from(self.numer)).div_ceil(per_second);
        u64::try_from(frames).unwrap_or(u64::MAX)
    }
}

fn greatest_common_divisor(mut a: u32, mut b: u32) -> u32 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_range_is_exact() {
        assert!(FrameRate::hz(9).is_err());
        assert!(FrameRate::hz(10).is_ok());
        assert!(FrameRate::hz(120).is_ok());
        assert!(FrameRate::hz(121).is_err());
        assert!(FrameRate::new(0, 0).is_err());
        assert!(FrameRate::new(60, 0).is_err());
        assert!(FrameRate::new(9_999_999, 1_000_000).is_err());
        assert!(FrameRate::new(u32::MAX, u32::MAX / 60).is_ok());
    }

    #[test]
    fn ratios_are_reduced_and_milliseconds_round_down() {
        let ntsc = FrameRate::new(60_000, 1001).unwrap();
        assert_eq!((ntsc.numer(), ntsc.denom()), (60_000, 1001));
        assert_eq!(FrameRate::new(120, 2).unwrap(), FrameRate::hz(60).unwrap());
        assert_eq!(FrameRate::hz(60).unwrap().milliseconds(1), 16);
        assert_eq!(FrameRate::hz(60).unwrap().milliseconds(3600), 60_000);
        assert_eq!(ntsc.milliseconds(60_000), 1_001_000);
        assert_eq!(
            FrameRate::hz(10).unwrap().milliseconds(u32::MAX),
            429_496_729_500
        );
    }

    #[test]
    fn frames_fill_a_time() {
        let rate = FrameRate::hz(60).unwrap();
        assert_eq!(rate.frames_in(0), 0);
        assert_eq!(rate.frames_in(1), 1);
        assert_eq!(rate.frames_in(1000), 60);
        assert_eq!(rate.frames_in(1001), 61);
    }
}

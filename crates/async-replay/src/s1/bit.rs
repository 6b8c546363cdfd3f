//! Bits whose chances adapt: all that S1 learns is in these.

use crate::coder::{Coder, ONE};

/// Codes the lowest `count` bits of a number, all equally likely, the highest first.
pub(super) fn plain(coder: &mut impl Coder, number: u64, count: u32) -> u64 {
    (0..count).rev().fold(0, |coded, place| {
        coded << 1 | u64::from(coder.code(number >> place & 1 == 1, ONE / 2))
    })
}

/// How likely a bit is to be set: the mean of two estimates, one quick and one slow. Both begin
/// as plain averages of what was seen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chance {
    quick: u16,
    slow: u16,
    /// How many bits the estimates are worth, up to [`SLOW`].
    seen: u8,
}

/// An estimate that is worth this many bits forgets as it learns.
const QUICK: u8 = 24;
/// The same of the slow one.
const SLOW: u8 = 160;
/// No bit is more certain than this.
const LEAST: u32 = 128;

/// 65,536 / n, so that learning does not divide.
const SHARE: [i32; SLOW as usize + 1] = {
    let mut share = [0; SLOW as usize + 1];
    let mut n = 1;
    while n <= SLOW as usize {
        share[n] = 65_536 / n as i32;
        n += 1;
    }
    share
};

impl Chance {
    /// Set in `one` of 65,536 cases, as sure as if `seen` bits had said so (at least 1).
    pub(super) const fn new(one: u16, seen: u8) -> Self {
        Self {
            quick: one,
            slow: one,
            seen,
        }
    }

    /// Either is as likely, and little is known.
    pub(super) const EVEN: Self = Self::new(1 << 15, 3);

    /// Codes a bit and learns from it.
    #[inline]
    pub(super) fn code(&mut self, coder: &mut impl Coder, bit: bool) -> bool {
        self.code_at_most(coder, bit, ONE - LEAST)
    }

    /// The same, for a bit that is never taken to be set in more than `most` of 65,536 cases.
    #[inline]
    pub(super) fn code_at_most(&mut self, coder: &mut impl Coder, bit: bool, most: u32) -> bool {
        let one = (u32::from(self.quick) + u32::from(self.slow)) >> 1;
        let bit = coder.code(bit, one.clamp(LEAST, most));
        self.seen = (self.seen + 1).min(SLOW);
        self.quick = learned(self.quick, bit, self.seen.min(QUICK));
        self.slow = learned(self.slow, bit, self.seen);
        bit
    }
}

#[inline]
fn learned(estimate: u16, bit: bool, seen: u8) -> u16 {
    let target = if bit { 65_535 } else { 0 };
    let old = i32::from(estimate);
    (old + (((target - old) * SHARE[usize::from(seen)]) >> 16)) as u16
}

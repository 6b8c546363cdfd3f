//! One number after another of the same kind, as differences from what was expected of them.

use super::{
    bit::{Chance, plain},
    tables::{MORE, SCALES, SIZES},
};
use crate::coder::Coder;

/// Numbers have at most this many bits: a difference of two of 32 bits.
const BITS_MAX: usize = 33;

/// Differences from what was expected. How large they have been of late says how large the next
/// will be.
#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    /// Whether a difference has more bits than so many, by the scale it is expected on.
    more: [[Chance; SIZES]; SCALES],
    /// Whether it is minus, by the signs of the hint and of the two before.
    sign: [[[Chance; 3]; 3]; 3],
    /// Its highest bits after the first, by how many bits there are.
    second: [Chance; SIZES],
    third: [[Chance; 2]; SIZES],
    recent: Recent,
}

/// What the last differences were like; sizes in sixteenths.
#[derive(Debug, Clone, Copy)]
struct Recent {
    last: u32,
    short: u32,
    long: u32,
    /// The [`sign`]s of the last two.
    signs: [usize; 2],
}

/// The size of a difference as columns beside it see it, in sixteenths.
pub(super) fn size(difference: i64) -> u32 {
    16 * difference.unsigned_abs().min(1 << 16) as u32
}

/// 0 for zero, 1 for plus, 2 for minus.
fn sign(difference: i64) -> usize {
    match difference {
        0 => 0,
        1.. => 1,
        _ => 2,
    }
}

impl Column {
    pub(super) const NEW: Self = Self {
        more: MORE,
        sign: [[[Chance::EVEN; 3]; 3]; 3],
        second: [Chance::EVEN; SIZES],
        third: [[Chance::EVEN; 2]; SIZES],
        recent: Recent {
            last: 16,
            short: 16,
            long: 16,
            signs: [0; 2],
        },
    };

    /// Codes a difference of at most 33 bits and learns from it. `beside` is the [`size`] of
    /// something that is likely of the same size; `hint` has the sign that the difference would
    /// have if what was not expected is true after all.
    pub(super) fn code(
        &mut self,
        coder: &mut impl Coder,
        difference: i64,
        beside: u32,
        hint: i64,
    ) -> i64 {
        let scale = self.recent.scale(beside);
        let size = difference.unsigned_abs();
        let bits = (64 - size.leading_zeros()) as usize;
        let mut coded_bits = 0;
        while coded_bits < BITS_MAX
            && self.more[scale][coded_bits.min(SIZES - 1)].code(coder, coded_bits < bits)
        {
            coded_bits += 1;
        }
        let coded = if coded_bits == 0 {
            0
        } else {
            let [last, before] = self.recent.signs;
            let minus = &mut self.sign[sign(hint)][last][before];
            let minus = minus.code(coder, difference < 0);
            let coded = self.digits(coder, size, coded_bits) as i64;
            if minus { -coded } else { coded }
        };
        self.recent.add(coded);
        coded
    }

    /// What to take as `beside` where nothing is: how large differences have long been.
    pub(super) fn usual(&self) -> u32 {
        self.recent.long
    }

    /// The binary digits of a number whose highest is known.
    fn digits(&mut self, coder: &mut impl Coder, size: u64, bits: usize) -> u64 {
        if bits == 1 {
            return 1;
        }
        let slot = bits.min(SIZES) - 1;
        let digit = |place: usize| size >> place & 1 == 1;
        let second = self.second[slot].code(coder, digit(bits - 2));
        let mut coded = 2 | u64::from(second);
        if bits > 2 {
            let third = self.third[slot][usize::from(second)].code(coder, digit(bits - 3));
            let rest = bits as u32 - 3;
            coded = coded << 1 | u64::from(third);
            coded = coded << rest | plain(coder, size, rest);
        }
        coded
    }
}

impl Recent {
    /// Which of the [`SCALES`] the next difference is expected on: two for each doubling.
    fn scale(&self, beside: u32) -> usize {
        let own = (8 * self.last + 5 * self.short + 3 * self.long) >> 4;
        let size = ((3 * own + beside) >> 2) + 1;
        let octave = size.ilog2();
        let half = (size << 1 >> octave) & 1;
        ((2 * octave + half) as usize)
            .saturating_sub(2)
            .min(SCALES - 1)
    }

    fn add(&mut self, difference: i64) {
        self.last = size(difference);
        self.short = (self.short + self.last) >> 1;
        self.long = (27 * self.long + 5 * self.last) >> 5;
        self.signs = [sign(difference), self.signs[0]];
    }
}

/// Numbers of which nothing is expected: where a track starts, and where it jumps to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leap {
    more: [Chance; BITS_MAX],
}

impl Leap {
    /// Most numbers that come out of nothing are large.
    pub(super) const NEW: Self = Self {
        more: [Chance::new(57_000, 4); BITS_MAX],
    };

    /// Codes a number of at most 33 bits.
    pub(super) fn code(&mut self, coder: &mut impl Coder, number: i64) -> i64 {
        let size = number.unsigned_abs();
        let bits = (64 - size.leading_zeros()) as usize;
        let mut coded_bits = 0;
        while coded_bits < BITS_MAX && self.more[coded_bits].code(coder, coded_bits < bits) {
            coded_bits += 1;
        }
        if coded_bits == 0 {
            return 0;
        }
        let minus = plain(coder, u64::from(number < 0), 1) == 1;
        let rest = coded_bits as u32 - 1;
        let coded = (1 << rest | plain(coder, size, rest)) as i64;
        if minus { -coded } else { coded }
    }
}

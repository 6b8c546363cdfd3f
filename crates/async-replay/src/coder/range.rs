//! A binary range coder with carry, after G. N. N. Martin (1979) in the byte-wise form that LZMA
//! made common: 32 bits of range, one multiplication a bit.
//!
//! The encoder ends with the fewest bytes that still say everything; the decoder reads zeros past
//! the end, and refuses bytes that it did not need.

use crate::Error;

/// The scale of a probability: 65,536 is certain. One of 1 to 65,535 can be coded.
pub(crate) const ONE: u32 = 1 << 16;
/// Below this range the next byte is due.
const RENEW: u32 = 1 << 24;

/// Either end of a code, so that a model is written once for both.
pub(crate) trait Coder {
    /// The encoder writes `bit`; the decoder reads one and does not look at `bit`. Both give what
    /// the bit is; `one` of 65,536 is how likely it was to be set.
    fn code(&mut self, bit: bool, one: u32) -> bool;

    /// Says what the next bits are about, to who counts them: when anything changes, or a column.
    #[inline]
    fn about(&mut self, _column: Option<usize>) {}
}

impl Coder for Encoder {
    #[inline]
    fn code(&mut self, bit: bool, one: u32) -> bool {
        self.encode(bit, one);
        bit
    }
}

impl Coder for Decoder<'_> {
    #[inline]
    fn code(&mut self, _: bool, one: u32) -> bool {
        self.decode(one)
    }
}

/// Writes bits.
#[derive(Debug, Clone)]
pub(crate) struct Encoder {
    low: u64,
    range: u32,
    /// The last byte that a carry could still change, and how many `FF` follow it.
    held: Option<u8>,
    full: u32,
    bytes: Vec<u8>,
    start: usize,
    questions: usize,
}

impl Encoder {
    /// Writes behind what `bytes` holds.
    pub(crate) fn new(bytes: Vec<u8>) -> Self {
        Self {
            low: 0,
            range: u32::MAX,
            held: None,
            full: 0,
            start: bytes.len(),
            bytes,
            questions: 0,
        }
    }

    /// Bytes written or due so far.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len() - self.start + self.full as usize + usize::from(self.held.is_some())
    }

    /// Where its bytes start.
    pub(crate) fn start(&self) -> usize {
        self.start
    }

    /// How many bits were written.
    pub(crate) fn questions(&self) -> usize {
        self.questions
    }

    /// Writes one bit; `one` of 65,536 is how likely it was to be set.
    #[inline]
    pub(crate) fn encode(&mut self, bit: bool, one: u32) {
        self.questions += 1;
        let bound = ((u64::from(self.range) * u64::from(one)) >> 16) as u32;
        if bit {
            self.range = bound;
        } else {
            self.low += u64::from(bound);
            self.range -= bound;
        }
        while self.range < RENEW {
            self.range <<= 8;
            self.shift();
        }
    }

    /// Moves the top byte out, once no carry can reach it.
    fn shift(&mut self) {
        let (carry, top) = ((self.low >> 32) as u8, (self.low >> 24) as u8);
        if top == 0xFF && carry == 0 {
            self.full += 1;
        } else {
            self.release(carry);
            self.held = Some(top);
        }
        self.low = (self.low & 0x00FF_FFFF) << 8;
    }

    fn release(&mut self, carry: u8) {
        if let Some(held) = self.held.take() {
            self.bytes.push(held.wrapping_add(carry));
        }
        for _ in 0..core::mem::take(&mut self.full) {
            self.bytes.push(0xFF_u8.wrapping_add(carry));
        }
    }

    /// Ends the code: of all numbers within the range, the one with the most zeros at its end,
    /// and those zeros are not written.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.low = roundest(self.low as i64, self.range) as u64;
        for _ in 0..4 {
            self.shift();
        }
        self.release(0);
        while self.bytes.len() > self.start && self.bytes.last() == Some(&0) {
            self.bytes.pop();
        }
        self.bytes
    }
}

/// Of `range` numbers from `low` on, the one with the most zeros at its end; the largest of those.
fn roundest(low: i64, range: u32) -> i64 {
    let last = low + i64::from(range) - 1;
    let zeros = (0..=32).rev().find(|zeros| last >> zeros << zeros >= low);
    let zeros = zeros.unwrap_or(0);
    last >> zeros << zeros
}

/// Reads bits.
#[derive(Debug, Clone)]
pub(crate) struct Decoder<'b> {
    code: u32,
    range: u32,
    bytes: &'b [u8],
    next: usize,
    questions: usize,
}

impl<'b> Decoder<'b> {
    /// Reads all of `bytes`.
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        let mut decoder = Self {
            code: 0,
            range: u32::MAX,
            bytes,
            next: 0,
            questions: 0,
        };
        for _ in 0..4 {
            decoder.shift();
        }
        decoder
    }

    /// How many bits were read.
    #[inline]
    pub(crate) fn questions(&self) -> usize {
        self.questions
    }

    /// Reads one bit; `one` of 65,536 is how likely it was to be set.
    #[inline]
    pub(crate) fn decode(&mut self, one: u32) -> bool {
        self.questions += 1;
        let bound = ((u64::from(self.range) * u64::from(one)) >> 16) as u32;
        let bit = self.code < bound;
        let keep = u32::from(bit).wrapping_sub(1);
        self.code -= bound & keep;
        self.range = ((self.range - bound) & keep) | (bound & !keep);
        while self.range < RENEW {
            self.range <<= 8;
            self.shift();
        }
        bit
    }

    /// Ends the code. `malformed` unless its bytes are those that [`Encoder::finish`] gives.
    pub(crate) fn finish(self) -> Result<(), Error> {
        if self.bytes.len() > self.next || self.bytes.last() == Some(&0) {
            return Err(Error::Malformed("bytes behind the end of a code"));
        }
        let window = (self.next - 4..self.next).fold(0, |window, at| {
            window << 8 | i64::from(self.bytes.get(at).copied().unwrap_or(0))
        });
        if window != roundest(window - i64::from(self.code), self.range) {
            return Err(Error::Malformed("another end of a code than the shortest"));
        }
        Ok(())
    }

    #[inline]
    fn shift(&mut self) {
        let byte = self.bytes.get(self.next).copied().unwrap_or(0);
        self.code = self.code << 8 | u32::from(byte);
        self.next += 1;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn code(bits: &[(bool, u32)]) -> Vec<u8> {
        let mut encoder = Encoder::new(vec![7]);
        for (bit, one) in bits {
            encoder.encode(*bit, *one);
        }
        encoder.finish()
    }

    #[test]
    fn nothing_takes_no_bytes() {
        assert_eq!(code(&[]), [7]);
        Decoder::new(&[]).finish().unwrap();
        assert!(Decoder::new(&[0]).finish().is_err());
        assert!(Decoder::new(&[1, 2, 3, 4, 5]).finish().is_err());
    }

    #[test]
    fn the_example_of_the_standard() {
        let ones = [32_768, 60_000, 65_000, 100, 40_000];
        let bits = [true, false, false, true, true];
        let bits: Vec<_> = bits.into_iter().zip(ones).collect();
        assert_eq!(code(&bits)[1..], [0x7F, 0xE9, 0x60]);
    }

    #[test]
    fn what_was_sure_to_come_is_almost_free() {
        assert!(code(&[(true, ONE - 1); 10_000]).len() <= 2);
        assert!(code(&[(false, 1); 10_000]).len() <= 2);
        assert!((1 + 15..=1 + 16).contains(&code(&[(false, ONE - 1); 8]).len()));
    }

    /// Ones that are nearly impossible drive carries through long rows of `FF`.
    fn bits() -> impl Strategy<Value = Vec<(bool, u32)>> {
        let one = prop_oneof![Just(1), Just(ONE - 1), Just(ONE / 2), 1..ONE];
        prop::collection::vec((any::<bool>(), one), 0..600)
    }

    proptest! {
        #[test]
        fn bits_come_back(bits in bits()) {
            let bytes = code(&bits);
            let mut decoder = Decoder::new(&bytes[1..]);
            for (bit, one) in &bits {
                prop_assert_eq!(decoder.decode(*one), *bit);
            }
            prop_assert!(decoder.finish().is_ok());
        }

        /// No other bytes say the same.
        #[test]
        fn a_code_has_one_form(
            bits in bits(),
            flip in 1_u8..,
            place in any::<prop::sample::Index>(),
        ) {
            let bytes = code(&bits)[1..].to_vec();
            let same = |bytes: &[u8]| {
                let mut decoder = Decoder::new(bytes);
                let alike = bits.iter().all(|(bit, one)| decoder.decode(*one) == *bit);
                alike && decoder.finish().is_ok()
            };
            prop_assert!(same(&bytes));
            let mut longer = bytes.clone();
            longer.push(flip);
            prop_assert!(!same(&longer));
            if !bytes.is_empty() {
                let mut other = bytes.clone();
                other[place.index(bytes.len())] ^= flip;
                prop_assert!(!same(&other));
                prop_assert!(!same(&bytes[..bytes.len() - 1]));
            }
        }

        #[test]
        fn any_bytes_decode(bytes in prop::collection::vec(any::<u8>(), 0..32), one in 1..ONE) {
            let mut decoder = Decoder::new(&bytes);
            for _ in 0..1_000 {
                decoder.decode(one);
            }
        }
    }
}

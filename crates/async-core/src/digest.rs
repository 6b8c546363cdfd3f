//! Digests of states and of whole runs.
//!
//! Both use the round of XXH64 (Yann Collet, <https://github.com/Cyan4973/xxHash>, BSD 2-clause;
//! the specification is `doc/xxhash_spec.md`): `acc = rotl(acc + word × P2, 31) × P1`. The round is
//! one-to-one in the word, so a single changed word always changes the digest. They find what
//! differs; they are not meant to withstand somebody who seeks a collision: the verifier computes
//! them itself.

use crate::{Input, OptionValue, Setup};

const P1: u64 = 0x9E37_79B1_85EB_CA87;
const P2: u64 = 0xC2B2_AE3D_27D4_EB4F;
const P3: u64 = 0x1656_67B1_9E37_79F9;
const P4: u64 = 0x85EB_CA77_C2B2_AE63;
const P5: u64 = 0x27D4_EB2F_1656_67C5;

#[inline(always)]
const fn round(acc: u64, word: u64) -> u64 {
    acc.wrapping_add(word.wrapping_mul(P2))
        .rotate_left(31)
        .wrapping_mul(P1)
}

#[inline(always)]
const fn avalanche(mut acc: u64) -> u64 {
    acc = (acc ^ (acc >> 33)).wrapping_mul(P2);
    acc = (acc ^ (acc >> 29)).wrapping_mul(P3);
    acc ^ (acc >> 32)
}

/// Hashes a state of 32-bit words, in records.
///
/// Each record is padded with zeros to a multiple of 32 bytes and goes into XXH64's four lanes,
/// two words to a lane; the ends of the four are merged as XXH64 does.
#[derive(Clone, Copy, Debug)]
pub struct Hasher {
    lanes: [u64; 4],
    records: u64,
}

impl Hasher {
    /// A hasher whose result depends on `seed`.
    #[must_use]
    #[inline(always)]
    pub const fn new(seed: u64) -> Self {
        let lanes = [
            seed.wrapping_add(P1).wrapping_add(P2),
            seed.wrapping_add(P2),
            seed,
            seed.wrapping_sub(P1),
        ];
        Self { lanes, records: 0 }
    }

    /// Absorbs a record.
    #[inline(always)]
    pub fn record(&mut self, words: &[u32]) {
        for stripe in words.chunks(8) {
            for lane in 0..4 {
                let low = stripe.get(2 * lane).copied().unwrap_or(0);
                let high = stripe.get(2 * lane + 1).copied().unwrap_or(0);
                let word = u64::from(low) | u64::from(high) << 32;
                self.lanes[lane] = round(self.lanes[lane], word);
            }
        }
    }

    /// Absorbs the length of a list, which its padded records alone would not tell. Eight lists of
    /// up to 255 entries fit; more are still mixed, but no longer one-to-one.
    #[inline(always)]
    pub fn length(&mut self, length: u32) {
        self.records = self.records.rotate_left(8) ^ u64::from(length);
    }

    /// The hash of all that was absorbed.
    #[must_use]
    #[inline(always)]
    pub fn finish(self) -> u64 {
        let [a, b, c, d] = self.lanes;
        let mut acc = a
            .rotate_left(1)
            .wrapping_add(b.rotate_left(7))
            .wrapping_add(c.rotate_left(12))
            .wrapping_add(d.rotate_left(18));
        acc = (acc ^ round(0, self.records))
            .wrapping_mul(P1)
            .wrapping_add(P4);
        avalanche(acc)
    }
}

/// The chain over a run: its setup, then every frame's inputs and state.
///
/// An input without effect on the state still changes it, so nothing in a run can be altered
/// unnoticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunDigest(u64);

impl RunDigest {
    /// The digest of a run that has no frames yet.
    #[must_use]
    pub fn start(game: &str, revision: u32, setup: &Setup) -> Self {
        let mut acc = text(P5, game);
        acc = round(acc, u64::from(revision));
        acc = round(acc, setup.seed);
        acc = round(acc, u64::from(setup.players) | u64::from(setup.slot) << 8);
        acc = round(
            acc,
            u64::from(setup.rate.numer()) | u64::from(setup.rate.denom()) << 32,
        );
        acc = round(acc, setup.options.len() as u64);
        for (name, value) in setup.options.iter() {
            acc = text(acc, name);
            acc = match value {
                OptionValue::Bool(value) => round(round(acc, 1), u64::from(*value)),
                OptionValue::Int(value) => round(round(acc, 2), *value as u64),
                OptionValue::Text(value) => text(round(acc, 3), value),
            };
        }
        Self(avalanche(acc))
    }

    /// Goes on from a value that [`value`](Self::value) gave.
    #[must_use]
    pub const fn resume(value: u64) -> Self {
        Self(value)
    }

    /// Absorbs one frame.
    #[inline]
    pub fn absorb(&mut self, inputs: &[Input], state_digest: u64) {
        let mut acc = round(self.0, state_digest);
        for input in inputs {
            acc = round(acc, one_input(input));
        }
        self.0 = acc;
    }

    /// The digest so far.
    #[must_use]
    pub const fn value(self) -> u64 {
        self.0
    }
}

#[inline(always)]
fn one_input(input: &Input) -> u64 {
    // Beside the chain, so that the processor works on all players at once.
    let [a, b, c, d, e, f, g, h] = input.axes.map(|axis| u64::from(axis as u16));
    let first = a | b << 16 | c << 32 | d << 48;
    let second = e | f << 16 | g << 32 | h << 48;
    round(round(round(P3, u64::from(input.buttons)), first), second)
}

fn text(acc: u64, text: &str) -> u64 {
    let acc = round(acc, text.len() as u64);
    text.bytes()
        .fold(acc, |acc, byte| round(acc, u64::from(byte)))
}

//! Seeded randomness in separate named streams.

/// A stream of random numbers: PCG32 (`pcg_setseq_64_xsh_rr_32` of M. E. O'Neill,
/// <https://www.pcg-random.org>, 2014).
///
/// State and increment of a stream come from SplitMix64 (S. Vigna,
/// <https://prng.di.unimi.it/splitmix64.c>, public domain), started at the seed XOR the FNV-1a hash
/// of the stream's name. Streams of different names share nothing, so drawing from one (for an
/// effect on a screen, for an autopilot) cannot change another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rng {
    state: u64,
    increment: u64,
}

impl Rng {
    /// The stream called `name` of a seed.
    #[must_use]
    pub fn stream(seed: u64, name: &str) -> Self {
        let mut mixer = SplitMix(seed ^ fnv1a(name));
        let (start, increment) = (mixer.next(), mixer.next() | 1);
        let mut rng = Self {
            state: 0,
            increment,
        };
        rng.next_u32();
        rng.state = rng.state.wrapping_add(start);
        rng.next_u32();
        rng
    }

    /// Where the stream stands; with [`at`](Self::at), all that has to be saved of it.
    #[must_use]
    pub const fn position(&self) -> u64 {
        self.state
    }

    /// The same stream, standing at a saved position.
    #[must_use]
    pub const fn at(self, position: u64) -> Self {
        Self {
            state: position,
            increment: self.increment,
        }
    }

    /// 32 random bits.
    #[inline]
    pub fn next_u32(&mut self) -> u32 {
        let old = self.state;
        self.state = old
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(self.increment);
        let shifted = (((old >> 18) ^ old) >> 27) as u32;
        shifted.rotate_right((old >> 59) as u32)
    }

    /// A number in `0..bound`; 0 if the bound is 0. The bias is below `bound` / 2^32.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        ((u64::from(self.next_u32()) * u64::from(bound)) >> 32) as u32
    }

    /// A number in `low..=high`; `low` if they cross. The ends lie within ±2^30.
    #[inline]
    pub fn between(&mut self, low: i32, high: i32) -> i32 {
        let span = high.wrapping_sub(low).max(0) as u32;
        low.wrapping_add(self.below(span.wrapping_add(1)) as i32)
    }
}

struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

fn fnv1a(name: &str) -> u64 {
    name.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of pcg32-demo (pcg-c-basic, `pcg32_srandom_r(&rng, 42u, 54u)`).
    #[test]
    fn it_is_the_published_generator() {
        let mut rng = Rng {
            state: 0,
            increment: (54 << 1) | 1,
        };
        rng.next_u32();
        rng.state = rng.state.wrapping_add(42);
        rng.next_u32();
        let got = [rng.next_u32(), rng.next_u32(), rng.next_u32()];
        assert_eq!(got, [0xA15C_02B7, 0x7B47_F409, 0xBA1D_3330]);
    }

    #[test]
    fn splitmix_is_the_published_one() {
        let mut mixer = SplitMix(1_234_567);
        assert_eq!(mixer.next(), 6_457_827_717_110_365_317);
        assert_eq!(mixer.next(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn case_v8_streams_are_separate() {
        let mut game = Rng::stream(40, "spawn");
        let mut effects = Rng::stream(40, "effects");
        let undisturbed: [u32; 8] = core::array::from_fn(|_| Rng::next_u32(&mut game));
        let mut game = Rng::stream(40, "spawn");
        let disturbed: [u32; 8] = core::array::from_fn(|_| {
            effects.next_u32();
            game.next_u32()
        });
        assert_eq!(undisturbed, disturbed);
        let mut neighbour = Rng::stream(41, "spawn");
        let other: [u32; 8] = core::array::from_fn(|_| neighbour.next_u32());
        assert_ne!(undisturbed, other);
        let mut effects = Rng::stream(40, "effects");
        let named: [u32; 8] = core::array::from_fn(|_| effects.next_u32());
        assert_ne!(undisturbed, named);
    }

    #[test]
    fn ranges_reach_their_ends_and_no_further() {
        let mut rng = Rng::stream(1, "range");
        let mut seen = [false; 7];
        for _ in 0..1000 {
            seen[(rng.between(-3, 3) + 3) as usize] = true;
        }
        assert_eq!(seen, [true; 7]);
        assert_eq!(rng.below(0), 0);
        assert_eq!(rng.between(5, 4), 5);
    }

    #[test]
    fn a_position_is_all_that_has_to_be_saved() {
        let mut rng = Rng::stream(9, "spawn");
        rng.next_u32();
        let mut back = Rng::stream(9, "spawn").at(rng.position());
        assert_eq!(back.next_u32(), rng.next_u32());
    }
}

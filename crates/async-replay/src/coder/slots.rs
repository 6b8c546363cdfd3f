//! What each context has seen, in a table of fixed size.

/// Adds one part to the hash of a context.
#[inline]
pub(crate) fn hash(context: u32, part: u32) -> u32 {
    (context.rotate_left(5) ^ part).wrapping_mul(0x9E37_79B1)
}

/// What a context has seen, in 32 bits: the upper 8 tell contexts of one bucket apart, the next 8
/// count the bits seen (0 in a slot that is free), the lower 16 say how likely the next is set.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Slot(u32);

impl Slot {
    /// How likely the next bit is set, of 65,536.
    #[inline]
    pub(crate) fn one(self) -> u16 {
        self.0 as u16
    }

    /// How many bits it has seen, up to a limit.
    #[inline]
    pub(crate) fn seen(self) -> u8 {
        (self.0 >> 16) as u8
    }

    /// After one bit more.
    #[inline(always)]
    pub(crate) fn after(self, bit: bool) -> Self {
        let target = if bit { 65_519 } else { 16 };
        let one = i32::from(self.one());
        let rate = STANDINGS[usize::from(self.seen())].rate;
        let moved = one + (((target - one) * rate) >> 15);
        let seen = (self.0 & 0xFF_0000) + 0x1_0000;
        Self(self.0 & 0xFF00_0000 | seen.min(SEEN_MAX << 16) | moved as u32)
    }
}

/// What follows from how much a slot has seen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Standing {
    /// How far it is trusted, in parts of 256: `bits / (bits + 4.4)`.
    pub(crate) trust: i32,
    /// How fast it learns, in parts of 32,768: `1 / (bits + 0.85)`, at most all but one part.
    rate: i32,
}

/// By the number of bits seen.
pub(crate) static STANDINGS: [Standing; 256] = standings();

const fn standings() -> [Standing; 256] {
    let mut table = [Standing { trust: 0, rate: 0 }; 256];
    let mut seen = 0;
    while seen < 256 {
        let bits = seen as i32;
        let rate = 3_276_800 / (100 * bits + 85);
        table[seen] = Standing {
            trust: 2_560 * bits / (10 * bits + 44),
            rate: if rate < 32_768 { rate } else { 32_767 },
        };
        seen += 1;
    }
    table
}

/// The most bits that a slot counts.
const SEEN_MAX: u32 = 250;
/// Slots in a bucket: the places where a context may be.
const BUCKET: usize = 2;
/// 2 to the power of this many buckets.
#[cfg(not(fuzzing))]
const BUCKET_BITS: u32 = 16;
/// A fuzzer opens a table in each execution, and should see contexts drive each other out.
#[cfg(fuzzing)]
const BUCKET_BITS: u32 = 8;

const BUCKETS: usize = 1 << BUCKET_BITS;

/// A hash table of slots, 512 KiB. A context that has no place takes that of the one in its bucket
/// that saw least.
#[derive(Debug, Clone)]
pub(crate) struct Slots {
    buckets: Box<[[u32; BUCKET]; BUCKETS]>,
}

impl Slots {
    pub(crate) fn new() -> Self {
        let buckets = vec![[1 << 15; BUCKET]; BUCKETS].into_boxed_slice();
        match buckets.try_into() {
            Ok(buckets) => Self { buckets },
            Err(_) => unreachable!("a table of another size than was made"),
        }
    }

    /// The slot of a context, and its place; a new one has seen nothing. No branch depends on what
    /// is there, since none could be foretold.
    #[inline(always)]
    pub(crate) fn find(&self, context: u32) -> (u32, Slot) {
        let hash = (context ^ context >> 15).wrapping_mul(0x85EB_CA6B);
        let (bucket, check) = (hash >> (32 - BUCKET_BITS), hash << 24);
        let [first, second] = self.buckets[bucket as usize];
        let (is_first, is_second) = ((first ^ check) < 1 << 24, (second ^ check) < 1 << 24);
        let less = second << 8 < first << 8;
        let take_second = is_second | (less & !is_first);
        let there = if take_second { second } else { first };
        let value = if is_first | is_second {
            there
        } else {
            check | 1 << 15
        };
        (bucket << 1 | u32::from(take_second), Slot(value))
    }

    #[inline(always)]
    pub(crate) fn put(&mut self, place: u32, slot: Slot) {
        self.buckets[(place >> 1) as usize][(place & 1) as usize] = slot.0;
    }

    /// Becomes a copy of another, without allocating.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.buckets.copy_from_slice(&*other.buckets);
    }

    /// Makes every slot forget how much it has seen beyond `seen`, so that it learns anew faster.
    pub(crate) fn unsettle(&mut self, seen: u32) {
        for slot in self.buckets.iter_mut().flatten() {
            let kept = (*slot & 0xFF_0000).min(seen << 16);
            *slot = *slot & 0xFF00_FFFF | kept;
        }
    }
}

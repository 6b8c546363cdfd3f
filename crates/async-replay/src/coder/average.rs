//! Two contexts, averaged: less to compute than a mix.

use super::{
    Decide, Decision, Shape,
    range::{Coder, ONE},
    slots::Slots,
};

/// No probability is nearer to 0 or 1 than this.
const ONE_MIN: u32 = 64;

/// Decides bits by the first two contexts of each.
#[derive(Debug, Clone)]
pub(crate) struct Average {
    slots: Slots,
}

impl Decide for Average {
    fn new(_: &Shape) -> Self {
        Self {
            slots: Slots::new(),
        }
    }

    #[inline(always)]
    fn code<const WAYS: usize>(
        &mut self,
        coder: &mut impl Coder,
        decision: &Decision<WAYS>,
        bit: bool,
    ) -> bool {
        let (first_place, first) = self.slots.find(decision.contexts[0]);
        let (second_place, second) = self.slots.find(decision.contexts[1]);
        let sum = u32::from(first.one()) + u32::from(second.one());
        let one = (sum >> 1).clamp(ONE_MIN, ONE - ONE_MIN);
        let bit = coder.code(bit, one);
        self.slots.put(first_place, first.after(bit));
        self.slots.put(second_place, second.after(bit));
        bit
    }

    fn unsettle(&mut self, seen: u8) {
        self.slots.unsettle(u32::from(seen));
    }

    fn copy_from(&mut self, other: &Self) {
        self.slots.copy_from(&other.slots);
    }
}

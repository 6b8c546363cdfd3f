//! Logistic mixing: many weak opinions on one bit, weighted by how good each has been.
//!
//! After Mahoney's PAQ ("Adaptive weighing of context models", 2005), in whole numbers: each
//! context gives a logit, scaled by how much it has seen; two sets of weights mix them and learn
//! online; a last stage corrects what the mix gets wrong on the whole.

use super::{
    Decide, Decision, Shape,
    logistic::{LOGIT_MAX, squash, stretch},
    range::{Coder, ONE},
    slots::{STANDINGS, Slot, Slots},
};

/// A weight of one.
const WEIGHT_ONE: i32 = 1 << 13;
/// Weights and logits in a row that fits a register.
const LANES: usize = 8;
/// The most bits that a set counts.
const SEEN_MAX: u8 = 250;
/// No probability is nearer to 0 or 1 than this.
const ONE_MIN: u32 = 24;
/// A lead decides alone once it has seen so many bits, and expects one of the two less than so.
const SURE_SEEN: u8 = 30;
const SURE_ONE: u32 = 400;
/// Steps of a curve.
const STEPS: usize = 32;
/// How fast a set learns after so many bits.
static SET_RATE: [i32; 256] = set_rates();

/// One set of weights.
#[derive(Debug, Clone, Copy)]
struct Set {
    weights: [i16; LANES],
    seen: u8,
}

/// What one context says.
#[derive(Debug, Clone, Copy, Default)]
struct Opinion {
    place: u32,
    slot: Slot,
}

/// Decides bits and learns from them.
#[derive(Debug, Clone)]
pub(crate) struct Mixer {
    slots: Slots,
    sets: Box<[Set]>,
    curves: Box<[[u16; STEPS + 1]]>,
}

impl Decide for Mixer {
    fn new(shape: &Shape) -> Self {
        let fresh = |&(count, sum, ways): &(usize, i32, usize)| {
            let set = Set {
                weights: [(sum * WEIGHT_ONE / 100 / ways as i32) as i16; LANES],
                seen: 0,
            };
            core::iter::repeat_n(set, count)
        };
        let curve = core::array::from_fn(|step| squash((step as i32 - 16) * 128));
        Self {
            slots: Slots::new(),
            sets: shape.kinds.iter().flat_map(fresh).collect(),
            curves: vec![curve; shape.curves].into_boxed_slice(),
        }
    }

    #[inline]
    fn code<const WAYS: usize>(
        &mut self,
        coder: &mut impl Coder,
        decision: &Decision<WAYS>,
        bit: bool,
    ) -> bool {
        let Some(lead) = decision.lead else {
            return self.mix(coder, decision, bit);
        };
        let (place, slot) = self.slots.find(lead);
        let one = u32::from(slot.one());
        let sure = slot.seen() >= SURE_SEEN && one.min(ONE - one) < SURE_ONE;
        let bit = if sure {
            coder.code(bit, one)
        } else {
            self.mix(coder, decision, bit)
        };
        self.slots.put(place, slot.after(bit));
        bit
    }

    fn unsettle(&mut self, seen: u8) {
        self.slots.unsettle(u32::from(seen));
        for set in &mut self.sets {
            set.seen = set.seen.min(seen);
        }
    }

    fn copy_from(&mut self, other: &Self) {
        self.slots.copy_from(&other.slots);
        self.sets.copy_from_slice(&other.sets);
        self.curves.copy_from_slice(&other.curves);
    }
}

impl Mixer {
    /// Codes one bit by all its contexts.
    #[inline(always)]
    fn mix<const WAYS: usize>(
        &mut self,
        coder: &mut impl Coder,
        decision: &Decision<WAYS>,
        bit: bool,
    ) -> bool {
        let mut opinions = [Opinion::default(); WAYS];
        let (mut dots, mut logits) = ([0_i32; 2], [0_i16; LANES]);
        let weights = decision.sets.map(|set| &self.sets[set].weights);
        for way in 0..WAYS {
            let (place, slot) = self.slots.find(decision.contexts[way]);
            let logit = (stretch(slot.one()) * STANDINGS[usize::from(slot.seen())].trust) >> 8;
            dots[0] += i32::from(weights[0][way]) * logit;
            dots[1] += i32::from(weights[1][way]) * logit;
            logits[way] = logit as i16;
            opinions[way] = Opinion { place, slot };
        }
        let mixed = dots.map(|dot| squash(dot >> 13));
        let curve = &mut self.curves[decision.curve];
        let (one, point) = refine(curve, (dots[0] >> 14) + (dots[1] >> 14));
        let bit = coder.code(bit, one);
        let target = if bit { 65_519 } else { 16 };
        curve[point] = (i32::from(curve[point]) + ((target - i32::from(curve[point])) >> 6)) as u16;
        for (mixed, set) in mixed.iter().zip(decision.sets) {
            self.sets[set].learn(target - i32::from(*mixed), &logits);
        }
        for opinion in opinions {
            self.slots.put(opinion.place, opinion.slot.after(bit));
        }
        bit
    }
}

impl Set {
    /// Moves the weights against the error of what they mixed, in parts of 65,536.
    #[inline]
    fn learn(&mut self, error: i32, logits: &[i16; LANES]) {
        let error = (error * SET_RATE[usize::from(self.seen)]) >> 8;
        let error = error.clamp(-32_767, 32_767) as i16;
        self.seen = (self.seen + 1).min(SEEN_MAX);
        for (weight, logit) in self.weights.iter_mut().zip(logits) {
            let step = ((i32::from(*logit) * i32::from(error)) >> 16) as i16;
            *weight = weight.saturating_add((step + 1) >> 1);
        }
    }
}

/// The last stage: what the mix has meant so far where it said `logit`. Gives the probability that
/// is coded, and the point of the curve that learns.
#[inline]
fn refine(curve: &[u16; STEPS + 1], logit: i32) -> (u32, usize) {
    let logit = logit.clamp(-LOGIT_MAX, LOGIT_MAX);
    let (step, part) = ((logit + 2_048) as usize / 128, (logit + 2_048) as u32 % 128);
    let (low, high) = (u32::from(curve[step]), u32::from(curve[step + 1]));
    let refined = (low * (128 - part) + high * part) / 128;
    let one = (u32::from(squash(logit)) * 9 + refined * 7) / 16;
    let point = step + usize::from(part >= 64);
    (one.clamp(ONE_MIN, ONE - ONE_MIN), point)
}

/// In parts of 16: 68 in the long run, ten times as much at the start.
const fn set_rates() -> [i32; 256] {
    let mut table = [0; 256];
    let mut seen = 0;
    while seen < 256 {
        table[seen] = 68 + 612 * 11 / (11 + seen as i32);
        seen += 1;
    }
    table
}

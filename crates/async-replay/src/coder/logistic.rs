//! Probabilities and their logits, by tables that any language can rebuild.
//!
//! A probability is in parts of 65,536, a logit in parts of 200 of a natural unit. [`squash`] goes
//! along straight lines between 33 anchors; [`stretch`] is its inverse, to 12 bits.

/// The largest logit either way.
pub(crate) const LOGIT_MAX: i32 = 2_047;
/// 65,536 / (1 + e^(-x / 200)) for x = -2,048, -1,920 … 2,048, rounded to the nearest.
const ANCHORS: [u16; 33] = [
    2, 4, 8, 16, 30, 57, 109, 206, 389, 734, 1_379, 2_567, 4_703, 8_380, 14_257, 22_626, 32_768,
    42_910, 51_279, 57_156, 60_833, 62_969, 64_157, 64_802, 65_147, 65_330, 65_427, 65_479, 65_506,
    65_520, 65_528, 65_532, 65_534,
];

static SQUASH: [u16; 4_096] = squash_table();
static STRETCH: [i16; 4_096] = stretch_table();

/// The probability of a logit; what is beyond the largest is cut to it.
#[inline]
pub(crate) fn squash(logit: i32) -> u16 {
    SQUASH[(logit.clamp(-LOGIT_MAX, LOGIT_MAX) + 2_048) as usize]
}

/// The logit of a probability, by its upper 12 bits.
#[inline]
pub(crate) fn stretch(one: u16) -> i32 {
    i32::from(STRETCH[usize::from(one >> 4)])
}

const fn squash_table() -> [u16; 4_096] {
    let mut table = [0; 4_096];
    let mut at = 0;
    while at < table.len() {
        let (step, part) = (at / 128, (at % 128) as u32);
        let (from, to) = (ANCHORS[step] as u32, ANCHORS[step + 1] as u32);
        table[at] = ((from * (128 - part) + to * part) / 128) as u16;
        at += 1;
    }
    table
}

const fn stretch_table() -> [i16; 4_096] {
    let mut table = [LOGIT_MAX as i16; 4_096];
    let (squash, mut next, mut logit) = (squash_table(), 0, 1);
    while logit < 4_096 {
        let upto = (squash[logit] >> 4) as usize;
        while next <= upto {
            table[next] = logit as i16 - 2_048;
            next += 1;
        }
        logit += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_logit_comes_back_from_its_probability() {
        for logit in -LOGIT_MAX..=LOGIT_MAX {
            let back = squash(stretch(squash(logit)));
            let off = i32::from(back >> 4) - i32::from(squash(logit) >> 4);
            assert!((0..=12).contains(&off), "{logit}: {off}");
        }
        assert_eq!(squash(0), 32_768);
        assert_eq!(stretch(0), -LOGIT_MAX);
        assert!(stretch(u16::MAX) > 1_600);
    }

    #[test]
    fn both_ascend() {
        assert!(SQUASH.is_sorted() && STRETCH.is_sorted());
    }
}

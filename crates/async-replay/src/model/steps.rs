//! Numbers as classes, fine where they are small.

/// Up to 15 each for itself, then four to an octave; at most 127.
#[inline]
pub(super) fn fine(number: u32) -> u32 {
    if number < 16 {
        return number;
    }
    let octave = number.ilog2();
    (octave << 2) + (number >> (octave - 2) & 3)
}

/// Up to 3 each for itself, then two to an octave; at most 63.
#[inline]
pub(super) fn coarse(number: u32) -> u32 {
    if number < 4 {
        return number;
    }
    let octave = number.ilog2();
    (octave << 1) + (number >> (octave - 1) & 1)
}

/// A difference: up to 23 either way each for itself, then eight to an octave.
#[inline]
pub(super) fn difference(number: i32) -> u32 {
    let size = number.unsigned_abs();
    let class = match SIZES.get(size as usize) {
        Some(class) => u32::from(*class),
        None => size_class(size),
    };
    class << 1 | u32::from(number < 0)
}

/// The classes of what eight bits can differ by: which it is, no branch could foretell.
static SIZES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut size = 0;
    while size < classes.len() {
        classes[size] = size_class(size as u32) as u8;
        size += 1;
    }
    classes
};

const fn size_class(size: u32) -> u32 {
    if size < 24 {
        return size;
    }
    let octave = size.ilog2();
    24 + (octave - 4) * 8 + (size >> (octave - 3) & 7)
}

/// A number cut to `most` either way.
#[inline]
pub(super) fn within(number: i32, most: i32) -> u32 {
    (number.clamp(-most, most) + most) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_ascend_and_stay_small() {
        let numbers = (0..5_000).chain([1 << 20, u32::MAX >> 1, u32::MAX]);
        let (mut last_fine, mut last_coarse) = (0, 0);
        for number in numbers {
            assert!(fine(number) >= last_fine && fine(number) <= 127);
            assert!(coarse(number) >= last_coarse && coarse(number) <= 63);
            (last_fine, last_coarse) = (fine(number), coarse(number));
        }
        assert_eq!([fine(15), fine(16), fine(20)], [15, 16, 17]);
        assert_eq!([coarse(3), coarse(4), coarse(6)], [3, 4, 5]);
    }

    #[test]
    fn differences_are_told_apart_by_sign() {
        assert_eq!(difference(0), 0);
        assert_eq!(
            [difference(23), difference(24), difference(26)],
            [46, 56, 58]
        );
        assert_eq!(difference(-5), difference(5) + 1);
        assert!((24..70_000).all(|n| difference(n) <= difference(n + 1)));
        assert_eq!(
            [within(-99, 20), within(3, 20), within(99, 20)],
            [0, 23, 40]
        );
    }
}

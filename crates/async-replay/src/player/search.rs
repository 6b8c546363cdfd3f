//! Finds the place in a sorted list where something turns, from where it turned last time.

/// How many of the first items of `list` are `before`, as `partition_point` counts them. Takes one
/// or two looks near `hint` and O(log n) away from it.
pub(super) fn count_before<T>(list: &[T], hint: usize, before: impl Fn(&T) -> bool) -> usize {
    let hint = hint.min(list.len());
    let (mut low, mut high) = (hint, hint);
    let mut stride = 1;
    // Strides double until the place is between `low` and `high`.
    if low > 0 && !before(&list[low - 1]) {
        while low > 0 && !before(&list[low - 1]) {
            (low, high) = (low.saturating_sub(stride), low - 1);
            stride *= 2;
        }
    } else {
        while high < list.len() && before(&list[high]) {
            (low, high) = (high + 1, high.saturating_add(stride).min(list.len()));
            stride *= 2;
        }
    }
    low + list[low..high].partition_point(before)
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;

    use super::*;

    #[test]
    fn every_hint_finds_the_same_place() {
        for length in 0..40_u32 {
            let list: Vec<u32> = (0..length).map(|n| n / 3).collect();
            for wanted in 0..16 {
                let expected = list.partition_point(|n| *n < wanted);
                for hint in 0..50 {
                    let found = count_before(&list, hint, |n| *n < wanted);
                    assert_eq!(found, expected, "{wanted} among {length} from {hint}");
                }
            }
        }
    }

    #[test]
    fn near_places_take_two_looks_and_far_ones_few() {
        let list: Vec<u32> = (0..100_000).collect();
        let looks = |from: usize, to: u32| {
            let looks = Cell::new(0);
            let found = count_before(&list, from, |n| {
                looks.set(looks.get() + 1);
                *n < to
            });
            assert_eq!(found, to as usize);
            looks.get()
        };
        assert!(looks(50_000, 50_000) <= 2);
        assert!(looks(50_000, 50_001) <= 4);
        assert!(looks(50_000, 49_999) <= 4);
        assert!(looks(0, 99_999) <= 40);
        assert!(looks(100_000, 1) <= 40);
    }

    #[test]
    fn an_unsorted_list_stops_nothing() {
        let list = [5, 1, 9, 0, 7, 2];
        for hint in 0..=6 {
            assert!(count_before(&list, hint, |n| *n < 4) <= 6);
        }
    }
}

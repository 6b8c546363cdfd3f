//! Sums over a changing list of counts.

/// A Fenwick tree over `u32` counts: prefix sums and their inverse in O(log n).
#[derive(Debug, Clone, Default)]
pub(crate) struct Fenwick {
    /// `nodes[i]` sums the counts of the `lowbit(i + 1)` places that end with `i`.
    nodes: Vec<u32>,
}

impl Fenwick {
    /// Takes the counts anew, in O(n).
    pub(crate) fn rebuild(&mut self, counts: impl Iterator<Item = u32>) {
        self.nodes.clear();
        self.nodes.extend(counts);
        for i in 0..self.nodes.len() {
            let parent = i | (i + 1);
            if parent < self.nodes.len() {
                self.nodes[parent] += self.nodes[i];
            }
        }
    }

    /// One more in place `i`.
    pub(crate) fn increment(&mut self, mut i: usize) {
        while let Some(node) = self.nodes.get_mut(i) {
            *node += 1;
            i |= i + 1;
        }
    }

    /// One less in place `i`, which must hold at least one.
    pub(crate) fn decrement(&mut self, mut i: usize) {
        while let Some(node) = self.nodes.get_mut(i) {
            *node -= 1;
            i |= i + 1;
        }
    }

    /// Sum of the counts before place `i`.
    pub(crate) fn sum_before(&self, mut i: usize) -> u32 {
        let mut sum = 0;
        while i > 0 {
            sum += self.nodes[i - 1];
            i &= i - 1;
        }
        sum
    }

    /// The place that holds the unit number `index` (from 0), and its number within that place.
    /// Past the end: the number of places, and what is left over.
    pub(crate) fn find(&self, index: u32) -> (usize, u32) {
        let (mut place, mut rest) = (0, index);
        let mut step = self.nodes.len().next_power_of_two();
        while step > 0 {
            if let Some(node) = self.nodes.get(place + step - 1)
                && *node <= rest
            {
                place += step;
                rest -= node;
            }
            step /= 2;
        }
        (place, rest)
    }

    /// Bytes of memory taken.
    pub(crate) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sums_and_finds_as_a_plain_list(
            mut counts in prop::collection::vec(0u32..5, 0..70),
            changes in prop::collection::vec((0usize..70, any::<bool>()), 0..50),
        ) {
            let mut tree = Fenwick::default();
            tree.rebuild(counts.iter().copied());
            let places = counts.len();
            for (i, up) in changes.into_iter().filter(|(i, _)| *i < places) {
                if up {
                    counts[i] += 1;
                    tree.increment(i);
                } else if counts[i] > 0 {
                    counts[i] -= 1;
                    tree.decrement(i);
                }
            }
            let mut sum = 0;
            for (i, count) in counts.iter().enumerate() {
                prop_assert_eq!(tree.sum_before(i), sum);
                for unit in 0..*count {
                    prop_assert_eq!(tree.find(sum + unit), (i, unit));
                }
                sum += count;
            }
            prop_assert_eq!(tree.sum_before(counts.len()), sum);
            prop_assert_eq!(tree.find(sum), (counts.len(), 0));
        }
    }
}

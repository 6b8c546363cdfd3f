//! A sorted list that counts: the place of an entry, and the entry of a place, in O(log n).
//!
//! Entries lie in a table and keep their slot for life. Their order is kept in leaves of up to
//! [`LEAF_MAX`] slot numbers (4 bytes an entry), found by binary search over one lower bound per
//! leaf and counted by a Fenwick tree over the leaves' sizes. Only a split or a merge, once in
//! some sixty changes, moves more than one leaf.

use super::fenwick::Fenwick;

/// What orders entries: the key first, then the tie-breaker. Smaller comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The score, turned so that smaller is better.
    pub key: i64,
    /// Breaks ties; unique within a board.
    pub tie: u64,
}

impl Key {
    /// Not after any key.
    pub const MIN: Self = Self {
        key: i64::MIN,
        tie: 0,
    };
}

/// A ranked entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// Its place in the order.
    pub key: Key,
    /// Its player's number.
    pub player: u64,
}

/// Entries of a full leaf: small enough to shift in no time, large enough to make few leaves.
const LEAF_MAX: usize = 128;
/// A leaf with fewer entries tries to join a neighbour.
const LEAF_MIN: usize = LEAF_MAX / 4;
/// Entries of a leaf after a bulk build: some room, so that the next inserts split nothing.
const LEAF_BUILT: usize = LEAF_MAX / 8 * 7;
/// A joined leaf has at most so many, so that it does not split again at once.
const LEAF_JOINED: usize = LEAF_MAX / 4 * 3;

/// A counted sorted list of up to `u32::MAX - 1` entries.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tree {
    slots: Vec<Entry>,
    free: Vec<u32>,
    leaves: Vec<Vec<u32>>,
    /// Not after any entry of the leaf, and after every entry of the one before; the first is
    /// `Key::MIN`.
    lows: Vec<Key>,
    counts: Fenwick,
    len: usize,
}

impl Tree {
    /// Takes entries in any order; sorting them first makes it faster. Keys must be unique.
    pub(crate) fn build(mut entries: Vec<Entry>) -> Self {
        entries.sort_unstable();
        entries.shrink_to_fit();
        let mut tree = Self {
            len: entries.len(),
            slots: entries,
            ..Self::default()
        };
        let mut first = 0;
        while first < tree.len {
            let end = tree.len.min(first + LEAF_BUILT);
            let low = if first == 0 {
                Key::MIN
            } else {
                tree.slots[first].key
            };
            tree.lows.push(low);
            tree.leaves.push((first as u32..end as u32).collect());
            first = end;
        }
        tree.recount();
        tree
    }

    /// Number of entries.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The entry in a slot that is taken.
    pub(crate) fn entry(&self, slot: u32) -> Entry {
        self.slots[slot as usize]
    }

    /// Adds an entry whose key is not there yet; answers its slot.
    pub(crate) fn insert(&mut self, entry: Entry) -> u32 {
        let slot = self.take_slot(entry);
        self.len += 1;
        if self.leaves.is_empty() {
            self.leaves.push(vec![slot]);
            self.lows.push(Key::MIN);
            self.recount();
            return slot;
        }
        let (leaf, index) = self.locate(entry.key);
        self.leaves[leaf].insert(index, slot);
        if self.leaves[leaf].len() >= LEAF_MAX {
            self.split(leaf);
        } else {
            self.counts.increment(leaf);
        }
        slot
    }

    /// Takes the entry of this key out; its slot is free from now on.
    pub(crate) fn remove(&mut self, key: Key) -> Option<Entry> {
        let (leaf, index) = self.find(key)?;
        let slot = self.leaves[leaf].remove(index);
        self.counts.decrement(leaf);
        self.len -= 1;
        self.free.push(slot);
        if self.leaves[leaf].len() < LEAF_MIN {
            self.join(leaf);
        }
        Some(self.entry(slot))
    }

    /// The slot of the entry of this key.
    pub(crate) fn slot(&self, key: Key) -> Option<u32> {
        let (leaf, index) = self.find(key)?;
        Some(self.leaves[leaf][index])
    }

    /// Number of entries with a smaller key.
    pub(crate) fn before(&self, key: Key) -> usize {
        if self.leaves.is_empty() {
            return 0;
        }
        let (leaf, index) = self.locate(key);
        self.counts.sum_before(leaf) as usize + index
    }

    /// The entries from the place `start` (from 0) on, in order.
    pub(crate) fn from(&self, start: usize) -> impl Iterator<Item = Entry> + '_ {
        let (leaf, index) = match u32::try_from(start) {
            Ok(start) if (start as usize) < self.len => self.counts.find(start),
            _ => (self.leaves.len(), 0),
        };
        let head = self
            .leaves
            .get(leaf)
            .map_or(&[][..], |slots| &slots[index as usize..]);
        let rest = self.leaves.get(leaf + 1..).unwrap_or_default();
        head.iter()
            .chain(rest.iter().flatten())
            .map(|slot| self.entry(*slot))
    }

    /// Bytes of memory taken.
    pub(crate) fn bytes(&self) -> usize {
        let leaves: usize = self
            .leaves
            .iter()
            .map(|leaf| leaf.capacity() * size_of::<u32>())
            .sum();
        self.slots.capacity() * size_of::<Entry>()
            + self.free.capacity() * size_of::<u32>()
            + self.leaves.capacity() * size_of::<Vec<u32>>()
            + self.lows.capacity() * size_of::<Key>()
            + self.counts.bytes()
            + leaves
    }

    fn take_slot(&mut self, entry: Entry) -> u32 {
        if let Some(slot) = self.free.pop() {
            self.slots[slot as usize] = entry;
            return slot;
        }
        // Doubling would waste half of the largest part; a sixteenth costs some more copies.
        if self.slots.len() == self.slots.capacity() {
            self.slots.reserve_exact(self.slots.len() / 16 + 4);
        }
        self.slots.push(entry);
        (self.slots.len() - 1) as u32
    }

    /// The leaf and the index in it where `key` is or would be. There must be a leaf.
    fn locate(&self, key: Key) -> (usize, usize) {
        let leaf = self
            .lows
            .partition_point(|low| *low <= key)
            .saturating_sub(1);
        let index = self.leaves[leaf].partition_point(|slot| self.slots[*slot as usize].key < key);
        (leaf, index)
    }

    fn find(&self, key: Key) -> Option<(usize, usize)> {
        if self.leaves.is_empty() {
            return None;
        }
        let (leaf, index) = self.locate(key);
        let slot = self.leaves[leaf].get(index)?;
        (self.entry(*slot).key == key).then_some((leaf, index))
    }

    fn split(&mut self, leaf: usize) {
        let upper = self.leaves[leaf].split_off(LEAF_MAX / 2);
        let low = self.entry(upper[0]).key;
        self.leaves.insert(leaf + 1, upper);
        self.lows.insert(leaf + 1, low);
        self.recount();
    }

    /// Joins a small leaf with a neighbour if both fit into one; drops it when it is empty.
    fn join(&mut self, leaf: usize) {
        let fits = |a: usize| {
            let pair = self.leaves.get(a..a + 2);
            pair.is_some_and(|pair| pair[0].len() + pair[1].len() <= LEAF_JOINED)
        };
        let left = match leaf.checked_sub(1) {
            Some(before) if fits(before) => before,
            _ if fits(leaf) => leaf,
            _ if self.leaves[leaf].is_empty() && self.leaves.len() == 1 => {
                self.leaves.clear();
                self.lows.clear();
                return self.recount();
            }
            _ => return,
        };
        let upper = self.leaves.remove(left + 1);
        self.lows.remove(left + 1);
        self.leaves[left].extend_from_slice(&upper);
        self.recount();
    }

    fn recount(&mut self) {
        self.counts
            .rebuild(self.leaves.iter().map(|leaf| leaf.len() as u32));
    }
}

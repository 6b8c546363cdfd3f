//! Exact ranks in memory: what the product exists for.

mod fenwick;
mod players;
mod tree;

pub use tree::{Entry, Key};

use players::PlayerMap;
use tree::Tree;

/// The ranked entries of one board, counted, with the best one of each player.
///
/// Some 36 bytes an entry with a player each; a rank takes about a microsecond at a million.
#[derive(Debug, Clone, Default)]
pub struct Ranks {
    tree: Tree,
    best: PlayerMap,
}

impl Ranks {
    /// Takes all entries at once, in any order. Of several of one player the first is the best.
    #[must_use]
    pub fn build(entries: Vec<Entry>) -> Self {
        let tree = Tree::build(entries);
        let mut best = PlayerMap::with_room_for(tree.len());
        // Slots of a fresh tree are in order, so that the best of a player comes first.
        for slot in 0..tree.len() as u32 {
            let player = tree.entry(slot).player;
            let owner = |slot| tree.entry(slot).player;
            if best.find(player, owner).is_none() {
                best.set(player, slot, owner);
            }
        }
        Self { tree, best }
    }

    /// Number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tree.len()
    }

    /// True without entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tree.len() == 0
    }

    /// The best entry of a player.
    #[must_use]
    pub fn best(&self, player: u64) -> Option<Entry> {
        let slot = self
            .best
            .find(player, |slot| self.tree.entry(slot).player)?;
        Some(self.tree.entry(slot))
    }

    /// Number of entries before this place in the order: its position, from 0.
    #[must_use]
    pub fn before(&self, key: Key) -> usize {
        self.tree.before(key)
    }

    /// Number of entries with a strictly smaller key, whatever their tie-breakers.
    #[must_use]
    pub fn better(&self, key: i64) -> usize {
        self.tree.before(Key { key, tie: 0 })
    }

    /// The entries from the position `start` (from 0) on, in order.
    pub fn from(&self, start: usize) -> impl Iterator<Item = Entry> + '_ {
        self.tree.from(start)
    }

    /// Makes this entry the only one of its player.
    pub fn set(&mut self, entry: Entry) {
        let removed = self.best(entry.player).map(|old| old.key);
        self.change(entry.player, removed, Some(entry.key), Some(entry.key));
    }

    /// Takes one entry of a player out and puts another in, then marks the player's best.
    /// `best` must be an entry of the player after the change, or None if there is none.
    pub fn change(
        &mut self,
        player: u64,
        removed: Option<Key>,
        inserted: Option<Key>,
        best: Option<Key>,
    ) {
        // The map asks the tree who owns a slot, so it lets go of a slot before the tree does.
        self.best
            .remove(player, |slot| self.tree.entry(slot).player);
        if let Some(key) = removed {
            self.tree.remove(key);
        }
        if let Some(key) = inserted {
            self.tree.insert(Entry { key, player });
        }
        if let Some(slot) = best.and_then(|key| self.tree.slot(key)) {
            self.best
                .set(player, slot, |slot| self.tree.entry(slot).player);
        }
    }

    /// Bytes of memory taken, the player map included.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.tree.bytes() + self.best.bytes()
    }
}

#[cfg(test)]
mod tests;

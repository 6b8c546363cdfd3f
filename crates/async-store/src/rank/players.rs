//! From a player's number to the slot of the player's best entry, in some 6 bytes a player.

/// An empty cell; no slot has this number.
const EMPTY: u32 = u32::MAX;
/// Cells of a map that just got its first player.
const CELLS_MIN: usize = 8;

/// Spreads numbers that follow each other; the golden ratio of 2^64.
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// An open-addressing table of slots. It keeps no players: `owner` tells the player of a slot.
///
/// Cells are any number, not a power of two, so that growing by a quarter is enough and the
/// table stays 60 to 75 % full.
#[derive(Debug, Clone, Default)]
pub(crate) struct PlayerMap {
    cells: Vec<u32>,
    len: usize,
}

impl PlayerMap {
    /// A map with room for `players`.
    pub(crate) fn with_room_for(players: usize) -> Self {
        let cells = if players == 0 {
            0
        } else {
            CELLS_MIN.max(players + players / 2)
        };
        Self {
            cells: vec![EMPTY; cells],
            len: 0,
        }
    }

    /// The slot of a player.
    pub(crate) fn find(&self, player: u64, owner: impl Fn(u32) -> u64) -> Option<u32> {
        let slot = *self.cells.get(self.cell(player, owner)?)?;
        (slot != EMPTY).then_some(slot)
    }

    /// Sets the slot of a player; every slot in the map must still be `player`'s own by `owner`.
    pub(crate) fn set(&mut self, player: u64, slot: u32, owner: impl Fn(u32) -> u64) {
        if (self.len + 1) * 4 > self.cells.len() * 3 {
            self.grow(&owner);
        }
        if let Some(cell) = self.cell(player, owner) {
            self.len += usize::from(self.cells[cell] == EMPTY);
            self.cells[cell] = slot;
        }
    }

    /// Forgets a player.
    pub(crate) fn remove(&mut self, player: u64, owner: impl Fn(u32) -> u64) {
        let Some(mut hole) = self.cell(player, &owner) else {
            return;
        };
        if self.cells[hole] == EMPTY {
            return;
        }
        self.len -= 1;
        let mut cell = hole;
        loop {
            cell = self.after(cell);
            let slot = self.cells[cell];
            if slot == EMPTY {
                break;
            }
            // A slot may move into the hole unless its own first cell lies behind the hole.
            let home = self.home(owner(slot));
            let stays = if hole <= cell {
                hole < home && home <= cell
            } else {
                hole < home || home <= cell
            };
            if !stays {
                self.cells[hole] = slot;
                hole = cell;
            }
        }
        self.cells[hole] = EMPTY;
    }

    /// Bytes of memory taken.
    pub(crate) fn bytes(&self) -> usize {
        self.cells.capacity() * size_of::<u32>()
    }

    /// The cell of a player, or the empty one where it belongs; None while there are no cells.
    fn cell(&self, player: u64, owner: impl Fn(u32) -> u64) -> Option<usize> {
        if self.cells.is_empty() {
            return None;
        }
        let mut cell = self.home(player);
        while self.cells[cell] != EMPTY && owner(self.cells[cell]) != player {
            cell = self.after(cell);
        }
        Some(cell)
    }

    fn home(&self, player: u64) -> usize {
        let mixed = player.wrapping_mul(MIX);
        ((u128::from(mixed) * self.cells.len() as u128) >> 64) as usize
    }

    fn after(&self, cell: usize) -> usize {
        if cell + 1 == self.cells.len() {
            0
        } else {
            cell + 1
        }
    }

    fn grow(&mut self, owner: impl Fn(u32) -> u64) {
        let cells = CELLS_MIN.max(self.cells.len() + self.cells.len() / 4);
        let old = std::mem::replace(&mut self.cells, vec![EMPTY; cells]);
        for slot in old.into_iter().filter(|slot| *slot != EMPTY) {
            let mut cell = self.home(owner(slot));
            while self.cells[cell] != EMPTY {
                cell = self.after(cell);
            }
            self.cells[cell] = slot;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    /// Players whose first cell is one of the last, so that most of them wrap around.
    fn crowd() -> Vec<u64> {
        let last = |player: &u64| player.wrapping_mul(MIX) >> 60 == 15;
        (0..u64::MAX).filter(last).take(9).collect()
    }

    proptest! {
        #[test]
        fn the_map_equals_a_plain_one(
            ops in prop::collection::vec((0usize..9, any::<bool>()), 0..200),
        ) {
            let crowd = crowd();
            let (mut map, mut plain) = (PlayerMap::default(), BTreeMap::new());
            let owner = |slot: u32| crowd[slot as usize % 9];
            for (turn, (who, keep)) in ops.into_iter().enumerate() {
                let player = crowd[who];
                if keep {
                    let slot = (turn * 9 + who) as u32;
                    map.set(player, slot, owner);
                    plain.insert(player, slot);
                } else {
                    map.remove(player, owner);
                    plain.remove(&player);
                }
                for player in &crowd {
                    prop_assert_eq!(map.find(*player, owner), plain.get(player).copied());
                }
            }
        }
    }
}

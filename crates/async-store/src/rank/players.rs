//! From a player's number to the slot of the player's best entry, in some 6 bytes a player.

/// An empty cell; no slot has this number.
const EMPTY: u32 = u32::MAX;
/// Cells of a map that just got its first player.
const CELLS_MIN: usize = 8;

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
        let mixed = player.wrapping_mul(0x9e37_79b9_7f4a_7c15);
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

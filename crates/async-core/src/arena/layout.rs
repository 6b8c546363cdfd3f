//! The field: walls on a grid of unit cells, gates, and where players start. Drawn from the seed;
//! it never changes during a game.

use crate::{Angle, Fixed, PLAYERS_MAX, Rng, Vec2};

use super::options::Mode;

/// Cells from left to right; the outermost are wall.
pub(crate) const WIDTH: i32 = 48;
/// Cells from top to bottom; the outermost are wall.
pub(crate) const HEIGHT: i32 = 27;
/// The middle of the field.
pub(crate) const CENTRE: Vec2 = Vec2::milli(24_000, 13_500);
/// Most gates of a lap.
pub(crate) const GATES_MAX: usize = 8;
const BLOCKS_MAX: usize = 24;
/// Rows of the bitmap: a power of two, so that masking an index replaces checking it.
const ROWS: usize = 32;
/// Free cells around every block, so that the field is connected and nobody gets stuck.
const GAP: i32 = 2;

/// A solid block of cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) x: i32,
    pub(crate) y: i32,
    pub(crate) width: i32,
    pub(crate) height: i32,
}

/// The field of one game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// Bit x of row y: a solid cell. Everything outside of the field is solid.
    rows: [u64; ROWS],
    blocks: [Block; BLOCKS_MAX],
    block_count: usize,
    gates: [Vec2; GATES_MAX],
    gate_count: usize,
    spawns: [(Vec2, Angle); PLAYERS_MAX],
}

impl Layout {
    pub(crate) fn draw(mode: Mode, seed: u64) -> Self {
        let mut rng = Rng::stream(seed, "arena/layout");
        let mut layout = Self {
            rows: empty_field(),
            blocks: [Block::default(); BLOCKS_MAX],
            block_count: 0,
            gates: [Vec2::ZERO; GATES_MAX],
            gate_count: 0,
            spawns: field_spawns(),
        };
        match mode {
            Mode::Collect => layout.scatter(&mut rng, 9),
            Mode::Duel => layout.mirror(&mut rng),
            Mode::Race => layout.course(&mut rng),
        }
        layout
    }

    /// The blocks, without the outer wall.
    pub(crate) fn blocks(&self) -> &[Block] {
        &self.blocks[..self.block_count]
    }

    /// The gates of a lap in order; empty unless this is a race.
    pub(crate) fn gates(&self) -> &[Vec2] {
        &self.gates[..self.gate_count]
    }

    /// Where a slot starts, and where it looks.
    pub(crate) fn spawn(&self, place: usize) -> (Vec2, Angle) {
        self.spawns[place % PLAYERS_MAX]
    }

    /// Whether a cell is solid; outside of the field all are.
    #[inline(always)]
    pub(crate) fn is_solid(&self, x: i32, y: i32) -> bool {
        self.rows[y as usize & (ROWS - 1)] >> (x & 63) & 1 != 0
    }

    /// Whether any cell is solid that the box around a disc touches. The disc's middle lies on
    /// the field and its radius is below one half.
    #[inline(always)]
    pub(crate) fn touches(&self, pos: Vec2, radius: Fixed) -> bool {
        let columns =
            1u64 << ((pos.x - radius).floor() & 63) | 1u64 << ((pos.x + radius).floor() & 63);
        let above = self.rows[(pos.y - radius).floor() as usize & (ROWS - 1)];
        let below = self.rows[(pos.y + radius).floor() as usize & (ROWS - 1)];
        (above | below) & columns != 0
    }

    /// A random free cell's middle.
    pub(crate) fn free_place(&self, rng: &mut Rng) -> Vec2 {
        for _ in 0..16 {
            let (x, y) = (rng.between(1, WIDTH - 2), rng.between(1, HEIGHT - 2));
            if !self.is_solid(x, y) {
                return middle(x, y);
            }
        }
        // Blocks keep their distance from the outer wall, so this cell is always free.
        middle(2, 2)
    }

    fn scatter(&mut self, rng: &mut Rng, wanted: usize) {
        for _ in 0..wanted * 6 {
            if self.block_count >= wanted {
                return;
            }
            self.add(random_block(rng, 5, 4));
        }
    }

    /// A field that looks the same from both ends, so that no start is the better one.
    fn mirror(&mut self, rng: &mut Rng) {
        let pairs = 4 + rng.below(2) as usize;
        for _ in 0..pairs * 8 {
            if self.block_count >= 2 * pairs {
                return;
            }
            let block = random_block(rng, 5, 5);
            let opposite = Block {
                x: WIDTH - block.x - block.width,
                y: HEIGHT - block.y - block.height,
                ..block
            };
            if self.fits(block) && self.fits(opposite) && gap(block, opposite) >= GAP {
                self.add(block);
                self.add(opposite);
            }
        }
    }

    fn course(&mut self, rng: &mut Rng) {
        self.place_gates(rng);
        self.line_up();
        for leg in 0..self.gate_count {
            self.obstruct(leg, rng);
        }
        self.scatter(rng, self.block_count + 8);
    }

    /// Gates around an ellipse, each somewhat off it, clockwise or counter-clockwise.
    fn place_gates(&mut self, rng: &mut Rng) {
        let count = rng.between(6, GATES_MAX as i32);
        let clockwise = rng.below(2) == 0;
        let sector = 65_536 / count;
        let first = rng.below(65_536) as i32;
        for index in 0..count {
            let place = if clockwise { index } else { -index };
            let jitter = rng.between(-sector / 5, sector / 5);
            let angle = Angle::from_bits((first + place * sector + jitter) as u16);
            let reach = Fixed::milli(rng.between(680, 1_000));
            let (x, y) = (angle.cos() * reach, angle.sin() * reach);
            let offset = Vec2::new(x * Fixed::milli(19_500), y * Fixed::milli(9_200));
            self.gates[self.gate_count] = CENTRE + offset;
            self.gate_count += 1;
        }
    }

    /// Players start around the last gate, looking at the first.
    fn line_up(&mut self) {
        let start = self.gates[self.gate_count - 1];
        let facing = (self.gates[0] - start).angle();
        let (ahead, aside) = (facing.direction(), facing.direction().turned());
        for (slot, spawn) in self.spawns.iter_mut().enumerate() {
            let (row, column) = (slot as i32 / 3, slot as i32 % 3);
            // The first in the middle of the first row, the next beside it.
            let column = [0, 1, -1][column as usize];
            let back = ahead.scaled(Fixed::from_int(-row));
            *spawn = (start + back + aside.scaled(Fixed::from_int(column)), facing);
        }
    }

    /// Puts a block near the straight way to the next gate, so that it has to be steered around.
    fn obstruct(&mut self, leg: usize, rng: &mut Rng) {
        let (from, to) = (self.gates[leg], self.gates[(leg + 1) % self.gate_count]);
        if (to - from).shorter_than(Fixed::from_int(7)) {
            return;
        }
        for _ in 0..4 {
            let along = Fixed::milli(rng.between(380, 620));
            let at = from + (to - from).scaled(along);
            let (width, height) = (rng.between(1, 3), rng.between(1, 3));
            let x = at.x.floor() - width / 2 + rng.between(-1, 1);
            let y = at.y.floor() - height / 2 + rng.between(-1, 1);
            if self.add(Block {
                x,
                y,
                width,
                height,
            }) {
                return;
            }
        }
    }

    fn add(&mut self, block: Block) -> bool {
        if self.block_count == BLOCKS_MAX || !self.fits(block) {
            return false;
        }
        self.blocks[self.block_count] = block;
        self.block_count += 1;
        let columns = ((1u64 << block.width) - 1) << block.x;
        for y in block.y..block.y + block.height {
            self.rows[y as usize & (ROWS - 1)] |= columns;
        }
        true
    }

    fn fits(&self, block: Block) -> bool {
        // Three free cells within the outer wall: players start there.
        let margin = 4;
        let inside = block.x >= margin
            && block.y >= margin
            && block.x + block.width <= WIDTH - margin
            && block.y + block.height <= HEIGHT - margin;
        let clear = Fixed::milli(2_900);
        inside
            && self.blocks().iter().all(|other| gap(block, *other) >= GAP)
            && self
                .gates()
                .iter()
                .all(|gate| !distance_is_below(block, *gate, clear))
            && (self.gate_count > 0 || !distance_is_below(block, CENTRE, clear))
    }
}

/// The middle of a cell.
pub(crate) fn middle(x: i32, y: i32) -> Vec2 {
    Vec2::new(
        Fixed::from_int(x) + Fixed::HALF,
        Fixed::from_int(y) + Fixed::HALF,
    )
}

fn empty_field() -> [u64; ROWS] {
    let mut rows = [u64::MAX; ROWS];
    let inner = ((1u64 << (WIDTH - 2)) - 1) << 1;
    for row in &mut rows[1..HEIGHT as usize - 1] {
        *row = !inner;
    }
    rows
}

/// Corners first, then the middles of the sides; neighbours in this order are far apart.
fn field_spawns() -> [(Vec2, Angle); PLAYERS_MAX] {
    let (left, right, top, bottom) = (2_500, 45_500, 2_500, 24_500);
    [
        (left, top),
        (right, bottom),
        (right, top),
        (left, bottom),
        (24_000, top),
        (24_000, bottom),
        (left, 13_500),
        (right, 13_500),
    ]
    .map(|(x, y)| {
        let pos = Vec2::milli(x, y);
        (pos, (CENTRE - pos).angle())
    })
}

fn random_block(rng: &mut Rng, width_max: i32, height_max: i32) -> Block {
    let (width, height) = (rng.between(1, width_max), rng.between(1, height_max));
    let (x, y) = (
        rng.between(4, WIDTH - 4 - width),
        rng.between(4, HEIGHT - 4 - height),
    );
    Block {
        x,
        y,
        width,
        height,
    }
}

/// The free cells between two blocks, across or along, whichever are more.
fn gap(a: Block, b: Block) -> i32 {
    let across = (b.x - a.x - a.width).max(a.x - b.x - b.width);
    let along = (b.y - a.y - a.height).max(a.y - b.y - b.height);
    across.max(along)
}

fn distance_is_below(block: Block, place: Vec2, limit: Fixed) -> bool {
    let (low, high) = (
        Vec2::new(Fixed::from_int(block.x), Fixed::from_int(block.y)),
        Vec2::new(
            Fixed::from_int(block.x + block.width),
            Fixed::from_int(block.y + block.height),
        ),
    );
    let nearest = Vec2::new(place.x.clamp(low.x, high.x), place.y.clamp(low.y, high.y));
    (place - nearest).shorter_than(limit)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn reachable(layout: &Layout, start: Vec2) -> BTreeSet<(i32, i32)> {
        let mut seen = BTreeSet::new();
        let mut open = std::vec![(start.x.floor(), start.y.floor())];
        while let Some((x, y)) = open.pop() {
            if !layout.is_solid(x, y) && seen.insert((x, y)) {
                open.extend([(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]);
            }
        }
        seen
    }

    #[test]
    fn every_field_is_connected_and_its_starts_and_gates_are_free() {
        for seed in 0..300 {
            for mode in [Mode::Collect, Mode::Race, Mode::Duel] {
                let layout = Layout::draw(mode, seed);
                let seen = reachable(&layout, layout.spawn(0).0);
                for (x, y) in (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y))) {
                    assert_eq!(
                        seen.contains(&(x, y)),
                        !layout.is_solid(x, y),
                        "{mode:?} {seed}"
                    );
                }
                for place in 0..PLAYERS_MAX {
                    let (pos, _) = layout.spawn(place);
                    assert!(
                        !layout.touches(pos, Fixed::milli(450)),
                        "{mode:?} {seed} {place}"
                    );
                }
                let gates = layout.gates().len();
                assert_eq!(gates >= 6, mode == Mode::Race);
                assert!(layout.blocks().len() >= 5, "{mode:?} {seed}");
            }
        }
    }

    #[test]
    fn outside_everything_is_solid() {
        let layout = Layout::draw(Mode::Collect, 1);
        for (x, y) in [
            (-1, 5),
            (0, 5),
            (47, 5),
            (48, 5),
            (63, 5),
            (5, -1),
            (5, 0),
            (5, 26),
            (5, 31),
        ] {
            assert!(layout.is_solid(x, y), "{x} {y}");
        }
        assert!(!layout.is_solid(1, 1) && !layout.is_solid(46, 25));
    }

    #[test]
    fn a_duel_is_fair() {
        for seed in 0..50 {
            let layout = Layout::draw(Mode::Duel, seed);
            for (x, y) in (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y))) {
                let opposite = layout.is_solid(WIDTH - 1 - x, HEIGHT - 1 - y);
                assert_eq!(layout.is_solid(x, y), opposite);
            }
        }
    }
}

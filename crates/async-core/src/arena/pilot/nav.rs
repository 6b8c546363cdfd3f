//! The way around walls.

use alloc::vec::Vec;

use crate::{Fixed, Vec2};

use super::super::{
    layout::{HEIGHT, Layout, WIDTH, middle},
    tuning::PLAYER_RADIUS,
};

const CELLS: usize = (WIDTH * HEIGHT) as usize;
const UNREACHED: u16 = u16::MAX;
/// How many cells of its way a pilot looks ahead.
const AHEAD: usize = 16;

/// Steps from every cell to one cell: a flood that is kept until another cell is wanted.
#[derive(Debug, Default)]
pub(super) struct Nav {
    target: Option<usize>,
    steps: Vec<u16>,
    open: Vec<usize>,
}

impl Nav {
    /// Where to head for now in order to get to `place`: the place itself, or the farthest point
    /// of the way there that is in sight.
    pub(super) fn next(&mut self, layout: &Layout, from: Vec2, place: Vec2) -> Vec2 {
        if is_clear(layout, from, place) {
            return place;
        }
        self.flood(layout, cell_at(place));
        let mut cell = cell_at(from);
        let mut best = None;
        for _ in 0..AHEAD {
            let Some(next) = self.downhill(layout, cell) else {
                break;
            };
            cell = next;
            let point = middle_of(cell);
            if best.is_none() || is_clear(layout, from, point) {
                best = Some(point);
            }
        }
        best.unwrap_or(place)
    }

    fn flood(&mut self, layout: &Layout, target: usize) {
        if self.target == Some(target) {
            return;
        }
        self.target = Some(target);
        self.steps.clear();
        self.steps.resize(CELLS, UNREACHED);
        self.open.clear();
        self.open.push(target);
        self.steps[target] = 0;
        let mut first = 0;
        while let Some(&cell) = self.open.get(first) {
            first += 1;
            for next in neighbours(layout, cell).into_iter().flatten() {
                if self.steps[next] == UNREACHED {
                    self.steps[next] = self.steps[cell] + 1;
                    self.open.push(next);
                }
            }
        }
    }

    fn downhill(&self, layout: &Layout, cell: usize) -> Option<usize> {
        let here = self.steps[cell];
        let open = neighbours(layout, cell).into_iter().flatten();
        open.filter(|next| self.steps[*next] < here)
            .min_by_key(|next| self.steps[*next])
    }
}

/// Whether a player can fly straight from `from` to `to`.
pub(super) fn is_clear(layout: &Layout, from: Vec2, to: Vec2) -> bool {
    let way = to - from;
    let stretch = Fixed::milli(400);
    let count = (way.length() / stretch).floor() + 1;
    let step = way.with_length(stretch);
    let mut point = from;
    for _ in 1..count {
        point += step;
        if layout.touches(point, PLAYER_RADIUS) {
            return false;
        }
    }
    !layout.is_solid(to.x.floor(), to.y.floor())
}

/// The free cells beside a cell; diagonally only where both corners are free.
fn neighbours(layout: &Layout, cell: usize) -> [Option<usize>; 8] {
    const WAYS: [(i32, i32); 8] = [
        (1, 0),
        (-1, 0),
        (0, 1),
        (0, -1),
        (1, 1),
        (1, -1),
        (-1, 1),
        (-1, -1),
    ];
    let (x, y) = (cell as i32 % WIDTH, cell as i32 / WIDTH);
    WAYS.map(|(right, down)| {
        let free = !layout.is_solid(x + right, y + down)
            && !layout.is_solid(x + right, y)
            && !layout.is_solid(x, y + down);
        free.then_some(((y + down) * WIDTH + x + right) as usize)
    })
}

fn cell_at(place: Vec2) -> usize {
    let (x, y) = (
        place.x.floor().clamp(0, WIDTH - 1),
        place.y.floor().clamp(0, HEIGHT - 1),
    );
    (y * WIDTH + x) as usize
}

fn middle_of(cell: usize) -> Vec2 {
    middle(cell as i32 % WIDTH, cell as i32 / WIDTH)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::options::Mode;

    #[test]
    fn the_way_leads_there_without_touching_a_wall() {
        for seed in 0..30 {
            let layout = Layout::draw(Mode::Collect, seed);
            let mut nav = Nav::default();
            let (mut at, target) = (layout.spawn(0).0, layout.spawn(1).0);
            let mut legs = 0;
            while !(at - target).shorter_than(Fixed::HALF) {
                at = nav.next(&layout, at, target);
                assert!(!layout.touches(at, PLAYER_RADIUS), "{seed}");
                legs += 1;
                assert!(legs < 60, "{seed}: no way found");
            }
        }
    }
}

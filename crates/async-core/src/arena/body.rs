//! How bodies move: thrust, inertia, dashes, walls, bumps.

use crate::{Angle, Fixed, Input, Vec2};

use super::{
    DASH,
    layout::Layout,
    tuning::{PLAYER_RADIUS, SPEED_MAX, Tuning},
    world::Player,
};

impl Player {
    /// Whether it is on the field: it moves, shoots and can be met.
    #[inline(always)]
    pub(crate) fn is_up(&self, tuning: &Tuning) -> bool {
        self.down <= tuning.shield
    }

    /// Whether it cannot be hurt now.
    #[inline(always)]
    pub(crate) fn is_safe(&self, tuning: &Tuning) -> bool {
        self.down > 0 || self.is_dashing(tuning)
    }

    /// Whether a dash is on.
    #[inline(always)]
    pub(crate) fn is_dashing(&self, tuning: &Tuning) -> bool {
        self.dash > tuning.dash_over
    }

    /// Puts it down until it may come back.
    pub(crate) fn strike_down(&mut self, tuning: &Tuning) {
        self.down = tuning.down;
        self.vel = Vec2::ZERO;
        self.dash = 0;
    }

    /// Pushes it, as a shot or a bump does.
    pub(crate) fn shove(&mut self, by: Vec2) {
        let vel = self.vel + by;
        self.vel = if vel.shorter_than(SPEED_MAX) {
            vel
        } else {
            vel.with_length(SPEED_MAX)
        };
    }

    /// Turns towards the aim, or the movement where nothing is aimed at.
    pub(crate) fn look(&mut self, input: &Input) {
        let [move_x, move_y, aim_x, aim_y, ..] = input.axes.map(i32::from);
        if aim_x | aim_y != 0 {
            self.facing = Angle::of(aim_x, aim_y);
        } else if move_x | move_y != 0 {
            self.facing = Angle::of(move_x, move_y);
        }
    }

    /// One tick of movement.
    #[inline(always)]
    pub(crate) fn fly(&mut self, input: &Input, tuning: &Tuning, layout: &Layout) {
        let [move_x, move_y, ..] = input.axes.map(i32::from);
        let pressed = input.buttons & !self.held;
        self.dash -= i32::from(self.dash > 0);
        if pressed & DASH != 0 && self.dash == 0 {
            let moving = move_x | move_y != 0;
            let towards = if moving {
                Angle::of(move_x, move_y)
            } else {
                self.facing
            };
            self.vel = towards.direction().scaled(tuning.dash_speed);
            self.dash = tuning.dash_wait;
        }
        if !self.is_dashing(tuning) {
            let thrust = tuning.push.times_vec(stick(move_x, move_y));
            self.vel = tuning.damping.times_vec(self.vel) + thrust;
        }
        let before = self.pos;
        self.pos += tuning.dt.times_vec(self.vel);
        if layout.touches(self.pos, PLAYER_RADIUS) {
            let mut body = (self.pos, self.vel);
            push_out(layout, PLAYER_RADIUS, QUARTER, before, &mut body);
            (self.pos, self.vel) = body;
        }
    }
}

/// A stick's place as a vector no longer than 1 (to within half a percent).
#[inline(always)]
fn stick(x: i32, y: i32) -> Vec2 {
    let square = x * x + y * y;
    // 65536 / 127, and less where the stick stands in a corner of its square.
    let unit = if square <= FULL * FULL {
        65_536 / FULL
    } else {
        i32::from(CORNERS[((square - FULL * FULL) >> 7) as usize & 255])
    };
    Vec2::new(Fixed::from_bits(x * unit), Fixed::from_bits(y * unit))
}

/// How far a stick goes straight.
const FULL: i32 = 127;
/// 65536 / √(127² + 128·i).
const CORNERS: [u16; 256] = {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        let square = (FULL * FULL) as u64 + 128 * index as u64;
        // 2^16 / √s = 2^24 / √(s · 2^16)
        table[index] = ((1 << 24) / (square << 16).isqrt()) as u16;
        index += 1;
    }
    table
};

/// How much of its speed into a wall a player gets back.
const QUARTER: Fixed = Fixed::milli(250);

/// Moves a disc (its place and velocity) out of the walls that it touches. What was heading into
/// a wall leaves it with the part `bounce` of its speed.
#[inline(never)]
pub(crate) fn push_out(
    layout: &Layout,
    radius: Fixed,
    bounce: Fixed,
    before: Vec2,
    body: &mut (Vec2, Vec2),
) {
    let (low, high) = (
        body.0 - Vec2::new(radius, radius),
        body.0 + Vec2::new(radius, radius),
    );
    // Faces first: a disc that slides along a wall must not catch on the corners between cells.
    for faces in [true, false] {
        for y in low.y.floor()..=high.y.floor() {
            for x in low.x.floor()..=high.x.floor() {
                if layout.is_solid(x, y) {
                    let cell = Vec2::new(Fixed::from_int(x), Fixed::from_int(y));
                    leave_cell(cell, radius, bounce, faces, before, body);
                }
            }
        }
    }
}

/// Moves a disc out of one cell, if it touches the cell at a face (or else at a corner).
fn leave_cell(
    cell: Vec2,
    radius: Fixed,
    bounce: Fixed,
    faces: bool,
    before: Vec2,
    body: &mut (Vec2, Vec2),
) {
    let (pos, vel) = body;
    let nearest = Vec2::new(
        pos.x.clamp(cell.x, cell.x + Fixed::ONE),
        pos.y.clamp(cell.y, cell.y + Fixed::ONE),
    );
    let away = *pos - nearest;
    if !away.shorter_than(radius) {
        return;
    }
    if away == Vec2::ZERO {
        // Its middle is in the wall: only a loaded or a jostled state gets here.
        *pos = before;
        *vel = Vec2::ZERO;
        return;
    }
    let is_face = away.x == Fixed::ZERO || away.y == Fixed::ZERO;
    if is_face != faces {
        return;
    }
    *pos = nearest + away.with_length(radius);
    let normal = away.with_length(Fixed::ONE);
    let into = Fixed::from_bits((vel.dot(normal) >> 16) as i32);
    if into < Fixed::ZERO {
        *vel -= normal.scaled(into + into * bounce);
    }
}

/// Parts two players that overlap, and lets them exchange their speed along the line between them.
/// One that dashes throws the other.
pub(crate) fn bump(a: &mut Player, b: &mut Player, tuning: &Tuning, layout: &Layout) {
    let between = b.pos - a.pos;
    let reach = PLAYER_RADIUS + PLAYER_RADIUS;
    if !between.shorter_than(reach) || !a.is_up(tuning) || !b.is_up(tuning) {
        return;
    }
    let normal = match between {
        Vec2::ZERO => Vec2::new(Fixed::ONE, Fixed::ZERO),
        _ => between.with_length(Fixed::ONE),
    };
    let overlap = reach - between.length();
    let half = normal.scaled(Fixed::from_bits(overlap.bits() / 2));
    move_freely(a, -half, layout);
    move_freely(b, half, layout);
    let closing = Fixed::from_bits(((a.vel - b.vel).dot(normal) >> 16) as i32);
    if closing > Fixed::ZERO {
        a.shove(-normal.scaled(closing));
        b.shove(normal.scaled(closing));
    }
}

fn move_freely(body: &mut Player, by: Vec2, layout: &Layout) {
    if !layout.touches(body.pos + by, PLAYER_RADIUS) {
        body.pos += by;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FrameRate, arena::options::Mode};

    #[test]
    fn a_stick_is_never_longer_than_one() {
        for (x, y) in (-128..=127).flat_map(|x| (-128..=127).map(move |y| (x, y))) {
            let length = stick(x, y).length();
            assert!(length <= Fixed::milli(1_009), "{x} {y}");
            if x * x + y * y >= 127 * 127 {
                assert!(length >= Fixed::milli(990), "{x} {y} {}", length.to_f64());
            }
        }
    }

    /// The way flown in two seconds of full thrust and one second of rolling out.
    fn way(hz: u32) -> Fixed {
        let tuning = Tuning::of(Mode::Race, FrameRate::hz(hz).unwrap());
        let layout = Layout::draw(Mode::Duel, 1);
        let mut body = Player {
            pos: Vec2::milli(2_500, 2_500),
            ..Player::default()
        };
        let full = Input {
            axes: [127, 0, 0, 0, 0, 0, 0, 0],
            ..Input::default()
        };
        for frame in 0..hz * 3 {
            let input = if frame < hz * 2 {
                full
            } else {
                Input::default()
            };
            for _ in 0..tuning.ticks {
                body.fly(&input, &tuning, &layout);
            }
        }
        body.pos.x
    }

    #[test]
    fn the_feel_is_the_same_at_every_rate() {
        let reference = way(60);
        assert!(reference > Fixed::from_int(20) && reference < Fixed::from_int(40));
        for hz in [10, 24, 30, 50, 75, 90, 120] {
            let off = (way(hz) - reference).abs();
            assert!(off < Fixed::milli(300), "{hz} Hz: {} off", off.to_f64());
        }
    }

    #[test]
    fn nobody_flies_through_walls() {
        let tuning = Tuning::of(Mode::Collect, FrameRate::hz(50).unwrap());
        for seed in 0..40 {
            let layout = Layout::draw(Mode::Collect, seed);
            let mut rng = crate::Rng::stream(seed, "test");
            let mut body = Player {
                pos: layout.spawn(0).0,
                ..Player::default()
            };
            for frame in 0..2_000 {
                if frame % 10 == 0 {
                    body.held = 0;
                }
                let mut input = Input {
                    buttons: rng.below(4),
                    ..Input::default()
                };
                if frame % 7 == 0 {
                    body.shove(Vec2::milli(rng.between(-40_000, 40_000), 20_000));
                }
                input.axes[0] = rng.between(-128, 127) as i16;
                input.axes[1] = rng.between(-128, 127) as i16;
                body.fly(&input, &tuning, &layout);
                body.held = input.buttons;
                assert!(
                    !layout.is_solid(body.pos.x.floor(), body.pos.y.floor()),
                    "{seed} {frame}"
                );
            }
        }
    }
}

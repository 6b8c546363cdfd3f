//! The arena's autopilot: it sees what a player sees (places, walls, gates, clocks) and decides
//! several times a second, holding its controls in between as a hand would.

mod collect;
mod duel;
mod nav;
mod race;

use crate::{Angle, Fixed, Game, Input, Pilot, Rng, Vec2};

use super::{Arena, DASH, FIRE, Mode, world::Player};
use nav::Nav;

/// The arena's autopilot: decent in every mode, different with every seed.
#[derive(Debug)]
pub struct Autopilot {
    rng: Rng,
    habits: Habits,
    nav: Nav,
    /// Frames until the next decision.
    wait: u32,
    /// What is held until then.
    input: Input,
    /// Which way it circles an enemy.
    side: i32,
    /// The place it is after.
    goal: Vec2,
}

/// What makes one pilot another player than the next.
#[derive(Clone, Copy, Debug)]
struct Habits {
    /// Milliseconds from one decision to the next.
    think_ms: u64,
    /// How far off it aims, in 1/65536 of a turn to either side.
    aim_error: i32,
    /// How much it fears drones and seeks distance, in thousandths of world units.
    caution: i32,
    /// How much it is drawn to what is worth more, in percent.
    greed: i32,
    /// How often it takes an opportunity to dash, in percent.
    dash: u32,
    /// How far it trusts its thrust against its inertia, in percent.
    steadiness: i32,
}

impl Habits {
    fn draw(rng: &mut Rng) -> Self {
        Self {
            think_ms: 50 + u64::from(rng.below(80)),
            aim_error: rng.between(300, 2_600),
            caution: rng.between(2_200, 4_200),
            greed: rng.between(30, 170),
            dash: 25 + rng.below(70),
            steadiness: rng.between(45, 95),
        }
    }
}

/// What a pilot looks at while it decides.
struct View<'a> {
    arena: &'a Arena,
    me: &'a Player,
    slot: usize,
}

impl View<'_> {
    /// Whether nothing solid stands between here and `place`.
    fn sees(&self, place: Vec2) -> bool {
        nav::is_clear(&self.arena.layout, self.me.pos, place)
    }

    fn can_dash(&self) -> bool {
        self.me.dash == 0
    }
}

impl Autopilot {
    /// A pilot with randomness of its own.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut rng = Rng::stream(seed, "arena/pilot");
        let habits = Habits::draw(&mut rng);
        let side = if rng.below(2) == 0 { 1 } else { -1 };
        let (nav, input, goal) = (Nav::default(), Input::default(), Vec2::ZERO);
        Self {
            rng,
            habits,
            nav,
            wait: 0,
            input,
            side,
            goal,
        }
    }

    fn think(&mut self, view: &View<'_>) {
        self.input = Input::default();
        match view.arena.rules.mode {
            Mode::Collect => self.think_collect(view),
            Mode::Race => self.think_race(view),
            Mode::Duel => self.think_duel(view),
        }
    }

    /// Heads for a place around the walls; the length of the way there does not matter.
    fn head_for(&mut self, view: &View<'_>, place: Vec2) -> Vec2 {
        self.nav.next(&view.arena.layout, view.me.pos, place) - view.me.pos
    }

    fn push_stick(&mut self, way: Vec2) {
        (self.input.axes[0], self.input.axes[1]) = stick(way);
    }

    /// Aims at a moving thing as well as this pilot can, and fires.
    fn shoot(&mut self, view: &View<'_>, place: Vec2, speed: Vec2) {
        let away = place - view.me.pos;
        // Where it will be when a shot gets there.
        let seconds = away.length() / Fixed::from_int(21);
        let error = self
            .rng
            .between(-self.habits.aim_error, self.habits.aim_error);
        let angle = (away + speed.scaled(seconds)).angle() + Angle::from_bits(error as u16);
        (self.input.axes[2], self.input.axes[3]) = stick(angle.direction());
        self.input.buttons |= FIRE;
    }

    fn dash(&mut self) {
        self.input.buttons |= DASH;
    }

    /// Whether it takes a chance that it takes in so many percent of cases.
    fn feels_like(&mut self, percent: u32) -> bool {
        self.rng.below(100) < percent
    }
}

impl Pilot for Autopilot {
    fn input(&mut self, game: &dyn Game, slot: u8) -> Input {
        let Some(arena) = game.as_any().downcast_ref::<Arena>() else {
            return Input::default();
        };
        let slot = usize::from(slot);
        let Some(me) = arena.world.players.all().get(slot) else {
            return Input::default();
        };
        if self.wait == 0 {
            self.think(&View { arena, me, slot });
            self.wait = arena.rules.rate.frames_in(self.habits.think_ms) as u32;
        }
        self.wait = self.wait.saturating_sub(1);
        self.input
    }
}

/// A stick pushed all the way in a direction; let go for no direction.
fn stick(way: Vec2) -> (i16, i16) {
    let full = way.with_length(Fixed::from_int(127));
    let axis = |part: Fixed| (part + Fixed::HALF).floor().clamp(-127, 127) as i16;
    (axis(full.x), axis(full.y))
}

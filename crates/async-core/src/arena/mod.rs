//! The game `arena`: a walled field seen from above, for 1 to 8 players who move with inertia,
//! aim, shoot and dash.
//!
//! Three modes (option `mode`): `collect` gathers orbs among drones for `seconds`; `race` flies
//! through gates in order for `laps`; `duel` shoots over `rounds`. The field is drawn from the
//! seed. Units: the field is 48 × 27, x to the right, y down; a player is 0.9 wide.

mod body;
mod collect;
mod duel;
mod layout;
mod options;
mod pilot;
mod race;
mod shots;
mod tuning;
mod view;
mod world;

use alloc::{boxed::Box, sync::Arc, vec, vec::Vec};
use core::any::Any;

use crate::{
    Axis, AxisBits, Error, Fault, Game, GameId, Hasher, Input, InputSchema, Order, Rng, RunDigest,
    Setup, Shape, Step, Transform, WorkBudget,
    state::{Loader, Saver, Tracer},
};

use layout::Layout;
use options::Rules;
use tuning::Tuning;
use world::{Player, World};

pub use options::Mode;
pub use pilot::Autopilot;

/// The arena's name in the catalogue.
pub const NAME: &str = "arena";
/// The revision of its behaviour.
pub const REVISION: u32 = 1;
/// The button that shoots while it is down.
pub const FIRE: u32 = 1 << 0;
/// The button that dashes when it goes down.
pub const DASH: u32 = 1 << 1;
/// The score of a race that was not finished, in milliseconds: a day, longer than any run.
pub const UNFINISHED_MS: i64 = 86_400_000;
/// No slot has more points than this.
pub const SCORE_MAX: i32 = 1_000_000_000;
/// `detail` of an orb's transform: it lies still; it is golden and runs; it heals in a duel.
pub const ORB_KINDS: [&str; 3] = ["plain", "gold", "power"];
/// `detail` of a drone's transform: it hunts; it roams.
pub const DRONE_KINDS: [&str; 2] = ["chaser", "roamer"];

/// Buttons `fire`, `dash`; axes `move_x`, `move_y`, `aim_x`, `aim_y` of 8 bits. y grows down.
/// Without an aim, players look where they move.
#[must_use]
pub fn schema() -> InputSchema {
    let axis = |name: &str| Axis {
        name: name.into(),
        bits: AxisBits::Eight,
    };
    let axes: Vec<Axis> = ["move_x", "move_y", "aim_x", "aim_y"].map(axis).into();
    InputSchema {
        buttons: vec!["fire".into(), "dash".into()],
        axes,
    }
}

/// Starts an arena for the catalogue.
pub(crate) fn start(setup: &Setup) -> Result<Box<dyn Game>, Error> {
    Ok(Box::new(Arena::start(setup)?))
}

/// A running arena.
#[derive(Clone, Debug)]
pub struct Arena {
    schema: Arc<InputSchema>,
    /// A digest of the setup: what the state means depends on it.
    identity: u64,
    rules: Rules,
    tuning: Tuning,
    layout: Layout,
    /// The stream that spawns draw from; the world holds its position.
    spawning: Rng,
    world: World,
}

impl Arena {
    /// Starts a game.
    ///
    /// # Errors
    /// Those of [`Setup::check`]; [`Error::BadOption`]; [`Error::BadPlayers`] for a duel of one.
    pub fn start(setup: &Setup) -> Result<Self, Error> {
        setup.check()?;
        let rules = Rules::of(setup)?;
        let spawning = Rng::stream(setup.seed, "arena/spawn");
        let mut arena = Self {
            schema: Arc::new(schema()),
            identity: RunDigest::start(NAME, REVISION, setup).value(),
            rules,
            tuning: Tuning::of(rules.mode, rules.rate),
            layout: Layout::draw(rules.mode, setup.seed),
            spawning,
            world: World::default(),
        };
        arena.world.clock.spawn = spawning.position();
        for slot in 0..usize::from(rules.players) {
            let (pos, facing) = arena.layout.spawn(slot);
            arena.world.players.push(Player {
                pos,
                facing,
                ..Player::default()
            });
        }
        match rules.mode {
            Mode::Collect => arena.start_collect(),
            Mode::Race => arena.start_race(),
            Mode::Duel => arena.start_round(),
        }
        Ok(arena)
    }

    /// The mode that is played.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.rules.mode
    }

    fn is_finished(&self) -> bool {
        let late = self.world.clock.frame >= self.rules.frames;
        match self.rules.mode {
            Mode::Collect => late,
            Mode::Duel => self.world.clock.round >= self.rules.rounds,
            Mode::Race => late || self.has_arrived(usize::from(self.rules.slot)),
        }
    }

    /// Race: whether a slot has passed its last gate.
    fn has_arrived(&self, slot: usize) -> bool {
        let total = self.gates_total();
        self.world
            .players
            .all()
            .get(slot)
            .is_some_and(|player| player.gates >= total)
    }

    #[inline(always)]
    fn tick(&mut self, inputs: &[Input]) {
        let locked = self.rules.mode == Mode::Duel && self.counts_down();
        for (slot, input) in inputs.iter().enumerate() {
            self.tick_player(slot, input, locked);
        }
        if inputs.len() > 1 {
            self.bump_all();
        }
        self.fly_shots();
        match self.rules.mode {
            Mode::Collect => self.tick_collect(),
            Mode::Race => self.tick_race(),
            Mode::Duel => self.tick_duel(),
        }
    }

    #[inline(always)]
    fn tick_player(&mut self, slot: usize, input: &Input, locked: bool) {
        let Some(player) = self.world.players.all_mut().get_mut(slot) else {
            return;
        };
        player.reload -= i32::from(player.reload > 0);
        if player.down > 0 {
            player.down -= 1;
            if player.down == self.tuning.shield {
                self.come_back(slot);
            }
        }
        let arrived = self.rules.mode == Mode::Race && self.has_arrived(slot);
        // Who has arrived rolls out and stays on the field.
        let input = if arrived { Input::default() } else { *input };
        let player = &mut self.world.players.all_mut()[slot];
        if player.is_up(&self.tuning) {
            player.look(&input);
            if !locked {
                player.fly(&input, &self.tuning, &self.layout);
            }
        }
        player.held = input.buttons;
        if input.buttons & FIRE != 0 && !locked && player.is_up(&self.tuning) {
            self.fire(slot);
        }
    }

    fn bump_all(&mut self) {
        let players = self.world.players.all_mut();
        for second in 1..players.len() {
            let (before, rest) = players.split_at_mut(second);
            let Some(b) = rest.first_mut() else { return };
            for a in before {
                body::bump(a, b, &self.tuning, &self.layout);
            }
        }
    }

    /// What a frame costs: one for each body and tick, and something for the rest.
    fn work(&self) -> u64 {
        let world = &self.world;
        let bodies = world.players.len() + world.shots.len() + world.orbs.len();
        (bodies + world.drones.len() + 8) as u64 * u64::from(self.tuning.ticks)
    }
}

impl Game for Arena {
    fn id(&self) -> GameId<'_> {
        GameId {
            name: NAME,
            revision: REVISION,
        }
    }

    fn schema(&self) -> &InputSchema {
        &self.schema
    }

    fn players(&self) -> u8 {
        self.rules.players
    }

    fn order(&self) -> Order {
        self.rules.mode.order()
    }

    fn step(&mut self, inputs: &[Input], budget: &mut WorkBudget) -> Result<Step, Fault> {
        if inputs.len() != self.world.players.len() {
            return Err(Fault::WrongInputs);
        }
        if self.is_finished() {
            return Err(Fault::FramesAfterFinish);
        }
        budget.charge(self.work())?;
        for _ in 0..self.tuning.ticks {
            self.tick(inputs);
            if self.rules.mode == Mode::Duel && self.is_finished() {
                break;
            }
        }
        self.world.clock.frame += 1;
        Ok(if self.is_finished() {
            Step::Finished
        } else {
            Step::Running
        })
    }

    fn score(&self, slot: u8) -> i64 {
        let player = self.world.players.all().get(usize::from(slot));
        player.map_or(0, |player| match self.rules.mode {
            Mode::Collect | Mode::Duel => i64::from(player.score),
            Mode::Race => self.race_score(player),
        })
    }

    fn progress(&self, slot: u8) -> i64 {
        let player = self.world.players.all().get(usize::from(slot));
        player.map_or(0, |player| match self.rules.mode {
            Mode::Collect | Mode::Duel => i64::from(player.score),
            Mode::Race => self.race_progress(player),
        })
    }

    fn digest(&self) -> u64 {
        let mut hasher = Hasher::new(self.identity);
        self.world.visit(&mut hasher);
        hasher.finish()
    }

    fn save(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.identity.to_le_bytes());
        self.world.visit(&mut Saver(out));
    }

    fn load(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let (identity, rest) = bytes
            .split_first_chunk()
            .ok_or(Error::BadSave("cut short"))?;
        if u64::from_le_bytes(*identity) != self.identity {
            return Err(Error::BadSave("of a game with another setup"));
        }
        let mut world = World::default();
        let mut loader = Loader(rest);
        world.visit_mut(&mut loader)?;
        loader.end()?;
        if !world.is_plausible(self.rules.players) {
            return Err(Error::BadSave("a field has a value that it cannot have"));
        }
        self.world = world;
        Ok(())
    }

    fn trace(&self, field: &mut dyn FnMut(&str, u64)) {
        field("setup", self.identity);
        self.world.visit(&mut Tracer::new(field));
    }

    fn transforms(&self, out: &mut Vec<Transform>) {
        self.show_bodies(out);
    }

    fn scenery(&self, out: &mut Vec<Shape>) {
        self.show_scenery(out);
    }

    fn status(&self, slot: u8, field: &mut dyn FnMut(&'static str, i64)) {
        self.show_status(slot, field);
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn boxed_clone(&self) -> Box<dyn Game> {
        Box::new(self.clone())
    }
}

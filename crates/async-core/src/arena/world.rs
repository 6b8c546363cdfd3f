//! The state of an arena: everything that the next frame depends on, and nothing else.

use crate::{
    Angle, Fixed, Vec2,
    state::{record, state},
};

/// Most shots in flight; a shot beyond that is not fired.
pub(crate) const SHOTS_MAX: usize = 64;
/// Most orbs lying about.
pub(crate) const ORBS_MAX: usize = 16;
/// Most drones about.
pub(crate) const DRONES_MAX: usize = 16;

record! {
    /// Clocks and randomness. Times are in ticks unless said otherwise.
    Clock {
        /// Frames played.
        frame: u32 = ["frame"];
        /// Duel: the round that is on, from 0; the number of rounds when all are over.
        round: u32 = ["round"];
        /// Duel: what is left of the round, its countdown included.
        round_left: i32 = ["round_left"];
        /// Until the next orb (collect) or the next power orb (duel) appears.
        orb_wait: i32 = ["orb_wait"];
        /// Until the next golden orb appears.
        gold_wait: i32 = ["gold_wait"];
        /// Until the next drone appears.
        drone_wait: i32 = ["drone_wait"];
        /// Where the random stream of spawning stands.
        spawn: u64 = ["spawn.low", "spawn.high"];
    }
}

record! {
    /// A player's body and fortune. Fields of other modes stay zero.
    Player {
        pos: Vec2 = ["pos.x", "pos.y"];
        /// World units a second.
        vel: Vec2 = ["vel.x", "vel.y"];
        /// Where it looks and shoots.
        facing: Angle = ["facing"];
        /// The buttons of the last tick: a dash starts when its button goes down.
        held: u32 = ["held"];
        /// Ticks until the next dash; the first of them are the dash itself.
        dash: i32 = ["dash"];
        /// Ticks until the next shot.
        reload: i32 = ["reload"];
        /// Ticks until it is back (down), and then of its shield.
        down: i32 = ["down"];
        /// Points; race: milliseconds at the finish, 0 before.
        score: i32 = ["score"];
        /// Duel: hits it can still take.
        health: i32 = ["health"];
        /// Duel: its score when the round began.
        round_score: i32 = ["round_score"];
        /// Collect: what the next orb's points are multiplied with, minus one.
        combo: i32 = ["combo"];
        /// Collect: ticks until the combo is lost.
        combo_left: i32 = ["combo_left"];
        /// Race: gates passed, over all laps.
        gates: u32 = ["gates"];
        /// Race: the square of the least distance to the next gate so far (16 fractional bits).
        nearest: i32 = ["nearest"];
    }
}

record! {
    /// A shot in flight.
    Shot {
        pos: Vec2 = ["pos.x", "pos.y"];
        /// World units a tick.
        step: Vec2 = ["step.x", "step.y"];
        /// The slot that fired it.
        owner: u32 = ["owner"];
        /// Ticks it still flies.
        left: i32 = ["left"];
    }
}

record! {
    /// Something to pick up.
    Orb {
        pos: Vec2 = ["pos.x", "pos.y"];
        /// World units a tick; only golden orbs move.
        step: Vec2 = ["step.x", "step.y"];
        /// One of the `ORB_…` kinds.
        kind: u32 = ["kind"];
        /// Ticks until it vanishes; 0 for one that stays.
        left: i32 = ["left"];
    }
}

record! {
    /// Something that hunts.
    Drone {
        pos: Vec2 = ["pos.x", "pos.y"];
        /// World units a tick.
        step: Vec2 = ["step.x", "step.y"];
        /// One of the `DRONE_…` kinds.
        kind: u32 = ["kind"];
        /// Hits it can still take.
        health: i32 = ["health"];
        /// Ticks until it wakes: until then it neither moves nor hurts.
        asleep: i32 = ["asleep"];
        /// Ticks until it looks for its prey again.
        think: i32 = ["think"];
    }
}

state! {
    /// The whole state.
    World {
        clock: Clock = "clock";
        players: [Player; crate::PLAYERS_MAX] = "player";
        shots: [Shot; SHOTS_MAX] = "shot";
        orbs: [Orb; ORBS_MAX] = "orb";
        drones: [Drone; DRONES_MAX] = "drone";
    }
}

/// An orb that lies still.
pub(crate) const ORB_PLAIN: u32 = 0;
/// A golden orb: it runs about and vanishes.
pub(crate) const ORB_GOLD: u32 = 1;
/// A power orb in the middle of a duel: points and health.
pub(crate) const ORB_POWER: u32 = 2;
/// A drone that heads for the nearest player.
pub(crate) const DRONE_CHASER: u32 = 0;
/// A drone that crosses the field and bounces off its walls.
pub(crate) const DRONE_ROAMER: u32 = 1;

impl World {
    /// Whether each value is one that play can lead to, as far as the rules rely on it: places
    /// on the field, speeds that cannot skip a wall, owners that exist. For loaded states.
    pub(crate) fn is_plausible(&self, players: u8) -> bool {
        let owner = |shot: &Shot| shot.owner < u32::from(players) && slow(shot.step);
        let player = |body: &Player| {
            let counts = [body.dash, body.reload, body.down, body.score, body.health];
            let more = [body.round_score, body.combo, body.combo_left, body.nearest];
            counts.into_iter().chain(more).all(countable) && body.gates < COUNT_MAX as u32
        };
        let clock = &self.clock;
        let waits = [
            clock.round_left,
            clock.orb_wait,
            clock.gold_wait,
            clock.drone_wait,
        ];
        self.players.len() == usize::from(players)
            && clock.frame <= crate::FRAMES_MAX
            && clock.round <= super::options::ROUNDS_MAX as u32
            && waits.into_iter().all(countable)
            && self
                .players
                .all()
                .iter()
                .all(|body| on_field(body.pos) && fast(body.vel))
            && self.players.all().iter().all(player)
            && self
                .shots
                .all()
                .iter()
                .all(|shot| on_field(shot.pos) && owner(shot))
            && self
                .orbs
                .all()
                .iter()
                .all(|orb| on_field(orb.pos) && slow(orb.step))
            && self
                .drones
                .all()
                .iter()
                .all(|drone| on_field(drone.pos) && slow(drone.step))
            && self.shots.all().iter().all(|shot| countable(shot.left))
            && self.orbs.all().iter().all(|orb| countable(orb.left))
            && self.drones.all().iter().all(|drone| {
                [drone.health, drone.asleep, drone.think]
                    .into_iter()
                    .all(countable)
            })
    }
}

/// More than any count, time or score of the arena reaches.
const COUNT_MAX: i32 = 1 << 30;

fn countable(count: i32) -> bool {
    (0..=COUNT_MAX).contains(&count)
}

fn on_field(pos: Vec2) -> bool {
    let within = |at: Fixed, limit: i32| at >= Fixed::ZERO && at <= Fixed::from_int(limit);
    within(pos.x, super::layout::WIDTH) && within(pos.y, super::layout::HEIGHT)
}

fn slow(step: Vec2) -> bool {
    step.shorter_than(Fixed::ONE)
}

fn fast(vel: Vec2) -> bool {
    vel.shorter_than(Fixed::from_int(64))
}

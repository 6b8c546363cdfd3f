//! The mode collect: orbs, golden orbs that run away, drones that hunt.

use crate::{Angle, Fixed, Rng, Vec2};

use super::{
    Arena,
    body::push_out,
    shots::is_within,
    tuning::{DRONE_RADIUS, ORB_RADIUS, PLAYER_RADIUS},
    world::{DRONE_CHASER, DRONE_ROAMER, Drone, ORB_GOLD, ORB_PLAIN, ORB_POWER, Orb},
};

/// Points of an orb and of a golden orb, before the combo multiplies them.
const ORB_POINTS: i32 = 10;
const GOLD_POINTS: i32 = 40;
/// Points of a drone shot or rammed.
pub(super) const DRONE_POINTS: i32 = 20;
/// The best combo: five times the points.
const COMBO_MAX: i32 = 4;
/// Nothing appears closer to a player than this, if it can be helped.
const ORB_DISTANCE: Fixed = Fixed::from_int(4);
const DRONE_DISTANCE: Fixed = Fixed::from_int(10);
/// How close a drone has to come: a little less than it looks, in the player's favour.
const DRONE_REACH: Fixed = Fixed::milli(800);
/// How far off its prey a chaser may head, in 1/65536 of a turn to either side.
const WOBBLE: i32 = 2_400;

impl Arena {
    pub(super) fn start_collect(&mut self) {
        for _ in 0..self.orbs_wanted() {
            self.spawn_orb();
        }
        self.world.clock.orb_wait = self.tuning.orb_wait;
        self.world.clock.gold_wait = self.tuning.gold_wait;
        for _ in 0..3 {
            self.spawn_drone();
        }
        self.world.clock.drone_wait = self.tuning.drone_wait;
    }

    pub(super) fn tick_collect(&mut self) {
        for player in self.world.players.all_mut() {
            if player.combo_left > 0 {
                player.combo_left -= 1;
                if player.combo_left == 0 {
                    player.combo = 0;
                }
            }
        }
        self.tick_orbs();
        self.tick_drones();
        self.tick_spawns();
    }

    /// Adds points.
    pub(super) fn award(&mut self, slot: usize, points: i32) {
        if let Some(player) = self.world.players.all_mut().get_mut(slot) {
            player.score = player.score.saturating_add(points).min(super::SCORE_MAX);
        }
    }

    fn orbs_wanted(&self) -> usize {
        4 + self.world.players.len()
    }

    fn drones_wanted(&self) -> usize {
        8 + self.world.players.len()
    }

    fn tick_spawns(&mut self) {
        if self.world.orbs.len() < self.orbs_wanted() {
            self.world.clock.orb_wait -= 1;
            if self.world.clock.orb_wait <= 0 {
                self.world.clock.orb_wait = self.tuning.orb_wait;
                self.spawn_orb();
            }
        }
        if self.world.drones.len() < self.drones_wanted() {
            self.world.clock.drone_wait -= 1;
            if self.world.clock.drone_wait <= 0 {
                self.world.clock.drone_wait = self.tuning.drone_wait;
                self.spawn_drone();
            }
        }
        self.world.clock.gold_wait -= 1;
        if self.world.clock.gold_wait <= 0 {
            self.world.clock.gold_wait = self.tuning.gold_wait;
            self.spawn_gold();
        }
    }

    /// One tick of the orbs of any mode: golden ones run, all can be picked up.
    pub(super) fn tick_orbs(&mut self) {
        let mut index = 0;
        while let Some(orb) = self.world.orbs.all_mut().get_mut(index) {
            let mut gone = false;
            if orb.kind == ORB_GOLD {
                let before = orb.pos;
                orb.pos += orb.step;
                orb.left -= 1;
                gone = orb.left <= 0;
                if self.layout.touches(orb.pos, ORB_RADIUS) {
                    let mut body = (orb.pos, orb.step);
                    push_out(&self.layout, ORB_RADIUS, Fixed::ONE, before, &mut body);
                    (orb.pos, orb.step) = (body.0, body.1.with_length(self.tuning.gold_step));
                }
            }
            let (pos, kind) = (orb.pos, orb.kind);
            let reach = PLAYER_RADIUS + ORB_RADIUS;
            let taker = self.world.players.all().iter().position(|player| {
                is_within(player.pos - pos, reach) && player.is_up(&self.tuning)
            });
            if let Some(slot) = taker {
                self.take_orb(slot, kind);
            }
            if gone || taker.is_some() {
                self.world.orbs.swap_remove(index);
            } else {
                index += 1;
            }
        }
    }

    #[cold]
    fn take_orb(&mut self, slot: usize, kind: u32) {
        if kind == ORB_POWER {
            return self.take_power(slot);
        }
        let points = if kind == ORB_GOLD {
            GOLD_POINTS
        } else {
            ORB_POINTS
        };
        let player = &mut self.world.players.all_mut()[slot];
        let times = 1 + player.combo.clamp(0, COMBO_MAX);
        player.combo = times.min(COMBO_MAX);
        player.combo_left = self.tuning.combo;
        self.award(slot, points * times);
    }

    fn tick_drones(&mut self) {
        let mut index = 0;
        while index < self.world.drones.len() {
            if self.tick_drone(index) {
                self.world.drones.swap_remove(index);
            } else {
                index += 1;
            }
        }
    }

    /// Moves a drone; true if it met somebody and is gone.
    #[inline(always)]
    fn tick_drone(&mut self, index: usize) -> bool {
        let drone = &mut self.world.drones.all_mut()[index];
        if drone.asleep > 0 {
            drone.asleep -= 1;
            return false;
        }
        let before = drone.pos;
        drone.pos += drone.step;
        if self.layout.touches(drone.pos, DRONE_RADIUS) {
            let roams = drone.kind == DRONE_ROAMER;
            let bounce = if roams { Fixed::ONE } else { Fixed::ZERO };
            let mut body = (drone.pos, drone.step);
            push_out(&self.layout, DRONE_RADIUS, bounce, before, &mut body);
            (drone.pos, drone.step) = body;
            if roams {
                drone.step = drone.step.with_length(self.tuning.roamer_step);
            }
        }
        if drone.kind == DRONE_CHASER {
            drone.think -= 1;
            if drone.think <= 0 {
                self.aim_drone(index);
            }
        }
        self.meet_drone(index)
    }

    /// Turns a chaser half way towards the nearest player, more or less.
    #[inline(never)]
    fn aim_drone(&mut self, index: usize) {
        let mut rng = self.spawn_stream();
        let wobble = rng.between(-WOBBLE, WOBBLE);
        self.world.clock.spawn = rng.position();
        let drone = &mut self.world.drones.all_mut()[index];
        drone.think = self.tuning.drone_think;
        let standing = self
            .world
            .players
            .all()
            .iter()
            .filter(|player| player.is_up(&self.tuning));
        let ways = standing.map(|player| player.pos - drone.pos);
        if let Some(way) = ways.min_by_key(|way| way.length_squared()) {
            let towards = way.angle() + Angle::from_bits(wobble as u16);
            let wanted = towards.direction().scaled(self.tuning.chaser_step);
            let turn = wanted - drone.step;
            drone.step += Vec2::new(
                Fixed::from_bits(turn.x.bits() / 2),
                Fixed::from_bits(turn.y.bits() / 2),
            );
        }
    }

    #[inline(always)]
    fn meet_drone(&mut self, index: usize) -> bool {
        let pos = self.world.drones.all()[index].pos;
        let met = self.world.players.all().iter().position(|player| {
            is_within(player.pos - pos, DRONE_REACH)
                && player.is_up(&self.tuning)
                && (player.is_dashing(&self.tuning) || !player.is_safe(&self.tuning))
        });
        let Some(slot) = met else { return false };
        let player = &mut self.world.players.all_mut()[slot];
        if player.is_dashing(&self.tuning) {
            self.award(slot, DRONE_POINTS);
        } else {
            player.strike_down(&self.tuning);
            player.combo = 0;
            player.combo_left = 0;
        }
        true
    }

    fn spawn_orb(&mut self) {
        let pos = self.draw_place(ORB_DISTANCE);
        self.world.orbs.push(Orb {
            pos,
            kind: ORB_PLAIN,
            ..Orb::default()
        });
    }

    fn spawn_gold(&mut self) {
        let pos = self.draw_place(ORB_DISTANCE);
        let step = self.draw_direction().scaled(self.tuning.gold_step);
        self.world.orbs.push(Orb {
            pos,
            step,
            kind: ORB_GOLD,
            left: self.tuning.gold_left,
        });
    }

    fn spawn_drone(&mut self) {
        let pos = self.draw_place(DRONE_DISTANCE);
        let towards = self.draw_direction();
        let roams = self.world.drones.len() % 3 == 1;
        let (kind, health, step) = if roams {
            (DRONE_ROAMER, 2, towards.scaled(self.tuning.roamer_step))
        } else {
            (DRONE_CHASER, 1, Vec2::ZERO)
        };
        let (asleep, think) = (self.tuning.drone_asleep, 1);
        self.world.drones.push(Drone {
            pos,
            step,
            kind,
            health,
            asleep,
            think,
        });
    }

    /// A free place at a distance from all players, as far as a few draws find one.
    fn draw_place(&mut self, distance: Fixed) -> Vec2 {
        let mut rng = self.spawn_stream();
        let mut place = self.layout.free_place(&mut rng);
        for _ in 0..6 {
            let players = self.world.players.all();
            if players
                .iter()
                .all(|player| !(player.pos - place).shorter_than(distance))
            {
                break;
            }
            place = self.layout.free_place(&mut rng);
        }
        self.world.clock.spawn = rng.position();
        place
    }

    fn draw_direction(&mut self) -> Vec2 {
        let mut rng = self.spawn_stream();
        let angle = Angle::from_bits(rng.next_u32() as u16);
        self.world.clock.spawn = rng.position();
        angle.direction()
    }

    fn spawn_stream(&self) -> Rng {
        self.spawning.at(self.world.clock.spawn)
    }
}

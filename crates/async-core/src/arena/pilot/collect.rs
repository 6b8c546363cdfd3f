//! How the pilot gathers: the orb that is worth most for its way, drones shot, rammed or evaded.

use crate::{Fixed, Vec2};

use super::{
    super::world::{Drone, ORB_GOLD, Orb},
    Autopilot, View,
};

/// How far it shoots at drones.
const RANGE: Fixed = Fixed::from_int(13);
/// How close a drone is rammed rather than shot.
const RAM: Fixed = Fixed::milli(2_600);

impl Autopilot {
    pub(super) fn think_collect(&mut self, view: &View<'_>) {
        if let Some(goal) = self.best_orb(view) {
            self.goal = goal;
        }
        let way = self.head_for(view, self.goal).with_length(Fixed::ONE);
        let fear = self.fear(view);
        self.push_stick(way + fear);
        self.face_drones(view);
        let far = !(self.goal - view.me.pos).shorter_than(Fixed::from_int(7));
        if far && view.can_dash() && fear == Vec2::ZERO && view.sees(self.goal) {
            let eager = self.habits.dash / 4;
            if self.feels_like(eager) {
                self.dash();
            }
        }
    }

    /// The orb with the shortest way, where golden ones seem closer to the greedy. It stays with
    /// what it is after unless something is clearly better.
    fn best_orb(&mut self, view: &View<'_>) -> Option<Vec2> {
        let orbs = view.arena.world.orbs.all();
        let cost = |orb: &Orb| {
            let way = orb.pos + orb.step.scaled(Fixed::from_int(20)) - view.me.pos;
            let mut cost = i64::from(way.length().bits());
            if !view.sees(orb.pos) {
                cost += cost / 3;
            }
            if orb.kind == ORB_GOLD {
                cost = cost * 100 / i64::from(100 + self.habits.greed);
            }
            for drone in view.arena.world.drones.all() {
                if (drone.pos - orb.pos).shorter_than(Fixed::from_int(3)) {
                    cost += i64::from(self.habits.caution) * 65;
                }
            }
            if (orb.pos - self.goal).shorter_than(Fixed::ONE) {
                cost * 3 / 4
            } else {
                cost
            }
        };
        let best = orbs.iter().min_by_key(|orb| cost(orb))?;
        Some(best.pos + best.step.scaled(Fixed::from_int(12)))
    }

    /// Away from drones that are too close.
    fn fear(&self, view: &View<'_>) -> Vec2 {
        let limit = Fixed::milli(self.habits.caution);
        let mut fear = Vec2::ZERO;
        for drone in view.arena.world.drones.all() {
            let away = view.me.pos - drone.pos;
            if drone.asleep == 0 && away.shorter_than(limit) && view.me.down == 0 {
                let closeness = (limit - away.length()) / limit;
                // Aside rather than back: it still wants to get on.
                let aside = away.turned().scaled(Fixed::from_int(self.side));
                let turn = away + aside.scaled(Fixed::HALF);
                fear += turn.with_length(closeness + closeness + Fixed::HALF);
            }
        }
        fear
    }

    fn face_drones(&mut self, view: &View<'_>) {
        let drones = view.arena.world.drones.all().iter();
        let distance = |drone: &&Drone| (drone.pos - view.me.pos).length_squared();
        let seen = drones.filter(|drone| view.sees(drone.pos));
        let Some(drone) = seen.min_by_key(distance) else {
            return;
        };
        let away = drone.pos - view.me.pos;
        if away.shorter_than(RAM) && drone.asleep == 0 && view.can_dash() {
            let brave = self.habits.dash;
            if self.feels_like(brave) {
                self.push_stick(away);
                self.dash();
            }
        }
        if away.shorter_than(RANGE) {
            self.shoot(view, drone.pos, per_second(view, drone.step));
        }
    }
}

/// A step of one tick as a speed.
fn per_second(view: &View<'_>, step: Vec2) -> Vec2 {
    let rate = view.arena.rules.rate;
    let ticks = rate.numer() / rate.denom() * view.arena.tuning.ticks;
    step.scaled(Fixed::from_int(ticks as i32))
}

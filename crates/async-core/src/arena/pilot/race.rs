//! How the pilot races: through the gates on the inside, against its own inertia.

use crate::{Fixed, Vec2};

use super::{Autopilot, View};

/// It shoots at rivals this close ahead.
const RANGE: Fixed = Fixed::from_int(9);

impl Autopilot {
    pub(super) fn think_race(&mut self, view: &View<'_>) {
        let gates = view.arena.layout.gates();
        if gates.is_empty() {
            return;
        }
        let next = view.me.gates as usize % gates.len();
        let after = gates[(next + 1) % gates.len()];
        // Through the gate on the side of the one after it.
        let inside = (after - gates[next]).with_length(Fixed::milli(900));
        self.goal = gates[next] + inside;
        let way = self.head_for(view, self.goal);
        let thrust = self.against_inertia(view, way);
        self.push_stick(thrust);
        if view.can_dash() && self.is_straight(view, way) {
            let eager = self.habits.dash / 2;
            if self.feels_like(eager) {
                self.push_stick(way);
                self.dash();
            }
        }
        self.fend_off(view);
    }

    /// The thrust that turns the velocity into the way: towards it, less what drifts aside.
    fn against_inertia(&mut self, view: &View<'_>, way: Vec2) -> Vec2 {
        let wanted = way.with_length(Fixed::from_int(14));
        let drift = view
            .me
            .vel
            .scaled(Fixed::milli(self.habits.steadiness * 10));
        let wander = self.rng.between(-900, 900);
        wanted - drift + wanted.turned().scaled(Fixed::milli(wander / 10))
    }

    /// Whether it is flying straight along a long way.
    fn is_straight(&self, view: &View<'_>, way: Vec2) -> bool {
        let off = view.me.vel.angle().to(way.angle()).abs();
        off < 2_500 && !way.shorter_than(Fixed::milli(5_500))
    }

    fn fend_off(&mut self, view: &View<'_>) {
        let players = view.arena.world.players.all().iter().enumerate();
        let rivals = players
            .filter(|(slot, _)| *slot != view.slot)
            .map(|(_, rival)| rival);
        let close = rivals.filter(|rival| (rival.pos - view.me.pos).shorter_than(RANGE));
        let ahead = close.filter(|rival| rival.gates >= view.me.gates);
        if let Some(rival) = ahead.min_by_key(|rival| (rival.pos - view.me.pos).length_squared()) {
            self.shoot(view, rival.pos, rival.vel);
        }
    }
}

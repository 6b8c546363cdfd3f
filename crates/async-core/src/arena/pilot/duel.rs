//! How the pilot fights: keeps its distance, circles, leads its shots, dodges, fetches health.

use crate::{Fixed, Vec2};

use super::{
    super::world::{Player, Shot},
    Autopilot, View,
};

const RANGE: Fixed = Fixed::from_int(17);
/// Shots this close are dodged.
const ALARM: Fixed = Fixed::from_int(4);

impl Autopilot {
    pub(super) fn think_duel(&mut self, view: &View<'_>) {
        if self.feels_like(4) {
            self.side = -self.side;
        }
        let Some(enemy) = self.pick_enemy(view) else {
            let way = self.head_for(view, super::super::layout::CENTRE);
            return self.push_stick(way);
        };
        let away = enemy.pos - view.me.pos;
        let seen = view.sees(enemy.pos);
        let way = match self.wish_for_power(view) {
            Some(power) => self.head_for(view, power).with_length(Fixed::ONE),
            None if seen => self.circle(away),
            None => self.head_for(view, enemy.pos).with_length(Fixed::ONE),
        };
        self.push_stick(way);
        if seen && away.shorter_than(RANGE) {
            self.shoot(view, enemy.pos, enemy.vel);
        }
        self.dodge(view);
    }

    /// The nearest enemy that stands; the wounded seem nearer.
    fn pick_enemy<'a>(&self, view: &View<'a>) -> Option<&'a Player> {
        let players = view.arena.world.players.all().iter().enumerate();
        let enemies = players
            .filter(|(slot, _)| *slot != view.slot)
            .map(|(_, enemy)| enemy);
        let standing = enemies.filter(|enemy| enemy.is_up(&view.arena.tuning));
        standing.min_by_key(|enemy| {
            let distance = i64::from((enemy.pos - view.me.pos).length().bits());
            let hidden = i64::from(!view.sees(enemy.pos)) * distance / 2;
            distance + hidden + i64::from(enemy.health) * i64::from(self.habits.greed) * 1_000
        })
    }

    fn wish_for_power(&self, view: &View<'_>) -> Option<Vec2> {
        let power = view.arena.world.orbs.all().first()?.pos;
        let away = power - view.me.pos;
        let wounded = view.me.health < 3;
        let close = away.shorter_than(Fixed::milli(4_000 + self.habits.greed * 40));
        (wounded || close).then_some(power)
    }

    /// Around an enemy, closer if it is far and back if it is near.
    fn circle(&self, away: Vec2) -> Vec2 {
        let preferred = Fixed::milli(self.habits.caution * 2);
        let approach = (away.length() - preferred) / Fixed::from_int(4);
        let ahead = away.with_length(approach.clamp(-Fixed::ONE, Fixed::ONE));
        ahead + away.turned().with_length(Fixed::from_int(self.side))
    }

    fn dodge(&mut self, view: &View<'_>) {
        let threat = view
            .arena
            .world
            .shots
            .all()
            .iter()
            .find(|shot| threatens(view, shot));
        let Some(shot) = threat else { return };
        let aside = shot.step.turned();
        let away = view.me.pos - shot.pos;
        let aside = if away.dot(aside) >= 0 { aside } else { -aside };
        let nimble = self.habits.dash;
        if self.feels_like(nimble) {
            self.push_stick(aside);
            if view.can_dash() && self.feels_like(nimble) {
                self.dash();
            }
        }
    }
}

/// Whether an enemy's shot is close and about to pass within a step.
fn threatens(view: &View<'_>, shot: &Shot) -> bool {
    let away = view.me.pos - shot.pos;
    let aside = shot.step.turned().with_length(Fixed::ONE);
    let miss = Fixed::from_bits((away.dot(aside) >> 16) as i32).abs();
    shot.owner as usize != view.slot
        && away.shorter_than(ALARM)
        && away.dot(shot.step) > 0
        && miss < Fixed::ONE
}

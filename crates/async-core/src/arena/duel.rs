//! The mode duel: rounds of fixed length in which hits and kills score.
//!
//! Rounds have a fixed length, so that a recorded opponent's inputs meet the same rounds.

use crate::{Fixed, Vec2};

use super::{
    Arena,
    layout::CENTRE,
    world::{ORB_POWER, Orb},
};

/// Hits that a player takes before it is down.
pub(super) const HEALTH: i32 = 3;
const HIT_POINTS: i32 = 10;
const KILL_POINTS: i32 = 40;
const POWER_POINTS: i32 = 25;
const ROUND_POINTS: i32 = 100;

impl Arena {
    pub(super) fn start_round(&mut self) {
        self.world.shots.clear();
        self.world.orbs.clear();
        self.world.clock.orb_wait = self.tuning.power_wait;
        self.world.clock.round_left = self.tuning.countdown + self.tuning.fight;
        for slot in 0..self.world.players.len() {
            // Everybody starts elsewhere in each round.
            let place = self
                .layout
                .spawn(slot + self.world.clock.round as usize * 3);
            self.stand_at(slot, place);
            let player = &mut self.world.players.all_mut()[slot];
            player.round_score = player.score;
            player.down = 0;
        }
    }

    /// Whether players wait for the round to begin.
    #[inline(always)]
    pub(super) fn counts_down(&self) -> bool {
        self.world.clock.round_left > self.tuning.fight
    }

    pub(super) fn tick_duel(&mut self) {
        if self.world.orbs.len() == 0 {
            self.world.clock.orb_wait -= 1;
            if self.world.clock.orb_wait <= 0 {
                self.world.clock.orb_wait = self.tuning.power_wait;
                self.world.orbs.push(Orb {
                    pos: CENTRE,
                    kind: ORB_POWER,
                    ..Orb::default()
                });
            }
        }
        self.tick_orbs();
        self.world.clock.round_left -= 1;
        if self.world.clock.round_left <= 0 {
            self.end_round();
        }
    }

    #[inline(never)]
    fn end_round(&mut self) {
        let gains = self
            .world
            .players
            .all()
            .iter()
            .map(|player| player.score - player.round_score);
        let best = gains.max().unwrap_or(0);
        for slot in 0..self.world.players.len() {
            let player = &self.world.players.all()[slot];
            if best > 0 && player.score - player.round_score == best {
                self.award(slot, ROUND_POINTS);
            }
        }
        self.world.clock.round += 1;
        if self.world.clock.round < self.rules.rounds {
            self.start_round();
        }
    }

    /// A shot of `owner` hits the player in `slot`.
    pub(super) fn wound(&mut self, slot: usize, owner: usize) {
        let player = &mut self.world.players.all_mut()[slot];
        player.health -= 1;
        let mut points = HIT_POINTS;
        if player.health <= 0 {
            player.strike_down(&self.tuning);
            points += KILL_POINTS;
        }
        self.award(owner, points);
    }

    pub(super) fn take_power(&mut self, slot: usize) {
        self.world.players.all_mut()[slot].health = HEALTH;
        self.award(slot, POWER_POINTS);
    }

    /// Brings a player back where it is farthest from whatever could hurt it.
    #[inline(never)]
    pub(super) fn come_back(&mut self, slot: usize) {
        let quiet = |place: Vec2| {
            let others = self.world.players.all().iter().enumerate();
            let rivals = others
                .filter(|(other, player)| *other != slot && player.is_up(&self.tuning))
                .map(|(_, player)| player.pos);
            let drones = self.world.drones.all().iter().map(|drone| drone.pos);
            rivals
                .chain(drones)
                .map(|pos| (pos - place).length_squared())
                .min()
        };
        let places = (0..crate::PLAYERS_MAX).map(|index| self.layout.spawn(index + slot));
        let best = places.max_by_key(|(pos, _)| quiet(*pos).unwrap_or(0));
        if let Some(place) = best {
            self.stand_at(slot, place);
        }
    }

    fn stand_at(&mut self, slot: usize, (pos, facing): (Vec2, crate::Angle)) {
        let player = &mut self.world.players.all_mut()[slot];
        player.pos = pos;
        player.vel = Vec2::new(Fixed::ZERO, Fixed::ZERO);
        player.facing = facing;
        player.dash = 0;
        player.reload = 0;
        player.health = if self.rules.mode == super::Mode::Duel {
            HEALTH
        } else {
            0
        };
    }
}

//! Shots: firing, flying, hitting.

use crate::{Fixed, Vec2};

use super::{
    Arena, Mode, collect,
    tuning::{DRONE_RADIUS, PLAYER_RADIUS, SHOT_RADIUS},
    world::Shot,
};

/// How hard a shot pushes whom it hits (world units a second).
const KNOCK: Fixed = Fixed::milli(5_000);

impl Arena {
    /// Fires for a slot, if its weapon is loaded.
    pub(super) fn fire(&mut self, slot: usize) {
        let Some(player) = self.world.players.all_mut().get_mut(slot) else {
            return;
        };
        if player.reload > 0 {
            return;
        }
        player.reload = self.tuning.reload;
        let ahead = player.facing.direction();
        self.world.shots.push(Shot {
            pos: player.pos + ahead.scaled(PLAYER_RADIUS),
            step: ahead.scaled(self.tuning.shot_step),
            owner: slot as u32,
            left: self.tuning.shot_left,
        });
    }

    /// One tick of every shot.
    pub(super) fn fly_shots(&mut self) {
        let mut index = 0;
        while let Some(shot) = self.world.shots.all_mut().get_mut(index) {
            shot.pos += shot.step;
            shot.left -= 1;
            let shot = *shot;
            let spent = shot.left <= 0
                || self.layout.is_solid(shot.pos.x.floor(), shot.pos.y.floor())
                || self.hits_player(&shot)
                || self.hits_drone(&shot);
            if spent {
                self.world.shots.swap_remove(index);
            } else {
                index += 1;
            }
        }
    }

    #[inline(always)]
    fn hits_player(&mut self, shot: &Shot) -> bool {
        let reach = PLAYER_RADIUS + SHOT_RADIUS;
        let players = self.world.players.all();
        let hit = (0..players.len()).find(|&slot| {
            let player = &players[slot];
            is_within(player.pos - shot.pos, reach)
                && slot != shot.owner as usize
                && player.is_up(&self.tuning)
                && !player.is_safe(&self.tuning)
        });
        let Some(slot) = hit else { return false };
        self.hit_player(slot, shot);
        true
    }

    #[cold]
    fn hit_player(&mut self, slot: usize, shot: &Shot) {
        let push = shot.step.with_length(KNOCK);
        self.world.players.all_mut()[slot].shove(push);
        if self.rules.mode == Mode::Duel {
            self.wound(slot, shot.owner as usize);
        }
    }

    #[inline(always)]
    fn hits_drone(&mut self, shot: &Shot) -> bool {
        let reach = DRONE_RADIUS + SHOT_RADIUS;
        let drones = self.world.drones.all_mut();
        let Some(index) = drones
            .iter()
            .position(|drone| is_within(drone.pos - shot.pos, reach))
        else {
            return false;
        };
        drones[index].health -= 1;
        if drones[index].health <= 0 {
            self.world.drones.swap_remove(index);
            self.award(shot.owner as usize, collect::DRONE_POINTS);
        }
        true
    }
}

/// Whether a distance is below `reach`; most are told by one look at each coordinate.
#[inline(always)]
pub(super) fn is_within(away: Vec2, reach: Fixed) -> bool {
    let reach_bits = reach.bits();
    let near = |part: Fixed| part.bits().wrapping_add(reach_bits) as u32 <= 2 * reach_bits as u32;
    near(away.x) && near(away.y) && away.shorter_than(reach)
}

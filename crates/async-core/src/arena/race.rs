//! The mode race: gates in order, several laps.

use crate::{Fixed, Vec2};

use super::{Arena, UNFINISHED_MS, tuning::GATE_RADIUS, world::Player};

/// Farther than any gate is (the square of a distance, 16 fractional bits).
const FAR: i32 = 1 << 30;
/// Progress between two gates.
const LEG_PROGRESS: i64 = 1_000;

impl Arena {
    pub(super) fn start_race(&mut self) {
        for player in self.world.players.all_mut() {
            player.nearest = FAR;
        }
    }

    pub(super) fn tick_race(&mut self) {
        let total = self.gates_total();
        // The frame that is being played counts.
        let now = self.rules.rate.milliseconds(self.world.clock.frame + 1);
        let gates = self.layout.gates();
        for player in self.world.players.all_mut() {
            if player.gates >= total {
                continue;
            }
            let away = gates[player.gates as usize % gates.len()] - player.pos;
            player.nearest = player.nearest.min((away.length_squared() >> 16) as i32);
            if away.shorter_than(GATE_RADIUS) {
                player.gates += 1;
                player.nearest = FAR;
                if player.gates == total {
                    player.score = now as i32;
                }
            }
        }
    }

    /// Gates of all laps together.
    pub(super) fn gates_total(&self) -> u32 {
        self.rules.laps * self.layout.gates().len() as u32
    }

    /// Milliseconds to the finish; of one who did not arrive, [`UNFINISHED_MS`].
    pub(super) fn race_score(&self, player: &Player) -> i64 {
        if player.gates >= self.gates_total() {
            i64::from(player.score)
        } else {
            UNFINISHED_MS
        }
    }

    /// A thousand for each gate, and the part of the way to the next that was covered already.
    pub(super) fn race_progress(&self, player: &Player) -> i64 {
        let whole = i64::from(player.gates) * LEG_PROGRESS;
        if player.gates >= self.gates_total() || player.nearest >= FAR {
            return whole;
        }
        let left = Fixed::from_bits((u64::from(player.nearest as u32) << 16).isqrt() as i32);
        let left = i64::from((left - GATE_RADIUS).bits().max(0));
        let leg = i64::from(
            (self.leg(player.gates).length() - GATE_RADIUS)
                .bits()
                .max(1),
        );
        let covered = (leg - left).max(0) * (LEG_PROGRESS - 1) / leg;
        whole + covered
    }

    /// The straight way to a gate from the one before it.
    fn leg(&self, gate: u32) -> Vec2 {
        let gates = self.layout.gates();
        let next = gate as usize % gates.len();
        gates[next] - gates[(next + gates.len() - 1) % gates.len()]
    }
}

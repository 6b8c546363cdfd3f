//! What a host shows of an arena. Nothing here changes it.

use alloc::vec::Vec;

use crate::{Angle, Fixed, Kind, Shape, ShapeKind, Transform, Vec2};

use super::{
    Arena, Mode,
    layout::{HEIGHT, WIDTH},
    tuning::{DRONE_RADIUS, GATE_RADIUS, ORB_RADIUS, PLAYER_RADIUS, SHOT_RADIUS},
    world::Player,
};

impl Arena {
    pub(super) fn show_bodies(&self, out: &mut Vec<Transform>) {
        let world = &self.world;
        out.extend(
            world
                .players
                .all()
                .iter()
                .enumerate()
                .map(|(slot, player)| Transform {
                    yaw: player.facing,
                    visible: player.is_up(&self.tuning),
                    ..body(Kind::Player, slot as u32, player.pos, PLAYER_RADIUS)
                }),
        );
        out.extend(world.shots.all().iter().map(|shot| Transform {
            yaw: shot.step.angle(),
            ..body(Kind::Shot, shot.owner, shot.pos, SHOT_RADIUS)
        }));
        let orbs = world.orbs.all().iter();
        out.extend(orbs.map(|orb| body(Kind::Orb, orb.kind, orb.pos, ORB_RADIUS)));
        out.extend(world.drones.all().iter().map(|drone| Transform {
            yaw: drone.step.angle(),
            ..body(Kind::Drone, drone.kind, drone.pos, DRONE_RADIUS)
        }));
    }

    pub(super) fn show_scenery(&self, out: &mut Vec<Shape>) {
        let corner = |x, y| [Fixed::from_int(x), Fixed::from_int(y)];
        out.push(Shape {
            kind: ShapeKind::Field,
            index: 0,
            min: corner(0, 0),
            max: corner(WIDTH, HEIGHT),
        });
        // The outer wall is one cell thick.
        let sides = [
            (0, 0, WIDTH, 1),
            (0, HEIGHT - 1, WIDTH, HEIGHT),
            (0, 1, 1, HEIGHT - 1),
            (WIDTH - 1, 1, WIDTH, HEIGHT - 1),
        ];
        let blocks = self.layout.blocks().iter();
        let blocks = blocks.map(|b| (b.x, b.y, b.x + b.width, b.y + b.height));
        for (index, (left, top, right, bottom)) in sides.into_iter().chain(blocks).enumerate() {
            let (min, max) = (corner(left, top), corner(right, bottom));
            out.push(Shape {
                kind: ShapeKind::Wall,
                index: index as u16,
                min,
                max,
            });
        }
        for (index, gate) in self.layout.gates().iter().enumerate() {
            let reach = Vec2::new(GATE_RADIUS, GATE_RADIUS);
            let (low, high) = (*gate - reach, *gate + reach);
            let (min, max) = ([low.x, low.y], [high.x, high.y]);
            out.push(Shape {
                kind: ShapeKind::Gate,
                index: index as u16,
                min,
                max,
            });
        }
    }

    pub(super) fn show_status(&self, slot: u8, field: &mut dyn FnMut(&'static str, i64)) {
        let Some(player) = self.world.players.all().get(usize::from(slot)) else {
            return;
        };
        let clock = &self.world.clock;
        let frames_left = self.rules.frames.saturating_sub(clock.frame);
        match self.rules.mode {
            Mode::Collect => {
                field(
                    "time_left_ms",
                    self.rules.rate.milliseconds(frames_left) as i64,
                );
                field("combo", i64::from(player.combo) + 1);
                field("combo_left_ms", self.ticks_ms(player.combo_left));
            }
            Mode::Race => {
                let gates = (self.layout.gates().len() as u32).max(1);
                field("time_ms", self.rules.rate.milliseconds(clock.frame) as i64);
                field("lap", i64::from(player.gates / gates));
                field("laps", i64::from(self.rules.laps));
                field("gate", i64::from(player.gates % gates));
                field("gates", i64::from(gates));
            }
            Mode::Duel => {
                field("round", i64::from(clock.round));
                field("rounds", i64::from(self.rules.rounds));
                field(
                    "time_left_ms",
                    self.ticks_ms(clock.round_left.min(self.tuning.fight)),
                );
                let countdown = (clock.round_left - self.tuning.fight).max(0);
                field("countdown_ms", self.ticks_ms(countdown));
                field("health", i64::from(player.health));
            }
        }
        self.show_timers(player, field);
    }

    fn show_timers(&self, player: &Player, field: &mut dyn FnMut(&'static str, i64)) {
        field("dash_ms", self.ticks_ms(player.dash));
        field("dashing", i64::from(player.is_dashing(&self.tuning)));
        let away = player.down - self.tuning.shield;
        field("back_in_ms", self.ticks_ms(away.max(0)));
        let shield = if player.is_up(&self.tuning) {
            player.down
        } else {
            0
        };
        field("shield_ms", self.ticks_ms(shield));
    }

    fn ticks_ms(&self, ticks: i32) -> i64 {
        let frames_times_ticks =
            i64::from(ticks.max(0)) * 1000 * i64::from(self.rules.rate.denom());
        let per_second = i64::from(self.rules.rate.numer()) * i64::from(self.tuning.ticks);
        frames_times_ticks / per_second
    }
}

fn body(kind: Kind, detail: u32, pos: Vec2, radius: Fixed) -> Transform {
    let position = [pos.x, pos.y, Fixed::ZERO];
    Transform {
        position,
        yaw: Angle::default(),
        visible: true,
        kind,
        detail: detail as u8,
        radius,
    }
}

//! How the arena feels: speeds and times in seconds, turned into ticks of any frame rate.

use crate::{Fixed, FrameRate, Vec2};

use super::options::Mode;

/// The radius of a player.
pub(crate) const PLAYER_RADIUS: Fixed = Fixed::milli(450);
/// The radius of a shot.
pub(crate) const SHOT_RADIUS: Fixed = Fixed::milli(150);
/// The radius of an orb.
pub(crate) const ORB_RADIUS: Fixed = Fixed::milli(350);
/// The radius of a drone.
pub(crate) const DRONE_RADIUS: Fixed = Fixed::milli(420);
/// The radius of a gate: a player whose middle is inside has passed it.
pub(crate) const GATE_RADIUS: Fixed = Fixed::milli(1700);
/// No player is ever faster (world units a second); at 50 ticks a second that is less than a
/// player's radius a tick, so nobody passes a wall.
pub(crate) const SPEED_MAX: Fixed = Fixed::milli(22_000);

/// A factor with 32 fractional bits, for what is repeated every tick.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fine(i64);

impl Fine {
    #[inline(always)]
    pub(crate) fn times(self, value: Fixed) -> Fixed {
        let product = i64::from(value.bits()).wrapping_mul(self.0);
        Fixed::from_bits((product.wrapping_add(1 << 31) >> 32) as i32)
    }

    #[inline(always)]
    pub(crate) fn times_vec(self, value: Vec2) -> Vec2 {
        Vec2::new(self.times(value.x), self.times(value.y))
    }
}

/// All that depends on the frame rate and the mode.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tuning {
    /// Ticks a frame: slow frame rates take several, so that the game feels the same.
    pub(crate) ticks: u32,
    /// Seconds a tick.
    pub(crate) dt: Fine,
    /// What is left of a velocity after a tick without thrust.
    pub(crate) damping: Fine,
    /// The velocity that a tick of full thrust adds: the top speed is reached, not passed.
    pub(crate) push: Fine,
    /// World units a second.
    pub(crate) dash_speed: Fixed,
    /// Ticks from one dash to the next.
    pub(crate) dash_wait: i32,
    /// `Player::dash` is above this while the dash lasts.
    pub(crate) dash_over: i32,
    /// Ticks from one shot to the next.
    pub(crate) reload: i32,
    /// World units that a shot flies in a tick.
    pub(crate) shot_step: Fixed,
    /// Ticks that a shot flies.
    pub(crate) shot_left: i32,
    /// Ticks from being struck down to the end of the shield.
    pub(crate) down: i32,
    /// `Player::down` is at most this while only the shield lasts.
    pub(crate) shield: i32,
    /// Ticks until a combo is lost.
    pub(crate) combo: i32,
    /// Ticks from one orb to the next, and from one golden orb to the next.
    pub(crate) orb_wait: i32,
    pub(crate) gold_wait: i32,
    /// Ticks that a golden orb stays, and its speed a tick.
    pub(crate) gold_left: i32,
    pub(crate) gold_step: Fixed,
    /// Ticks from one drone to the next, asleep, and between thoughts.
    pub(crate) drone_wait: i32,
    pub(crate) drone_asleep: i32,
    pub(crate) drone_think: i32,
    /// World units a tick of the two kinds of drones.
    pub(crate) chaser_step: Fixed,
    pub(crate) roamer_step: Fixed,
    /// Ticks of a duel's round, and of the countdown before it.
    pub(crate) fight: i32,
    pub(crate) countdown: i32,
    /// Ticks until the power orb of a duel is back.
    pub(crate) power_wait: i32,
}

/// The feel of a mode: top speed (1/1000 world units a second), how fast a velocity fades (1/1000
/// a second), the dash (1/1000 world units a second, milliseconds, milliseconds until the next).
struct Feel {
    speed: i64,
    drag: i64,
    dash_speed: i32,
    dash_ms: i64,
    dash_wait_ms: i64,
}

const NIMBLE: Feel = Feel {
    speed: 9_000,
    drag: 6_000,
    dash_speed: 21_000,
    dash_ms: 150,
    dash_wait_ms: 1_100,
};
const SLIPPERY: Feel = Feel {
    speed: 12_000,
    drag: 2_000,
    dash_speed: 21_000,
    dash_ms: 220,
    dash_wait_ms: 1_800,
};

impl Tuning {
    pub(crate) fn of(mode: Mode, rate: FrameRate) -> Self {
        let pace = Pace::of(rate);
        let feel = if mode == Mode::Race { SLIPPERY } else { NIMBLE };
        let damping = pace.fading(feel.drag);
        let dash_wait = pace.ticks(feel.dash_wait_ms);
        let shield = pace.ticks(1_200);
        Self {
            ticks: pace.ticks_a_frame,
            dt: Fine(pace.per_tick(1_000, 32) as i64),
            damping: Fine(damping),
            push: Fine(((1 << 32) - damping) * feel.speed / 1000),
            dash_speed: Fixed::milli(feel.dash_speed),
            dash_wait,
            dash_over: dash_wait - pace.ticks(feel.dash_ms),
            reload: pace.ticks(240),
            shot_step: pace.step(21_000),
            shot_left: pace.ticks(1_000),
            down: shield + pace.ticks(1_200),
            shield,
            combo: pace.ticks(2_500),
            orb_wait: pace.ticks(450),
            gold_wait: pace.ticks(8_000),
            gold_left: pace.ticks(6_000),
            gold_step: pace.step(4_500),
            drone_wait: pace.ticks(2_600),
            drone_asleep: pace.ticks(900),
            drone_think: pace.ticks(120),
            chaser_step: pace.step(5_600),
            roamer_step: pace.step(7_500),
            fight: pace.ticks(20_000),
            countdown: pace.ticks(1_500),
            power_wait: pace.ticks(7_000),
        }
    }
}

/// Ticks and their length at a frame rate.
struct Pace {
    ticks_a_frame: u32,
    /// Ticks in `denom` seconds.
    numer: i128,
    denom: i128,
}

impl Pace {
    /// Ticks a second are at least this: what moves fastest then cannot jump over a wall.
    const HZ_MIN: u32 = 50;

    fn of(rate: FrameRate) -> Self {
        let wanted = u64::from(Self::HZ_MIN) * u64::from(rate.denom());
        let ticks_a_frame = wanted.div_ceil(u64::from(rate.numer())).max(1) as u32;
        Self {
            ticks_a_frame,
            numer: i128::from(rate.numer()) * i128::from(ticks_a_frame),
            denom: i128::from(rate.denom()),
        }
    }

    /// Milliseconds as ticks, rounded to nearest, at least one.
    fn ticks(&self, ms: i64) -> i32 {
        let per_second = 1000 * self.denom;
        ((i128::from(ms) * self.numer + per_second / 2) / per_second).max(1) as i32
    }

    /// Thousandths a second as so many fractional bits a tick, rounded to nearest.
    fn per_tick(&self, thousandths: i64, fraction_bits: u32) -> i128 {
        let divisor = 1000 * self.numer;
        (((i128::from(thousandths) * self.denom) << fraction_bits) + divisor / 2) / divisor
    }

    /// A speed in thousandths of world units a second, as world units a tick.
    fn step(&self, speed: i64) -> Fixed {
        Fixed::from_bits(self.per_tick(speed, Fixed::FRACTION_BITS) as i32)
    }

    /// e^(−drag · tick) with 32 fractional bits, for a drag in thousandths a second.
    fn fading(&self, drag: i64) -> i64 {
        const FRACTION: u32 = 48;
        let x = self.per_tick(drag, FRACTION);
        let (mut sum, mut term) = (0, 1i128 << FRACTION);
        for order in 1..=16 {
            sum += term;
            term = -((term * x) >> FRACTION) / order;
        }
        (sum >> (FRACTION - 32)) as i64
    }
}

#[cfg(test)]
#[allow(
    clippy::float_arithmetic,
    clippy::disallowed_methods,
    reason = "checked against an independent source"
)]
mod tests {
    use super::*;

    #[test]
    fn every_rate_has_at_least_fifty_ticks_a_second_and_at_most_120() {
        for hz in 10..=120 {
            let pace = Pace::of(FrameRate::hz(hz).unwrap());
            assert!((50..=120).contains(&(hz * pace.ticks_a_frame)), "{hz}");
        }
        assert_eq!(
            Pace::of(FrameRate::new(60_000, 1001).unwrap()).ticks_a_frame,
            1
        );
    }

    #[test]
    fn fading_is_the_exponential() {
        for hz in [10, 30, 60, 120] {
            let pace = Pace::of(FrameRate::hz(hz).unwrap());
            let ticks = f64::from(hz * pace.ticks_a_frame);
            let expected = (-6.0 / ticks).exp();
            let got = pace.fading(6_000) as f64 / 4_294_967_296.0;
            assert!((got - expected).abs() < 1e-9, "{hz}: {got} {expected}");
        }
    }

    #[test]
    fn nothing_moves_further_in_a_tick_than_its_radius() {
        for hz in 10..=120 {
            let tuning = Tuning::of(Mode::Race, FrameRate::hz(hz).unwrap());
            assert!(tuning.dt.times(SPEED_MAX) < PLAYER_RADIUS, "{hz}");
            assert!(tuning.roamer_step < DRONE_RADIUS);
        }
    }
}

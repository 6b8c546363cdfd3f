//! The frame clock: virtual time in, whole frames out. `core` turns time into frames, at most
//! 250 ms of them at once; `host` leaves frames to `step()`. A pause freezes the frame count.

/// Most time that one tick turns into frames; what is beyond is a gap, recorded as a pause.
pub(crate) const CATCH_UP_MAX_MS: u64 = 250;
/// Longest tick that is believed; a host that slept for a day says at most this.
const TICK_MAX_S: f64 = 86_400.0;
const NS_PER_S: i64 = 1_000_000_000;
/// How early a frame may be: hosts say 1/60 s as a rounded float, and mean one frame by it.
const EARLY_NS: i64 = 10_000;
const NS_PER_MS: u64 = 1_000_000;

/// What a tick amounts to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Advance {
    /// Frames to step now.
    pub(crate) frames: u32,
    /// Time that no frame stands for, to be recorded as a pause before those frames.
    pub(crate) gap_ms: u32,
}

/// Turns time into frames without ever losing a part of one.
#[derive(Debug)]
pub(crate) struct FrameClock {
    frame_hz: u32,
    /// Time not yet turned into frames, in 1 / (10^9 * frame_hz) s: exact for every rate. It goes
    /// below zero by up to [`EARLY_NS`].
    credit: i64,
    paused: bool,
    paused_ns: u64,
}

impl FrameClock {
    pub(crate) fn new(frame_hz: u32) -> Self {
        Self {
            frame_hz,
            credit: 0,
            paused: false,
            paused_ns: 0,
        }
    }

    /// Time passes with the clock `core`.
    pub(crate) fn advance(&mut self, elapsed_ns: u64) -> Advance {
        if self.paused {
            self.paused_ns = self.paused_ns.saturating_add(elapsed_ns);
            return Advance::default();
        }
        let taken_ns = elapsed_ns.min(CATCH_UP_MAX_MS * NS_PER_MS);
        let hz = i64::from(self.frame_hz);
        self.credit += i64::try_from(taken_ns).unwrap_or(0) * hz;
        let frames = (self.credit + EARLY_NS * hz).div_euclid(NS_PER_S);
        self.credit -= frames * NS_PER_S;
        Advance {
            frames: u32::try_from(frames).unwrap_or(0),
            gap_ms: whole_ms(elapsed_ns - taken_ns),
        }
    }

    /// Time passes with the clock `host`: only the length of a pause depends on it.
    pub(crate) fn wait(&mut self, elapsed_ns: u64) {
        if self.paused {
            self.paused_ns = self.paused_ns.saturating_add(elapsed_ns);
        }
    }

    pub(crate) fn is_paused(&self) -> bool {
        self.paused
    }

    /// Freezes the frame count. Pausing twice is one pause.
    pub(crate) fn pause(&mut self) {
        self.paused = true;
    }

    /// Lets frames run again; the length of the pause in milliseconds, if there was one.
    pub(crate) fn resume(&mut self) -> Option<u32> {
        let was = std::mem::take(&mut self.paused);
        let paused_ns = std::mem::take(&mut self.paused_ns);
        was.then(|| whole_ms(paused_ns))
    }
}

/// Time as a host tells it, without losing the parts of nanoseconds.
#[derive(Debug, Default)]
pub(crate) struct Elapsed {
    part_ns: f64,
}

impl Elapsed {
    /// The nanoseconds that have passed with a tick; what is no time (NaN, negative) is none.
    pub(crate) fn add(&mut self, seconds: f64) -> u64 {
        if seconds.is_nan() || seconds <= 0.0 {
            return 0;
        }
        let exact = seconds.min(TICK_MAX_S) * 1e9 + self.part_ns;
        let whole = whole_ns(exact);
        self.part_ns = exact.fract();
        whole
    }
}

fn whole_ns(ns: f64) -> u64 {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "not negative and about a day at most, which fits"
    )]
    let whole = ns as u64;
    whole
}

fn whole_ms(ns: u64) -> u32 {
    u32::try_from(ns / NS_PER_MS).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ns(seconds: f64) -> u64 {
        Elapsed::default().add(seconds)
    }

    #[test]
    fn no_part_of_a_frame_is_lost() {
        for hz in [10, 30, 50, 60, 72, 120] {
            let mut clock = FrameClock::new(hz);
            let frames: u32 = (0..7_000).map(|_| clock.advance(1_000_000).frames).sum();
            assert_eq!(frames, 7 * hz);
        }
    }

    #[test]
    fn a_tick_of_a_frame_is_a_frame_whatever_its_rounding() {
        for hz in [10, 24, 30, 50, 60, 72, 90, 120_u32] {
            let (mut clock, mut elapsed) = (FrameClock::new(hz), Elapsed::default());
            for _ in 0..100_000 {
                assert_eq!(clock.advance(elapsed.add(1.0 / f64::from(hz))).frames, 1);
            }
            let (mut clock, mut elapsed) = (FrameClock::new(hz), Elapsed::default());
            let display = (0..144 * 60).map(|_| clock.advance(elapsed.add(1.0 / 144.0)).frames);
            assert_eq!(display.sum::<u32>(), 60 * hz);
        }
    }

    #[test]
    fn a_hitch_is_capped_and_the_rest_is_a_gap() {
        let mut clock = FrameClock::new(60);
        let advance = Advance {
            frames: 15,
            gap_ms: 1750,
        };
        assert_eq!(clock.advance(ns(2.0)), advance);
    }

    #[test]
    fn a_pause_freezes_frames_and_is_measured() {
        let mut clock = FrameClock::new(60);
        clock.pause();
        assert_eq!(clock.advance(ns(3.5)), Advance::default());
        clock.pause();
        assert_eq!(clock.resume(), Some(3500));
        assert_eq!(clock.resume(), None);
        assert_eq!(clock.advance(ns(0.1)).frames, 6);
    }

    #[test]
    fn what_is_no_time_is_none() {
        for seconds in [f64::NAN, -1.0, f64::NEG_INFINITY, 0.0] {
            assert_eq!(ns(seconds), 0);
        }
        assert_eq!(ns(f64::INFINITY), 86_400_000_000_000);
    }
}

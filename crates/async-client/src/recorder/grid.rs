//! When samples are taken, and how a transform of the core becomes one.

use async_core::{FrameRate, Transform};
use async_replay::{CHANNELS_MAX, Precision, Rotation, Sample};

/// Fractions of a unit in the core's fixed point, and of a turn in its angles.
const UNITS: i64 = 65_536;

/// Sample k is taken at frame floor(k * frame rate / sample rate): a fixed grid, whatever the
/// host's own frame rate does.
#[derive(Debug)]
pub(crate) struct SampleGrid {
    rate: FrameRate,
    sample_hz: u32,
    taken: u64,
    last: Option<u32>,
}

impl SampleGrid {
    pub(crate) fn new(rate: FrameRate, sample_hz: u32) -> Self {
        Self {
            rate,
            sample_hz: sample_hz.max(1),
            taken: 0,
            last: None,
        }
    }

    /// Whether a sample belongs to this frame; `last` asks for one wherever there is none yet.
    /// True at most once for each frame.
    pub(crate) fn due(&mut self, frame: u32, last: bool) -> bool {
        if self.last == Some(frame) || !(last || self.next() <= frame) {
            return false;
        }
        while self.next() <= frame {
            self.taken += 1;
        }
        self.last = Some(frame);
        true
    }

    fn next(&self) -> u32 {
        let numer = self.taken * u64::from(self.rate.numer());
        let denom = u64::from(self.rate.denom()) * u64::from(self.sample_hz);
        u32::try_from(numer / denom).unwrap_or(u32::MAX)
    }
}

/// A transform of the core on the grid of a run, in integers: every machine gets the same.
pub(crate) fn transform_sample(frame: u32, shown: &Transform, precision: Precision) -> Sample {
    let step = i64::from(precision.step_mm()) * UNITS;
    let place = |bits: i32| nearest(i64::from(bits) * 1_000, step);
    let turn = i64::from(precision.yaw_steps());
    let yaw = nearest(i64::from(shown.yaw.bits()) * turn, UNITS);
    Sample {
        frame,
        // A flat track has no height.
        position: [
            place(shown.position[0].bits()),
            place(shown.position[1].bits()),
            0,
        ],
        rotation: Rotation::Yaw(yaw.rem_euclid(precision.yaw_steps())),
        channels: [0; CHANNELS_MAX],
        teleport: false,
    }
}

fn nearest(value: i64, step: i64) -> i32 {
    i32::try_from((value + step / 2).div_euclid(step)).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(frame_hz: u32, sample_hz: u32, until: u32) -> Vec<u32> {
        let mut grid = SampleGrid::new(FrameRate::hz(frame_hz).unwrap(), sample_hz);
        (0..=until)
            .filter(|frame| grid.due(*frame, *frame == until))
            .collect()
    }

    #[test]
    fn samples_are_at_the_floor_of_their_time_and_at_the_end() {
        assert_eq!(frames(60, 10, 20), vec![0, 6, 12, 18, 20]);
        assert_eq!(frames(60, 7, 20), vec![0, 8, 17, 20]);
        assert_eq!(frames(10, 10, 3), vec![0, 1, 2, 3]);
        assert_eq!(frames(60, 60, 2), vec![0, 1, 2]);
        assert_eq!(frames(60, 10, 0), vec![0]);
    }

    #[test]
    fn rounding_is_to_the_nearest_on_both_sides_of_zero() {
        assert_eq!(
            [-15, -10, -4, 4, 10, 16].map(|v| nearest(v, 10)),
            [-1, -1, 0, 0, 1, 2]
        );
    }
}

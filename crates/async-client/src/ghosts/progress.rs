//! Progress over time: how far a run had come at each frame. It never falls, so two runs can be
//! compared in both ways: where is the other one now, and when was the other one here.

/// Progress of a run, kept where it changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Progress {
    frames: Vec<u32>,
    values: Vec<i64>,
}

/// How far the player is ahead of a ghost; negative is behind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gap {
    /// In frames of the ghost's run: how long until the ghost is where the player is, or since it
    /// was. None where the ghost never comes that far.
    pub frames: Option<i64>,
    /// In the game's own measure of progress.
    pub progress: i64,
}

impl Progress {
    /// Notes the progress at a frame. Frames come in order; what falls is held.
    pub(crate) fn note(&mut self, frame: u32, value: i64) {
        if self.values.last().is_none_or(|last| value > *last) {
            self.frames.push(frame);
            self.values.push(value);
        }
    }

    /// The progress at a frame; none before anything was noted.
    pub(crate) fn at(&self, frame: u32) -> Option<i64> {
        let after = self.frames.partition_point(|at| *at <= frame);
        after.checked_sub(1).map(|index| self.values[index])
    }

    /// The first frame with at least this progress.
    fn reached(&self, value: i64) -> Option<u32> {
        self.frames
            .get(self.values.partition_point(|at| *at < value))
            .copied()
    }

    /// The last frame with no more than this progress, where there is a later one.
    fn left(&self, value: i64) -> Option<u32> {
        let next = self.values.partition_point(|at| *at <= value);
        self.frames.get(next).map(|frame| frame.saturating_sub(1))
    }

    /// The gap of a player with `value` to this run at `frame`.
    pub(crate) fn gap(&self, value: i64, frame: u32) -> Option<Gap> {
        let now = self.at(frame)?;
        let to = |when: Option<u32>| when.map(|when| i64::from(when) - i64::from(frame));
        let frames = match value.cmp(&now) {
            std::cmp::Ordering::Greater => to(self.reached(value)),
            std::cmp::Ordering::Less => to(self.left(value)),
            std::cmp::Ordering::Equal => Some(0),
        };
        Some(Gap {
            frames,
            progress: value.saturating_sub(now),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two laps of 100 m at a metre a frame: the measure goes on over the line.
    fn two_laps() -> Progress {
        let mut progress = Progress::default();
        (0..=200).for_each(|frame| progress.note(frame, i64::from(frame)));
        progress
    }

    #[test]
    fn case_g3_the_gap_goes_on_over_the_lap_line() {
        let ghost = two_laps();
        for frame in 20..=180_u32 {
            let ahead = ghost.gap(i64::from(frame) + 15, frame).unwrap();
            assert_eq!(
                ahead,
                Gap {
                    frames: Some(15),
                    progress: 15
                }
            );
            let behind = ghost.gap(i64::from(frame) - 15, frame).unwrap();
            assert_eq!(behind.progress, -15);
            assert_eq!(behind.frames, Some(-15));
        }
    }

    #[test]
    fn case_g3_both_ways_agree_on_who_is_ahead() {
        let mut points = Progress::default();
        for (frame, value) in [(0, 0), (100, 10), (150, 10), (300, 30)] {
            points.note(frame, value);
        }
        assert_eq!(
            points.gap(10, 200),
            Some(Gap {
                frames: Some(0),
                progress: 0
            })
        );
        assert_eq!(
            points.gap(20, 200),
            Some(Gap {
                frames: Some(100),
                progress: 10
            })
        );
        assert_eq!(
            points.gap(0, 200),
            Some(Gap {
                frames: Some(-101),
                progress: -10
            })
        );
        assert_eq!(
            points.gap(99, 200),
            Some(Gap {
                frames: None,
                progress: 89
            })
        );
    }

    #[test]
    fn progress_never_falls() {
        let mut progress = Progress::default();
        assert_eq!(progress.gap(1, 1), None);
        for (frame, value) in [(0, 5), (1, 3), (2, 6)] {
            progress.note(frame, value);
        }
        assert_eq!((progress.at(1), progress.at(2)), (Some(5), Some(6)));
    }
}

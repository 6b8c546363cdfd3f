//! The gap to a ghost over time, as numbers and as a line to look at.

use async_client::GhostState;
use serde_json::{Value, json};

use crate::output::Thousands;

/// Frames between two notes of the gap.
const NOTE_EVERY: u32 = 30;
/// Columns of the drawn line.
const COLUMNS: usize = 48;
/// Rows of the table.
const ROWS: usize = 6;
/// From far behind to far ahead.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// What the gap is measured in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Measure {
    /// How long until the ghost is where the player is, or since it was: for a course.
    Seconds,
    /// How much more the player has: for points, which a ghost may never reach.
    Points,
}

/// One note.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Note {
    second: f64,
    /// How far ahead of the ghost; negative is behind.
    ahead_s: Option<f64>,
    ahead_progress: Option<i64>,
}

/// How a race against a ghost went.
#[derive(Debug)]
pub(crate) struct Gaps {
    measure: Measure,
    frame_s: f64,
    notes: Vec<Note>,
}

impl Gaps {
    pub(crate) fn new(measure: Measure, frame_hz: u32) -> Self {
        Self {
            measure,
            frame_s: 1.0 / f64::from(frame_hz.max(1)),
            notes: Vec::new(),
        }
    }

    fn ahead(&self, note: &Note) -> Option<f64> {
        match self.measure {
            Measure::Seconds => note.ahead_s,
            Measure::Points => note.ahead_progress.map(|points| points as f64),
        }
    }

    fn text(&self, note: &Note) -> String {
        let gap = match (self.ahead(note), self.measure) {
            (None, _) => "the ghost never comes this far".to_owned(),
            (Some(ahead), Measure::Seconds) => format!("{:.2} s {}", ahead.abs(), side(ahead)),
            (Some(ahead), Measure::Points) => {
                format!("{} points {}", Thousands(ahead.abs() as i64), side(ahead))
            }
        };
        format!("{:>5.1} s  {gap}", note.second)
    }

    /// Notes the gap after `frame` frames, now and then.
    pub(crate) fn note(&mut self, frame: u32, ghost: &GhostState) {
        if frame.is_multiple_of(NOTE_EVERY) {
            self.notes.push(Note {
                second: f64::from(frame) * self.frame_s,
                ahead_s: ghost.gap_frames.map(|frames| frames as f64 * self.frame_s),
                ahead_progress: ghost.gap_progress,
            });
        }
    }

    /// In how many notes the gap was known.
    pub(crate) fn known(&self) -> usize {
        self.notes
            .iter()
            .filter(|note| self.ahead(note).is_some())
            .count()
    }

    /// How many notes there are.
    pub(crate) fn count(&self) -> usize {
        self.notes.len()
    }

    pub(crate) fn object(&self) -> Value {
        let note = |note: &Note| {
            let round = |seconds: f64| (seconds * 1_000.0).round() / 1_000.0;
            json!({
                "s": round(note.second), "ahead_s": note.ahead_s.map(round),
                "ahead_progress": note.ahead_progress,
            })
        };
        self.notes.iter().map(note).collect()
    }

    /// The gap as a line: high is ahead of the ghost, low is behind it.
    pub(crate) fn line(&self) -> String {
        let known = self.notes.iter().filter_map(|note| self.ahead(note));
        let most = known.fold(0.1, |most, ahead| f64::max(most, ahead.abs()));
        let columns = COLUMNS.min(self.notes.len());
        (0..columns)
            .map(
                |column| match self.ahead(&self.notes[column * self.notes.len() / columns]) {
                    None => ' ',
                    Some(ahead) => {
                        let place = (ahead / most + 1.0) / 2.0 * (BARS.len() - 1) as f64;
                        BARS[(place.round() as usize).min(BARS.len() - 1)]
                    }
                },
            )
            .collect()
    }

    /// Some notes, evenly spread, each as a line.
    pub(crate) fn rows(&self) -> Vec<String> {
        let rows = ROWS.min(self.notes.len());
        let pick = |row: usize| (row + 1) * self.notes.len() / rows - 1;
        (0..rows)
            .map(|row| self.text(&self.notes[pick(row)]))
            .collect()
    }
}

fn side(ahead: f64) -> &'static str {
    if ahead < 0.0 { "behind" } else { "ahead" }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gaps(measure: Measure, notes: &[Option<i64>]) -> Gaps {
        let mut gaps = Gaps::new(measure, 60);
        for (index, gap) in notes.iter().enumerate() {
            let ghost = GhostState {
                gap_frames: *gap,
                gap_progress: *gap,
                ..GhostState::default()
            };
            gaps.note(index as u32 * NOTE_EVERY, &ghost);
            gaps.note(index as u32 * NOTE_EVERY + 1, &ghost);
        }
        gaps
    }

    #[test]
    fn a_gap_is_drawn_low_behind_and_high_ahead() {
        assert_eq!(
            gaps(Measure::Seconds, &[Some(-60), Some(0), Some(60), None]).line(),
            "▁▅█ "
        );
        assert_eq!(gaps(Measure::Seconds, &[]).line(), "");
    }

    #[test]
    fn rows_say_which_side() {
        let points = gaps(Measure::Points, &[Some(-1_030)]).rows();
        assert_eq!(points[0].trim(), "0.0 s  1,030 points behind");
        let gaps = gaps(Measure::Seconds, &[Some(-30), Some(60), None]);
        assert_eq!((gaps.count(), gaps.known()), (3, 2));
        let rows = gaps.rows();
        assert_eq!(rows[0].trim(), "0.0 s  0.50 s behind");
        assert_eq!(rows[1].trim(), "0.5 s  1.00 s ahead");
        assert!(rows[2].contains("never"));
    }
}

//! Rules: what is plausible where nothing can be re-simulated, and what a board asks of any run.
//!
//! Statistics (speed, turning, an unbelievable score) quarantine a run instead of refusing it: they
//! are guesses, and a guess must not throw an honest record away. What a re-simulation proved, no
//! statistic about movement questions.

use async_protocol::Rules;
use async_replay::{Mark, MarkKind, Precision, Rotation, Run, Sample};

use crate::finding::{Finding, SCORE_EXCEEDED, SPEED_EXCEEDED, TOO_SHORT, TURN_RATE_EXCEEDED};

/// Movement is measured over pieces of at least this long: a shorter one would measure the grid of
/// the samples rather than what moved.
const PIECE_MIN_S: f64 = 0.1;
/// Speeds are means over a window of this length, so that one lag spike is none.
const WINDOW_S: f64 = 1.0;

/// What holds for every run, re-simulated or not.
pub(crate) fn check(run: &Run, score: i64, rules: &Rules) -> Result<(), Finding> {
    if run.end.frames < rules.min_frames {
        let msg = format!(
            "{} frames, and at least {} are asked",
            run.end.frames, rules.min_frames
        );
        return Err(Finding::refused(TOO_SHORT, msg));
    }
    if rules.max_score > 0 && score > rules.max_score {
        let msg = format!(
            "a score of {score}, and up to {} is believed",
            rules.max_score
        );
        return Err(Finding::quarantined(SCORE_EXCEEDED, msg));
    }
    Ok(())
}

/// What holds for the samples of a run that cannot be re-simulated.
pub(crate) fn check_movement(run: &Run, rules: &Rules) -> Result<(), Finding> {
    let Some(schema) = &run.header.samples else {
        return Ok(());
    };
    let rate = run.header.rate;
    let frame_s = f64::from(rate.denom()) / f64::from(rate.numer());
    for (track, declared) in run.tracks.iter().zip(&schema.tracks) {
        let motion = Motion {
            track,
            marks: &run.marks,
            precision: schema.precision,
            frame_s,
        };
        let checks = [
            (
                rules.max_speed,
                SPEED_EXCEEDED,
                "units",
                distance as Measure,
            ),
            (
                rules.max_turn_rate,
                TURN_RATE_EXCEEDED,
                "degrees",
                angle as Measure,
            ),
        ];
        for (most, code, unit, measure) in checks {
            if most.is_nan() || most <= 0.0 {
                continue;
            }
            let slack = if rules.speed_slack >= 1.0 {
                rules.speed_slack
            } else {
                1.0
            };
            if let Some((frame, found)) = motion.exceeds(most * slack, measure) {
                let name = &declared.name;
                let msg = format!(
                    "track {name:?} makes {found:.1} {unit}/s around frame {frame}, \
                     and up to {most:.1} is believed"
                );
                return Err(Finding::quarantined(code, msg));
            }
        }
    }
    Ok(())
}

/// How far apart two samples are, less what their grid may add.
type Measure = fn(&Sample, &Sample, Precision) -> f64;

struct Motion<'a> {
    track: &'a [Sample],
    marks: &'a [Mark],
    precision: Precision,
    frame_s: f64,
}

/// A piece of movement between two samples.
struct Piece {
    frame: u32,
    seconds: f64,
    moved: f64,
}

impl Motion<'_> {
    /// The first place where more than `most` a second was made over a whole window, and how much.
    fn exceeds(&self, most: f64, measure: Measure) -> Option<(u32, f64)> {
        let pieces = self.pieces(measure);
        let (mut first, mut seconds, mut moved) = (0, 0.0, 0.0);
        for piece in &pieces {
            seconds += piece.seconds;
            moved += piece.moved;
            // The shortest window that is still whole: what happened before it is forgiven.
            while seconds - pieces[first].seconds >= WINDOW_S {
                seconds -= pieces[first].seconds;
                moved -= pieces[first].moved;
                first += 1;
            }
            let rate = moved / f64::max(seconds, WINDOW_S);
            if rate > most {
                return Some((piece.frame, rate));
            }
        }
        None
    }

    fn pieces(&self, measure: Measure) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut respawns = self
            .marks
            .iter()
            .filter(|mark| mark.kind == MarkKind::Respawn);
        let mut respawn = respawns.next();
        let Some(mut from) = self.track.first() else {
            return pieces;
        };
        for sample in &self.track[1..] {
            let mut jumped = sample.teleport;
            while let Some(mark) = respawn.filter(|mark| mark.frame <= sample.frame) {
                jumped |= mark.frame > from.frame;
                respawn = respawns.next();
            }
            let seconds = f64::from(sample.frame.saturating_sub(from.frame)) * self.frame_s;
            if !jumped && seconds < PIECE_MIN_S {
                continue;
            }
            let moved = if jumped {
                0.0
            } else {
                measure(from, sample, self.precision)
            };
            // A track that a lag froze makes up for it at once: the two are one piece.
            if !jumped && moved == 0.0 && seconds < WINDOW_S {
                continue;
            }
            pieces.push(Piece {
                frame: sample.frame,
                seconds,
                moved,
            });
            from = sample;
        }
        pieces
    }
}

fn distance(from: &Sample, to: &Sample, precision: Precision) -> f64 {
    let apart = from
        .position
        .iter()
        .zip(&to.position)
        .map(|(a, b)| f64::from(*a) - f64::from(*b));
    let steps = apart.map(|steps| steps * steps).sum::<f64>().sqrt();
    // Each end may be off by half a step.
    (steps - 1.0).max(0.0) * f64::from(precision.step_mm()) / 1000.0
}

fn angle(from: &Sample, to: &Sample, precision: Precision) -> f64 {
    match (from.rotation, to.rotation) {
        (Rotation::Yaw(a), Rotation::Yaw(b)) => {
            let steps = precision.yaw_steps();
            let apart = (i64::from(a) - i64::from(b)).rem_euclid(i64::from(steps));
            let apart = apart.min(i64::from(steps) - apart);
            (apart - 1).max(0) as f64 * 360.0 / f64::from(steps)
        }
        (Rotation::Quaternion(a), Rotation::Quaternion(b)) => {
            let (a, b) = (precision.quaternion_to(a), precision.quaternion_to(b));
            let dot: f64 = a
                .iter()
                .zip(&b)
                .map(|(a, b)| f64::from(*a) * f64::from(*b))
                .sum();
            let apart = 2.0 * dot.abs().min(1.0).acos().to_degrees();
            // Each end may be off by the tolerance.
            (apart - 2.0 * precision.rotation_tolerance_degrees()).max(0.0)
        }
        _ => 0.0,
    }
}

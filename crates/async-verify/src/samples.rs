//! Samples of a deterministic game against the transforms that the simulation shows.
//!
//! Track `k` of such a game is the body of slot `k`: what a ghost shows must be what was played.

use async_core::{Game, Transform};
use async_replay::{Dimensions, Precision, Rotation, Run, Sample};

use crate::finding::{Finding, SAMPLES_DIFFER};

/// How far a sample may be off beside half a grid step, in 1/65,536 mm: hosts hand positions over
/// as f32 metres, which costs up to 0.06 mm a kilometre out.
const POSITION_SLACK: i64 = 65_536 / 4;
/// The same for a yaw, in 1/65,536 turn.
const YAW_SLACK: i64 = 16;
/// Fixed-point units in a metre.
const UNITS: i64 = 65_536;

/// Walks along the tracks of a run while it is re-simulated.
#[derive(Debug)]
pub(crate) struct SampleCheck<'a> {
    run: &'a Run,
    precision: Precision,
    /// For each track, its next sample.
    next: Vec<usize>,
    /// The frame of the earliest of them.
    due: Option<u32>,
    transforms: Vec<Transform>,
}

impl<'a> SampleCheck<'a> {
    pub(crate) fn new(run: &'a Run, players: u8) -> Result<Self, Finding> {
        if run.tracks.len() > usize::from(players) {
            let msg = format!(
                "{} tracks of a game with {players} players",
                run.tracks.len()
            );
            return Err(Finding::refused(SAMPLES_DIFFER, msg));
        }
        let precision = run.header.samples.as_ref().map(|schema| schema.precision);
        let mut check = Self {
            run,
            precision: precision.unwrap_or_default(),
            next: vec![0; run.tracks.len()],
            due: None,
            transforms: Vec::new(),
        };
        check.due = check.earliest();
        Ok(check)
    }

    /// Compares all samples taken after `frame` frames with the game as it stands then.
    #[inline]
    pub(crate) fn at(&mut self, frame: u32, game: &dyn Game) -> Result<(), Finding> {
        if self.due == Some(frame) {
            self.compare(frame, game)
        } else {
            Ok(())
        }
    }

    #[cold]
    fn compare(&mut self, frame: u32, game: &dyn Game) -> Result<(), Finding> {
        self.transforms.clear();
        game.transforms(&mut self.transforms);
        for track in 0..self.next.len() {
            let Some(sample) = self.run.tracks[track].get(self.next[track]) else {
                continue;
            };
            if sample.frame != frame {
                continue;
            }
            self.next[track] += 1;
            let shown = self.transforms.get(track);
            let flat = self.dimensions(track) == Dimensions::Two;
            if !shown.is_some_and(|shown| self.fits(sample, shown, flat)) {
                let name = self.name(track);
                let msg = format!("track {name:?} is elsewhere than the game at frame {frame}");
                return Err(Finding::refused(SAMPLES_DIFFER, msg));
            }
        }
        self.due = self.earliest();
        Ok(())
    }

    fn earliest(&self) -> Option<u32> {
        let heads = self.run.tracks.iter().zip(&self.next);
        heads
            .filter_map(|(track, &next)| track.get(next))
            .map(|sample| sample.frame)
            .min()
    }

    fn dimensions(&self, track: usize) -> Dimensions {
        let schema = self.run.header.samples.as_ref();
        schema
            .and_then(|s| s.tracks.get(track))
            .map_or(Dimensions::Two, |t| t.dimensions)
    }

    fn name(&self, track: usize) -> &str {
        let schema = self.run.header.samples.as_ref();
        schema
            .and_then(|s| s.tracks.get(track))
            .map_or("?", |t| t.name.as_str())
    }

    fn fits(&self, sample: &Sample, shown: &Transform, flat: bool) -> bool {
        let axes = if flat { 2 } else { 3 };
        let near = sample
            .position
            .iter()
            .zip(&shown.position)
            .take(axes)
            .all(|(steps, fixed)| {
                let sampled = i64::from(*steps) * i64::from(self.precision.step_mm()) * UNITS;
                let simulated = i64::from(fixed.bits()) * 1000;
                let half_step = i64::from(self.precision.step_mm()) * UNITS / 2;
                (sampled - simulated).abs() <= half_step + POSITION_SLACK
            });
        near && self.turned(sample.rotation, i64::from(shown.yaw.bits()))
    }

    /// Whether a rotation is within half a step of `angle`, in 1/65,536 turn, the short way round.
    fn turned(&self, rotation: Rotation, angle: i64) -> bool {
        // The flat games turn about one axis, so their tracks have a yaw.
        let Rotation::Yaw(yaw) = rotation else {
            return false;
        };
        let steps = i64::from(self.precision.yaw_steps());
        let turn = UNITS * steps;
        let apart = (i64::from(yaw) * UNITS - angle * steps).rem_euclid(turn);
        apart.min(turn - apart) <= UNITS / 2 + YAW_SLACK * steps
    }
}

//! The first frame and field in which a run leaves its trace.

use core::fmt;

use async_core::{AXES_MAX, Catalogue, Game, Input, InputSchema, Simulation};
use async_replay::Run;

use super::Trace;
use super::codec::Memory;
use crate::Error;
use crate::resimulate::setup;

/// Where a run leaves its trace. An input comes before a state field of the same frame, since it
/// is the cause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Divergence {
    /// The frame, counted from 0: its inputs or the state after it differ.
    pub frame: u32,
    /// The field: `input[0].axes.move_x`, `player[1].vel.y`, or `frames` where one of the two ends
    /// early.
    pub field: String,
    /// Its value in the trace.
    pub traced: i64,
    /// Its value in the run.
    pub found: i64,
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} was {}, is {}", self.field, self.traced, self.found)
    }
}

impl Trace {
    /// Plays `run` beside the trace and returns the first thing that differs; `None` if nothing
    /// does, as far as the trace goes.
    ///
    /// # Errors
    /// [`Error::Simulation`] if the run's game cannot be started; `trace_*` codes only for a trace
    /// that did not come from [`Trace::decode`] or a recorder.
    pub fn first_divergence(
        &self,
        run: &Run,
        catalogue: &Catalogue,
    ) -> Result<Option<Divergence>, Error> {
        let header = &run.header;
        let players = usize::from(self.players);
        if run.inputs.players() != players {
            let found = run.inputs.players() as i64;
            let field = "players".to_owned();
            return Ok(Some(Divergence {
                frame: 0,
                field,
                traced: players as i64,
                found,
            }));
        }
        let mut simulation =
            Simulation::start(catalogue, &header.game, header.revision, &setup(header))?;
        let mut cursor = self.cursor();
        for frame in 0..self.frames.min(run.inputs.frames()) {
            let traced = cursor.frame()?;
            let inputs = run.inputs.frame(frame);
            let schema = simulation.game().schema();
            if let Some(found) = input_difference(frame, schema, &traced.inputs, inputs) {
                return Ok(Some(found));
            }
            if simulation.step(inputs).is_err() {
                return Ok(None);
            }
            if let Some(found) = self.field_difference(frame, traced, simulation.game()) {
                return Ok(Some(found));
            }
        }
        Ok(self.length_difference(run.inputs.frames()))
    }

    /// The first field of the game that is not as traced; a field that only one of the two has
    /// counts as 0 in the other.
    fn field_difference(&self, frame: u32, traced: &Memory, game: &dyn Game) -> Option<Divergence> {
        let mut place = 0;
        let mut found: Option<Divergence> = None;
        game.trace(&mut |name, value| {
            let id = traced.layout.get(place).copied();
            place += 1;
            if found.is_some() {
                return;
            }
            let known = id.map_or("", |id| self.names[id as usize].as_str());
            let before = id.map_or(0, |id| traced.values[id as usize]);
            if known == name && before == value {
                return;
            }
            let (traced, found_here) = if known == name {
                (before, value)
            } else {
                (0, value)
            };
            found = Some(Divergence {
                frame,
                field: name.to_owned(),
                traced: traced as i64,
                found: found_here as i64,
            });
        });
        let missing = traced.layout.get(place).filter(|_| found.is_none());
        found.or_else(|| {
            missing.map(|&id| Divergence {
                frame,
                field: self.names[id as usize].clone(),
                traced: traced.values[id as usize] as i64,
                found: 0,
            })
        })
    }

    fn length_difference(&self, frames: u32) -> Option<Divergence> {
        let differs = frames < self.frames || (frames > self.frames && !self.cut);
        differs.then(|| Divergence {
            frame: frames.min(self.frames),
            field: "frames".to_owned(),
            traced: i64::from(self.frames),
            found: i64::from(frames),
        })
    }
}

fn input_difference(
    frame: u32,
    schema: &InputSchema,
    traced: &[Input],
    found: &[Input],
) -> Option<Divergence> {
    let slot = traced
        .iter()
        .zip(found)
        .position(|(traced, found)| traced != found)?;
    let (traced, found) = (&traced[slot], &found[slot]);
    let differs = |part: String, traced: i64, found: i64| {
        Some(Divergence {
            frame,
            field: format!("input[{slot}].{part}"),
            traced,
            found,
        })
    };
    let flips = traced.buttons ^ found.buttons;
    if flips != 0 {
        let bit = flips.trailing_zeros();
        let name = schema
            .buttons
            .get(bit as usize)
            .cloned()
            .unwrap_or_else(|| bit.to_string());
        let (traced, found) = (traced.buttons >> bit & 1, found.buttons >> bit & 1);
        return differs(
            format!("buttons.{name}"),
            i64::from(traced),
            i64::from(found),
        );
    }
    let axis = (0..AXES_MAX).find(|&axis| traced.axes[axis] != found.axes[axis])?;
    let name = schema
        .axes
        .get(axis)
        .map_or_else(|| axis.to_string(), |axis| axis.name.clone());
    differs(
        format!("axes.{name}"),
        i64::from(traced.axes[axis]),
        i64::from(found.axes[axis]),
    )
}

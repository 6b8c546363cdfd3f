//! A run of a game of the core, simulated once beside the game and a part at a time: it gives a
//! ghost its progress over time, and its poses where the run holds inputs only.

use async_core::{Catalogue, Simulation, Step, Transform};
use async_replay::{Inputs, Run};

use super::pose::{self, Key, Pose};
use super::progress::Progress;
use crate::Error;
use crate::recorder::SampleGrid;

#[derive(Debug)]
pub(super) struct Shadow {
    simulation: Simulation,
    inputs: Inputs,
    slot: u8,
    players: usize,
    poses: bool,
    grid: SampleGrid,
    transforms: Vec<Transform>,
    started: bool,
}

impl Shadow {
    /// Prepares the simulation; none where the run has no inputs or is of an engine game.
    pub(super) fn start(
        run: &Run,
        slot: u8,
        catalogue: &Catalogue,
        poses: bool,
        sample_hz: u32,
    ) -> Result<Option<Self>, Error> {
        if run.header.revision == 0 || run.header.inputs.is_none() {
            return Ok(None);
        }
        Ok(Some(Self {
            simulation: super::simulation_of(run, catalogue)?,
            inputs: run.inputs.clone(),
            slot,
            players: usize::from(run.header.players),
            poses,
            grid: SampleGrid::new(run.header.rate, sample_hz),
            transforms: Vec::new(),
            started: false,
        }))
    }

    /// Simulates at most `frames`; returns how many of them are left.
    pub(super) fn advance(
        &mut self,
        mut frames: u32,
        progress: &mut Progress,
        mut key: impl FnMut(usize, Key),
    ) -> u32 {
        if !std::mem::replace(&mut self.started, true) {
            self.look(progress, &mut key);
        }
        while frames > 0 && !self.done() {
            frames -= 1;
            let inputs = self.inputs.frame(self.simulation.frame());
            let step = self.simulation.step(inputs);
            if step.is_err() {
                // What cannot be simulated ends here; whoever verifies the run says why.
                self.inputs.truncate(self.simulation.frame());
            }
            if step == Ok(Step::Finished) {
                self.inputs.truncate(self.simulation.frame());
            }
            self.look(progress, &mut key);
        }
        frames
    }

    pub(super) fn done(&self) -> bool {
        self.started && self.simulation.frame() >= self.inputs.frames()
    }

    fn look(&mut self, progress: &mut Progress, key: &mut impl FnMut(usize, Key)) {
        let (game, frame) = (self.simulation.game(), self.simulation.frame());
        progress.note(frame, game.progress(self.slot));
        if !self.poses || !self.grid.due(frame, frame == self.inputs.frames()) {
            return;
        }
        self.transforms.clear();
        game.transforms(&mut self.transforms);
        for (track, shown) in self.transforms.iter().take(self.players).enumerate() {
            key(
                track,
                Key {
                    frame,
                    pose: pose_of(shown),
                    teleport: false,
                },
            );
        }
    }
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "for showing: f32 is what engines take"
)]
fn pose_of(shown: &Transform) -> Pose {
    let turns = shown.yaw.to_turns() as f32;
    let (rotation, yaw) = pose::of_yaw(turns * std::f32::consts::TAU);
    Pose {
        position: shown.position.map(|part| part.to_f64() as f32),
        rotation,
        yaw,
        flat: true,
        channels: [0; pose::CHANNELS_MAX],
    }
}

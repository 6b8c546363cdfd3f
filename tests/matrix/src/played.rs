//! Runs that are played here and now, so that a simulation that differs on a target shows too.

use std::error::Error;

use async_core::{Catalogue, FrameRate, Input, Options, Pilot, Setup, Simulation, Step, autopilot};
use async_replay::{
    CHECKPOINT_FRAMES, Checkpoint, End, EndReason, Header, Inputs, Rotation, Run, Sample,
    SampleSchema, TrackSchema,
};

/// How long each is, in frames, if the game does not finish before.
const FRAMES: u32 = 1_900;

/// Each mode of the arena, played by its autopilots and sampled on the way.
pub(crate) fn runs() -> Result<Vec<(String, Run)>, Box<dyn Error>> {
    let modes = [("collect", 1), ("race", 2), ("duel", 4)];
    let play = |(mode, players)| Ok((format!("arena {mode}"), played(mode, players)?));
    modes.into_iter().map(play).collect()
}

fn played(mode: &str, players: u8) -> Result<Run, Box<dyn Error>> {
    let setup = Setup {
        seed: 7,
        players,
        slot: 0,
        rate: FrameRate::hz(60)?,
        options: Options::default().with("mode", mode.into())?,
    };
    let mut simulation = Simulation::start(&Catalogue::standard(), "arena", 1, &setup)?;
    let mut header = Header::new("arena", 1, setup.rate);
    header.inputs = Some(simulation.game().schema().clone());
    header.samples = Some(SampleSchema {
        rate_hz: 10,
        tracks: vec![TrackSchema::flat("player")],
        precision: async_replay::Precision::Default,
    });
    header.options = setup.options;
    (header.seed, header.players) = (setup.seed, players);

    let mut pilots = Pilots::new(players)?;
    let (mut flat, mut checkpoints, mut track) = (Vec::new(), Vec::new(), Vec::new());
    let mut step = Step::Running;
    while step == Step::Running && simulation.frame() < FRAMES {
        let inputs = pilots.inputs(&simulation);
        step = simulation
            .step(&inputs)
            .map_err(|fault| format!("{fault:?}"))?;
        flat.extend_from_slice(&inputs);
        let frame = simulation.frame();
        if frame.is_multiple_of(CHECKPOINT_FRAMES) {
            checkpoints.push(Checkpoint::of(frame, simulation.run_digest()));
        }
        if frame.is_multiple_of(6) {
            track.push(sample(&simulation));
        }
    }
    let end = End {
        frames: simulation.frame(),
        score: simulation.game().score(0),
        reason: EndReason::Stopped,
        digest: simulation.run_digest(),
    };
    Ok(Run {
        header,
        inputs: Inputs::new(players, flat)?,
        tracks: vec![track],
        marks: Vec::new(),
        pauses: Vec::new(),
        checkpoints,
        end,
        signature: None,
        unknown_chunks: 0,
    })
}

struct Pilots(Vec<Box<dyn Pilot>>);

impl Pilots {
    fn new(players: u8) -> Result<Self, Box<dyn Error>> {
        let pilot = |slot: u8| autopilot("arena", u64::from(slot)).ok_or("no autopilot");
        let pilots: Result<_, _> = (0..players).map(pilot).collect();
        Ok(Self(pilots?))
    }

    fn inputs(&mut self, simulation: &Simulation) -> Vec<Input> {
        let slots = self.0.iter_mut().zip(0..);
        slots
            .map(|(pilot, slot)| pilot.input(simulation.game(), slot))
            .collect()
    }
}

/// Where the first player is, in the numbers of the simulation: no float comes near.
fn sample(simulation: &Simulation) -> Sample {
    let mut bodies = Vec::new();
    simulation.game().transforms(&mut bodies);
    let [x, y, _] = bodies[0].position.map(|at| at.bits() >> 10);
    Sample {
        frame: simulation.frame(),
        position: [x, y, 0],
        rotation: Rotation::Yaw((i32::from(bodies[0].yaw.bits()) * 360) >> 16),
        channels: [0; 8],
        teleport: false,
    }
}

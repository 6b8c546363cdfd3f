//! Drives games for the tests: setups, and inputs that do not depend on the autopilot, so that a
//! better autopilot never looks like a changed game.

#![allow(dead_code, reason = "each test file uses a part of this")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "this is test code")]

use async_core::{
    Angle, Catalogue, Fixed, FrameRate, Input, Kind, OptionValue, Options, Rng, Setup, ShapeKind,
    Simulation, Step, Transform, Vec2, arena,
};

/// A setup at a whole frame rate, with the mode as its only option.
pub(crate) fn setup(mode: &str, players: u8, hz: u32, seed: u64) -> Setup {
    let options = Options::default().with("mode", mode.into()).unwrap();
    Setup {
        seed,
        players,
        slot: 0,
        rate: FrameRate::hz(hz).unwrap(),
        options,
    }
}

/// The same setup with one more option.
pub(crate) fn with(setup: &Setup, name: &str, value: impl Into<OptionValue>) -> Setup {
    let options = setup.options.clone().with(name, value.into()).unwrap();
    Setup {
        options,
        ..setup.clone()
    }
}

pub(crate) fn start(setup: &Setup) -> Simulation {
    Simulation::start(&Catalogue::standard(), "arena", 1, setup).unwrap()
}

/// Random sticks and buttons, each player's held for up to a dozen frames.
pub(crate) struct Jitter {
    rng: Rng,
    held: Vec<Input>,
}

impl Jitter {
    pub(crate) fn new(seed: u64, players: u8) -> Self {
        let held = vec![Input::default(); usize::from(players)];
        Self {
            rng: Rng::stream(seed, "test/jitter"),
            held,
        }
    }

    pub(crate) fn next(&mut self) -> Vec<Input> {
        for input in &mut self.held {
            if self.rng.below(8) == 0 {
                input.buttons = self.rng.below(4);
                for axis in &mut input.axes[..4] {
                    *axis = self.rng.between(-128, 127) as i16;
                }
            }
        }
        self.held.clone()
    }
}

/// Plays towards whatever the mode rewards: straight to the next gate, the nearest orb or the
/// nearest rival, shooting at what is near and dashing now and then.
pub(crate) fn eager(simulation: &Simulation, slot: u8) -> Input {
    let mut bodies = Vec::new();
    simulation.game().transforms(&mut bodies);
    let me = bodies[usize::from(slot)];
    let nearest = |wanted: &dyn Fn(usize, &Transform) -> bool| {
        let found = bodies
            .iter()
            .enumerate()
            .filter(|(index, body)| wanted(*index, body));
        let ways = found.map(|(_, body)| place(body) - place(&me));
        ways.min_by_key(|way| way.length_squared())
    };
    let rival = nearest(&|index, body| {
        body.kind == Kind::Player && index != usize::from(slot) && body.visible
    });
    let prey = nearest(&|_, body| body.kind == Kind::Drone).or(rival);
    let goal = next_gate(simulation, slot)
        .map(|gate| gate - place(&me))
        .or_else(|| nearest(&|_, body| body.kind == Kind::Orb))
        .or(rival);
    let mut input = Input::default();
    // Every other second a little aside, so that no wall holds anybody for ever.
    let aside = if (simulation.frame() / 40).is_multiple_of(2) {
        0
    } else {
        5_000
    };
    (input.axes[0], input.axes[1]) = goal.map_or((0, 0), |way| stick(way, aside));
    if let Some(way) = prey {
        (input.axes[2], input.axes[3]) = stick(way, 0);
        input.buttons |= arena::FIRE;
    }
    if simulation.frame() % 40 == u32::from(slot) {
        input.buttons |= arena::DASH;
    }
    input
}

fn place(body: &Transform) -> Vec2 {
    Vec2::new(body.position[0], body.position[1])
}

fn next_gate(simulation: &Simulation, slot: u8) -> Option<Vec2> {
    let mut gate = None;
    simulation.game().status(slot, &mut |name, value| {
        if name == "gate" {
            gate = Some(value);
        }
    });
    let mut shapes = Vec::new();
    simulation.game().scenery(&mut shapes);
    let shape = shapes
        .iter()
        .find(|shape| shape.kind == ShapeKind::Gate && Some(i64::from(shape.index)) == gate)?;
    let middle = |axis: usize| Fixed::from_bits((shape.min[axis] + shape.max[axis]).bits() / 2);
    Some(Vec2::new(middle(0), middle(1)))
}

fn stick(way: Vec2, aside: u16) -> (i16, i16) {
    let direction = (way.angle() + Angle::from_bits(aside)).direction();
    let full = direction.scaled(Fixed::from_int(127));
    (full.x.floor() as i16, full.y.floor() as i16)
}

/// Plays eagerly for up to so many frames; all inputs, frame by frame.
pub(crate) fn play(simulation: &mut Simulation, frames: u32) -> Vec<Vec<Input>> {
    let mut all = Vec::new();
    for _ in 0..frames {
        if simulation.finished() {
            break;
        }
        let players = simulation.game().players();
        let inputs: Vec<Input> = (0..players).map(|slot| eager(simulation, slot)).collect();
        simulation.step(&inputs).unwrap();
        all.push(inputs);
    }
    all
}

/// The state digest after each frame of a recorded game, and the run digest at its end.
pub(crate) fn digests(setup: &Setup, inputs: &[Vec<Input>]) -> (Vec<u64>, u64) {
    let mut simulation = start(setup);
    let mut all = vec![simulation.state_digest()];
    for frame in inputs {
        let step = simulation.step(frame).unwrap();
        all.push(simulation.state_digest());
        assert_eq!(step == Step::Finished, simulation.finished());
    }
    (all, simulation.run_digest())
}

pub(crate) fn trace(simulation: &Simulation) -> Vec<(String, u64)> {
    let mut fields = Vec::new();
    simulation
        .game()
        .trace(&mut |name, value| fields.push((name.to_owned(), value)));
    fields
}

pub(crate) fn saved(simulation: &Simulation) -> Vec<u8> {
    let mut bytes = Vec::new();
    simulation.save(&mut bytes);
    bytes
}

//! Runs of samples alone, as an engine's game records them, made without a float that two machines
//! could round in two ways.

use async_replay::{
    End, Inputs, Precision, QUATERNION_MAX, Quantiser, Rotation, RotationKind, Run, Sample,
    SampleSchema, TrackSchema,
};

use super::made;

/// A run of these tracks, in so many frames.
fn run(frames: u32, precision: Precision, tracks: Vec<(TrackSchema, Vec<Sample>)>) -> Run {
    let mut run = made::plain_run(1, 1);
    let (declared, tracks): (Vec<_>, Vec<_>) = tracks.into_iter().unzip();
    run.header.inputs = None;
    run.header.frames_max = frames;
    run.header.samples = Some(SampleSchema {
        rate_hz: 10,
        tracks: declared,
        precision,
    });
    run.inputs = Inputs::none(1);
    run.tracks = tracks;
    run.end = End { frames, ..run.end };
    run
}

fn sample(frame: u32, position: [i32; 3], rotation: Rotation) -> Sample {
    Sample {
        frame,
        position,
        rotation,
        channels: [0; 8],
        teleport: false,
    }
}

/// A number that goes up and down in rounds of four times `reach`.
fn swing(place: i32, reach: i32) -> i32 {
    let round = place.rem_euclid(4 * reach);
    (round - 2 * reach).abs() - reach
}

/// Something in the plane that circles, with a wheel that turns and a gear that changes.
fn circling(frames: u32, every: u32, precision: Precision) -> Vec<Sample> {
    let turn = precision.yaw_steps();
    let at = |frame: u32| {
        let step = (frame / 6) as i32;
        let place = [swing(7 * step, 400), swing(7 * step + 400, 400), 0];
        let mut sample = sample(frame, place, Rotation::Yaw((5 * step + step % 3) % turn));
        sample.channels[0] = 11 * step;
        sample.channels[1] = step / 40 % 5 - 1;
        sample
    };
    (0..=frames).step_by(every as usize).map(at).collect()
}

/// Something in space that drives a curve and turns with it.
fn driving(frames: u32, precision: Precision) -> Vec<Sample> {
    let mut quantiser = Quantiser::new(precision);
    let mut at = |frame: u32| {
        let step = (frame / 6) as i32;
        let half_turn = swing(step, 30) as f32 / 30.0;
        let pose = [half_turn * 0.25, half_turn, half_turn * 0.125, 1.0];
        let rotation = Rotation::Quaternion(quantiser.rotation(pose).unwrap());
        let height = 3 * swing(step, 9) + step * step / 50;
        sample(
            frame,
            [40 * step - step * step / 8, height, swing(13 * step, 700)],
            rotation,
        )
    };
    (0..=frames).step_by(6).map(&mut at).collect()
}

/// One track in the plane with two channels; jumps, and a pace that changes.
pub(super) fn flat() -> Run {
    let mut samples = circling(1_200, 6, Precision::Default);
    samples.retain(|sample| !(300..420).contains(&sample.frame) || sample.frame % 12 == 0);
    for place in [40, 90, 91] {
        samples[place].teleport = true;
        samples[place].position = [-5_000 * place as i32, 123, 0];
    }
    samples[60].frame += 2;
    let track = made::track("kart", RotationKind::Yaw, 2);
    run(1_200, Precision::Default, vec![(track, samples)])
}

/// One track in space.
pub(super) fn solid(precision: Precision) -> Run {
    let samples = driving(1_200, precision);
    run(
        1_200,
        precision,
        vec![(TrackSchema::solid("kart"), samples)],
    )
}

/// Tracks of each kind, one that never comes and one that comes late, and a last frame at which
/// none is taken.
pub(super) fn many() -> Run {
    let mut space = made::track("drone", RotationKind::Yaw, 1);
    space.dimensions = async_replay::Dimensions::Three;
    let drone = circling(900, 30, Precision::Tiny)
        .into_iter()
        .map(|mut sample| {
            sample.position[2] = sample.position[0] / 2;
            sample.channels[1] = 0;
            sample
        });
    let late = driving(1_300, Precision::Tiny).split_off(100);
    let plane = driving(1_300, Precision::Tiny)
        .into_iter()
        .map(|mut sample| {
            sample.position[2] = 0;
            sample
        });
    let tracks = vec![
        (
            made::track("kart", RotationKind::Yaw, 2),
            circling(1_300, 6, Precision::Tiny),
        ),
        (TrackSchema::flat("never"), Vec::new()),
        (space, drone.collect()),
        (TrackSchema::solid("late"), late),
        (
            made::track("turret", RotationKind::Quaternion, 0),
            plane.collect(),
        ),
        (TrackSchema::flat("nor this"), Vec::new()),
    ];
    run(1_303, Precision::Tiny, tracks)
}

/// The ends of all numbers, and rotations that no lattice has.
pub(super) fn wild() -> Run {
    let mut samples = driving(1_200, Precision::Default);
    let ends = [i32::MIN, i32::MAX, 0, -1, i32::MAX - 1];
    let turns = [
        [QUATERNION_MAX, 0, 0, 0],
        [0; 4],
        [-QUATERNION_MAX, QUATERNION_MAX, -1, 1],
        [0, 0, 0, -QUATERNION_MAX],
    ];
    for (place, sample) in samples.iter_mut().enumerate() {
        let turn = |way: usize| ends[(place / 20 + way) % ends.len()];
        if place % 20 == 7 {
            sample.position = [turn(0), turn(1), turn(2)];
            sample.channels[0] = turn(3);
        }
        if place % 30 == 9 {
            sample.rotation = Rotation::Quaternion(turns[place / 30 % turns.len()]);
        }
        sample.teleport = place % 50 == 27;
    }
    let track = TrackSchema {
        channels: vec!["ends".into()],
        ..TrackSchema::solid("kart")
    };
    run(1_200, Precision::Default, vec![(track, samples)])
}

/// Four minutes: chunks behind the head, which each start from what it taught.
pub(super) fn long() -> Run {
    let tracks = vec![
        (
            TrackSchema::solid("kart"),
            driving(14_400, Precision::Default),
        ),
        (
            made::track("wheel", RotationKind::Yaw, 2),
            circling(14_400, 12, Precision::Default),
        ),
    ];
    run(14_400, Precision::Default, tracks)
}

/// Many things that hardly ever show: S0 says nothing of them in fewer bytes.
pub(super) fn rare() -> Run {
    let hidden = (0..20).map(|number| (TrackSchema::flat(&format!("ghost {number}")), Vec::new()));
    let mut tracks: Vec<_> = hidden.collect();
    let shown = driving(60, Precision::Fine).split_off(9);
    tracks.insert(7, (TrackSchema::solid("drone"), shown));
    tracks[12].1 = circling(60, 30, Precision::Fine);
    for sample in &mut tracks[12].1 {
        sample.channels = [0; 8];
    }
    run(60, Precision::Fine, tracks)
}

//! Where the tracks of an engine game are, as the host last said. Samples are taken from it on the
//! fixed grid, so the host's own frame rate does not show in a run.

use async_protocol::settings::{EngineSettings, TrackConfig, TrackDimensions};
use async_replay::{
    CHANNELS_MAX, Dimensions, MarkKind, Precision, Quantiser, Rotation, RotationKind, Sample,
    SampleSchema, TrackSchema, Writer,
};

use crate::Error;
use crate::args::bad;

/// How a track is turned, as the host says it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Turn {
    /// Radians about the up axis.
    Yaw(f32),
    /// A quaternion x, y, z, w of any length but zero.
    Quaternion([f32; 4]),
}

/// Where a track is now, as the host says it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EngineSample {
    /// Metres; the third is 0 on a two-dimensional track.
    pub position: [f32; 3],
    /// The rotation.
    pub turn: Turn,
    /// Extra channels in the order of the configuration; those past the track's own are 0.
    pub channels: [i32; CHANNELS_MAX],
    /// It was not reached by moving there.
    pub teleport: bool,
}

/// The tracks, the score and the progress of an engine game.
#[derive(Debug)]
pub(crate) struct EngineTracks {
    tracks: Vec<EngineTrack>,
    pub(crate) score: i64,
    pub(crate) progress: Option<i64>,
}

/// One track: where it is, and its rotation as the host said it.
#[derive(Clone, Debug)]
struct EngineTrack {
    latest: Option<Sample>,
    quaternion: [f32; 4],
    quantiser: Quantiser,
}

impl EngineTracks {
    pub(crate) fn new(schema: Option<&SampleSchema>) -> Self {
        let tracks = schema.map_or(0, |schema| schema.tracks.len());
        let precision = schema.map_or(Precision::default(), |schema| schema.precision);
        let track = EngineTrack {
            latest: None,
            quaternion: [0.0, 0.0, 0.0, 1.0],
            quantiser: Quantiser::new(precision),
        };
        Self {
            tracks: vec![track; tracks],
            score: 0,
            progress: None,
        }
    }

    /// The host says where a track is. A teleport stays one until it is recorded.
    pub(crate) fn set(&mut self, track: usize, mut sample: Sample, turn: Turn) {
        if let Some(track) = self.tracks.get_mut(track) {
            sample.teleport |= track.latest.as_ref().is_some_and(|before| before.teleport);
            track.latest = Some(sample);
            track.quaternion = quaternion(turn);
        }
    }

    /// Progress never falls: a lap line or a respawn does not set a player back.
    pub(crate) fn set_progress(&mut self, value: i64) {
        self.progress = Some(self.progress.map_or(value, |before| before.max(value)));
    }

    pub(crate) fn record(&mut self, frame: u32, writer: &mut Writer) -> Result<(), Error> {
        for (index, track) in self.tracks.iter_mut().enumerate() {
            let Some(latest) = &mut track.latest else {
                continue;
            };
            latest.frame = frame;
            if let Rotation::Quaternion(steps) = &mut latest.rotation {
                if latest.teleport {
                    track.quantiser.restart();
                }
                *steps = track.quantiser.rotation(track.quaternion)?;
            }
            writer.sample(index, latest)?;
            latest.teleport = false;
        }
        Ok(())
    }
}

/// The tracks of a configuration as a run declares them.
pub(crate) fn track_schemas(engine: &EngineSettings) -> Vec<TrackSchema> {
    let schema = |track: &TrackConfig| {
        let plain = match track.dimensions {
            TrackDimensions::Two => TrackSchema::flat(&track.name),
            TrackDimensions::Three => TrackSchema::solid(&track.name),
        };
        TrackSchema {
            channels: track.channels.clone(),
            ..plain
        }
    };
    engine.tracks.iter().map(schema).collect()
}

/// What the host says about a track, on the grid of a run.
pub(crate) fn on_grid(
    schema: &TrackSchema,
    precision: Precision,
    given: &EngineSample,
) -> Result<Sample, Error> {
    let mut position = [0; 3];
    for (steps, metres) in position.iter_mut().zip(given.position) {
        *steps = precision.position_from_metres(metres)?;
    }
    if schema.dimensions == Dimensions::Two {
        position[2] = 0;
    }
    let sample = Sample {
        frame: 0,
        position,
        rotation: turned(schema.rotation, precision, given.turn)?,
        channels: given.channels,
        teleport: given.teleport,
    };
    sample.check(schema, precision)?;
    Ok(sample)
}

fn turned(kind: RotationKind, precision: Precision, turn: Turn) -> Result<Rotation, Error> {
    match (kind, turn) {
        (RotationKind::Yaw, Turn::Yaw(radians)) => {
            Ok(Rotation::Yaw(precision.yaw_from_radians(radians)?))
        }
        (RotationKind::Quaternion, turn) => Ok(Rotation::Quaternion(
            precision.quaternion_from(quaternion(turn))?,
        )),
        (RotationKind::Yaw, Turn::Quaternion(_)) => Err(bad(
            "`rot` of a two-dimensional track is an angle in radians",
        )),
    }
}

fn quaternion(turn: Turn) -> [f32; 4] {
    match turn {
        Turn::Quaternion(xyzw) => xyzw,
        Turn::Yaw(radians) => {
            let (sin, cos) = (radians / 2.0).sin_cos();
            [0.0, 0.0, sin, cos]
        }
    }
}

/// The kind of a mark by its name: split, lap, respawn, or one of the configured events.
pub(crate) fn mark_kind(engine: &EngineSettings, name: &str) -> Result<MarkKind, Error> {
    let own = || engine.events.iter().position(|event| event == name);
    match name {
        "split" => Ok(MarkKind::Split),
        "lap" => Ok(MarkKind::Lap),
        "respawn" => Ok(MarkKind::Respawn),
        _ => own()
            .and_then(|index| u8::try_from(index).ok())
            .map(MarkKind::Custom)
            .ok_or_else(|| bad("`name` is split, lap, respawn or one of game.engine's `events`")),
    }
}

//! Samples: transforms on an integer grid, so that they hash and compare the same everywhere.

use crate::{CHANNELS_MAX, Error, TRACKS_MAX};

/// What the tracks of a run hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SampleSchema {
    /// Samples per second, 1 to 60.
    pub rate_hz: u8,
    /// The tracks, at most [`TRACKS_MAX`].
    pub tracks: Vec<TrackSchema>,
    /// The grid that positions and rotations lie on.
    pub precision: Precision,
}

/// One sampled thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackSchema {
    /// Its name, 1 to 32 bytes, unique among the tracks.
    pub name: String,
    /// Whether positions have two or three coordinates.
    pub dimensions: Dimensions,
    /// How it is turned.
    pub rotation: RotationKind,
    /// The names of its extra integer channels, at most [`CHANNELS_MAX`], 1 to 32 bytes, unique.
    pub channels: Vec<String>,
}

impl TrackSchema {
    /// A track in the plane, turned by a yaw, without extra channels.
    pub fn flat(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            dimensions: Dimensions::Two,
            rotation: RotationKind::Yaw,
            channels: Vec::new(),
        }
    }

    /// A track in space, turned by a quaternion, without extra channels.
    pub fn solid(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            dimensions: Dimensions::Three,
            rotation: RotationKind::Quaternion,
            channels: Vec::new(),
        }
    }
}

/// How many coordinates a position has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dimensions {
    /// x and y; the third coordinate is 0.
    Two,
    /// x, y and z.
    Three,
}

impl Dimensions {
    /// The number of coordinates.
    pub fn count(self) -> usize {
        match self {
            Self::Two => 2,
            Self::Three => 3,
        }
    }
}

/// How a track is turned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RotationKind {
    /// An angle about the up axis.
    Yaw,
    /// A unit quaternion.
    Quaternion,
}

/// The size of the grid. Positions lie on multiples of twice the tolerance, so that the error is
/// at most the tolerance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Precision {
    /// Within 1 mm and 0.1°.
    Fine,
    /// Within 10 mm and 0.5°.
    #[default]
    Default,
    /// Within 25 mm and 1°.
    Tiny,
}

/// Where a track was at a frame, on the grid of its run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    /// Taken after this many frames: 0 is the start, the run's frame count is its last state.
    pub frame: u32,
    /// In grid steps; the third is 0 in a track of two dimensions.
    pub position: [i32; 3],
    /// In grid steps.
    pub rotation: Rotation,
    /// The extra channels, those past the track's own are 0.
    pub channels: [i32; CHANNELS_MAX],
    /// Whether the track jumped here, so that nothing is shown between this and the one before.
    pub teleport: bool,
}

/// A rotation on the grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rotation {
    /// 0 up to, not including, [`Precision::yaw_steps`].
    Yaw(i32),
    /// x, y, z, w, each within ±[`QUATERNION_MAX`].
    Quaternion([i32; 4]),
}

/// A part of a grid quaternion is at most this; [`QUATERNION_UNIT`] but for the last bit.
pub const QUATERNION_MAX: i32 = QUATERNION_UNIT - 1;
/// The length of a grid quaternion, about: far finer than any tolerance, so that a lattice of
/// turns can lie on it.
pub const QUATERNION_UNIT: i32 = 1 << 17;

impl Precision {
    /// The position grid, in millimetres.
    pub fn step_mm(self) -> i32 {
        match self {
            Self::Fine => 2,
            Self::Default => 20,
            Self::Tiny => 50,
        }
    }

    /// Yaw steps in a whole turn.
    pub fn yaw_steps(self) -> i32 {
        match self {
            Self::Fine => 1_800,
            Self::Default => 360,
            Self::Tiny => 180,
        }
    }

    /// How far a rotation may be off, in degrees.
    pub fn rotation_tolerance_degrees(self) -> f64 {
        match self {
            Self::Fine => 0.1,
            Self::Default => 0.5,
            Self::Tiny => 1.0,
        }
    }

    /// The nearest grid step of a coordinate. `bad_sample` if it is not a number or beyond the
    /// grid (4,295 km at `Fine`).
    pub fn position_from_metres(self, metres: f32) -> Result<i32, Error> {
        let steps = (f64::from(metres) * 1000.0 / f64::from(self.step_mm())).round();
        if steps.abs() <= f64::from(i32::MAX) {
            Ok(steps as i32)
        } else {
            Err(Error::BadSample(
                "a position that is not a number on the grid",
            ))
        }
    }

    /// A coordinate in metres.
    pub fn position_to_metres(self, steps: i32) -> f32 {
        (f64::from(steps) * f64::from(self.step_mm()) / 1000.0) as f32
    }

    /// The nearest yaw step of an angle in radians, any number of turns. `bad_sample` if it is not
    /// finite.
    pub fn yaw_from_radians(self, radians: f32) -> Result<i32, Error> {
        if !radians.is_finite() {
            return Err(Error::BadSample("a yaw that is not a number"));
        }
        let turns = f64::from(radians) / core::f64::consts::TAU;
        let steps = f64::from(self.yaw_steps());
        // `turns - floor` can round up to exactly 1: the last remainder brings that back to 0.
        Ok(((turns - turns.floor()) * steps).round() as i32 % self.yaw_steps())
    }

    /// A yaw in radians, from 0 up to a whole turn.
    pub fn yaw_to_radians(self, steps: i32) -> f32 {
        (f64::from(steps) * core::f64::consts::TAU / f64::from(self.yaw_steps())) as f32
    }

    /// The nearest grid quaternion (x, y, z, w) of any non-zero one, which is the same in every
    /// precision. Records of a moving track take far fewer bytes by a [`crate::Quantiser`].
    /// `bad_sample` if its length is zero or not a number.
    pub fn quaternion_from(self, xyzw: [f32; 4]) -> Result<[i32; 4], Error> {
        Ok(nearest_quaternion(unit_quaternion(xyzw)?))
    }

    /// A unit quaternion (x, y, z, w); the identity for one that is all zero.
    pub fn quaternion_to(self, steps: [i32; 4]) -> [f32; 4] {
        let wide = steps.map(f64::from);
        let length = wide.iter().map(|part| part * part).sum::<f64>().sqrt();
        if length == 0.0 {
            return [0.0, 0.0, 0.0, 1.0];
        }
        wide.map(|part| (part / length) as f32)
    }
}

/// A quaternion of length 1.
pub(crate) fn unit_quaternion(xyzw: [f32; 4]) -> Result<[f64; 4], Error> {
    let wide = xyzw.map(f64::from);
    let length = wide.iter().map(|part| part * part).sum::<f64>().sqrt();
    if !length.is_finite() || length < 1e-6 {
        return Err(Error::BadSample("a quaternion that is no rotation"));
    }
    Ok(wide.map(|part| part / length))
}

/// The grid quaternion nearest to one of length 1.
pub(crate) fn nearest_quaternion(unit: [f64; 4]) -> [i32; 4] {
    let max = QUATERNION_MAX;
    unit.map(|part| ((part * f64::from(QUATERNION_UNIT)).round() as i32).clamp(-max, max))
}

impl SampleSchema {
    /// Checks counts and names. `bad_header` says what is wrong.
    pub fn check(&self) -> Result<(), Error> {
        if !(1..=60).contains(&self.rate_hz) {
            return Err(Error::BadHeader("samples per second are 1 to 60"));
        }
        if self.tracks.is_empty() || self.tracks.len() > TRACKS_MAX {
            return Err(Error::BadHeader("1 to 64 tracks"));
        }
        check_names(self.tracks.iter().map(|track| track.name.as_str()))?;
        for track in &self.tracks {
            if track.channels.len() > CHANNELS_MAX {
                return Err(Error::BadHeader("at most 8 channels in a track"));
            }
            check_names(track.channels.iter().map(String::as_str))?;
        }
        Ok(())
    }
}

fn check_names<'a>(names: impl Iterator<Item = &'a str>) -> Result<(), Error> {
    let mut seen = Vec::new();
    for name in names {
        if name.is_empty() || name.len() > 32 || seen.contains(&name) {
            return Err(Error::BadHeader("names of 1 to 32 bytes, each once"));
        }
        seen.push(name);
    }
    Ok(())
}

impl Sample {
    /// Checks that the sample fits its track: what the schema does not declare must be zero, and
    /// rotations must lie on the grid. `bad_sample` otherwise.
    pub fn check(&self, track: &TrackSchema, precision: Precision) -> Result<(), Error> {
        let turned = match (self.rotation, track.rotation) {
            (Rotation::Yaw(yaw), RotationKind::Yaw) => (0..precision.yaw_steps()).contains(&yaw),
            (Rotation::Quaternion(parts), RotationKind::Quaternion) => parts
                .iter()
                .all(|part| (-QUATERNION_MAX..=QUATERNION_MAX).contains(part)),
            _ => false,
        };
        if !turned {
            return Err(Error::BadSample(
                "a rotation that its track does not declare",
            ));
        }
        let undeclared = self.channels[track.channels.len().min(CHANNELS_MAX)..].iter();
        if track.dimensions == Dimensions::Two && self.position[2] != 0
            || undeclared.copied().any(|value| value != 0)
        {
            return Err(Error::BadSample(
                "a coordinate or channel its track does not declare",
            ));
        }
        Ok(())
    }
}

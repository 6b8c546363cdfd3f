//! Recordings of human play (`INP1`, `SMP1`), to test and to demonstrate with.
//!
//! They are plain arrays taken from recordings of other games: what people do with a pad, which no
//! generator imitates. `FORMAT.md` holds their layout and how they drive the arena.

use async_core::{AXES_MAX, FRAMES_MAX, FrameRate, Input, PLAYERS_MAX};

use crate::{
    CHANNELS_MAX, Dimensions, Error, Precision, Quantiser, Rotation, RotationKind, Sample,
    TRACKS_MAX, TrackSchema, wire::Cursor,
};

/// An `INP1` recording: buttons and axes of each player in each frame, as its device gave them.
#[derive(Debug, Clone, PartialEq)]
pub struct InputRecording {
    /// Frames per second.
    pub rate: FrameRate,
    /// How many players.
    pub players: u8,
    /// How many axes each player has.
    pub axes: u8,
    /// Frame-major: all players of frame 0, then of frame 1.
    pub inputs: Vec<Input>,
}

/// An `SMP1` recording: where each track was at each tick.
#[derive(Debug, Clone, PartialEq)]
pub struct SampleRecording {
    /// Ticks per second.
    pub hz: f32,
    /// The poses of each track, one per tick.
    pub tracks: Vec<Vec<Pose>>,
}

/// Where something was, and how it was turned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// x, y, z in metres.
    pub position: [f32; 3],
    /// x, y, z, w; `None` where rotations were not recorded.
    pub rotation: Option<[f32; 4]>,
}

const SHORT: Error = Error::BadCorpus("another size than it says");

impl InputRecording {
    /// Reads `INP1`. `bad_corpus` if the bytes do not hold exactly what they say, or more than a
    /// run may.
    pub fn parse(bytes: &[u8]) -> Result<Self, Error> {
        let mut cursor = Cursor::new(bytes);
        let (frames, hz) = preamble(&mut cursor, *b"INP1")?;
        let [players, button_bytes, axes, axis_bytes] = cursor.array().map_err(|_| SHORT)?;
        let shape = (1..=PLAYERS_MAX).contains(&usize::from(players))
            && (1..=4).contains(&button_bytes)
            && usize::from(axes) <= AXES_MAX
            && (1..=2).contains(&axis_bytes);
        if !shape || frames > FRAMES_MAX {
            return Err(Error::BadCorpus(
                "more players, buttons, axes or frames than a run",
            ));
        }
        let width = usize::from(button_bytes) + usize::from(axes) * usize::from(axis_bytes);
        let count = frames as usize * usize::from(players);
        if cursor.left() != count * width {
            return Err(SHORT);
        }
        let rate = FrameRate::new((f64::from(hz) * 10_000.0).round() as u32, 10_000)
            .map_err(|_| Error::BadCorpus("a frame rate outside 10 to 120 Hz"))?;
        let mut inputs = Vec::with_capacity(count);
        for record in cursor.take(count * width)?.chunks_exact(width) {
            let (buttons, sticks) = record.split_at(usize::from(button_bytes));
            let mut input = Input {
                buttons: little(buttons),
                ..Input::default()
            };
            for (axis, raw) in sticks.chunks_exact(usize::from(axis_bytes)).enumerate() {
                let value = little(raw);
                input.axes[axis] = if axis_bytes == 1 {
                    i16::from(value as u8 as i8)
                } else {
                    value as u16 as i16
                };
            }
            inputs.push(input);
        }
        Ok(Self {
            rate,
            players,
            axes,
            inputs,
        })
    }
}

impl SampleRecording {
    /// Reads `SMP1`. `bad_corpus` if the bytes do not hold exactly what they say, or more than a
    /// run may.
    pub fn parse(bytes: &[u8]) -> Result<Self, Error> {
        let mut cursor = Cursor::new(bytes);
        let (ticks, hz) = preamble(&mut cursor, *b"SMP1")?;
        let [tracks, turned, zero_0, zero_1] = cursor.array().map_err(|_| SHORT)?;
        if usize::from(tracks) > TRACKS_MAX || turned > 1 || zero_0 | zero_1 != 0 {
            return Err(Error::BadCorpus(
                "more tracks than a run, or reserved bytes",
            ));
        }
        let numbers = 3 + 4 * usize::from(turned);
        let count = ticks as usize * usize::from(tracks);
        if ticks == 0 || count.checked_mul(numbers * 4) != Some(cursor.left()) {
            return Err(SHORT);
        }
        let mut next = || cursor.array().map(f32::from_le_bytes).map_err(|_| SHORT);
        let mut poses = Vec::with_capacity(count);
        for _ in 0..count {
            let position = [next()?, next()?, next()?];
            let rotation = if turned == 1 {
                Some([next()?, next()?, next()?, next()?])
            } else {
                None
            };
            poses.push(Pose { position, rotation });
        }
        let tracks = poses
            .chunks_exact(ticks as usize)
            .map(<[Pose]>::to_vec)
            .collect();
        Ok(Self { hz, tracks })
    }

    /// The same schema for each track: in space, turned by a quaternion, or not turned at all.
    pub fn schema(&self) -> Vec<TrackSchema> {
        let turned = self
            .tracks
            .iter()
            .flatten()
            .any(|pose| pose.rotation.is_some());
        let rotation = if turned {
            RotationKind::Quaternion
        } else {
            RotationKind::Yaw
        };
        let track = |index| TrackSchema {
            name: format!("track-{index}"),
            dimensions: Dimensions::Three,
            rotation,
            channels: Vec::new(),
        };
        (0..self.tracks.len()).map(track).collect()
    }

    /// The tracks on a grid, every `every`th tick and the last one; a tick counts as a frame.
    /// `bad_sample` for a pose that is not a number.
    pub fn samples(&self, precision: Precision, every: usize) -> Result<Vec<Vec<Sample>>, Error> {
        let track = |poses: &Vec<Pose>| {
            let last = poses.len().saturating_sub(1);
            let ticks = (0..last).step_by(every.max(1)).chain([last]);
            let mut rotations = Quantiser::new(precision);
            ticks
                .map(|tick| on_grid(&poses[tick], tick as u32, precision, &mut rotations))
                .collect()
        };
        self.tracks.iter().map(track).collect()
    }
}

fn on_grid(
    pose: &Pose,
    frame: u32,
    precision: Precision,
    rotations: &mut Quantiser,
) -> Result<Sample, Error> {
    let [x, y, z] = pose
        .position
        .map(|metres| precision.position_from_metres(metres));
    let rotation = match pose.rotation {
        Some(xyzw) => Rotation::Quaternion(rotations.rotation(xyzw)?),
        None => Rotation::Yaw(0),
    };
    let position = [x?, y?, z?];
    Ok(Sample {
        frame,
        position,
        rotation,
        channels: [0; CHANNELS_MAX],
        teleport: false,
    })
}

fn preamble(cursor: &mut Cursor<'_>, magic: [u8; 4]) -> Result<(u32, f32), Error> {
    if cursor.array() != Ok(magic) {
        return Err(Error::BadCorpus("another magic"));
    }
    let count = cursor.array().map(u32::from_le_bytes).map_err(|_| SHORT)?;
    let hz = cursor.array().map(f32::from_le_bytes).map_err(|_| SHORT)?;
    Ok((count, hz))
}

fn little(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .rev()
        .fold(0, |value, byte| value << 8 | u32::from(*byte))
}

/// The arena's button `fire`.
const FIRE: u32 = 1;
/// The arena's button `dash`.
const DASH: u32 = 2;

/// A recording's inputs as inputs of the arena (frames × players), by the mapping of `FORMAT.md`.
/// `bad_corpus` for a pad that has no mapping: the number of axes tells which pad it was.
pub fn to_arena(recording: &InputRecording) -> Result<Vec<Input>, Error> {
    let map: fn(&Input) -> Input = match recording.axes {
        0 => from_pad,
        2 => from_kart,
        6 => from_sticks,
        _ => return Err(Error::BadCorpus("no mapping for this number of axes")),
    };
    Ok(recording.inputs.iter().map(map).collect())
}

/// Eight buttons: right, left, down, up, start, select, B, A. A fires, B dashes.
fn from_pad(raw: &Input) -> Input {
    let across = cross(raw.buttons, 0, 1);
    let down = cross(raw.buttons, 2, 3);
    arena(raw.buttons, 1 << 7, 1 << 6, [across, down, 0, 0])
}

/// A stick of ±7 that steers, y up; accelerator (bit 0) fires, brake (bit 1) dashes, the cross of
/// bits 8 to 11 (up, down, left, right) aims.
fn from_kart(raw: &Input) -> Input {
    let aim_x = cross(raw.buttons, 11, 10);
    let aim_y = cross(raw.buttons, 9, 8);
    let [x, y] = [full(raw.axes[0], 7), full(raw.axes[1], -7)];
    arena(raw.buttons, 1 << 0, 1 << 1, [x, y, aim_x, aim_y])
}

/// Two sticks of ±80, y up: the first moves, the second aims; Z, A and B (bits 4, 8, 9) fire, R,
/// L, X and Y (bits 5, 6, 10, 11) dash. The analogue triggers rest anywhere and are left out.
fn from_sticks(raw: &Input) -> Input {
    let [x, y, aim_x, aim_y, ..] = raw.axes;
    let axes = [full(x, 80), full(y, -80), full(aim_x, 80), full(aim_y, -80)];
    arena(raw.buttons, 0x310, 0xC60, axes)
}

fn arena(raw: u32, fire: u32, dash: u32, axes: [i16; 4]) -> Input {
    let held = |mask: u32, button: u32| if raw & mask != 0 { button } else { 0 };
    let mut input = Input {
        buttons: held(fire, FIRE) | held(dash, DASH),
        ..Input::default()
    };
    input.axes[..4].copy_from_slice(&axes);
    input
}

/// Two opposite buttons as an axis.
fn cross(buttons: u32, plus: u32, minus: u32) -> i16 {
    127 * ((buttons >> plus & 1) as i16 - (buttons >> minus & 1) as i16)
}

/// An axis of ±`range` as one of ±127, rounded toward 0; a negative range turns it around.
fn full(axis: i16, range: i32) -> i16 {
    (i32::from(axis) * 127 / range).clamp(-127, 127) as i16
}

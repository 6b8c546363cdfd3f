//! A run made of the fuzzer's bytes: nearly every input is a valid run, and a small change of the
//! bytes is a small change of the run.

use arbitrary::{Result, Unstructured};
use async_core::{AxisBits, Input};
use async_replay::{
    CHECKPOINT_FRAMES, Checkpoint, End, EndReason, Header, Inputs, Mark, MarkKind, Opponent, Pause,
    PlayerId, Precision, QUATERNION_MAX, Quantiser, Rotation, RotationKind, Run, RunId, Sample,
    TrackSchema,
};

use crate::schemas;

/// The longest run that is made, in frames: two checkpoints and, at ten frames a second, three
/// groups.
const FRAMES_MAX: u32 = 1_300;
/// The most inputs (frames times players) that are made.
const INPUTS_MAX: u32 = 1_300;

/// A run that can be encoded.
pub fn run(u: &mut Unstructured<'_>) -> Result<Run> {
    let mut header = header(u)?;
    let frames = frames(u, u32::from(header.players))?;
    header.frames_max = header.frames_max.max(frames);
    let checkpoints = if u.arbitrary()? {
        frames / CHECKPOINT_FRAMES
    } else {
        0
    };
    let end = End {
        frames,
        score: u.arbitrary()?,
        reason: *u.choose(&[
            EndReason::Finished,
            EndReason::Stopped,
            EndReason::Truncated,
        ])?,
        digest: u.arbitrary()?,
    };
    let signature = if u.arbitrary()? {
        Some([u.arbitrary()?; 64])
    } else {
        None
    };
    let marks = marks(u, frames)?;
    let pauses = pauses(u, frames)?;
    let tracks = tracks(u, &header, frames)?;
    let inputs = inputs(u, &header, frames)?;
    let digest = u64::from(frames) * 0x9E37_79B9;
    Ok(Run {
        header,
        inputs,
        tracks,
        marks,
        pauses,
        checkpoints: (1..=checkpoints)
            .map(|place| Checkpoint::of(place * CHECKPOINT_FRAMES, digest * u64::from(place)))
            .collect(),
        end,
        signature,
        unknown_chunks: 0,
    })
}

fn header(u: &mut Unstructured<'_>) -> Result<Header> {
    let mut header = schemas::header(u.int_in_range(0..=schemas::HEADERS - 1)?);
    let extras: u8 = u.arbitrary()?;
    if extras & 1 != 0 {
        header.slot = header.players - 1;
        header.seed = u64::from(u.arbitrary::<u32>()?);
        header.player = Some(PlayerId([u.arbitrary()?; 32]));
    }
    if extras & 2 != 0 {
        header.player_name = text(u)?;
        header.board = text(u)?;
        header.meta.insert("note".into(), text(u)?);
    }
    if extras & 4 != 0 && header.players > 1 {
        let slot = (header.slot + 1) % header.players;
        header.opponent = Some(Opponent {
            run: RunId([u.arbitrary()?; 16]),
            slot,
        });
    }
    header.practice = extras & 8 != 0;
    Ok(header)
}

fn text(u: &mut Unstructured<'_>) -> Result<String> {
    let letters = u.int_in_range(0..=8)?;
    (0..letters)
        .map(|_| Ok(char::from(u.int_in_range(b'a'..=b'z')?)))
        .collect()
}

/// Short runs mostly, a few that take more than one chunk.
fn frames(u: &mut Unstructured<'_>, players: u32) -> Result<u32> {
    let frames: u16 = u.arbitrary()?;
    let most = match frames >> 12 {
        0..=13 => 64,
        14 => 300,
        _ => FRAMES_MAX,
    };
    Ok(1 + u32::from(frames & 0xFFF) % most.min(INPUTS_MAX / players))
}

/// Frames up to `last`, not descending, as many as the bytes say.
fn ascending(u: &mut Unstructured<'_>, last: u32, strictly: bool) -> Result<Vec<u32>> {
    let count = u.int_in_range(0..=7)?;
    let mut list: Vec<u32> = Vec::new();
    let mut frame = 0_u32;
    for place in 0..count {
        let step = u32::from(u.arbitrary::<u8>()?);
        frame += step * (step & 7) + u32::from(strictly && place > 0);
        if frame > last {
            break;
        }
        list.push(frame);
    }
    Ok(list)
}

fn marks(u: &mut Unstructured<'_>, frames: u32) -> Result<Vec<Mark>> {
    let places = ascending(u, frames, false)?;
    let mark = |frame| {
        let kind = match u.arbitrary::<u8>()? {
            0 => MarkKind::Split,
            1 => MarkKind::Lap,
            2 => MarkKind::Respawn,
            other => MarkKind::Custom(other),
        };
        let value = u.arbitrary()?;
        Ok(Mark { frame, kind, value })
    };
    places.into_iter().map(mark).collect()
}

fn pauses(u: &mut Unstructured<'_>, frames: u32) -> Result<Vec<Pause>> {
    let places = ascending(u, frames, false)?;
    places
        .into_iter()
        .map(|frame| {
            Ok(Pause {
                frame,
                wall_ms: u.arbitrary()?,
            })
        })
        .collect()
}

fn tracks(u: &mut Unstructured<'_>, header: &Header, frames: u32) -> Result<Vec<Vec<Sample>>> {
    let Some(schema) = &header.samples else {
        return Ok(Vec::new());
    };
    let mut tracks = Vec::new();
    for track in &schema.tracks {
        let steady: bool = u.arbitrary()?;
        let places = if steady {
            (0..=frames)
                .step_by(u.int_in_range(1..=16)?)
                .take(300)
                .collect()
        } else {
            ascending(u, frames, true)?
        };
        tracks.push(samples(u, track, schema.precision, &places)?);
    }
    Ok(tracks)
}

/// Samples that move on by a speed, which the bytes change now and then.
fn samples(
    u: &mut Unstructured<'_>,
    track: &TrackSchema,
    grid: Precision,
    places: &[u32],
) -> Result<Vec<Sample>> {
    let mut speed = [0_i32; 3];
    let mut turns = Quantiser::new(grid);
    let mut now = Sample {
        frame: 0,
        position: [0; 3],
        rotation: rotation(track, grid, &mut turns, 0),
        channels: [0; 8],
        teleport: false,
    };
    let mut list = Vec::with_capacity(places.len());
    for &frame in places {
        let change: u8 = u.arbitrary().unwrap_or(0);
        now.teleport = change & 0x40 != 0;
        if change & 1 != 0 {
            speed[usize::from(change >> 1 & 1)] = i32::from(u.arbitrary::<i16>()?);
        }
        if change & 4 != 0 {
            now.rotation = rotation(track, grid, &mut turns, u.arbitrary()?);
        }
        if change & 8 != 0 {
            now.position[0] = u.arbitrary()?;
        }
        if change & 16 != 0 {
            now.channels[..track.channels.len()].fill(u.arbitrary()?);
        }
        for (axis, position) in now.position[..track.dimensions.count()]
            .iter_mut()
            .enumerate()
        {
            *position = position.wrapping_add(speed[axis]);
        }
        list.push(Sample { frame, ..now });
    }
    Ok(list)
}

/// A yaw, a turn from the rotation before, or any numbers that the grid allows.
fn rotation(track: &TrackSchema, grid: Precision, turns: &mut Quantiser, seed: u16) -> Rotation {
    if track.rotation == RotationKind::Yaw {
        return Rotation::Yaw(i32::from(seed) % grid.yaw_steps());
    }
    let parts = [0, 3, 6, 9].map(|shift| i32::from((seed.rotate_left(shift) | 1) as i16));
    let unit = turns.rotation(parts.map(|part| part as f32));
    Rotation::Quaternion(match unit {
        Ok(unit) if seed & 1 == 0 => unit,
        _ => parts.map(|part| (part * 5).clamp(-QUATERNION_MAX, QUATERNION_MAX)),
    })
}

/// Inputs that are held until the bytes change one column; at the end of the bytes they stay, or
/// the changes so far come again.
fn inputs(u: &mut Unstructured<'_>, header: &Header, frames: u32) -> Result<Inputs> {
    let Some(schema) = &header.inputs else {
        return Ok(Inputs::none(header.players));
    };
    let players = usize::from(header.players);
    let period: u8 = u.arbitrary()?;
    let mut now = vec![Input::default(); players];
    let mut flat = Vec::with_capacity(frames as usize * players);
    let mut hold = 0_u8;
    for frame in 0..frames as usize {
        let repeated = (usize::from(period & 0x7F) + 1) * players;
        if u.is_empty() && period & 0x80 != 0 && flat.len() >= repeated {
            let from = frame * players - repeated;
            flat.extend_from_within(from..from + players);
            continue;
        }
        if hold == 0 && !u.is_empty() {
            let [what, value, wide]: [u8; 3] = u.arbitrary()?;
            let input = &mut now[usize::from(what) % players];
            let column = usize::from(what >> 3 & 15) % (1 + schema.axes.len());
            let value = u16::from_le_bytes([value, wide]);
            match column
                .checked_sub(1)
                .map(|axis| (axis, schema.axes[axis].bits))
            {
                None => input.buttons = buttons(value, schema.buttons.len()),
                Some((axis, AxisBits::Eight)) => input.axes[axis] = i16::from(value as u8 as i8),
                Some((axis, AxisBits::Sixteen)) => input.axes[axis] = value as i16,
            }
            hold = u.arbitrary::<u8>()? >> 2;
        }
        hold = hold.saturating_sub(1);
        flat.extend_from_slice(&now);
    }
    Inputs::new(header.players, flat).map_err(|_| arbitrary::Error::IncorrectFormat)
}

/// The low buttons as they are; bits of the value come again in the high ones.
fn buttons(value: u16, count: usize) -> u32 {
    let declared = (1_u64 << count) - 1;
    (u32::from(value) | u32::from(value) << 16) & declared as u32
}

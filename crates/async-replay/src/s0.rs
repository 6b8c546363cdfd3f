//! Sample model S0: each track as differences on the grid, in varints.

use crate::{
    Error, Precision, Rotation, RotationKind, Sample, SampleSchema, TrackSchema,
    wire::{Cursor, put_signed, put_varint},
};

/// The model id of S0.
pub(crate) const MODEL: u8 = 0;

/// Codes the samples of one chunk, track by track, as they come.
#[derive(Debug)]
pub(crate) struct Encoder {
    tracks: Vec<Track>,
    bytes: usize,
}

#[derive(Debug)]
struct Track {
    dimensions: usize,
    channels: usize,
    last: Option<Sample>,
    count: Vec<u8>,
    samples: u32,
    bytes: Vec<u8>,
}

impl Encoder {
    /// For chunks of `seconds`, set aside now so that recording does not allocate.
    pub(crate) fn new(schema: &SampleSchema, seconds: u32) -> Self {
        let samples = usize::from(schema.rate_hz) * seconds as usize + 2;
        let track = |track: &TrackSchema| Track {
            dimensions: track.dimensions.count(),
            channels: track.channels.len(),
            last: None,
            count: Vec::with_capacity(5),
            samples: 0,
            // Differences of up to 20 km, a full turn, and any channel: 3, 2 and 5 bytes.
            bytes: Vec::with_capacity(samples * (19 + 5 * track.channels.len())),
        };
        Self {
            tracks: schema.tracks.iter().map(track).collect(),
            bytes: 0,
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Adds a sample that fits its track and follows its last. `start` is the chunk's first frame.
    pub(crate) fn push(&mut self, index: usize, sample: &Sample, start: u32) {
        let track = &mut self.tracks[index];
        let before = track.bytes.len();
        let gap = match &track.last {
            Some(last) => sample.frame - last.frame - 1,
            None => sample.frame - start,
        };
        put_varint(
            &mut track.bytes,
            u64::from(gap) << 1 | u64::from(sample.teleport),
        );
        let last = track.last.unwrap_or(zero(sample.rotation));
        let mut put = |new: i32, old: i32| {
            put_signed(&mut track.bytes, i64::from(new) - i64::from(old));
        };
        for place in 0..track.dimensions {
            put(sample.position[place], last.position[place]);
        }
        match (sample.rotation, last.rotation) {
            (Rotation::Quaternion(new), Rotation::Quaternion(old)) => {
                new.iter().zip(&old).for_each(|(new, old)| put(*new, *old));
            }
            (Rotation::Yaw(new), Rotation::Yaw(old)) => put(new, old),
            _ => {}
        }
        for place in 0..track.channels {
            put(sample.channels[place], last.channels[place]);
        }
        track.last = Some(*sample);
        track.samples += 1;
        self.bytes += track.bytes.len() - before;
    }

    /// Ends the chunk; [`Encoder::parts`] is then its content.
    pub(crate) fn close(&mut self) {
        for track in &mut self.tracks {
            put_varint(&mut track.count, u64::from(track.samples));
        }
    }

    pub(crate) fn parts(&self) -> impl Iterator<Item = &[u8]> + Clone {
        self.tracks
            .iter()
            .flat_map(|track| [track.count.as_slice(), track.bytes.as_slice()])
    }

    /// Starts the next chunk, which knows nothing of this one.
    pub(crate) fn reset(&mut self) {
        for track in &mut self.tracks {
            track.last = None;
            track.samples = 0;
            track.count.clear();
            track.bytes.clear();
        }
        self.bytes = 0;
    }
}

/// What the first sample of a chunk is coded against.
fn zero(like: Rotation) -> Sample {
    let rotation = match like {
        Rotation::Yaw(_) => Rotation::Yaw(0),
        Rotation::Quaternion(_) => Rotation::Quaternion([0; 4]),
    };
    Sample {
        frame: 0,
        position: [0; 3],
        rotation,
        channels: [0; 8],
        teleport: false,
    }
}

/// Decodes one chunk onto the tracks. It covers the frames from `start` to `end`, both included,
/// since a sample at the seam may stand on either side. `samples_left` is what the limits allow.
pub(crate) fn decode(
    mut cursor: Cursor<'_>,
    schema: &SampleSchema,
    (start, end): (u32, u32),
    samples_left: &mut usize,
    tracks: &mut [Vec<Sample>],
) -> Result<(), Error> {
    for (declared, out) in schema.tracks.iter().zip(tracks) {
        let count = cursor.varint()?;
        if count > *samples_left as u64 {
            return Err(Error::Limit {
                what: "samples",
                max: *samples_left,
            });
        }
        // Head, two coordinates and a rotation take a byte each at least.
        if count > cursor.left() as u64 / 4 {
            return Err(Error::Malformed("more samples than bytes for them"));
        }
        *samples_left -= count as usize;
        out.reserve(count as usize);
        let mut last = None;
        for _ in 0..count {
            let sample = decode_sample(&mut cursor, declared, schema.precision, start, last)?;
            let follows = out.last().is_none_or(|before| before.frame < sample.frame);
            if !follows || sample.frame > end {
                return Err(Error::Malformed("a sample out of its chunk or its order"));
            }
            out.push(sample);
            last = Some(sample);
        }
    }
    cursor.finish()
}

fn decode_sample(
    cursor: &mut Cursor<'_>,
    track: &TrackSchema,
    precision: Precision,
    start: u32,
    last: Option<Sample>,
) -> Result<Sample, Error> {
    let head = cursor.varint()?;
    let base = last.map_or(u64::from(start), |last| u64::from(last.frame) + 1);
    let frame = u32::try_from(base.saturating_add(head >> 1))
        .map_err(|_| Error::Malformed("a number over 32 bits"))?;
    let kind = match track.rotation {
        RotationKind::Yaw => Rotation::Yaw(0),
        RotationKind::Quaternion => Rotation::Quaternion([0; 4]),
    };
    let mut sample = last.unwrap_or(zero(kind));
    sample.frame = frame;
    sample.teleport = head & 1 == 1;
    for value in &mut sample.position[..track.dimensions.count()] {
        *value = moved(*value, cursor.signed()?)?;
    }
    match &mut sample.rotation {
        Rotation::Yaw(yaw) => *yaw = moved(*yaw, cursor.signed()?)?,
        Rotation::Quaternion(parts) => {
            for part in parts {
                *part = moved(*part, cursor.signed()?)?;
            }
        }
    }
    for value in &mut sample.channels[..track.channels.len()] {
        *value = moved(*value, cursor.signed()?)?;
    }
    sample.check(track, precision)?;
    Ok(sample)
}

fn moved(value: i32, by: i64) -> Result<i32, Error> {
    i64::from(value)
        .checked_add(by)
        .and_then(|sum| i32::try_from(sum).ok())
        .ok_or(Error::Malformed("a sample's value over 32 bits"))
}

//! What stands at the head of an INPUTS chunk, and how it is cut into segments.

use super::{CODED_FRAMES_MAX, SEGMENT_FRAMES_MIN, l0, least_bytes};
use crate::{
    CHUNK_FRAMES_MAX, ChunkCoding, Error, PriorHash,
    wire::{Cursor, put_varint},
};

/// In a model byte: the model is L1 or L2 and runs on through the whole file.
const RUNS_ON: u8 = 0x80;
/// In a model byte: the model starts from a prior, whose hash follows.
const PRIOR: u8 = 0x40;
/// In a model byte: the chunk is cut into segments, whose lengths follow.
const CUT: u8 = 0x20;
/// The model ids of L1 and L2; L0 is 0.
pub(crate) const L1: u8 = 1;
pub(crate) const L2: u8 = 2;

/// How the inputs of a file are coded: the same in all its chunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Coding {
    /// The model's id.
    pub(crate) model: u8,
    /// Whether the model runs on through the whole file, so that no frame can be sought.
    pub(crate) runs_on: bool,
}

/// The head of a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ChunkHead {
    pub(crate) coding: Coding,
    /// What the model starts from, in a file's first chunk only.
    pub(crate) prior: Option<PriorHash>,
    pub(crate) frames: u32,
    /// Frames of each segment but the last, if there are several.
    pub(crate) span: Option<u32>,
}

/// One segment of a chunk that L1 or L2 codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Segment<'b> {
    pub(crate) frames: u32,
    pub(crate) bytes: &'b [u8],
}

impl<'b> Segment<'b> {
    /// All that is left of a chunk.
    pub(crate) fn whole(frames: u32, mut cursor: Cursor<'b>) -> Self {
        let bytes = cursor.take(cursor.left()).unwrap_or_default();
        Self { frames, bytes }
    }
}

impl ChunkHead {
    /// Reads the head and checks that so few bytes may hold so many frames.
    pub(crate) fn read(cursor: &mut Cursor<'_>, players: usize) -> Result<Self, Error> {
        let bytes = cursor.left();
        let model = cursor.byte()?;
        let coding = Coding {
            model: model & !(RUNS_ON | PRIOR | CUT),
            runs_on: model & RUNS_ON != 0,
        };
        if coding.model > L2 || model != 0 && coding.model == l0::MODEL {
            return Err(Error::UnknownModel {
                stream: "inputs",
                model,
            });
        }
        let prior = match model & PRIOR != 0 {
            true => Some(PriorHash(cursor.array()?)),
            false => None,
        };
        if prior.is_some() && coding.model != L2 {
            return Err(Error::Malformed("a prior for another model than L2"));
        }
        let frames = cursor.varint_u32()?;
        let (most, rule) = match coding.model {
            l0::MODEL => (CHUNK_FRAMES_MAX, "a chunk of 1 to 3,600 frames"),
            _ => (CODED_FRAMES_MAX, "a chunk of 1 to 36,000 frames"),
        };
        if frames == 0 || frames > most {
            return Err(Error::Malformed(rule));
        }
        if coding.model != l0::MODEL && bytes < least_bytes(frames as usize * players) {
            return Err(Error::Malformed("fewer bytes than so many inputs take"));
        }
        let span = match model & CUT != 0 {
            true => Some(cursor.varint_u32()?),
            false => None,
        };
        if span.is_some_and(|span| span >= frames || span < SEGMENT_FRAMES_MIN) {
            return Err(Error::Malformed("segments of too few or too many frames"));
        }
        Ok(Self {
            coding,
            prior,
            frames,
            span,
        })
    }

    /// Writes the head, with the lengths of all segments but the last where there are several.
    pub(crate) fn put(&self, lengths: &[usize], out: &mut Vec<u8>) {
        let runs_on = if self.coding.runs_on { RUNS_ON } else { 0 };
        let prior = if self.prior.is_some() { PRIOR } else { 0 };
        let cut = if self.span.is_some() { CUT } else { 0 };
        out.push(self.coding.model | runs_on | prior | cut);
        if let Some(hash) = self.prior {
            out.extend(hash.0);
        }
        put_varint(out, u64::from(self.frames));
        if let Some(span) = self.span {
            put_varint(out, u64::from(span));
        }
        for length in lengths {
            put_varint(out, *length as u64);
        }
    }

    /// Cuts the rest of a chunk, `cursor`, into its segments, in order.
    pub(crate) fn segments<'b>(&self, mut cursor: Cursor<'b>) -> Result<Vec<Segment<'b>>, Error> {
        let span = self.span.unwrap_or(self.frames);
        let count = self.frames.div_ceil(span) as usize;
        if count - 1 > cursor.left() {
            return Err(Error::Malformed("fewer bytes than segments"));
        }
        let lengths: Vec<u64> = (1..count)
            .map(|_| cursor.varint())
            .collect::<Result<_, _>>()?;
        let mut segments = Vec::with_capacity(count);
        for length in lengths {
            let length = usize::try_from(length).unwrap_or(usize::MAX);
            segments.push(Segment {
                frames: span,
                bytes: cursor.take(length)?,
            });
        }
        let rest = cursor.left();
        segments.push(Segment {
            frames: self.frames - span * (count as u32 - 1),
            bytes: cursor.take(rest)?,
        });
        Ok(segments)
    }
}

/// What the head of a chunk says of its coding; nothing of a model that this version does not have.
pub(crate) fn describe(payload: &[u8]) -> Option<ChunkCoding> {
    let mut cursor = Cursor::new(payload);
    let model = cursor.byte().ok()?;
    let prior = match model & PRIOR != 0 {
        true => Some(PriorHash(cursor.array().ok()?)),
        false => None,
    };
    let name = match model & !(RUNS_ON | PRIOR | CUT) {
        l0::MODEL => "L0",
        L1 => "L1",
        L2 => "L2",
        _ => return None,
    };
    Some(ChunkCoding {
        model: name,
        runs_on: model & RUNS_ON != 0,
        prior,
    })
}

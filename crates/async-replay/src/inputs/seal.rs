//! All inputs of a finished run as chunks, in the fewest bytes.

use super::{
    CODED_FRAMES_MAX, Coding, Encoder,
    chunk::{ChunkHead, L1, L2},
    l0,
};
use crate::{CHUNK_FRAMES_MAX, Encoding, Error, Level, Run, Seek};

/// The payload of a chunk and its frames.
pub(crate) type Payload = (u32, Vec<u8>);

/// A chunk closes at this size whatever its length, far below the limit of a chunk.
const CHUNK_BYTES: usize = 256 << 10;
/// Behind the head a segment covers this many seconds, or more if it takes fewer bytes.
const SEGMENT_SECONDS: (u32, u32) = (10, 60);
const SEGMENT_BYTES: u64 = 96;
/// Type, length and checksum of a chunk.
const FRAMING_BYTES: usize = 7;

/// Codes a run's inputs, which were checked, as `encoding` says. Nothing if it has no schema.
pub(crate) fn seal(run: &Run, encoding: &Encoding<'_>) -> Result<Vec<Payload>, Error> {
    if run.header.inputs.is_none() {
        return Ok(Vec::new());
    }
    match encoding.level {
        Level::L0 => Ok(plain(run)),
        Level::L1 => coded(run, L1, encoding),
        Level::L2 => coded(run, L2, encoding),
        Level::Auto => {
            let (plain, coded) = (plain(run), coded(run, L2, encoding)?);
            let size = |chunks: &[Payload]| -> usize {
                let bytes = |(_, payload): &Payload| payload.len() + FRAMING_BYTES;
                chunks.iter().map(bytes).sum()
            };
            Ok(if size(&plain) <= size(&coded) {
                plain
            } else {
                coded
            })
        }
    }
}

fn coded(run: &Run, model: u8, encoding: &Encoding<'_>) -> Result<Vec<Payload>, Error> {
    let Some(schema) = &run.header.inputs else {
        return Ok(Vec::new());
    };
    let coding = Coding {
        model,
        runs_on: encoding.seek == Seek::None,
    };
    let prior = encoding.prior.filter(|_| model == L2);
    if let Some(prior) = prior {
        prior.check(schema)?;
    }
    let prior = prior.map(|prior| (prior.hash(), prior.model()));
    let players = run.header.players;
    let mut encoder = Encoder::new(coding, players, schema, prior, run.end.frames);
    let (mut chunks, mut span) = (Vec::new(), None);
    for inputs in run.inputs.iter() {
        let head_ends = span.is_none() && encoder.frame() >= encoder.head_frames();
        let large = head_ends || encoder.bytes() >= CHUNK_BYTES;
        // Behind the head a chunk holds whole segments.
        let most = span.map_or(CODED_FRAMES_MAX, |span| CODED_FRAMES_MAX / span * span);
        if encoder.frames() >= most || large && encoder.may_close() {
            chunks.push(close(&mut encoder));
        }
        if head_ends && encoder.frames() == 0 {
            let frames = behind_head(run, &chunks);
            encoder.cut(frames);
            span = Some(frames);
        }
        encoder.push(inputs)?;
    }
    if encoder.frames() > 0 {
        chunks.push(close(&mut encoder));
    }
    Ok(chunks)
}

fn close(encoder: &mut Encoder) -> Payload {
    let frames = encoder.frames();
    encoder.close();
    let payload = encoder.parts().flatten().copied().collect();
    encoder.reset();
    (frames, payload)
}

/// How many frames a segment behind the head has, going by what the head took.
fn behind_head(run: &Run, head: &[Payload]) -> u32 {
    let rate = run.header.rate;
    let frames_in = |seconds: u32| {
        let exact = u64::from(rate.numer()) * u64::from(seconds);
        exact.div_ceil(u64::from(rate.denom()))
    };
    let frames: u64 = head.iter().map(|(frames, _)| u64::from(*frames)).sum();
    let bytes: u64 = head.iter().map(|(_, payload)| payload.len() as u64).sum();
    let wanted = SEGMENT_BYTES * frames / bytes.max(1);
    let (least, most) = SEGMENT_SECONDS;
    wanted.clamp(frames_in(least), frames_in(most)) as u32
}

/// In L0: chunks of a minute, or of ten seconds in which much happened.
fn plain(run: &Run) -> Vec<Payload> {
    let Some(schema) = &run.header.inputs else {
        return Vec::new();
    };
    let rate = run.header.rate;
    let frames_in = |seconds: u32| seconds * rate.numer().div_ceil(rate.denom());
    let most = frames_in(60).min(CHUNK_FRAMES_MAX);
    let mut encoder = l0::Encoder::new(run.header.players, schema, 0);
    let (mut chunks, mut open) = (Vec::new(), 0);
    for inputs in run.inputs.iter() {
        let bytes = encoder.bytes();
        let due = bytes >= 4_096 && open >= frames_in(10) || bytes >= CHUNK_BYTES;
        if open >= most || due {
            chunks.push(close_plain(&mut encoder, open));
            open = 0;
        }
        encoder.push(inputs);
        open += 1;
    }
    if open > 0 {
        chunks.push(close_plain(&mut encoder, open));
    }
    chunks
}

fn close_plain(encoder: &mut l0::Encoder, frames: u32) -> Payload {
    let coding = Coding {
        model: l0::MODEL,
        runs_on: false,
    };
    let head = ChunkHead {
        coding,
        prior: None,
        frames,
        span: None,
    };
    let mut payload = Vec::new();
    head.put(&[], &mut payload);
    encoder.close();
    encoder.parts().for_each(|part| payload.extend(part));
    encoder.reset();
    (frames, payload)
}

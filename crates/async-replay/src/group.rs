//! Gathers what is recorded into chunks: one group of chunks per stretch of time.

use async_core::Input;

use crate::{
    CHUNK_FRAMES_MAX, Checkpoint, End, Error, Header, Mark, Pause, Sample,
    container::{ChunkWriter, kind},
    header_code, inputs,
    run::{mark_code, reason_code},
    samples,
    wire::{put_signed, put_varint},
};

/// How long a stretch of time one group of chunks covers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layout {
    /// A group closes when it covers this much…
    pub(crate) seconds_max: u32,
    /// …or this much, if it holds `bytes_min` by then.
    pub(crate) seconds_min: u32,
    pub(crate) bytes_min: usize,
    /// Whether a longer file gets an index.
    pub(crate) index: bool,
}

impl Layout {
    /// While recording: a crash costs 10 seconds at most.
    pub(crate) const STREAMED: Self = Self {
        seconds_max: 10,
        seconds_min: 5,
        bytes_min: 4_096,
        index: false,
    };
    /// For a finished file: few chunks where little happened, and never far to any frame.
    pub(crate) const SEALED: Self = Self {
        seconds_max: 60,
        seconds_min: 10,
        bytes_min: 4_096,
        index: true,
    };
}

/// A group closes at this size whatever its length, far below the limit of a chunk.
const GROUP_BYTES_MAX: usize = 256 << 10;
/// Marks, pauses or checkpoints waiting for their group are written before they grow past this.
const SIDE_BYTES_MAX: usize = 64 << 10;
/// A file of more chunks of inputs and samples than this gets an index.
const INDEX_CHUNKS_MIN: u32 = 16;

#[derive(Debug)]
pub(crate) struct Groups {
    chunks: ChunkWriter,
    inputs: Option<inputs::Encoder>,
    samples: Option<samples::Encoder>,
    sides: [Side; 3],
    frames_max: u32,
    frames_min: u32,
    layout: Layout,
    start: u32,
    frames: u32,
    data_chunks: u32,
    index: Vec<u8>,
}

/// A stream of small records beside the frames.
#[derive(Debug)]
struct Side {
    kind: u8,
    bytes: Vec<u8>,
    last_frame: u32,
}

const CHECKPOINTS: usize = 0;
const MARKS: usize = 1;
const PAUSES: usize = 2;

impl Groups {
    /// Writes the header, which was checked, and sets `reserve` bytes aside for the rest. Inputs
    /// come frame by frame if there is a way to code them, or else as [`Groups::inputs`].
    pub(crate) fn new(
        header: &Header,
        layout: Layout,
        reserve: usize,
        coding: Option<inputs::Coding>,
    ) -> Result<Self, Error> {
        let mut chunks = ChunkWriter::new(reserve);
        let payload = header_code::encode(header);
        if payload.len() > crate::HEADER_BYTES_MAX {
            return Err(Error::BadHeader("a header over 16,384 bytes"));
        }
        chunks.put_one(kind::HEADER, &payload)?;
        let frames_in = |seconds: u32| {
            let exact = u64::from(header.rate.numer()) * u64::from(seconds);
            exact
                .div_ceil(u64::from(header.rate.denom()))
                .min(u64::from(CHUNK_FRAMES_MAX)) as u32
        };
        let frames_max = frames_in(layout.seconds_max);
        let new_inputs = |(coding, schema)| {
            inputs::Encoder::new(coding, header.players, schema, None, header.frames_max)
        };
        let head = samples::head_frames(header.rate);
        let new_samples = |schema| samples::Encoder::new(schema, layout.seconds_max, head);
        let side = |kind| Side {
            kind,
            bytes: Vec::with_capacity(1_024),
            last_frame: 0,
        };
        Ok(Self {
            chunks,
            inputs: coding.zip(header.inputs.as_ref()).map(new_inputs),
            samples: header.samples.as_ref().map(new_samples),
            sides: [
                side(kind::CHECKPOINTS),
                side(kind::MARKS),
                side(kind::PAUSES),
            ],
            frames_max,
            frames_min: frames_in(layout.seconds_min),
            layout,
            start: 0,
            frames: 0,
            data_chunks: 0,
            index: Vec::new(),
        })
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        self.chunks.bytes()
    }

    /// The first frame of the group that is open.
    pub(crate) fn start(&self) -> u32 {
        self.start
    }

    /// Bytes waiting for their group to close.
    pub(crate) fn pending_bytes(&self) -> usize {
        let sides: usize = self.sides.iter().map(|side| side.bytes.len()).sum();
        let inputs = self.inputs.as_ref().map_or(0, inputs::Encoder::bytes);
        sides + inputs + self.samples.as_ref().map_or(0, samples::Encoder::bytes)
    }

    /// Adds one frame; closes the group before it if that is long enough.
    pub(crate) fn frame(&mut self, inputs: &[Input]) -> Result<(), Error> {
        if self.due() {
            self.flush()?;
        }
        if let Some(encoder) = &mut self.inputs {
            encoder.push(inputs)?;
        }
        self.frames += 1;
        Ok(())
    }

    pub(crate) fn sample(&mut self, track: usize, sample: &Sample) {
        if let Some(encoder) = &mut self.samples {
            encoder.push(track, sample);
        }
    }

    pub(crate) fn checkpoint(&mut self, checkpoint: &Checkpoint) -> Result<(), Error> {
        self.side(CHECKPOINTS, |bytes, _| {
            bytes.extend(checkpoint.digest.to_le_bytes())
        })
    }

    pub(crate) fn mark(&mut self, mark: &Mark) -> Result<(), Error> {
        self.side(MARKS, |bytes, last_frame| {
            put_varint(bytes, u64::from(mark.frame - *last_frame));
            put_varint(bytes, u64::from(mark_code(mark.kind)));
            put_signed(bytes, mark.value);
            *last_frame = mark.frame;
        })
    }

    pub(crate) fn pause(&mut self, pause: &Pause) -> Result<(), Error> {
        self.side(PAUSES, |bytes, last_frame| {
            put_varint(bytes, u64::from(pause.frame - *last_frame));
            put_varint(bytes, u64::from(pause.wall_ms));
            *last_frame = pause.frame;
        })
    }

    fn side(&mut self, side: usize, put: impl FnOnce(&mut Vec<u8>, &mut u32)) -> Result<(), Error> {
        let Side {
            bytes, last_frame, ..
        } = &mut self.sides[side];
        put(bytes, last_frame);
        if bytes.len() > SIDE_BYTES_MAX {
            self.flush_sides()
        } else {
            Ok(())
        }
    }

    fn due(&self) -> bool {
        let bytes = self.pending_bytes();
        self.frames >= self.frames_max
            || bytes >= GROUP_BYTES_MAX
            || self.frames >= self.frames_min && bytes >= self.layout.bytes_min
    }

    /// Writes the waiting checkpoints, marks and pauses. They may stand before their frames, never
    /// after, so that every cut leaves whole frames with all that belongs to them.
    pub(crate) fn flush_sides(&mut self) -> Result<(), Error> {
        for side in &mut self.sides {
            if !side.bytes.is_empty() {
                let size = self.chunks.put_one(side.kind, &side.bytes)?;
                note(&mut self.index, self.layout, size, 0);
                side.bytes.clear();
                side.last_frame = 0;
            }
        }
        Ok(())
    }

    /// Closes the group, unless it is empty.
    pub(crate) fn flush(&mut self) -> Result<(), Error> {
        self.flush_sides()?;
        if self.frames == 0 {
            return Ok(());
        }
        if let Some(samples) = &mut self.samples {
            let (head, used) = stream_head(samples.close(), self.frames);
            let parts = core::iter::once(&head[..used]).chain(samples.parts());
            let size = self.chunks.put(kind::SAMPLES, parts)?;
            note(&mut self.index, self.layout, size, self.frames);
            samples.reset(self.start + self.frames);
            self.data_chunks += 1;
        }
        if let Some(inputs) = &mut self.inputs {
            inputs.close();
            let size = self.chunks.put(kind::INPUTS, inputs.parts())?;
            note(&mut self.index, self.layout, size, self.frames);
            inputs.reset();
            self.data_chunks += 1;
        }
        self.start += self.frames;
        self.frames = 0;
        Ok(())
    }

    /// Writes a chunk of inputs that were coded before.
    pub(crate) fn inputs(&mut self, (frames, payload): &(u32, Vec<u8>)) -> Result<(), Error> {
        let size = self.chunks.put_one(kind::INPUTS, payload)?;
        note(&mut self.index, self.layout, size, *frames);
        self.data_chunks += 1;
        Ok(())
    }

    /// Spoils the index, to see it refused.
    #[cfg(test)]
    pub(crate) fn lie(&mut self) {
        self.index[0] ^= 1;
    }

    /// Closes the file.
    pub(crate) fn finish(
        mut self,
        end: &End,
        signature: Option<&[u8; 64]>,
    ) -> Result<Vec<u8>, Error> {
        self.flush()?;
        if self.layout.index && self.data_chunks > INDEX_CHUNKS_MIN {
            self.chunks.put_one(kind::INDEX, &self.index)?;
        }
        if let Some(signature) = signature {
            self.chunks.put_one(kind::SIGNATURE, signature)?;
        }
        let mut payload = Vec::with_capacity(24);
        let reason = u64::from(reason_code(end.reason));
        put_varint(&mut payload, u64::from(end.frames) << 2 | reason);
        put_signed(&mut payload, end.score);
        payload.extend_from_slice(&end.digest.to_le_bytes());
        self.chunks.put_one(kind::END, &payload)?;
        Ok(self.chunks.into_bytes())
    }
}

/// A model id and a frame count, at the head of a stream's chunk.
fn stream_head(model: u8, frames: u32) -> ([u8; 6], usize) {
    let mut head = [model, 0, 0, 0, 0, 0];
    let (mut rest, mut used) = (frames, 1);
    while rest >= 0x80 {
        head[used] = rest as u8 | 0x80;
        rest >>= 7;
        used += 1;
    }
    head[used] = rest as u8;
    (head, used + 1)
}

/// Adds a chunk to the index that the file may get.
fn note(index: &mut Vec<u8>, layout: Layout, size: usize, frames: u32) {
    if layout.index {
        put_varint(index, size as u64);
        put_varint(index, u64::from(frames));
    }
}

//! The bounded reader: strict, recovering, or of the header alone.

use async_core::InputSchema;

use crate::{
    CHECKPOINT_FRAMES, CHUNK_FRAMES_MAX, Checkpoint, End, Error, Header, Info, Inputs, Limits,
    Mark, Pause, Priors, Recovered, Run,
    coder::Mixer,
    container::{Chunk, Chunks, VERSION, kind},
    header_code,
    inputs::{self, ChunkHead, l0},
    model::Model,
    run::{end_reason, mark_kind},
    samples, seal,
    wire::{Cursor, put_varint},
};

pub(crate) fn open(bytes: &[u8], limits: &Limits, priors: &Priors) -> Result<Run, Error> {
    let (mut chunks, mut parts) = start(bytes, limits, priors)?;
    loop {
        let chunk = chunks.next()?.ok_or(Error::Unfinished)?;
        if let Some(end) = parts.add(&chunk)? {
            return match chunks.left() {
                0 => Ok(parts.into_run(end)),
                bytes => Err(Error::Trailing { bytes }),
            };
        }
    }
}

pub(crate) fn recover(bytes: &[u8], limits: &Limits, priors: &Priors) -> Result<Recovered, Error> {
    let (mut chunks, mut parts) = start(bytes, limits, priors)?;
    let mut whole_bytes = chunks.at();
    loop {
        let step = match chunks.next() {
            Ok(Some(chunk)) => parts.add(&chunk),
            Ok(None) => Err(Error::Unfinished),
            Err(error) => Err(error),
        };
        match step {
            Ok(None) => whole_bytes = chunks.at(),
            Ok(Some(end)) => {
                let left = chunks.left();
                let cause = (left > 0).then_some(Error::Trailing { bytes: left });
                return Ok(parts.into_recovered(Some(end), chunks.at(), cause));
            }
            Err(error) if is_readers(&error) => return Err(error),
            Err(cause) => return Ok(parts.into_recovered(None, whole_bytes, Some(cause))),
        }
    }
}

/// What a reader is missing, or will not take, is not a cut: half a run would be passed off as all
/// of it.
fn is_readers(error: &Error) -> bool {
    matches!(
        error,
        Error::TooManyFrames { .. }
            | Error::Limit { .. }
            | Error::MissingPrior { .. }
            | Error::BadPrior(_)
    )
}

pub(crate) fn info(bytes: &[u8], limits: &Limits) -> Result<Info, Error> {
    let (chunks, header) = header(bytes, limits)?;
    Ok(Info {
        header,
        version: VERSION,
        header_bytes: chunks.at(),
        file_bytes: bytes.len(),
    })
}

fn start<'a, 'p>(
    bytes: &'a [u8],
    limits: &Limits,
    priors: &'p Priors,
) -> Result<(Chunks<'a>, Parts<'p>), Error> {
    let (chunks, header) = header(bytes, limits)?;
    Ok((chunks, Parts::new(header, *limits, priors)))
}

pub(crate) fn header<'a>(bytes: &'a [u8], limits: &Limits) -> Result<(Chunks<'a>, Header), Error> {
    if bytes.len() > limits.bytes_max {
        return Err(Error::TooLarge {
            bytes: bytes.len(),
            bytes_max: limits.bytes_max,
        });
    }
    let (mut chunks, version) = Chunks::new(bytes)?;
    if version != VERSION {
        return Err(wrong_version(chunks, version));
    }
    let first = chunks
        .next()?
        .ok_or(Error::Truncated { bytes: bytes.len() })?;
    if first.kind != kind::HEADER {
        return Err(Error::Malformed(
            "a run that does not start with its header",
        ));
    }
    let header = header_code::decode(first.payload)?;
    if header.players > limits.players_max {
        return Err(Error::Limit {
            what: "players",
            max: usize::from(limits.players_max),
        });
    }
    let tracks = header
        .samples
        .as_ref()
        .map_or(0, |schema| schema.tracks.len());
    if tracks > limits.tracks_max {
        return Err(Error::Limit {
            what: "tracks",
            max: limits.tracks_max,
        });
    }
    Ok((chunks, header))
}

/// Names the recorder if the header can be read: its layout is the same in all versions.
fn wrong_version(mut chunks: Chunks<'_>, recorded: u8) -> Error {
    let first = chunks
        .next()
        .ok()
        .flatten()
        .filter(|first| first.kind == kind::HEADER);
    let header = first.and_then(|first| header_code::decode(first.payload).ok());
    let (game, build) = header.map_or(("?".into(), String::new()), |it| (it.game, it.build));
    Error::WrongVersion {
        recorded,
        supported: VERSION,
        game,
        build,
    }
}

/// A run as far as it was read.
struct Parts<'p> {
    header: Header,
    limits: Limits,
    priors: &'p Priors,
    inputs: Inputs,
    decoder: inputs::Decoder,
    sample_frames: u32,
    samples_left: usize,
    samples: Option<samples::Decoder>,
    tracks: Vec<Vec<crate::Sample>>,
    marks: Vec<Mark>,
    pauses: Vec<Pause>,
    checkpoints: Vec<Checkpoint>,
    signature: Option<[u8; 64]>,
    unknown_chunks: u32,
    /// The index that the file should have, if it has one.
    index: Vec<u8>,
    index_seen: bool,
}

impl<'p> Parts<'p> {
    fn new(header: Header, limits: Limits, priors: &'p Priors) -> Self {
        let tracks = header
            .samples
            .as_ref()
            .map_or(0, |schema| schema.tracks.len());
        let head = samples::head_frames(header.rate);
        let samples = header.samples.as_ref();
        Self {
            inputs: Inputs::none(header.players),
            decoder: inputs::Decoder::new(inputs::Budget::of_run(&limits)),
            priors,
            samples: samples.map(|schema| samples::Decoder::new(schema, head)),
            header,
            sample_frames: 0,
            samples_left: limits.samples_max,
            limits,
            tracks: vec![Vec::new(); tracks],
            marks: Vec::new(),
            pauses: Vec::new(),
            checkpoints: Vec::new(),
            signature: None,
            unknown_chunks: 0,
            index: Vec::new(),
            index_seen: false,
        }
    }

    /// Takes in one chunk after the header; the end, if this was it.
    fn add(&mut self, chunk: &Chunk<'_>) -> Result<Option<End>, Error> {
        let closing = matches!(chunk.kind, kind::SIGNATURE | kind::END);
        if (self.signature.is_some() && chunk.kind != kind::END) || (self.index_seen && !closing) {
            return Err(Error::Malformed("a chunk after the index or the signature"));
        }
        let mut cursor = Cursor::new(chunk.payload);
        let mut frames = 0;
        match chunk.kind {
            kind::INPUTS => frames = self.add_inputs(cursor)?,
            kind::SAMPLES => frames = self.add_samples(cursor)?,
            kind::CHECKPOINTS => self.add_checkpoints(cursor)?,
            kind::MARKS => self.add_marks(cursor)?,
            kind::PAUSES => self.add_pauses(cursor)?,
            kind::SIGNATURE => {
                self.signature = Some(cursor.array()?);
                cursor.finish()?;
            }
            kind::END => return self.end(cursor).map(Some),
            kind::INDEX if chunk.payload == self.index => self.index_seen = true,
            kind::INDEX => return Err(Error::Malformed("an index of something else")),
            kind::HEADER => return Err(Error::Malformed("a second header")),
            kind if kind >= kind::SKIPPABLE => self.unknown_chunks += 1,
            kind => return Err(Error::UnknownCritical { kind }),
        }
        put_varint(&mut self.index, chunk.size as u64);
        put_varint(&mut self.index, u64::from(frames));
        Ok(None)
    }

    fn add_inputs(&mut self, mut cursor: Cursor<'_>) -> Result<u32, Error> {
        let schema = self.header.inputs.as_ref();
        let schema = schema.ok_or(Error::Malformed("inputs without a schema"))?;
        let before = self.inputs.frames();
        let players = self.inputs.players();
        let head = ChunkHead::read(&mut cursor, players)?;
        let frames = head.frames;
        check_frames(&self.header, &self.limits, before, frames)?;
        let total = (before + frames) as usize * players;
        if total > self.limits.inputs_max {
            return Err(Error::Limit {
                what: "inputs",
                max: self.limits.inputs_max,
            });
        }
        // In L0 every column takes a value and a run at least.
        let columns = players * self.header.columns();
        if head.coding.model == l0::MODEL && cursor.left() < 2 * columns {
            return Err(Error::Malformed("fewer bytes of inputs than columns"));
        }
        let prior = wanted_prior(&head, self.priors, schema)?;
        self.decoder
            .begin(&head, self.header.players, schema, prior)?;
        let most = self
            .limits
            .inputs_max
            .min(self.header.frames_max as usize * players);
        let out = self.inputs.grow(frames, most);
        let place = (players, before);
        let decoded = self.decoder.chunk(&head, cursor, schema, place, out);
        if decoded.is_err() {
            self.inputs.truncate(before);
        }
        decoded.map(|()| frames)
    }

    fn add_samples(&mut self, mut cursor: Cursor<'_>) -> Result<u32, Error> {
        let (Some(schema), Some(decoder)) = (&self.header.samples, &mut self.samples) else {
            return Err(Error::Malformed("samples without a schema"));
        };
        let (model, frames) = stream_head(&mut cursor)?;
        check_frames(&self.header, &self.limits, self.sample_frames, frames)?;
        let span = (self.sample_frames, self.sample_frames + frames);
        decoder.decode(
            model,
            cursor,
            schema,
            span,
            &mut self.samples_left,
            &mut self.tracks,
        )?;
        self.sample_frames += frames;
        Ok(frames)
    }

    fn add_checkpoints(&mut self, mut cursor: Cursor<'_>) -> Result<(), Error> {
        let max = (self.header.frames_max / CHECKPOINT_FRAMES) as usize;
        if cursor.is_empty() || cursor.left() / 4 > max - self.checkpoints.len() {
            return Err(Error::Malformed(
                "no checkpoints, or more than frames for them",
            ));
        }
        while !cursor.is_empty() {
            let frame = (self.checkpoints.len() as u32 + 1) * CHECKPOINT_FRAMES;
            let digest = u32::from_le_bytes(cursor.array()?);
            self.checkpoints.push(Checkpoint { frame, digest });
        }
        Ok(())
    }

    fn add_marks(&mut self, mut cursor: Cursor<'_>) -> Result<(), Error> {
        let mut clock = SideClock::new(&cursor, self.marks.last().map_or(0, |mark| mark.frame))?;
        while !cursor.is_empty() {
            let frame = clock.next(&mut cursor, &self.header)?;
            let kind = mark_kind(cursor.varint()?)?;
            let mark = Mark {
                frame,
                kind,
                value: cursor.signed()?,
            };
            push_within(&mut self.marks, mark, "marks", self.limits.marks_max)?;
        }
        Ok(())
    }

    fn add_pauses(&mut self, mut cursor: Cursor<'_>) -> Result<(), Error> {
        let mut clock = SideClock::new(&cursor, self.pauses.last().map_or(0, |last| last.frame))?;
        while !cursor.is_empty() {
            let frame = clock.next(&mut cursor, &self.header)?;
            let pause = Pause {
                frame,
                wall_ms: cursor.varint_u32()?,
            };
            push_within(&mut self.pauses, pause, "pauses", self.limits.marks_max)?;
        }
        Ok(())
    }

    fn end(&self, mut cursor: Cursor<'_>) -> Result<End, Error> {
        let frames_and_reason = cursor.varint()?;
        let frames = u32::try_from(frames_and_reason >> 2)
            .map_err(|_| Error::Malformed("a number over 32 bits"))?;
        let reason = end_reason(frames_and_reason as u8 & 3)?;
        let score = cursor.signed()?;
        let digest = u64::from_le_bytes(cursor.array()?);
        cursor.finish()?;
        let end = End {
            frames,
            score,
            reason,
            digest,
        };
        seal::check_end(
            &self.header,
            &end,
            &self.marks,
            &self.pauses,
            &self.checkpoints,
        )?;
        let inputs = self.header.inputs.is_none() || self.inputs.frames() == frames;
        let samples = self.header.samples.is_none() || self.sample_frames == frames;
        if !inputs || !samples {
            return Err(Error::BadEnd(
                "another number of frames than the chunks hold",
            ));
        }
        Ok(end)
    }

    fn into_run(self, end: End) -> Run {
        Run {
            header: self.header,
            inputs: self.inputs,
            tracks: self.tracks,
            marks: self.marks,
            pauses: self.pauses,
            checkpoints: self.checkpoints,
            end,
            signature: self.signature,
            unknown_chunks: self.unknown_chunks,
        }
    }

    /// Cuts every stream back to the frames that all of them have.
    fn into_recovered(
        mut self,
        end: Option<End>,
        whole_bytes: usize,
        cause: Option<Error>,
    ) -> Recovered {
        let inputs = self.header.inputs.as_ref().map(|_| self.inputs.frames());
        let samples = self.header.samples.as_ref().map(|_| self.sample_frames);
        let whole_frames = inputs.into_iter().chain(samples).min().unwrap_or(0);
        self.inputs.truncate(whole_frames);
        for track in &mut self.tracks {
            let whole = track.partition_point(|sample| sample.frame <= whole_frames);
            track.truncate(whole);
        }
        self.marks.retain(|mark| mark.frame <= whole_frames);
        self.pauses.retain(|pause| pause.frame <= whole_frames);
        self.checkpoints
            .retain(|checkpoint| checkpoint.frame <= whole_frames);
        Recovered {
            header: self.header,
            inputs: self.inputs,
            tracks: self.tracks,
            marks: self.marks,
            pauses: self.pauses,
            checkpoints: self.checkpoints,
            signature: self.signature.filter(|_| end.is_some()),
            end,
            whole_frames,
            whole_bytes,
            cause,
        }
    }
}

/// The model and the frame count at the head of a stream's chunk.
fn stream_head(cursor: &mut Cursor<'_>) -> Result<(u8, u32), Error> {
    let model = cursor.byte()?;
    let frames = cursor.varint_u32()?;
    if frames == 0 || frames > CHUNK_FRAMES_MAX {
        return Err(Error::Malformed("a chunk of 1 to 3,600 frames"));
    }
    Ok((model, frames))
}

/// The prior that a chunk asks for.
pub(crate) fn wanted_prior<'p>(
    head: &ChunkHead,
    priors: &'p Priors,
    schema: &InputSchema,
) -> Result<Option<&'p Model<Mixer>>, Error> {
    let Some(hash) = head.prior else {
        return Ok(None);
    };
    let prior = priors.get(&hash).ok_or(Error::MissingPrior { hash })?;
    prior.check(schema)?;
    Ok(Some(prior.model()))
}

/// Whether so many frames more are still within the header's and the reader's bounds.
pub(crate) fn check_frames(
    header: &Header,
    limits: &Limits,
    before: u32,
    more: u32,
) -> Result<(), Error> {
    let (frames, frames_max) = (before + more, header.frames_max.min(limits.frames_max));
    if frames > frames_max {
        return Err(Error::TooManyFrames { frames, frames_max });
    }
    Ok(())
}

/// The frame of each record in a chunk of marks or pauses.
struct SideClock {
    frame: u64,
    earliest: u64,
}

impl SideClock {
    fn new(cursor: &Cursor<'_>, earliest: u32) -> Result<Self, Error> {
        if cursor.is_empty() {
            return Err(Error::Malformed("a chunk of nothing"));
        }
        Ok(Self {
            frame: 0,
            earliest: u64::from(earliest),
        })
    }

    fn next(&mut self, cursor: &mut Cursor<'_>, header: &Header) -> Result<u32, Error> {
        self.frame = self.frame.saturating_add(cursor.varint()?);
        if self.frame < self.earliest || self.frame > u64::from(header.frames_max) {
            return Err(Error::Malformed("a mark or a pause out of its order"));
        }
        Ok(self.frame as u32)
    }
}

fn push_within<T>(list: &mut Vec<T>, item: T, what: &'static str, max: usize) -> Result<(), Error> {
    if list.len() >= max {
        return Err(Error::Limit { what, max });
    }
    list.push(item);
    Ok(())
}

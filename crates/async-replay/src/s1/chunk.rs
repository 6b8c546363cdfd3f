//! Chunks of samples: the code of each track, and what goes on from one chunk to the next.

use crate::{
    Error, Sample, SampleSchema, TrackSchema,
    coder::{self, Decoder},
    s1::track::{Model, Place},
    wire::{Cursor, put_varint},
};

/// A track's samples are at most this many for each byte of its code and for one byte more.
const SAMPLES_PER_BYTE: usize = 256;

fn most_samples(code_bytes: usize) -> usize {
    SAMPLES_PER_BYTE * (code_bytes + 1)
}

/// The models of all tracks, and what they were when the chunk began.
#[derive(Debug)]
pub(crate) struct Models {
    tracks: Vec<Model>,
    saved: Vec<Model>,
    /// The first frame that is not in the head of the file.
    head: u32,
    /// Whether `saved` is what the models were at the end of the head.
    settled: bool,
}

impl Models {
    /// For a file whose head, over which the models go on learning, ends before frame `head`.
    pub(crate) fn new(schema: &SampleSchema, head: u32) -> Self {
        let model = |track| Model::new(track, schema.precision);
        Self {
            tracks: schema.tracks.iter().map(model).collect(),
            saved: schema.tracks.iter().map(model).collect(),
            head,
            settled: false,
        }
    }

    /// Starts a chunk: one in the head goes on, each later one starts as the head ended.
    fn begin(&mut self, start: u32) {
        if self.settled {
            self.restore();
        } else {
            for (saved, track) in self.saved.iter_mut().zip(&self.tracks) {
                saved.become_copy(track);
            }
            self.settled = start >= self.head;
        }
    }

    /// Forgets the chunk.
    fn restore(&mut self) {
        for (track, saved) in self.tracks.iter_mut().zip(&self.saved) {
            track.become_copy(saved);
        }
    }

    /// Decodes one chunk onto the tracks. It covers the frames from `start` to `end`, both
    /// included, since a sample at the seam may stand on either side. `samples_left` is what the
    /// limits allow.
    pub(crate) fn decode(
        &mut self,
        mut cursor: Cursor<'_>,
        schema: &SampleSchema,
        (start, end): (u32, u32),
        samples_left: &mut usize,
        tracks: &mut [Vec<Sample>],
    ) -> Result<(), Error> {
        self.begin(start);
        let mut left = self.tracks.len();
        for ((model, declared), out) in self.tracks.iter_mut().zip(&schema.tracks).zip(tracks) {
            let count = cursor.varint()?;
            left -= 1;
            let size = match left {
                0 => cursor.left(),
                _ => usize::try_from(cursor.varint()?).unwrap_or(usize::MAX),
            };
            let code = cursor.take(size)?;
            if count > *samples_left as u64 {
                return Err(Error::Limit {
                    what: "samples",
                    max: *samples_left,
                });
            }
            let most = most_samples(size).min((end - start) as usize + 1);
            if count > most as u64 {
                return Err(Error::Malformed("more samples than bytes for them"));
            }
            *samples_left -= count as usize;
            out.reserve(count as usize);
            decode_track(model, declared, code, (start, end), count as u32, out)?;
        }
        cursor.finish()
    }
}

fn decode_track(
    model: &mut Model,
    declared: &TrackSchema,
    code: &[u8],
    (start, end): (u32, u32),
    count: u32,
    out: &mut Vec<Sample>,
) -> Result<(), Error> {
    let mut decoder = Decoder::new(code);
    let mut place = Place::new(declared.rotation, start);
    let any = place.last();
    for _ in 0..count {
        let sample = model.code(&mut decoder, &mut place, &any)?;
        let follows = out.last().is_none_or(|before| before.frame < sample.frame);
        if !follows || sample.frame > end {
            return Err(Error::Malformed("a sample out of its chunk or its order"));
        }
        model.check(&sample, declared)?;
        out.push(sample);
    }
    decoder.finish()
}

/// Codes the samples of one chunk as they come, each track by itself.
#[derive(Debug)]
pub(crate) struct Encoder {
    models: Models,
    tracks: Vec<Track>,
}

#[derive(Debug)]
struct Track {
    place: Place,
    samples: usize,
    coder: coder::Encoder,
    /// Count and size, then the code, once the chunk is closed.
    head: Vec<u8>,
    code: Vec<u8>,
}

impl Encoder {
    /// For chunks of `seconds`, set aside now so that recording does not allocate, in a file
    /// whose head ends before frame `head`.
    pub(crate) fn new(schema: &SampleSchema, seconds: u32, head: u32) -> Self {
        let samples = usize::from(schema.rate_hz) * seconds as usize + 2;
        let track = |track: &TrackSchema| {
            // More than any track that is worth coding needs.
            let bytes = samples * (16 + 5 * track.channels.len());
            Track {
                place: Place::new(track.rotation, 0),
                samples: 0,
                coder: coder::Encoder::new(Vec::with_capacity(bytes)),
                head: Vec::with_capacity(10),
                code: Vec::new(),
            }
        };
        let mut models = Models::new(schema, head);
        models.begin(0);
        Self {
            models,
            tracks: schema.tracks.iter().map(track).collect(),
        }
    }

    /// Bytes of the chunk so far, or a few less.
    pub(crate) fn bytes(&self) -> usize {
        self.tracks.iter().map(|track| track.coder.len()).sum()
    }

    /// Adds a sample that fits its track and follows its last.
    pub(crate) fn push(&mut self, index: usize, sample: &Sample) {
        let track = &mut self.tracks[index];
        let coded = self.models.tracks[index].code(&mut track.coder, &mut track.place, sample);
        debug_assert_eq!(coded.as_ref(), Ok(sample));
        track.samples += 1;
    }

    /// Ends the chunk; [`Encoder::parts`] is then its content. `None` if a reader would take it
    /// for a bomb, else its bytes.
    pub(crate) fn close(&mut self) -> Option<usize> {
        let (mut bytes, mut fits) = (0, true);
        let mut left = self.tracks.len();
        for track in &mut self.tracks {
            let coder = core::mem::replace(&mut track.coder, coder::Encoder::new(Vec::new()));
            track.code = coder.finish();
            put_varint(&mut track.head, track.samples as u64);
            left -= 1;
            if left > 0 {
                put_varint(&mut track.head, track.code.len() as u64);
            }
            bytes += track.head.len() + track.code.len();
            fits &= track.samples <= most_samples(track.code.len());
        }
        fits.then_some(bytes)
    }

    pub(crate) fn parts(&self) -> impl Iterator<Item = &[u8]> + Clone {
        self.tracks
            .iter()
            .flat_map(|track| [track.head.as_slice(), track.code.as_slice()])
    }

    /// Starts the next chunk at frame `start`. A chunk that was not written has taught nothing.
    pub(crate) fn reset(&mut self, start: u32, written: bool) {
        if !written {
            self.models.restore();
        }
        self.models.begin(start);
        for track in &mut self.tracks {
            let mut bytes = core::mem::take(&mut track.code);
            bytes.clear();
            track.coder = coder::Encoder::new(bytes);
            track.place = track.place.at_start(start);
            track.samples = 0;
            track.head.clear();
        }
    }
}

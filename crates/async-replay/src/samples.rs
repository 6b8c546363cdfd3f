//! Chunks of samples, in whichever model is the smaller.

use async_core::FrameRate;

use crate::{Error, Sample, SampleSchema, s0, s1, wire::Cursor};

/// The models go on learning in the head of a file: the chunks that start in its first minute.
pub(crate) fn head_frames(rate: FrameRate) -> u32 {
    let frames = (60 * u64::from(rate.numer())).div_ceil(u64::from(rate.denom()));
    u32::try_from(frames).unwrap_or(u32::MAX)
}

/// Codes the samples of one chunk with every model, as they come.
#[derive(Debug)]
pub(crate) struct Encoder {
    s0: s0::Encoder,
    s1: s1::Encoder,
    start: u32,
    learned: bool,
}

impl Encoder {
    /// For chunks of `seconds`, set aside now so that recording does not allocate, in a file
    /// whose head ends before frame `head`.
    pub(crate) fn new(schema: &SampleSchema, seconds: u32, head: u32) -> Self {
        Self {
            s0: s0::Encoder::new(schema, seconds),
            s1: s1::Encoder::new(schema, seconds, head),
            start: 0,
            learned: false,
        }
    }

    /// Bytes of the chunk so far, or a few less.
    pub(crate) fn bytes(&self) -> usize {
        self.s0.bytes().min(self.s1.bytes())
    }

    /// Adds a sample that fits its track and follows its last.
    pub(crate) fn push(&mut self, index: usize, sample: &Sample) {
        self.s0.push(index, sample, self.start);
        self.s1.push(index, sample);
    }

    /// Ends the chunk; [`Encoder::parts`] is then its content, in the model that this returns.
    pub(crate) fn close(&mut self) -> u8 {
        self.s0.close();
        let plain: usize = self.s0.parts().map(<[u8]>::len).sum();
        self.learned = self.s1.close().is_some_and(|bytes| bytes < plain);
        if self.learned { s1::MODEL } else { s0::MODEL }
    }

    pub(crate) fn parts(&self) -> impl Iterator<Item = &[u8]> + Clone {
        let all_if = |wanted: bool| if wanted { usize::MAX } else { 0 };
        let plain = self.s0.parts().take(all_if(!self.learned));
        plain.chain(self.s1.parts().take(all_if(self.learned)))
    }

    /// Starts the next chunk at frame `start`.
    pub(crate) fn reset(&mut self, start: u32) {
        self.s0.reset();
        self.s1.reset(start, self.learned);
        self.start = start;
        self.learned = false;
    }
}

/// Decodes chunks of samples, one after the other.
#[derive(Debug)]
pub(crate) struct Decoder {
    s1: s1::Models,
}

impl Decoder {
    /// For a file whose head ends before frame `head`.
    pub(crate) fn new(schema: &SampleSchema, head: u32) -> Self {
        Self {
            s1: s1::Models::new(schema, head),
        }
    }

    /// Decodes one chunk of `model` onto the tracks. It covers the frames from the first to the
    /// second of `span`, both included. `samples_left` is what the limits allow. Of a chunk that
    /// is refused, nothing is left on the tracks.
    pub(crate) fn decode(
        &mut self,
        model: u8,
        cursor: Cursor<'_>,
        schema: &SampleSchema,
        span: (u32, u32),
        samples_left: &mut usize,
        tracks: &mut [Vec<Sample>],
    ) -> Result<(), Error> {
        let before: Vec<usize> = tracks.iter().map(Vec::len).collect();
        let decoded = match model {
            s0::MODEL => s0::decode(cursor, schema, span, samples_left, tracks),
            s1::MODEL => self.s1.decode(cursor, schema, span, samples_left, tracks),
            _ => Err(Error::UnknownModel {
                stream: "samples",
                model,
            }),
        };
        if decoded.is_err() {
            for (track, before) in tracks.iter_mut().zip(before) {
                track.truncate(before);
            }
        }
        decoded
    }
}

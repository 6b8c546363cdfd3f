//! Priors: what runs of a game teach about the next one.
//!
//! A prior is nothing but the inputs of a few runs, coded one after the other by L2: whoever
//! decodes them has learned what their encoder had. So a prior is small, cannot put a model in a
//! state that no inputs lead to, and is bounded like a run.

use std::{collections::BTreeMap, sync::Arc};

use async_core::{Input, InputSchema, PLAYERS_MAX};

use crate::{
    Error, Limits, PriorHash, Run,
    coder::{self, Decide, Mixer},
    header_code,
    inputs::{self, Answers, Budget},
    model::Model,
    wire::{Cursor, put_sized, put_varint},
};

/// The first bytes of a prior.
const MAGIC: [u8; 3] = [0x8F, b'G', b'P'];
const VERSION: u8 = 1;
/// The most inputs that a prior learns from: decoding them takes a reader some 100 ms.
pub const PRIOR_INPUTS_MAX: usize = 400_000;

/// The most lessons of a prior: starting one takes a reader some 100 µs.
pub const PRIOR_LESSONS_MAX: usize = 1_024;
/// The most questions that all lessons ask.
const QUESTIONS_MAX: usize = 64 * PRIOR_INPUTS_MAX;

/// What runs of a game have taught.
#[derive(Debug, Clone)]
pub struct Prior {
    hash: PriorHash,
    bytes: Vec<u8>,
    schema: InputSchema,
    model: Model<Mixer>,
}

/// The priors that a reader has, by their hashes.
pub type Priors = BTreeMap<PriorHash, Arc<Prior>>;

impl Prior {
    /// Learns from runs, in their order, up to [`PRIOR_LESSONS_MAX`] runs and
    /// [`PRIOR_INPUTS_MAX`] inputs; what is beyond is left out. `bad_prior` if there is none with
    /// inputs, if they have not the same input schema, or if they are so unlike play that they ask
    /// over 64 questions for an input; fails too where [`Run::check`] does.
    pub fn train(runs: &[Run]) -> Result<Self, Error> {
        let schema = runs.iter().find_map(|run| run.header.inputs.as_ref());
        let schema = schema.ok_or(Error::BadPrior("no inputs to learn from"))?;
        let mut bytes = Vec::from(MAGIC);
        bytes.push(VERSION);
        put_sized(&mut bytes, &header_code::encode_inputs(schema));
        let mut model = Model::new(1, schema);
        let (mut left, mut questions) = (PRIOR_INPUTS_MAX, 0);
        let with_inputs = runs.iter().filter(|run| run.header.inputs.is_some());
        for run in with_inputs.take(PRIOR_LESSONS_MAX) {
            if run.header.inputs.as_ref() != Some(schema) {
                return Err(Error::BadPrior("runs of different input schemas"));
            }
            run.check()?;
            let players = run.inputs.players();
            let frames = (run.inputs.frames() as usize).min(left / players);
            if frames == 0 {
                break;
            }
            left -= frames * players;
            let inputs = &run.inputs.flat()[..frames * players];
            questions += put_lesson(&mut bytes, &mut model, inputs, players);
        }
        if questions > QUESTIONS_MAX {
            return Err(Error::BadPrior("inputs that no one plays"));
        }
        if left == PRIOR_INPUTS_MAX {
            return Err(Error::BadPrior("no inputs to learn from"));
        }
        bytes.extend(crc32c::crc32c(&bytes).to_le_bytes());
        Ok(Self::of(bytes, schema.clone(), model))
    }

    /// Reads a prior of up to [`PRIOR_LESSONS_MAX`] lessons with [`PRIOR_INPUTS_MAX`] inputs, and
    /// as many bytes as `limits` allow.
    /// `not_a_prior`, `damaged`, `too_large`, `limit` or `malformed`.
    pub fn open(bytes: &[u8], limits: &Limits) -> Result<Self, Error> {
        if bytes.len() > limits.bytes_max {
            return Err(Error::TooLarge {
                bytes: bytes.len(),
                bytes_max: limits.bytes_max,
            });
        }
        let Some((content, crc)) = bytes.split_last_chunk::<4>() else {
            return Err(Error::NotAPrior);
        };
        let mut cursor = Cursor::new(content);
        if cursor.array().ok() != Some(MAGIC) || cursor.byte().ok() != Some(VERSION) {
            return Err(Error::NotAPrior);
        }
        if crc32c::crc32c(content).to_le_bytes() != *crc {
            return Err(Error::Damaged { offset: 0 });
        }
        let schema = header_code::decode_inputs(cursor.sized(crate::HEADER_BYTES_MAX)?)?;
        let mut model = Model::new(1, &schema);
        if cursor.is_empty() {
            return Err(Error::Malformed("a prior of nothing"));
        }
        let mut left = Left::ALL;
        while !cursor.is_empty() {
            take_lesson(&mut cursor, &mut model, &mut left)?;
        }
        Ok(Self::of(bytes.to_vec(), schema, model))
    }

    fn of(bytes: Vec<u8>, schema: InputSchema, model: Model<Mixer>) -> Self {
        let mut hash = PriorHash([0; 8]);
        hash.0
            .copy_from_slice(&blake3::hash(&bytes).as_bytes()[..8]);
        Self {
            hash,
            bytes,
            schema,
            model,
        }
    }

    /// The file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The name of the prior, by which runs ask for it.
    pub fn hash(&self) -> PriorHash {
        self.hash
    }

    /// The input schema of the runs it has learned from.
    pub fn schema(&self) -> &InputSchema {
        &self.schema
    }

    pub(crate) fn model(&self) -> &Model<Mixer> {
        &self.model
    }

    /// `bad_prior` unless it is for runs of this schema.
    pub(crate) fn check(&self, schema: &InputSchema) -> Result<(), Error> {
        if self.schema != *schema {
            return Err(Error::BadPrior("a prior for another input schema"));
        }
        Ok(())
    }
}

/// Writes one run's inputs, and learns from them. Gives how many questions they ask.
fn put_lesson<D: Decide>(
    bytes: &mut Vec<u8>,
    model: &mut Model<D>,
    inputs: &[Input],
    players: usize,
) -> usize {
    model.restart(players as u8);
    let mut coder = coder::Encoder::new(Vec::new());
    let mut frame = vec![Input::default(); players];
    for inputs in inputs.chunks_exact(players) {
        frame.copy_from_slice(inputs);
        model.code(&mut coder, &mut frame);
    }
    let questions = coder.questions();
    let code = inputs::finish(coder);
    put_varint(bytes, players as u64);
    put_varint(bytes, (inputs.len() / players) as u64);
    put_sized(bytes, &code);
    questions
}

/// What a prior may still hold.
struct Left {
    lessons: usize,
    inputs: usize,
    questions: Budget,
}

impl Left {
    const ALL: Self = Self {
        lessons: PRIOR_LESSONS_MAX,
        inputs: PRIOR_INPUTS_MAX,
        questions: Budget::new("questions of a prior", QUESTIONS_MAX),
    };

    /// One lesson more, of so many inputs.
    fn take(&mut self, inputs: usize) -> Result<(), Error> {
        let lessons = self.lessons.checked_sub(1).ok_or(Error::Limit {
            what: "lessons of a prior",
            max: PRIOR_LESSONS_MAX,
        })?;
        let inputs = self.inputs.checked_sub(inputs).ok_or(Error::Limit {
            what: "inputs of a prior",
            max: PRIOR_INPUTS_MAX,
        })?;
        (self.lessons, self.inputs) = (lessons, inputs);
        Ok(())
    }
}

/// Reads one run's inputs, and learns from them.
fn take_lesson<D: Decide>(
    cursor: &mut Cursor<'_>,
    model: &mut Model<D>,
    left: &mut Left,
) -> Result<(), Error> {
    let players = cursor.varint()?;
    if !(1..=PLAYERS_MAX as u64).contains(&players) {
        return Err(Error::Malformed("a prior of no players or of too many"));
    }
    let (players, frames) = (players as usize, cursor.varint_u32()? as usize);
    let count = frames.saturating_mul(players);
    left.take(count)?;
    let code = cursor.sized(usize::MAX)?;
    if frames == 0 || code.len() < inputs::least_bytes(count) {
        return Err(Error::Malformed("fewer bytes than so many inputs take"));
    }
    model.restart(players as u8);
    let mut answers = Answers::new(code, left.questions);
    let mut frame = vec![Input::default(); players];
    for _ in 0..frames {
        model.code(&mut answers.coder, &mut frame);
        answers.check()?;
        model.check()?;
    }
    left.questions = answers.finish()?;
    Ok(())
}

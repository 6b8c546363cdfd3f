//! Traces: what every frame of a recording did, field by field, kept beside the run on the
//! recording machine. With one, a divergence is named to the frame and the field; without one, to
//! the stretch between two checkpoints.
//!
//! The file: `GFTR`, a version byte, the CRC-32C of the rest (little endian), then postcard of
//! names, players, frames and a body in which each frame is coded as its difference to the one
//! before. It is a local file: it never crosses to a server, and a version this build does not
//! know is refused rather than guessed at.

mod codec;
mod diverge;

use async_core::{Game, Input};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub use diverge::Divergence;

use crate::Error;
use codec::{Cursor, Memory};

/// Most distinct field names of a trace.
pub const NAMES_MAX: usize = 65_536;
/// Most fields a game may report in one frame.
pub const FIELDS_MAX: usize = 16_384;
/// Longest field name, in bytes.
pub const NAME_BYTES_MAX: usize = 128;
/// Largest trace file, in bytes. A recorder stops adding frames there.
pub const TRACE_BYTES_MAX: usize = 128 << 20;

const MAGIC: [u8; 4] = *b"GFTR";
const VERSION: u8 = 1;
const HEAD_BYTES: usize = MAGIC.len() + 1 + 4;

/// The recorded fields of a whole run; see the module's text for the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trace {
    names: Vec<String>,
    players: u8,
    frames: u32,
    /// Whether the recorder reached its bound before the run ended.
    cut: bool,
    body: Vec<u8>,
}

impl Trace {
    /// Frames the trace covers; fewer than the run's where the recorder reached its bound.
    #[must_use]
    pub fn frames(&self) -> u32 {
        self.frames
    }

    /// Player slots of the traced game.
    #[must_use]
    pub fn players(&self) -> u8 {
        self.players
    }

    /// The trace as a file.
    ///
    /// # Errors
    /// [`Error::TraceMalformed`] if it does not serialise, which no recorder produces.
    pub fn encode(&self) -> Result<Vec<u8>, Error> {
        let payload = postcard::to_allocvec(self)
            .map_err(|_| Error::TraceMalformed("the trace does not serialise"))?;
        let mut bytes = Vec::with_capacity(HEAD_BYTES + payload.len());
        bytes.extend_from_slice(&MAGIC);
        bytes.push(VERSION);
        bytes.extend_from_slice(&crc32c::crc32c(&payload).to_le_bytes());
        bytes.extend_from_slice(&payload);
        Ok(bytes)
    }

    /// Reads a trace file whole: every frame is decoded once, so a later comparison cannot fail
    /// half way.
    ///
    /// # Errors
    /// `trace_*` codes for a foreign, cut, damaged, oversized or malformed file.
    pub fn decode(bytes: &[u8]) -> Result<Self, Error> {
        let payload = checked_payload(bytes)?;
        let (trace, rest): (Self, &[u8]) = postcard::take_from_bytes(payload)
            .map_err(|_| Error::TraceMalformed("the trace's fields do not parse"))?;
        if !rest.is_empty() {
            return Err(Error::TraceMalformed("bytes follow the trace"));
        }
        trace.check()?;
        Ok(trace)
    }

    fn check(&self) -> Result<(), Error> {
        if self.players == 0 || usize::from(self.players) > async_core::PLAYERS_MAX {
            return Err(Error::TraceMalformed(
                "the number of players is out of range",
            ));
        }
        if self.frames > async_core::FRAMES_MAX || self.names.len() > NAMES_MAX {
            return Err(Error::TraceMalformed("the trace exceeds its bounds"));
        }
        if self.names.iter().any(|name| name.len() > NAME_BYTES_MAX) {
            return Err(Error::TraceMalformed("a field name is too long"));
        }
        let mut cursor = self.cursor();
        for _ in 0..self.frames {
            cursor.frame()?;
        }
        if cursor.is_empty() {
            Ok(())
        } else {
            Err(Error::TraceMalformed("bytes follow the last frame"))
        }
    }

    fn cursor(&self) -> Cursor<'_> {
        Cursor::new(&self.body, self.players, &self.names)
    }
}

fn checked_payload(bytes: &[u8]) -> Result<&[u8], Error> {
    if bytes.len() > TRACE_BYTES_MAX {
        return Err(Error::TraceMalformed(
            "the file is larger than a trace may be",
        ));
    }
    let Some((magic, rest)) = bytes.split_first_chunk::<4>() else {
        return Err(Error::NotATrace);
    };
    if *magic != MAGIC {
        return Err(Error::NotATrace);
    }
    let (&version, rest) = rest.split_first().ok_or(Error::TraceTruncated)?;
    if version != VERSION {
        return Err(Error::TraceVersion {
            found: version,
            known: VERSION,
        });
    }
    let (crc, payload) = rest.split_first_chunk::<4>().ok_or(Error::TraceTruncated)?;
    if crc32c::crc32c(payload) != u32::from_le_bytes(*crc) {
        return Err(Error::TraceDamaged);
    }
    Ok(payload)
}

/// Builds a [`Trace`] while a game is played: call [`TraceRecorder::frame`] after every step.
#[derive(Debug)]
pub struct TraceRecorder {
    trace: Trace,
    ids: BTreeMap<String, u32>,
    memory: Memory,
    layout: Vec<u32>,
    values: Vec<u64>,
}

impl TraceRecorder {
    /// An empty trace of a game with this many slots.
    #[must_use]
    pub fn new(players: u8) -> Self {
        Self {
            trace: Trace {
                names: Vec::new(),
                players,
                frames: 0,
                cut: false,
                body: Vec::new(),
            },
            ids: BTreeMap::new(),
            memory: Memory::new(players, 0),
            layout: Vec::new(),
            values: Vec::new(),
        }
    }

    /// Adds one frame: the inputs it was stepped with, and the state after it. Past the bounds of
    /// a trace the frame is left out, and so are all later ones; the run itself is not affected.
    pub fn frame(&mut self, inputs: &[Input], game: &dyn Game) {
        if self.trace.cut || inputs.len() != self.memory.inputs.len() {
            self.trace.cut = true;
            return;
        }
        self.visit(game);
        if self.layout.len() > FIELDS_MAX || self.trace.body.len() + 65_536 > TRACE_BYTES_MAX {
            self.trace.cut = true;
            return;
        }
        for (last, now) in self.memory.inputs.iter_mut().zip(inputs) {
            codec::put_input(&mut self.trace.body, last, now);
            *last = *now;
        }
        codec::put_fields(
            &mut self.trace.body,
            &mut self.memory,
            &self.layout,
            &self.values,
        );
        self.trace.frames += 1;
    }

    /// Reads the game's fields into `layout` and `values`, naming the new ones.
    fn visit(&mut self, game: &dyn Game) {
        let Self {
            trace,
            ids,
            memory,
            layout,
            values,
            ..
        } = self;
        layout.clear();
        values.clear();
        game.trace(&mut |name, value| {
            if name.len() > NAME_BYTES_MAX || layout.len() > FIELDS_MAX {
                return;
            }
            // Fields come in a fixed order, so the last frame's layout nearly always answers.
            let guess = memory.layout.get(layout.len()).copied();
            let known = guess.filter(|&id| trace.names[id as usize] == name);
            let id = known.or_else(|| ids.get(name).copied()).or_else(|| {
                let id = u32::try_from(trace.names.len()).ok()?;
                if trace.names.len() >= NAMES_MAX {
                    return None;
                }
                trace.names.push(name.to_owned());
                ids.insert(name.to_owned(), id);
                memory.values.push(0);
                Some(id)
            });
            if let Some(id) = id {
                layout.push(id);
                values.push(value);
            }
        });
    }

    /// The trace of all frames so far.
    #[must_use]
    pub fn finish(self) -> Trace {
        self.trace
    }
}

//! Runs at hand: those recorded here, frozen for good, and those fetched from others, which can be
//! raced and watched but never submitted.

use std::collections::VecDeque;

use async_replay::{EndReason, Limits, Run, RunId};

use crate::Error;
use crate::events::FetchedRun;

/// Most recorded runs kept in memory; the oldest leaves first.
pub const RECORDED_MAX: usize = 16;
/// Most fetched runs kept in memory; the oldest leaves first.
pub const FETCHED_MAX: usize = 256;

/// A recorded run. Nothing changes it any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frozen {
    /// The run.
    pub id: RunId,
    /// The file.
    pub bytes: Vec<u8>,
    /// Frames of the run.
    pub frames: u32,
    /// The score.
    pub score: i64,
    /// Why it ended.
    pub reason: EndReason,
    /// It is for practice and never sent.
    pub practice: bool,
    /// It carries the signature of this device's player.
    pub signed: bool,
    /// The encoded trace, where one was asked for.
    pub trace: Option<Vec<u8>>,
}

/// The runs at hand.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    recorded: VecDeque<Frozen>,
    fetched: VecDeque<(RunId, Vec<u8>)>,
    limits: Limits,
}

impl Runs {
    pub(crate) fn new(limits: Limits) -> Self {
        Self {
            limits,
            ..Self::default()
        }
    }

    pub(crate) fn keep_recorded(&mut self, run: Frozen) {
        self.recorded.retain(|kept| kept.id != run.id);
        if self.recorded.len() == RECORDED_MAX {
            self.recorded.pop_front();
        }
        self.recorded.push_back(run);
    }

    /// A recorded run by its id, or the last one.
    pub(crate) fn recorded(&self, id: Option<RunId>) -> Result<&Frozen, Error> {
        let found = match id {
            None => self.recorded.back(),
            Some(id) => self.recorded.iter().find(|run| run.id == id),
        };
        found.ok_or_else(|| unknown(id))
    }

    /// Keeps a run that somebody sent, if it is the one that was asked for.
    pub(crate) fn keep_fetched(&mut self, id: RunId, bytes: &[u8]) -> Result<FetchedRun, Error> {
        let run = Run::open(bytes, &self.limits)?;
        if run.id() != id {
            return Err(Error::BadAnswer(format!(
                "asked for run {id}, got {}",
                run.id()
            )));
        }
        self.fetched.retain(|(kept, _)| *kept != id);
        if self.fetched.len() == FETCHED_MAX {
            self.fetched.pop_front();
        }
        self.fetched.push_back((id, bytes.to_vec()));
        Ok(FetchedRun {
            id,
            player: run.header.player,
            name: run.header.player_name,
            score: run.end.score,
            frames: run.end.frames,
            bytes: bytes.len(),
        })
    }

    /// The file of any run at hand.
    pub(crate) fn bytes(&self, id: RunId) -> Result<&[u8], Error> {
        let fetched = self.fetched.iter().find(|(kept, _)| *kept == id);
        match (self.recorded(Some(id)), fetched) {
            (Ok(run), _) => Ok(&run.bytes),
            (Err(_), Some((_, bytes))) => Ok(bytes),
            (Err(error), None) => Err(error),
        }
    }
}

fn unknown(id: Option<RunId>) -> Error {
    Error::UnknownRun(id.map_or_else(|| "yet".to_owned(), |id| id.to_string()))
}

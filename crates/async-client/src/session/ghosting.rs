//! Ghosts beside the game, and verdicts on runs.

use async_protocol::Verdict;
use async_replay::{Run, RunId};
use async_verify::{Evidence, Trace};

use super::Session;
use crate::Error;
use crate::ghosts::{GhostInfo, GhostOptions, GhostState, Play};

impl Session {
    /// Loads a run as a ghost.
    ///
    /// # Errors
    /// `ghosts_full`; codes of the run format for what is no run.
    pub fn load_ghost(&mut self, run: &[u8], options: GhostOptions) -> Result<GhostInfo, Error> {
        let run = Run::open(run, self.verifier.limits())?;
        self.ghosts.load(run, self.verifier.catalogue(), options)
    }

    /// Loads a recorded or fetched run as a ghost.
    ///
    /// # Errors
    /// `unknown_run`; as [`Session::load_ghost`].
    pub fn load_ghost_by_id(
        &mut self,
        id: RunId,
        options: GhostOptions,
    ) -> Result<GhostInfo, Error> {
        let run = Run::open(self.runs.bytes(id)?, self.verifier.limits())?;
        self.ghosts.load(run, self.verifier.catalogue(), options)
    }

    /// Forgets a ghost.
    ///
    /// # Errors
    /// `unknown_ghost`.
    pub fn unload_ghost(&mut self, ghost: u64) -> Result<(), Error> {
        self.ghosts.unload(ghost)
    }

    /// Starts, pauses (speed 0) or moves a ghost.
    ///
    /// # Errors
    /// `unknown_ghost`; `bad_arguments` for a frame that its run does not have, or a bad speed.
    pub fn play(&mut self, ghost: u64, play: &Play) -> Result<(), Error> {
        self.ghosts.play(ghost, play)
    }

    /// Where a ghost is, and the gap to it; the track of its slot if none is given. Allocates
    /// nothing.
    ///
    /// # Errors
    /// `unknown_ghost`; `bad_arguments` for a track that there is not.
    pub fn ghost(&self, ghost: u64, track: Option<usize>) -> Result<GhostState, Error> {
        let progress = self
            .recorder
            .as_ref()
            .and_then(|recorder| recorder.progress());
        self.ghosts.state(ghost, track, progress)
    }

    /// The place of a track among a ghost's tracks, by its name.
    ///
    /// # Errors
    /// `unknown_ghost`; `bad_arguments` for a track that there is not.
    pub fn ghost_track(&self, ghost: u64, name: &str) -> Result<usize, Error> {
        self.ghosts.track(ghost, name)
    }

    /// The loaded ghosts.
    pub fn ghosts(&self) -> impl Iterator<Item = &GhostInfo> {
        self.ghosts.list()
    }

    /// Judges a run here, by the session's rules and the same code as the server's.
    ///
    /// # Errors
    /// `trace_…` codes for a trace that cannot be read; what is wrong with the run is the verdict.
    pub fn verify(&self, run: &[u8], trace: Option<&[u8]>) -> Result<Verdict, Error> {
        let trace = trace.map(Trace::decode).transpose()?;
        let mut evidence = Evidence::local(&self.kits.settings.rules);
        evidence.trace = trace.as_ref();
        Ok(self.verifier.verify(run, &evidence))
    }
}

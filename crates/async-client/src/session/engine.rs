//! What an engine tells of its game: where the tracks are, marks, pauses, score, progress.

use async_replay::{MarkKind, Precision};

use super::Session;
use crate::Error;
use crate::args::bad;
use crate::recorder::{EngineSample, mark_kind, on_grid};

impl Session {
    /// Where a track of an engine game is now; samples are taken from it on the fixed grid.
    ///
    /// # Errors
    /// `not_an_engine_game`, `not_recording`, `bad_arguments` for a track that there is not,
    /// `bad_sample` for what is no place or no rotation.
    pub fn sample(&mut self, track: usize, given: &EngineSample) -> Result<(), Error> {
        self.engine_only("sample")?;
        let recorder = self.recorder.as_mut().ok_or(Error::NotRecording)?;
        let declared = recorder.header().samples.as_ref();
        let Some(declared) = declared else {
            // `record: inputs`: there is nothing to keep, and nothing wrong.
            return Ok(());
        };
        let schema = declared.tracks.get(track);
        let schema = schema.ok_or_else(|| bad("`track` is one of game.engine's `tracks`"))?;
        let sample = on_grid(schema, declared.precision, given)?;
        if let Some(tracks) = recorder.engine_tracks() {
            tracks.set(track, sample, given.turn);
        }
        Ok(())
    }

    /// The place of a track in the configuration, by its name.
    pub fn engine_track(&self, name: &str) -> Option<usize> {
        self.kits
            .engine
            .tracks
            .iter()
            .position(|track| track.name == name)
    }

    /// The grid that samples lie on.
    pub fn precision(&self) -> Precision {
        Precision::default()
    }

    /// The kind of a mark by its name: `split`, `lap`, `respawn` or a configured event.
    ///
    /// # Errors
    /// `bad_arguments`.
    pub fn mark_kind(&self, name: &str) -> Result<MarkKind, Error> {
        mark_kind(&self.kits.engine, name)
    }

    /// Records a stamped event.
    ///
    /// # Errors
    /// `not_recording`; codes of the run format.
    pub fn mark(&mut self, kind: MarkKind, value: i64) -> Result<(), Error> {
        self.recorder
            .as_mut()
            .ok_or(Error::NotRecording)?
            .mark(kind, value)
    }

    /// Freezes the frame count. How long it lasts is recorded.
    pub fn pause(&mut self) {
        self.clock.pause();
    }

    /// Lets frames run again.
    pub fn resume(&mut self) {
        if let Some(wall_ms) = self.clock.resume() {
            self.record_pause(wall_ms);
        }
    }

    /// Whether the frame count is frozen.
    pub fn paused(&self) -> bool {
        self.clock.is_paused()
    }

    /// The score that an engine game claims so far.
    ///
    /// # Errors
    /// `not_an_engine_game`, `not_recording`.
    pub fn set_score(&mut self, score: i64) -> Result<(), Error> {
        self.engine_only("score")?;
        let recorder = self.recorder.as_mut().ok_or(Error::NotRecording)?;
        if let Some(tracks) = recorder.engine_tracks() {
            tracks.score = score;
        }
        Ok(())
    }

    /// How far the player of an engine game has come; it never falls.
    ///
    /// # Errors
    /// `not_an_engine_game`, `not_recording`.
    pub fn set_progress(&mut self, progress: i64) -> Result<(), Error> {
        self.engine_only("progress")?;
        let recorder = self.recorder.as_mut().ok_or(Error::NotRecording)?;
        if let Some(tracks) = recorder.engine_tracks() {
            tracks.set_progress(progress);
        }
        Ok(())
    }

    fn engine_only(&self, method: &'static str) -> Result<(), Error> {
        if self.revision == 0 {
            Ok(())
        } else {
            Err(Error::NotAnEngineGame(method))
        }
    }
}

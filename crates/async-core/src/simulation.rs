//! The one way to step a game.

use alloc::{boxed::Box, vec::Vec};
use core::fmt;

use crate::{
    Catalogue, Error, FRAMES_MAX, Fault, FrameRate, Game, Input, Options, PLAYERS_MAX, RunDigest,
    SEED_MAX, Step, WorkBudget, input::InputMask,
};

/// All that a game is started from. A run's header carries every field of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Where all randomness comes from, 0..=[`SEED_MAX`].
    pub seed: u64,
    /// How many slots are played, 1 to 8.
    pub players: u8,
    /// The recording player's slot: its score is the run's, and its finish ends a race.
    pub slot: u8,
    /// Frames a second.
    pub rate: FrameRate,
    /// The game's own options.
    pub options: Options,
}

impl Setup {
    /// Whether the setup is one for any game at all.
    ///
    /// # Errors
    /// [`Error::BadSeed`], [`Error::BadPlayers`], [`Error::BadSlot`].
    pub fn check(&self) -> Result<(), Error> {
        if self.seed > SEED_MAX {
            return Err(Error::BadSeed(self.seed));
        }
        if self.players == 0 || usize::from(self.players) > PLAYERS_MAX {
            return Err(Error::BadPlayers(self.players, "1 to 8 can play"));
        }
        if self.slot >= self.players {
            return Err(Error::BadSlot {
                slot: self.slot,
                players: self.players,
            });
        }
        Ok(())
    }
}

/// A game together with its frame count and the digest of the run so far.
///
/// Recorder, verifier and ghosts all step games through this, so that all of them refuse the same
/// frames and chain the same digest.
pub struct Simulation {
    game: Box<dyn Game>,
    mask: InputMask,
    frame: u32,
    finished: bool,
    run: RunDigest,
    state: u64,
}

impl Simulation {
    /// Starts a game of the catalogue.
    ///
    /// # Errors
    /// Those of [`Catalogue::start`].
    pub fn start(
        catalogue: &Catalogue,
        name: &str,
        revision: u32,
        setup: &Setup,
    ) -> Result<Self, Error> {
        let game = catalogue.start(name, revision, setup)?;
        let mask = InputMask::of(game.schema());
        let state = game.digest();
        let mut run = RunDigest::start(name, revision, setup);
        run.absorb(&[], state);
        Ok(Self {
            game,
            mask,
            frame: 0,
            finished: false,
            run,
            state,
        })
    }

    /// Plays one frame.
    ///
    /// # Errors
    /// [`Fault::FramesAfterFinish`], [`Fault::TooManyFrames`], [`Fault::WrongInputs`] and
    /// [`Fault::InputUndeclared`] leave everything as it was; a fault of the game itself leaves a
    /// simulation that is not to be used further.
    pub fn step(&mut self, inputs: &[Input]) -> Result<Step, Fault> {
        if self.finished {
            return Err(Fault::FramesAfterFinish);
        }
        if self.frame >= FRAMES_MAX {
            return Err(Fault::TooManyFrames);
        }
        if inputs.len() != usize::from(self.game.players()) {
            return Err(Fault::WrongInputs);
        }
        if !inputs.iter().all(|input| self.mask.allows(input)) {
            return Err(Fault::InputUndeclared);
        }
        let step = self.game.step(inputs, &mut WorkBudget::default())?;
        self.frame += 1;
        self.finished = step == Step::Finished;
        self.state = self.game.digest();
        self.run.absorb(inputs, self.state);
        Ok(step)
    }

    /// How many frames were played.
    #[must_use]
    pub fn frame(&self) -> u32 {
        self.frame
    }

    /// Whether the game has finished; there is no frame after that.
    #[must_use]
    pub fn finished(&self) -> bool {
        self.finished
    }

    /// The digest over the setup and every frame's inputs and state so far.
    #[must_use]
    pub fn run_digest(&self) -> u64 {
        self.run.value()
    }

    /// The digest of the state after the last frame.
    #[must_use]
    pub fn state_digest(&self) -> u64 {
        self.state
    }

    /// The game, to look at.
    #[must_use]
    pub fn game(&self) -> &dyn Game {
        self.game.as_ref()
    }

    /// Appends frame count, run digest and game state. A local format: it may change between
    /// builds.
    pub fn save(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.frame.to_le_bytes());
        out.push(u8::from(self.finished));
        out.extend_from_slice(&self.run.value().to_le_bytes());
        self.game.save(out);
    }

    /// Returns to a saved state of a simulation with the same game and setup.
    ///
    /// # Errors
    /// [`Error::BadSave`]; everything is then as it was.
    pub fn load(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let short = Error::BadSave("cut short");
        let (frame, rest) = bytes.split_first_chunk::<4>().ok_or(short.clone())?;
        let (finished, rest) = rest.split_first().ok_or(short.clone())?;
        let (run, rest) = rest.split_first_chunk::<8>().ok_or(short)?;
        let frame = u32::from_le_bytes(*frame);
        if frame > FRAMES_MAX || *finished > 1 {
            return Err(Error::BadSave("no such frame"));
        }
        self.game.load(rest)?;
        self.frame = frame;
        self.finished = *finished == 1;
        self.run = RunDigest::resume(u64::from_le_bytes(*run));
        self.state = self.game.digest();
        Ok(())
    }
}

impl Clone for Simulation {
    fn clone(&self) -> Self {
        Self {
            game: self.game.boxed_clone(),
            ..*self
        }
    }
}

impl fmt::Debug for Simulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Simulation")
            .field("game", &self.game.id())
            .field("frame", &self.frame)
            .field("finished", &self.finished)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

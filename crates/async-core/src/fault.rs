//! How a frame can end: with the game running, finished, or at fault.

/// What a frame left behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// There are more frames to play.
    Running,
    /// This was the last frame; the score is final.
    Finished,
}

/// Why a frame could not be simulated. A run with a fault in it is a failed run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The game's own code failed (a wasm module trapped).
    #[error("the game trapped")]
    Trap,
    /// The state holds a value that is not a number, so it means nothing any more.
    #[error("the state is not a number")]
    NotANumber,
    /// The frame wanted more work than its budget.
    #[error("the frame is too expensive")]
    TooExpensive,
    /// The game was already finished.
    #[error("the game had finished before this frame")]
    FramesAfterFinish,
    /// The run is longer than [`FRAMES_MAX`](crate::FRAMES_MAX).
    #[error("more frames than a run may have")]
    TooManyFrames,
    /// Not exactly one input per player.
    #[error("not one input per player")]
    WrongInputs,
    /// An input uses what the game's schema does not declare.
    #[error("an input uses what its schema does not declare")]
    InputUndeclared,
}

impl Fault {
    /// The stable code of this fault, one of [`CODES`](crate::CODES).
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Trap => "trap",
            Self::NotANumber => "not_a_number",
            Self::TooExpensive => "too_expensive",
            Self::FramesAfterFinish => "frames_after_finish",
            Self::TooManyFrames => "too_many_frames",
            Self::WrongInputs => "wrong_inputs",
            Self::InputUndeclared => "input_undeclared",
        }
    }
}

/// The work a frame may still do, in units that each game defines (the arena: one per body and
/// tick; a wasm module: its fuel). Whoever steps an untrusted game bounds it with this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkBudget {
    left: u64,
}

impl WorkBudget {
    /// What [`Simulation`](crate::Simulation) grants each frame: a thousand times what the arena
    /// needs, and still far below a second of work.
    pub const FRAME_UNITS: u64 = 1 << 20;

    /// A budget of so many units.
    #[must_use]
    pub const fn new(units: u64) -> Self {
        Self { left: units }
    }

    /// The units that are left.
    #[must_use]
    pub const fn left(&self) -> u64 {
        self.left
    }

    /// Spends `units`.
    ///
    /// # Errors
    /// [`Fault::TooExpensive`] if there are not so many left; the budget is then empty.
    #[inline]
    pub fn charge(&mut self, units: u64) -> Result<(), Fault> {
        match self.left.checked_sub(units) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => {
                self.left = 0;
                Err(Fault::TooExpensive)
            }
        }
    }
}

impl Default for WorkBudget {
    fn default() -> Self {
        Self::new(Self::FRAME_UNITS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_runs_out_exactly_at_its_end() {
        let mut budget = WorkBudget::new(3);
        assert_eq!(budget.charge(3), Ok(()));
        assert_eq!(budget.charge(1), Err(Fault::TooExpensive));
        let mut budget = WorkBudget::new(3);
        assert_eq!(budget.charge(4), Err(Fault::TooExpensive));
        assert_eq!(budget.left(), 0);
    }
}

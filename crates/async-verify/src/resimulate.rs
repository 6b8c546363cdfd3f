//! A run played again from its header and its inputs.

use async_core::{Catalogue, Order, Setup, Simulation};
use async_replay::{Checkpoint, EndReason, Header, Run};

use crate::finding::{
    DIVERGED, FRAMES_AFTER_FINISH, Finding, SCORE_MISMATCH, UNFINISHED_GAME, WRONG_SCHEMA,
};
use crate::samples::SampleCheck;

/// What a re-simulation came to.
#[derive(Debug)]
pub(crate) struct Replayed {
    /// The score of the run's slot as simulated, or as claimed where nothing could be simulated.
    pub(crate) score: i64,
    /// The run digest after the last frame simulated.
    pub(crate) digest: u64,
    /// The last checkpoint that agreed and the first that did not, where the run diverged.
    pub(crate) stretch: Option<(u32, u32)>,
    /// What spoke against the run first.
    pub(crate) finding: Option<Finding>,
}

impl Replayed {
    fn not_started(run: &Run, finding: Finding) -> Self {
        Self {
            score: run.end.score,
            digest: 0,
            stretch: None,
            finding: Some(finding),
        }
    }
}

/// The part of a header that reaches the simulation.
pub(crate) fn setup(header: &Header) -> Setup {
    Setup {
        seed: header.seed,
        players: header.players,
        slot: header.slot,
        rate: header.rate,
        options: header.options.clone(),
    }
}

/// Starts the game of a header, or says why it cannot be: the message names what was recorded and
/// what is known here.
pub(crate) fn start(catalogue: &Catalogue, header: &Header) -> Result<Simulation, Finding> {
    let started = Simulation::start(catalogue, &header.game, header.revision, &setup(header));
    started.map_err(|error| {
        let known = catalogue.latest(&header.game);
        let msg = match known {
            Some(latest) if error.code() == "unknown_revision" => format!(
                "recorded with revision {} of {}, known here up to {latest}",
                header.revision, header.game
            ),
            None => format!("recorded with the game {:?}, not known here", header.game),
            _ => error.to_string(),
        };
        Finding::refused(error.code(), msg)
    })
}

/// Plays `run` again and compares every checkpoint, the last digest, the frame count, the score
/// and the samples. It stops at the first difference, so it never costs more than the run's own
/// frames.
pub(crate) fn resimulate(catalogue: &Catalogue, run: &Run, ranking: bool) -> Replayed {
    let simulation = match start(catalogue, &run.header) {
        Ok(simulation) => simulation,
        Err(finding) => return Replayed::not_started(run, finding),
    };
    if run.header.inputs.as_ref() != Some(simulation.game().schema()) {
        let msg = format!(
            "the inputs are declared otherwise than {} does",
            run.header.game
        );
        return Replayed::not_started(run, Finding::refused(WRONG_SCHEMA, msg));
    }
    let samples = match SampleCheck::new(run, run.header.players) {
        Ok(samples) => samples,
        Err(finding) => return Replayed::not_started(run, finding),
    };
    let mut replay = Replay {
        run,
        simulation,
        samples,
        agreed: 0,
        apart: None,
    };
    let finding = replay
        .play()
        .and_then(|()| replay.compare_end(ranking))
        .err();
    Replayed {
        score: replay.simulation.game().score(run.header.slot),
        digest: replay.simulation.run_digest(),
        stretch: replay.apart.map(|apart| (replay.agreed, apart)),
        finding,
    }
}

struct Replay<'a> {
    run: &'a Run,
    simulation: Simulation,
    samples: SampleCheck<'a>,
    /// The last checkpoint that agreed.
    agreed: u32,
    /// The first that did not.
    apart: Option<u32>,
}

impl Replay<'_> {
    fn play(&mut self) -> Result<(), Finding> {
        let run = self.run;
        let mut checkpoints = run.checkpoints.iter();
        let mut expected = checkpoints.next();
        // Samples that differ are a finding only if the frames agree: a changed input shows in
        // both, and the digest says it better.
        let mut shown = self.samples.at(0, self.simulation.game());
        for inputs in run.inputs.iter() {
            if let Err(fault) = self.simulation.step(inputs) {
                return Err(self.fault(fault));
            }
            let frame = self.simulation.frame();
            if shown.is_ok() {
                shown = self.samples.at(frame, self.simulation.game());
            }
            if expected.is_some_and(|checkpoint| checkpoint.frame == frame) {
                let digest = self.simulation.run_digest();
                if expected != Some(&Checkpoint::of(frame, digest)) {
                    return Err(self.diverged(frame));
                }
                self.agreed = frame;
                expected = checkpoints.next();
            }
        }
        let frame = self.simulation.frame();
        if self.simulation.run_digest() != run.end.digest || expected.is_some() {
            return Err(self.diverged(frame));
        }
        shown
    }

    fn fault(&mut self, fault: async_core::Fault) -> Finding {
        let frame = self.simulation.frame();
        let code = fault.code();
        if code == FRAMES_AFTER_FINISH {
            // Up to its finish the run looks whole; what differs lies before it.
            self.apart = Some(frame);
            let more = self.run.inputs.frames() - frame;
            let msg = format!("the game finished after {frame} frames, and {more} follow");
            return Finding::refused(code, msg);
        }
        self.apart = Some(frame.saturating_add(1));
        Finding::refused(code, format!("frame {frame}: {fault}"))
    }

    fn diverged(&mut self, frame: u32) -> Finding {
        self.apart = Some(frame);
        let agreed = self.agreed;
        Finding::refused(
            DIVERGED,
            format!("diverged between frames {agreed} and {frame}"),
        )
    }

    /// What can differ although every frame agreed.
    fn compare_end(&self, ranking: bool) -> Result<(), Finding> {
        let end = &self.run.end;
        let game = self.simulation.game();
        let finished = self.simulation.finished();
        if end.reason == EndReason::Finished && !finished {
            let msg = format!("said to be finished, and {} goes on", self.run.header.game);
            return Err(Finding::refused(UNFINISHED_GAME, msg));
        }
        let score = game.score(self.run.header.slot);
        if end.score != score {
            let msg = format!("the score is {score}, the run claims {}", end.score);
            return Err(Finding::refused(SCORE_MISMATCH, msg));
        }
        // A time counts once the course is finished; points count as far as they were made.
        if ranking && !finished && game.order() == Order::Ascending {
            let msg = "a race that was not finished has no time";
            return Err(Finding::refused(UNFINISHED_GAME, msg));
        }
        Ok(())
    }
}

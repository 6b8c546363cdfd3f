//! The judge.

use async_core::Catalogue;
use async_identity::{TicketUse, verify_run};
use async_protocol::{Status, TicketRule, Verdict};
use async_replay::{Hashes, Limits, Run};

use crate::finding::{
    Finding, NO_INPUTS, PRACTICE, TICKET_REQUIRED, TOO_FAST, UNKNOWN_CHUNKS, UNSIGNED, WRONG_BUILD,
    WRONG_CONTENT, WRONG_MODS,
};
use crate::resimulate::{Replayed, resimulate};
use crate::{Evidence, SignatureRule, TicketEvidence, opponent, rules};

/// Names of deterministic games that no engine game may use, known to this build or not.
const RESERVED: [&str; 2] = ["arena", "physics"];

/// How much sooner than its own length a run may arrive after its ticket, in percent: displays and
/// device clocks that drive a game run up to a percent or two fast.
const EARLY_PERCENT: u64 = 2;

/// Judges runs. It holds no state between them: one serves any number of threads.
#[derive(Debug, Clone)]
pub struct Verifier {
    catalogue: Catalogue,
    limits: Limits,
}

/// A run that was opened and judged, with what opening it already computed.
#[derive(Debug, Clone)]
pub struct Examined {
    /// What was found.
    pub verdict: Verdict,
    /// The run and all that names it; `None` if the bytes are no run.
    pub opened: Option<(Run, Hashes)>,
}

impl Verifier {
    /// A judge that knows the games of `catalogue` and opens files within `limits`.
    #[must_use]
    pub fn new(catalogue: Catalogue, limits: Limits) -> Self {
        Self { catalogue, limits }
    }

    /// The games that can be re-simulated.
    #[must_use]
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// The bounds within which files are opened.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Whether runs of this game are re-simulated, so that boards trust only verified ones.
    #[must_use]
    pub fn is_deterministic(&self, game: &str) -> bool {
        RESERVED.contains(&game) || self.catalogue.latest(game).is_some()
    }

    /// Judges a file.
    #[must_use]
    pub fn verify(&self, bytes: &[u8], evidence: &Evidence<'_>) -> Verdict {
        self.examine(bytes, evidence).verdict
    }

    /// Judges a file and hands over the run that it holds.
    #[must_use]
    pub fn examine(&self, bytes: &[u8], evidence: &Evidence<'_>) -> Examined {
        match Run::open(bytes, &self.limits) {
            Ok(run) => {
                let hashes = run.hashes();
                let verdict = self.verify_hashed(&run, &hashes, evidence);
                Examined {
                    verdict,
                    opened: Some((run, hashes)),
                }
            }
            Err(error) => {
                let verdict = Verdict::refused(error.code(), error.to_string());
                Examined {
                    verdict,
                    opened: None,
                }
            }
        }
    }

    /// Judges a run from anywhere, also one that was built or changed in memory.
    #[must_use]
    pub fn verify_run(&self, run: &Run, evidence: &Evidence<'_>) -> Verdict {
        match run.check() {
            Ok(()) => self.verify_hashed(run, &run.hashes(), evidence),
            Err(error) => {
                let mut verdict = Verdict::refused(error.code(), error.to_string());
                (verdict.score, verdict.frames) = (run.end.score, run.end.frames);
                verdict
            }
        }
    }

    /// Judges a run as [`Run::open`] gave it, whose form is therefore known to be right. `hashes`
    /// must be the run's own.
    ///
    /// What is wrong with the frames comes before what is wrong with the signature: who changed an
    /// input learns where it shows, whether or not they could sign the result. What is only doubted
    /// (a quarantine, a missing opponent) comes last: who keeps such a run knows whose it is.
    #[must_use]
    pub fn verify_hashed(&self, run: &Run, hashes: &Hashes, evidence: &Evidence<'_>) -> Verdict {
        let mut verdict = Verdict::new(Status::Refused, Verdict::OK, "");
        verdict.score = run.end.score;
        verdict.frames = run.end.frames;
        let found = self.judge(run, hashes, evidence, &mut verdict);
        let (status, code, msg) = match found {
            Ok((status, code, msg)) => (status, code, msg),
            Err(finding) => (finding.status, finding.code, finding.msg),
        };
        verdict.status = status;
        verdict.code = code.into();
        verdict.msg = msg;
        verdict
    }

    fn judge(
        &self,
        run: &Run,
        hashes: &Hashes,
        evidence: &Evidence<'_>,
        verdict: &mut Verdict,
    ) -> Result<(Status, &'static str, String), Finding> {
        check_ranking(run, evidence)?;
        check_expected(run, evidence)?;
        let deterministic = run.header.revision > 0 || self.is_deterministic(&run.header.game);
        let simulated = deterministic && run.header.inputs.is_some();
        let mut doubt = Doubt::default();
        if simulated {
            let replayed = resimulate(&self.catalogue, run, evidence.ranking);
            self.take_over(replayed, run, evidence, verdict)?;
            doubt.weigh(opponent::check(run, evidence))?;
        } else if deterministic {
            // Still refuse what could not be a run of the game at all.
            crate::resimulate::start(&self.catalogue, &run.header)?;
        }
        doubt.weigh(rules::check(run, verdict.score, evidence.rules))?;
        if !simulated {
            doubt.weigh(rules::check_movement(run, evidence.rules))?;
        }
        check_ticket(run, evidence)?;
        check_signature(run, hashes, evidence.signature)?;
        if let Some(finding) = doubt.first {
            return Err(finding);
        }
        Ok(if simulated {
            let msg = format!("{} frames re-simulated, all agree", verdict.frames);
            (Status::Verified, Verdict::OK, msg)
        } else if deterministic {
            let msg = "without inputs there is nothing to re-simulate; the rules hold".to_owned();
            (Status::Plausible, NO_INPUTS, msg)
        } else {
            (Status::Plausible, Verdict::OK, "the rules hold".to_owned())
        })
    }

    /// Puts what a re-simulation found into the verdict, with the exact place where a trace can
    /// name it.
    fn take_over(
        &self,
        replayed: Replayed,
        run: &Run,
        evidence: &Evidence<'_>,
        verdict: &mut Verdict,
    ) -> Result<(), Finding> {
        verdict.score = replayed.score;
        verdict.digest = replayed.digest;
        let Some(mut finding) = replayed.finding else {
            return Ok(());
        };
        if let Some((agreed, frame)) = replayed.stretch {
            verdict.agreed = Some(agreed);
            verdict.frame = Some(frame);
            let traced = evidence
                .trace
                .map(|trace| trace.first_divergence(run, &self.catalogue));
            if let Some(Ok(Some(found))) = traced {
                finding.msg = format!("diverged at frame {}: {found}", found.frame);
                verdict.frame = Some(found.frame);
                verdict.field = Some(found.field);
            }
        }
        Err(finding)
    }
}

/// What keeps a run from its rank without refusing it. It waits until nothing refuses the run:
/// what is kept, if only in quarantine, must be its player's own.
#[derive(Debug, Default)]
struct Doubt {
    first: Option<Finding>,
}

impl Doubt {
    /// Keeps the first doubt for later; a refusal goes through.
    fn weigh(&mut self, found: Result<(), Finding>) -> Result<(), Finding> {
        match found {
            Err(finding) if finding.status == Status::Refused => Err(finding),
            Err(finding) => {
                self.first.get_or_insert(finding);
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }
}

/// What a board asks of file and header alone.
fn check_ranking(run: &Run, evidence: &Evidence<'_>) -> Result<(), Finding> {
    if !evidence.ranking {
        return Ok(());
    }
    if run.unknown_chunks > 0 {
        let msg = format!("{} chunks are of a kind not known here", run.unknown_chunks);
        return Err(Finding::refused(UNKNOWN_CHUNKS, msg));
    }
    if run.header.practice {
        return Err(Finding::refused(PRACTICE, "a practice run never ranks"));
    }
    Ok(())
}

fn check_expected(run: &Run, evidence: &Evidence<'_>) -> Result<(), Finding> {
    let (header, expected) = (&run.header, &evidence.expected);
    let differs = |code, what, recorded: String, known: String| {
        Err(Finding::refused(
            code,
            format!("recorded with {what} {recorded}, known here {known}"),
        ))
    };
    if let Some(build) = expected.build.filter(|build| *build != header.build) {
        return differs(
            WRONG_BUILD,
            "build",
            format!("{:?}", header.build),
            format!("{build:?}"),
        );
    }
    if let Some(content) = expected
        .content
        .filter(|known| Some(*known) != header.content)
    {
        let recorded = header
            .content
            .map_or_else(|| "none".to_owned(), |hash| hex(&hash));
        return differs(WRONG_CONTENT, "content", recorded, hex(&content));
    }
    if let Some(mods) = expected.mods.filter(|mods| *mods != header.mods) {
        return differs(
            WRONG_MODS,
            "mods",
            format!("{:?}", header.mods),
            format!("{mods:?}"),
        );
    }
    Ok(())
}

fn hex(hash: &[u8; 32]) -> String {
    async_replay::FullHash(*hash).to_string()
}

fn check_ticket(run: &Run, evidence: &Evidence<'_>) -> Result<(), Finding> {
    match evidence.rules.ticket {
        TicketRule::Off => return Ok(()),
        TicketRule::Required if run.header.ticket.is_none() => {
            return Err(Finding::refused(
                TICKET_REQUIRED,
                "this board wants a ticket",
            ));
        }
        TicketRule::Required | TicketRule::Optional => {}
    }
    let Some(TicketEvidence {
        ticket,
        app,
        arrived_ms,
    }) = evidence.ticket
    else {
        return Ok(());
    };
    let header = &run.header;
    let player = header.player.map_or([0; 32], |player| player.0);
    let used = TicketUse {
        app,
        player: &player,
        board: &header.board,
        ruleset: &header.ruleset().0,
        opponent: header.opponent.as_ref().map(|opponent| &opponent.run.0),
        seed: header.seed,
    };
    ticket
        .check_for(&used)
        .map_err(|error| Finding::refused(error.code(), error.to_string()))?;
    let lasts_ms = header.rate.milliseconds(run.end.frames);
    let passed_ms = arrived_ms.saturating_sub(ticket.issued_ms);
    if passed_ms < lasts_ms - lasts_ms * EARLY_PERCENT / 100 {
        let msg = format!("{lasts_ms} ms of play arrived {passed_ms} ms after its ticket");
        return Err(Finding::refused(TOO_FAST, msg));
    }
    Ok(())
}

fn check_signature(run: &Run, hashes: &Hashes, rule: SignatureRule) -> Result<(), Finding> {
    let (player, signature) = match (run.header.player, run.signature) {
        (Some(player), Some(signature)) => (player, signature),
        (None, Some(_)) => {
            return Err(Finding::refused(
                "bad_signature",
                "signed, but by no player",
            ));
        }
        (_, None) if rule == SignatureRule::Required => {
            return Err(Finding::refused(UNSIGNED, "nobody signed this run"));
        }
        (_, None) => return Ok(()),
    };
    verify_run(&player.0, &hashes.full.0, &signature)
        .map_err(|error| Finding::refused(error.code(), error.to_string()))
}

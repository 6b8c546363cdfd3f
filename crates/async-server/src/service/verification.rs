//! Holding a run against what this server knows: its board, its ticket, its opponent.

use std::borrow::Cow;

use async_identity::{Ticket, TicketUse as TicketFor};
use async_protocol::codes::lookup;
use async_protocol::{Rules, RunId, Status, TicketRule, Verdict};
use async_replay::{Hashes, Header, Run};
use async_store::Board;
use async_verify::{Evidence, TicketEvidence};

use super::Service;
use crate::failure::Failure;

/// An open run and where it is to stand.
#[derive(Clone, Copy)]
pub(super) struct Checked<'a> {
    pub(super) run: &'a Run,
    pub(super) hashes: &'a Hashes,
    pub(super) app: &'a str,
    pub(super) board: &'a Board,
}

impl Service {
    /// The ticket that the header carries, opened; `None` where there is none or the board
    /// ignores tickets.
    ///
    /// # Errors
    /// Why it is none of ours, or not for this run.
    pub(super) fn ticket(
        &self,
        app: &str,
        board: &Board,
        header: &Header,
        arrived_ms: u64,
    ) -> Result<Option<Ticket>, Failure> {
        let Some(bytes) = &header.ticket else {
            return Ok(None);
        };
        if board.policy.ticket == TicketRule::Off {
            return Ok(None);
        }
        let ticket = Ticket::open(bytes, &self.ring)?;
        ticket.check_for(&TicketFor {
            app,
            player: &header.player.map(|player| player.0).unwrap_or_default(),
            board: &header.board,
            ruleset: &header.ruleset().0,
            opponent: header.opponent.as_ref().map(|opponent| &opponent.run.0),
            seed: header.seed,
        })?;
        ticket.check_time(arrived_ms)?;
        Ok(Some(ticket))
    }

    /// Verifies an open run. Costs a simulation: on a verification thread only.
    pub(super) fn verify(
        &self,
        checked: &Checked<'_>,
        ticket: Option<&Ticket>,
        arrived_ms: u64,
    ) -> Result<Verdict, Failure> {
        let Checked {
            run,
            hashes,
            app,
            board,
        } = *checked;
        let rules = Rules {
            ticket: board.policy.ticket,
            ..board.policy.rules.clone()
        };
        let opponent = match &run.header.opponent {
            Some(opponent) => self.opponent(app, opponent.run)?,
            None => None,
        };
        let evidence = Evidence {
            ticket: ticket.map(|ticket| TicketEvidence {
                ticket,
                app,
                arrived_ms,
            }),
            opponent: opponent.as_ref(),
            ..Evidence::for_board(&rules)
        };
        Ok(self.verifier.verify_hashed(run, hashes, &evidence))
    }

    fn opponent(&self, app: &str, id: RunId) -> Result<Option<Run>, Failure> {
        let Some(bytes) = self.store.run_bytes(app, id)? else {
            return Ok(None);
        };
        // What is stored was opened when it came; if it cannot be now, it is not there.
        Ok(Run::open(&bytes, &self.limits).ok())
    }
}

/// The failure that tells of a refused run.
pub(super) fn refusal(id: Option<RunId>, verdict: &Verdict) -> Failure {
    let code = match &verdict.code {
        Cow::Borrowed(code) => code,
        Cow::Owned(code) => lookup(code).map_or("internal", |entry| entry.code),
    };
    let failure = Failure::new(code).say(&verdict.msg);
    let failure = match serde_json::to_value(verdict) {
        Ok(verdict) => failure.detail("verdict", verdict),
        Err(_) => failure,
    };
    failure.detail("id", id.map(|id| id.to_string()))
}

/// The failure of a file that is no whole run.
pub(super) fn unreadable(error: &async_replay::Error) -> Failure {
    refusal(None, &Verdict::refused(error.code(), error.to_string()))
}

/// The verdict of a run that waits for its verification.
pub(super) fn waiting(run: &Run) -> Verdict {
    let mut verdict = Verdict::new(Status::Pending, "queued", "a long run: it is verified soon");
    verdict.score = run.end.score;
    verdict.frames = run.end.frames;
    verdict
}

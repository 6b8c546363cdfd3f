//! A run comes in: from bytes to a durable answer.

use std::sync::Arc;

use async_identity::Receipt;
use async_protocol::wire::SubmitAnswer;
use async_protocol::{Base64, PlayerId, RulesetId, Status, Verdict, names};
use async_replay::{Hashes, Header, Run};
use async_store::{Board, NewRun, Submitted, TicketUse};
use tokio::sync::oneshot;

use super::verification::{Checked, refusal, unreadable, waiting};
use super::{Service, boards};
use crate::failure::Failure;

/// What was sent, and when it arrived.
#[derive(Debug)]
pub(crate) struct Submission {
    /// The whole file.
    pub(crate) bytes: Vec<u8>,
    /// The app that the request named; `None`: the run's own.
    pub(crate) app: Option<String>,
    /// By the server's clock, in Unix milliseconds.
    pub(crate) arrived_ms: u64,
}

/// A run that is kept, and whose it is.
#[derive(Debug)]
pub(crate) struct Accepted {
    pub(crate) submitted: Submitted,
    pub(crate) owner: Owner,
}

/// What a receipt states beside the standing.
#[derive(Clone, Debug)]
pub(crate) struct Owner {
    pub(crate) app: String,
    pub(crate) board: String,
    pub(crate) ruleset: RulesetId,
    pub(crate) player: PlayerId,
}

enum Decision {
    /// It was here before.
    Known(Accepted),
    /// It is to be stored.
    Store(Box<NewRun>, Owner),
}

type Reply = oneshot::Sender<Result<Accepted, Failure>>;

impl Service {
    /// Verifies and stores a run. What this returns is durable.
    ///
    /// # Errors
    /// `busy` when too many runs wait; why the run was refused; the store's own.
    pub(crate) async fn submit(
        self: &Arc<Self>,
        submission: Submission,
    ) -> Result<Accepted, Failure> {
        let (send, receive) = oneshot::channel();
        let service = Arc::clone(self);
        self.verifying
            .submit(move || service.take(submission, send))?;
        receive
            .await
            .unwrap_or_else(|_| Err(Failure::internal(&"a verification panicked")))
    }

    /// On a verification thread: decides, and leaves the rest to the store's own threads.
    fn take(self: &Arc<Self>, submission: Submission, reply: Reply) {
        // A client that hung up gets no answer, but its run is kept all the same.
        let (run, owner) = match self.decide(submission) {
            Ok(Decision::Store(run, owner)) => (run, owner),
            Ok(Decision::Known(known)) => return drop(reply.send(Ok(known))),
            Err(failure) => return drop(reply.send(Err(failure))),
        };
        let service = (run.status == Status::Pending).then(|| Arc::clone(self));
        self.store.submit(
            *run,
            Box::new(move |done| {
                if let (Some(service), Ok(_)) = (service, &done) {
                    service.late.wake();
                }
                let done = done.map(|submitted| Accepted { submitted, owner });
                drop(reply.send(done.map_err(Failure::from)));
            }),
        );
    }

    fn decide(&self, submission: Submission) -> Result<Decision, Failure> {
        let Submission {
            bytes,
            app,
            arrived_ms,
        } = submission;
        let run = Run::open(&bytes, &self.limits).map_err(|error| unreadable(&error))?;
        let hashes = run.hashes();
        let header = &run.header;
        let app = app_of(app, header)?;
        let id = hashes.full.id();
        let owner = Owner {
            app,
            board: header.board.clone(),
            ruleset: header.ruleset(),
            player: header.player.unwrap_or(PlayerId([0; 32])),
        };
        if let Some(first) = self.store.known(&owner.app, id)? {
            let submitted = Submitted {
                duplicate: true,
                ..first
            };
            return Ok(Decision::Known(Accepted { submitted, owner }));
        }
        let board = self.board(&owner.app, &header.board, Some(header))?;
        self.check_ruleset(&board, header)?;
        let (verdict, ticket_use) = self.judge(&run, &hashes, &owner, &board, arrived_ms)?;
        if verdict.status == Status::Refused {
            return Err(refusal(Some(id), &verdict));
        }
        self.bind(&board, owner.ruleset)?;
        let run = new_run(run, &hashes, &owner, &verdict, bytes)?;
        Ok(Decision::Store(
            Box::new(NewRun {
                received_ms: arrived_ms,
                ticket_use,
                ..run
            }),
            owner,
        ))
    }

    /// The verdict, and the ticket that is spent with it.
    fn judge(
        &self,
        run: &Run,
        hashes: &Hashes,
        owner: &Owner,
        board: &Board,
        arrived_ms: u64,
    ) -> Result<(Verdict, Option<TicketUse>), Failure> {
        let header = &run.header;
        let ticket = self.ticket(&owner.app, board, header, arrived_ms)?;
        let started_ms = ticket.as_ref().map(|ticket| ticket.issued_ms);
        boards::check_window(board, started_ms, arrived_ms, self.config.daily_grace_ms)?;
        if self
            .common_seed(board)
            .is_some_and(|seed| seed != header.seed)
        {
            return Err(Failure::new("wrong_seed"));
        }
        let work = u64::from(run.end.frames) * u64::from(header.players);
        let verdict = if work > self.config.pending_frames && !header.practice {
            waiting(run)
        } else {
            let checked = Checked {
                run,
                hashes,
                app: &owner.app,
                board,
            };
            self.verify(&checked, ticket.as_ref(), arrived_ms)?
        };
        if verdict.status == Status::Pending {
            // Whose it is must be known at once: what waits is kept, and spends a ticket.
            check_signature(run, hashes)?;
        }
        let ticket_use = ticket.map(|ticket| TicketUse {
            nonce: ticket.nonce,
            expires_ms: ticket.expires_ms,
        });
        Ok((verdict, ticket_use))
    }

    /// The answer of the wire, with the receipt.
    pub(crate) fn submit_answer(&self, accepted: &Accepted) -> Result<SubmitAnswer, Failure> {
        let Accepted { submitted, owner } = accepted;
        let verdict: Verdict =
            serde_json::from_str(&submitted.verdict).map_err(|error| Failure::internal(&error))?;
        let place = submitted.standing.place;
        let receipt = Receipt {
            key_id: self.key.key_id(),
            app: owner.app.clone(),
            run: submitted.id.0,
            player: owner.player.0,
            board: owner.board.clone(),
            ruleset: owner.ruleset.0,
            status: submitted.status.name().to_owned(),
            score: submitted.score,
            rank: place.map_or(0, |place| place.rank),
            rank_at_ms: submitted.accepted_at_ms,
        };
        let code = (verdict.code != Verdict::OK).then(|| verdict.code.to_string());
        Ok(SubmitAnswer {
            ok: submitted.status != Status::Refused,
            id: submitted.id,
            score: submitted.score,
            rank: place.map(|place| place.rank),
            position: place.map(|place| place.position),
            best: place.map(|place| place.score),
            status: submitted.status,
            code,
            duplicate: submitted.duplicate,
            stored: submitted.stored,
            verdict,
            receipt: Some(Base64(receipt.sign(&self.key)?)),
        })
    }
}

/// The app that the run is for: a header that names one must name the request's.
fn app_of(claimed: Option<String>, header: &Header) -> Result<String, Failure> {
    let own = &header.app;
    match claimed {
        Some(app) if app != *own && !own.is_empty() => Err(Failure::new("wrong_app")
            .detail("run", own.as_str())
            .detail("call", app)),
        Some(app) => Ok(app),
        None => Ok(own.clone()),
    }
}

fn check_signature(run: &Run, hashes: &Hashes) -> Result<(), Failure> {
    let (Some(player), Some(signature)) = (&run.header.player, &run.signature) else {
        return Err(Failure::new("unsigned"));
    };
    Ok(async_identity::verify_run(
        &player.0,
        &hashes.full.0,
        signature,
    )?)
}

fn new_run(
    run: Run,
    hashes: &Hashes,
    owner: &Owner,
    verdict: &Verdict,
    bytes: Vec<u8>,
) -> Result<NewRun, Failure> {
    let text = serde_json::to_string(verdict).map_err(|error| Failure::internal(&error))?;
    Ok(NewRun {
        app: owner.app.clone(),
        board: owner.board.clone(),
        ruleset: owner.ruleset,
        id: hashes.full.id(),
        player: owner.player,
        player_name: names::clean_cut(&run.header.player_name),
        build: run.header.build,
        score: verdict.score,
        frames: run.end.frames,
        status: verdict.status,
        practice: run.header.practice,
        verdict: text,
        input_hash: hashes.input_hash,
        input_changes: hashes.input_changes,
        received_ms: 0,
        ticket_use: None,
        bytes,
    })
}

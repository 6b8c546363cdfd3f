//! Tickets, dailies and the seeds they hand out.

use std::sync::Arc;

use async_identity::{SEED_MAX, Ticket, attempt_seed};
use async_protocol::calendar::daily_at;
use async_protocol::wire::{DailyAnswer, TicketAnswer, TicketRequest};
use async_protocol::{Base64, PlayerId, RulesetId, TicketRule};
use async_store::{Attempt, Board};
use tokio::sync::oneshot;

use super::Service;
use super::boards::{check_window, seed_name};
use crate::failure::Failure;

/// Who asks for a ticket, when.
pub(crate) struct Asking {
    pub(crate) app: String,
    pub(crate) player: PlayerId,
    pub(crate) now_ms: u64,
}

impl Service {
    /// Starts an attempt: where the board counts them, it is spent when this returns.
    ///
    /// # Errors
    /// `not_open`, `closed`, `wrong_ruleset`, `no_ruleset`, `unknown_run`, `no_attempts`, and
    /// whatever names no board.
    pub(crate) async fn issue_ticket(
        self: &Arc<Self>,
        asking: Asking,
        request: TicketRequest,
    ) -> Result<TicketAnswer, Failure> {
        let board = self.board(&asking.app, &request.board, None)?;
        check_window(&board, None, asking.now_ms, 0)?;
        let ruleset = ruleset(&board, &request)?;
        self.check_opponent(&asking.app, &request).await?;
        let attempt = self.count_attempt(&board, &asking).await?;
        let seed = self.attempt_seed(&board, asking.player, attempt)?;
        let expires_ms = asking.now_ms.saturating_add(self.config.ticket_lifetime_ms);
        let ticket = Ticket {
            version: async_identity::TICKET_VERSION,
            key_id: self.key.key_id(),
            app: asking.app,
            player: asking.player.0,
            board: request.board.clone(),
            ruleset: ruleset.0,
            opponent: request.opponent.map(|run| run.0),
            seed,
            attempt,
            issued_ms: asking.now_ms,
            expires_ms,
            nonce: random()?,
        };
        let attempts = board.policy.attempts;
        Ok(TicketAnswer {
            ticket: Base64(ticket.sign(&self.key)?),
            board: request.board,
            seed,
            attempt,
            attempts_left: (attempts > 0).then(|| attempts.saturating_sub(attempt)),
            issued_ms: asking.now_ms,
            expires_ms,
        })
    }

    /// The daily that is open at `now_ms`.
    ///
    /// # Errors
    /// `unknown_board` where an undeclared one would not be made.
    pub(crate) fn daily(&self, app: &str, now_ms: u64) -> Result<DailyAnswer, Failure> {
        let daily = daily_at(now_ms)?;
        let board = self.board(app, &daily.board, None)?;
        let seed = self.common_seed(&board);
        Ok(DailyAnswer {
            board: daily.board,
            opens_ms: daily.window.opens_ms,
            closes_ms: daily.window.closes_ms,
            server_ms: now_ms,
            // Where a ticket is required, it brings the seed: nobody practises it before.
            seed: seed.filter(|_| board.policy.ticket != TicketRule::Required),
        })
    }

    async fn check_opponent(
        self: &Arc<Self>,
        app: &str,
        request: &TicketRequest,
    ) -> Result<(), Failure> {
        let Some(opponent) = request.opponent else {
            return Ok(());
        };
        let app = app.to_owned();
        let found = self
            .read(move |service| Ok(service.store.run(&app, opponent)?))
            .await?;
        match found {
            Some(run) if !run.hidden => Ok(()),
            _ => Err(Failure::new("unknown_run").detail("id", opponent.to_string())),
        }
    }

    /// The number of the attempt, from 1 and durable; 0 where they are not counted.
    async fn count_attempt(&self, board: &Board, asking: &Asking) -> Result<u32, Failure> {
        if board.policy.attempts == 0 {
            return Ok(0);
        }
        let (send, receive) = oneshot::channel();
        let attempt = Attempt {
            app: asking.app.clone(),
            board: board.name.clone(),
            player: asking.player,
            attempts_max: board.policy.attempts,
            issued_ms: asking.now_ms,
        };
        self.store
            .issue_attempt(attempt, Box::new(move |done| drop(send.send(done))));
        let number = receive.await.unwrap_or(Err(async_store::Error::Closed))?;
        Ok(number)
    }

    fn attempt_seed(&self, board: &Board, player: PlayerId, attempt: u32) -> Result<u64, Failure> {
        if attempt > 0 {
            let secret = &self.secrets.daily_secret;
            return Ok(attempt_seed(secret, &seed_name(board), &player.0, attempt));
        }
        match self.common_seed(board) {
            Some(seed) => Ok(seed),
            None => Ok(u64::from_le_bytes(random()?) & SEED_MAX),
        }
    }
}

/// The ruleset of the attempt: the board's, or where none is bound yet, the one asked for.
fn ruleset(board: &Board, request: &TicketRequest) -> Result<RulesetId, Failure> {
    match (board.ruleset, request.ruleset) {
        (Some(bound), Some(asked)) if bound != asked => Err(Failure::new("wrong_ruleset")
            .detail("board", bound.to_string())
            .detail("run", asked.to_string())),
        (Some(ruleset), _) | (None, Some(ruleset)) => Ok(ruleset),
        (None, None) => Err(Failure::new("no_ruleset")),
    }
}

/// Bytes that nobody can guess.
pub(crate) fn random<const N: usize>() -> Result<[u8; N], Failure> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| Failure::internal(&error))?;
    Ok(bytes)
}

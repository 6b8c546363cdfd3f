//! Which board a run or a ticket is for, and what that board promises.

use std::sync::{Arc, PoisonError, mpsc};

use async_core::{Catalogue, Setup};
use async_identity::daily_seed;
use async_protocol::calendar::{Daily, daily_of};
use async_protocol::{BoardPolicy, Order, Reveal, RulesetId, Trust, board};
use async_replay::Header;
use async_store::{Board, Store};

use super::Service;
use crate::config::BoardEntry;
use crate::failure::Failure;

/// Declares the boards of the configuration.
pub(super) fn declare(store: &dyn Store, entries: &[BoardEntry]) -> Result<(), async_store::Error> {
    for entry in entries {
        let window = daily_of(&entry.board)
            .ok()
            .flatten()
            .map(|daily| daily.window);
        let known = store.board(&entry.app, &entry.board);
        declare_now(
            store,
            Board {
                app: entry.app.clone(),
                name: entry.board.clone(),
                // What a first run bound stays bound, unless the operator now says otherwise.
                ruleset: entry
                    .ruleset
                    .or_else(|| known.and_then(|board| board.ruleset)),
                policy: entry.policy.clone(),
                opens_ms: window.map(|window| window.opens_ms),
                closes_ms: window.map(|window| window.closes_ms),
                declared: true,
            },
        )?;
    }
    Ok(())
}

/// Declares a board and waits until that is durable. Never on the async runtime.
fn declare_now(store: &dyn Store, board: Board) -> Result<Arc<Board>, async_store::Error> {
    let (send, receive) = mpsc::channel();
    store.declare_board(board, Box::new(move |done| drop(send.send(done))));
    receive.recv().unwrap_or(Err(async_store::Error::Closed))
}

impl Service {
    /// The board of this name, as stored or as it would be made on first use by a run with
    /// `header` (without one: by nobody knows which game).
    ///
    /// # Errors
    /// `bad_board`, `bad_day`; `unknown_board` where no more boards are made on first use.
    pub(crate) fn board(
        &self,
        app: &str,
        name: &str,
        header: Option<&Header>,
    ) -> Result<Arc<Board>, Failure> {
        self.find_board(app, name, header).map(|(board, _)| board)
    }

    /// The same, and whether it is stored.
    ///
    /// # Errors
    /// As [`Service::board`].
    pub(crate) fn find_board(
        &self,
        app: &str,
        name: &str,
        header: Option<&Header>,
    ) -> Result<(Arc<Board>, bool), Failure> {
        if let Some(board) = self.store.board(app, name) {
            return Ok((board, true));
        }
        board::check_key(name)?;
        let daily = daily_of(name)?;
        // As the store counts: each day has its daily, however many boards there are.
        let made = match daily {
            Some(_) => 0,
            None => {
                let boards = self.store.boards(app);
                boards.iter().filter(|board| board.takes_room()).count()
            }
        };
        let most = self.config.auto_boards;
        if u64::try_from(made).unwrap_or(u64::MAX) >= most {
            return Err(Failure::new("unknown_board").detail("auto_boards", most));
        }
        Ok((Arc::new(self.prospect(app, name, daily, header)), false))
    }

    fn prospect(
        &self,
        app: &str,
        name: &str,
        daily: Option<Daily>,
        header: Option<&Header>,
    ) -> Board {
        let mut policy = BoardPolicy::default();
        if let Some(kit) = &self.kit {
            policy.rules = kit.settings.rules.clone();
            policy.ticket = kit.settings.rules.ticket;
            policy.order = kit.settings.order;
        } else if let Some(order) =
            header.and_then(|header| own_order(self.verifier.catalogue(), header))
        {
            policy.order = order;
        }
        if daily.is_some() {
            // The inputs of a daily win it: nobody sees them before it closes.
            policy.reveal = Reveal::AfterClose;
        }
        let deterministic =
            header.is_none_or(|header| self.verifier.is_deterministic(&header.game));
        policy.trust = Some(if deterministic {
            Trust::Verified
        } else {
            Trust::Plausible
        });
        let window = daily.map(|daily| daily.window);
        Board {
            app: app.to_owned(),
            name: name.to_owned(),
            ruleset: header.map(Header::ruleset),
            policy,
            opens_ms: window.map(|window| window.opens_ms),
            closes_ms: window.map(|window| window.closes_ms),
            declared: false,
        }
    }

    /// Checks that a run with `header` belongs on the board.
    ///
    /// # Errors
    /// `wrong_ruleset`, with both rulesets in the details.
    pub(super) fn check_ruleset(&self, board: &Board, header: &Header) -> Result<(), Failure> {
        let run = header.ruleset();
        let fails = |bound: Option<RulesetId>| {
            let bound = bound.map(|bound| bound.to_string());
            let failure = Failure::new("wrong_ruleset").detail("run", run.to_string());
            Err(failure.detail("board", bound))
        };
        match board.ruleset {
            Some(bound) if bound != run => fails(Some(bound)),
            // A board made on first use takes what the kit file says, not a slower game.
            _ if !board.declared && !self.fits_kit(header) => fails(None),
            _ => Ok(()),
        }
    }

    fn fits_kit(&self, header: &Header) -> bool {
        let Some(kit) = &self.kit else { return true };
        let kit = &kit.settings;
        let same_rate = async_core::FrameRate::hz(kit.frame_hz).is_ok_and(|hz| hz == header.rate);
        // All that the kit file decides of a ruleset: else whoever comes first binds each new daily
        // to another mode, and nobody else's run fits it.
        kit.game == header.game
            && kit.game_options == header.options
            && (kit.players, kit.slot) == (header.players, header.slot)
            && same_rate
    }

    /// Makes the board durable and binds it to `ruleset`, if it is not yet.
    ///
    /// # Errors
    /// `wrong_ruleset` when another run was first; the store's own.
    pub(super) fn bind(&self, board: &Board, ruleset: RulesetId) -> Result<(), Failure> {
        let stored = self.store.board(&board.app, &board.name);
        if stored.is_some_and(|stored| stored.ruleset == Some(ruleset)) {
            return Ok(());
        }
        let _one_at_a_time = self.binding.lock().unwrap_or_else(PoisonError::into_inner);
        let stored = self.store.board(&board.app, &board.name);
        let mut wanted = stored.as_deref().unwrap_or(board).clone();
        match wanted.ruleset {
            Some(bound) if bound != ruleset => return Err(Failure::new("wrong_ruleset")),
            Some(_) if stored.is_some() => return Ok(()),
            _ => wanted.ruleset = Some(ruleset),
        }
        // A ticket may have made an undeclared board that is still unbound.
        declare_now(self.store.as_ref(), wanted)?;
        Ok(())
    }

    /// The seed that every attempt at this daily has; `None` for boards that are none, and for
    /// those that count attempts, each with a seed of its own.
    pub(super) fn common_seed(&self, board: &Board) -> Option<u64> {
        let daily = daily_of(&board.name).ok().flatten().is_some();
        let common = daily && board.policy.attempts == 0;
        common.then(|| daily_seed(&self.secrets.daily_secret, &seed_name(board)))
    }
}

/// What seeds of a board are drawn for: two apps with a board of one name share none.
pub(super) fn seed_name(board: &Board) -> String {
    format!("{}/{}", board.app, board.name)
}

/// Checks that a board is open at `now_ms`. `started_ms` is when its ticket was issued, if the
/// run has one: started in time, it may arrive within `grace_ms` after the close.
///
/// # Errors
/// `not_open`, `closed`, with the times in the details.
pub(super) fn check_window(
    board: &Board,
    started_ms: Option<u64>,
    now_ms: u64,
    grace_ms: u64,
) -> Result<(), Failure> {
    let times = |failure: Failure| {
        let failure = failure.detail("opens_ms", board.opens_ms);
        Err(failure
            .detail("closes_ms", board.closes_ms)
            .detail("server_ms", now_ms))
    };
    if board.opens_ms.is_some_and(|opens_ms| now_ms < opens_ms) {
        return times(Failure::new("not_open"));
    }
    let Some(closes_ms) = board.closes_ms else {
        return Ok(());
    };
    let in_grace = started_ms.is_some_and(|started_ms| started_ms < closes_ms)
        && now_ms < closes_ms.saturating_add(grace_ms);
    match now_ms < closes_ms || in_grace {
        true => Ok(()),
        false => times(Failure::new("closed")),
    }
}

/// The order of the game's mode, if the game is one of the core's.
fn own_order(catalogue: &Catalogue, header: &Header) -> Option<Order> {
    let setup = Setup {
        seed: header.seed,
        players: header.players,
        slot: header.slot,
        rate: header.rate,
        options: header.options.clone(),
    };
    let game = catalogue
        .start(&header.game, header.revision, &setup)
        .ok()?;
    Some(game.order())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(opens_ms: Option<u64>, closes_ms: Option<u64>) -> Board {
        Board {
            app: String::new(),
            name: "b".to_owned(),
            ruleset: None,
            policy: BoardPolicy::default(),
            opens_ms,
            closes_ms,
            declared: false,
        }
    }

    fn check(started_ms: Option<u64>, now_ms: u64, expected: &str) {
        let found = check_window(&board(Some(100), Some(200)), started_ms, now_ms, 50);
        let found = found.map_or_else(|failure| failure.code(), |()| "ok");
        assert_eq!(found, expected, "{started_ms:?} {now_ms}");
    }

    #[test]
    fn case_d3_a_window_is_the_servers_clock_and_both_ends_are_exact() {
        check(None, 99, "not_open");
        check(Some(99), 99, "not_open");
        check(None, 100, "ok");
        check(None, 199, "ok");
        check(None, 200, "closed");
        check(Some(199), 200, "ok");
        check(Some(199), 249, "ok");
        check(Some(199), 250, "closed");
        check(Some(200), 210, "closed");
        assert!(check_window(&board(None, None), None, 0, 0).is_ok());
    }
}

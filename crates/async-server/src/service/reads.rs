//! Boards and runs, as others see them.

use std::sync::Arc;

use async_protocol::wire::{self, Rate, RunInfo, RunList, RunRow, Stored, SubmitAnswer};
use async_protocol::{PlayerId, Reveal, RulesetId, RunId, Status, Verdict, game_options};
use async_replay::{Header, Run};
use async_store::{Board, Cursor, Page, PageAt, PageQuery, Place, RunQuery, Standing, StoredRun};

use super::Service;
use super::submit::{Accepted, Owner};
use crate::failure::Failure;

/// What is asked of a board.
#[derive(Clone, Debug)]
pub(crate) struct BoardQuestion {
    pub(crate) app: String,
    pub(crate) board: String,
    /// Already clamped.
    pub(crate) rows: usize,
    pub(crate) cursor: Option<Cursor>,
    pub(crate) around: bool,
    pub(crate) player: Option<PlayerId>,
    pub(crate) would: Option<i64>,
}

/// What a board answers.
#[derive(Clone, Debug)]
pub(crate) struct BoardPage {
    /// `None`: nobody has made the board yet; it is empty.
    pub(crate) page: Option<Page>,
    pub(crate) own: Option<wire::Standing>,
}

impl BoardQuestion {
    fn at(&self) -> PageAt {
        match (self.cursor, self.player) {
            (Some(cursor), _) => PageAt::Cursor(cursor),
            (None, Some(player)) if self.around => PageAt::Around(player),
            _ => PageAt::Top,
        }
    }

    fn query(&self) -> PageQuery<'_> {
        PageQuery {
            app: &self.app,
            board: &self.board,
            rows: self.rows,
            at: self.at(),
        }
    }
}

impl Service {
    /// Answers from memory where that is possible, else on a thread that may wait for the disk.
    pub(crate) async fn page(
        self: &Arc<Self>,
        question: BoardQuestion,
        stored: bool,
    ) -> Result<BoardPage, Failure> {
        if !stored {
            let asked = question.player.is_some() || question.would.is_some();
            let own = asked.then(|| unranked(question.would.map(|_| 1)));
            return Ok(BoardPage { page: None, own });
        }
        let standing = self.standing(&question)?;
        let page = self.store.page_now(&question.query());
        if let Some(page) = page
            && let Some(own) = known_now(standing.as_ref(), &page, question.rows)
        {
            return Ok(BoardPage {
                page: Some(page),
                own,
            });
        }
        self.read(move |service| {
            let page = service.store.page(&question.query())?;
            let own = match standing {
                Some(standing) => Some(service.own(&standing)?),
                None => None,
            };
            Ok(BoardPage {
                page: Some(page),
                own,
            })
        })
        .await
    }

    fn standing(&self, question: &BoardQuestion) -> Result<Option<Standing>, Failure> {
        let BoardQuestion {
            app,
            board,
            player,
            would,
            ..
        } = question;
        if player.is_none() && would.is_none() {
            return Ok(None);
        }
        Ok(Some(self.store.standing(app, board, *player, *would)?))
    }

    /// A standing with the run behind it, which only the file knows.
    fn own(&self, standing: &Standing) -> Result<wire::Standing, Failure> {
        let Some(place) = standing.place else {
            return Ok(unranked(standing.would_rank));
        };
        let run = self.store.summary(place.seq)?;
        let run = run.map(|run| (run.id, run.status));
        Ok(ranked(place, standing.would_rank, run))
    }

    /// A run that may be seen.
    ///
    /// # Errors
    /// `unknown_run`.
    pub(crate) fn run(&self, app: &str, id: RunId) -> Result<StoredRun, Failure> {
        let run = self.store.run(app, id)?;
        let unknown = || Failure::new("unknown_run").detail("id", id.to_string());
        run.filter(|run| !run.hidden).ok_or_else(unknown)
    }

    /// The bytes of a run, for `asking`, who proved who they are, or for anybody.
    ///
    /// # Errors
    /// `unknown_run`; `not_revealed` with the moment from which it is.
    pub(crate) fn run_bytes(
        &self,
        app: &str,
        id: RunId,
        asking: Option<PlayerId>,
        now_ms: u64,
    ) -> Result<Vec<u8>, Failure> {
        let run = self.run(app, id)?;
        if run.status == Status::Refused {
            return Err(Failure::new("unknown_run").detail("id", id.to_string()));
        }
        if asking != Some(run.player) {
            let board = self.store.board(app, &run.board);
            revealed(board.as_deref(), now_ms)?;
        }
        let bytes = self.store.run_bytes(app, id)?;
        bytes.ok_or_else(|| Failure::new("unknown_run").detail("id", id.to_string()))
    }

    /// What the header says, the verdict, and the standing of the player.
    ///
    /// # Errors
    /// `unknown_run`.
    pub(crate) fn run_info(&self, app: &str, id: RunId) -> Result<RunInfo, Failure> {
        let stored = self.run(app, id)?;
        let bytes = self.store.run_bytes(app, id)?;
        let bytes = bytes.ok_or_else(|| Failure::new("unknown_run"))?;
        let header = Run::info(&bytes, &self.limits).map_err(|error| Failure::internal(&error))?;
        let standing = self
            .store
            .standing(app, &stored.board, Some(stored.player), None);
        let standing = match standing {
            Ok(standing) => self.own(&standing)?,
            Err(_) => unranked(None),
        };
        info(stored, header.header, standing)
    }

    /// What became of a run.
    ///
    /// # Errors
    /// `unknown_run`.
    pub(crate) fn run_status(&self, app: &str, id: RunId) -> Result<SubmitAnswer, Failure> {
        // The answer before the run: a run that is refused in between has none, and is told of.
        let first = self.store.known(app, id)?;
        let run = self.run(app, id)?;
        if run.status == Status::Refused {
            return refused(&run);
        }
        let submitted = match first {
            Some(first) => first,
            // It was refused once, or unknown, and has just been accepted.
            None => {
                let first = self.store.known(app, id)?;
                first.ok_or_else(|| Failure::new("unknown_run"))?
            }
        };
        let owner = Owner {
            ruleset: self.ruleset_of(app, &run),
            app: run.app,
            board: run.board,
            player: run.player,
        };
        self.submit_answer(&Accepted { submitted, owner })
    }

    fn ruleset_of(&self, app: &str, run: &StoredRun) -> RulesetId {
        let board = self.store.board(app, &run.board);
        board
            .and_then(|board| board.ruleset)
            .unwrap_or(RulesetId([0; 16]))
    }

    /// Runs, newest first.
    ///
    /// # Errors
    /// The store's own.
    pub(crate) fn runs(&self, query: &RunQuery<'_>) -> Result<RunList, Failure> {
        let page = self.store.runs(query)?;
        Ok(RunList {
            rows: page.runs.into_iter().map(row).collect(),
            next: page.next.map(|number| number.to_string()),
        })
    }
}

/// The standing, if it needs nothing that only the file knows. A question for no rows is one for
/// the rank alone, which memory knows; else the run behind it is shown too.
fn known_now(
    standing: Option<&Standing>,
    page: &Page,
    rows: usize,
) -> Option<Option<wire::Standing>> {
    let Some(standing) = standing else {
        return Some(None);
    };
    let Some(place) = standing.place else {
        return Some(Some(unranked(standing.would_rank)));
    };
    let row = page.rows.iter().find(|row| row.seq == place.seq);
    let run = row.map(|row| (row.run, row.status));
    (rows == 0 || run.is_some()).then(|| Some(ranked(place, standing.would_rank, run)))
}

fn unranked(would_rank: Option<u64>) -> wire::Standing {
    wire::Standing {
        would_rank,
        ..wire::Standing::default()
    }
}

fn ranked(place: Place, would_rank: Option<u64>, run: Option<(RunId, Status)>) -> wire::Standing {
    wire::Standing {
        ranked: true,
        rank: Some(place.rank),
        position: Some(place.position),
        score: Some(place.score),
        run: run.map(|(run, _)| run),
        status: run.map(|(_, status)| status),
        would_rank,
    }
}

/// Checks that others may have the bytes of a run on this board.
fn revealed(board: Option<&Board>, now_ms: u64) -> Result<(), Failure> {
    let Some(board) = board else { return Ok(()) };
    let refused = |from: Option<u64>| Err(Failure::new("not_revealed").detail("from_ms", from));
    match (board.policy.reveal, board.closes_ms) {
        (Reveal::Inputs, _) => Ok(()),
        (Reveal::AfterClose, Some(closes_ms)) if now_ms >= closes_ms => Ok(()),
        (Reveal::AfterClose, closes_ms) => refused(closes_ms),
        (Reveal::Samples, _) => refused(None),
    }
}

fn verdict_of(run: &StoredRun) -> Result<Verdict, Failure> {
    serde_json::from_str(&run.verdict).map_err(|error| Failure::internal(&error))
}

/// The status of a run that was pending and then refused: it is not kept, but told of.
fn refused(run: &StoredRun) -> Result<SubmitAnswer, Failure> {
    let verdict = verdict_of(run)?;
    Ok(SubmitAnswer {
        ok: false,
        id: run.id,
        score: run.score,
        rank: None,
        position: None,
        best: None,
        status: run.status,
        code: Some(verdict.code.to_string()),
        duplicate: false,
        stored: Stored::Refused,
        verdict,
        receipt: None,
    })
}

fn info(run: StoredRun, header: Header, standing: wire::Standing) -> Result<RunInfo, Failure> {
    let verdict = verdict_of(&run)?;
    Ok(RunInfo {
        id: run.id,
        ruleset: header.ruleset(),
        options: game_options::to_json(&header.options),
        app: run.app,
        board: run.board,
        game: header.game,
        revision: header.revision,
        build: run.build,
        player: run.player,
        name: run.player_name.to_string(),
        engine: header.engine,
        seed: header.seed,
        players: header.players,
        slot: header.slot,
        rate: Rate {
            numer: header.rate.numer(),
            denom: header.rate.denom(),
        },
        frames: run.frames,
        score: run.score,
        bytes: u32::try_from(run.bytes).unwrap_or(u32::MAX),
        opponent: header.opponent.map(|opponent| opponent.run),
        practice: header.practice,
        meta: header.meta,
        verdict,
        standing,
        accepted_at_ms: run.accepted_at_ms,
    })
}

fn row(run: StoredRun) -> RunRow {
    RunRow {
        run: run.id,
        board: run.board,
        player: run.player,
        name: run.player_name.to_string(),
        score: run.score,
        frames: run.frames,
        bytes: u32::try_from(run.bytes).unwrap_or(u32::MAX),
        status: run.status,
        accepted_at_ms: run.accepted_at_ms,
    }
}

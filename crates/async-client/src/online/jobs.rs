//! What a host asks of the run API, as small machines: a request out, an answer in, until there is
//! an event or a failure.

use std::collections::VecDeque;

use async_identity::PlayerKey;
use async_protocol::Period;
use async_protocol::wire::{
    BoardAnswer, DailyAnswer, NonceAnswer, RunList, TicketAnswer, TicketRequest,
};
use async_replay::{PlayerId, RunId};
use serde_json::json;

use crate::Error;
use crate::api::{Api, Failure, Query, Response, escape};
use crate::commands::{Command, HttpRequest};
use crate::entropy::Entropy;
use crate::events::{Event, FetchedRun};
use crate::known_server::KnownServer;
use crate::runs::Runs;

/// Most runs of one `fetch`.
pub const FETCH_MAX: u32 = 32;

/// Which runs of a board are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// The best.
    Top,
    /// Those around the own place.
    Around,
    /// Those just better than the own.
    Rival,
    /// Any.
    Random,
}

/// One step after an answer.
#[derive(Debug)]
pub(crate) enum Next {
    /// Another request, for the job as it is now.
    Request(Job, HttpRequest),
    /// The result, without its request number.
    Done(Event),
    /// None is to be had.
    Failed(Failure),
}

/// What a job may look at.
pub(crate) struct Context<'a> {
    pub(crate) api: &'a Api,
    pub(crate) key: Option<&'a PlayerKey>,
    /// Whom calls may be signed for.
    pub(crate) server: &'a mut KnownServer,
    /// What the host is to store.
    pub(crate) commands: &'a mut VecDeque<Command>,
    pub(crate) entropy: &'a mut Entropy,
    pub(crate) runs: &'a mut Runs,
    /// The number of the host's request.
    pub(crate) request: u64,
}

/// A request of the host under way.
#[derive(Debug)]
pub(crate) enum Job {
    /// A page of a board.
    Board,
    /// The challenge of the day.
    Daily,
    /// A ticket, waiting for the nonce that its call needs.
    Nonce(TicketRequest),
    /// A ticket, asked for.
    Ticket,
    /// The list that runs are picked from.
    List {
        pick: Pick,
        count: usize,
        me: Option<PlayerId>,
    },
    /// Runs, one after the other.
    Runs {
        wanted: VecDeque<RunId>,
        got: Vec<FetchedRun>,
    },
}

/// What a page of a board should hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardRequest {
    /// The board's key; the session's board where it is empty.
    pub board: String,
    /// How many rows.
    pub rows: Option<u32>,
    /// Where to go on: `next` or `prev` of an earlier page.
    pub cursor: Option<String>,
    /// Centre the page on the own place.
    pub around: bool,
    /// The span to rank; all time if absent.
    pub period: Option<Period>,
}

impl Job {
    pub(crate) fn board(
        api: &Api,
        page: &BoardRequest,
        rows: u32,
        me: Option<PlayerId>,
    ) -> (Self, HttpRequest) {
        let me = me.map(|me| me.to_string());
        let query = Query::default()
            .add("rows", Some(&rows.to_string()))
            .add("cursor", page.cursor.as_deref())
            .add("around", page.around.then_some("true"))
            .add("player", me.as_deref())
            .add("period", page.period.map(period_name));
        (Self::Board, api.get(&board_path(&page.board, query)))
    }

    pub(crate) fn daily(api: &Api) -> (Self, HttpRequest) {
        (Self::Daily, api.get("/daily"))
    }

    pub(crate) fn ticket(api: &Api, ask: TicketRequest) -> (Self, HttpRequest) {
        (Self::Nonce(ask), api.post_json("/nonce", &json!({})))
    }

    pub(crate) fn runs(api: &Api, wanted: VecDeque<RunId>) -> Option<(Self, HttpRequest)> {
        let http = api.get(&format!("/runs/{}", wanted.front()?));
        Some((
            Self::Runs {
                wanted,
                got: Vec::new(),
            },
            http,
        ))
    }

    pub(crate) fn pick(
        api: &Api,
        board: &str,
        pick: Pick,
        count: usize,
        me: Option<PlayerId>,
    ) -> (Self, HttpRequest) {
        let text = me.map(|me| me.to_string());
        let path = match pick {
            Pick::Top => board_path(
                board,
                Query::default().add("rows", Some(&count.to_string())),
            ),
            // Twice the count, since the own place is in the middle.
            Pick::Around | Pick::Rival => board_path(
                board,
                Query::default()
                    .add("rows", Some(&(2 * count + 1).to_string()))
                    .add("around", text.is_some().then_some("true"))
                    .add("player", text.as_deref()),
            ),
            Pick::Random => {
                let query = Query::default()
                    .add("board", Some(board))
                    .add("rows", Some("100"));
                format!("/runs{}", query.text())
            }
        };
        (Self::List { pick, count, me }, api.get(&path))
    }

    /// The next step after an answer.
    pub(crate) fn answered(self, response: &Response<'_>, context: &mut Context<'_>) -> Next {
        match self {
            Self::Runs { wanted, got } => next_run(wanted, got, response, context),
            other => other
                .small_answer(response, context)
                .unwrap_or_else(Next::Failed),
        }
    }

    fn small_answer(
        self,
        response: &Response<'_>,
        context: &mut Context<'_>,
    ) -> Result<Next, Failure> {
        let request = context.request;
        Ok(match self {
            Self::Board => {
                let answer: BoardAnswer = response.read()?;
                Next::Done(Event::Board {
                    request,
                    answer: Box::new(answer),
                })
            }
            Self::Daily => {
                let answer: DailyAnswer = response.read()?;
                Next::Done(Event::Daily { request, answer })
            }
            Self::Nonce(ask) => {
                let nonce: NonceAnswer = response.read()?;
                let http = signed_ticket_call(&ask, &nonce, context);
                Next::Request(Self::Ticket, http.map_err(|error| Failure::wrong(&error))?)
            }
            Self::Ticket => {
                let answer: TicketAnswer = response.read()?;
                Next::Done(Event::Ticket { request, answer })
            }
            Self::List { pick, count, me } => {
                let wanted = if pick == Pick::Random {
                    draw(response.read()?, count, me, context.entropy)
                } else {
                    choose(&response.read()?, pick, count, me)
                };
                Self::runs(context.api, wanted).map_or(
                    Next::Done(Event::Fetched {
                        request,
                        runs: Vec::new(),
                    }),
                    |(job, http)| Next::Request(job, http),
                )
            }
            Self::Runs { .. } => Next::Failed(Failure::unreachable("")),
        })
    }
}

fn period_name(period: Period) -> &'static str {
    match period {
        Period::Alltime => "alltime",
        Period::Daily => "daily",
        Period::Weekly => "weekly",
        Period::Monthly => "monthly",
    }
}

fn board_path(board: &str, query: Query) -> String {
    let mut path = String::from("/boards/");
    escape(board, &mut path);
    path + &query.text()
}

fn signed_ticket_call(
    ask: &TicketRequest,
    nonce: &NonceAnswer,
    context: &mut Context<'_>,
) -> Result<HttpRequest, Error> {
    let mut http = context.api.post_json("/tickets", ask);
    let key = context.key.ok_or(Error::NoIdentity)?;
    let keep = context.server.admit(&nonce.server)?;
    context.commands.extend(keep);
    context.api.sign(&mut http, key, nonce)?;
    Ok(http)
}

/// The runs of a page that `pick` means, the nearest first.
fn choose(page: &BoardAnswer, pick: Pick, count: usize, me: Option<PlayerId>) -> VecDeque<RunId> {
    let rows = &page.rows;
    let own = me.and_then(|me| rows.iter().position(|row| row.player == me));
    let places: Vec<usize> = match (pick, own) {
        (Pick::Rival, Some(own)) => (0..own).rev().collect(),
        (Pick::Around, Some(own)) => {
            let mut places: Vec<_> = (0..rows.len()).filter(|place| *place != own).collect();
            places.sort_by_key(|place| place.abs_diff(own));
            places
        }
        _ => (0..rows.len()).collect(),
    };
    places
        .into_iter()
        .take(count)
        .map(|place| rows[place].run)
        .collect()
}

/// Some runs of others, drawn without repeats.
fn draw(
    list: RunList,
    count: usize,
    me: Option<PlayerId>,
    entropy: &mut Entropy,
) -> VecDeque<RunId> {
    let others = list.rows.into_iter().filter(|row| Some(row.player) != me);
    let mut left: Vec<RunId> = others.map(|row| row.run).collect();
    let mut drawn = VecDeque::new();
    while drawn.len() < count && !left.is_empty() {
        let place = entropy.below(left.len() as u64);
        drawn.push_back(left.swap_remove(usize::try_from(place).unwrap_or(0)));
    }
    drawn
}

/// One run came, or did not: the others are asked for all the same, and only if none is to be had
/// has the whole request failed.
fn next_run(
    mut wanted: VecDeque<RunId>,
    mut got: Vec<FetchedRun>,
    response: &Response<'_>,
    context: &mut Context<'_>,
) -> Next {
    let Some(id) = wanted.pop_front() else {
        return Next::Done(Event::Fetched {
            request: context.request,
            runs: got,
        });
    };
    let kept = response.bytes().and_then(|bytes| {
        context
            .runs
            .keep_fetched(id, bytes)
            .map_err(|error| Failure::wrong(&error))
    });
    let failure = match kept {
        Ok(run) => {
            got.push(run);
            None
        }
        Err(failure) => Some(failure),
    };
    match (wanted.front(), failure) {
        (Some(next), _) => {
            let http = context.api.get(&format!("/runs/{next}"));
            Next::Request(Job::Runs { wanted, got }, http)
        }
        (None, Some(failure)) if got.is_empty() => Next::Failed(failure),
        (None, _) => Next::Done(Event::Fetched {
            request: context.request,
            runs: got,
        }),
    }
}

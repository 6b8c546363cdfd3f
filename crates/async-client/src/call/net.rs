//! `submit`, `fetch`, `board`, `daily`, `ticket`: each returns its request at once. `outbox`,
//! `forgetServer`.

use async_protocol::Period;
use async_replay::RunId;
use serde::Deserialize as _;
use serde_json::{Value, json};

use super::{Reply, reply, run_id};
use crate::args::{Args, bad};
use crate::{BoardRequest, Error, FETCH_MAX, Pick, Session, Waiting};

impl Session {
    pub(super) fn call_submit(&mut self, args: &Value) -> Reply {
        let args = Args::parse(args, &["id"])?;
        let id = run_id(&args, "id")?;
        let id = self.recorded(id)?.id;
        let request = self.submit(Some(id))?;
        reply(json!({"request": request, "id": id.to_string()}))
    }

    pub(super) fn call_fetch(&mut self, args: &Value) -> Reply {
        let args = Args::parse(args, &["id", "board", "pick", "count"])?;
        let request = match run_id(&args, "id")? {
            Some(id) => {
                let alone = ["board", "pick", "count"]
                    .iter()
                    .all(|name| args.value(name).is_none());
                alone
                    .then_some(())
                    .ok_or_else(|| bad("`id` stands alone"))?;
                self.fetch(&[id])?
            }
            None => {
                let pick = pick(args.text("pick")?)?;
                let count = args.integer("count", 1, i64::from(FETCH_MAX))?;
                let count = count
                    .and_then(|count| u32::try_from(count).ok())
                    .unwrap_or(1);
                self.fetch_from_board(args.text("board")?.unwrap_or_default(), pick, count)?
            }
        };
        reply(json!({"request": request}))
    }

    pub(super) fn call_board(&mut self, args: &Value) -> Reply {
        let args = Args::parse(args, &["board", "rows", "cursor", "around", "period"])?;
        let rows = args.integer("rows", 1, i64::from(u32::MAX))?;
        let request = self.board(&BoardRequest {
            board: args.text("board")?.unwrap_or_default().to_owned(),
            rows: rows.and_then(|rows| u32::try_from(rows).ok()),
            cursor: args.text("cursor")?.map(str::to_owned),
            around: args.flag("around")?,
            period: period(args.value("period"))?,
        })?;
        reply(json!({"request": request}))
    }

    pub(super) fn call_daily(&mut self, args: &Value) -> Reply {
        Args::parse(args, &[])?;
        let request = self.daily()?;
        reply(json!({"request": request}))
    }

    pub(super) fn call_ticket(&mut self, args: &Value) -> Reply {
        let args = Args::parse(args, &["board", "opponent"])?;
        let opponent: Option<RunId> = run_id(&args, "opponent")?;
        let request = self.ticket(args.text("board")?.unwrap_or_default(), opponent)?;
        reply(json!({"request": request}))
    }

    pub(super) fn call_forget_server(&mut self, args: &Value) -> Reply {
        Args::parse(args, &[])?;
        self.forget_server()?;
        reply(json!({}))
    }

    pub(super) fn call_outbox(&mut self, args: &Value) -> Reply {
        Args::parse(args, &[])?;
        let waiting = self.outbox().map(|(id, request, at)| {
            json!({"id": id.to_string(), "request": request, "state": waiting_name(at)})
        });
        reply(json!({"runs": waiting.collect::<Vec<_>>()}))
    }
}

fn pick(name: Option<&str>) -> Result<Pick, Error> {
    match name {
        None | Some("top") => Ok(Pick::Top),
        Some("around") => Ok(Pick::Around),
        Some("rival") => Ok(Pick::Rival),
        Some("random") => Ok(Pick::Random),
        Some(_) => Err(bad("`pick` is top, around, rival or random")),
    }
}

fn period(value: Option<&Value>) -> Result<Option<Period>, Error> {
    let wrong = |_| bad("`period` is alltime, daily, weekly or monthly");
    value
        .map(|value| Period::deserialize(value).map_err(wrong))
        .transpose()
}

fn waiting_name(at: Waiting) -> &'static str {
    match at {
        Waiting::Writing => "writing",
        Waiting::Queued => "queued",
        Waiting::Sending => "sending",
        Waiting::Pending => "pending",
    }
}

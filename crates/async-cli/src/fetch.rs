//! `gf-async fetch`: runs of a server, as files.

use std::fs;

use async_client::{Event, FetchedRun, Pick};
use async_replay::RunId;
use serde_json::json;

use crate::args::FetchArgs;
use crate::connection::Connection;
use crate::failure::{Exit, Failure};
use crate::files::EXTENSION;
use crate::output::{DIM, GOOD, Output, Thousands, plain};

pub(crate) fn run(args: &FetchArgs, output: &mut Output) -> Result<Exit, Failure> {
    let ids = args
        .ids
        .iter()
        .map(|id| parse_id(id))
        .collect::<Result<Vec<_>, _>>()?;
    let mut connection = Connection::to_server(&args.server, &args.server.app)?;
    let request = match &args.board {
        Some(board) => {
            connection
                .session()
                .fetch_from_board(board, pick(&args.pick), args.count)?
        }
        None => connection.session().fetch(&ids)?,
    };
    let runs = fetched(&mut connection, request)?;
    if runs.is_empty() {
        return Err(Failure::new(
            "no_runs",
            "there is no such run on this board",
        ));
    }
    fs::create_dir_all(&args.output).map_err(|error| Failure::file(&args.output, &error))?;
    for run in runs {
        let path = args.output.join(format!("{}.{EXTENSION}", run.id));
        let bytes = connection.session().export(Some(run.id))?;
        fs::write(&path, bytes).map_err(|error| Failure::file(&path, &error))?;
        let path = path.display().to_string();
        output.object(&json!({
            "ok": true, "id": run.id.to_string(), "file": path, "name": run.name,
            "player": run.player.map(|player| player.to_string()),
            "score": run.score, "frames": run.frames, "bytes": run.bytes,
        }))?;
        let (name, score, bytes) = (plain(&run.name), Thousands(run.score), Thousands(run.bytes));
        output.line(format_args!(
            "{GOOD}fetched{GOOD:#}  {path}  {DIM}{name}, score {score}, {bytes} bytes{DIM:#}"
        ))?;
    }
    Ok(Exit::Fine)
}

/// Waits for the runs of a fetch.
pub(crate) fn fetched(
    connection: &mut Connection,
    request: u64,
) -> Result<Vec<FetchedRun>, Failure> {
    connection.wait(request, |event| match event {
        Event::Fetched { request: of, runs } if of == request => Some(runs),
        _ => None,
    })
}

fn parse_id(text: &str) -> Result<RunId, Failure> {
    let msg = "a run id is 32 lower-case hex digits";
    text.parse()
        .map_err(|_| Failure::new("bad_id", format_args!("{text}: {msg}")))
}

fn pick(name: &str) -> Pick {
    match name {
        "around" => Pick::Around,
        "rival" => Pick::Rival,
        "random" => Pick::Random,
        _ => Pick::Top,
    }
}

//! `gf-async submit`: a signed run goes to a server.

use async_client::Event;
use async_protocol::Verdict;
use async_protocol::wire::SubmitAnswer;
use async_replay::{Limits, Run, RunId};
use serde_json::{Value, json};

use crate::args::SubmitArgs;
use crate::connection::Connection;
use crate::failure::{Exit, Failure};
use crate::files;
use crate::output::{BAD, DIM, Output, STRONG, Thousands, plain, status_style};

/// What became of a submit.
#[derive(Debug, Clone)]
pub(crate) enum Submitted {
    /// The server has it.
    Taken(Box<SubmitAnswer>),
    /// The server refused it.
    Refused {
        code: String,
        msg: String,
        verdict: Option<Box<Verdict>>,
    },
}

pub(crate) fn run(args: &SubmitArgs, output: &mut Output) -> Result<Exit, Failure> {
    let bytes = files::read_run(&args.path)?;
    let about = |failure: Failure| failure.about(&args.path);
    let header = Run::info(&bytes, &Limits::LOCAL)
        .map_err(|error| about(error.into()))?
        .header;
    let mut connection = Connection::to_server(&args.server, &header.app)?;
    let id = connection.session().adopt(&bytes);
    let id = id.map_err(|error| about(error.into()))?;
    let submitted = submit(&mut connection, id).map_err(|mut failure| {
        if connection.session().outbox().any(|(run, ..)| run == id) {
            failure.msg += "; the run waits in the outbox, and the next command sends it";
        }
        failure
    })?;
    output.object(&object(&submitted))?;
    show(&submitted, &header.board, output)?;
    Ok(match submitted {
        Submitted::Taken(answer) if answer.ok => Exit::Fine,
        _ => Exit::Refused,
    })
}

/// Sends a run of the session and waits for its answer. What cannot be sent stays in the outbox.
pub(crate) fn submit(connection: &mut Connection, id: RunId) -> Result<Submitted, Failure> {
    let request = connection.session().submit(Some(id))?;
    connection.wait(request, |event| answer(event, id))
}

/// The answer to the submit of `id`, if `event` is one.
pub(crate) fn answer(event: Event, id: RunId) -> Option<Submitted> {
    match event {
        Event::Submitted { answer, .. } if answer.id.0 == id.0 => Some(Submitted::Taken(answer)),
        Event::Refused {
            id: refused,
            code,
            msg,
            verdict,
            ..
        } if refused == id => Some(Submitted::Refused { code, msg, verdict }),
        _ => None,
    }
}

pub(crate) fn object(submitted: &Submitted) -> Value {
    match submitted {
        Submitted::Taken(answer) => serde_json::to_value(answer).unwrap_or_default(),
        Submitted::Refused { code, msg, verdict } => {
            json!({"ok": false, "status": "refused", "code": code, "msg": msg, "verdict": verdict})
        }
    }
}

fn show(submitted: &Submitted, board: &str, output: &mut Output) -> Result<(), Failure> {
    match submitted {
        Submitted::Taken(answer) => {
            let style = status_style(answer.status);
            let score = Thousands(answer.score);
            let rank = answer
                .rank
                .map_or("no rank".into(), |rank| format!("rank {rank}"));
            let again = if answer.duplicate {
                " when it was first sent"
            } else {
                ""
            };
            output.line(format_args!(
                "{style}{}{style:#}  score {score}, {STRONG}{rank}{STRONG:#} on {}{again}",
                answer.status,
                plain(board)
            ))?;
            output.line(format_args!("{DIM}{}{DIM:#}", answer.id))?;
        }
        Submitted::Refused { code, msg, .. } => {
            output.line(format_args!(
                "{BAD}refused{BAD:#}  {} {DIM}({code}){DIM:#}",
                plain(msg)
            ))?;
        }
    }
    Ok(())
}

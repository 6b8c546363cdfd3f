//! `gf-async board`: a page of a board.

use async_client::{BoardRequest, Event};
use async_protocol::wire::{BoardAnswer, Row};
use async_protocol::{Order, Period};

use crate::args::BoardArgs;
use crate::connection::Connection;
use crate::failure::{Exit, Failure};
use crate::output::{DIM, Output, STRONG, Thousands, plain, status_style};

/// Characters of a player's name that a table has room for.
const NAME_CHARACTERS: usize = 24;

pub(crate) fn run(args: &BoardArgs, output: &mut Output) -> Result<Exit, Failure> {
    let mut connection = Connection::to_server(&args.server, &args.server.app)?;
    let answer = fetch(
        &mut connection,
        &BoardRequest {
            board: args.board.clone(),
            rows: args.rows,
            cursor: args.cursor.clone(),
            around: args.around,
            period: args.period.as_deref().map(period),
        },
    )?;
    output.object(&answer)?;
    let own = connection.session().player();
    show(&answer, own.map(|player| player.0), output)?;
    if answer.total == 0 && args.server.app.is_empty() && args.server.api_key.is_empty() {
        // The likeliest reason for an empty page, and nothing else would tell it.
        output.line("no runs here; a board belongs to an app: name it with --app")?;
    }
    Ok(Exit::Fine)
}

/// The span of a word that the command line let through.
fn period(word: &str) -> Period {
    match word {
        "daily" => Period::Daily,
        "weekly" => Period::Weekly,
        "monthly" => Period::Monthly,
        _ => Period::Alltime,
    }
}

/// Asks for a page and waits for it.
pub(crate) fn fetch(
    connection: &mut Connection,
    page: &BoardRequest,
) -> Result<BoardAnswer, Failure> {
    let request = connection.session().board(page)?;
    connection.wait(request, |event| match event {
        Event::Board {
            request: of,
            answer,
        } if of == request => Some(*answer),
        _ => None,
    })
}

/// Prints a page as a table; rows of `own` stand out.
pub(crate) fn show(
    answer: &BoardAnswer,
    own: Option<[u8; 32]>,
    output: &mut Output,
) -> Result<(), Failure> {
    let better = match answer.order {
        Order::Descending => "higher is better",
        Order::Ascending => "lower is better",
    };
    let (board, total) = (plain(&answer.board), Thousands(answer.total));
    output.line(format_args!(
        "{STRONG}{board}{STRONG:#}  {DIM}{better}, {total} ranked{DIM:#}"
    ))?;
    let scores = answer
        .rows
        .iter()
        .map(|row| Thousands(row.score).to_string().len());
    let width = scores.max().unwrap_or(0).max(5);
    for row in &answer.rows {
        show_row(row, width, own == Some(row.player.0), output)?;
    }
    if let Some(next) = &answer.next {
        output.line(format_args!("{DIM}more: --cursor {}{DIM:#}", plain(next)))?;
    }
    if let Some(own) = answer.own.as_ref().filter(|own| own.ranked) {
        let (rank, score) = (own.rank.unwrap_or(0), Thousands(own.score.unwrap_or(0)));
        output.line(format_args!("{DIM}you: rank {rank} with {score}{DIM:#}"))?;
    }
    Ok(())
}

fn show_row(row: &Row, width: usize, own: bool, output: &mut Output) -> Result<(), Failure> {
    let name: String = plain(&row.name).chars().take(NAME_CHARACTERS).collect();
    let name = if name.is_empty() {
        row.player.to_string()[..12].to_owned()
    } else {
        name
    };
    let strong = if own { STRONG } else { anstyle::Style::new() };
    let (status, score) = (status_style(row.status), Thousands(row.score));
    Ok(output.line(format_args!(
        "{strong}{:>5}  {score:>width$}  {name:<NAME_CHARACTERS$}{strong:#}  \
         {status}{:<10}{status:#} {DIM}{}{DIM:#}",
        row.rank,
        row.status.name(),
        row.run
    ))?)
}

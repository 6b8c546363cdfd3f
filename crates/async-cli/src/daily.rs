//! `gf-async daily`: today's challenge, by the server's clock.

use async_client::Event;
use async_protocol::wire::DailyAnswer;

use crate::args::DailyArgs;
use crate::connection::Connection;
use crate::failure::{Exit, Failure};
use crate::output::{DIM, Output, STRONG};

pub(crate) fn run(args: &DailyArgs, output: &mut Output) -> Result<Exit, Failure> {
    let mut connection = Connection::to_server(&args.server, &args.server.app)?;
    let answer = fetch(&mut connection)?;
    output.object(&answer)?;
    show(&answer, output)?;
    Ok(Exit::Fine)
}

/// Asks for the daily and waits for it.
pub(crate) fn fetch(connection: &mut Connection) -> Result<DailyAnswer, Failure> {
    let request = connection.session().daily()?;
    connection.wait(request, |event| match event {
        Event::Daily {
            request: of,
            answer,
        } if of == request => Some(answer),
        _ => None,
    })
}

/// Prints the challenge.
pub(crate) fn show(answer: &DailyAnswer, output: &mut Output) -> Result<(), Failure> {
    let left_min = answer.closes_ms.saturating_sub(answer.server_ms) / 60_000;
    let (hours, minutes) = (left_min / 60, left_min % 60);
    let seed = answer
        .seed
        .map_or("by a ticket".to_owned(), |seed| seed.to_string());
    output.line(format_args!(
        "{STRONG}{}{STRONG:#}  closes in {hours} h {minutes:02} min  {DIM}seed {seed}{DIM:#}",
        answer.board
    ))?;
    Ok(())
}

//! The command `gf-async`: demo, verify, inspect, train, recode, submit, fetch, board, daily.
//!
//! Each command prints for people, or with `--json` one object a line for programs. The exit status
//! is 0 if all is well, 1 if a run was refused (or a demo step failed), 2 if the command could not
//! do what it was asked.

mod args;
mod board;
mod connection;
mod daily;
mod demo;
mod failure;
mod fetch;
mod files;
mod inspect;
mod output;
mod recode;
mod streams;
mod submit;
mod train;
mod verify;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;

use args::{Arguments, Command};
use failure::{Exit, Failure};
use output::Output;

/// Runs the command of `arguments`, the program's name first, and returns its exit status.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        // Help and version are answers, not errors; clap knows which stream and status each has.
        Err(answer) => {
            let status = u8::try_from(answer.exit_code()).unwrap_or(2);
            let printed = answer.print();
            return ExitCode::from(if printed.is_ok() { status } else { 2 });
        }
    };
    let mut output = Output::new(arguments.json);
    match run(&arguments.command, &mut output) {
        Ok(exit) => exit.into(),
        // Whoever reads along may stop reading: `gf-async board | head` is no failure.
        Err(failure) if failure.code == "broken_pipe" => ExitCode::SUCCESS,
        Err(failure) => {
            output.failure(&failure);
            ExitCode::from(2)
        }
    }
}

fn run(command: &Command, output: &mut Output) -> Result<Exit, Failure> {
    match command {
        Command::Demo(args) => demo::run(args, output),
        Command::Verify(args) => verify::run(args, output),
        Command::Inspect(args) => inspect::run(args, output),
        Command::Train(args) => train::run(args, output),
        Command::Recode(args) => recode::run(args, output),
        Command::Submit(args) => submit::run(args, output),
        Command::Fetch(args) => fetch::run(args, output),
        Command::Board(args) => board::run(args, output),
        Command::Daily(args) => daily::run(args, output),
    }
}

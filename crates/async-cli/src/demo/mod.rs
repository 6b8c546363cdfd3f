//! `gf-async demo`: the main job on an empty temporary folder. Every step checks what it claims;
//! the first that does not hold ends the demo with exit status 1.

mod course;
mod gap;
mod player;
mod server;
mod steps;
mod tamper;

use std::time::Instant;

use serde_json::{Value, json};

use crate::args::DemoArgs;
use crate::failure::{Exit, Failure};
use crate::output::{BAD, DIM, GOOD, Output, STRONG};
use course::{Course, Recording};
use server::{Server, Stop};
use steps::Demo;

/// A step: what it is called, and what it does.
type Step = (&'static str, fn(&mut Demo) -> Result<Told, Failure>);

/// What a step has to tell.
struct Told {
    /// For programs.
    fields: Value,
    /// For people; the first line stands beside the step's name.
    lines: Vec<String>,
}

const STEPS: [Step; 10] = [
    ("server", steps::server),
    ("record", steps::record),
    ("submit", steps::submit_first),
    ("ghost", steps::ghost),
    ("race", steps::race),
    ("board", steps::board),
    ("tamper", steps::tampered),
    ("twice", steps::twice),
    ("offline", steps::offline),
    ("daily", steps::daily),
];

pub(crate) fn run(args: &DemoArgs, output: &mut Output) -> Result<Exit, Failure> {
    let start = Instant::now();
    let recording = args.input.as_deref().map(Recording::open).transpose()?;
    let folder = tempfile::Builder::new()
        .prefix("gf-async-demo-")
        .tempdir()?;
    let server = Server::new(folder.path());
    let mut demo = Demo::new(Course::of(recording), server, folder.path());
    for (name, step) in STEPS {
        match step(&mut demo) {
            Ok(told) => tell(name, told, output)?,
            Err(failure) => return failed(name, &failure, output),
        }
    }
    let mut stop = args.serve.then(Stop::watch).transpose()?;
    let seconds = start.elapsed().as_secs_f64();
    let url = args.serve.then(|| demo.server.url().to_owned());
    let fields = json!({"seconds": (seconds * 1_000.0).round() / 1_000.0, "serving": url});
    output.object(&Line {
        step: "done",
        ok: true,
        fields: &fields,
    })?;
    output.line(format_args!(
        "{GOOD}all of it holds{GOOD:#} {DIM}{seconds:.1} s{DIM:#}"
    ))?;
    if let (Some(url), Some(stop)) = (url, &mut stop) {
        output.line(format_args!(
            "serving on {STRONG}{url}{STRONG:#} until you stop it"
        ))?;
        demo.into_server().serve(stop)?;
    }
    Ok(Exit::Fine)
}

/// One line for programs, what matters first.
#[derive(serde::Serialize)]
struct Line<'a> {
    step: &'a str,
    ok: bool,
    #[serde(flatten)]
    fields: &'a Value,
}

fn tell(name: &str, told: Told, output: &mut Output) -> Result<(), Failure> {
    output.object(&Line {
        step: name,
        ok: true,
        fields: &told.fields,
    })?;
    let mut lines = told.lines.iter();
    let first = lines.next().map_or("", String::as_str);
    output.line(format_args!("{STRONG}{name:<9}{STRONG:#}{first}"))?;
    for line in lines {
        output.line(format_args!("{:<9}{line}", ""))?;
    }
    Ok(())
}

fn failed(name: &str, failure: &Failure, output: &mut Output) -> Result<Exit, Failure> {
    let Failure { code, msg } = failure;
    let fields = json!({"code": code, "msg": msg});
    output.object(&Line {
        step: name,
        ok: false,
        fields: &fields,
    })?;
    output.line(format_args!(
        "{STRONG}{name:<9}{STRONG:#}{BAD}failed{BAD:#}: {msg} {DIM}({code}){DIM:#}"
    ))?;
    Ok(Exit::Refused)
}

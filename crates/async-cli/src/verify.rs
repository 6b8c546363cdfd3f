//! `gf-async verify`: one verdict a file.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Instant;

use async_core::Catalogue;
use async_protocol::{Rules, Status, Verdict};
use async_replay::{Limits, Run};
use async_verify::{Evidence, TRACE_BYTES_MAX, Trace, Verifier};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::args::VerifyArgs;
use crate::failure::{Exit, Failure};
use crate::files;
use crate::output::{BAD, DIM, GOOD, Output, STRONG, Thousands, plain, status_style};

/// Files judged between two looks at the output: enough for every core, few enough to follow.
const BATCH: usize = 256;

/// What is known beside the files.
struct Known {
    verifier: Verifier,
    rules: Rules,
    trace: Option<Trace>,
    opponent: Option<Run>,
    ranked: bool,
}

/// What came of one file.
struct Judged<'a> {
    path: &'a Path,
    outcome: Result<Verdict, Failure>,
    ms: f64,
}

pub(crate) fn run(args: &VerifyArgs, output: &mut Output) -> Result<Exit, Failure> {
    let known = Known::of(args)?;
    let (paths, failures) = files::runs(&args.paths);
    let bar = progress(paths.len(), output);
    let mut tally = Tally {
        failed: failures.len(),
        ..Tally::default()
    };
    failures.iter().for_each(|failure| output.failure(failure));
    let width = paths
        .iter()
        .map(|path| path.display().to_string().chars().count())
        .max();
    for batch in paths.chunks(BATCH) {
        let judged: Vec<_> = batch
            .par_iter()
            .map(|path| known.judge(path, &bar))
            .collect();
        for judged in &judged {
            tally.count(judged);
            bar.suspend(|| show(judged, width.unwrap_or(0), output))?;
        }
    }
    bar.finish_and_clear();
    tally.show(output)?;
    Ok(tally.exit())
}

fn progress(files: usize, output: &Output) -> ProgressBar {
    if output.is_json() || files < 2 || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(files as u64);
    let template = "{bar:32} {human_pos}/{human_len} runs, {eta} left";
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

impl Known {
    fn of(args: &VerifyArgs) -> Result<Self, Failure> {
        if args.trace.is_some() && (args.paths.len() != 1 || args.paths[0].is_dir()) {
            return Err(Failure::new(
                "bad_arguments",
                "--trace belongs to exactly one run file",
            ));
        }
        Ok(Self {
            verifier: Verifier::new(Catalogue::standard(), Limits::LOCAL),
            rules: Rules::default(),
            trace: args.trace.as_deref().map(read_trace).transpose()?,
            opponent: args.opponent.as_deref().map(read_opponent).transpose()?,
            ranked: args.ranked,
        })
    }

    fn judge<'a>(&self, path: &'a PathBuf, bar: &ProgressBar) -> Judged<'a> {
        let bytes = files::read_run(path);
        let start = Instant::now();
        let outcome = bytes.map(|bytes| self.verifier.verify(&bytes, &self.evidence()));
        let ms = start.elapsed().as_secs_f64() * 1_000.0;
        bar.inc(1);
        Judged { path, outcome, ms }
    }

    fn evidence(&self) -> Evidence<'_> {
        let plain = if self.ranked {
            Evidence::for_board(&self.rules)
        } else {
            Evidence::local(&self.rules)
        };
        Evidence {
            trace: self.trace.as_ref(),
            opponent: self.opponent.as_ref(),
            ..plain
        }
    }
}

fn read_trace(path: &Path) -> Result<Trace, Failure> {
    let bytes = files::read(path, TRACE_BYTES_MAX)?;
    Trace::decode(&bytes).map_err(|error| Failure::new(error.code(), error).about(path))
}

fn read_opponent(path: &Path) -> Result<Run, Failure> {
    let bytes = files::read_run(path)?;
    Run::open(&bytes, &Limits::LOCAL).map_err(|error| Failure::from(error).about(path))
}

fn show(judged: &Judged<'_>, width: usize, output: &mut Output) -> Result<(), Failure> {
    output.object(&object(judged))?;
    let path = plain(&judged.path.display().to_string());
    match &judged.outcome {
        Ok(verdict) => {
            let style = status_style(verdict.status);
            let status = verdict.status.name();
            let facts = facts(verdict, judged.ms);
            output.line(format_args!(
                "{style}{status:<11}{style:#} {path:<width$}  {facts}"
            ))?;
        }
        Err(failure) => {
            // The line names the file already.
            let (code, msg) = (&failure.code, plain(&failure.msg));
            let msg = msg.strip_prefix(&format!("{path}: ")).unwrap_or(&msg);
            output.line(format_args!(
                "{BAD}{:<11}{BAD:#} {path:<width$}  {msg} {DIM}({code}){DIM:#}",
                "failed"
            ))?;
        }
    }
    Ok(())
}

fn facts(verdict: &Verdict, ms: f64) -> String {
    if verdict.status == Status::Verified {
        let (frames, score) = (Thousands(verdict.frames), Thousands(verdict.score));
        return format!("{frames:>7} frames  score {score:>8}  {DIM}{ms:.1} ms{DIM:#}");
    }
    format!("{} {DIM}({}){DIM:#}", plain(&verdict.msg), verdict.code)
}

/// A verdict with its file; a file that could not be read has a code and a message instead.
fn object(judged: &Judged<'_>) -> Value {
    let mut object = match &judged.outcome {
        Ok(verdict) => serde_json::to_value(verdict).unwrap_or_default(),
        Err(failure) => json!({"ok": false, "code": failure.code, "msg": failure.msg}),
    };
    object["file"] = judged.path.display().to_string().into();
    if let Ok(verdict) = &judged.outcome {
        object["ok"] = verdict.accepted().into();
        object["ms"] = ((judged.ms * 1_000.0).round() / 1_000.0).into();
    }
    object
}

#[derive(Default)]
struct Tally {
    good: usize,
    refused: usize,
    failed: usize,
}

impl Tally {
    fn count(&mut self, judged: &Judged<'_>) {
        match &judged.outcome {
            Ok(verdict) if verdict.accepted() => self.good += 1,
            Ok(_) => self.refused += 1,
            Err(_) => self.failed += 1,
        }
    }

    fn show(&self, output: &mut Output) -> Result<(), Failure> {
        if self.good + self.refused + self.failed < 2 {
            return Ok(());
        }
        let part = |count: usize, style, what: &str| match count {
            0 => String::new(),
            _ => format!("  {style}{} {what}{style:#}", Thousands(count)),
        };
        let (good, bad) = (
            part(self.good, GOOD, "good"),
            part(self.refused, BAD, "refused"),
        );
        let failed = part(self.failed, BAD, "failed");
        let files = Thousands(self.good + self.refused + self.failed);
        Ok(output.line(format_args!(
            "{STRONG}{files} runs{STRONG:#}{good}{bad}{failed}"
        ))?)
    }

    /// What could not be judged weighs more than what was refused.
    fn exit(&self) -> Exit {
        match (self.failed, self.refused) {
            (0, 0) => Exit::Fine,
            (0, _) => Exit::Refused,
            _ => Exit::Failed,
        }
    }
}

//! Submits: verified and durable, at 64 connections, against verifying alone.

use std::path::Path;
use std::sync::Arc;

use async_benches::{Figure, median, quantile};
use serde_json::Value;

use crate::cpu::{OTHER, Spent};
use crate::load::{self, Answer, Load, Until, as_f64};
use crate::subject::Subject;
use crate::verifying::{Verified, verify_all};
use crate::{CONNECTIONS, Fallible, plays};

const BOARD: &str = "bench-submits";
const WARM_UP: usize = 256;
// Small rounds, since other work on the machine comes and goes.
const ROUND: usize = 500;

/// One round: the same files verified in process before and after they are submitted.
struct Round {
    alone: Verified,
    per_second: f64,
    mean_ms: f64,
    p99_ms: f64,
}

/// Measures and returns the figures of the submits, on `count` runs.
///
/// # Errors
/// When the server or the load fails, or an answer is not what it must be.
pub(crate) fn measure(count: usize, cores: usize, folder: &Path) -> Fallible<Vec<Figure>> {
    let runs = plays::play(BOARD, WARM_UP + count, cores)?;
    let subject = Subject::start_empty(folder)?;
    let (warm_up, timed) = runs.split_at(WARM_UP);
    let mut spent = Spent::default();
    round(&subject, warm_up, cores, &mut spent)?;
    spent = Spent::default();
    let rounds = timed
        .chunks(ROUND)
        .map(|runs| round(&subject, runs, cores, &mut spent))
        .collect::<Fallible<Vec<_>>>()?;
    let rows = subject.rows(BOARD)?;
    if rows != runs.len() {
        return Err(format!("{} runs were accepted, but {rows} rows stand", runs.len()).into());
    }
    Ok(figures(&rounds, &spent, timed))
}

fn round(subject: &Subject, runs: &[Vec<u8>], cores: usize, spent: &mut Spent) -> Fallible<Round> {
    let before = verify_all(runs, cores)?;
    let path = subject.path("/runs");
    let requests = runs.iter().map(|run| load::post(&path, run)).collect();
    let measured = load::run(&Load {
        address: subject.address(),
        connections: CONNECTIONS,
        requests: Arc::new(requests),
        until: Until::Sent,
    })?;
    let alone = before.best(verify_all(runs, cores)?);
    measured.answers.iter().try_for_each(check)?;
    spent.add(&measured.cpu);
    let latencies = measured.latencies();
    Ok(Round {
        alone,
        per_second: measured.per_second(),
        mean_ms: latencies.iter().sum::<f64>() / as_f64(latencies.len()),
        p99_ms: quantile(&latencies, 0.99),
    })
}

/// Every run is new and good, so every answer says so.
fn check(answer: &Answer) -> Fallible<()> {
    let body: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    let good = answer.status == 200
        && body["ok"] == true
        && body["status"] == "verified"
        && body["duplicate"] == false
        && body["stored"] == "better"
        && body["receipt"].is_string();
    if good {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&answer.body);
    Err(format!(
        "run {} was answered {} {text}",
        answer.request, answer.status
    )
    .into())
}

fn figures(rounds: &[Round], spent: &Spent, runs: &[Vec<u8>]) -> Vec<Figure> {
    let middle = |value: fn(&Round) -> f64| median(&rounds.iter().map(value).collect::<Vec<_>>());
    let rival = "verify in process";
    // The best round of each: the one that other work on the machine disturbed least.
    let best = |value: fn(&Round) -> f64| rounds.iter().map(value).fold(0.0, f64::max);
    let alone = best(|round| round.alone.per_second);
    let per_second = best(|round| round.per_second);
    let alone_ms = middle(|round| round.alone.cpu_ms);
    let stages = by_stage(spent, runs.len());
    let all_ms: f64 = stages.iter().map(|(_, cpu_ms)| cpu_ms).sum();
    let p99_over_mean = middle(|round| round.p99_ms / round.mean_ms);
    // Where other programs compete for the cores, a server's many threads win more time than one
    // verifying thread a core does; the share by CPU time says what is left of that.
    let share = (per_second / alone).min(alone_ms / all_ms);
    let bytes: usize = runs.iter().map(Vec::len).sum();
    let mut figures = vec![
        Figure::new("submit_verified_share", share, "ratio").against(rival, 1.0),
        Figure::new("submit_verified_per_s", per_second, "1/s").against(rival, alone),
        Figure::new("submit_p99_over_mean", p99_over_mean, "ratio"),
        Figure::new("submit_mean_ms", middle(|round| round.mean_ms), "ms"),
        Figure::new("submit_p99_ms", middle(|round| round.p99_ms), "ms"),
        Figure::new("submit_run_bytes", as_f64(bytes) / as_f64(runs.len()), "B"),
        Figure::new("submit_cpu_ms", all_ms, "ms").against(rival, alone_ms),
    ];
    for (stage, cpu_ms) in stages {
        figures.push(Figure::new(format!("submit_cpu_ms_{stage}"), cpu_ms, "ms"));
    }
    figures
}

/// CPU milliseconds of one submit, by stage.
fn by_stage(spent: &Spent, runs: usize) -> [(&'static str, f64); 5] {
    ["client", "http", "verify", "store", OTHER]
        .map(|stage| (stage, spent.seconds(stage) * 1_000.0 / as_f64(runs)))
}

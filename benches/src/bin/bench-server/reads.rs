//! Reads of a large board: an own rank and the top hundred, against a constant answer.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_benches::{Figure, median};

use crate::load::{self, Load, Measured, Until, as_f64};
use crate::rival::{self, Rival};
use crate::subject::{BIG_BOARD, Subject, player};
use crate::{CONNECTIONS, Fallible};

const ROUNDS: usize = 20;
// Different players, so that no answer can be one kept from before.
const PLAYERS: usize = 4_096;
const TOP_ROWS: usize = 100;

/// One round: requests per second of each kind, one after another.
struct Round {
    constant: f64,
    rank: f64,
    top: f64,
}

/// How much to measure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    /// Entries on the board.
    pub(crate) entries: usize,
    /// Roughly how long each kind of read is measured.
    pub(crate) seconds: f64,
}

/// Fills a board, measures, and returns the figures of the reads.
///
/// # Errors
/// When the server or the load fails, or an answer is not what it must be.
pub(crate) fn measure(size: Size, cores: usize, folder: &Path) -> Fallible<Vec<Figure>> {
    let Size { entries, seconds } = size;
    let subject = Subject::start_filled(folder, entries)?;
    let rival = Rival::start(cores)?;
    let ranks = rank_requests(&subject, entries);
    let top = subject.path(&format!("/boards/{BIG_BOARD}?rows={TOP_ROWS}"));
    check_rank(&subject, entries, &ranks[0])?;
    check_top(&subject, entries, &load::get(&top))?;
    let kinds = [
        (rival.address(), Arc::new(vec![load::get(rival::PATH)])),
        (subject.address(), Arc::new(ranks)),
        (subject.address(), Arc::new(vec![load::get(&top)])),
    ];
    let time = Duration::from_secs_f64(seconds / as_f64(ROUNDS));
    let mut rounds = Vec::new();
    let mut cpu_us = [Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..=ROUNDS {
        let mut rates = [0.0; 3];
        for (kind, (address, requests)) in kinds.iter().enumerate() {
            let measured = read(*address, Arc::clone(requests), time)?;
            rates[kind] = measured.per_second();
            let spent = measured.cpu.seconds("http") + measured.cpu.seconds("rival");
            cpu_us[kind].push(spent * 1e6 / as_f64(measured.answers.len()));
        }
        let [constant, rank, top] = rates;
        rounds.push(Round {
            constant,
            rank,
            top,
        });
    }
    // The first round warms up.
    let reads = figures(&rounds[1..], cpu_us.map(|us| median(&us[1..])));
    Ok(reads.into_iter().chain(subject.figures()).collect())
}

fn read(address: SocketAddr, requests: Arc<Vec<Vec<u8>>>, time: Duration) -> Fallible<Measured> {
    let load = Load {
        address,
        connections: CONNECTIONS,
        requests,
        until: Until::Elapsed(time),
    };
    let measured = load::run(&load)?;
    match measured.answers.iter().find(|answer| answer.status != 200) {
        Some(answer) => Err(format!("a read was answered {}", answer.status).into()),
        None => Ok(measured),
    }
}

/// The own rank of players all over the board.
fn rank_requests(subject: &Subject, entries: usize) -> Vec<Vec<u8>> {
    let players = (0..PLAYERS).map(|index| index * 7_919 % entries.max(1));
    let request = |number| {
        let player = player(number);
        load::get(&subject.path(&format!("/boards/{BIG_BOARD}?rows=0&player={player}")))
    };
    players.map(request).collect()
}

fn check_rank(subject: &Subject, entries: usize, request: &[u8]) -> Fallible<()> {
    let body = subject.ask(request)?;
    let rank = body["own"]["rank"].as_u64().unwrap_or_default();
    let good = body["own"]["ranked"] == true && rank > 0 && body["total"] == entries;
    if good {
        Ok(())
    } else {
        Err(format!("an own rank was answered {body}").into())
    }
}

fn check_top(subject: &Subject, entries: usize, request: &[u8]) -> Fallible<()> {
    let body = subject.ask(request)?;
    let rows = body["rows"].as_array().map_or(0, Vec::len);
    if rows == TOP_ROWS.min(entries) && body["rows"][0]["rank"] == 1 {
        return Ok(());
    }
    Err(format!("the top was answered with {rows} rows").into())
}

fn figures(rounds: &[Round], cpu_us: [f64; 3]) -> Vec<Figure> {
    // The best round of each: the one that other work on the machine disturbed least.
    let best = |value: fn(&Round) -> f64| rounds.iter().map(value).fold(0.0, f64::max);
    let [constant, rank, top] = [
        best(|round| round.constant),
        best(|round| round.rank),
        best(|round| round.top),
    ];
    let rival = "constant axum answer";
    let [constant_us, rank_us, top_us] = cpu_us;
    vec![
        Figure::new("rank_read_share", rank / constant, "ratio").against(rival, 1.0),
        Figure::new("rank_reads_per_s", rank, "1/s").against(rival, constant),
        Figure::new("rank_read_cpu_us", rank_us, "us").against(rival, constant_us),
        Figure::new("top100_share", top / constant, "ratio").against(rival, 1.0),
        Figure::new("top100_per_s", top, "1/s").against(rival, constant),
        Figure::new("top100_cpu_us", top_us, "us").against(rival, constant_us),
    ]
}

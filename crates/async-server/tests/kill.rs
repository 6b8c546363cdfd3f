//! Twenty times, somebody pulls the plug while runs come in. What was acknowledged is there, ranks
//! are what counting gives, and what was not acknowledged can be sent again and lands once.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod site;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use site::recordings::{arena, engine_with, id, open};
use site::{BASE, Caller};

const KILLS: usize = 20;
const SENDERS: usize = 8;
const PLAYERS: u8 = 40;

struct Sent {
    bytes: Vec<u8>,
    id: String,
    player: String,
    score: i64,
    acknowledged: Option<Value>,
}

fn start(folder: &Path) -> (Child, Caller) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gf-async-server"))
        .args(["--listen", "127.0.0.1:0", "--data", "data.sqlite"])
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap())
        .read_line(&mut line)
        .unwrap();
    let caller = Caller::new(line.trim().strip_prefix("listening on ").unwrap());
    (child, caller)
}

/// Scores of few values, so that ties are many; every fifth run is one that is re-simulated.
fn run(round: usize, number: usize) -> Sent {
    let player = u8::try_from((round * 31 + number * 7) % usize::from(PLAYERS)).unwrap() + 1;
    let bytes = if number.is_multiple_of(25) {
        arena(player, "sprint", (round * 1_000 + number) as u64)
    } else {
        let score = ((round * 37 + number * 101) % 50) as i64;
        let seed = (round * 10_000 + number) as u64;
        engine_with(player, "kart", score, |header| header.seed = seed)
    };
    let opened = open(&bytes);
    Sent {
        id: id(&bytes),
        player: opened.header.player.unwrap().to_string(),
        score: opened.end.score,
        bytes,
        acknowledged: None,
    }
}

/// Sends from many threads until the server dies under them.
fn send_until_killed(caller: &Caller, child: &mut Child, runs: &mut [Sent], after: Duration) {
    let next = AtomicUsize::new(0);
    let jobs: Vec<Mutex<&mut Sent>> = runs.iter_mut().map(Mutex::new).collect();
    thread::scope(|scope| {
        for _ in 0..SENDERS {
            scope.spawn(|| {
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::SeqCst)) {
                    let mut run = job.lock().unwrap();
                    let reply = caller.try_post(&format!("{BASE}/runs"), &run.bytes, &[]);
                    let Ok(reply) = reply else { return };
                    run.acknowledged = Some(reply.good());
                }
            });
        }
        thread::sleep(after);
        child.kill().unwrap();
    });
    child.wait().unwrap();
}

fn rows(caller: &Caller, board: &str) -> Vec<Value> {
    let page = caller.api(&format!("/boards/{board}?rows=100")).good();
    page["rows"].as_array().unwrap().clone()
}

/// The best run of each player by plain counting: score, then who was accepted first.
fn brute_force(caller: &Caller, kept: &[&Sent]) -> Vec<(String, i64, u64)> {
    let mut best: BTreeMap<&str, (i64, u64, String)> = BTreeMap::new();
    for run in kept {
        let info = caller.api(&format!("/runs/{}/info", run.id)).good();
        let accepted = info["accepted_at_ms"].as_u64().unwrap();
        let mine = (run.score, u64::MAX - accepted, run.id.clone());
        let entry = best.entry(&run.player).or_insert_with(|| mine.clone());
        if (mine.0, mine.1) > (entry.0, entry.1) {
            *entry = mine;
        }
    }
    let scores: Vec<i64> = best.values().map(|entry| entry.0).collect();
    let rank = |score: i64| 1 + scores.iter().filter(|other| **other > score).count() as u64;
    best.iter()
        .map(|(player, entry)| ((*player).to_owned(), entry.0, rank(entry.0)))
        .collect()
}

fn check_board(caller: &Caller, board: &str, kept: &[&Sent]) {
    let shown = rows(caller, board);
    let mut expected = brute_force(caller, kept);
    let mut found: Vec<(String, i64, u64)> = shown
        .iter()
        .map(|row| {
            let text = |name: &str| row[name].as_str().unwrap().to_owned();
            (
                text("player"),
                row["score"].as_i64().unwrap(),
                row["rank"].as_u64().unwrap(),
            )
        })
        .collect();
    // Rows come best first, and equal scores in the order in which they were accepted.
    for pair in shown.windows(2) {
        let key = |row: &Value| {
            (
                -row["score"].as_i64().unwrap(),
                row["accepted_at_ms"].as_u64(),
            )
        };
        assert!(key(&pair[0]) <= key(&pair[1]), "{board}");
    }
    expected.sort();
    found.sort();
    assert_eq!(found, expected, "{board}");
}

#[test]
fn killed_twenty_times_under_load_nothing_acknowledged_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let mut all: Vec<Sent> = Vec::new();
    let (mut child, mut caller) = start(folder.path());
    for round in 0..KILLS {
        let mut runs: Vec<Sent> = (0..150).map(|number| run(round, number)).collect();
        let after = Duration::from_millis(20 + (round as u64 * 13) % 90);
        send_until_killed(&caller, &mut child, &mut runs, after);
        (child, caller) = start(folder.path());
        for run in runs.iter().filter(|run| run.acknowledged.is_some()) {
            let reply = caller.get(&format!("{BASE}/runs/{}", run.id));
            assert_eq!(
                (reply.status, &reply.bytes),
                (200, &run.bytes),
                "lost in round {round}"
            );
        }
        // Some that were not acknowledged are sent again; twice, to be sure that they land once.
        let open = runs.iter_mut().filter(|run| run.acknowledged.is_none());
        for run in open.take(10) {
            run.acknowledged = Some(caller.submit(&run.bytes).good());
            assert_eq!(caller.submit(&run.bytes).good()["duplicate"], true);
        }
        // An answer that was lost on its way may still be of a run that was kept.
        let kept = |run: &Sent| {
            run.acknowledged.is_some()
                || caller.api(&format!("/runs/{}/status", run.id)).status == 200
        };
        all.extend(runs.into_iter().filter(kept));
    }
    let on = |board: &str| -> Vec<&Sent> {
        all.iter()
            .filter(|run| open(&run.bytes).header.board == board)
            .collect()
    };
    let acknowledged = all.iter().filter(|run| run.acknowledged.is_some()).count();
    assert!(
        acknowledged > 20 * KILLS,
        "only {acknowledged} runs were in: no load to speak of"
    );
    check_board(&caller, "kart", &on("kart"));
    check_board(&caller, "sprint", &on("sprint"));
    child.kill().unwrap();
    child.wait().unwrap();
}

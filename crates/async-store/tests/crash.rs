//! The story: a server is killed in the middle of its work, a hundred times a year. Whoever got
//! an answer must find the run there afterwards, and every rank must be what a sort would give.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may fail")]

mod conformance;

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_protocol::{Keep, Order, Ties};
use async_store::{NewRun, Options, PageAt, RunQuery, SqliteStore, Store};
use conformance::{APP, declared, page, player, run, run_id, submit};

/// Names the folder in which the child works, and the number of its first run.
const FOLDER: &str = "GF_STORE_CRASH_FOLDER";
const FIRST: &str = "GF_STORE_CRASH_FIRST";
const ROUNDS: u64 = 8;
/// A child never gets so far.
const ROUND_RUNS: u64 = 1_000_000;
const PLAYERS: u64 = 50;

fn open(folder: &Path) -> SqliteStore {
    SqliteStore::open(&folder.join("store.db"), Options::default()).unwrap()
}

/// Few players and few scores: many improvements and many ties.
fn crash_run(number: u64) -> NewRun {
    let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    run(
        number,
        (mixed >> 32) % PLAYERS,
        (mixed >> 40) as i64 % 1_000,
    )
}

/// Does nothing in a normal run: it is the program that the other test kills.
#[test]
fn child_submits_until_it_is_killed() {
    let (Ok(folder), Ok(first)) = (std::env::var(FOLDER), std::env::var(FIRST)) else {
        return;
    };
    let folder = Path::new(&folder);
    let store = open(folder);
    let acks = OpenOptions::new()
        .append(true)
        .create(true)
        .open(folder.join("acks"));
    let acks = Arc::new(acks.unwrap());
    let first: u64 = first.parse().unwrap();
    for number in first..first + ROUND_RUNS {
        let acks = Arc::clone(&acks);
        store.submit(
            crash_run(number),
            Box::new(move |answer| match answer {
                // One write a line, so that no line is torn.
                Ok(_) => (&*acks)
                    .write_all(format!("{number}\n").as_bytes())
                    .unwrap(),
                Err(error) => assert!(error.retry(), "{error}"),
            }),
        );
        while store.figures().writes + 200 < number - first {
            std::thread::yield_now();
        }
    }
}

#[test]
fn what_was_acknowledged_survives_sigkill() {
    let dir = tempfile::tempdir().unwrap();
    declared(
        &open(dir.path()),
        Order::Descending,
        Keep::Best,
        Ties::Earliest,
    );
    File::create(dir.path().join("acks")).unwrap();
    let mut known = 0;
    for round in 0..ROUNDS {
        let acknowledged = kill_a_child(dir.path(), round * ROUND_RUNS, known);
        known = acknowledged.len();
        let store = open(dir.path());
        for number in &acknowledged {
            let found = store.known(APP, run_id(*number)).unwrap();
            assert!(found.is_some(), "run {number} of round {round} is lost");
        }
        check_ranks(&store);
        // What got no answer can be sent again, and stands there once.
        let next = acknowledged.iter().max().unwrap() + 1;
        for number in next..next + 300 {
            submit(&store, crash_run(number)).unwrap();
            assert!(submit(&store, crash_run(number)).unwrap().duplicate);
        }
        check_ranks(&store);
    }
}

/// Lets a child work until it has answered some more, kills it, reads what it answered.
fn kill_a_child(folder: &Path, first: u64, known: usize) -> BTreeSet<u64> {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child_submits_until_it_is_killed"])
        .env(FOLDER, folder)
        .env(FIRST, first.to_string())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let read = || {
        let text = std::fs::read_to_string(folder.join("acks")).unwrap();
        text.lines()
            .map(|line| line.parse::<u64>().unwrap())
            .collect::<BTreeSet<_>>()
    };
    let patience = Instant::now() + Duration::from_secs(60);
    while read().len() < known + 400 {
        assert!(Instant::now() < patience, "the child answers nothing");
        std::thread::sleep(Duration::from_millis(3));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    read()
}

/// The board must be what the list of all runs says it is.
fn check_ranks(store: &dyn Store) {
    let mut query = RunQuery {
        app: APP,
        rows: 1_000,
        ..RunQuery::default()
    };
    let mut runs = Vec::new();
    loop {
        let page = store.runs(&query).unwrap();
        runs.extend(page.runs);
        query.before = page.next;
        if page.next.is_none() {
            break;
        }
    }
    let ids: BTreeSet<_> = runs.iter().map(|run| run.id).collect();
    assert_eq!(ids.len(), runs.len(), "a run stands there twice");
    runs.sort_by_key(|run| (-run.score, run.seq));
    let mut seen = BTreeSet::new();
    runs.retain(|run| seen.insert(run.player));
    let board = page(store, PageAt::Top, 1_000);
    let shown: Vec<_> = board.rows.iter().map(|row| (row.run, row.rank)).collect();
    let better = |score| runs.iter().filter(|run| run.score > score).count() as u64;
    let expected: Vec<_> = runs
        .iter()
        .map(|run| (run.id, better(run.score) + 1))
        .collect();
    assert_eq!(shown, expected);
    for owner in 0..PLAYERS {
        let standing = store.standing(APP, "b", Some(player(owner)), None).unwrap();
        let row = board.rows.iter().find(|row| row.player == player(owner));
        assert_eq!(
            standing.place.map(|place| place.position),
            row.map(|row| row.position)
        );
    }
}

//! What the store costs:
//! `cargo run --release -p async-store --example store_speed [ENTRIES [FILE]]`.
//!
//! Prints one JSON object per figure. CPU times are those of the thread named.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "an example that measures stops at the first failure"
)]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::time::Instant;

use async_protocol::{BoardPolicy, PlayerId, RulesetId, RunId, Status, Trust};
use async_store::{Board, Done, NewRun, Options, PageAt, PageQuery, SqliteStore, Store, Submitted};

const APP: &str = "speed";
const BOARD: &str = "million";
const OUTSTANDING: usize = 64;
const SUBMITS: u64 = 20_000;
const READS: u64 = 50_000;
const ROUNDS: u64 = 5;
const RUN_BYTES: usize = 2_000;

fn main() {
    let arg = |n| std::env::args().nth(n);
    let entries = arg(1).and_then(|n| n.parse().ok()).unwrap_or(1_000_000);
    let dir = tempfile::tempdir().unwrap();
    // A file that is kept is filled once and read many times.
    let kept = arg(2).map(PathBuf::from);
    let path = kept.clone().unwrap_or_else(|| dir.path().join("speed.db"));
    if !kept.is_some_and(|path| path.exists()) {
        let store = open(&path);
        declare(&store);
        // A small board first: many submits by few players, as the server's bench makes them.
        submit_many(&store, "small", 0, 64);
        drop(store);
        import(&open_to_import(&path), entries);
    }
    let (start, cpu) = (Instant::now(), own_cpu_ns());
    let store = open(&path);
    let per_million = 1e6 / entries as f64;
    figure(
        "ready_cpu_s_per_million",
        (own_cpu_ns() - cpu) / 1e9 * per_million,
        "s",
    );
    figure(
        "ready_s_per_million",
        start.elapsed().as_secs_f64() * per_million,
        "s",
    );
    let figures = store.figures();
    figure(
        "bytes_per_entry",
        figures.rank_bytes as f64 / figures.entries as f64,
        "B",
    );
    reads(&store, entries);
    submit_many(&store, "large", entries, entries);
}

fn figure(name: &str, value: f64, unit: &str) {
    println!("{{\"name\": \"{name}\", \"value\": {value:.3}, \"unit\": \"{unit}\"}}");
}

fn open(path: &Path) -> SqliteStore {
    SqliteStore::open(path, Options::default()).unwrap()
}

/// An import touches every index everywhere: with room for them it is several times as fast.
fn open_to_import(path: &Path) -> SqliteStore {
    let options = Options {
        cache_kib: 1 << 20,
        ..Options::default()
    };
    SqliteStore::open(path, options).unwrap()
}

fn declare(store: &SqliteStore) {
    for name in [BOARD, "small"] {
        let policy = BoardPolicy {
            trust: Some(Trust::Verified),
            ..BoardPolicy::default()
        };
        let board = Board {
            app: APP.to_owned(),
            name: name.to_owned(),
            ruleset: None,
            policy,
            opens_ms: None,
            closes_ms: None,
            declared: true,
        };
        wait(|done| store.declare_board(board, done));
    }
}

fn wait<T: Send + 'static>(call: impl FnOnce(Done<T>)) -> T {
    let (done, answer) = channel();
    call(Box::new(move |outcome| done.send(outcome).unwrap()));
    answer.recv().unwrap().unwrap()
}

/// Numbers without a pattern.
fn mixed(number: u64) -> u64 {
    let mut x = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

fn player(number: u64) -> PlayerId {
    let mut id = [0; 32];
    id.chunks_exact_mut(8).zip(1..).for_each(|(part, i)| {
        part.copy_from_slice(&mixed(number * 4 + i).to_le_bytes());
    });
    PlayerId(id)
}

fn run(board: &str, number: u64, owner: u64, bytes: usize) -> NewRun {
    let mut id = [0; 16];
    id[..8].copy_from_slice(&mixed(number ^ (1 << 40)).to_le_bytes());
    id[8..].copy_from_slice(&number.to_le_bytes());
    NewRun {
        app: APP.to_owned(),
        board: board.to_owned(),
        ruleset: RulesetId([1; 16]),
        id: RunId(id),
        player: player(owner),
        player_name: format!("player {owner}"),
        build: "1.0.0".to_owned(),
        // Ties are common, as in games.
        score: (mixed(number) % 100_000) as i64,
        frames: 3_600,
        status: Status::Verified,
        practice: false,
        verdict: VERDICT.to_owned(),
        input_hash: player(number).0,
        input_changes: 500,
        received_ms: number,
        ticket_use: None,
        bytes: id.repeat(bytes / 16),
    }
}

const VERDICT: &str = r#"{"status":"verified","code":"ok","score":51234,"frames":3600,
"digest":"0123456789abcdef","msg":"every checkpoint agrees"}"#;

fn import(store: &SqliteStore, entries: u64) {
    let start = Instant::now();
    for first in (0..entries).step_by(100_000) {
        let numbers = first..entries.min(first + 100_000);
        // What is measured later is the ranks, so the files are small.
        let runs = numbers
            .map(|number| run(BOARD, number + (1 << 32), number, 64))
            .collect();
        wait(|done| store.import(runs, done));
    }
    figure(
        "import_per_s",
        entries as f64 / start.elapsed().as_secs_f64(),
        "1/s",
    );
}

/// Keeps 64 submits under way until all are answered.
fn submit_many(store: &SqliteStore, name: &str, first: u64, players: u64) {
    let board = if name == "small" { "small" } else { BOARD };
    let runs: Vec<_> = (first..first + SUBMITS)
        .map(|n| run(board, n, mixed(n) % players, RUN_BYTES))
        .collect();
    let before = store.figures();
    let cpu = thread_cpu_ns("gf-store-writer");
    let move_cpu = thread_cpu_ns("gf-store-checkpoint");
    let (free, slots): (SyncSender<()>, Receiver<()>) = sync_channel(OUTSTANDING);
    (0..OUTSTANDING).for_each(|_| free.send(()).unwrap());
    let (answer, answers) = channel();
    let free = Arc::new(free);
    let start = Instant::now();
    for run in runs {
        slots.recv().unwrap();
        let (free, answer, sent) = (Arc::clone(&free), answer.clone(), Instant::now());
        store.submit(
            run,
            Box::new(move |outcome: Result<Submitted, _>| {
                outcome.unwrap();
                answer.send(sent.elapsed().as_secs_f64() * 1e3).unwrap();
                free.send(()).unwrap();
            }),
        );
    }
    drop(answer);
    let mut ms: Vec<f64> = answers.iter().collect();
    let seconds = start.elapsed().as_secs_f64();
    ms.sort_by(f64::total_cmp);
    let mean = ms.iter().sum::<f64>() / ms.len() as f64;
    let after = store.figures();
    let each = 1e3 * SUBMITS as f64;
    let cpu = (thread_cpu_ns("gf-store-writer") - cpu) / each;
    let move_cpu = (thread_cpu_ns("gf-store-checkpoint") - move_cpu) / each;
    let per_group = SUBMITS as f64 / (after.groups - before.groups) as f64;
    figure(
        &format!("submit_per_s_{name}"),
        SUBMITS as f64 / seconds,
        "1/s",
    );
    figure(&format!("submit_mean_ms_{name}"), mean, "ms");
    figure(
        &format!("submit_p99_over_mean_{name}"),
        ms[ms.len() * 99 / 100] / mean,
        "ratio",
    );
    figure(&format!("submit_max_ms_{name}"), ms[ms.len() - 1], "ms");
    figure(&format!("submits_per_group_{name}"), per_group, "");
    figure(&format!("writer_cpu_us_per_submit_{name}"), cpu, "us");
    figure(
        &format!("checkpoint_cpu_us_per_submit_{name}"),
        move_cpu,
        "us",
    );
}

fn thread_cpu_ns(name: &str) -> f64 {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    let ns = tasks.filter_map(Result::ok).filter_map(|task| {
        let comm = std::fs::read_to_string(task.path().join("comm")).ok()?;
        // The kernel cuts names at 15 bytes.
        let wanted = &name[..name.len().min(15)];
        let stat = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
        (comm.trim() == wanted).then(|| stat.split(' ').next()?.parse::<f64>().ok())?
    });
    ns.sum()
}

fn own_cpu_ns() -> f64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    stat.split(' ').next().unwrap().parse().unwrap()
}

fn reads(store: &SqliteStore, entries: u64) {
    let per = |name: &str, count: u64, read: &dyn Fn(u64)| {
        // The best of several: other work on the machine only ever adds.
        let round = |round| {
            let start = own_cpu_ns();
            (round * count..(round + 1) * count).for_each(read);
            (own_cpu_ns() - start) / count as f64
        };
        let best = (0..ROUNDS).map(round).min_by(f64::total_cmp);
        figure(name, best.unwrap_or(f64::NAN), "ns");
    };
    per("rank_ns", READS, &|n| {
        let player = player(mixed(n) % entries);
        assert!(
            store
                .standing(APP, BOARD, Some(player), None)
                .unwrap()
                .place
                .is_some()
        );
    });
    per("would_rank_ns", READS, &|n| {
        let score = (mixed(n) % 100_000) as i64;
        assert!(
            store
                .standing(APP, BOARD, None, Some(score))
                .unwrap()
                .would_rank
                .is_some()
        );
    });
    let page = |at, rows| {
        store
            .page(&PageQuery {
                app: APP,
                board: BOARD,
                rows,
                at,
            })
            .unwrap()
    };
    assert_eq!(page(PageAt::Top, 100).rows.len(), 100);
    per("top100_ready_ns", READS, &|_| {
        assert_eq!(page(PageAt::Top, 100).rows.len(), 100);
    });
    per("around_10_rows_ns", READS / 10, &|n| {
        let around = page(PageAt::Around(player(mixed(n) % entries)), 10);
        assert_eq!(around.rows.len(), 10);
    });
    per("known_ns", READS / 10, &|n| {
        let id = run(BOARD, (mixed(n) % entries) + (1 << 32), 0, 0).id;
        assert!(store.known(APP, id).unwrap().is_some());
    });
}

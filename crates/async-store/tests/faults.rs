//! Full disks, foreign files, overload, and readers beside a writer.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may fail")]

mod conformance;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc;

use async_protocol::{Keep, Order, Ties};
use async_store::{Error, NewRun, Options, PageAt, SqliteStore, Store};
use conformance::{APP, declared, order, page, places, player, run, run_id, submit};

fn open(folder: &Path, options: Options) -> Result<SqliteStore, Error> {
    SqliteStore::open(&folder.join("store.db"), options)
}

fn big(number: u64) -> NewRun {
    NewRun {
        bytes: vec![7; 20_000],
        ..run(number, number, number as i64)
    }
}

#[test]
fn a_full_store_says_so_and_keeps_what_it_had() {
    let dir = tempfile::tempdir().unwrap();
    let options = || Options {
        file_max_bytes: 1 << 20,
        ..Options::default()
    };
    let store = open(dir.path(), options()).unwrap();
    declared(&store, Order::Descending, Keep::Best, Ties::Earliest);
    let mut kept = 0;
    while submit(&store, big(kept)).is_ok() {
        kept += 1;
        assert!(kept < 100, "a megabyte holds no hundred of them");
    }
    assert!(kept > 10);
    for _ in 0..3 {
        assert_eq!(submit(&store, big(kept)), Err(Error::Full));
    }
    // A group with one that does not fit answers all of it alike: nothing, or done.
    let (done, answers) = mpsc::channel();
    for number in 500..510 {
        let done = done.clone();
        store.submit(
            big(number),
            Box::new(move |answer| done.send(answer.is_ok()).unwrap()),
        );
    }
    drop(done);
    assert!(answers.iter().all(|stored| !stored));
    let expected: Vec<_> = (0..kept).rev().map(run_id).collect();
    assert_eq!(order(&store), expected);
    assert_eq!(store.run(APP, run_id(kept)).unwrap(), None);
    drop(store);
    // With more room everything goes on, and the number that failed was not spent twice.
    let store = open(dir.path(), Options::default()).unwrap();
    assert_eq!(order(&store), expected);
    let answer = submit(&store, big(kept)).unwrap();
    assert_eq!(answer.standing.place.unwrap().rank, 1);
    assert_eq!(answer.seq, kept + 1);
}

#[test]
fn foreign_and_damaged_files_are_errors() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("store.db");
    std::fs::write(
        &file,
        b"this is no database, and it is long enough to be read as one",
    )
    .unwrap();
    assert!(matches!(
        open(dir.path(), Options::default()),
        Err(Error::Damaged(_))
    ));
    assert!(SqliteStore::open(Path::new("/no/such/folder/x.db"), Options::default()).is_err());
    // A good file with a page of noise in it: whatever is read, it is an error or right.
    std::fs::remove_file(&file).unwrap();
    let store = open(dir.path(), Options::default()).unwrap();
    declared(&store, Order::Descending, Keep::Best, Ties::Earliest);
    (0..200).for_each(|number| drop(submit(&store, run(number, number, 1)).unwrap()));
    drop(store);
    let good = std::fs::read(&file).unwrap();
    for page in 1..good.len() / 4_096 {
        let mut bad = good.clone();
        bad[page * 4_096..(page + 1) * 4_096].fill(0xa7);
        std::fs::write(&file, bad).unwrap();
        let Ok(store) = open(dir.path(), Options::default()) else {
            continue;
        };
        for number in 0..200 {
            let _ = (
                store.run(APP, run_id(number)),
                store.known(APP, run_id(number)),
            );
        }
        let _ = submit(&store, run(1_000, 1, 5));
    }
}

#[test]
fn a_database_of_another_program_stays_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("store.db");
    let other = rusqlite::Connection::open(&file).unwrap();
    other.execute_batch("CREATE TABLE theirs (x)").unwrap();
    other.close().unwrap();
    let before = std::fs::read(&file).unwrap();
    let refused = open(dir.path(), Options::default());
    assert!(matches!(refused, Err(Error::Damaged(_))), "{refused:?}");
    assert_eq!(std::fs::read(&file).unwrap(), before);
    let folder = SqliteStore::open(dir.path(), Options::default());
    assert!(matches!(folder, Err(Error::Failed(_))), "{folder:?}");
}

#[cfg(unix)]
#[test]
fn another_name_of_an_open_file_is_the_same_store() {
    let dir = tempfile::tempdir().unwrap();
    let alias = dir.path().join("alias.db");
    std::os::unix::fs::symlink(dir.path().join("store.db"), &alias).unwrap();
    let _first = open(dir.path(), Options::default()).unwrap();
    let second = SqliteStore::open(&alias, Options::default());
    assert!(matches!(second, Err(Error::InUse)), "{second:?}");
}

#[cfg(unix)]
#[test]
fn only_the_owner_reads_a_new_file() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path(), Options::default()).unwrap();
    declared(&store, Order::Descending, Keep::Best, Ties::Earliest);
    for name in ["store.db", "store.db-wal", "store.db-shm"] {
        let mode = std::fs::metadata(dir.path().join(name))
            .unwrap()
            .permissions();
        assert_eq!(mode.mode() & 0o077, 0, "{name}");
    }
}

#[test]
fn a_store_is_open_once() {
    let dir = tempfile::tempdir().unwrap();
    let first = open(dir.path(), Options::default()).unwrap();
    assert!(matches!(
        open(dir.path(), Options::default()),
        Err(Error::InUse)
    ));
    drop(first);
    open(dir.path(), Options::default()).unwrap();
}

#[test]
fn overload_is_refused_and_every_write_is_answered() {
    let dir = tempfile::tempdir().unwrap();
    let options = Options {
        waiting_max: 20,
        ..Options::default()
    };
    let store = open(dir.path(), options).unwrap();
    declared(&store, Order::Descending, Keep::Best, Ties::Earliest);
    let (done, answers) = mpsc::channel();
    for number in 0..2_000 {
        let done = done.clone();
        store.submit(
            run(number, number, 5),
            Box::new(move |answer| done.send((number, answer)).unwrap()),
        );
    }
    drop((done, store));
    let answers: Vec<_> = answers.iter().collect();
    assert_eq!(answers.len(), 2_000);
    let store = open(dir.path(), Options::default()).unwrap();
    let (stored, refused): (Vec<_>, Vec<_>) =
        answers.into_iter().partition(|(_, answer)| answer.is_ok());
    assert!(!refused.is_empty() && !stored.is_empty());
    assert!(
        refused
            .iter()
            .all(|(_, answer)| *answer == Err(Error::Busy))
    );
    assert_eq!(places(&store).len(), stored.len().min(1_000));
    assert_eq!(store.figures().entries, stored.len() as u64);
}

#[test]
fn readers_beside_the_writer_see_whole_boards() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path(), Options::default()).unwrap();
    declared(&store, Order::Descending, Keep::Best, Ties::Earliest);
    let over = AtomicBool::new(false);
    std::thread::scope(|threads| {
        for reader in 0..2 {
            let (store, over) = (&store, &over);
            threads.spawn(move || {
                while !over.load(Relaxed) {
                    let at = match reader {
                        0 => PageAt::Top,
                        _ => PageAt::Around(player(7)),
                    };
                    check_rows(&page(store, at, 50));
                }
            });
        }
        // Also when an assertion fails, or the readers would never end.
        let _ending = Ending(&over);
        for number in 0..1_500 {
            let score = (number * 7_919 % 400) as i64;
            let answer = submit(&store, run(number, number % 97, score)).unwrap();
            // One's own write is seen by the very next read.
            let own = store
                .standing(APP, "b", Some(player(number % 97)), None)
                .unwrap();
            assert_eq!(own.place, answer.standing.place);
            let top = page(&store, PageAt::Top, 1);
            assert!(top.rows[0].score >= score);
        }
    });
}

struct Ending<'a>(&'a AtomicBool);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// Rows of one moment: in order, places without a gap, ranks that fit the scores.
fn check_rows(page: &async_store::Page) {
    for pair in page.rows.windows(2) {
        assert!((-pair[0].score, pair[0].seq) < (-pair[1].score, pair[1].seq));
        assert_eq!(pair[0].position + 1, pair[1].position);
        if pair[0].score == pair[1].score {
            assert_eq!(pair[0].rank, pair[1].rank);
        } else {
            assert_eq!(pair[1].rank, pair[1].position);
        }
    }
}

//! Walking through a board while it changes.

use async_protocol::Order;
use async_store::{Cursor, Error, Row, Store};

use super::*;

fn walk(store: &dyn Store, from: Option<Cursor>, rows: usize, forward: bool) -> Vec<Row> {
    let mut cursor = from;
    let mut found: Vec<Row> = Vec::new();
    loop {
        let page = page(store, cursor.map_or(PageAt::Top, PageAt::Cursor), rows);
        // Cursors travel as text.
        let next = if forward { page.next } else { page.prev };
        cursor = next.map(|cursor| cursor.to_string().parse().unwrap());
        if forward {
            found.extend(page.rows.iter().cloned());
        } else {
            found.splice(0..0, page.rows.iter().cloned());
        }
        if cursor.is_none() {
            return found;
        }
    }
}

/// A cursor behind the last row.
fn end(store: &dyn Store) -> Option<Cursor> {
    let mut last = None;
    loop {
        let page = page(store, last.map_or(PageAt::Top, PageAt::Cursor), 7);
        if page.next.is_none() {
            return last;
        }
        last = page.next;
    }
}

pub fn case_p1_forward_and_back_are_the_same_list(open: Open<'_>) {
    for (order, ties) in [
        (Order::Descending, Ties::Earliest),
        (Order::Ascending, Ties::Latest),
    ] {
        let store = open();
        let name = format!("{order:?}");
        let mut declared = board(&name, order);
        declared.policy.ties = ties;
        declare(&*store, declared);
        for number in 0..50 {
            let id = number + if order == Order::Ascending { 1_000 } else { 0 };
            let run = NewRun {
                board: name.clone(),
                ..run(id, number, (number % 4) as i64)
            };
            submit(&*store, run).unwrap();
        }
        let page = |at, rows| {
            store
                .page(&PageQuery {
                    app: APP,
                    board: &name,
                    rows,
                    at,
                })
                .unwrap()
        };
        let whole = page(PageAt::Top, 100);
        assert_eq!((whole.rows.len(), whole.next, whole.prev), (50, None, None));
        for rows in [1, 2, 7, 49, 50] {
            let mut at = PageAt::Top;
            let mut pages = Vec::new();
            loop {
                pages.push(page(at, rows));
                match pages.last().unwrap().next {
                    Some(next) => at = PageAt::Cursor(next),
                    None => break,
                }
            }
            let forward: Vec<_> = pages.iter().flat_map(|page| page.rows.to_vec()).collect();
            assert_eq!(forward, whole.rows[..]);
            // Back again: each page before is the page that was before.
            let mut back = pages.pop().unwrap();
            for expected in pages.iter().rev() {
                back = page(PageAt::Cursor(back.prev.unwrap()), rows);
                assert_eq!(back.rows, expected.rows);
            }
            assert_eq!(back.prev, None);
        }
    }
}

pub fn case_p1_a_walk_sees_everybody_once_while_scores_arrive(open: Open<'_>) {
    let store = open();
    declared(&*store, Order::Descending, Keep::Best, Ties::Earliest);
    for number in 0..60 {
        submit(&*store, run(number, number, (number % 6) as i64)).unwrap();
    }
    let before = order(&*store);
    for forward in [true, false] {
        let mut seen = Vec::new();
        let mut at = if forward {
            PageAt::Top
        } else {
            let last = page(&*store, PageAt::Cursor(end(&*store).unwrap()), 100);
            assert!(last.next.is_none());
            seen.extend(last.rows.iter().map(|row| row.run));
            PageAt::Cursor(last.prev.unwrap())
        };
        let start = if forward { 1_000 } else { 2_000 };
        for step in start.. {
            let page = page(&*store, at, 5);
            seen.extend(page.rows.iter().map(|row| row.run));
            // New players arrive everywhere: before, after, and within the ties being read.
            for score in [99, 3, -1] {
                let number = step * 10 + score as u64 % 10;
                submit(&*store, run(number, number, score)).unwrap();
            }
            match if forward { page.next } else { page.prev } {
                Some(cursor) => at = PageAt::Cursor(cursor),
                None => break,
            }
        }
        for run in &before {
            assert_eq!(
                seen.iter().filter(|seen| *seen == run).count(),
                1,
                "{run} {forward}"
            );
        }
    }
}

pub fn the_end_is_an_empty_page_with_the_total(open: Open<'_>) {
    let store = open();
    declared(&*store, Order::Descending, Keep::Best, Ties::Earliest);
    let none = page(&*store, PageAt::Top, 10);
    assert_eq!(
        (none.rows.len(), none.total, none.next, none.prev),
        (0, 0, None, None)
    );
    for number in 0..3 {
        submit(&*store, run(number, number, number as i64)).unwrap();
    }
    let past = page(&*store, PageAt::Top, 2).next.unwrap();
    for number in 0..3 {
        remove(&*store, Removal::Hide(run_id(number)));
    }
    let gone = page(&*store, PageAt::Cursor(past), 2);
    assert_eq!(
        (gone.rows.len(), gone.total, gone.next, gone.prev),
        (0, 0, None, None)
    );
    remove(&*store, Removal::Show(run_id(2)));
    let behind = page(&*store, PageAt::Cursor(past), 2);
    assert_eq!((behind.rows.len(), behind.total), (0, 1));
    // The way back is still there.
    assert_eq!(walk(&*store, behind.prev, 2, false).len(), 1);
    let total_only = page(&*store, PageAt::Top, 0);
    assert_eq!((total_only.rows.len(), total_only.total), (0, 1));
    let nowhere = PageQuery {
        app: APP,
        board: "none",
        rows: 1,
        at: PageAt::Top,
    };
    assert_eq!(store.page(&nowhere).unwrap_err(), Error::UnknownBoard);
}

pub fn top_pages_keep_up_with_every_change(open: Open<'_>) {
    let store = open();
    declared(&*store, Order::Descending, Keep::Best, Ties::Earliest);
    let top = || {
        let query = PageQuery {
            app: APP,
            board: "b",
            rows: 10,
            at: PageAt::Top,
        };
        let read = store.page(&query).unwrap();
        let now = store
            .page_now(&query)
            .expect("a page that was just read is ready");
        assert_eq!(
            (now.rows, now.version, now.total),
            (read.rows.clone(), read.version, read.total)
        );
        read
    };
    for number in 0..150 {
        submit(&*store, run(number, number, 1_000 - number as i64)).unwrap();
        // How many there are is known without any rows, fresh or not.
        let total = PageQuery {
            app: APP,
            board: "b",
            rows: 0,
            at: PageAt::Around(player(3)),
        };
        assert_eq!(store.page_now(&total).unwrap().total, number + 1);
        assert_eq!(top().total, number + 1);
    }
    let version = top().version;
    // Below what the page shows nothing has to be read again; the total still counts.
    submit(&*store, run(500, 500, -5)).unwrap();
    let below = top();
    assert_eq!((below.version, below.total), (version, 151));
    submit(&*store, run(501, 140, 5_000)).unwrap();
    let above = top();
    assert_ne!(above.version, version);
    assert_eq!(above.rows[0].run, run_id(501));
    assert_eq!(above.rows[1].position, 2);
    let next = page(&*store, PageAt::Cursor(above.next.unwrap()), 200);
    assert_eq!(next.rows[0].position, 11);
    assert_eq!(next.rows.len(), 141);
}

//! Boards: policies, order, ties, names, standings.

use async_protocol::{Order, RankStyle, RulesetId};
use async_store::{Error, Store};

use super::*;

pub fn case_r3_equal_scores_stand_in_the_order_they_came(open: Open<'_>) {
    let store = open();
    declared(&*store, Order::Descending, Keep::Best, Ties::Earliest);
    // Ids and players count down, so that any order by them would be the wrong one.
    for number in [30, 20, 10] {
        submit(
            &*store,
            NewRun {
                received_ms: 5,
                ..run(number, number, 7)
            },
        )
        .unwrap();
    }
    now_and_reopened(store, open, |store| {
        assert_eq!(order(store), [30, 20, 10].map(run_id))
    });
}

/// A board `b` of best runs and a board `all` of all runs, with the same sixty scores.
fn two_boards_of_ties(store: &dyn Store) {
    declared(store, Order::Ascending, Keep::Best, Ties::Earliest);
    let mut all = board("all", Order::Ascending);
    all.policy.keep = Keep::All;
    declare(store, all);
    for number in 0..60 {
        let (owner, score) = (number % 20, (number % 3) as i64);
        submit(store, run(number, owner, score)).unwrap();
        let again = run(number + 1_000, owner, score);
        let board = "all".to_owned();
        submit(store, NewRun { board, ..again }).unwrap();
    }
}

pub fn case_r4_keeping_the_best_or_all_orders_ties_the_same(open: Open<'_>) {
    let store = open();
    two_boards_of_ties(&*store);
    let read = |board| {
        let (app, at) = (APP, PageAt::Top);
        store
            .page(&PageQuery {
                app,
                board,
                rows: 100,
                at,
            })
            .unwrap()
    };
    let (best, all) = (read("b"), read("all"));
    assert_eq!((best.total, all.total), (20, 60));
    let owners = |page: &Page| page.rows.iter().map(|row| row.player).collect::<Vec<_>>();
    let mut seen = Vec::new();
    for owner in owners(&all) {
        if !seen.contains(&owner) {
            seen.push(owner);
        }
    }
    assert_eq!(seen, owners(&best));
    // Where all runs are kept, the first one of a player is that player's best.
    for owner in seen {
        let first = all.rows.iter().find(|row| row.player == owner).unwrap();
        let standing = store.standing(APP, "all", Some(owner), None).unwrap();
        let place = standing.place.unwrap();
        assert_eq!((place.seq, place.rank), (first.seq, first.rank));
    }
}

pub fn case_r9_every_view_orders_ties_the_same(open: Open<'_>) {
    let store = open();
    two_boards_of_ties(&*store);
    let whole = page(&*store, PageAt::Top, 1_000);
    for row in whole.rows.iter() {
        let standing = store.standing(APP, "b", Some(row.player), None).unwrap();
        let place = standing.place.unwrap();
        assert_eq!(
            (place.rank, place.position, place.seq),
            (row.rank, row.position, row.seq)
        );
        let around = page(&*store, PageAt::Around(row.player), 5);
        assert_eq!(around.rows.len(), 5);
        let first = around.rows[0].position as usize - 1;
        assert_eq!(&around.rows[..], &whole.rows[first..first + 5]);
        assert!(around.rows.contains(row));
        let top = page(&*store, PageAt::Top, row.position as usize);
        assert_eq!(top.rows.last(), Some(row));
    }
}

pub fn case_r6_ranks_leave_gaps_after_ties(open: Open<'_>) {
    let store = open();
    declared(&*store, Order::Descending, Keep::Best, Ties::Earliest);
    for (number, score) in [90, 80, 80, 80, 80, 80, 70].into_iter().enumerate() {
        submit(&*store, run(number as u64, number as u64, score)).unwrap();
    }
    let ranks: Vec<_> = places(&*store).iter().map(|place| place.0).collect();
    assert_eq!(ranks, [1, 2, 2, 2, 2, 2, 7]);
    // Hidden players take no rank.
    remove(&*store, Removal::Ban(player(0)));
    remove(&*store, Removal::Ban(player(3)));
    let ranks: Vec<_> = places(&*store).iter().map(|place| place.0).collect();
    assert_eq!(ranks, [1, 1, 1, 1, 5]);
}

pub fn case_n1_neighbours_of_2_to_the_53_stay_apart(open: Open<'_>) {
    let store = open();
    declared(&*store, Order::Descending, Keep::Best, Ties::Earliest);
    let scores = [
        1_009_651_914_519_660_511,
        1_009_651_914_519_660_512,
        1 << 53,
        (1 << 53) + 1,
    ];
    for (number, score) in scores.into_iter().enumerate() {
        submit(&*store, run(number as u64, number as u64, score)).unwrap();
    }
    let mut best_first = scores;
    best_first.sort_unstable_by(|a, b| b.cmp(a));
    now_and_reopened(store, open, |store| {
        let found: Vec<_> = places(store)
            .iter()
            .map(|place| (place.0, place.2))
            .collect();
        assert_eq!(found, (1..=4).zip(best_first).collect::<Vec<_>>());
    });
}

pub fn case_n5_the_whole_of_i64_in_both_orders(open: Open<'_>) {
    let store = open();
    let scores = [
        i64::MIN,
        i64::MIN + 1,
        -10_000,
        -9_999,
        -1,
        0,
        1,
        i64::MAX - 1,
        i64::MAX,
    ];
    declared(&*store, Order::Descending, Keep::Best, Ties::Earliest);
    declare(&*store, board("up", Order::Ascending));
    for (number, score) in scores.into_iter().enumerate() {
        let number = number as u64;
        submit(&*store, run(number, number, score)).unwrap();
        let up = NewRun {
            board: "up".to_owned(),
            ..run(number + 100, number, score)
        };
        submit(&*store, up).unwrap();
    }
    for (board, step) in [("up", 1), ("b", -1)] {
        let query = PageQuery {
            app: APP,
            board,
            rows: 100,
            at: PageAt::Top,
        };
        let mut found: Vec<_> = store
            .page(&query)
            .unwrap()
            .rows
            .iter()
            .map(|row| row.score)
            .collect();
        if step < 0 {
            found.reverse();
        }
        assert_eq!(found, scores, "{board}");
    }
}

pub fn case_p4_no_score_is_not_rank_zero(open: Open<'_>) {
    let store = open();
    declared(&*store, Order::Descending, Keep::Best, Ties::Earliest);
    let empty = store.standing(APP, "b", Some(player(1)), Some(5)).unwrap();
    assert_eq!(
        (empty.place, empty.would_rank, empty.total),
        (None, Some(1), 0)
    );
    submit(&*store, run(1, 1, 50)).unwrap();
    submit(&*store, run(2, 2, 40)).unwrap();
    let would = |owner: Option<u64>, score| {
        let standing = store
            .standing(APP, "b", owner.map(player), Some(score))
            .unwrap();
        (standing.place.map(|place| place.rank), standing.would_rank)
    };
    assert_eq!(would(Some(9), 50), (None, Some(1)));
    assert_eq!(would(Some(9), 45), (None, Some(2)));
    assert_eq!(would(None, i64::MIN), (None, Some(3)));
    // Nobody's own worse score stands in the way, and a worse one changes nothing.
    assert_eq!(would(Some(2), 39), (Some(2), Some(2)));
    assert_eq!(would(Some(2), 51), (Some(2), Some(1)));
    assert_eq!(
        store.standing(APP, "none", None, None),
        Err(Error::UnknownBoard)
    );
    let around = page(&*store, PageAt::Around(player(9)), 5);
    assert_eq!((around.rows.len(), around.total), (2, 2));
}

pub fn case_p5_a_rename_shows_on_old_rows(open: Open<'_>) {
    let store = open();
    declared(&*store, Order::Descending, Keep::Best, Ties::Earliest);
    submit(&*store, run(1, 1, 50)).unwrap();
    submit(&*store, run(2, 2, 40)).unwrap();
    let names = |store: &dyn Store| -> Vec<_> {
        let page = page(store, PageAt::Top, 10);
        page.rows.iter().map(|row| row.name.to_string()).collect()
    };
    assert_eq!(names(&*store), ["player 1", "player 2"]);
    // A newer run brings a newer name, on the old row too.
    submit(
        &*store,
        NewRun {
            player_name: "Newer".to_owned(),
            ..run(3, 2, 1)
        },
    )
    .unwrap();
    assert_eq!(names(&*store), ["player 1", "Newer"]);
    wait(|done| store.rename(player(1), "Zoë".to_owned(), done)).unwrap();
    assert_eq!(names(&*store), ["Zoë", "Newer"]);
    // A late run with the old name does not undo a rename.
    submit(&*store, run(4, 1, 60)).unwrap();
    now_and_reopened(store, open, |store| {
        assert_eq!(names(store), ["Zoë", "Newer"]);
        let run = store.run(APP, run_id(1)).unwrap().unwrap();
        assert_eq!(&*run.player_name, "Zoë");
    });
}

pub fn latest_ties_and_unique_ranks(open: Open<'_>) {
    let store = open();
    let mut board = board("b", Order::Descending);
    board.policy.ties = Ties::Latest;
    board.policy.rank = RankStyle::Unique;
    declare(&*store, board);
    for number in 1..=3 {
        submit(&*store, run(number, number, 7)).unwrap();
    }
    // Equal to one's own best is no improvement, so nobody can climb by repeating a score.
    submit(&*store, run(4, 1, 7)).unwrap();
    now_and_reopened(store, open, |store| {
        assert_eq!(order(store), [3, 2, 1].map(run_id));
        assert_eq!(places(store), [(1, 1, 7), (2, 2, 7), (3, 3, 7)]);
        let standing = store.standing(APP, "b", Some(player(1)), Some(7)).unwrap();
        assert_eq!(standing.place.unwrap().rank, 3);
        assert_eq!(
            store.standing(APP, "b", None, Some(7)).unwrap().would_rank,
            Some(1)
        );
    });
}

pub fn latest_ties_where_all_runs_are_kept(open: Open<'_>) {
    let store = open();
    declared(&*store, Order::Descending, Keep::All, Ties::Latest);
    for (number, owner) in [(1, 1), (2, 2), (3, 1)] {
        submit(&*store, run(number, owner, 7)).unwrap();
    }
    now_and_reopened(store, open, |store| {
        assert_eq!(order(store), [3, 2, 1].map(run_id));
        let standing = store.standing(APP, "b", Some(player(1)), None).unwrap();
        assert_eq!(standing.place.unwrap().position, 1);
    });
}

pub fn policies_stay_and_do_not_change_under_runs(open: Open<'_>) {
    let store = open();
    let first = board("b", Order::Descending);
    declare(&*store, first.clone());
    // Empty boards may change altogether.
    let second = Board {
        ruleset: Some(RulesetId([4; 16])),
        ..board("b", Order::Ascending)
    };
    declare(&*store, second.clone());
    assert_eq!(*store.board(APP, "b").unwrap(), second);
    declare(&*store, first.clone());
    submit(&*store, run(1, 1, 50)).unwrap();
    assert_eq!(
        wait(|done| store.declare_board(second.clone(), done)),
        Err(Error::BoardConflict("ruleset"))
    );
    let mut other_order = first.clone();
    other_order.policy.order = Order::Ascending;
    let conflict = wait(|done| store.declare_board(other_order, done));
    assert_eq!(conflict, Err(Error::BoardConflict("order")));
    // What runs do not depend on may change at any time.
    let mut closing = Board {
        closes_ms: Some(99),
        ..first.clone()
    };
    closing.policy.rank = RankStyle::Unique;
    declare(&*store, closing.clone());
    submit(&*store, run(2, 2, 50)).unwrap();
    now_and_reopened(store, open, |store| {
        assert_eq!(*store.board(APP, "b").unwrap(), closing);
        assert_eq!(places(store), [(1, 1, 50), (2, 2, 50)]);
        // First use never changes what is declared.
        let auto = Board {
            declared: false,
            ..board("b", Order::Ascending)
        };
        let kept = wait(|done| store.declare_board(auto, done)).unwrap();
        assert_eq!(*kept, closing);
    });
}

pub fn boards_on_first_use_are_limited(open: Open<'_>) {
    let store = open();
    let auto = |name: &str| Board {
        declared: false,
        ..board(name, Order::Descending)
    };
    let made = |name: &str| wait(|done| store.declare_board(auto(name), done));
    let mut count = 0;
    while made(&format!("auto-{count}")).is_ok() {
        count += 1;
        assert!(count <= 1_000);
    }
    assert_eq!(made("one-more"), Err(Error::UnknownBoard));
    made("auto-0").expect("it is there");
    // A daily must come every day, however many boards there are.
    let daily = Board {
        closes_ms: Some(9),
        ..auto("daily-2026-12-01")
    };
    declare(&*store, daily);
    assert_eq!(made("one-more"), Err(Error::UnknownBoard));
    declare(&*store, board("declared", Order::Descending));
    assert!(made("../etc").is_err() && made("").is_err());
    assert_eq!(store.boards(APP).len(), count + 2);
    assert!(store.boards("none").is_empty());
}

//! Bans, hiding, deletion: ranks follow everywhere, and come back exactly.

use async_protocol::Order;
use async_store::{Error, RunQuery};

use super::*;

pub fn case_r1_a_ban_and_its_end_leave_ties_as_they_were(open: Open<'_>) {
    let store = open();
    declared(&*store, Order::Descending, Keep::Best, Ties::Earliest);
    for number in 1..=5 {
        submit(&*store, run(number, number, 50)).unwrap();
    }
    let before = (order(&*store), places(&*store));
    remove(&*store, Removal::Ban(player(1)));
    remove(&*store, Removal::Ban(player(3)));
    assert_eq!(order(&*store), [2, 4, 5].map(run_id));
    assert_eq!(
        store
            .standing(APP, "b", Some(player(1)), None)
            .unwrap()
            .place,
        None
    );
    assert_eq!(submit(&*store, run(9, 1, 99)), Err(Error::Banned));
    let list = RunQuery {
        app: APP,
        rows: 10,
        ..RunQuery::default()
    };
    assert_eq!(store.runs(&list).unwrap().runs.len(), 3);
    // Somebody ties meanwhile: the banned came first and come first again.
    submit(&*store, run(6, 6, 50)).unwrap();
    drop(store);
    let store = open();
    assert_eq!(submit(&*store, run(9, 1, 99)), Err(Error::Banned));
    remove(&*store, Removal::Unban(player(1)));
    remove(&*store, Removal::Unban(player(3)));
    assert_eq!(order(&*store)[..5], before.0);
    assert_eq!(places(&*store)[..5], before.1);
    let after = order(&*store);
    drop(store);
    assert_eq!(order(&*open()), after);
}

pub fn case_p5_a_rename_of_somebody_who_is_away_shows_afterwards(open: Open<'_>) {
    let store = open();
    declared(&*store, Order::Descending, Keep::Best, Ties::Earliest);
    submit(&*store, run(1, 1, 50)).unwrap();
    submit(&*store, run(2, 2, 40)).unwrap();
    // Somebody looks before, and nobody while the player is banned.
    assert_eq!(order(&*store).len(), 2);
    page(&*store, PageAt::Top, 10);
    remove(&*store, Removal::Ban(player(1)));
    wait(|done| store.rename(player(1), "Zoë".to_owned(), done)).unwrap();
    remove(&*store, Removal::Unban(player(1)));
    let top = page(&*store, PageAt::Top, 10);
    assert_eq!(&*top.rows[0].name, "Zoë");
}

pub fn hiding_restores_the_next_best(open: Open<'_>) {
    let store = open();
    declared(&*store, Order::Ascending, Keep::Best, Ties::Earliest);
    for (number, owner, score) in [(1, 1, 30), (2, 2, 25), (3, 1, 20), (4, 1, 20)] {
        submit(&*store, run(number, owner, score)).unwrap();
    }
    assert_eq!(order(&*store), [3, 2].map(run_id));
    remove(&*store, Removal::Hide(run_id(3)));
    assert_eq!(order(&*store), [4, 2].map(run_id));
    remove(&*store, Removal::Hide(run_id(4)));
    assert_eq!(order(&*store), [2, 1].map(run_id));
    assert!(store.run(APP, run_id(3)).unwrap().unwrap().hidden);
    remove(&*store, Removal::Show(run_id(4)));
    remove(&*store, Removal::Show(run_id(3)));
    now_and_reopened(store, open, |store| {
        assert_eq!(order(store), [3, 2].map(run_id))
    });
}

pub fn case_m5_a_deleted_run_is_gone_from_every_board_and_cannot_come_back(open: Open<'_>) {
    let store = open();
    declared(&*store, Order::Descending, Keep::Best, Ties::Earliest);
    submit(&*store, run(1, 1, 50)).unwrap();
    submit(&*store, run(2, 1, 40)).unwrap();
    submit(&*store, run(3, 2, 45)).unwrap();
    remove(&*store, Removal::Delete(run_id(1)));
    assert_eq!(order(&*store), [3, 2].map(run_id));
    assert_eq!(store.run(APP, run_id(1)).unwrap(), None);
    assert_eq!(store.run_bytes(APP, run_id(1)).unwrap(), None);
    assert_eq!(store.known(APP, run_id(1)).unwrap(), None);
    // Neither as it was nor under another name.
    assert_eq!(submit(&*store, run(1, 1, 50)), Err(Error::Erased));
    let copy = NewRun {
        input_hash: run(1, 1, 50).input_hash,
        ..run(8, 2, 50)
    };
    assert_eq!(submit(&*store, copy), Err(Error::Erased));
    drop(store);
    let store = open();
    assert_eq!(order(&*store), [3, 2].map(run_id));
    assert_eq!(submit(&*store, run(1, 1, 50)), Err(Error::Erased));
    let unknown = wait(|done| store.remove(APP, Removal::Delete(run_id(77)), done));
    assert_eq!(unknown, Err(Error::UnknownRun));
    // Numbers are never used again, not even the last one.
    let last = submit(&*store, run(5, 5, 1)).unwrap().seq;
    remove(&*store, Removal::Delete(run_id(5)));
    drop(store);
    assert!(submit(&*open(), run(6, 6, 1)).unwrap().seq > last);
}

pub fn case_m5_an_erased_player_is_gone_and_keeps_no_name(open: Open<'_>) {
    let store = open();
    declared(&*store, Order::Descending, Keep::Best, Ties::Earliest);
    declare(&*store, board("c", Order::Ascending));
    submit(&*store, run(1, 1, 50)).unwrap();
    submit(
        &*store,
        NewRun {
            board: "c".to_owned(),
            ..run(2, 1, 50)
        },
    )
    .unwrap();
    submit(&*store, run(3, 2, 10)).unwrap();
    remove(&*store, Removal::Erase(player(1)));
    let old = RunQuery {
        app: APP,
        player: Some(player(1)),
        rows: 9,
        ..RunQuery::default()
    };
    now_and_reopened(store, open, |store| {
        assert_eq!(order(store), [run_id(3)]);
        assert_eq!(store.standing(APP, "c", None, None).unwrap().total, 0);
        assert!(store.runs(&old).unwrap().runs.is_empty());
        assert_eq!(submit(store, run(1, 1, 50)), Err(Error::Erased));
    });
    // The player may come back with new runs and a new name.
    let store = open();
    submit(
        &*store,
        NewRun {
            player_name: "New".to_owned(),
            ..run(4, 1, 5)
        },
    )
    .unwrap();
    assert_eq!(&*page(&*store, PageAt::Top, 9).rows[1].name, "New");
}

pub fn removals_work_where_all_runs_are_kept(open: Open<'_>) {
    let store = open();
    declared(&*store, Order::Descending, Keep::All, Ties::Earliest);
    for (number, owner, score) in [(1, 1, 50), (2, 2, 45), (3, 1, 40), (4, 1, 60)] {
        submit(&*store, run(number, owner, score)).unwrap();
    }
    assert_eq!(order(&*store), [4, 1, 2, 3].map(run_id));
    remove(&*store, Removal::Hide(run_id(4)));
    assert_eq!(order(&*store), [1, 2, 3].map(run_id));
    let best = store
        .standing(APP, "b", Some(player(1)), None)
        .unwrap()
        .place
        .unwrap();
    assert_eq!((best.score, best.rank), (50, 1));
    remove(&*store, Removal::Ban(player(1)));
    assert_eq!(order(&*store), [run_id(2)]);
    remove(&*store, Removal::Unban(player(1)));
    remove(&*store, Removal::Show(run_id(4)));
    now_and_reopened(store, open, |store| {
        assert_eq!(order(store), [4, 1, 2, 3].map(run_id));
        let best = store
            .standing(APP, "b", Some(player(1)), None)
            .unwrap()
            .place
            .unwrap();
        assert_eq!((best.score, best.rank), (60, 1));
    });
}

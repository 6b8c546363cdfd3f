//! Runs one by one: taken in once, answered the same, found again.

use std::sync::mpsc;

use async_protocol::wire::Stored;
use async_protocol::{Order, RulesetId, Status};
use async_store::{Attempt, Error, Judgement, RunQuery, Store, TicketUse};

use super::*;

pub fn a_run_is_kept_whole(open: Open<'_>) {
    let sent = run(1, 1, i64::MIN);
    {
        let store = open();
        declared(&*store, Order::Descending, Keep::Best, Ties::Earliest);
        submit(&*store, sent.clone()).unwrap();
    }
    let store = open();
    let found = store.run(APP, sent.id).unwrap().unwrap();
    assert_eq!(store.run_bytes(APP, sent.id).unwrap(), Some(sent.bytes));
    assert_eq!(
        (found.score, found.player, found.status),
        (i64::MIN, sent.player, sent.status)
    );
    assert_eq!((found.board, found.build), (sent.board, sent.build));
    assert_eq!(
        (&*found.player_name, found.verdict),
        ("player 1", sent.verdict)
    );
    assert_eq!(store.summary(found.seq).unwrap().unwrap().id, sent.id);
    assert_eq!(store.run(APP, run_id(2)).unwrap(), None);
    assert_eq!(store.run("other", sent.id).unwrap(), None);
    assert_eq!(store.run_bytes(APP, run_id(2)).unwrap(), None);
}

pub fn case_u5_the_same_run_twice_is_one_row_and_the_first_answer(open: Open<'_>) {
    let store = open();
    declared(&*store, Order::Descending, Keep::Best, Ties::Earliest);
    let first = submit(&*store, run(1, 1, 50)).unwrap();
    assert!(!first.duplicate);
    // Others pass meanwhile; the first answer stays what it was.
    submit(&*store, run(2, 2, 60)).unwrap();
    submit(&*store, run(3, 1, 70)).unwrap();
    now_and_reopened(store, open, |store| {
        let again = submit(store, run(1, 1, 50)).unwrap();
        let known = store.known(APP, run_id(1)).unwrap().unwrap();
        for answer in [again, known] {
            assert!(answer.duplicate);
            assert_eq!(answer.standing.place, first.standing.place);
            assert_eq!((answer.stored, answer.seq), (first.stored, first.seq));
            assert_eq!(
                (answer.accepted_at_ms, answer.score),
                (first.accepted_at_ms, 50)
            );
            assert_eq!(answer.verdict, first.verdict);
        }
        assert_eq!(places(store), [(1, 1, 70), (2, 2, 60)]);
    });
}

pub fn case_u7_eight_copies_at_once_make_one_row(open: Open<'_>) {
    let store = open();
    declared(&*store, Order::Descending, Keep::All, Ties::Earliest);
    let (done, answers) = mpsc::channel();
    for _ in 0..8 {
        let done = done.clone();
        store.submit(
            run(1, 1, 50),
            Box::new(move |answer| done.send(answer).unwrap()),
        );
    }
    drop(done);
    let answers: Vec<_> = answers.into_iter().map(Result::unwrap).collect();
    assert_eq!(answers.iter().filter(|answer| !answer.duplicate).count(), 1);
    assert!(answers.iter().all(|answer| answer.seq == answers[0].seq));
    assert_eq!(order(&*store), [run_id(1)]);
}

pub fn a_stolen_run_is_refused_and_named(open: Open<'_>) {
    let store = open();
    declared(&*store, Order::Descending, Keep::Best, Ties::Earliest);
    submit(&*store, run(1, 1, 50)).unwrap();
    let copy = |number, owner, changes| {
        let mut copy = run(number, owner, 50);
        copy.input_hash = run(1, 1, 50).input_hash;
        copy.input_changes = changes;
        copy
    };
    let stolen = submit(&*store, copy(2, 2, 64));
    assert_eq!(stolen, Err(Error::DuplicateRun(run_id(1))));
    assert_eq!(store.run(APP, run_id(2)).unwrap(), None);
    submit(&*store, copy(3, 3, 63)).expect("few inputs may coincide");
    submit(&*store, copy(4, 1, 64)).expect("the same player may play the same again");
}

pub fn a_ticket_is_used_once(open: Open<'_>) {
    let store = open();
    declared(&*store, Order::Descending, Keep::Best, Ties::Earliest);
    let with_ticket = |number, nonce| {
        let ticket_use = Some(TicketUse {
            nonce: [nonce; 16],
            expires_ms: 10_000,
        });
        NewRun {
            ticket_use,
            ..run(number, 1, number as i64)
        }
    };
    submit(&*store, with_ticket(1, 7)).unwrap();
    assert!(submit(&*store, with_ticket(1, 7)).unwrap().duplicate);
    assert_eq!(submit(&*store, with_ticket(2, 7)), Err(Error::TicketUsed));
    submit(&*store, with_ticket(3, 8)).unwrap();
    drop(store);
    let store = open();
    assert_eq!(submit(&*store, with_ticket(4, 8)), Err(Error::TicketUsed));
}

pub fn a_clock_that_was_wrong_once_frees_no_ticket(open: Open<'_>) {
    let store = open();
    declared(&*store, Order::Descending, Keep::Best, Ties::Earliest);
    let far = NewRun {
        received_ms: 7_000_000_000_000,
        ..run(1, 1, 1)
    };
    submit(&*store, far).unwrap();
    let with_ticket = |number| {
        let ticket_use = Some(TicketUse {
            nonce: [7; 16],
            expires_ms: 10_000,
        });
        NewRun {
            ticket_use,
            ..run(number, 1, number as i64)
        }
    };
    submit(&*store, with_ticket(2)).unwrap();
    assert_eq!(submit(&*store, with_ticket(3)), Err(Error::TicketUsed));
}

pub fn case_d8_attempts_are_counted_when_they_start(open: Open<'_>) {
    let attempt = |store: &dyn Store, owner, attempts_max| {
        let attempt = Attempt {
            app: APP.to_owned(),
            board: "b".to_owned(),
            player: player(owner),
            attempts_max,
            issued_ms: 5,
        };
        wait(|done| store.issue_attempt(attempt, done))
    };
    {
        let store = open();
        declared(&*store, Order::Descending, Keep::Best, Ties::Earliest);
        assert_eq!(attempt(&*store, 1, 2), Ok(1));
        assert_eq!(attempt(&*store, 2, 2), Ok(1));
    }
    let store = open();
    assert_eq!(attempt(&*store, 1, 2), Ok(2));
    assert_eq!(attempt(&*store, 1, 2), Err(Error::NoAttempts));
    assert_eq!(attempt(&*store, 1, 0), Ok(3));
    // Erasing oneself buys none.
    submit(&*store, run(1, 2, 1)).unwrap();
    remove(&*store, Removal::Erase(player(2)));
    assert_eq!(attempt(&*store, 2, 2), Ok(2));
}

pub fn pending_runs_wait_through_a_restart(open: Open<'_>) {
    let pending = |number| NewRun {
        status: Status::Pending,
        ..run(number, number, 50)
    };
    {
        let store = open();
        declared(&*store, Order::Descending, Keep::Best, Ties::Earliest);
        for number in 1..=3 {
            let answer = submit(&*store, pending(number)).unwrap();
            assert_eq!(
                (answer.stored, answer.standing.place),
                (Stored::Pending, None)
            );
        }
    }
    let store = open();
    assert!(submit(&*store, pending(1)).unwrap().duplicate);
    let waiting = store.pending(0, 2).unwrap();
    assert_eq!(
        waiting.iter().map(|(_, run)| run.id).collect::<Vec<_>>(),
        [run_id(1), run_id(2)]
    );
    assert_eq!(waiting[0].1.bytes, pending(1).bytes);
    assert_eq!(store.pending(waiting[1].0, 9).unwrap().len(), 1);
    // A run with the same score that comes later stays later, although it ranks first.
    submit(&*store, run(9, 9, 50)).unwrap();
    let answer = judge(&*store, 1, Status::Verified, 50).unwrap();
    assert_eq!(
        (answer.stored, answer.standing.place.unwrap().position),
        (Stored::Better, 1)
    );
    assert_eq!(
        store.known(APP, run_id(1)).unwrap().unwrap().standing.place,
        answer.standing.place
    );
    judge(&*store, 2, Status::Quarantined, 50).unwrap();
    assert_eq!(order(&*store), [run_id(1), run_id(9)]);
    assert_eq!(store.pending(0, 9).unwrap().len(), 1);
    assert_eq!(
        judge(&*store, 77, Status::Verified, 1),
        Err(Error::UnknownRun)
    );
}

fn judge(store: &dyn Store, number: u64, status: Status, score: i64) -> Result<Submitted, Error> {
    let judgement = Judgement {
        app: APP.to_owned(),
        id: run_id(number),
        status,
        score,
        frames: 10,
        verdict: "{}".to_owned(),
    };
    wait(|done| store.judge(judgement, done))
}

pub fn a_refused_run_makes_room_for_its_own_id(open: Open<'_>) {
    let store = open();
    declared(&*store, Order::Descending, Keep::Best, Ties::Earliest);
    submit(
        &*store,
        NewRun {
            status: Status::Pending,
            ..run(1, 1, 50)
        },
    )
    .unwrap();
    let refused = judge(&*store, 1, Status::Refused, 0).unwrap();
    assert_eq!(refused.stored, Stored::Refused);
    assert_eq!(store.known(APP, run_id(1)).unwrap(), None);
    assert_eq!(
        store.run(APP, run_id(1)).unwrap().unwrap().status,
        Status::Refused
    );
    assert_eq!(store.run_bytes(APP, run_id(1)).unwrap(), None);
    let good = submit(&*store, run(1, 1, 50)).unwrap();
    assert!(!good.duplicate);
    assert_eq!(order(&*store), [run_id(1)]);
}

pub fn what_is_not_trusted_does_not_rank(open: Open<'_>) {
    let store = open();
    declared(&*store, Order::Descending, Keep::Best, Ties::Earliest);
    for (number, status) in [(1, Status::Plausible), (2, Status::Quarantined)] {
        let answer = submit(
            &*store,
            NewRun {
                status,
                ..run(number, 1, 50)
            },
        )
        .unwrap();
        assert_eq!(
            (answer.stored, answer.standing.place),
            (Stored::Unranked, None)
        );
    }
    submit(
        &*store,
        NewRun {
            practice: true,
            ..run(3, 1, 60)
        },
    )
    .unwrap();
    assert!(places(&*store).is_empty());
    // A later verdict can raise a run, and lower it again; practice stays practice.
    judge(&*store, 1, Status::Verified, 55).unwrap();
    assert_eq!(
        judge(&*store, 3, Status::Verified, 60).unwrap().stored,
        Stored::Unranked
    );
    assert_eq!(places(&*store), [(1, 1, 55)]);
    judge(&*store, 1, Status::Plausible, 55).unwrap();
    assert!(places(&*store).is_empty());
    assert!(
        submit(
            &*store,
            NewRun {
                status: Status::Refused,
                ..run(4, 1, 1)
            }
        )
        .is_err()
    );
    assert_eq!(store.run(APP, run_id(4)).unwrap(), None);
}

pub fn lists_are_newest_first_and_complete(open: Open<'_>) {
    let store = open();
    declared(&*store, Order::Descending, Keep::Best, Ties::Earliest);
    declare(&*store, board("c", Order::Ascending));
    for number in 1..=9 {
        let board = if number % 3 == 0 { "c" } else { "b" };
        let run = NewRun {
            board: board.to_owned(),
            ..run(number, number % 2, 1)
        };
        submit(&*store, run).unwrap();
    }
    let list = |board, owner: Option<u64>| {
        let mut query = RunQuery {
            app: APP,
            rows: 2,
            ..RunQuery::default()
        };
        (query.board, query.player) = (board, owner.map(player));
        let mut found = Vec::new();
        loop {
            let page = store.runs(&query).unwrap();
            found.extend(page.runs.iter().map(|run| run.id));
            query.before = page.next;
            if page.next.is_none() {
                return found;
            }
        }
    };
    let ids = |numbers: &[u64]| numbers.iter().map(|n| run_id(*n)).collect::<Vec<_>>();
    assert_eq!(list(None, None), ids(&[9, 8, 7, 6, 5, 4, 3, 2, 1]));
    assert_eq!(list(Some("c"), None), ids(&[9, 6, 3]));
    assert_eq!(list(None, Some(0)), ids(&[8, 6, 4, 2]));
    assert_eq!(list(Some("b"), Some(1)), ids(&[7, 5, 1]));
    assert_eq!(list(Some("none"), None), []);
    assert_eq!(list(None, Some(44)), []);
    remove(&*store, Removal::Hide(run_id(5)));
    assert_eq!(list(Some("b"), Some(1)), ids(&[7, 1]));
}

pub fn case_u13_the_answer_says_what_became_of_the_run(open: Open<'_>) {
    let store = open();
    declared(&*store, Order::Ascending, Keep::Best, Ties::Earliest);
    let steps = [
        (1, 50, Stored::Better, 50),
        (2, 60, Stored::NotBetter, 50),
        (3, 50, Stored::NotBetter, 50),
        (4, 40, Stored::Better, 40),
    ];
    for (number, score, stored, best) in steps {
        let answer = submit(&*store, run(number, 1, score)).unwrap();
        let place = answer.standing.place.unwrap();
        assert_eq!(
            (answer.stored, answer.score, place.score),
            (stored, score, best)
        );
        assert_eq!(
            (place.rank, place.position, answer.standing.total),
            (1, 1, 1)
        );
    }
}

pub fn refusals_leave_nothing(open: Open<'_>) {
    let store = open();
    declared(&*store, Order::Descending, Keep::Best, Ties::Earliest);
    let elsewhere = NewRun {
        board: "none".to_owned(),
        ..run(1, 1, 1)
    };
    assert_eq!(submit(&*store, elsewhere), Err(Error::UnknownBoard));
    let other_app = NewRun {
        app: "none".to_owned(),
        ..run(1, 1, 1)
    };
    assert_eq!(submit(&*store, other_app), Err(Error::UnknownBoard));
    let other_rules = NewRun {
        ruleset: RulesetId([1; 16]),
        ..run(1, 1, 1)
    };
    assert_eq!(submit(&*store, other_rules), Err(Error::WrongRuleset));
    let long = NewRun {
        player_name: "x".repeat(1_000),
        ..run(1, 1, 1)
    };
    assert!(matches!(submit(&*store, long), Err(Error::TooLarge(_))));
    assert_eq!(store.run(APP, run_id(1)).unwrap(), None);
    assert_eq!(submit(&*store, run(1, 1, 1)).unwrap().seq, 1);
}

pub fn an_import_is_all_or_nothing(open: Open<'_>) {
    {
        let store = open();
        declared(&*store, Order::Descending, Keep::Best, Ties::Earliest);
        let bad = NewRun {
            board: "none".to_owned(),
            ..run(3, 3, 3)
        };
        let runs = vec![run(1, 1, 1), run(2, 2, 2), bad];
        assert_eq!(
            wait(|done| store.import(runs, done)),
            Err(Error::UnknownBoard)
        );
        assert!(places(&*store).is_empty());
        let runs = (1..=300).map(|n| run(n, n % 100, n as i64 % 7)).collect();
        assert_eq!(wait(|done| store.import(runs, done)).unwrap().len(), 300);
        let known = store.known(APP, run_id(1)).unwrap().unwrap();
        assert_eq!(
            known.standing,
            store.standing(APP, "b", Some(player(1)), None).unwrap()
        );
        assert_eq!(known.standing.total, 100);
    }
    let store = open();
    assert_eq!(places(&*store).len(), 100);
}

pub fn time_never_runs_backwards(open: Open<'_>) {
    let mut last = 0;
    for (number, received_ms) in [(1, 5_000), (2, 4_000), (3, u64::MAX), (4, 1)] {
        let store = open();
        declared(&*store, Order::Descending, Keep::Best, Ties::Earliest);
        let run = NewRun {
            received_ms,
            ..run(number, number, 7)
        };
        let accepted = submit(&*store, run).unwrap().accepted_at_ms;
        assert!(accepted >= last, "{accepted} after {last}");
        last = accepted;
    }
    assert_eq!(order(&*open()), [1, 2, 3, 4].map(run_id));
}

pub fn secrets_survive(open: Open<'_>) {
    let first = open().secrets();
    assert!(first == open().secrets());
    assert_ne!(first.server_key_seed, [0; 32]);
}

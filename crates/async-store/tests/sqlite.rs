//! The SQLite store against the suite that every store must pass, and against a model.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may fail")]

mod conformance;

use std::path::Path;

use async_protocol::{Keep, Order, Ties};
use async_store::{Options, SqliteStore, Store};
use conformance::model::{Model, Op, op};
use proptest::prelude::*;

fn open(dir: &Path) -> Box<dyn Store> {
    let options = Options {
        auto_boards_max: 5,
        ..Options::default()
    };
    Box::new(SqliteStore::open(&dir.join("store.db"), options).unwrap())
}

fn on_an_empty_store(case: &dyn Fn(conformance::Open<'_>)) {
    let dir = tempfile::tempdir().unwrap();
    case(&|| open(dir.path()));
}

suite!(on_an_empty_store);

fn check_against_model(ops: Vec<Op>, order: Order, keep: Keep, ties: Ties) {
    let dir = tempfile::tempdir().unwrap();
    let mut store = open(dir.path());
    conformance::declared(&*store, order, keep, ties);
    let mut model = Model::new(order, keep, ties);
    for op in ops {
        if matches!(op, Op::Reopen) {
            drop(store);
            store = open(dir.path());
            model.check(&*store);
        }
        model.apply(&*store, op);
    }
    model.check(&*store);
    drop(store);
    model.check(&*open(dir.path()));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn any_history_equals_the_model(
        ops in prop::collection::vec(op(), 0..80),
        ascending: bool,
        latest: bool,
    ) {
        let order = if ascending { Order::Ascending } else { Order::Descending };
        let ties = if latest { Ties::Latest } else { Ties::Earliest };
        check_against_model(ops, order, Keep::Best, ties);
    }

    #[test]
    fn any_history_equals_the_model_where_all_runs_are_kept(
        ops in prop::collection::vec(op(), 0..80),
    ) {
        check_against_model(ops, Order::Descending, Keep::All, Ties::Earliest);
    }
}

//! A store as anyone would write it without a care for speed: the measure of the real ones.

use std::collections::{BTreeMap, BTreeSet};

use async_protocol::{Keep, Order, Ties};
use proptest::prelude::*;

use super::*;

/// Something that happens to a store.
#[derive(Debug, Clone)]
pub enum Op {
    Submit {
        owner: u64,
        score: i64,
        status: Status,
    },
    /// Sends an earlier run again.
    Again(usize),
    Judge(usize, Status, i64),
    Ban(u64),
    Unban(u64),
    Hide(usize),
    Show(usize),
    Delete(usize),
    Reopen,
}

pub fn score() -> impl Strategy<Value = i64> {
    prop_oneof![8 => -3i64..4, 1 => Just(i64::MIN), 1 => Just(i64::MAX), 1 => any::<i64>()]
}

fn status() -> impl Strategy<Value = Status> {
    prop_oneof![
        8 => Just(Status::Verified),
        1 => Just(Status::Plausible),
        1 => Just(Status::Pending),
        1 => Just(Status::Quarantined),
    ]
}

pub fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        20 => (0u64..8, score(), status())
            .prop_map(|(owner, score, status)| Op::Submit { owner, score, status }),
        2 => (0usize..60).prop_map(Op::Again),
        3 => (0usize..60, status(), score()).prop_map(|(run, to, score)| Op::Judge(run, to, score)),
        1 => (0usize..60).prop_map(|run| Op::Judge(run, Status::Refused, 0)),
        1 => (0u64..8).prop_map(Op::Ban),
        1 => (0u64..8).prop_map(Op::Unban),
        2 => (0usize..60).prop_map(Op::Hide),
        2 => (0usize..60).prop_map(Op::Show),
        2 => (0usize..60).prop_map(Op::Delete),
        1 => Just(Op::Reopen),
    ]
}

#[derive(Debug, Clone)]
struct ModelRun {
    owner: u64,
    score: i64,
    status: Status,
    hidden: bool,
    seq: u64,
}

/// The model's state: test number of a run -> run.
#[derive(Debug)]
pub struct Model {
    order: Order,
    keep: Keep,
    ties: Ties,
    runs: BTreeMap<u64, ModelRun>,
    banned: BTreeSet<u64>,
    sent: u64,
}

impl Model {
    pub fn new(order: Order, keep: Keep, ties: Ties) -> Self {
        let (runs, banned) = (BTreeMap::new(), BTreeSet::new());
        Self {
            order,
            keep,
            ties,
            runs,
            banned,
            sent: 0,
        }
    }

    /// Does the same to both and compares the answers.
    pub fn apply(&mut self, store: &dyn Store, op: Op) {
        match op {
            Op::Submit {
                owner,
                score,
                status,
            } => self.submit(store, owner, score, status),
            Op::Again(run) => self.again(store, run),
            Op::Judge(run, status, score) => self.judge(store, run, status, score),
            Op::Ban(owner) => {
                remove(store, Removal::Ban(player(owner)));
                self.banned.insert(owner);
            }
            Op::Unban(owner) => {
                remove(store, Removal::Unban(player(owner)));
                self.banned.remove(&owner);
            }
            Op::Hide(run) => self.hide(store, run, true),
            Op::Show(run) => self.hide(store, run, false),
            Op::Delete(run) => {
                if let Some(number) = self.number(run) {
                    remove(store, Removal::Delete(run_id(number)));
                    self.runs.remove(&number);
                }
            }
            Op::Reopen => {}
        }
    }

    fn number(&self, index: usize) -> Option<u64> {
        self.runs.keys().nth(index).copied()
    }

    fn submit(&mut self, store: &dyn Store, owner: u64, score: i64, status: Status) {
        let number = self.sent;
        self.sent += 1;
        let outcome = submit(
            store,
            NewRun {
                status,
                ..run(number, owner, score)
            },
        );
        if self.banned.contains(&owner) {
            assert_eq!(outcome, Err(Error::Banned));
            return;
        }
        let answer = outcome.unwrap();
        let last = self.runs.values().map(|run| run.seq).max().unwrap_or(0);
        assert!(answer.seq > last);
        let run = ModelRun {
            owner,
            score,
            status,
            hidden: false,
            seq: answer.seq,
        };
        self.runs.insert(number, run);
        assert_eq!(answer.standing, self.standing(owner));
    }

    fn again(&mut self, store: &dyn Store, index: usize) {
        let Some(number) = self.number(index) else {
            return;
        };
        let found = self.runs[&number].clone();
        if found.status == Status::Refused {
            return;
        }
        let answer = submit(store, run(number, found.owner, 0)).unwrap();
        assert!(answer.duplicate);
        assert_eq!((answer.seq, answer.score), (found.seq, found.score));
    }

    fn judge(&mut self, store: &dyn Store, index: usize, status: Status, score: i64) {
        let Some(number) = self.number(index) else {
            return;
        };
        let verdict = "{}".to_owned();
        let app = APP.to_owned();
        let judgement = async_store::Judgement {
            app,
            id: run_id(number),
            status,
            score,
            frames: 1,
            verdict,
        };
        let answer = wait(|done| store.judge(judgement, done)).unwrap();
        if let Some(run) = self.runs.get_mut(&number) {
            (run.status, run.score) = (status, score);
            let owner = run.owner;
            assert_eq!(answer.standing, self.standing(owner));
        }
    }

    fn hide(&mut self, store: &dyn Store, index: usize, hidden: bool) {
        let Some(number) = self.number(index) else {
            return;
        };
        let removal = if hidden { Removal::Hide } else { Removal::Show };
        remove(store, removal(run_id(number)));
        if let Some(run) = self.runs.get_mut(&number) {
            run.hidden = hidden;
        }
    }

    /// Visible entries, best first: (number, run).
    fn ranked(&self) -> Vec<(u64, &ModelRun)> {
        let visible = self.runs.iter().filter(|(_, run)| {
            run.status == Status::Verified && !run.hidden && !self.banned.contains(&run.owner)
        });
        let mut all: Vec<_> = visible.map(|(number, run)| (*number, run)).collect();
        let better = |score: i64| match self.order {
            Order::Ascending => i128::from(score),
            Order::Descending => -i128::from(score),
        };
        all.sort_by_key(|(_, run)| (better(run.score), run.seq));
        if self.keep == Keep::Best {
            let mut seen = BTreeSet::new();
            all.retain(|(_, run)| seen.insert(run.owner));
        }
        let tie = |seq: u64| match self.ties {
            Ties::Earliest => i128::from(seq),
            Ties::Latest => -i128::from(seq),
        };
        all.sort_by_key(|(_, run)| (better(run.score), tie(run.seq)));
        all
    }

    fn standing(&self, owner: u64) -> async_store::Standing {
        let ranked = self.ranked();
        let own = ranked.iter().position(|(_, run)| run.owner == owner);
        let place = own.map(|index| {
            let run = ranked[index].1;
            let first = ranked
                .iter()
                .position(|(_, other)| other.score == run.score);
            async_store::Place {
                rank: first.unwrap_or(index) as u64 + 1,
                position: index as u64 + 1,
                score: run.score,
                seq: run.seq,
            }
        });
        async_store::Standing {
            place,
            would_rank: None,
            total: ranked.len() as u64,
        }
    }

    /// Compares everything that can be seen.
    pub fn check(&self, store: &dyn Store) {
        let ranked = self.ranked();
        let expected: Vec<_> = ranked.iter().map(|(number, _)| run_id(*number)).collect();
        assert_eq!(order(store), expected);
        for owner in 0..8 {
            let found = store.standing(APP, "b", Some(player(owner)), None).unwrap();
            // With all runs kept, a tie rule of "latest" does not change which one is the best.
            let expected = self.standing(owner);
            assert_eq!(found.total, expected.total);
            let score = |standing: &async_store::Standing| standing.place.map(|place| place.score);
            assert_eq!(score(&found), score(&expected));
            assert_eq!(found.place.map(|p| p.rank), expected.place.map(|p| p.rank));
            if self.keep == Keep::Best {
                assert_eq!(found, expected);
            }
        }
        let page = page(store, PageAt::Top, 1_000);
        for (row, (_, run)) in page.rows.iter().zip(&ranked) {
            assert_eq!(
                (row.score, row.seq, row.player),
                (run.score, run.seq, player(run.owner))
            );
        }
    }
}

//! What every store must do, whatever it keeps its rows in. `suite!` is all of it; it needs only
//! a way to open the same store again.

#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test binary uses its own part"
)]

pub mod boards;
pub mod model;
pub mod removal;
pub mod runs;
pub mod walks;

use std::sync::mpsc;

use async_protocol::{BoardPolicy, Keep, Order, PlayerId, RulesetId, RunId, Status, Ties, Trust};
use async_store::{Board, Done, Error, NewRun, Page, PageAt, PageQuery, Removal, Store, Submitted};

/// Opens a store; after the first was dropped, the same one again.
pub type Open<'a> = &'a dyn Fn() -> Box<dyn Store>;

pub const APP: &str = "game";
pub const RULESET: RulesetId = RulesetId([9; 16]);

/// One test for each case, run by `$on`, which gives it an empty store.
#[macro_export]
macro_rules! suite {
    ($on:path) => {
        $crate::suite!(@each $on; runs:
            a_run_is_kept_whole,
            case_u5_the_same_run_twice_is_one_row_and_the_first_answer,
            case_u7_eight_copies_at_once_make_one_row,
            a_stolen_run_is_refused_and_named,
            a_ticket_is_used_once,
            a_clock_that_was_wrong_once_frees_no_ticket,
            case_d8_attempts_are_counted_when_they_start,
            pending_runs_wait_through_a_restart,
            a_refused_run_makes_room_for_its_own_id,
            what_is_not_trusted_does_not_rank,
            lists_are_newest_first_and_complete,
            case_u13_the_answer_says_what_became_of_the_run,
            refusals_leave_nothing,
            an_import_is_all_or_nothing,
            time_never_runs_backwards,
            secrets_survive,
        );
        $crate::suite!(@each $on; boards:
            case_r3_equal_scores_stand_in_the_order_they_came,
            case_r4_keeping_the_best_or_all_orders_ties_the_same,
            case_r9_every_view_orders_ties_the_same,
            case_r6_ranks_leave_gaps_after_ties,
            case_n1_neighbours_of_2_to_the_53_stay_apart,
            case_n5_the_whole_of_i64_in_both_orders,
            case_p4_no_score_is_not_rank_zero,
            case_p5_a_rename_shows_on_old_rows,
            latest_ties_and_unique_ranks,
            latest_ties_where_all_runs_are_kept,
            policies_stay_and_do_not_change_under_runs,
            boards_on_first_use_are_limited,
        );
        $crate::suite!(@each $on; removal:
            case_r1_a_ban_and_its_end_leave_ties_as_they_were,
            case_m5_a_deleted_run_is_gone_from_every_board_and_cannot_come_back,
            case_m5_an_erased_player_is_gone_and_keeps_no_name,
            case_p5_a_rename_of_somebody_who_is_away_shows_afterwards,
            hiding_restores_the_next_best,
            removals_work_where_all_runs_are_kept,
        );
        $crate::suite!(@each $on; walks:
            case_p1_forward_and_back_are_the_same_list,
            case_p1_a_walk_sees_everybody_once_while_scores_arrive,
            the_end_is_an_empty_page_with_the_total,
            top_pages_keep_up_with_every_change,
        );
    };
    (@each $on:path; $module:ident: $($case:ident),* $(,)?) => {
        $(#[test]
        fn $case() {
            $on(&conformance::$module::$case);
        })*
    };
}

/// Waits for a durable write.
pub fn wait<T: Send + 'static>(call: impl FnOnce(Done<T>)) -> Result<T, Error> {
    let (done, answer) = mpsc::channel();
    call(Box::new(move |outcome| {
        let _ = done.send(outcome);
    }));
    answer.recv().expect("a store answers every write")
}

/// Checks what must hold, and that it still holds after a restart.
pub fn now_and_reopened(store: Box<dyn Store>, open: Open<'_>, check: impl Fn(&dyn Store)) {
    check(&*store);
    drop(store);
    check(&*open());
}

pub fn submit(store: &dyn Store, run: NewRun) -> Result<Submitted, Error> {
    wait(|done| store.submit(run, done))
}

pub fn remove(store: &dyn Store, removal: Removal) {
    wait(|done| store.remove(APP, removal, done)).unwrap();
}

pub fn board(name: &str, order: Order) -> Board {
    Board {
        app: APP.to_owned(),
        name: name.to_owned(),
        ruleset: Some(RULESET),
        policy: BoardPolicy {
            order,
            trust: Some(Trust::Verified),
            ..BoardPolicy::default()
        },
        opens_ms: None,
        closes_ms: None,
        declared: true,
    }
}

pub fn declare(store: &dyn Store, board: Board) {
    wait(|done| store.declare_board(board, done)).unwrap();
}

/// A board `b` with this order and these rules.
pub fn declared(store: &dyn Store, order: Order, keep: Keep, ties: Ties) {
    let mut board = board("b", order);
    board.policy.keep = keep;
    board.policy.ties = ties;
    declare(store, board);
}

pub fn player(number: u64) -> PlayerId {
    let mut id = [0xa5; 32];
    id[..8].copy_from_slice(&number.to_be_bytes());
    PlayerId(id)
}

pub fn run_id(number: u64) -> RunId {
    let mut id = [0x5a; 16];
    id[..8].copy_from_slice(&number.to_be_bytes());
    RunId(id)
}

/// A verified run on board `b` whose number makes it unlike any other.
pub fn run(number: u64, owner: u64, score: i64) -> NewRun {
    let mut input_hash = [3; 32];
    input_hash[..8].copy_from_slice(&number.to_be_bytes());
    NewRun {
        app: APP.to_owned(),
        board: "b".to_owned(),
        ruleset: RULESET,
        id: run_id(number),
        player: player(owner),
        player_name: format!("player {owner}"),
        build: "1.0".to_owned(),
        score,
        frames: 3_600,
        status: Status::Verified,
        practice: false,
        verdict: format!("{{\"score\":{score}}}"),
        input_hash,
        input_changes: 100,
        received_ms: 1_000 + number,
        ticket_use: None,
        bytes: number.to_le_bytes().repeat(40),
    }
}

pub fn page(store: &dyn Store, at: PageAt, rows: usize) -> Page {
    store
        .page(&PageQuery {
            app: APP,
            board: "b",
            rows,
            at,
        })
        .unwrap()
}

/// (rank, position, score) of every row, read in one page.
pub fn places(store: &dyn Store) -> Vec<(u64, u64, i64)> {
    let page = page(store, PageAt::Top, 1_000);
    page.rows
        .iter()
        .map(|row| (row.rank, row.position, row.score))
        .collect()
}

/// The runs on the board, by their test numbers, best first.
pub fn order(store: &dyn Store) -> Vec<RunId> {
    page(store, PageAt::Top, 1_000)
        .rows
        .iter()
        .map(|row| row.run)
        .collect()
}

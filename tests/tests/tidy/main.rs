//! The house stays as it is drawn: what ARCHITECTURE.md promises, checked on every change.
//! Each rule returns the places that break it, so that one run shows them all.

#![allow(
    clippy::panic,
    clippy::expect_used,
    reason = "a check that cannot read the repository fails by saying so"
)]

mod cases;
mod layers;
mod prose;
mod sources;
mod tree;

use tree::Tree;

/// A rule and what it found: empty, or one line for each place with how to mend it.
type Rule = fn(&Tree) -> Vec<String>;

#[track_caller]
fn check(rule: Rule) {
    let broken = rule(&Tree::of_repository());
    assert!(broken.is_empty(), "\n{}\n", broken.join("\n"));
}

#[test]
fn lines_fit_100_columns() {
    check(sources::long_lines);
}

#[test]
fn files_hold_one_idea() {
    check(sources::long_files);
}

#[test]
fn half_of_the_files_are_short() {
    check(sources::median_length);
}

#[test]
fn names_say_what_things_are() {
    check(sources::vague_names);
}

#[test]
fn nothing_is_left_unwritten() {
    check(sources::unfinished);
}

#[test]
fn unsafe_stands_only_where_it_may() {
    check(sources::misplaced_unsafe);
}

#[test]
fn inner_crates_read_no_clock_and_open_nothing() {
    check(layers::outside_calls);
}

#[test]
fn handlers_hold_no_sql() {
    check(layers::sql_in_server);
}

#[test]
fn crates_use_only_the_layers_above_them() {
    check(layers::dependencies);
}

#[test]
fn crates_share_lints_and_edition() {
    check(layers::manifests);
}

#[test]
fn architecture_names_every_crate() {
    check(prose::architecture_names_crates);
}

#[test]
fn format_names_every_error_code() {
    check(prose::format_names_codes);
}

#[test]
fn links_between_documents_lead_somewhere() {
    check(prose::dead_links);
}

#[test]
fn the_project_speaks_of_itself() {
    check(prose::foreign_paths);
}

#[test]
fn every_case_has_its_test() {
    check(cases::tested);
}

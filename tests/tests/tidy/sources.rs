//! Rules on the shape of the code.

use crate::tree::{Source, Tree};

const COLUMNS_MAX: usize = 100;
const FILE_LINES_MAX: usize = 600;
const FILE_LINES_EVER_MAX: usize = 1_000;
const MEDIAN_LINES_MAX: usize = 300;

pub(crate) fn long_lines(tree: &Tree) -> Vec<String> {
    let code = tree.files.iter().filter(|file| !file.path.ends_with(".md"));
    let mut broken = Vec::new();
    for file in code {
        for (at, line) in file.text.lines().enumerate() {
            // A long string literal or address cannot be broken without hurting it.
            if line.chars().count() > COLUMNS_MAX && !line.contains("https://") {
                broken.push(format!(
                    "{}:{}: over {COLUMNS_MAX} columns",
                    file.path,
                    at + 1
                ));
            }
        }
    }
    broken
}

/// Over 600 lines needs a reason in ARCHITECTURE.md, where the file is named; 1,000 is the end.
pub(crate) fn long_files(tree: &Tree) -> Vec<String> {
    let reasons = tree.file("ARCHITECTURE.md");
    let mut broken = Vec::new();
    for file in tree.rust() {
        let lines = file.text.lines().count();
        let excused = lines <= FILE_LINES_EVER_MAX && reasons.contains(&file.path);
        if lines > FILE_LINES_MAX && !excused {
            broken.push(format!(
                "{}: {lines} lines: split it, one idea per file",
                file.path
            ));
        }
    }
    broken
}

pub(crate) fn median_length(tree: &Tree) -> Vec<String> {
    let mut lengths: Vec<usize> = tree.rust().map(|file| file.text.lines().count()).collect();
    lengths.sort_unstable();
    let median = lengths[lengths.len() / 2];
    if median <= MEDIAN_LINES_MAX {
        return Vec::new();
    }
    vec![format!(
        "the median file has {median} lines, more than {MEDIAN_LINES_MAX}"
    )]
}

const VAGUE_FILES: [&str; 6] = [
    "utils.rs",
    "util.rs",
    "helpers.rs",
    "helper.rs",
    "common.rs",
    "manager.rs",
];

pub(crate) fn vague_names(tree: &Tree) -> Vec<String> {
    let mut broken = Vec::new();
    for file in tree.rust() {
        let name = file.path.rsplit('/').next().unwrap_or_default();
        if VAGUE_FILES.contains(&name) {
            broken.push(format!("{}: name the one idea it holds", file.path));
        }
        for (at, line) in file.text.lines().enumerate() {
            if line.contains(concat!("fn g", "et_")) || line.contains(concat!("Man", "ager {")) {
                broken.push(format!("{}:{}: no get_, no Manager", file.path, at + 1));
            }
        }
    }
    broken
}

/// Written in pieces, so that this file does not find itself.
const UNFINISHED: [&str; 5] = [
    concat!("todo", "!("),
    concat!("unimplemented", "!("),
    "FIXME",
    "XXX",
    concat!("#[", "ignore"),
];

pub(crate) fn unfinished(tree: &Tree) -> Vec<String> {
    let rust = tree
        .rust()
        .filter(|file| !file.path.ends_with("tidy/sources.rs"));
    rust.flat_map(|file| lines_with(file, &UNFINISHED, "finish it or take it out"))
        .collect()
}

/// DESIGN: `unsafe` stands in the C ABI, the Godot library and core's one floating-point module.
/// Counting allocators of tests are the one exception outside shipped code.
const UNSAFE_ALLOWED: [&str; 3] = [
    "crates/async-ffi/",
    "bindings/godot/",
    "crates/async-core/src/float_environment.rs",
];

pub(crate) fn misplaced_unsafe(tree: &Tree) -> Vec<String> {
    let shipped = tree.rust().filter(|file| !file.is_test());
    let elsewhere = shipped.filter(|file| {
        !UNSAFE_ALLOWED
            .iter()
            .any(|place| file.path.starts_with(place))
    });
    let words = ["unsafe {", "unsafe fn", "unsafe impl", "unsafe extern"];
    elsewhere
        .flat_map(|file| lines_with(file, &words, "no unsafe here"))
        .collect()
}

pub(crate) fn lines_with(file: &Source, words: &[&str], mend: &str) -> Vec<String> {
    let found = file.text.lines().enumerate().filter_map(|(at, line)| {
        let word = words.iter().find(|word| line.contains(**word))?;
        Some(format!("{}:{}: `{word}`: {mend}", file.path, at + 1))
    });
    found.collect()
}

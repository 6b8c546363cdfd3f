//! What went wrong for users elsewhere is a test here, named after its row.

use crate::tree::Tree;

/// The rows that what is built so far answers for: ranks, numbers, uploads, determinism, versions,
/// seeds, whole runs, playback. A row leaves this list only with the feature that it speaks of.
const ROWS: [&str; 26] = [
    "r1", "r3", "r4", "r6", "r9", "n1", "n3", "n4", "n5", "n7", "u4", "u5", "u7", "v3", "v6", "v8",
    "v9", "v10", "v11", "v15", "c1", "c2", "s2", "u1", "g1", "g5",
];

pub(crate) fn tested(tree: &Tree) -> Vec<String> {
    let has_test = |row: &str| {
        let name = format!("fn case_{row}_");
        tree.rust().any(|file| file.text.contains(&name))
    };
    let missing = ROWS.iter().filter(|row| !has_test(row));
    missing
        .map(|row| format!("no test is named case_{row}_…"))
        .collect()
}

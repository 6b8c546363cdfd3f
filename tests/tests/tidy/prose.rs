//! Rules on the documents: they name what there is, and lead somewhere.

use crate::tree::Tree;

pub(crate) fn architecture_names_crates(tree: &Tree) -> Vec<String> {
    let text = tree.file("ARCHITECTURE.md");
    let manifests = tree
        .files
        .iter()
        .filter(|file| file.path.ends_with("/Cargo.toml"));
    let folders = manifests.filter_map(|file| file.path.strip_suffix("/Cargo.toml"));
    let missing = folders.filter(|folder| !text.contains(*folder));
    missing
        .map(|folder| format!("ARCHITECTURE.md does not name {folder}"))
        .collect()
}

pub(crate) fn format_names_codes(tree: &Tree) -> Vec<String> {
    let text = tree.file("FORMAT.md");
    let missing = async_replay::CODES
        .iter()
        .filter(|code| !text.contains(&format!("`{code}`")));
    missing
        .map(|code| format!("FORMAT.md does not explain `{code}`"))
        .collect()
}

/// Relative links of the documents; anchors and addresses are left to their readers.
pub(crate) fn dead_links(tree: &Tree) -> Vec<String> {
    let mut broken = Vec::new();
    for file in tree.files.iter().filter(|file| file.path.ends_with(".md")) {
        let folder = tree.root.join(&file.path);
        let folder = folder.parent().expect("a file has a folder").to_owned();
        for link in file
            .text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            let target = link.split('#').next().unwrap_or_default();
            if !target.is_empty() && !target.contains(':') && !folder.join(target).exists() {
                broken.push(format!("{}: the link to {target} is dead", file.path));
            }
        }
    }
    broken
}

/// No path of the machine that somebody happened to write this on.
pub(crate) fn foreign_paths(tree: &Tree) -> Vec<String> {
    let words = [
        concat!("/wo", "rk/"),
        concat!("/ro", "ot/"),
        concat!("/ho", "me/"),
    ];
    let lines = tree.files.iter().flat_map(|file| {
        file.text
            .lines()
            .enumerate()
            .map(move |(at, line)| (file, at + 1, line))
    });
    let foreign = lines.filter(|(_, _, line)| words.iter().any(|word| line.contains(word)));
    foreign
        .map(|(file, at, _)| format!("{}:{at}: a path of one machine", file.path))
        .collect()
}

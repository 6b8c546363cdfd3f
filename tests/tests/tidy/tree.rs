//! The files of the repository, as git would list them: no build output, nothing hidden.

use std::fs;
use std::path::{Path, PathBuf};

/// One text file of the repository.
pub(crate) struct Source {
    /// Path from the repository's root, with `/`.
    pub(crate) path: String,
    pub(crate) text: String,
}

impl Source {
    /// The lines before the file's own test module: what ships.
    pub(crate) fn shipped_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self
            .text
            .lines()
            .enumerate()
            .map(|(at, line)| (at + 1, line));
        lines.take_while(|(_, line)| !line.starts_with("#[cfg(test)]"))
    }

    pub(crate) fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// True for code that only tests and benches run.
    pub(crate) fn is_test(&self) -> bool {
        let path = &self.path;
        path.starts_with("tests/")
            || path.starts_with("benches/")
            || path.starts_with("fuzz/")
            || path.contains("/tests/")
            || path.contains("/tests.rs")
            || path.contains("/examples/")
    }
}

/// Every text file that a person wrote or that is committed as generated.
pub(crate) struct Tree {
    pub(crate) root: PathBuf,
    pub(crate) files: Vec<Source>,
}

const TEXT_ENDINGS: [&str; 8] = ["rs", "md", "toml", "sh", "h", "hpp", "js", "html"];
const SKIPPED_FOLDERS: [&str; 4] = ["target", ".git", ".cache", "node_modules"];

impl Tree {
    pub(crate) fn of_repository() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut files = Vec::new();
        collect(&root, &root, &mut files);
        assert!(
            files.len() > 30,
            "the tidy test must see the repository, not {}",
            root.display()
        );
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Self { root, files }
    }

    pub(crate) fn rust(&self) -> impl Iterator<Item = &Source> {
        self.files.iter().filter(|file| file.is_rust())
    }

    pub(crate) fn file(&self, path: &str) -> &str {
        let found = self.files.iter().find(|file| file.path == path);
        &found.unwrap_or_else(|| panic!("{path} is missing")).text
    }
}

fn collect(root: &Path, folder: &Path, files: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).expect("a readable folder").flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() {
            if !SKIPPED_FOLDERS.contains(&name.as_str()) {
                collect(root, &path, files);
            }
        } else if is_text(&path) {
            let text = fs::read_to_string(&path).unwrap_or_else(|why| panic!("{name}: {why}"));
            let path = path
                .strip_prefix(root)
                .expect("inside")
                .to_string_lossy()
                .into_owned();
            files.push(Source { path, text });
        }
    }
}

/// By its ending, or a script: the files under `scripts/` and `.ci/` have none.
fn is_text(path: &Path) -> bool {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some(ending) => TEXT_ENDINGS.contains(&ending),
        None => path.parent().is_some_and(|folder| {
            folder.ends_with("scripts") || folder.file_name() == Some(".ci".as_ref())
        }),
    }
}

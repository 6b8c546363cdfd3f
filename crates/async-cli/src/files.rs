//! Files of runs: read within bounds, and found in folders.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use async_replay::Limits;

use crate::failure::Failure;
use crate::output::Thousands;

/// How a run file ends.
pub(crate) const EXTENSION: &str = "gfrun";

/// Folders in folders that are looked into.
const DEPTH_MAX: u32 = 32;

/// Reads a file of at most `bytes_max` bytes; a larger one is left unread.
pub(crate) fn read(path: &Path, bytes_max: usize) -> Result<Vec<u8>, Failure> {
    let failed = |error: std::io::Error| Failure::file(path, &error);
    let file = File::open(path).map_err(failed)?;
    let size = file.metadata().map_err(failed)?.len();
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0).min(bytes_max));
    // One more, so that a file which is too large, or grows, shows.
    file.take(bytes_max as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if bytes.len() > bytes_max {
        let msg = format_args!("over {} bytes", Thousands(bytes_max));
        return Err(Failure::new("too_large", msg).about(path));
    }
    Ok(bytes)
}

/// Reads a run file, within what this machine is willing to hold.
pub(crate) fn read_run(path: &Path) -> Result<Vec<u8>, Failure> {
    read(path, Limits::LOCAL.bytes_max)
}

/// The run files that `paths` name: files as they are, of folders all that end in `.gfrun`, in a
/// stable order. What cannot be found is told apart, so that the others are still judged.
pub(crate) fn runs(paths: &[PathBuf]) -> (Vec<PathBuf>, Vec<Failure>) {
    let (mut found, mut failures) = (Vec::new(), Vec::new());
    for path in paths {
        if !path.is_dir() {
            found.push(path.clone());
            continue;
        }
        let before = found.len();
        if let Err(failure) = folder(path, DEPTH_MAX, &mut found) {
            failures.push(failure);
        } else if found.len() == before {
            let msg = format_args!("{}: no *.{EXTENSION} in this folder", path.display());
            failures.push(Failure::new("no_runs", msg));
        }
    }
    (found, failures)
}

fn folder(path: &Path, depth: u32, found: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::file(path, &error);
    let entries = fs::read_dir(path).map_err(failed)?;
    let mut entries = entries.collect::<Result<Vec<_>, _>>().map_err(failed)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let kind = entry.file_type().map_err(failed)?;
        let inner = entry.path();
        // Links are not followed: a folder may hold one to itself.
        if kind.is_dir() && depth > 0 {
            folder(&inner, depth - 1, found)?;
        } else if kind.is_file() && inner.extension().is_some_and(|end| end == EXTENSION) {
            found.push(inner);
        }
    }
    Ok(())
}

//! Files of runs and priors: read within bounds, found in folders, and written whole or not at all.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_replay::{Limits, Prior, Priors};

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

/// Reads a prior.
pub(crate) fn read_prior(path: &Path) -> Result<Prior, Failure> {
    let bytes = read(path, Limits::LOCAL.bytes_max)?;
    Prior::open(&bytes, &Limits::LOCAL).map_err(|error| Failure::from(error).about(path))
}

/// Reads priors, to open runs with.
pub(crate) fn read_priors(paths: &[PathBuf]) -> Result<Priors, Failure> {
    let named = |path: &PathBuf| read_prior(path).map(|prior| (prior.hash(), Arc::new(prior)));
    paths.iter().map(named).collect()
}

/// Writes a file: under another name first, so that what was there before is whole until the new
/// one is.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::file(path, &error);
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut file = open_beside(folder).map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    file.as_file().sync_all().map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// A file that gets its name later, readable by whoever may read new files.
fn open_beside(folder: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
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

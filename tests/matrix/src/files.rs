//! The committed files.

use std::fs;
use std::io;
use std::path::Path;

/// The files below a folder by their names in it, in an order that no file system decides.
pub(crate) fn below(folder: &Path) -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut found = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(prefix) = folders.pop() {
        for entry in fs::read_dir(folder.join(&prefix))? {
            let entry = entry?;
            let name = entry.file_name();
            let name = format!("{prefix}{}", name.to_string_lossy());
            if entry.file_type()?.is_dir() {
                folders.push(name + "/");
            } else {
                found.push((name, fs::read(entry.path())?));
            }
        }
    }
    found.sort();
    Ok(found)
}

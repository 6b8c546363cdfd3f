//! Storage in files: one file per key. A value is replaced by writing beside it, syncing and
//! renaming, so a crash leaves the old or the new one; an append is synced before it is answered.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender};

use crate::commands::ANSWER_BYTES_MAX;
use crate::{Answer, Command};

/// Longest key.
const KEY_MAX_BYTES: usize = 128;

/// A folder of values.
#[derive(Debug)]
pub(super) struct Files {
    folder: PathBuf,
    /// Held as long as the folder is used.
    _lock: File,
}

impl Files {
    pub(super) fn open(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let lock = File::create(folder.join("lock"))?;
        lock.try_lock().map_err(|error| {
            io::Error::other(format!("{} is in use: {error}", folder.display()))
        })?;
        Ok(Self {
            folder: folder.to_owned(),
            _lock: lock,
        })
    }

    /// Carries out commands in order until there can be no more.
    pub(super) fn serve(&self, commands: &Receiver<Command>, answers: &Sender<Answer>) {
        for command in commands {
            // Whoever asked may be gone; what was asked is done all the same.
            let _ = answers.send(self.carry_out(command));
        }
    }

    fn carry_out(&self, command: Command) -> Answer {
        let (key, done) = match command {
            Command::Store { key, bytes } => {
                let done = self
                    .store(&key, &bytes)
                    .map(|()| Answer::Stored { key: key.clone() });
                (key, done)
            }
            Command::Append { key, bytes } => {
                let done = self
                    .append(&key, &bytes)
                    .map(|()| Answer::Stored { key: key.clone() });
                (key, done)
            }
            Command::Load { key } => {
                let done = self.load(&key).map(|bytes| Answer::Loaded {
                    key: key.clone(),
                    bytes,
                });
                (key, done)
            }
            Command::Erase { key } => {
                let done = self
                    .erase(&key)
                    .map(|()| Answer::Erased { key: key.clone() });
                (key, done)
            }
            _ => (String::new(), Err(io::Error::other("no storage command"))),
        };
        done.unwrap_or_else(|error| Answer::StoreFailed {
            key,
            msg: error.to_string(),
        })
    }

    /// The file of a key. Keys are our own, and still none may leave the folder.
    fn path(&self, key: &str) -> io::Result<PathBuf> {
        let plain = |part: &str| {
            let fine = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
            !part.is_empty() && part.bytes().all(fine)
        };
        if key.len() > KEY_MAX_BYTES || !key.split('/').all(plain) {
            return Err(io::Error::other(format!("{key:?} is no key")));
        }
        Ok(self.folder.join(format!("{key}.bin")))
    }

    fn store(&self, key: &str, bytes: &[u8]) -> io::Result<()> {
        let path = self.path(key)?;
        let parent = path.parent().unwrap_or(&self.folder);
        fs::create_dir_all(parent)?;
        let fresh = path.with_extension("new");
        let mut file =
            private(OpenOptions::new().create(true).truncate(true).write(true)).open(&fresh)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&fresh, &path)?;
        sync_folder(parent)
    }

    fn append(&self, key: &str, bytes: &[u8]) -> io::Result<()> {
        let path = self.path(key)?;
        let is_new = !path.exists();
        let mut file = private(OpenOptions::new().create(true).append(true)).open(&path)?;
        let before = file.seek(SeekFrom::End(0))?;
        let written = file.write_all(bytes).and_then(|()| file.sync_data());
        if written.is_err() {
            // Half an append would stand before the next one.
            let _ = file.set_len(before);
        }
        written?;
        if is_new {
            sync_folder(&self.folder)
        } else {
            Ok(())
        }
    }

    fn load(&self, key: &str) -> io::Result<Option<Vec<u8>>> {
        let file = match File::open(self.path(key)?) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut bytes = Vec::new();
        let most = ANSWER_BYTES_MAX as u64 + 1;
        file.take(most).read_to_end(&mut bytes)?;
        if bytes.len() > ANSWER_BYTES_MAX {
            return Err(io::Error::other(format!(
                "{key:?} is larger than any value may be"
            )));
        }
        Ok(Some(bytes))
    }

    fn erase(&self, key: &str) -> io::Result<()> {
        let path = self.path(key)?;
        match fs::remove_file(&path) {
            Ok(()) => sync_folder(path.parent().unwrap_or(&self.folder)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
        }
    }
}

/// The player's key is among the files: nobody else on the machine reads them.
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// Makes a rename or a new name durable, where the system has a way to.
fn sync_folder(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(folder)?.sync_all()?;
    #[cfg(not(unix))]
    let _ = folder;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> (tempfile::TempDir, Files) {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::open(folder.path()).unwrap();
        (folder, files)
    }

    #[test]
    fn values_are_replaced_added_to_read_and_erased() {
        let (_folder, files) = files();
        assert_eq!(files.load("a").unwrap(), None);
        files.append("a", b"1").unwrap();
        files.append("a", b"2").unwrap();
        assert_eq!(files.load("a").unwrap().unwrap(), b"12");
        files.store("a", b"3").unwrap();
        files.append("a", b"4").unwrap();
        assert_eq!(files.load("a").unwrap().unwrap(), b"34");
        files.erase("a").unwrap();
        files.erase("a").unwrap();
        assert_eq!(files.load("a").unwrap(), None);
        files.store("trace/00ff", b"t").unwrap();
        assert_eq!(files.load("trace/00ff").unwrap().unwrap(), b"t");
        files.erase("trace/00ff").unwrap();
        files.erase("server/00ff").unwrap();
        assert_eq!(files.load("trace/00ff").unwrap(), None);
    }

    #[test]
    fn no_key_leaves_the_folder() {
        let (_folder, files) = files();
        for key in ["", "..", "../a", "/etc/a", "a//b", "a.b", "a\\b", "a/"] {
            assert!(files.store(key, b"x").is_err(), "{key}");
        }
    }

    #[test]
    fn one_driver_uses_a_folder() {
        let (folder, _files) = files();
        assert!(Files::open(folder.path()).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_reads_the_key() {
        use std::os::unix::fs::PermissionsExt;
        let (folder, files) = files();
        files.store("identity", b"secret").unwrap();
        let mode = fs::metadata(folder.path().join("identity.bin"))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

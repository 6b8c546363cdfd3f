//! The SQLite file: how it is opened, its version, its secrets.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, OptionalExtension, params};

use crate::Error;
use crate::types::Secrets;

/// Statements kept prepared in each connection; all of ours fit.
const STATEMENTS_MAX: usize = 64;
/// How long a connection waits for another process's lock.
const LOCK_WAIT_MS: u64 = 5_000;

/// Schema changes in order; `user_version` counts those that were made. Never edit one that was
/// released: add another.
const MIGRATIONS: &[&str] = &[include_str!("schema.sql")];

/// Makes the file where there is none, readable by its owner alone since it holds the secrets, and
/// returns its real path: two names of one file must meet at one lock.
pub(crate) fn locate(path: &Path) -> Result<PathBuf, Error> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(Error::failed(error)),
    }
    let real = fs::canonicalize(path).map_err(Error::failed)?;
    if real.is_dir() {
        return Err(Error::failed("this is a folder; name a file in it"));
    }
    Ok(real)
}

/// Keeps every other store away from the file, since its ranks would not see our writes. Held
/// until the answer is dropped; a crash lets go of it too.
pub(crate) fn lock(path: &Path) -> Result<File, Error> {
    // A file of its own: closing the database itself would drop SQLite's own locks.
    let mut name = path.as_os_str().to_owned();
    name.push("-lock");
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(Path::new(&name));
    let file = file.map_err(Error::failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Error::InUse),
        Err(TryLockError::Error(error)) => Err(Error::failed(error)),
    }
}

/// A connection that writes or checkpoints.
pub(crate) fn open_writer(path: &Path, cache_kib: u32) -> Result<Connection, Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(path, flags)?;
    set_up(&conn, cache_kib)?;
    refuse_foreign(&conn)?;
    let mode: String = conn.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
    if !mode.eq_ignore_ascii_case("wal") {
        return Err(Error::failed(format!(
            "the file system allows only journal mode {mode}"
        )));
    }
    conn.execute_batch(
        // FULL: a commit is on the disk when it returns. Checkpoints have their own thread.
        "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0; PRAGMA secure_delete = ON;",
    )?;
    Ok(conn)
}

/// A database of another program is left as it is; an empty one becomes a store.
fn refuse_foreign(conn: &Connection) -> Result<(), Error> {
    let ours = "SELECT (SELECT user_version FROM pragma_user_version) > 0
        OR NOT EXISTS (SELECT 1 FROM sqlite_schema)";
    if conn.query_row(ours, [], |row| row.get(0))? {
        return Ok(());
    }
    let what = "the file is a database of another program";
    Err(Error::Damaged(what.to_owned()))
}

/// Sets the largest size of the file for writes of this connection.
pub(crate) fn limit(conn: &Connection, bytes_max: u64) -> Result<(), Error> {
    let page_bytes: u64 = conn
        .query_row("PRAGMA page_size", [], |row| row.get::<_, i64>(0))?
        .max(512) as u64;
    // SQLite's own ceiling on pages.
    let pages = (bytes_max / page_bytes).clamp(1, 0xffff_fffe);
    conn.pragma_update(None, "max_page_count", pages as i64)?;
    Ok(())
}

/// A connection that only reads.
pub(crate) fn open_reader(path: &Path, cache_kib: u32) -> Result<Connection, Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(path, flags)?;
    set_up(&conn, cache_kib)?;
    conn.execute_batch("PRAGMA query_only = ON;")?;
    Ok(conn)
}

fn set_up(conn: &Connection, cache_kib: u32) -> Result<(), Error> {
    conn.busy_timeout(Duration::from_millis(LOCK_WAIT_MS))?;
    conn.set_prepared_statement_cache_capacity(STATEMENTS_MAX);
    // Plans do not depend on the values bound, so a statement is never prepared twice.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    conn.pragma_update(None, "cache_size", -i64::from(cache_kib))?;
    conn.pragma_update(None, "temp_store", "MEMORY")?;
    Ok(())
}

/// Brings a file to the newest version.
///
/// # Errors
/// [`Error::Newer`] for a file of a later program; failures of the disk.
pub(crate) fn migrate(conn: &mut Connection) -> Result<(), Error> {
    let found: i64 = conn.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let known = MIGRATIONS.len() as i64;
    if found > known {
        return Err(Error::Newer { found, known });
    }
    for (index, sql) in MIGRATIONS.iter().enumerate().skip(found.max(0) as usize) {
        let step = conn.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        step.execute_batch(sql)?;
        step.pragma_update(None, "user_version", index as i64 + 1)?;
        step.commit()?;
    }
    Ok(())
}

/// Everything secret that the file holds.
#[derive(Clone)]
pub(crate) struct Keys {
    /// Those of the server.
    pub(crate) server: Secrets,
    /// Numbers players, so that nobody can aim at a number.
    pub(crate) numbers: [u8; 32],
    /// Marks what was erased.
    pub(crate) tombstones: [u8; 32],
}

/// Reads the secrets, making those that are missing from `entropy` (or the system's).
pub(crate) fn keys(conn: &mut Connection, entropy: Option<[u8; 32]>) -> Result<Keys, Error> {
    let change = conn.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let mut source = entropy;
    let mut secret = |name: &str| -> Result<[u8; 32], Error> {
        let find = "SELECT value FROM secrets WHERE name = ?1";
        if let Some(value) = change
            .query_row(find, [name], |row| row.get(0))
            .optional()?
        {
            return Ok(value);
        }
        let entropy = match source {
            Some(entropy) => entropy,
            None => *source.insert(system_entropy()?),
        };
        let value = blake3::derive_key(&format!("gf-async store secret v1 {name}"), &entropy);
        let add = "INSERT INTO secrets (name, value) VALUES (?1, ?2)";
        change.execute(add, params![name, value])?;
        Ok(value)
    };
    let keys = Keys {
        server: Secrets {
            server_key_seed: secret("server_key_seed")?,
            daily_secret: secret("daily_secret")?,
            nonce_secret: secret("nonce_secret")?,
        },
        numbers: secret("player_numbers")?,
        tombstones: secret("tombstones")?,
    };
    change.commit()?;
    Ok(keys)
}

fn system_entropy() -> Result<[u8; 32], Error> {
    let mut entropy = [0; 32];
    getrandom::fill(&mut entropy).map_err(Error::failed)?;
    Ok(entropy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_stay_and_follow_the_entropy() -> Result<(), Error> {
        let mut conn = Connection::open_in_memory()?;
        migrate(&mut conn)?;
        let first = keys(&mut conn, Some([7; 32]))?;
        let again = keys(&mut conn, None)?;
        assert_eq!(first.server, again.server);
        assert_ne!(first.server.server_key_seed, first.server.daily_secret);
        assert_ne!(first.numbers, first.tombstones);
        Ok(())
    }

    #[test]
    fn a_newer_file_is_not_touched() -> Result<(), Error> {
        let mut conn = Connection::open_in_memory()?;
        conn.pragma_update(None, "user_version", 1_000)?;
        assert_eq!(
            migrate(&mut conn),
            Err(Error::Newer {
                found: 1_000,
                known: 1
            })
        );
        Ok(())
    }
}

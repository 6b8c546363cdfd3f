//! Connections that read, shared by all callers.

use std::path::PathBuf;
use std::sync::{Condvar, Mutex, PoisonError};

use rusqlite::Connection;

use super::file;
use crate::Error;

/// A few connections; whoever finds none waits for one.
pub(crate) struct Readers {
    path: PathBuf,
    cache_kib: u32,
    idle: Mutex<Idle>,
    returned: Condvar,
}

struct Idle {
    conns: Vec<Connection>,
    /// Connections that may still be opened.
    spare: usize,
}

impl Readers {
    /// Opens the first connection now, the others when they are needed.
    pub(crate) fn open(path: PathBuf, count: usize, cache_kib: u32) -> Result<Self, Error> {
        let first = file::open_reader(&path, cache_kib)?;
        let idle = Idle {
            conns: vec![first],
            spare: count.saturating_sub(1),
        };
        Ok(Self {
            path,
            cache_kib,
            idle: Mutex::new(idle),
            returned: Condvar::new(),
        })
    }

    /// Reads with a connection that nobody else uses meanwhile.
    pub(crate) fn read<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut guard = Borrowed {
            conn: Some(self.take()?),
            readers: self,
        };
        match guard.conn.as_mut() {
            Some(conn) => work(conn),
            None => Err(Error::Closed),
        }
    }

    fn take(&self) -> Result<Connection, Error> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(conn) = idle.conns.pop() {
                return Ok(conn);
            }
            if idle.spare > 0 {
                idle.spare -= 1;
                drop(idle);
                return file::open_reader(&self.path, self.cache_kib)
                    .inspect_err(|_| self.give(None));
            }
            idle = self
                .returned
                .wait(idle)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn give(&self, conn: Option<Connection>) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        match conn {
            Some(conn) => idle.conns.push(conn),
            None => idle.spare += 1,
        }
        drop(idle);
        self.returned.notify_one();
    }
}

/// Gives its connection back, also when the work panics.
struct Borrowed<'a> {
    conn: Option<Connection>,
    readers: &'a Readers,
}

impl Drop for Borrowed<'_> {
    fn drop(&mut self) {
        self.readers.give(self.conn.take());
    }
}

//! The one thread that writes: many writes, one transaction, one fsync.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;

use rusqlite::Connection;

use super::Shared;
use super::group::{Counters, Failure, Group};
use crate::Error;
use crate::types::Done;

/// Writes of one transaction at most: bounds how long the first of them waits.
const GROUP_MAX: usize = 256;
/// Bytes of one transaction, roughly at most.
const GROUP_MAX_BYTES: usize = 8 << 20;

/// Called with the outcome of the commit.
type Finish = Box<dyn FnOnce(Result<(), Error>) + Send>;
/// Does the work within the transaction, or hears that there will be none. The second value voids
/// the transaction.
type Work = Box<dyn FnOnce(Result<&mut Group<'_>, Error>) -> (Finish, Option<Error>) + Send>;

/// A write on its way to the writer.
struct Write {
    work: Work,
    bytes: usize,
    /// In a transaction of its own, since it changes what others decide by.
    alone: bool,
}

/// The sending end, and the thread.
pub(crate) struct Writer {
    queue: Option<SyncSender<Write>>,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Starts the thread.
    pub(crate) fn start(
        conn: Connection,
        shared: Arc<Shared>,
        counters: Counters,
        committed: SyncSender<()>,
    ) -> Result<Self, Error> {
        let (queue, writes) = sync_channel(shared.options.waiting_max);
        let state = Thread {
            conn,
            shared: Arc::clone(&shared),
            counters,
            committed,
        };
        let thread = std::thread::Builder::new()
            .name("gf-store-writer".to_owned())
            .spawn(move || state.run(&writes))
            .map_err(Error::failed)?;
        Ok(Self {
            queue: Some(queue),
            shared,
            thread: Some(thread),
        })
    }

    /// Queues a write. `done` hears of it, also if there is no room.
    pub(crate) fn write<T: Send + 'static>(
        &self,
        bytes: usize,
        alone: bool,
        done: Done<T>,
        work: impl FnOnce(&mut Group<'_>) -> Result<T, Failure> + Send + 'static,
    ) {
        let work: Work = Box::new(move |group| match group.map(work) {
            Ok(Ok(value)) => (Box::new(|commit| done(commit.map(|()| value))), None),
            Ok(Err(Failure::Refused(error))) => (failing(done, error), None),
            Ok(Err(Failure::Broken(error))) => (failing(done, error.clone()), Some(error)),
            Err(error) => (failing(done, error), None),
        });
        // All that waits counts, so that a slow disk cannot fill the memory.
        let waiting = self.shared.waiting_bytes.fetch_add(bytes, Relaxed);
        let write = Write { work, bytes, alone };
        let refused = match &self.queue {
            _ if waiting > self.shared.options.waiting_max_bytes => Some((write, Error::Busy)),
            None => Some((write, Error::Closed)),
            Some(queue) => match queue.try_send(write) {
                Ok(()) => None,
                Err(TrySendError::Full(write)) => Some((write, Error::Busy)),
                Err(TrySendError::Disconnected(write)) => Some((write, Error::Closed)),
            },
        };
        if let Some((write, error)) = refused {
            self.shared.waiting_bytes.fetch_sub(bytes, Relaxed);
            let (finish, _) = (write.work)(Err(error));
            finish(Ok(()));
        }
    }
}

impl Drop for Writer {
    /// Writes what waits, then ends.
    fn drop(&mut self) {
        self.queue = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the writer of the store had panicked");
        }
    }
}

/// Answers with the error of the commit, or else with the write's own.
fn failing<T: Send + 'static>(done: Done<T>, error: Error) -> Finish {
    Box::new(move |commit| done(Err(commit.err().unwrap_or(error))))
}

/// What the thread owns.
struct Thread {
    conn: Connection,
    shared: Arc<Shared>,
    counters: Counters,
    /// Wakes the thread that checkpoints.
    committed: SyncSender<()>,
}

impl Thread {
    fn run(mut self, writes: &Receiver<Write>) {
        let mut held = None;
        loop {
            let first = match held.take() {
                Some(write) => write,
                None => match writes.recv() {
                    Ok(write) => write,
                    Err(_) => return,
                },
            };
            let group = gather(first, writes, &mut held);
            self.write(group);
        }
    }

    fn write(&mut self, group: Vec<Write>) {
        let bytes: usize = group.iter().map(|write| write.bytes).sum();
        let writes = group.len() as u64;
        let (finishes, outcome) = self.transact(group);
        self.shared.waiting_bytes.fetch_sub(bytes, Relaxed);
        self.shared.groups.fetch_add(1, Relaxed);
        self.shared.writes.fetch_add(writes, Relaxed);
        if let Err(error) = &outcome {
            tracing::error!(%error, writes, "a transaction failed");
        }
        for finish in finishes {
            // Whoever waits may panic; the store must not.
            let outcome = outcome.clone();
            if catch_unwind(AssertUnwindSafe(|| finish(outcome))).is_err() {
                tracing::error!("an answer's receiver panicked");
            }
        }
        // A full channel means that the thread is awake already.
        let _ = self.committed.try_send(());
    }

    /// Does the writes in one transaction and makes them visible after the commit.
    fn transact(&mut self, writes: Vec<Write>) -> (Vec<Finish>, Result<(), Error>) {
        let mut finishes = Vec::with_capacity(writes.len());
        let gate = self.shared.gate();
        if let Err(error) = self.statement("BEGIN IMMEDIATE") {
            finishes.extend(
                writes
                    .into_iter()
                    .map(|write| (write.work)(Err(error.clone())).0),
            );
            return (finishes, Err(error));
        }
        let mut group = Group::new(&self.conn, &self.shared, self.counters);
        let mut broken = None;
        for write in writes {
            let state = match &broken {
                None => Ok(&mut group),
                Some(error) => Err(Error::clone(error)),
            };
            let (finish, error) = (write.work)(state);
            finishes.push(finish);
            broken = broken.or(error);
        }
        let (effects, counters) = (group.effects, group.counters);
        let outcome = match broken {
            None => self.statement("COMMIT"),
            Some(error) => Err(error),
        };
        if outcome.is_err() {
            // SQLite may have rolled back by itself; then there is nothing left to undo.
            if !self.conn.is_autocommit() {
                let _ = self.statement("ROLLBACK");
            }
            return (finishes, outcome);
        }
        drop(gate);
        self.counters = counters;
        self.shared.apply(effects);
        (finishes, Ok(()))
    }

    fn statement(&self, sql: &str) -> Result<(), Error> {
        self.conn.prepare_cached(sql)?.execute([])?;
        Ok(())
    }
}

/// What waits now, up to a bound. A write that wants to be alone is held for the next turn.
fn gather(first: Write, writes: &Receiver<Write>, held: &mut Option<Write>) -> Vec<Write> {
    let mut bytes = first.bytes;
    let alone = first.alone;
    let mut group = vec![first];
    while !alone && group.len() < GROUP_MAX && bytes < GROUP_MAX_BYTES {
        match writes.try_recv() {
            Ok(write) if write.alone => {
                *held = Some(write);
                break;
            }
            Ok(write) => {
                bytes += write.bytes;
                group.push(write);
            }
            Err(_) => break,
        }
    }
    group
}

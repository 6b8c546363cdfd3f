//! Runs waiting to be sent. A run is on the host's disk before it is sent, it is sent oldest first,
//! and it leaves only by an answer: accepted or refused. This module decides; the session carries
//! out.

pub(crate) mod backoff;
pub(crate) mod journal;

use async_replay::RunId;

use crate::Error;
use crate::commands::{ANSWER_BYTES_MAX, Command};
use crate::entropy::Entropy;
use backoff::Backoff;

/// Most runs that wait at once.
pub const OUTBOX_RUNS_MAX: usize = 64;
/// Most bytes that wait at once: the journal is read back as one value, which has its own bound.
const BYTES_MAX: usize = ANSWER_BYTES_MAX / 4 * 3;
/// Bytes of history that the journal may hold beside what waits, before it is written anew.
const HISTORY_MAX_BYTES: usize = ANSWER_BYTES_MAX / 16;
/// After so many answers that say "later" the runs behind it go first: it may be the run itself
/// that this server fails on.
const PATIENCE: u32 = 4;
/// How long after a failed read or write the disk is tried again, in milliseconds.
const DISK_RETRY_MS: u64 = 5_000;
/// How long between two questions about a pending run, in milliseconds.
const ASK_AGAIN_MS: u64 = 5_000;

/// Where a waiting run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// Not yet known to be on disk.
    Writing,
    /// On disk, to be sent.
    Queued,
    /// Sent, no answer yet.
    Sending,
    /// The server has it and is still verifying.
    Pending,
}

#[derive(Debug)]
struct Entry {
    run: RunId,
    bytes: Vec<u8>,
    request: u64,
    at: Waiting,
    /// Not sent or asked about before this time.
    due_ms: u64,
    /// Answers of a server that could not take it.
    failures: u32,
    /// Part of the write that is under way.
    in_write: bool,
}

/// What to ask of the server next.
#[derive(Debug)]
pub(crate) enum Errand<'a> {
    /// Send the run.
    Send { run: RunId, bytes: &'a [u8] },
    /// Ask how the verification stands.
    Ask { run: RunId },
}

/// What an answer meant for the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// Accepted or refused: it leaves the outbox.
    Done,
    /// The server keeps it and is still verifying.
    Pending,
    /// Nobody can be reached or the server is busy: all wait, at least this long if it said so.
    RetryAll {
        after_ms: Option<u64>,
        /// Somebody did answer.
        answered: bool,
    },
    /// This run cannot be sent now; the others can.
    RetryThis { after_ms: Option<u64> },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Disk {
    Idle,
    Loading,
    Writing,
    Erasing,
}

/// The outbox.
#[derive(Debug)]
pub(crate) struct Outbox {
    durable: bool,
    entries: Vec<Entry>,
    disk: Disk,
    loaded: bool,
    /// Records to append next.
    unwritten: Vec<u8>,
    rewrite: bool,
    /// Size of the journal on disk.
    journal_bytes: usize,
    disk_due_ms: u64,
    backoff: Backoff,
    quiet_until_ms: u64,
}

impl Outbox {
    /// An empty outbox; not `durable` means that runs wait in memory only.
    pub(crate) fn new(durable: bool) -> Self {
        Self {
            durable,
            entries: Vec::new(),
            disk: Disk::Idle,
            loaded: !durable,
            unwritten: Vec::new(),
            rewrite: false,
            journal_bytes: 0,
            disk_due_ms: 0,
            backoff: Backoff::default(),
            quiet_until_ms: 0,
        }
    }

    /// Puts a run in, or finds it there; the number of the request that its answer will carry.
    ///
    /// # Errors
    /// `outbox_full`.
    pub(crate) fn add(&mut self, run: RunId, bytes: &[u8], request: u64) -> Result<u64, Error> {
        if let Some(entry) = self.entries.iter().find(|entry| entry.run == run) {
            return Ok(entry.request);
        }
        let full = self.waiting_bytes().saturating_add(bytes.len()) > BYTES_MAX;
        if full || self.entries.len() >= OUTBOX_RUNS_MAX {
            return Err(Error::OutboxFull {
                max: OUTBOX_RUNS_MAX,
            });
        }
        if self.durable {
            journal::write_added(&mut self.unwritten, run, bytes);
        }
        self.push(run, bytes.to_vec(), request, Waiting::Writing);
        Ok(request)
    }

    fn push(&mut self, run: RunId, bytes: Vec<u8>, request: u64, at: Waiting) {
        self.entries.push(Entry {
            run,
            bytes,
            request,
            at,
            due_ms: 0,
            failures: 0,
            in_write: false,
        });
    }

    /// The request and the place of a run that waits.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = (RunId, u64, Waiting)> {
        self.entries
            .iter()
            .map(|entry| (entry.run, entry.request, entry.at))
    }

    /// The request that a waiting run belongs to.
    pub(crate) fn request_of(&self, run: RunId) -> Option<u64> {
        self.entries
            .iter()
            .find(|entry| entry.run == run)
            .map(|entry| entry.request)
    }

    // ---- the disk ----------------------------------------------------------------------------

    /// The next storage command, if one is due and none is under way.
    pub(crate) fn disk_command(&mut self, now_ms: u64) -> Option<Command> {
        if self.disk != Disk::Idle || now_ms < self.disk_due_ms || !self.durable {
            return None;
        }
        if !self.loaded {
            self.disk = Disk::Loading;
            return Some(Command::Load {
                key: journal::KEY.into(),
            });
        }
        if self.unwritten.is_empty() && !self.rewrite {
            return None;
        }
        let appended = std::mem::take(&mut self.unwritten);
        if self.entries.is_empty() {
            (self.rewrite, self.journal_bytes) = (false, 0);
            self.disk = Disk::Erasing;
            return Some(Command::Erase {
                key: journal::KEY.into(),
            });
        }
        self.disk = Disk::Writing;
        self.entries
            .iter_mut()
            .for_each(|entry| entry.in_write = true);
        let key = journal::KEY.to_owned();
        self.journal_bytes += appended.len();
        let outgrown = self.journal_bytes > self.waiting_bytes() + HISTORY_MAX_BYTES;
        if std::mem::take(&mut self.rewrite) || outgrown {
            let bytes = self.whole_journal();
            self.journal_bytes = bytes.len();
            return Some(Command::Store { key, bytes });
        }
        Some(Command::Append {
            key,
            bytes: appended,
        })
    }

    fn waiting_bytes(&self) -> usize {
        self.entries.iter().map(|entry| entry.bytes.len()).sum()
    }

    fn whole_journal(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for entry in &self.entries {
            journal::write_added(&mut out, entry.run, &entry.bytes);
        }
        out
    }

    /// The journal as it was found; `request` numbers the runs in it. They come before those of
    /// this session: they are older.
    pub(crate) fn loaded(&mut self, bytes: Option<&[u8]>, mut request: impl FnMut() -> u64) {
        if self.disk != Disk::Loading {
            return;
        }
        self.disk = Disk::Idle;
        self.loaded = true;
        let contents = journal::read(bytes.unwrap_or_default());
        self.journal_bytes = bytes.map_or(0, <[u8]>::len);
        self.rewrite = contents.rewrite;
        let mine = std::mem::take(&mut self.entries);
        for (run, bytes) in contents.waiting {
            self.push(run, bytes, request(), Waiting::Queued);
        }
        for entry in mine {
            if self.request_of(entry.run).is_none() {
                self.entries.push(entry);
            } else if let Some(old) = self.entries.iter_mut().find(|old| old.run == entry.run) {
                // Already on disk, but this session was promised `queued` under its own number.
                *old = entry;
            }
        }
    }

    /// A write or an erasure is durable: the runs that are queued now, with their requests.
    pub(crate) fn stored(&mut self) -> Vec<(RunId, u64)> {
        if !matches!(self.disk, Disk::Writing | Disk::Erasing) {
            return Vec::new();
        }
        self.disk = Disk::Idle;
        let mut queued = Vec::new();
        for entry in self.entries.iter_mut().filter(|entry| entry.in_write) {
            entry.in_write = false;
            if entry.at == Waiting::Writing {
                entry.at = Waiting::Queued;
                queued.push((entry.run, entry.request));
            }
        }
        queued
    }

    /// Without a disk a run is queued as soon as it is in.
    pub(crate) fn queued_in_memory(&mut self) -> Vec<(RunId, u64)> {
        if self.durable {
            return Vec::new();
        }
        let writing = self
            .entries
            .iter_mut()
            .filter(|entry| entry.at == Waiting::Writing);
        writing
            .map(|entry| {
                entry.at = Waiting::Queued;
                (entry.run, entry.request)
            })
            .collect()
    }

    /// A storage command failed: the runs that are not safe and leave, with their requests.
    pub(crate) fn store_failed(&mut self, now_ms: u64) -> Vec<(RunId, u64)> {
        let was = std::mem::replace(&mut self.disk, Disk::Idle);
        self.disk_due_ms = now_ms + DISK_RETRY_MS;
        // What a failed write left behind is unknown: the next one starts afresh.
        self.rewrite |= matches!(was, Disk::Writing | Disk::Erasing);
        let lost = |entry: &Entry| entry.in_write && entry.at == Waiting::Writing;
        let gone = self.entries.iter().filter(|entry| lost(entry));
        let gone = gone.map(|entry| (entry.run, entry.request)).collect();
        self.entries.retain(|entry| !lost(entry));
        self.entries
            .iter_mut()
            .for_each(|entry| entry.in_write = false);
        gone
    }

    // ---- the network -------------------------------------------------------------------------

    /// What to ask of the server now: one errand at a time, the oldest run first, unless it was
    /// tried more than the others in vain.
    pub(crate) fn errand(&mut self, now_ms: u64) -> Option<Errand<'_>> {
        let busy = self
            .entries
            .iter()
            .any(|entry| entry.at == Waiting::Sending);
        if busy || now_ms < self.quiet_until_ms {
            return None;
        }
        let ready = |entry: &&mut Entry| entry.at != Waiting::Writing && entry.due_ms <= now_ms;
        let ready = self.entries.iter_mut().filter(ready);
        let entry = ready.min_by_key(|entry| entry.failures / PATIENCE)?;
        let was = std::mem::replace(&mut entry.at, Waiting::Sending);
        Some(match was {
            Waiting::Pending => Errand::Ask { run: entry.run },
            _ => Errand::Send {
                run: entry.run,
                bytes: &entry.bytes,
            },
        })
    }

    /// An errand ended. Returns in how many milliseconds it is tried again, if it is.
    pub(crate) fn answered(
        &mut self,
        run: RunId,
        fate: Fate,
        now_ms: u64,
        entropy: &mut Entropy,
    ) -> Option<u64> {
        let at = self.entries.iter().position(|entry| entry.run == run)?;
        match fate {
            Fate::Done => {
                self.entries.remove(at);
                self.backoff.succeeded();
                if self.durable {
                    journal::write_done(&mut self.unwritten, run);
                }
                None
            }
            Fate::Pending => {
                self.backoff.succeeded();
                self.entries[at].at = Waiting::Pending;
                self.entries[at].due_ms = now_ms + ASK_AGAIN_MS;
                None
            }
            Fate::RetryAll { after_ms, answered } => {
                let failures = &mut self.entries[at].failures;
                *failures = failures.saturating_add(u32::from(answered));
                let wait_ms = self.backoff.failed(after_ms, entropy);
                self.entries[at].at = Waiting::Queued;
                self.quiet_until_ms = now_ms + wait_ms;
                Some(wait_ms)
            }
            Fate::RetryThis { after_ms } => {
                let wait_ms = after_ms.unwrap_or(0).max(backoff::LONGEST_MS);
                self.entries[at].at = Waiting::Queued;
                self.entries[at].due_ms = now_ms + wait_ms;
                Some(wait_ms)
            }
        }
    }

    /// The network is known to be back: what waits may be tried at once.
    pub(crate) fn try_now(&mut self) {
        self.quiet_until_ms = 0;
    }
}

#[cfg(test)]
mod tests;

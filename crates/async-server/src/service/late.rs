//! Runs that were acknowledged before they were verified: after the answer, after a restart, and
//! again while the run of an opponent is missing.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use async_protocol::Status;
use async_replay::Run;
use async_store::{Judgement, PendingRun};

use super::Service;
use super::verification::Checked;
use crate::failure::Failure;

/// How often runs that still wait are tried again from the oldest.
const AGAIN: Duration = Duration::from_secs(10 * 60);
/// Runs taken from the file at a time: each may be a megabyte.
const BATCH: usize = 8;

#[derive(Debug, Default)]
struct State {
    woken: bool,
    stopping: bool,
}

/// The thread that verifies late, and what wakes it.
#[derive(Debug, Default)]
pub(super) struct Late {
    state: Mutex<State>,
    changed: Condvar,
    thread: Mutex<Option<JoinHandle<()>>>,
}

enum Wake {
    /// Something new waits.
    New,
    /// Everything that waits is to be tried again.
    Again,
    Stop,
}

impl Late {
    /// Something new waits.
    pub(super) fn wake(&self) {
        self.state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .woken = true;
        self.changed.notify_all();
    }

    /// Ends the thread after the run it is at.
    pub(super) fn stop(&self) {
        self.state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .stopping = true;
        self.changed.notify_all();
        let thread = self
            .thread
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        drop(thread.map(JoinHandle::join));
    }

    fn stopping(&self) -> bool {
        self.state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .stopping
    }

    /// Waits for the next thing to do. `began` is when everything was last tried from the oldest
    /// on: however often something new comes, it is tried again after `again`.
    fn wait(&self, began: Instant, again: Duration) -> Wake {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let idle = |state: &mut State| !state.woken && !state.stopping;
        let left = again.saturating_sub(began.elapsed());
        let (mut state, _) = self
            .changed
            .wait_timeout_while(state, left, idle)
            .unwrap_or_else(PoisonError::into_inner);
        state.woken = false;
        match (state.stopping, began.elapsed() >= again) {
            (true, _) => Wake::Stop,
            (false, true) => Wake::Again,
            (false, false) => Wake::New,
        }
    }
}

impl Service {
    /// Starts the thread; it begins with what an earlier process left.
    ///
    /// # Errors
    /// The system's, when a thread cannot be started.
    pub(crate) fn start_late(self: &Arc<Self>) -> std::io::Result<()> {
        let service = Arc::clone(self);
        let thread = std::thread::Builder::new()
            .name("gf-verify-late".to_owned())
            .spawn(move || service.verify_late())?;
        *self
            .late
            .thread
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Some(thread);
        Ok(())
    }

    fn verify_late(&self) {
        let (mut after, mut began) = (0, Instant::now());
        loop {
            after = self.judge_waiting(after);
            match self.late.wait(began, AGAIN) {
                Wake::New => {}
                Wake::Again => (after, began) = (0, Instant::now()),
                Wake::Stop => return,
            }
        }
    }

    /// Judges what waits behind the number `after`, oldest first; the last number seen.
    fn judge_waiting(&self, mut after: u64) -> u64 {
        loop {
            let waiting = match self.store.pending(after, BATCH) {
                Ok(waiting) if waiting.is_empty() => return after,
                Ok(waiting) => waiting,
                Err(error) => {
                    tracing::error!(%error, "cannot read the runs that wait");
                    return after;
                }
            };
            for (number, run) in waiting {
                if self.late.stopping() {
                    return after;
                }
                after = number;
                // One run that breaks the judge must not keep all behind it waiting for ever.
                let judged = catch_unwind(AssertUnwindSafe(|| self.judge_late(&run)));
                let failed = match judged {
                    Ok(Ok(())) => continue,
                    Ok(Err(failure)) => failure.code(),
                    Err(_) => "internal",
                };
                tracing::warn!(run = %run.id, code = failed, "a run still waits");
            }
        }
    }

    fn judge_late(&self, waiting: &PendingRun) -> Result<(), Failure> {
        let run = Run::open(&waiting.bytes, &self.limits)
            .map_err(|error| super::verification::unreadable(&error))?;
        // Playing it again decides nothing while its opponent is missing, and would never end.
        if let Some(opponent) = &run.header.opponent
            && self.store.known(&waiting.app, opponent.run)?.is_none()
        {
            return Ok(());
        }
        let board = self.board(&waiting.app, &waiting.board, Some(&run.header))?;
        let arrived_ms = waiting.accepted_at_ms;
        let ticket = self.ticket(&waiting.app, &board, &run.header, arrived_ms)?;
        let (hashes, app) = (run.hashes(), waiting.app.as_str());
        let checked = Checked {
            run: &run,
            hashes: &hashes,
            app,
            board: &board,
        };
        let verdict = self.verify(&checked, ticket.as_ref(), arrived_ms)?;
        if verdict.status == Status::Pending {
            return Ok(());
        }
        let text = serde_json::to_string(&verdict).map_err(|error| Failure::internal(&error))?;
        let judgement = Judgement {
            app: waiting.app.clone(),
            id: waiting.id,
            status: verdict.status,
            score: verdict.score,
            frames: verdict.frames,
            verdict: text,
        };
        let id = waiting.id;
        self.store.judge(
            judgement,
            Box::new(move |done| {
                if let Err(error) = done {
                    tracing::warn!(run = %id, %error, "a late verdict was not stored");
                }
            }),
        );
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_of_new_runs_does_not_keep_the_old_ones_waiting() {
        let (late, began) = (Late::default(), Instant::now());
        let again = Duration::from_millis(50);
        late.wake();
        assert!(matches!(
            late.wait(Instant::now(), Duration::from_secs(60)),
            Wake::New
        ));
        // Every wait finds something new at once, and yet the time comes.
        std::thread::sleep(again);
        late.wake();
        assert!(matches!(late.wait(began, again), Wake::Again));
        late.stop();
        assert!(matches!(late.wait(Instant::now(), again), Wake::Stop));
    }
}

//! Requests under way: which HTTP request belongs to what, and a watchdog so that each one ends.

pub(crate) mod jobs;

use async_replay::RunId;

use crate::Error;
use crate::commands::HttpRequest;
use jobs::Job;

/// Most requests under way at once, beside the outbox.
pub const REQUESTS_MAX: usize = 64;
/// How long after its timeout an unanswered request counts as failed, in milliseconds.
const GRACE_MS: u64 = 5_000;

/// What an HTTP request is for.
#[derive(Debug)]
pub(crate) enum Purpose {
    /// The outbox sends a run, or asks about it.
    Outbox(RunId),
    /// A step of a job.
    Job { request: u64, job: Box<Job> },
}

#[derive(Debug)]
struct Open {
    http: u64,
    deadline_ms: u64,
    purpose: Purpose,
}

/// The requests under way.
#[derive(Debug, Default)]
pub(crate) struct Online {
    open: Vec<Open>,
    last_request: u64,
    last_http: u64,
}

impl Online {
    /// The number of a new request of the host.
    pub(crate) fn new_request(&mut self) -> u64 {
        self.last_request += 1;
        self.last_request
    }

    /// Whether another job may start.
    ///
    /// # Errors
    /// `busy`.
    pub(crate) fn room(&self) -> Result<(), Error> {
        let jobs = self
            .open
            .iter()
            .filter(|open| matches!(open.purpose, Purpose::Job { .. }));
        if jobs.count() < REQUESTS_MAX {
            Ok(())
        } else {
            Err(Error::Busy { max: REQUESTS_MAX })
        }
    }

    /// Numbers a request and remembers what it is for.
    pub(crate) fn open(&mut self, http: &mut HttpRequest, purpose: Purpose, now_ms: u64) {
        self.last_http += 1;
        http.request = self.last_http;
        let deadline_ms = now_ms + u64::from(http.timeout_ms) + GRACE_MS;
        self.open.push(Open {
            http: http.request,
            deadline_ms,
            purpose,
        });
    }

    /// Takes what an answer belongs to; none where it is unknown, answered or overdue.
    pub(crate) fn close(&mut self, http: u64) -> Option<Purpose> {
        let at = self.open.iter().position(|open| open.http == http)?;
        Some(self.open.swap_remove(at).purpose)
    }

    /// Takes a request whose host never answered.
    pub(crate) fn overdue(&mut self, now_ms: u64) -> Option<Purpose> {
        let at = self
            .open
            .iter()
            .position(|open| open.deadline_ms <= now_ms)?;
        Some(self.open.swap_remove(at).purpose)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_request_ends_once() {
        let mut online = Online::default();
        let mut http = crate::api::Api::new("http://h", "", "")
            .unwrap()
            .unwrap()
            .get("/x");
        let purpose = || Purpose::Outbox(RunId([0; 16]));
        online.open(&mut http, purpose(), 0);
        assert!(online.close(99).is_none());
        assert!(online.close(http.request).is_some());
        assert!(online.close(http.request).is_none());
        online.open(&mut http, purpose(), 0);
        let deadline = u64::from(http.timeout_ms) + GRACE_MS;
        assert!(online.overdue(deadline - 1).is_none());
        assert!(online.overdue(deadline).is_some());
        assert!(online.close(http.request).is_none());
    }
}

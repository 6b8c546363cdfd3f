//! Worker threads for what must never run on the async runtime: simulation, and reads of the file.
//!
//! The queue is bounded: past its end a job is given back as [`Full`], and the caller tells the
//! client to come again, instead of letting memory and waiting times grow with the load.

use std::collections::VecDeque;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use tokio::sync::oneshot;

/// The queue of a pool is full, or the pool is stopping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full;

type Job = Box<dyn FnOnce() + Send>;

struct Queue {
    jobs: VecDeque<Job>,
    stopping: bool,
}

struct Shared {
    queue: Mutex<Queue>,
    ready: Condvar,
    capacity: usize,
}

impl Shared {
    /// A worker that panicked holds no lock (jobs run outside it), so poison says nothing here.
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self) -> Option<Job> {
        let mut queue = self.lock();
        loop {
            if let Some(job) = queue.jobs.pop_front() {
                return Some(job);
            }
            if queue.stopping {
                return None;
            }
            queue = self
                .ready
                .wait(queue)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Named threads behind one bounded queue. Dropping it finishes what is queued and joins them.
pub(crate) struct Pool {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool")
            .field("queued", &self.queued())
            .finish_non_exhaustive()
    }
}

impl Pool {
    /// Starts `threads` threads named `name-0`, `name-1`, … behind a queue of `capacity` jobs.
    ///
    /// # Errors
    /// The system's, when a thread cannot be started.
    pub(crate) fn start(name: &str, threads: usize, capacity: usize) -> io::Result<Self> {
        let shared = Arc::new(Shared {
            queue: Mutex::new(Queue {
                jobs: VecDeque::new(),
                stopping: false,
            }),
            ready: Condvar::new(),
            capacity,
        });
        let pool = Self {
            shared,
            threads: Mutex::new(Vec::new()),
        };
        for number in 0..threads.max(1) {
            let shared = Arc::clone(&pool.shared);
            let thread = std::thread::Builder::new()
                .name(format!("{name}-{number}"))
                .spawn(move || work(&shared))?;
            pool.threads
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(thread);
        }
        Ok(pool)
    }

    /// Queues a job.
    ///
    /// # Errors
    /// [`Full`] when the queue is at its capacity or the pool is stopping.
    pub(crate) fn submit(&self, job: impl FnOnce() + Send + 'static) -> Result<(), Full> {
        let mut queue = self.shared.lock();
        if queue.stopping || queue.jobs.len() >= self.shared.capacity {
            return Err(Full);
        }
        queue.jobs.push_back(Box::new(job));
        drop(queue);
        self.shared.ready.notify_one();
        Ok(())
    }

    /// Runs `work` on a thread of the pool and waits for what it gives. `None` inside `Ok` means
    /// that the job panicked: the thread lives on, the caller answers `internal`.
    ///
    /// # Errors
    /// [`Full`] as for [`Pool::submit`].
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<Option<T>, Full> {
        let (send, receive) = oneshot::channel();
        // The receiver is gone when the client hung up; the work was still worth finishing.
        self.submit(move || drop(send.send(work())))?;
        Ok(receive.await.ok())
    }

    /// Jobs waiting for a thread.
    pub(crate) fn queued(&self) -> usize {
        self.shared.lock().jobs.len()
    }

    /// Takes no more jobs, finishes the queued ones, joins the threads. Calling it again does
    /// nothing.
    pub(crate) fn stop(&self) {
        self.shared.lock().stopping = true;
        self.shared.ready.notify_all();
        let threads =
            std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        for thread in threads {
            // A pool dropped by one of its own jobs must not wait for itself.
            if thread.thread().id() != std::thread::current().id() {
                drop(thread.join());
            }
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.stop();
    }
}

fn work(shared: &Shared) {
    while let Some(job) = shared.next() {
        if catch_unwind(AssertUnwindSafe(job)).is_err() {
            tracing::error!("a job panicked; its caller is answered with an internal error");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;

    #[test]
    fn a_full_queue_gives_the_job_back_and_a_free_one_takes_it() {
        let pool = Pool::start("t", 1, 1).unwrap();
        let (release, wait) = mpsc::channel::<()>();
        let (started, running) = mpsc::channel::<()>();
        pool.submit(move || {
            started.send(()).unwrap();
            wait.recv().unwrap();
        })
        .unwrap();
        running.recv().unwrap();
        assert_eq!(pool.submit(|| ()), Ok(()));
        assert_eq!(pool.submit(|| ()), Err(Full));
        release.send(()).unwrap();
        pool.stop();
        assert_eq!(
            pool.submit(|| ()),
            Err(Full),
            "a stopped pool takes nothing"
        );
    }

    #[test]
    fn stopping_finishes_what_was_queued() {
        let done = Arc::new(AtomicUsize::new(0));
        let pool = Pool::start("t", 2, 100).unwrap();
        for _ in 0..50 {
            let done = Arc::clone(&done);
            pool.submit(move || {
                done.fetch_add(1, Ordering::SeqCst);
            })
            .unwrap();
        }
        drop(pool);
        assert_eq!(done.load(Ordering::SeqCst), 50);
    }

    #[tokio::test]
    async fn a_panicking_job_costs_its_caller_an_error_and_nobody_else() {
        let pool = Pool::start("t", 1, 4).unwrap();
        let lost: Option<u8> = pool.run(|| panic!("as a test")).await.unwrap();
        assert_eq!(lost, None);
        assert_eq!(pool.run(|| 7).await, Ok(Some(7)));
    }
}

//! The rival of the submits: the same files through the same verifier, with nothing around it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use async_core::Catalogue;
use async_protocol::{Rules, Status};
use async_replay::Limits;
use async_verify::{Evidence, Verifier};

use crate::load::as_f64;
use crate::{Fallible, cpu};

/// What verifying some files took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Verified {
    /// Files per second, on all cores together.
    pub(crate) per_second: f64,
    /// CPU time of one file.
    pub(crate) cpu_ms: f64,
}

impl Verified {
    /// The better of two measurements.
    pub(crate) fn best(self, other: Verified) -> Verified {
        Verified {
            per_second: self.per_second.max(other.per_second),
            cpu_ms: self.cpu_ms.min(other.cpu_ms),
        }
    }
}

/// Verifies every file once, on `cores` threads.
///
/// # Errors
/// When a file is not verified.
pub(crate) fn verify_all(runs: &[Vec<u8>], cores: usize) -> Fallible<Verified> {
    let verifier = Verifier::new(Catalogue::standard(), Limits::default());
    let next = AtomicUsize::new(0);
    let started = Instant::now();
    let cpu_seconds = thread::scope(|scope| {
        let threads: Vec<_> = (0..cores)
            .map(|_| scope.spawn(|| verify_some(&verifier, runs, &next)))
            .collect();
        let panicked = |_| Err("a verifying thread panicked".into());
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(panicked))
            .sum::<Fallible<f64>>()
    })?;
    Ok(Verified {
        per_second: as_f64(runs.len()) / started.elapsed().as_secs_f64(),
        cpu_ms: cpu_seconds * 1_000.0 / as_f64(runs.len()),
    })
}

fn verify_some(verifier: &Verifier, runs: &[Vec<u8>], next: &AtomicUsize) -> Fallible<f64> {
    let rules = Rules::default();
    let before = cpu::this_thread();
    while let Some(run) = runs.get(next.fetch_add(1, Ordering::Relaxed)) {
        let verdict = verifier.verify(run, &Evidence::for_board(&rules));
        if verdict.status != Status::Verified {
            return Err(format!("a benchmark run is not verified: {verdict:?}").into());
        }
    }
    Ok(cpu::this_thread() - before)
}

//! How long to wait after a failure: doubling from a second to five minutes, half of it drawn, and
//! never less than the server asked for.

use crate::entropy::Entropy;

/// The first wait, in milliseconds.
const FIRST_MS: u64 = 1_000;
/// The longest wait of our own, in milliseconds.
pub(crate) const LONGEST_MS: u64 = 300_000;
/// The longest `Retry-After` that is believed, in milliseconds.
const ASKED_MAX_MS: u64 = 86_400_000;
const DOUBLINGS_MAX: u32 = 16;

/// Failures in a row.
#[derive(Debug, Default)]
pub(crate) struct Backoff {
    failures: u32,
}

impl Backoff {
    /// A failure; returns the wait in milliseconds.
    pub(crate) fn failed(&mut self, asked_ms: Option<u64>, entropy: &mut Entropy) -> u64 {
        let whole = (FIRST_MS << self.failures.min(DOUBLINGS_MAX)).min(LONGEST_MS);
        self.failures = self.failures.saturating_add(1);
        let drawn = whole / 2 + entropy.below(whole / 2 + 1);
        drawn.max(asked_ms.unwrap_or(0).min(ASKED_MAX_MS))
    }

    /// A success: the next failure starts from the first wait again.
    pub(crate) fn succeeded(&mut self) {
        self.failures = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_within_bounds_and_honour_the_server() {
        let mut entropy = Entropy::new([9; 32]);
        let mut backoff = Backoff::default();
        for round in 0..40 {
            let whole = (1_000_u64 << round.min(16)).min(LONGEST_MS);
            let wait = backoff.failed(None, &mut entropy);
            assert!((whole / 2..=whole).contains(&wait), "round {round}: {wait}");
        }
        assert_eq!(backoff.failed(Some(u64::MAX), &mut entropy), ASKED_MAX_MS);
        backoff.succeeded();
        assert!(backoff.failed(None, &mut entropy) <= 1_000);
    }
}

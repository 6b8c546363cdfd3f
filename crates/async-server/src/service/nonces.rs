//! Nonces that were used for a call that changes something, for as long as they would still pass.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use async_identity::{NONCE_BYTES, NONCE_LIFE_MS};

use crate::failure::Failure;

/// Used nonces kept at most, per generation: 32 MB in all.
const GENERATION_MAX: usize = 500_000;

type Nonce = [u8; NONCE_BYTES];

/// Two generations of used nonces, each as long as a nonce lives: what is in neither has expired.
#[derive(Debug, Default)]
pub(crate) struct UsedNonces(Mutex<Generations>);

#[derive(Debug, Default)]
struct Generations {
    now: HashSet<Nonce>,
    before: HashSet<Nonce>,
    began_ms: u64,
}

impl UsedNonces {
    /// Marks `nonce` as used.
    ///
    /// # Errors
    /// `nonce_used` if it was; `busy` if too many are remembered.
    pub(crate) fn spend(&self, nonce: Nonce, now_ms: u64) -> Result<(), Failure> {
        let mut used = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Twice a life: a nonce may have been issued by a clock that was set back since.
        if now_ms.abs_diff(used.began_ms) > 2 * NONCE_LIFE_MS {
            used.before = std::mem::take(&mut used.now);
            used.began_ms = now_ms;
        }
        if used.before.contains(&nonce) || used.now.contains(&nonce) {
            return Err(Failure::new("nonce_used"));
        }
        if used.now.len() >= GENERATION_MAX {
            return Err(Failure::busy());
        }
        used.now.insert(nonce);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(used: &UsedNonces, nonce: u8, now_ms: u64) -> &'static str {
        let spent = used.spend([nonce; NONCE_BYTES], now_ms);
        spent.map_or_else(|failure| failure.code(), |()| "ok")
    }

    #[test]
    fn a_nonce_is_good_once_for_as_long_as_it_lives() {
        let used = UsedNonces::default();
        let start = 1_000_000_000;
        assert_eq!(code(&used, 1, start), "ok");
        assert_eq!(code(&used, 1, start + 1), "nonce_used");
        assert_eq!(code(&used, 2, start + 2 * NONCE_LIFE_MS + 1), "ok");
        assert_eq!(code(&used, 1, start + 2 * NONCE_LIFE_MS + 2), "nonce_used");
    }

    #[test]
    fn memory_is_given_back() {
        let used = UsedNonces::default();
        for round in 0..10_u8 {
            let now_ms = 1_000_000_000 + u64::from(round) * 3 * NONCE_LIFE_MS;
            assert_eq!(code(&used, round, now_ms), "ok");
        }
        let kept = used.0.lock().unwrap();
        assert_eq!((kept.now.len(), kept.before.len()), (1, 1));
    }
}

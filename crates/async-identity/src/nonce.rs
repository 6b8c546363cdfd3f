//! Nonces of signed calls: made and checked without keeping any.

use crate::error::Error;
use crate::statement::{NONCE_DOMAIN, keyed_hash, same};

/// Length of a call nonce, in bytes.
pub const NONCE_BYTES: usize = 32;

/// How long a nonce can be used, in milliseconds: five minutes.
pub const NONCE_LIFE_MS: u64 = 5 * 60 * 1_000;

/// Issues and checks nonces: time of issue (8 bytes), random (8), keyed hash of both (16).
///
/// The server keeps nothing for a nonce that nobody uses. Where a call changes something, the
/// server remembers the used nonce until the moment that [`CallNonce::check`] returns.
#[derive(Clone, Copy, Debug)]
pub struct CallNonce;

impl CallNonce {
    /// A new nonce. `secret` is the server's alone; `random` makes two of the same millisecond
    /// differ.
    #[must_use]
    pub fn issue(secret: &[u8; 32], now_ms: u64, random: [u8; 8]) -> [u8; NONCE_BYTES] {
        let mut nonce = [0; NONCE_BYTES];
        nonce[..8].copy_from_slice(&now_ms.to_le_bytes());
        nonce[8..16].copy_from_slice(&random);
        let tag = keyed_hash(secret, NONCE_DOMAIN, &[&nonce[..16]]);
        nonce[16..].copy_from_slice(&tag[..16]);
        nonce
    }

    /// Checks that this server issued `nonce` within [`NONCE_LIFE_MS`], and returns the last
    /// moment, in milliseconds of Unix time, at which it would still pass.
    ///
    /// A time of issue in the future is as good as one equally far in the past: only a clock that
    /// was set back can have made it.
    ///
    /// # Errors
    /// [`Error::BadNonce`] or [`Error::NonceExpired`].
    pub fn check(secret: &[u8; 32], nonce: &[u8], now_ms: u64) -> Result<u64, Error> {
        let nonce: &[u8; NONCE_BYTES] = nonce.try_into().map_err(|_| Error::BadNonce)?;
        let tag = keyed_hash(secret, NONCE_DOMAIN, &[&nonce[..16]]);
        if !same(&tag[..16], &nonce[16..]) {
            return Err(Error::BadNonce);
        }
        let mut issued = [0; 8];
        issued.copy_from_slice(&nonce[..8]);
        let issued_ms = u64::from_le_bytes(issued);
        if now_ms.abs_diff(issued_ms) > NONCE_LIFE_MS {
            return Err(Error::NonceExpired);
        }
        Ok(issued_ms.saturating_add(NONCE_LIFE_MS))
    }
}

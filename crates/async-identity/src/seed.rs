//! Seeds that only the server can foresee.

use crate::statement::{ATTEMPT_DOMAIN, DAILY_DOMAIN, keyed_hash};

/// Largest seed: 2^53 − 1, so that every JSON reader holds it exactly.
pub const SEED_MAX: u64 = (1 << 53) - 1;

/// The seed of a player's attempt on a board: the same each time it is asked for, so that drawing
/// again does not help, and unforeseeable without `secret`.
#[must_use]
pub fn attempt_seed(secret: &[u8; 32], board: &str, player: &[u8; 32], attempt: u32) -> u64 {
    // The board stands last: all before it has a fixed length, so no two questions are one.
    let parts: [&[u8]; 3] = [player, &attempt.to_le_bytes(), board.as_bytes()];
    first_53_bits(keyed_hash(secret, ATTEMPT_DOMAIN, &parts))
}

/// The seed of a daily board, the same for all its players.
#[must_use]
pub fn daily_seed(secret: &[u8; 32], board: &str) -> u64 {
    first_53_bits(keyed_hash(secret, DAILY_DOMAIN, &[board.as_bytes()]))
}

/// The low 53 bits of the first 8 bytes, little endian.
fn first_53_bits(hash: [u8; 32]) -> u64 {
    let mut first = [0; 8];
    first.copy_from_slice(&hash[..8]);
    u64::from_le_bytes(first) & SEED_MAX
}

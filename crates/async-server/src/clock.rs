//! The server's clock: the only one that counts (a device's never does).

use std::time::{SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970, UTC. A clock set before 1970 reads 0.
pub(crate) fn unix_ms() -> u64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

//! Player names: shown, never an identity.

use crate::Error;

/// Cleans a name for storing: NFC, everything invisible or reordering removed, spaces joined.
/// An empty result is fine (a player without a name).
///
/// # Errors
/// [`Error::BadName`] if it is longer than the caps after that.
pub fn clean(raw: &str) -> Result<String, Error> {
    let _ = raw;
    unimplemented!()
}

/// The same for a name that must be shown whatever it is: cut at a character instead of refused.
#[must_use]
pub fn clean_cut(raw: &str) -> String {
    let _ = raw;
    unimplemented!()
}

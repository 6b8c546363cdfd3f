//! Cursors: text of the store's own making that clients hand back unread.

use async_store::Cursor;

/// The cursor of a text, if it is one.
pub(super) fn read(text: &str) -> Option<Cursor> {
    text.parse().ok()
}

//! Cursors: a place between two entries, as text that clients hand back unread.

use async_store::Cursor;
use data_encoding::HEXLOWER;

/// One byte of direction, eight of key, eight of tie.
const BYTES: usize = 17;

/// The text of a cursor.
pub(super) fn text(cursor: &Cursor) -> String {
    let mut bytes = [0; BYTES];
    bytes[0] = u8::from(cursor.forward);
    bytes[1..9].copy_from_slice(&cursor.key.to_le_bytes());
    bytes[9..].copy_from_slice(&cursor.tie.to_le_bytes());
    HEXLOWER.encode(&bytes)
}

/// The cursor of a text, if it is one.
pub(super) fn read(text: &str) -> Option<Cursor> {
    if text.len() != 2 * BYTES {
        return None;
    }
    let bytes: [u8; BYTES] = HEXLOWER.decode(text.as_bytes()).ok()?.try_into().ok()?;
    let [direction, rest @ ..] = bytes;
    let (key, tie) = rest.split_first_chunk::<8>()?;
    Some(Cursor {
        forward: match direction {
            0 => false,
            1 => true,
            _ => return None,
        },
        key: i64::from_le_bytes(*key),
        tie: u64::from_le_bytes(tie.try_into().ok()?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cursor_reads_back_and_nothing_else_does() {
        for forward in [false, true] {
            for (key, tie) in [(0, 0), (i64::MIN, u64::MAX), (i64::MAX, 1)] {
                let cursor = Cursor { forward, key, tie };
                assert_eq!(read(&text(&cursor)), Some(cursor));
            }
        }
        let good = text(&Cursor {
            forward: true,
            key: 1,
            tie: 1,
        });
        for bad in [
            "",
            "x",
            &good[1..],
            &good.to_uppercase().replace('0', "O"),
            &"2".repeat(34),
        ] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }
}

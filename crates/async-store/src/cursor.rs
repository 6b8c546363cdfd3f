//! Paging cursors: opaque to callers, stable while scores arrive.

use std::fmt;
use std::str::FromStr;

use crate::rank::Key;
use crate::{Cursor, Error};

/// Cursors start with this, so that a later form can be told apart.
const FORWARD: &str = "f1";
const BACKWARD: &str = "b1";
const DIGITS: usize = 16;

impl Cursor {
    /// Walks on with the entries from `gap` on.
    pub(crate) fn forward(gap: Key) -> Self {
        Self { forward: true, gap }
    }

    /// Walks back with the entries before `gap`.
    pub(crate) fn backward(gap: Key) -> Self {
        Self {
            forward: false,
            gap,
        }
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = if self.forward { FORWARD } else { BACKWARD };
        write!(
            f,
            "{start}{:016x}{:016x}",
            self.gap.key as u64, self.gap.tie
        )
    }
}

impl FromStr for Cursor {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let (forward, digits) = match (text.strip_prefix(FORWARD), text.strip_prefix(BACKWARD)) {
            (Some(digits), _) => (true, digits),
            (_, Some(digits)) => (false, digits),
            _ => return Err(Error::BadCursor),
        };
        let (key, tie) = digits.split_at_checked(DIGITS).ok_or(Error::BadCursor)?;
        let gap = Key {
            key: parse(key)? as i64,
            tie: parse(tie)?,
        };
        Ok(Self { forward, gap })
    }
}

/// Exactly 16 lower-case digits: one cursor has one text.
fn parse(digits: &str) -> Result<u64, Error> {
    let plain = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    if digits.len() != DIGITS || !digits.bytes().all(plain) {
        return Err(Error::BadCursor);
    }
    u64::from_str_radix(digits, 16).map_err(|_| Error::BadCursor)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_cursor_survives_its_text(forward: bool, key: i64, tie: u64) {
            let cursor = Cursor { forward, gap: Key { key, tie } };
            prop_assert_eq!(cursor.to_string().parse(), Ok(cursor));
        }

        #[test]
        fn any_other_text_is_refused(text in "\\PC{0,40}") {
            if let Ok(cursor) = text.parse::<Cursor>() {
                prop_assert_eq!(cursor.to_string(), text);
            }
        }
    }

    #[test]
    fn foreign_cursors_are_refused() {
        let zeros = "0".repeat(32);
        for text in [
            "",
            "f1",
            &zeros,
            &format!("f2{zeros}"),
            &format!("f1{zeros}0"),
        ] {
            assert_eq!(text.parse::<Cursor>(), Err(Error::BadCursor), "{text}");
        }
        assert_eq!(
            format!("f1+{}", &zeros[1..]).parse::<Cursor>(),
            Err(Error::BadCursor)
        );
    }
}

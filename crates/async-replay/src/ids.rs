//! The ids of runs, players and rulesets: fixed bytes, written as lower-case hex.

use core::{fmt, str::FromStr};

use crate::Error;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $bytes:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub [u8; $bytes]);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({self})", stringify!($name))
            }
        }

        impl FromStr for $name {
            type Err = Error;

            fn from_str(text: &str) -> Result<Self, Error> {
                let mut bytes = [0; $bytes];
                parse_hex(text, &mut bytes)?;
                Ok(Self(bytes))
            }
        }
    };
}

id!(
    /// The name of a run: the first 128 bits of its [`FullHash`]. Text: 32 lower-case hex digits.
    RunId, 16
);
id!(
    /// The name of a player: an Ed25519 public key. Text: 64 lower-case hex digits.
    PlayerId, 32
);
id!(
    /// What a board binds: the hash of everything that makes two runs comparable.
    RulesetId, 16
);
id!(
    /// The name of a prior: the first 64 bits of the BLAKE3 hash of its file.
    PriorHash, 8
);
id!(
    /// The BLAKE3 hash of a run's canonical form: what its signature signs.
    FullHash, 32
);

impl FullHash {
    /// The run's id: the first 128 bits.
    pub fn id(&self) -> RunId {
        let mut id = [0; 16];
        id.copy_from_slice(&self.0[..16]);
        RunId(id)
    }
}

fn parse_hex(text: &str, out: &mut [u8]) -> Result<(), Error> {
    const WRONG: Error = Error::Malformed("an id is lower-case hex of its full length");
    let digits = text.as_bytes();
    if digits.len() != out.len() * 2 {
        return Err(WRONG);
    }
    let mut seen = 0;
    for (byte, pair) in out.iter_mut().zip(digits.chunks_exact(2)) {
        let (high, low) = (NIBBLES[usize::from(pair[0])], NIBBLES[usize::from(pair[1])]);
        seen |= high | low;
        *byte = high << 4 | (low & 0x0f);
    }
    if seen > 0x0f { Err(WRONG) } else { Ok(()) }
}

/// The value of each digit, 0xff for what is none. Digits are as good as random, so that a branch
/// for each would be guessed wrong half of the time.
const NIBBLES: [u8; 256] = {
    let mut nibbles = [0xff; 256];
    let digits = b"0123456789abcdef";
    let mut value = 0;
    while value < digits.len() {
        nibbles[digits[value] as usize] = value as u8;
        value += 1;
    }
    nibbles
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_survives_its_text() {
        let id = RunId(*b"0123456789abcdef");
        assert_eq!(id.to_string(), "30313233343536373839616263646566");
        assert_eq!(id.to_string().parse(), Ok(id));
    }

    #[test]
    fn an_id_has_one_text_only() {
        for text in [
            "",
            "3",
            &format!("{}g", "0".repeat(31)),
            &format!("/{}", "0".repeat(31)),
            &"A".repeat(32),
            &"0".repeat(33),
            &"0".repeat(64),
            &"é".repeat(16),
        ] {
            assert!(text.parse::<RunId>().is_err(), "{text}");
        }
    }
}

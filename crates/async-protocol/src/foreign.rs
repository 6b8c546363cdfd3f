//! Types of the crates below that appear on the wire. They know no serde; the adapters in
//! [`crate::text`] give them their JSON form.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

macro_rules! hex_id {
    ($name:ident, $bytes:literal, $meaning:literal) => {
        #[doc = $meaning]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub [u8; $bytes]);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&data_encoding::HEXLOWER.encode(&self.0))
            }
        }

        impl FromStr for $name {
            type Err = crate::Error;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let bytes = data_encoding::HEXLOWER.decode(text.as_bytes());
                match bytes.ok().and_then(|bytes| bytes.try_into().ok()) {
                    Some(bytes) => Ok(Self(bytes)),
                    None => Err(crate::Error::BadId),
                }
            }
        }
    };
}

hex_id!(
    RunId,
    16,
    "The id of a run: the first 128 bits of its full hash."
);
hex_id!(PlayerId, 32, "A player: the Ed25519 public key.");
hex_id!(
    RulesetId,
    16,
    "The hash of everything that runs of one board share."
);

/// Which scores come first on a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// Higher scores first.
    #[default]
    Descending,
    /// Lower scores first.
    Ascending,
}

/// A value of a game option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionValue {
    /// A switch.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A text.
    Text(String),
}

/// The game's own options, by name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options(pub BTreeMap<String, OptionValue>);

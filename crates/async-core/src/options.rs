//! The options a game is started with, as a run records them.

use alloc::{collections::BTreeMap, string::String};

use crate::Error;

/// The value of one option.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OptionValue {
    /// Yes or no.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A text.
    Text(String),
}

/// A game's options by name. What is not there has the game's default.
///
/// Bounded: at most 32 of them, names up to 32 bytes, texts up to 256.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options(BTreeMap<String, OptionValue>);

impl Options {
    /// Most options of one game.
    pub const COUNT_MAX: usize = 32;
    /// The longest name, in bytes.
    pub const NAME_BYTES_MAX: usize = 32;
    /// The longest text, in bytes.
    pub const TEXT_BYTES_MAX: usize = 256;

    /// Sets an option, replacing an earlier value.
    ///
    /// # Errors
    /// [`Error::BadOption`] where a bound would be passed; nothing is then changed.
    pub fn insert(&mut self, name: &str, value: OptionValue) -> Result<(), Error> {
        let bad = |reason| Error::BadOption {
            name: name.into(),
            reason,
        };
        if name.is_empty() {
            return Err(bad("a name may not be empty"));
        }
        if name.len() > Self::NAME_BYTES_MAX {
            let name = String::new();
            return Err(Error::BadOption {
                name,
                reason: "a name of more than 32 bytes",
            });
        }
        if matches!(&value, OptionValue::Text(text) if text.len() > Self::TEXT_BYTES_MAX) {
            return Err(bad("a text of more than 256 bytes"));
        }
        if self.0.len() >= Self::COUNT_MAX && !self.0.contains_key(name) {
            return Err(bad("more than 32 options"));
        }
        self.0.insert(name.into(), value);
        Ok(())
    }

    /// The same options with one more, for building them in an expression.
    ///
    /// # Errors
    /// Those of [`insert`](Self::insert).
    pub fn with(mut self, name: &str, value: OptionValue) -> Result<Self, Error> {
        self.insert(name, value)?;
        Ok(self)
    }

    /// The value of an option, if it was set.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&OptionValue> {
        self.0.get(name)
    }

    /// All options, ordered by name.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &OptionValue)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// How many options were set.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether every option has its default.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<bool> for OptionValue {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i64> for OptionValue {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<&str> for OptionValue {
    fn from(value: &str) -> Self {
        Self::Text(value.into())
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn options_are_bounded() {
        let mut options = Options::default();
        for index in 0..32 {
            options
                .insert(&index.to_string(), OptionValue::Int(1))
                .unwrap();
        }
        assert_eq!(
            options.insert("33rd", true.into()).unwrap_err().code(),
            "bad_option"
        );
        options.insert("0", true.into()).unwrap();
        let mut options = Options::default();
        assert!(options.insert("", true.into()).is_err());
        assert!(options.insert(&"n".repeat(33), true.into()).is_err());
        assert!(
            options
                .insert("t", OptionValue::Text("t".repeat(257)))
                .is_err()
        );
        assert!(options.is_empty());
        options
            .insert("t", OptionValue::Text("t".repeat(256)))
            .unwrap();
    }
}

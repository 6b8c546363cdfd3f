//! Integers on the wire: a JSON number within ±(2^53−1), a decimal string beyond, both read.
//!
//! JavaScript, Lua and Godot hold JSON numbers as doubles, where 1009651914519660511 and …512 are
//! one value; a board that sorted those would order by chance. So the writer never sends such a
//! number, and the reader refuses one: by then it may already have been rounded. Floats, exponents,
//! `-0`, NaN and anything out of range are refused too, never rounded or clamped.
//!
//! Use as `#[serde(with = "async_protocol::integer")]`, or [`option`] for a field that may be
//! absent (with `#[serde(default)]`).

use std::fmt;
use std::marker::PhantomData;

use serde::de::Visitor;
use serde::{Deserializer, Serializer};

use crate::Error;
use crate::limits::JSON_INTEGER_MAX;

/// A 64-bit integer with a form on the wire.
pub trait WireInteger: Copy + Sized {
    /// The value in a type that holds both signs.
    fn widen(self) -> i128;
    /// Back again, if it fits.
    fn narrow(value: i128) -> Option<Self>;
}

impl WireInteger for i64 {
    fn widen(self) -> i128 {
        i128::from(self)
    }
    fn narrow(value: i128) -> Option<Self> {
        Self::try_from(value).ok()
    }
}

impl WireInteger for u64 {
    fn widen(self) -> i128 {
        i128::from(self)
    }
    fn narrow(value: i128) -> Option<Self> {
        Self::try_from(value).ok()
    }
}

const SAFE: i128 = JSON_INTEGER_MAX as i128;
const NOT_WHOLE: &str = "a whole number is needed: no fraction, no exponent, no -0, no NaN";
const OUT_OF_RANGE: &str = "the number is out of the 64-bit range";
const UNSAFE_NUMBER: &str = "beyond 2^53-1 a number must be sent as a decimal string";

/// Writes the number, or the decimal string.
///
/// # Errors
/// Only those of the serializer.
#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde's `with` passes references"
)]
pub fn serialize<T: WireInteger, S: Serializer>(
    value: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let wide = value.widen();
    match i64::try_from(wide) {
        Ok(small) if (-SAFE..=SAFE).contains(&wide) => serializer.serialize_i64(small),
        _ => serializer.collect_str(&wide),
    }
}

/// Reads either form.
///
/// # Errors
/// Any other type, and every number that is not whole, not in range or not safe.
pub fn deserialize<'de, T: WireInteger, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    deserializer.deserialize_any(IntegerVisitor(PhantomData))
}

/// Reads a decimal string: `-` only before a nonzero number, no `+`, no leading zeros, no spaces.
///
/// # Errors
/// [`Error::BadInteger`] says which of these it was.
pub fn parse<T: WireInteger>(text: &str) -> Result<T, Error> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let canonical = digits == text && digits == "0" || !digits.starts_with('0');
    if !plain || !canonical {
        return Err(Error::BadInteger(NOT_WHOLE));
    }
    let wide = text.parse().ok().and_then(T::narrow);
    wide.ok_or(Error::BadInteger(OUT_OF_RANGE))
}

/// The whole number that a double holds without loss; `None` for a fraction, -0.0, NaN, an
/// infinity and anything beyond ±(2^53−1).
#[must_use]
pub fn whole_f64(number: f64) -> Option<i64> {
    let safe = number.abs() <= JSON_INTEGER_MAX as f64 && number.fract() == 0.0;
    let negative_zero = number == 0.0 && number.is_sign_negative();
    (safe && !negative_zero).then_some(number as i64)
}

struct IntegerVisitor<T>(PhantomData<T>);

impl<T: WireInteger> IntegerVisitor<T> {
    fn number<E: serde::de::Error>(value: i128) -> Result<T, E> {
        if !(-SAFE..=SAFE).contains(&value) {
            return Err(E::custom(UNSAFE_NUMBER));
        }
        T::narrow(value).ok_or_else(|| E::custom(OUT_OF_RANGE))
    }
}

impl<T: WireInteger> Visitor<'_> for IntegerVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number, as a number or a decimal string")
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<T, E> {
        Self::number(i128::from(value))
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<T, E> {
        Self::number(i128::from(value))
    }

    fn visit_f64<E: serde::de::Error>(self, _: f64) -> Result<T, E> {
        Err(E::custom(NOT_WHOLE))
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<T, E> {
        parse(text).map_err(E::custom)
    }
}

/// The same for a field that may be absent or null: `#[serde(default, with = "…::option")]`.
pub mod option {
    use super::{Deserializer, PhantomData, Serializer, Visitor, WireInteger, fmt};

    /// Writes the integer, or null.
    ///
    /// # Errors
    /// Only those of the serializer.
    #[allow(clippy::ref_option, reason = "serde's `with` passes references")]
    pub fn serialize<T: WireInteger, S: Serializer>(
        value: &Option<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => super::serialize(value, serializer),
            None => serializer.serialize_none(),
        }
    }

    /// Reads either form, or null.
    ///
    /// # Errors
    /// As [`super::deserialize`].
    pub fn deserialize<'de, T: WireInteger, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<T>, D::Error> {
        deserializer.deserialize_option(OptionVisitor(PhantomData))
    }

    struct OptionVisitor<T>(PhantomData<T>);

    impl<'de, T: WireInteger> Visitor<'de> for OptionVisitor<T> {
        type Value = Option<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a whole number, as a number or a decimal string, or null")
        }

        fn visit_none<E: serde::de::Error>(self) -> Result<Self::Value, E> {
            Ok(None)
        }

        fn visit_unit<E: serde::de::Error>(self) -> Result<Self::Value, E> {
            Ok(None)
        }

        fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<Self::Value, D::Error> {
            super::deserialize(inner).map(Some)
        }
    }
}

/// A seed: the integer, within 0 to 2^53−1. A larger one would be another seed in an engine whose
/// numbers are doubles, so it is refused instead of rounded.
pub mod seed {
    use serde::de::Error as _;
    use serde::{Deserializer, Serializer};

    use crate::limits::SEED_MAX;

    /// Writes the seed.
    ///
    /// # Errors
    /// Only those of the serializer.
    #[allow(
        clippy::trivially_copy_pass_by_ref,
        reason = "serde's `with` passes references"
    )]
    pub fn serialize<S: Serializer>(seed: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        super::serialize(seed, serializer)
    }

    /// Reads either form of an integer.
    ///
    /// # Errors
    /// As [`super::deserialize`], and every seed beyond 2^53−1.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        within(super::deserialize(deserializer)?).map_err(D::Error::custom)
    }

    fn within(seed: u64) -> Result<u64, &'static str> {
        if seed > SEED_MAX {
            Err("a seed is 0 to 2^53-1")
        } else {
            Ok(seed)
        }
    }

    /// The same for a seed that may be absent or null.
    pub mod option {
        use serde::de::Error as _;
        use serde::{Deserializer, Serializer};

        /// Writes the seed, or null.
        ///
        /// # Errors
        /// Only those of the serializer.
        #[allow(clippy::ref_option, reason = "serde's `with` passes references")]
        pub fn serialize<S: Serializer>(
            seed: &Option<u64>,
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            crate::integer::option::serialize(seed, serializer)
        }

        /// Reads either form, or null.
        ///
        /// # Errors
        /// As [`super::deserialize`].
        pub fn deserialize<'de, D: Deserializer<'de>>(
            deserializer: D,
        ) -> Result<Option<u64>, D::Error> {
            let seed: Option<u64> = crate::integer::option::deserialize(deserializer)?;
            seed.map(|seed| super::within(seed).map_err(D::Error::custom))
                .transpose()
        }
    }
}

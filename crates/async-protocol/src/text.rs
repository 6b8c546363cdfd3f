//! JSON forms of types that know no serde: ids by their text, orders by name, bytes as base64.

use std::fmt::Display;
use std::str::FromStr;

use data_encoding::BASE64;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Order;

/// Bytes inside JSON: padded base64, strict (no line breaks, no missing padding).
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Base64(pub Vec<u8>);

impl Serialize for Base64 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&BASE64.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Base64 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = BASE64.decode(text.as_bytes());
        bytes
            .map(Self)
            .map_err(|_| D::Error::custom(crate::Error::BadBase64))
    }
}

/// `#[serde(with = "crate::text::shown")]`: a value by its Display and FromStr.
pub(crate) mod shown {
    use super::{Deserialize, Deserializer, Display, FromStr, Serializer};
    use serde::de::Error as _;

    pub(crate) fn serialize<T: Display, S: Serializer>(
        value: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub(crate) fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
    where
        T: FromStr<Err: Display>,
        D: Deserializer<'de>,
    {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}

/// `#[serde(default, with = "crate::text::shown_option")]`: the same, or absent.
pub(crate) mod shown_option {
    use super::{Deserialize, Deserializer, Display, FromStr, Serializer};
    use serde::de::Error as _;

    pub(crate) fn serialize<T: Display, S: Serializer>(
        value: &Option<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => serializer.collect_str(value),
            None => serializer.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
    where
        T: FromStr<Err: Display>,
        D: Deserializer<'de>,
    {
        let text = Option::<String>::deserialize(deserializer)?;
        text.map(|text| text.parse().map_err(D::Error::custom))
            .transpose()
    }
}

/// The kit's and the wire's word for an order.
#[must_use]
pub(crate) fn order_name(order: Order) -> &'static str {
    match order {
        Order::Descending => "desc",
        Order::Ascending => "asc",
    }
}

/// The order of a word, if it is one.
#[must_use]
pub(crate) fn order_of(name: &str) -> Option<Order> {
    match name {
        "desc" => Some(Order::Descending),
        "asc" => Some(Order::Ascending),
        _ => None,
    }
}

/// `#[serde(with = "crate::text::order")]`: `desc` or `asc`.
pub(crate) mod order {
    use super::{Deserialize, Deserializer, Order, Serializer, order_name, order_of};
    use serde::de::Error as _;

    #[allow(
        clippy::trivially_copy_pass_by_ref,
        reason = "serde's `with` passes references"
    )]
    pub(crate) fn serialize<S: Serializer>(
        order: &Order,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(order_name(*order))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Order, D::Error> {
        let name = String::deserialize(deserializer)?;
        order_of(&name).ok_or_else(|| D::Error::unknown_variant(&name, &["desc", "asc"]))
    }
}

/// `#[serde(with = "crate::text::hex64")]`: a 64-bit digest as 16 lower-case hex digits.
pub(crate) mod hex64 {
    use super::{Deserialize, Deserializer, Serializer};
    use serde::de::Error as _;

    #[allow(
        clippy::trivially_copy_pass_by_ref,
        reason = "serde's `with` passes references"
    )]
    pub(crate) fn serialize<S: Serializer>(value: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{value:016x}"))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = data_encoding::HEXLOWER.decode(text.as_bytes());
        let bytes = bytes.ok().and_then(|bytes| bytes.try_into().ok());
        bytes
            .map(u64::from_be_bytes)
            .ok_or_else(|| D::Error::custom(crate::Error::BadId))
    }
}

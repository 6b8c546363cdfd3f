//! Query strings, read strictly: a name nobody knows, a name given twice or a value out of its
//! range is an error that says so, because a mistyped `cursor` that silently starts over is worse.

use std::borrow::Cow;

use async_protocol::{PlayerId, board};

use crate::config::Config;
use crate::failure::Failure;

/// Longest query read, in bytes.
const QUERY_BYTES_MAX: usize = 4 * 1024;

/// The names and values of one query.
pub(crate) struct Query<'a> {
    pairs: Vec<(Cow<'a, str>, Cow<'a, str>)>,
}

impl<'a> Query<'a> {
    /// Reads `raw` (what stands after the `?`), of which only names in `known` may occur.
    ///
    /// # Errors
    /// `bad_query`, with the name in its details.
    pub(crate) fn parse(raw: Option<&'a str>, known: &[&str]) -> Result<Self, Failure> {
        let raw = raw.unwrap_or_default();
        if raw.len() > QUERY_BYTES_MAX {
            return Err(Failure::new("bad_query").say("the query is too long"));
        }
        let mut pairs: Vec<(Cow<'a, str>, Cow<'a, str>)> = Vec::new();
        for pair in raw.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let name = decode(name).ok_or_else(|| bad("?", "is not percent-encoded UTF-8"))?;
            let value = decode(value).ok_or_else(|| bad(&name, "is not percent-encoded UTF-8"))?;
            if !known.contains(&name.as_ref()) {
                let known = match known {
                    [] => "is unknown: this call takes none".to_owned(),
                    _ => format!("is not one of {}", known.join(", ")),
                };
                return Err(bad(&name, &known));
            }
            if pairs.iter().any(|(other, _)| *other == name) {
                return Err(bad(&name, "is given twice"));
            }
            pairs.push((name, value));
        }
        Ok(Self { pairs })
    }

    /// The value of `name`, if given.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.pairs
            .iter()
            .find(|(other, _)| other == name)
            .map(|(_, value)| value.as_ref())
    }

    /// The value of `name` read by `parse`.
    ///
    /// # Errors
    /// `bad_query` saying what is `allowed`.
    pub(crate) fn read<T>(
        &self,
        name: &str,
        allowed: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, Failure> {
        let Some(text) = self.text(name) else {
            return Ok(None);
        };
        parse(text)
            .map(Some)
            .ok_or_else(|| bad(name, &format!("must be {allowed}")))
    }

    /// A plain decimal integer within its own type's range.
    ///
    /// # Errors
    /// `bad_query`.
    pub(crate) fn integer(&self, name: &str) -> Result<Option<i64>, Failure> {
        self.read(
            name,
            "a whole number in plain decimal digits",
            plain_integer,
        )
    }

    /// A switch: `true`, `1` or nothing behind it; `false`, `0` or not there.
    ///
    /// # Errors
    /// `bad_query`.
    pub(crate) fn flag(&self, name: &str) -> Result<bool, Failure> {
        let flag = self.read(name, "true or false", |text| match text {
            "true" | "1" | "" => Some(true),
            "false" | "0" => Some(false),
            _ => None,
        })?;
        Ok(flag.unwrap_or(false))
    }

    /// The parameter `player`.
    ///
    /// # Errors
    /// `bad_id`.
    pub(crate) fn player(&self) -> Result<Option<PlayerId>, Failure> {
        Ok(self.text("player").map(str::parse).transpose()?)
    }
}

/// A board key.
///
/// # Errors
/// `bad_board`.
pub(crate) fn board_key(text: &str) -> Result<String, Failure> {
    board::check_key(text)?;
    Ok(text.to_owned())
}

/// The parameter `rows`: the server's default where absent, clamped to `most`; 0 asks for none.
///
/// # Errors
/// `bad_query` where it is no number.
pub(crate) fn row_count(query: &Query<'_>, config: &Config, most: u64) -> Result<usize, Failure> {
    let rows = query.read("rows", "a number of rows, 0 or more", |text| {
        plain_integer(text).and_then(|rows| u64::try_from(rows).ok())
    })?;
    let rows = rows.unwrap_or(config.board_default_rows).min(most);
    Ok(usize::try_from(rows).unwrap_or(usize::MAX))
}

/// `-?[0-9]+` in the shortest form: no plus sign, spaces, fraction, exponent or minus zero.
fn plain_integer(text: &str) -> Option<i64> {
    let value: i64 = text.parse().ok()?;
    (value.to_string() == text).then_some(value)
}

fn bad(name: &str, message: &str) -> Failure {
    Failure::new("bad_query")
        .say(&format!("query parameter {name} {message}"))
        .detail("parameter", name)
}

fn decode(text: &str) -> Option<Cow<'_, str>> {
    if !text.bytes().any(|byte| byte == b'%' || byte == b'+') {
        return Some(Cow::Borrowed(text));
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => hex(rest.next()?)? << 4 | hex(rest.next()?)?,
            plain => plain,
        });
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit)
        .to_digit(16)
        .and_then(|value| u8::try_from(value).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(raw: &str) -> &'static str {
        Query::parse(Some(raw), &["rows", "would"])
            .and_then(|query| query.integer("would").map(drop))
            .map_or_else(|failure| failure.code(), |()| "ok")
    }

    #[test]
    fn strictness() {
        assert_eq!(code(""), "ok");
        assert_eq!(code("rows=3&would=-5"), "ok");
        assert_eq!(code("would=9223372036854775807"), "ok");
        for bad in [
            "row=3",
            "rows=1&rows=1",
            "would=9223372036854775808",
            "would=+1",
            "would=-0",
            "would=1.0",
            "would=1e3",
            "would=",
            "would=NaN",
            "would=%",
            "would=%f",
            "would=%ff",
            "would=%zz",
            "would=01",
            "%72ows=1&rows=2",
        ] {
            assert_eq!(code(bad), "bad_query", "{bad}");
        }
    }

    #[test]
    fn percent_and_plus_are_decoded() {
        let query = Query::parse(Some("rows=a%2Fb+%C3%A9"), &["rows"]).unwrap();
        assert_eq!(query.text("rows"), Some("a/b é"));
    }
}

//! Shortest varints, and a cursor that never reads past its bytes.

use crate::Error;

/// Appends `value` as a little-endian base-128 varint of the shortest length.
pub(crate) fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a signed value, small magnitudes first: 0, -1, 1, -2, …
pub(crate) fn put_signed(out: &mut Vec<u8>, value: i64) {
    put_varint(out, zigzag(value));
}

/// Appends a text or a value with its length before it.
pub(crate) fn put_sized(out: &mut Vec<u8>, value: &[u8]) {
    put_varint(out, value.len() as u64);
    out.extend_from_slice(value);
}

/// The number of bytes [`put_varint`] appends.
pub(crate) fn varint_len(value: u64) -> usize {
    (64 - (value | 1).leading_zeros() as usize).div_ceil(7)
}

fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

/// Reads a payload from its front. Running out is `malformed`: the payload's own length was
/// checked before, so it is the content that lies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cursor<'a> {
    rest: &'a [u8],
}

const EARLY: Error = Error::Malformed("a payload that ends early");

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub(crate) fn left(&self) -> usize {
        self.rest.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub(crate) fn byte(&mut self) -> Result<u8, Error> {
        let (&first, rest) = self.rest.split_first().ok_or(EARLY)?;
        self.rest = rest;
        Ok(first)
    }

    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], Error> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(EARLY)?;
        self.rest = rest;
        Ok(taken)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let (taken, rest) = self.rest.split_first_chunk::<N>().ok_or(EARLY)?;
        self.rest = rest;
        Ok(*taken)
    }

    #[inline]
    pub(crate) fn varint(&mut self) -> Result<u64, Error> {
        match self.rest {
            [first, rest @ ..] if *first < 0x80 => {
                self.rest = rest;
                Ok(u64::from(*first))
            }
            _ => self.long_varint(),
        }
    }

    fn long_varint(&mut self) -> Result<u64, Error> {
        let mut value = 0_u64;
        for (place, &byte) in self.rest.iter().enumerate().take(10) {
            let bits = u64::from(byte & 0x7F);
            if place == 9 && bits > 1 {
                return Err(Error::Malformed("a varint over 64 bits"));
            }
            value |= bits << (7 * place);
            if byte < 0x80 {
                if byte == 0 {
                    return Err(Error::Malformed("a varint that is not the shortest"));
                }
                self.rest = &self.rest[place + 1..];
                return Ok(value);
            }
        }
        Err(if self.rest.len() < 10 {
            EARLY
        } else {
            Error::Malformed("a varint over 64 bits")
        })
    }

    #[inline]
    pub(crate) fn signed(&mut self) -> Result<i64, Error> {
        let raw = self.varint()?;
        Ok((raw >> 1) as i64 ^ -((raw & 1) as i64))
    }

    pub(crate) fn varint_u32(&mut self) -> Result<u32, Error> {
        u32::try_from(self.varint()?).map_err(|_| Error::Malformed("a number over 32 bits"))
    }

    /// A length and that many bytes, at most `max`.
    pub(crate) fn sized(&mut self, max: usize) -> Result<&'a [u8], Error> {
        let length = self.varint()?;
        if length > max as u64 {
            return Err(Error::Malformed("a field over its limit"));
        }
        self.take(length as usize)
    }

    pub(crate) fn finish(self) -> Result<(), Error> {
        if self.is_empty() {
            Ok(())
        } else {
            Err(Error::Malformed("a payload that goes on"))
        }
    }
}

/// Bytes as text.
pub(crate) fn text(bytes: &[u8]) -> Result<String, Error> {
    core::str::from_utf8(bytes)
        .map(str::to_owned)
        .map_err(|_| Error::Malformed("text that is not UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn varints_round_trip_and_know_their_length() {
        for shift in 0..64 {
            for value in [1_u64 << shift, (1 << shift) - 1, u64::MAX >> shift] {
                let mut out = Vec::new();
                put_varint(&mut out, value);
                assert_eq!(out.len(), varint_len(value), "{value}");
                let mut cursor = Cursor::new(&out);
                assert_eq!(cursor.varint(), Ok(value));
                assert!(cursor.is_empty());
                let mut out = Vec::new();
                put_signed(&mut out, value as i64);
                assert_eq!(Cursor::new(&out).signed(), Ok(value as i64));
            }
        }
    }

    #[test]
    fn a_number_has_one_varint_only() {
        let wrong: [&[u8]; 6] = [
            &[],
            &[0x80],
            &[0x80, 0],
            &[0xFF, 0x80, 0x00],
            &[0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 2],
            &[0xFF; 11],
        ];
        for bytes in wrong {
            assert_eq!(
                Cursor::new(bytes).varint().map_err(|e| e.code()),
                Err("malformed")
            );
        }
    }
}

//! The one way statements are written and read: little endian, texts with a length before them.

use crate::error::Error;

/// Writes the fields of a statement one after another.
#[derive(Debug)]
pub(crate) struct Encoder {
    bytes: Vec<u8>,
}

impl Encoder {
    /// Starts with `domain`, which is signed but never sent.
    pub(crate) fn new(domain: &[u8]) -> Self {
        Encoder {
            bytes: domain.to_vec(),
        }
    }

    pub(crate) fn fixed(&mut self, bytes: &[u8]) -> &mut Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    pub(crate) fn u8(&mut self, value: u8) -> &mut Self {
        self.fixed(&[value])
    }

    pub(crate) fn u32(&mut self, value: u32) -> &mut Self {
        self.fixed(&value.to_le_bytes())
    }

    pub(crate) fn u64(&mut self, value: u64) -> &mut Self {
        self.fixed(&value.to_le_bytes())
    }

    pub(crate) fn i64(&mut self, value: i64) -> &mut Self {
        self.fixed(&value.to_le_bytes())
    }

    /// A text behind its length in two bytes; `field` names it in the error if it is too long.
    pub(crate) fn text(
        &mut self,
        text: &str,
        bytes_max: usize,
        field: &'static str,
    ) -> Result<&mut Self, Error> {
        let length = u16::try_from(text.len()).map_err(|_| Error::BadField(field))?;
        if text.len() > bytes_max {
            return Err(Error::BadField(field));
        }
        Ok(self.fixed(&length.to_le_bytes()).fixed(text.as_bytes()))
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Why bytes are no statement; the caller gives it the code of its own kind.
pub(crate) type Reason = &'static str;

/// Reads the fields of a statement; never allocates more than the bytes that are there.
#[derive(Debug)]
pub(crate) struct Decoder<'a> {
    rest: &'a [u8],
}

impl<'a> Decoder<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Decoder { rest: bytes }
    }

    pub(crate) fn fixed<const N: usize>(&mut self) -> Result<[u8; N], Reason> {
        let (head, rest) = self
            .rest
            .split_first_chunk::<N>()
            .ok_or("it is cut short")?;
        self.rest = rest;
        Ok(*head)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, Reason> {
        self.fixed().map(u8::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, Reason> {
        self.fixed().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Result<u64, Reason> {
        self.fixed().map(u64::from_le_bytes)
    }

    pub(crate) fn i64(&mut self) -> Result<i64, Reason> {
        self.fixed().map(i64::from_le_bytes)
    }

    pub(crate) fn text(&mut self, bytes_max: usize) -> Result<String, Reason> {
        let length = usize::from(self.fixed().map(u16::from_le_bytes)?);
        if length > bytes_max {
            return Err("a text is too long");
        }
        let (head, rest) = self
            .rest
            .split_at_checked(length)
            .ok_or("it is cut short")?;
        self.rest = rest;
        core::str::from_utf8(head)
            .map(str::to_owned)
            .map_err(|_| "a text is not UTF-8")
    }

    pub(crate) fn finish(self) -> Result<(), Reason> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err("bytes follow it")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_come_back_in_order() {
        let mut out = Encoder::new(b"");
        out.u8(7).u32(8).u64(9).i64(-10).fixed(&[1, 2, 3]);
        out.text("Grüße", 16, "text").unwrap();
        let bytes = out.into_bytes();
        let mut read = Decoder::new(&bytes);
        assert_eq!(read.u8(), Ok(7));
        assert_eq!(read.u32(), Ok(8));
        assert_eq!(read.u64(), Ok(9));
        assert_eq!(read.i64(), Ok(-10));
        assert_eq!(read.fixed(), Ok([1, 2, 3]));
        assert_eq!(read.text(16), Ok("Grüße".to_owned()));
        assert_eq!(read.finish(), Ok(()));
    }

    #[test]
    fn texts_are_bounded_both_ways() {
        let mut out = Encoder::new(b"");
        assert_eq!(
            out.text("abcde", 4, "name").err(),
            Some(Error::BadField("name"))
        );
        assert_eq!(
            out.text(&"a".repeat(70_000), 80_000, "name")
                .err()
                .map(|e| e.code()),
            Some("bad_field")
        );
        assert!(
            Decoder::new(&[5, 0, b'a', b'b', b'c', b'd', b'e'])
                .text(4)
                .is_err()
        );
        assert!(Decoder::new(&[5, 0, b'a']).text(8).is_err());
        assert!(Decoder::new(&[1, 0, 0xff]).text(8).is_err());
        assert!(Decoder::new(&[1]).finish().is_err());
    }
}

//! Magic, version and checked chunks.

use crate::{
    CHUNK_BYTES_MAX, Error,
    wire::{Cursor, put_varint, varint_len},
};

/// The first bytes of every run; the first is not text, so that text tools leave it alone.
pub(crate) const MAGIC: [u8; 3] = [0x8F, b'G', b'F'];
/// The format version that this crate writes and reads.
pub const VERSION: u8 = 1;
/// Where the first chunk starts.
pub(crate) const PREFIX_BYTES: usize = 4;

/// Chunk types. Those from 0x80 on may be skipped by a reader that does not know them.
pub(crate) mod kind {
    pub(crate) const HEADER: u8 = 0x01;
    pub(crate) const INPUTS: u8 = 0x02;
    pub(crate) const SAMPLES: u8 = 0x03;
    pub(crate) const CHECKPOINTS: u8 = 0x04;
    pub(crate) const MARKS: u8 = 0x05;
    pub(crate) const PAUSES: u8 = 0x06;
    pub(crate) const SIGNATURE: u8 = 0x07;
    pub(crate) const END: u8 = 0x08;
    pub(crate) const INDEX: u8 = 0x80;
    pub(crate) const SKIPPABLE: u8 = 0x80;
}

/// One checked chunk.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chunk<'a> {
    pub(crate) kind: u8,
    pub(crate) payload: &'a [u8],
    /// Bytes with type, length and checksum.
    pub(crate) size: usize,
}

/// Walks the chunks of a file. The checksum runs on from chunk to chunk (over everything but the
/// checksums themselves), so a chunk that was taken out, doubled or moved is damage too.
#[derive(Debug)]
pub(crate) struct Chunks<'a> {
    bytes: &'a [u8],
    at: usize,
    crc: u32,
}

impl<'a> Chunks<'a> {
    /// Checks the magic; a wrong version is left to the caller, who may still read the header.
    pub(crate) fn new(bytes: &'a [u8]) -> Result<(Self, u8), Error> {
        let known = bytes.len().min(MAGIC.len());
        if bytes[..known] != MAGIC[..known] {
            return Err(Error::NotARun);
        }
        let version = *bytes
            .get(MAGIC.len())
            .ok_or(Error::Truncated { bytes: bytes.len() })?;
        let crc = crc32c::crc32c(&bytes[..PREFIX_BYTES]);
        Ok((
            Self {
                bytes,
                at: PREFIX_BYTES,
                crc,
            },
            version,
        ))
    }

    /// How many bytes were read.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// How many bytes are left.
    pub(crate) fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// The next chunk; `None` at the end of the bytes.
    pub(crate) fn next(&mut self) -> Result<Option<Chunk<'a>>, Error> {
        let rest = &self.bytes[self.at..];
        let Some(&kind) = rest.first() else {
            return Ok(None);
        };
        let truncated = Error::Truncated {
            bytes: self.bytes.len(),
        };
        let mut cursor = Cursor::new(&rest[1..]);
        let length = cursor.varint().map_err(|error| {
            // A length that is cut off is a cut, not a lie.
            let cut = rest.len() < 4 && rest[1..].iter().all(|byte| *byte >= 0x80);
            if cut { truncated.clone() } else { error }
        })?;
        if length > CHUNK_BYTES_MAX as u64 {
            return Err(Error::Malformed("a chunk over 1 MiB"));
        }
        let body = 1 + varint_len(length) + length as usize;
        let Some(stored) = rest.get(body..body + 4) else {
            return Err(truncated);
        };
        let crc = crc32c::crc32c_append(self.crc, &rest[..body]);
        if stored != crc.to_le_bytes() {
            return Err(Error::Damaged { offset: self.at });
        }
        let payload = &rest[body - length as usize..body];
        let chunk = Chunk {
            kind,
            payload,
            size: body + 4,
        };
        self.crc = crc;
        self.at += chunk.size;
        Ok(Some(chunk))
    }
}

/// Appends chunks; the counterpart of [`Chunks`].
#[derive(Debug)]
pub(crate) struct ChunkWriter {
    out: Vec<u8>,
    crc: u32,
}

impl ChunkWriter {
    /// Writes the magic and the version. `reserve` bytes are set aside so that a recording does
    /// not allocate while it grows.
    pub(crate) fn new(reserve: usize) -> Self {
        let mut out = Vec::with_capacity(reserve);
        out.extend_from_slice(&MAGIC);
        out.push(VERSION);
        let crc = crc32c::crc32c(&out);
        Self { out, crc }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.out
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.out
    }

    /// Appends one chunk of these parts and returns its size. `limit` over 1 MiB of payload.
    pub(crate) fn put<'p>(
        &mut self,
        kind: u8,
        parts: impl Iterator<Item = &'p [u8]> + Clone,
    ) -> Result<usize, Error> {
        let length: usize = parts.clone().map(<[u8]>::len).sum();
        if length > CHUNK_BYTES_MAX {
            return Err(Error::Limit {
                what: "bytes in a chunk",
                max: CHUNK_BYTES_MAX,
            });
        }
        let start = self.out.len();
        self.out.push(kind);
        put_varint(&mut self.out, length as u64);
        parts.for_each(|part| self.out.extend_from_slice(part));
        self.crc = crc32c::crc32c_append(self.crc, &self.out[start..]);
        self.out.extend_from_slice(&self.crc.to_le_bytes());
        Ok(self.out.len() - start)
    }

    /// Appends one chunk of one part.
    pub(crate) fn put_one(&mut self, kind: u8, payload: &[u8]) -> Result<usize, Error> {
        self.put(kind, core::iter::once(payload))
    }
}

//! Takes files apart and puts them together with every checksum right, so that the fuzzer meets
//! the decoders and not the check of the sum.

/// Chunk types of FORMAT.md, section 2.
pub mod kind {
    #![expect(missing_docs, reason = "the names of the document")]
    pub const HEADER: u8 = 0x01;
    pub const INPUTS: u8 = 0x02;
    pub const SAMPLES: u8 = 0x03;
    pub const SIGNATURE: u8 = 0x07;
    pub const END: u8 = 0x08;
    pub const INDEX: u8 = 0x80;
}

/// A chunk's type and payload.
pub type Part = (u8, Vec<u8>);

/// The chunks of a whole file, as far as they go.
pub fn take_apart(bytes: &[u8]) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut rest = bytes.get(4..).unwrap_or_default();
    while let Some((&kind, after)) = rest.split_first() {
        let Some((length, after)) = take_varint(after) else {
            break;
        };
        let (Some(payload), Some(next)) = (after.get(..length), after.get(length + 4..)) else {
            break;
        };
        parts.push((kind, payload.to_vec()));
        rest = next;
    }
    parts
}

/// A file of these chunks in a format version.
pub fn assemble_version(version: u8, parts: &[Part]) -> Vec<u8> {
    let mut bytes = vec![0x8F, b'G', b'F', version];
    let mut sum = crc32c::crc32c(&bytes);
    for (kind, payload) in parts {
        let start = bytes.len();
        bytes.push(*kind);
        put_varint(&mut bytes, payload.len() as u64);
        bytes.extend_from_slice(payload);
        sum = crc32c::crc32c_append(sum, &bytes[start..]);
        bytes.extend_from_slice(&sum.to_le_bytes());
    }
    bytes
}

/// A file of these chunks.
pub fn assemble(parts: &[Part]) -> Vec<u8> {
    assemble_version(1, parts)
}

/// The END of a run of so many frames that was stopped.
pub fn end(frames: u32) -> Part {
    let mut payload = Vec::new();
    put_varint(&mut payload, u64::from(frames) << 2 | 1);
    payload.extend_from_slice(&[0; 9]);
    (kind::END, payload)
}

/// The INDEX that fits the chunks between the header and it.
pub fn index(parts: &[Part]) -> Part {
    let mut payload = Vec::new();
    for (kind, content) in parts.iter().skip(1) {
        let mut size = vec![*kind];
        put_varint(&mut size, content.len() as u64);
        put_varint(&mut payload, (size.len() + content.len() + 4) as u64);
        let counts = matches!(*kind, kind::INPUTS | kind::SAMPLES);
        let frames = content.get(1..).filter(|_| counts).and_then(take_varint);
        put_varint(&mut payload, frames.map_or(0, |it| it.0 as u64));
    }
    (kind::INDEX, payload)
}

/// Appends a number in groups of 7 bits.
pub fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn take_varint(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let end = bytes.iter().take(5).position(|byte| *byte < 0x80)?;
    let low_first = bytes[..=end].iter().rev();
    let value = low_first.fold(0, |value, byte| value << 7 | usize::from(byte & 0x7F));
    Some((value, &bytes[end + 1..]))
}

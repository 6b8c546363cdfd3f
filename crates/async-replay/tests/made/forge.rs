//! Takes files apart and puts them together with every checksum right.

/// A chunk's type and payload.
pub(crate) type Part = (u8, Vec<u8>);

/// The chunks of a whole file.
pub(crate) fn take_apart(bytes: &[u8]) -> Vec<Part> {
    let mut at = 4;
    let mut parts = Vec::new();
    while at < bytes.len() {
        let kind = bytes[at];
        let (mut length, mut shift) = (0, 0);
        loop {
            at += 1;
            length |= usize::from(bytes[at] & 0x7F) << shift;
            shift += 7;
            if bytes[at] < 0x80 {
                break;
            }
        }
        at += 1;
        parts.push((kind, bytes[at..at + length].to_vec()));
        at += length + 4;
    }
    parts
}

/// A file of these chunks in a format version.
pub(crate) fn assemble_version(version: u8, parts: &[Part]) -> Vec<u8> {
    let mut bytes = vec![0x8F, b'G', b'F', version];
    let mut crc = crc32c::crc32c(&bytes);
    for (kind, payload) in parts {
        let start = bytes.len();
        bytes.push(*kind);
        let mut length = payload.len();
        while length >= 0x80 {
            bytes.push(length as u8 | 0x80);
            length >>= 7;
        }
        bytes.push(length as u8);
        bytes.extend_from_slice(payload);
        crc = crc32c::crc32c_append(crc, &bytes[start..]);
        bytes.extend_from_slice(&crc.to_le_bytes());
    }
    bytes
}

/// A file of these chunks.
pub(crate) fn assemble(parts: &[Part]) -> Vec<u8> {
    assemble_version(1, parts)
}

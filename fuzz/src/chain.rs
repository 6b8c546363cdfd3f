//! How the fuzzer's bytes say a file of chunks: a head of two bytes, then pieces. Each piece is a
//! byte for the type, one or two for the length, and the payload, which ends with the bytes.

use async_replay::{Limits, Run};

use crate::forge::{self, Part, kind};
use crate::{SMALL, schemas};

/// A type byte with this bit has a length of two bytes.
const LONG: u8 = 0x40;

/// A forged file and the limits to read it under.
#[derive(Debug)]
pub struct Forged {
    /// The file.
    pub bytes: Vec<u8>,
    /// The limits.
    pub limits: Limits,
}

/// Reads pieces as a file: a valid header, the pieces as chunks, and an end that fits the frames
/// they hold, if the head asks for one. `None` if there is no head.
pub fn forged(data: &[u8]) -> Option<Forged> {
    let [header, close, pieces @ ..] = data else {
        return None;
    };
    let header_part = header_part(usize::from(*header & 0x7F));
    let limits = if header & 0x80 == 0 {
        SMALL
    } else {
        Limits::default()
    };
    let mut parts = vec![header_part];
    parts.extend(self::pieces(pieces));
    if close & 1 != 0 {
        let left = Run::recover(&forge::assemble(&parts), &limits);
        if close & 2 != 0 {
            parts.push(forge::index(&parts));
        }
        if close & 4 != 0 {
            parts.push((kind::SIGNATURE, vec![*close; 64]));
        }
        parts.push(forge::end(left.map_or(1, |left| left.whole_frames)));
    }
    Some(Forged {
        bytes: forge::assemble(&parts),
        limits,
    })
}

/// Says a file of one of our headers in pieces, without its index, signature and end.
pub fn said(header: u8, close: u8, bytes: &[u8]) -> Vec<u8> {
    let mut data = vec![header, close];
    for (kind, payload) in forge::take_apart(bytes).into_iter().skip(1) {
        if matches!(kind, kind::INDEX | kind::SIGNATURE | kind::END) {
            continue;
        }
        match u8::try_from(payload.len()) {
            Ok(length) => data.extend_from_slice(&[kind, length]),
            Err(_) => {
                let [low, high, ..] = payload.len().to_le_bytes();
                data.extend_from_slice(&[kind | LONG, low, high]);
            }
        }
        data.extend_from_slice(&payload);
    }
    data
}

fn pieces(mut data: &[u8]) -> Vec<Part> {
    let mut parts = Vec::new();
    while let [first, low, rest @ ..] = data {
        let long = first & LONG != 0;
        let (high, rest) = match rest {
            [high, rest @ ..] if long => (*high, rest),
            _ => (0, rest),
        };
        let length = usize::from(u16::from_le_bytes([*low, high])).min(rest.len());
        let (payload, rest) = rest.split_at(length);
        parts.push((first & !LONG, payload.to_vec()));
        data = rest;
    }
    parts
}

/// The HEADER chunk of one of our headers, as a writer puts it first.
fn header_part(number: usize) -> Part {
    use std::sync::OnceLock;
    static PARTS: OnceLock<Vec<Part>> = OnceLock::new();
    let parts = PARTS.get_or_init(|| (0..schemas::HEADERS).map(written_header).collect());
    parts[number % parts.len()].clone()
}

fn written_header(number: usize) -> Part {
    let writer = async_replay::Writer::new(schemas::header(number)).expect("a valid header");
    forge::take_apart(writer.bytes()).swap_remove(0)
}

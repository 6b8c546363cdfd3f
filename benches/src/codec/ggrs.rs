//! The coding of GGRS 0.13, the rollback networking of Rust games.
//!
//! It is `network/compression.rs` of ggrs 0.13.0 rebuilt line by line over the crate `bitfield-rle`
//! 0.2.1 that it uses: each input, as bincode writes it (a `u16` of buttons and `i8` axes have no
//! framing there, so it is our record), behind its length as a `u16` and XORed with the input
//! before; the whole of it run-length coded by bytes of 0 and 255.
//!
//! An endpoint sends its own player's inputs, all that are not acknowledged yet. We count the
//! fewest bytes that this can be: every input is sent once, since it is acknowledged before the
//! next; and of a message only the input payload, not its header, its frame numbers, connection
//! status or the length of the payload, nor UDP.

use super::{Failure, corpus::Inputs};

const NAME: &str = "ggrs";

/// Bytes of the payloads with one message per frame: what GGRS sends.
pub(super) fn messages(inputs: &Inputs) -> Result<usize, Failure> {
    code(inputs, 1)
}

/// Bytes of one payload with the inputs of all frames, which GGRS never sends: the coding alone.
pub(super) fn at_once(inputs: &Inputs) -> Result<usize, Failure> {
    code(inputs, usize::MAX)
}

fn code(inputs: &Inputs, frames_in_message: usize) -> Result<usize, Failure> {
    let width = inputs.shape.width();
    let mut bytes = 0;
    for player in 0..inputs.shape.players {
        let own: Vec<&[u8]> = inputs
            .records
            .chunks_exact(width)
            .skip(player)
            .step_by(inputs.shape.players)
            .collect();
        // The first reference is all zeros.
        let mut reference = vec![0; width];
        for pending in own.chunks(frames_in_message) {
            let payload = bitfield_rle::encode(delta_encode(&reference, pending));
            let back = bitfield_rle::decode(&payload)
                .map_err(|error| Failure::Rival(NAME.to_owned(), error.to_string()))?;
            if delta_decode(&reference, &back) != pending {
                return Err(Failure::Differs(NAME.to_owned(), inputs.name.clone()));
            }
            bytes += payload.len();
            reference = pending.last().copied().unwrap_or_default().to_vec();
        }
    }
    Ok(bytes)
}

fn delta_encode(reference: &[u8], pending: &[&[u8]]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut base = reference;
    for input in pending {
        // A record has at most 20 bytes.
        bytes.extend_from_slice(&(input.len() as u16).to_le_bytes());
        bytes.extend(base.iter().zip(*input).map(|(old, new)| old ^ new));
        base = input;
    }
    bytes
}

fn delta_decode(reference: &[u8], mut bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut inputs = Vec::new();
    let mut base = reference.to_vec();
    while let Some((length, rest)) = bytes.split_first_chunk() {
        let length = usize::from(u16::from_le_bytes(*length));
        let Some((delta, rest)) = rest.split_at_checked(length) else {
            break;
        };
        base = base.iter().zip(delta).map(|(old, new)| old ^ new).collect();
        inputs.push(base.clone());
        bytes = rest;
    }
    inputs
}

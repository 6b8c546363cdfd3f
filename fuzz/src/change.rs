//! Files and payloads that were right, and are changed here and there.

use crate::forge::{assemble, take_apart};

/// A place, a value, and what is done there.
pub type Change = [u8; 3];

/// The file after the changes, its checksums as they were or put right.
pub fn file(mut bytes: Vec<u8>, changes: &[Change], repair: bool) -> Vec<u8> {
    if !repair {
        changes.iter().for_each(|change| apply(&mut bytes, *change));
        return bytes;
    }
    let mut parts = take_apart(&bytes);
    for change in changes {
        let place = usize::from(change[2] >> 3) % parts.len();
        apply(&mut parts[place].1, *change);
    }
    assemble(&parts)
}

/// One change: a byte, a cut, a byte more, or one less.
pub fn apply(bytes: &mut Vec<u8>, [place, value, what]: Change) {
    if bytes.is_empty() {
        return;
    }
    // From the end as well as from the start, for files of any length.
    let place = usize::from(place) % bytes.len();
    let place = if what & 4 == 0 {
        place
    } else {
        bytes.len() - 1 - place
    };
    match what & 3 {
        0 => bytes[place] ^= value.max(1),
        1 => bytes.insert(place, value),
        2 => drop(bytes.remove(place)),
        _ if value & 1 == 0 => bytes.truncate(place),
        _ => bytes[place] = bytes[place].wrapping_add(1),
    }
}

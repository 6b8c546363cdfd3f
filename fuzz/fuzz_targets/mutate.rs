//! A run made of the bytes comes back as it was from every way to write it; what is then cut or
//! changed in its file gives an error or another valid run.
#![no_main]

use arbitrary::{Result, Unstructured};
use async_fuzz::forge::{assemble, take_apart};
use async_fuzz::{SMALL, shape, sound};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let _ = mutated(&mut Unstructured::new(data));
});

fn mutated(u: &mut Unstructured<'_>) -> Result<()> {
    let how: u8 = u.arbitrary()?;
    let changes: [[u8; 3]; 4] = u.arbitrary()?;
    let changes = &changes[..usize::from(how >> 1 & 3) + 1];
    let run = shape::run(u)?;
    let bytes = run.encode().expect("a run that was made to be encoded");
    sound::assert_same(&sound::reopen(&bytes), &run);
    if how >= 0xE0 {
        sound::streamed(&run);
    }
    let _ = sound::read(&changed(bytes, changes, how & 1 != 0), &SMALL);
    Ok(())
}

/// The file after the changes, its checksums as they were or put right.
fn changed(mut bytes: Vec<u8>, changes: &[[u8; 3]], repair: bool) -> Vec<u8> {
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
fn apply(bytes: &mut Vec<u8>, [place, value, what]: [u8; 3]) {
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

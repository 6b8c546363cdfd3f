//! A run made of the bytes comes back as it was from every way to write it; what is then cut or
//! changed in its file gives an error or another valid run.
#![no_main]

use arbitrary::{Result, Unstructured};
use async_fuzz::{SMALL, change, shape, sound};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let _ = mutated(&mut Unstructured::new(data));
});

fn mutated(u: &mut Unstructured<'_>) -> Result<()> {
    let how: u8 = u.arbitrary()?;
    let changes: [change::Change; 4] = u.arbitrary()?;
    let changes = &changes[..usize::from(how >> 1 & 3) + 1];
    let run = shape::run(u)?;
    let bytes = run.encode().expect("a run that was made to be encoded");
    sound::assert_same(&sound::reopen(&bytes), &run);
    if how >= 0xE0 {
        sound::streamed(&run);
    }
    let _ = sound::read(&change::file(bytes, changes, how & 1 != 0), &SMALL);
    Ok(())
}

//! Frames of a run, asked for in any order: of forged chunks, and of a run made of the bytes whose
//! file was written in any way and then changed.
#![no_main]

use arbitrary::{Result, Unstructured};
use async_fuzz::{SMALL, chain, change, shape, sought::sought};
use async_replay::{Encoding, Level, Priors, Seek};
use libfuzzer_sys::fuzz_target;

/// Bytes that say which frames are asked for.
const ORDER_BYTES: usize = 16;

fuzz_target!(|data: &[u8]| {
    let Some(([how, order @ ..], rest)) = data.split_first_chunk::<{ 1 + ORDER_BYTES }>() else {
        return;
    };
    if how & 1 == 0 {
        if let Some(file) = chain::forged(rest) {
            sought(&file.bytes, &file.limits, &Priors::new(), order);
        }
    } else {
        let _ = made(*how, order, &mut Unstructured::new(rest));
    }
});

fn made(how: u8, order: &[u8], u: &mut Unstructured<'_>) -> Result<()> {
    let changes: [change::Change; 2] = u.arbitrary()?;
    let run = shape::run(u)?;
    let encoding = Encoding {
        level: [Level::Auto, Level::L0, Level::L1, Level::L2][usize::from(how >> 1 & 3)],
        seek: if how & 8 == 0 { Seek::Head } else { Seek::None },
        prior: None,
    };
    let bytes = run
        .encode_with(&encoding)
        .expect("a run that was made to be encoded");
    sought(&bytes, &SMALL, &Priors::new(), order);
    let changed = change::file(
        bytes,
        &changes[..usize::from(how >> 4 & 1) + 1],
        how & 32 == 0,
    );
    sought(&changed, &SMALL, &Priors::new(), order);
    Ok(())
}

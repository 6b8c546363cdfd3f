//! Raw bytes as payloads of every chunk type, behind a valid header and with right checksums.
#![no_main]

use async_fuzz::{chain, sound};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Some(file) = chain::forged(data) {
        let _ = sound::read(&file.bytes, &file.limits);
    }
});

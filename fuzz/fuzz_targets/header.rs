//! Raw bytes as a whole file, as the first chunk of one, and as that of another version.
#![no_main]

use async_fuzz::{forge, sound};
use async_replay::{Error, Limits, Run, Writer};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((mode, rest)) = data.split_first() else {
        return;
    };
    let limits = Limits::default();
    match mode {
        0 => drop(sound::read(rest, &limits)),
        1 => header(rest, &limits),
        2 => other_version(rest, &limits),
        _ => drop(async_replay::chunk_sizes(rest, &limits)),
    }
});

fn header(payload: &[u8], limits: &Limits) {
    let file = forge::assemble(&[(forge::kind::HEADER, payload.to_vec())]);
    let Ok(info) = Run::info(&file, limits) else {
        return;
    };
    info.header
        .check()
        .expect("what was read is within the limits");
    info.header.ruleset();
    assert_eq!(info.header_bytes, file.len());
    // A header is written in one way only, so that its hash names it.
    let writer = Writer::new(info.header).expect("what was read can be written");
    assert_eq!(writer.bytes(), file);
}

fn other_version(rest: &[u8], limits: &Limits) {
    let Some((version, payload)) = rest.split_first() else {
        return;
    };
    let file = forge::assemble_version(*version, &[(forge::kind::HEADER, payload.to_vec())]);
    let info = Run::info(&file, limits);
    let other = matches!(info, Err(Error::WrongVersion { .. }));
    assert_eq!(other, *version != async_replay::VERSION);
}

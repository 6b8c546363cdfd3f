//! Trace files: whole, small, and refused with a code when they are not whole.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

mod recordings;

use async_core::Catalogue;
use async_verify::Trace;
use proptest::prelude::*;
use recordings::*;

#[test]
fn a_trace_survives_its_file_and_agrees_with_its_run() {
    let recorded = autopiloted(arena("duel", 4, 60), 600);
    let bytes = recorded.trace.encode().unwrap();
    let back = Trace::decode(&bytes).unwrap();
    assert_eq!(back, recorded.trace);
    assert_eq!((back.frames(), back.players()), (600, 4));
    let found = back
        .first_divergence(&recorded.run(), &Catalogue::standard())
        .unwrap();
    assert_eq!(found, None);
    // Hundreds of fields a frame, coded as what changed.
    assert!(bytes.len() < 600 * 1_024, "{} bytes", bytes.len());
}

#[test]
fn a_run_of_another_length_leaves_its_trace_at_its_end() {
    let recorded = autopiloted(arena("collect", 1, 60), 300);
    let shorter = autopiloted(arena("collect", 1, 60), 200).run();
    let found = recorded
        .trace
        .first_divergence(&shorter, &Catalogue::standard());
    let found = found.unwrap().unwrap();
    assert_eq!((found.frame, &*found.field), (200, "frames"));
    assert_eq!((found.traced, found.found), (300, 200));
}

#[test]
fn foreign_cut_and_damaged_traces_have_codes() {
    let bytes = autopiloted(arena("collect", 1, 10), 30)
        .trace
        .encode()
        .unwrap();
    let code = |bytes: &[u8]| Trace::decode(bytes).unwrap_err().code();
    assert_eq!(code(b""), "not_a_trace");
    assert_eq!(code(b"GFRN and more"), "not_a_trace");
    assert_eq!(code(b"GFTR"), "trace_truncated");
    let mut other = bytes.clone();
    other[4] = 9;
    assert_eq!(code(&other), "trace_version");
    for length in 5..bytes.len() {
        let code = code(&bytes[..length]);
        assert!(
            ["trace_truncated", "trace_damaged"].contains(&code),
            "{length}: {code}"
        );
    }
    for at in 9..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        assert_eq!(code(&damaged), "trace_damaged");
    }
}

proptest! {
    /// With the checksum made right again, so that the fields themselves are tried.
    #[test]
    fn changed_traces_never_panic(at in 9_usize..400, value in any::<u8>()) {
        let mut bytes = autopiloted(arena("collect", 1, 10), 30).trace.encode().unwrap();
        let at = at % bytes.len();
        if at >= 9 {
            bytes[at] = value;
        }
        let crc = crc32c::crc32c(&bytes[9..]);
        bytes[5..9].copy_from_slice(&crc.to_le_bytes());
        let run = autopiloted(arena("collect", 1, 10), 30).run();
        if let Ok(trace) = Trace::decode(&bytes) {
            let _ = trace.first_divergence(&run, &Catalogue::standard());
        }
    }
}

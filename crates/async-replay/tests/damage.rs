//! Cut, flipped, random and mutated files: a code each time, never a panic, never half a truth.
#![allow(clippy::unwrap_used, reason = "tests")]

mod made;

use async_replay::{CODES, Limits, Run};
use made::forge;
use proptest::prelude::*;

/// A file of a whole run, and what a recorder of the same run had written before it finished.
fn files() -> [(Run, Vec<u8>); 3] {
    let run = made::full_run();
    let plain = made::plain_run(1_900, 3);
    let streamed = made::record(&plain).bytes().to_vec();
    [
        (run.clone(), run.encode().unwrap()),
        (plain.clone(), plain.encode().unwrap()),
        (plain, streamed),
    ]
}

#[test]
fn a_file_cut_at_any_byte_opens_up_to_its_last_whole_chunk() {
    for (run, bytes) in files() {
        let (mut whole, mut header) = (0, false);
        for cut in 0..bytes.len() {
            let code = Run::open(&bytes[..cut], &Limits::default())
                .unwrap_err()
                .code();
            assert!(matches!(code, "truncated" | "unfinished"), "{cut}: {code}");
            match Run::recover(&bytes[..cut], &Limits::default()) {
                Ok(left) => {
                    made::assert_prefix(&left, &run);
                    assert_eq!(left.cause.map(|cause| cause.code()), Some(code));
                    assert_eq!((left.end, left.signature), (None, None), "{cut}");
                    assert!(
                        left.whole_frames >= whole && left.whole_bytes <= cut,
                        "{cut}"
                    );
                    (whole, header) = (left.whole_frames, true);
                }
                Err(error) => {
                    assert_eq!(error.code(), "truncated", "{cut}");
                    assert!(!header, "{cut}: once the header is whole, recovery works");
                }
            }
        }
        assert!(whole > 0);
    }
}

#[test]
fn what_was_recovered_can_be_closed_as_a_run() {
    let run = made::plain_run(1_900, 3);
    let left = Run::recover(made::record(&run).bytes(), &Limits::default()).unwrap();
    let end = async_replay::End {
        frames: left.whole_frames,
        ..run.end
    };
    let closed = left.into_run(end).unwrap();
    assert_eq!(
        Run::open(&closed.encode().unwrap(), &Limits::default()),
        Ok(closed)
    );
    let left = Run::recover(made::record(&run).bytes(), &Limits::default()).unwrap();
    assert_eq!(left.into_run(run.end).unwrap_err().code(), "bad_end");
}

#[test]
fn a_whole_file_recovers_whole() {
    let run = made::full_run();
    let left = Run::recover(&run.encode().unwrap(), &Limits::default()).unwrap();
    assert_eq!(
        (left.end, left.signature, left.cause),
        (Some(run.end), run.signature, None)
    );
}

/// Every single bit of two whole files: none may be flipped unnoticed.
#[test]
fn every_flipped_bit_is_refused_with_a_code() {
    for (run, bytes) in &files()[..2] {
        let mut codes = std::collections::BTreeMap::<&str, usize>::new();
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            let code = Run::open(&flipped, &Limits::default())
                .map(|_| bit)
                .unwrap_err()
                .code();
            *codes.entry(code).or_default() += 1;
            if let Ok(left) = Run::recover(&flipped, &Limits::default()) {
                made::assert_prefix(&left, run);
            }
        }
        let known = [
            "damaged",
            "malformed",
            "not_a_run",
            "truncated",
            "wrong_version",
        ];
        assert!(codes.keys().all(|code| known.contains(code)), "{codes:?}");
        assert!(codes["damaged"] > bytes.len() * 7, "{codes:?}");
    }
}

/// Two or more errors, bursts, and bytes that move: the checksum of a chunk covers all before it.
#[test]
fn moved_doubled_and_missing_chunks_are_damage() {
    let bytes = made::full_run().encode().unwrap();
    let parts = forge::take_apart(&bytes);
    let mut starts = vec![4];
    for count in 1..=parts.len() {
        starts.push(forge::assemble(&parts[..count]).len());
    }
    for chunk in 0..parts.len() {
        let (from, to) = (starts[chunk], starts[chunk + 1]);
        let without = [&bytes[..from], &bytes[to..]].concat();
        assert!(
            Run::open(&without, &Limits::default()).is_err(),
            "without {chunk}"
        );
        let doubled = [&bytes[..to], &bytes[from..]].concat();
        assert!(
            Run::open(&doubled, &Limits::default()).is_err(),
            "{chunk} twice"
        );
        if chunk + 2 < starts.len() {
            let next = starts[chunk + 2];
            let swapped = [
                &bytes[..from],
                &bytes[to..next],
                &bytes[from..to],
                &bytes[next..],
            ];
            assert!(
                Run::open(&swapped.concat(), &Limits::default()).is_err(),
                "{chunk} swapped"
            );
        }
    }
}

/// A chunk, a place in it, what to do there, and with what.
fn change() -> impl Strategy<Value = (u16, u16, u8, u8)> {
    (any::<u16>(), any::<u16>(), 0_u8..5, any::<u8>())
}

/// Opens, recovers and asks for the header; whatever comes back must keep its promises.
fn poke(bytes: &[u8]) -> Result<(), TestCaseError> {
    match Run::open(bytes, &Limits::default()) {
        Ok(run) => {
            let again = run.encode();
            prop_assert!(
                again.is_ok(),
                "opened, and yet cannot be written: {again:?}"
            );
            let expected = Run {
                unknown_chunks: 0,
                ..run
            };
            prop_assert_eq!(Run::open(&again.unwrap(), &Limits::LOCAL), Ok(expected));
        }
        Err(error) => prop_assert!(CODES.contains(&error.code())),
    }
    if let Err(error) = Run::recover(bytes, &Limits::default()) {
        prop_assert!(CODES.contains(&error.code()));
        prop_assert!(Run::open(bytes, &Limits::default()).is_err());
    }
    let _ = Run::info(bytes, &Limits::default());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        poke(&bytes)?;
        poke(&[&[0x8F, b'G', b'F', 1], &bytes[..]].concat())?;
        poke(&forge::assemble(&[(1, bytes.clone())]))?;
        let header = forge::take_apart(&made::full_run().encode().unwrap()).remove(0);
        for kind in [2, 3, 4, 5, 6, 7, 8, 0x80, 0x81] {
            poke(&forge::assemble(&[header.clone(), (kind, bytes.clone())]))?;
        }
    }

    /// The attacker's tool: a real file, changed here and there, with every checksum right.
    #[test]
    fn mutated_payloads_with_right_checksums_never_panic(
        changes in proptest::collection::vec(change(), 1..4),
    ) {
        let mut parts = forge::take_apart(&made::full_run().encode().unwrap());
        for (chunk, place, what, value) in changes {
            let chunk = usize::from(chunk) % parts.len();
            let payload = &mut parts[chunk].1;
            let place = usize::from(place) % (payload.len() + 1);
            match what {
                0 if place < payload.len() => payload[place] = value,
                1 => payload.insert(place, value),
                2 if place < payload.len() => drop(payload.remove(place)),
                3 => payload.truncate(place),
                _ => parts[chunk].0 ^= 1 << (value % 8),
            }
        }
        poke(&forge::assemble(&parts))?;
    }
}

#[test]
fn corpus_parsers_never_panic() {
    use async_replay::corpus::{InputRecording, SampleRecording, to_arena};
    let mut runner = proptest::test_runner::TestRunner::default();
    let shape = proptest::collection::vec(any::<u8>(), 0..60);
    let magic = prop_oneof![Just(*b"INP1"), Just(*b"SMP1")];
    runner
        .run(
            &(magic, 0_u32..5, any::<bool>(), shape),
            |(magic, count, hz, tail)| {
                let hz = if hz { 60.0_f32 } else { f32::NAN };
                let bytes = [&magic[..], &count.to_le_bytes(), &hz.to_le_bytes(), &tail].concat();
                if let Ok(recording) = InputRecording::parse(&bytes) {
                    let _ = to_arena(&recording);
                }
                if let Ok(recording) = SampleRecording::parse(&bytes) {
                    let _ = recording.samples(async_replay::Precision::Tiny, 0);
                }
                Ok(())
            },
        )
        .unwrap();
}

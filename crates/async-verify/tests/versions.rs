//! Other builds, other contents, other mods, other versions: named on both sides.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

mod recordings;

use async_protocol::Status;
use async_verify::{Evidence, Expected};
use recordings::*;

/// "Incompatible" with no version named; a cut file blamed on a version never installed.
#[test]
fn case_c1_messages_name_what_was_recorded_and_what_is_known() {
    let recorded = autopiloted(arena("collect", 1, 60), 300);
    let rules = rules();
    let mut run = recorded.run();
    run.header.revision = 7;
    let verdict = check(
        &run,
        &Evidence::local(&rules),
        Status::Refused,
        "unknown_revision",
    );
    assert!(
        verdict.msg.contains("revision 7") && verdict.msg.contains("up to 1"),
        "{verdict:?}"
    );

    let run = recorded.run();
    let expected = Expected {
        build: Some("2.0"),
        ..Expected::default()
    };
    let evidence = Evidence {
        expected,
        ..Evidence::local(&rules)
    };
    let verdict = check(&run, &evidence, Status::Refused, "wrong_build");
    assert!(
        verdict.msg.contains("\"1.0\"") && verdict.msg.contains("\"2.0\""),
        "{verdict:?}"
    );

    let cut = verdict_code(&recorded.bytes[..recorded.bytes.len() - 3]);
    assert_ne!(cut, "wrong_version");
    let other = recordings::verdict(&as_version(99, &recorded.bytes));
    assert_eq!(other.code, "wrong_version");
    for word in ["version 99", "supports 1", "arena", "\"1.0\""] {
        assert!(
            other.msg.contains(word),
            "{word} is missing in {:?}",
            other.msg
        );
    }
}

/// The same file as another version of the format would begin: its header chunk is laid out alike.
fn as_version(version: u8, bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    // Magic of three bytes, the version, then the chunk: type, length, payload, checksum.
    bytes[3] = version;
    let (low, high) = (usize::from(bytes[5] & 0x7f), usize::from(bytes[6]));
    let (length, at) = if bytes[5] & 0x80 == 0 {
        (low, 6)
    } else {
        (low | high << 7, 7)
    };
    let end = at + length;
    let crc = crc32c::crc32c(&bytes[..end]);
    bytes[end..end + 4].copy_from_slice(&crc.to_le_bytes());
    bytes
}

fn verdict_code(bytes: &[u8]) -> String {
    verdict(bytes).code.into_owned()
}

/// The wrong data file was picked and the replay desynced.
#[test]
fn case_c2_the_content_hash_is_checked_before_the_run_is_played() {
    let mut header = arena("collect", 1, 60);
    header.content = Some([0xaa; 32]);
    let run = autopiloted(header, 300).run();
    let rules = rules();
    let judge = |content, status, code| {
        let expected = Expected {
            content: Some(content),
            ..Expected::default()
        };
        check(
            &run,
            &Evidence {
                expected,
                ..Evidence::local(&rules)
            },
            status,
            code,
        )
    };
    judge([0xaa; 32], Status::Verified, "ok");
    let verdict = judge([0xbb; 32], Status::Refused, "wrong_content");
    assert!(
        verdict.msg.contains("aaaa") && verdict.msg.contains("bbbb"),
        "{verdict:?}"
    );
    assert_eq!(verdict.digest, 0, "nothing was simulated");
}

/// Modded games counted on the board.
#[test]
fn case_c5_mods_must_be_those_of_the_board() {
    let mut header = arena("collect", 1, 60);
    header.mods = vec!["bigger_orbs".into()];
    let run = autopiloted(header, 300).run();
    let rules = rules();
    let expected = Expected {
        mods: Some(&[]),
        ..Expected::default()
    };
    let evidence = Evidence {
        expected,
        ..Evidence::local(&rules)
    };
    let verdict = check(&run, &evidence, Status::Refused, "wrong_mods");
    assert!(verdict.msg.contains("bigger_orbs"), "{verdict:?}");
    let same = run.header.mods.clone();
    let expected = Expected {
        mods: Some(&same),
        ..Expected::default()
    };
    let evidence = Evidence {
        expected,
        ..Evidence::local(&rules)
    };
    check(&run, &evidence, Status::Verified, "ok");
}

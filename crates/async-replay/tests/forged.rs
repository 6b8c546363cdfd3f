//! Files that no writer of ours makes, each checksum right, each refused with its code.
#![allow(clippy::unwrap_used, reason = "tests")]

mod made;

use async_replay::{Encoding, Error, Header, Level, Limits, Run};
use made::forge::{Part, assemble, take_apart};

const HEADER: u8 = 1;
const INPUTS: u8 = 2;
const SAMPLES: u8 = 3;
const CHECKPOINTS: u8 = 4;
const MARKS: u8 = 5;
const PAUSES: u8 = 6;
const SIGNATURE: u8 = 7;
const END: u8 = 8;
const INDEX: u8 = 0x80;

/// In L0, whose bytes can be written by hand.
fn plainly(run: &Run) -> Vec<u8> {
    let encoding = Encoding {
        level: Level::L0,
        ..Encoding::default()
    };
    run.encode_with(&encoding).unwrap()
}

fn parts() -> Vec<Part> {
    take_apart(&plainly(&made::full_run()))
}

fn place(parts: &[Part], kind: u8) -> usize {
    parts.iter().position(|part| part.0 == kind).unwrap()
}

/// Opens the small run after a change to its chunks.
#[track_caller]
fn check(code: &str, change: impl FnOnce(&mut Vec<Part>)) {
    let mut parts = parts();
    change(&mut parts);
    let opened = Run::open(&assemble(&parts), &Limits::default());
    assert_eq!(
        opened
            .map(|_| "opened")
            .unwrap_or_else(|error| error.code()),
        code
    );
}

/// Opens the small run after a change to one chunk's payload.
#[track_caller]
fn check_payload(code: &str, kind: u8, change: impl FnOnce(&mut Vec<u8>)) {
    check(code, |parts| {
        let place = place(parts, kind);
        change(&mut parts[place].1);
    });
}

#[test]
fn the_untouched_run_opens() {
    check("opened", |_| {});
    assert_eq!(assemble(&parts()), plainly(&made::full_run()));
}

#[test]
fn the_order_of_chunks_is_kept() {
    check("malformed", |parts| parts.swap(0, 1));
    check("malformed", |parts| parts.insert(1, parts[0].clone()));
    check("malformed", |parts| {
        parts.insert(place(parts, END), (MARKS, vec![0, 0, 0]))
    });
    check("malformed", |parts| {
        parts.insert(place(parts, END), (SIGNATURE, vec![0; 64]))
    });
    check("malformed", |parts| {
        parts.insert(place(parts, END), (0x90, vec![]))
    });
    check("malformed", |parts| parts.insert(1, (INDEX, vec![1])));
    check("unfinished", |parts| parts.truncate(place(parts, END)));
    check("trailing", |parts| parts.push((0x90, vec![])));
    check("trailing", |parts| {
        parts.push((END, parts[place(parts, END)].1.clone()))
    });
    let mut bytes = plainly(&made::full_run());
    bytes.push(0);
    assert_eq!(
        Run::open(&bytes, &Limits::default()),
        Err(Error::Trailing { bytes: 1 })
    );
}

#[test]
fn unknown_chunks_are_reported_or_refused() {
    check("unknown_critical", |parts| parts.insert(1, (0x20, vec![])));
    check("unknown_critical", |parts| parts.insert(1, (0, vec![])));
    let mut parts = parts();
    parts.insert(1, (0x90, vec![1, 2, 3]));
    parts.insert(3, (0xFF, vec![]));
    let run = Run::open(&assemble(&parts), &Limits::default()).unwrap();
    assert_eq!(run.unknown_chunks, 2);
    assert_eq!(run.id(), made::full_run().id());
}

#[test]
fn the_sizes_of_chunks_add_up_to_the_file() {
    let bytes = plainly(&made::full_run());
    let sizes = async_replay::chunk_sizes(&bytes, &Limits::default()).unwrap();
    assert_eq!(
        4 + sizes.iter().map(|chunk| chunk.bytes).sum::<usize>(),
        bytes.len()
    );
    let kinds: Vec<u8> = sizes.iter().map(|chunk| chunk.kind).collect();
    assert_eq!(kinds, [1, 4, 5, 6, 2, 3, 7, 8]);
}

#[test]
fn unknown_models_are_refused() {
    for model in [3, 4, 31, 32, 63, 64, 128, 192, 255] {
        check_payload("unknown_model", INPUTS, |payload| payload[0] = model);
    }
    for model in [2, 3, 255] {
        check_payload("unknown_model", SAMPLES, |payload| payload[0] = model);
    }
}

#[test]
fn streams_hold_what_they_say() {
    for kind in [INPUTS, SAMPLES] {
        check_payload("malformed", kind, |payload| payload.push(0));
        check_payload("malformed", kind, |payload| {
            payload.truncate(payload.len() - 1)
        });
        check_payload("malformed", kind, |payload| payload.clear());
        // 0 and 3,601 frames; then 602 written in three bytes.
        check_payload("malformed", kind, |payload| drop(payload.splice(1..3, [0])));
        check_payload("malformed", kind, |payload| {
            drop(payload.splice(1..3, [0x91, 0x1C]))
        });
        check_payload("malformed", kind, |payload| {
            drop(payload.splice(1..3, [0xDA, 0x84, 0]))
        });
        check("bad_end", |parts| drop(parts.remove(place(parts, kind))));
    }
    // A frame less in the inputs alone, in all streams, and in the end alone.
    check_payload("malformed", SAMPLES, |payload| {
        payload.splice(1..3, [2]).for_each(drop)
    });
    check_payload("bad_end", END, |payload| payload[0] -= 4);
    check_payload("bad_end", END, |payload| {
        let reason = payload[0] & 3;
        payload.splice(0..2, [reason]).for_each(drop)
    });
    // A reason that there is not.
    check_payload("malformed", END, |payload| payload[0] |= 3);
    check("too_many_frames", |parts| {
        let inputs = parts[place(parts, INPUTS)].clone();
        parts.insert(place(parts, INPUTS), inputs);
    });
}

/// Columns of one player, one button, six frames.
#[track_caller]
fn check_column(code: &str, column: &[u8]) {
    let mut run = made::plain_run(6, 2);
    run.header.inputs = async_core::InputSchema::new(vec!["a".into()], vec![]).ok();
    run.inputs
        .flat_mut()
        .iter_mut()
        .for_each(|input| *input = made::input(0, [0; 4]));
    let mut parts = take_apart(&plainly(&run));
    let inputs = place(&parts, INPUTS);
    assert_eq!(parts[inputs].1, [0, 6, 0, 0], "the empty column");
    parts[inputs].1 = [&[0, 6], column].concat();
    let opened = Run::open(&assemble(&parts), &Limits::default());
    assert_eq!(
        opened
            .map(|_| "opened")
            .unwrap_or_else(|error| error.code()),
        code,
        "{column:?}"
    );
}

#[test]
fn a_column_has_one_form_only() {
    check_column("opened", &[1, 0]);
    check_column("opened", &[0, 5, 1, 0]);
    check_column("opened", &[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0]);
    // Runs to the end, past the end, and of what goes on anyway; a change of nothing.
    check_column("malformed", &[0, 6]);
    check_column("malformed", &[0, 7]);
    check_column("malformed", &[0, 5, 1, 1]);
    check_column("malformed", &[0, 3, 0, 0]);
    // Missing, too much, not the shortest, a button that is not declared.
    check_column("malformed", &[]);
    check_column("malformed", &[0]);
    check_column("malformed", &[0, 0, 0]);
    check_column("malformed", &[0x81, 0, 0]);
    check_column("input_undeclared", &[2, 0]);
    check_column(
        "input_undeclared",
        &[
            0, 2, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1, 0,
        ],
    );
}

#[test]
fn side_records_keep_their_order() {
    for kind in [CHECKPOINTS, MARKS, PAUSES] {
        check_payload("malformed", kind, Vec::clear);
        check_payload("malformed", kind, |payload| {
            payload.truncate(payload.len() - 1)
        });
    }
    check_payload("malformed", CHECKPOINTS, |payload| payload.extend([0; 4]));
    check("opened", |parts| {
        drop(parts.remove(place(parts, CHECKPOINTS)))
    });
    check("malformed", |parts| {
        parts.insert(place(parts, PAUSES), (MARKS, vec![0, 0, 0]))
    });
    check("malformed", |parts| {
        parts.insert(place(parts, INPUTS), (PAUSES, vec![0, 0]))
    });
    // A mark of an unknown kind, one past the end, one past the longest run.
    let mark = |code: &str, payload: &[u8]| check_payload(code, MARKS, |it| *it = payload.to_vec());
    mark("opened", &[0, 0x82, 0x02, 0]);
    mark("malformed", &[0, 0x83, 0x02, 0]);
    mark("opened", &[0xDA, 0x04, 0, 0]);
    mark("bad_end", &[0xDB, 0x04, 0, 0]);
    mark("malformed", &[0xE9, 0x07, 0, 0]);
}

#[test]
fn samples_stay_on_their_grid() {
    // Track 0: one sample at frame 0, at 1, -1, yaw 0; no second track.
    let samples = |code: &str, tracks: &[u8]| {
        check_payload(code, SAMPLES, |payload| {
            *payload = [&[0, 0xDA, 0x04], tracks].concat()
        });
    };
    samples("opened", &[1, 0, 2, 1, 0, 0]);
    samples("malformed", &[2, 0, 2, 1, 0, 0]);
    samples("limit", &[0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0, 2, 1, 0, 0]);
    // Yaw -1 and 1,800; x beyond 32 bits; a frame past the chunk.
    samples("bad_sample", &[1, 0, 2, 1, 1, 0]);
    samples("bad_sample", &[1, 0, 2, 1, 0x90, 0x1C, 0]);
    samples("malformed", &[1, 0, 0x80, 0x80, 0x80, 0x80, 0x10, 1, 0, 0]);
    samples("malformed", &[1, 0xB6, 0x09, 2, 1, 0, 0]);
    samples("opened", &[1, 0xB4, 0x09, 2, 1, 0, 0]);
}

/// Where a field of the header is, tag and length included.
fn field(payload: &[u8], tag: u8) -> core::ops::Range<usize> {
    let mut at = 0;
    while payload[at] != tag {
        at += 2 + usize::from(payload[at + 1]);
    }
    assert!(payload[at + 1] < 0x80);
    at..at + 2 + usize::from(payload[at + 1])
}

/// Opens a run after a change to one field of its header, found by its tag.
#[track_caller]
fn check_field(code: &str, tag: u8, value: Option<&[u8]>) {
    check_payload(code, HEADER, |payload| {
        let field = field(payload, tag);
        let with = value.map(|value| [&[tag, value.len() as u8], value].concat());
        payload
            .splice(field, with.unwrap_or_default())
            .for_each(drop);
    });
}

#[test]
fn a_header_has_one_form_only() {
    // revision 1, seed 5, slots 1 of 2, 60 Hz, 1,000 frames.
    let setup = [1, 5, 0b1001, 120, 0xE8, 0x07];
    let with = |place: usize, value: u8| {
        let mut setup = setup;
        setup[place] = value;
        setup
    };
    check_field("opened", 1, Some(&setup));
    check_field("malformed", 1, Some(&with(2, 0x89)));
    check_field("bad_header", 1, Some(&with(2, 0b1_0001)));
    check_field("bad_header", 1, Some(&with(3, 0)));
    check_field(
        "malformed",
        1,
        Some(&[&setup[..3], &[121, 1, 0xE8, 0x07]].concat()),
    );
    check_field(
        "malformed",
        1,
        Some(&[&setup[..3], &[0xF1, 1, 2, 0xE8, 0x07]].concat()),
    );
    check_field("bad_header", 1, Some(&[&setup[..4], &[0]].concat()));
    check_field(
        "bad_header",
        1,
        Some(&[&setup[..4], &[0xC1, 0x97, 0x0D]].concat()),
    );
    check_field("malformed", 1, Some(&[&setup[..], &[0]].concat()));
    check_field("bad_header", 1, None);
    check_field("bad_header", 2, None);
    check_field("malformed", 2, Some(&[]));
    check_field("malformed", 2, Some(&[0xFF]));
    check_field("bad_header", 3, Some(&[b'x'; 65]));
    check_field("bad_header", 4, Some(&[b'x'; 33]));
    check_field("bad_header", 9, Some(&[0; 31]));
    check_field("malformed", 0x0A, Some(&[2, b'x']));
    check_field("bad_header", 0x0F, Some(&[0; 16]));
    check_field("bad_header", 0x0F, Some(&[1; 17]));
    check_payload("malformed", HEADER, |payload| {
        payload.extend([0x41, 0, 0x41, 0])
    });
    check_payload("malformed", HEADER, |payload| payload.extend([0x05, 1, 1]));
    check_payload("bad_header", HEADER, |payload| {
        (0x50..=0x60).for_each(|tag| payload.extend([tag, 0]));
    });
    check_payload("bad_header", HEADER, |payload| payload.resize(16_385, 0));
}

/// Opens a run after this value was put into its header as meta.
#[track_caller]
fn check_meta(code: &str, value: &[u8]) {
    check_payload(code, HEADER, |payload| {
        let next = field(payload, 0x40).start;
        let length = value.len();
        let sized = match u8::try_from(length) {
            Ok(length @ ..0x80) => vec![0x10, length],
            _ => vec![0x10, length as u8 | 0x80, (length >> 7) as u8],
        };
        payload
            .splice(next..next, [&sized, value].concat())
            .for_each(drop);
    });
}

#[test]
fn meta_has_one_form_only() {
    check_meta("opened", &[1, b'a', 0, 1, b'b', 1, b'x']);
    check_meta("malformed", &[]);
    check_meta("malformed", &[1, b'b', 0, 1, b'a', 0]);
    check_meta("malformed", &[1, b'a', 0, 1, b'a', 0]);
    check_meta("malformed", &[0, 0]);
    check_meta("malformed", &[1, b'a']);
    check_meta("malformed", &[1, b'a', 1, 0xFF]);
    check_meta("malformed", &[1, 0xFF, 0]);
    check_meta("malformed", &[0x81, 0, b'a', 0]);
    check_meta("malformed", &[&[33], &[b'a'; 33][..], &[0]].concat());
    check_meta(
        "malformed",
        &[&[1, b'a', 0x81, 2], &[b'a'; 257][..]].concat(),
    );
    check_meta("opened", &[&[1, b'a', 0x80, 2], &[b'a'; 256][..]].concat());
    let entries = |count: u8| {
        (0..count)
            .flat_map(|n| [1, b'a' + n, 0])
            .collect::<Vec<_>>()
    };
    check_meta("opened", &entries(16));
    check_meta("bad_header", &entries(17));
    check_meta("bad_header", &[0; 1_025]);
}

#[test]
fn options_and_schemas_have_one_form_only() {
    check_field("opened", 8, Some(&[1, b'a', 0]));
    check_field("malformed", 8, Some(&[1, b'b', 0, 1, b'a', 0]));
    check_field("malformed", 8, Some(&[1, b'a', 0, 1, b'a', 0]));
    check_field("malformed", 8, Some(&[0, 0]));
    check_field("bad_header", 8, Some(&[1, b'a', 4]));
    check_field("malformed", 8, Some(&[1, b'a', 2, 0x80, 0]));
    let pad = [2, 1, b'a', 1, b'b', 4, 1, b'x', 1, b'y', 1, b'z', 1, b'w'];
    let with = |place: usize, value: u8| {
        let mut pad = pad;
        pad[place] = value;
        pad
    };
    check_field("opened", 0x0B, Some(&pad));
    check_field("opened", 0x0B, Some(&with(6, 0x41)));
    check_field("malformed", 0x0B, Some(&with(6, 0x81)));
    check_field("malformed", 0x0B, Some(&with(1, 0x41)));
    check_field("bad_header", 0x0B, Some(&with(4, b'a')));
    check_field("malformed", 0x0B, Some(&with(0, 33)));
    check_field("malformed", 0x0B, Some(&pad[..13]));
    let tracks = [10, 0, 2, 1, b'a', 0, 0xC1, b'b', 1, 1, b'h'];
    let with = |place: usize, value: u8| {
        let mut tracks = tracks;
        tracks[place] = value;
        tracks
    };
    check_field("opened", 0x0C, Some(&tracks));
    check_field("bad_header", 0x0C, Some(&with(0, 0)));
    check_field("bad_header", 0x0C, Some(&with(0, 61)));
    check_field("bad_header", 0x0C, Some(&with(1, 3)));
    check_field("bad_header", 0x0C, Some(&with(2, 65)));
    check_field("bad_header", 0x0C, Some(&with(7, b'a')));
    check_field("bad_header", 0x0C, Some(&with(8, 9)));
    check_field("malformed", 0x0C, Some(&with(9, 0x41)));
}

#[test]
fn a_run_records_something() {
    let header = Header {
        inputs: None,
        samples: None,
        ..made::full_header()
    };
    assert_eq!(header.check().unwrap_err().code(), "bad_header");
    check_payload("bad_header", HEADER, |payload| {
        for tag in [0x0B, 0x0C] {
            let field = field(payload, tag);
            payload.drain(field);
        }
    });
}

/// Opens the small run under the default limits with one changed.
#[track_caller]
fn check_limit(code: &str, change: impl FnOnce(&mut Limits)) {
    let mut limits = Limits::default();
    change(&mut limits);
    let opened = Run::open(&plainly(&made::full_run()), &limits);
    assert_eq!(
        opened
            .map(|_| "opened")
            .unwrap_or_else(|error| error.code()),
        code
    );
}

#[test]
fn the_readers_limits_hold() {
    let bytes = plainly(&made::full_run());
    check_limit("opened", |limits| limits.bytes_max = bytes.len());
    check_limit("too_large", |limits| limits.bytes_max = bytes.len() - 1);
    check_limit("opened", |limits| limits.frames_max = 602);
    check_limit("too_many_frames", |limits| limits.frames_max = 601);
    check_limit("opened", |limits| limits.players_max = 2);
    check_limit("limit", |limits| limits.players_max = 1);
    check_limit("opened", |limits| limits.inputs_max = 1_204);
    check_limit("limit", |limits| limits.inputs_max = 1_203);
    check_limit("opened", |limits| limits.tracks_max = 2);
    check_limit("limit", |limits| limits.tracks_max = 1);
    check_limit("opened", |limits| limits.samples_max = 6);
    check_limit("limit", |limits| limits.samples_max = 5);
    check_limit("opened", |limits| limits.marks_max = 2);
    check_limit("limit", |limits| limits.marks_max = 1);
    // Recovery obeys them too, and never passes half a run off as all there was.
    let limits = Limits {
        frames_max: 601,
        ..Limits::default()
    };
    assert_eq!(
        Run::recover(&bytes, &limits).unwrap_err().code(),
        "too_many_frames"
    );
}

#[test]
fn a_chunk_over_a_mebibyte_is_refused() {
    check_payload("too_large", INPUTS, |payload| payload.resize(1 << 19, 0));
    let mut parts = parts();
    parts.insert(1, (0x90, vec![0; (1 << 20) + 1]));
    let opened = Run::open(&assemble(&parts), &Limits::LOCAL);
    assert_eq!(opened.unwrap_err().code(), "malformed");
}

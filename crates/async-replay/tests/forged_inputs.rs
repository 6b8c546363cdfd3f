//! Chunks of L1 and L2 that no writer of ours makes, each checksum right, each refused.
#![allow(clippy::unwrap_used, reason = "tests")]

mod made;

use std::sync::Arc;

use async_core::{Axis, AxisBits, Input, InputSchema};
use async_replay::{Encoding, Inputs, Level, Limits, Prior, Priors, Reader, Run, Seek};
use made::forge::{Part, assemble, take_apart};

const INPUTS: u8 = 2;
const CUT: u8 = 0x20;
const PRIOR: u8 = 0x40;
const RUNS_ON: u8 = 0x80;

fn parts(run: &Run, level: Level, seek: Seek) -> Vec<Part> {
    let encoding = Encoding {
        level,
        seek,
        prior: None,
    };
    take_apart(&run.encode_with(&encoding).unwrap())
}

/// A run of so many frames, and more frames allowed.
fn short(frames: u32) -> Run {
    let mut run = made::plain_run(frames, 7);
    run.header.frames_max = 36_000;
    run
}

/// What a reader says to a file, the whole or frame by frame.
#[track_caller]
fn check(code: &str, parts: &[Part]) {
    let bytes = assemble(parts);
    let opened = Run::open(&bytes, &Limits::default());
    let told = opened.map(|_| "opened");
    assert_eq!(told.unwrap_or_else(|error| error.code()), code);
    let Ok(mut reader) = Reader::open(&bytes, &Limits::default()) else {
        return;
    };
    // A reader finds out when it decodes; what it gives before is what was recorded.
    for frame in 0..reader.frames() {
        if reader.frame(frame).is_err() {
            return;
        }
    }
}

/// Changes the payload of the one chunk of inputs of a run of 200 frames.
#[track_caller]
fn check_payload(code: &str, change: impl Fn(&mut Vec<u8>)) {
    for level in [Level::L1, Level::L2] {
        let mut parts = parts(&short(200), level, Seek::Head);
        assert_eq!(parts[1].0, INPUTS);
        change(&mut parts[1].1);
        check(code, &parts);
    }
}

#[test]
fn the_head_of_a_chunk_has_one_form_only() {
    check_payload("opened", |_| {});
    // Nothing is behind the first segment, so it does not matter whether the model runs on.
    check_payload("opened", |payload| payload[0] |= RUNS_ON);
    check_payload("unknown_model", |payload| payload[0] = 3);
    check_payload("unknown_model", |payload| payload[0] = 0x1F);
    check_payload("malformed", Vec::clear);
    check_payload("malformed", |payload| payload.truncate(1));
    // 0 frames, 200 in three bytes, and 36,001.
    check_payload("malformed", |payload| drop(payload.splice(1..3, [0])));
    check_payload("malformed", |payload| {
        drop(payload.splice(1..3, [0xC8, 0x81, 0]))
    });
    check_payload("malformed", |payload| {
        drop(payload.splice(1..3, [0xA1, 0x99, 0x02]))
    });
}

#[test]
fn segments_have_one_form_only() {
    let cut = |span: &[u8], lengths: &[u8]| {
        let head = [span, lengths].concat();
        move |payload: &mut Vec<u8>| {
            payload[0] |= CUT;
            payload.splice(3..3, head.iter().copied()).for_each(drop);
        }
    };
    // Spans of 0, 49, 200, 201 and 50 frames without room for three lengths.
    check_payload("malformed", cut(&[0], &[]));
    check_payload("malformed", cut(&[49], &[1, 1, 1, 1]));
    check_payload("malformed", cut(&[0xC8, 1], &[]));
    check_payload("malformed", cut(&[0xC9, 1], &[]));
    check_payload("malformed", |payload| {
        payload.truncate(3);
        cut(&[50], &[1, 0])(payload);
    });
    // A segment longer than the chunk, and the longest number there is.
    check_payload("malformed", cut(&[100], &[0x7F]));
    check_payload(
        "malformed",
        cut(
            &[100],
            &[0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1],
        ),
    );
}

#[test]
fn a_code_ends_where_it_says() {
    check_payload("malformed", |payload| payload.push(0));
    check_payload("malformed", |payload| payload.push(1));
    check_payload("malformed", |payload| payload.extend([7; 500]));
}

#[test]
fn few_bytes_hold_few_inputs() {
    let mut idle = short(36_000);
    idle.inputs = Inputs::new(1, vec![Default::default(); 36_000]).unwrap();
    for level in [Level::L1, Level::L2] {
        let mut parts = parts(&idle, level, Seek::None);
        let place = parts.iter().position(|part| part.0 == INPUTS).unwrap();
        check("opened", &parts);
        // Model, frames, and a byte for each 256 questions: one a frame.
        let filled = parts[place].1.len();
        assert_eq!(filled, 4 + 36_000_usize.div_ceil(256));
        assert_eq!(parts[place].1[filled - 1], 0);
        // One byte less, one more, and one that is not zero.
        let mut less = parts.clone();
        less[place].1.pop();
        check("malformed", &less);
        let mut more = parts.clone();
        more[place].1.push(0);
        check("malformed", &more);
        parts[place].1[filled - 1] = 1;
        check("malformed", &parts);
    }
}

#[test]
fn all_chunks_are_coded_alike() {
    let run = short(60);
    let one = |level, seek| parts(&run, level, seek)[1].clone();
    let file = |chunks: [Part; 2]| {
        let mut parts = parts(&run, Level::L2, Seek::Head);
        parts.splice(1..2, chunks).for_each(drop);
        parts
    };
    let first = one(Level::L2, Seek::Head);
    check(
        "malformed",
        &file([first.clone(), one(Level::L1, Seek::Head)]),
    );
    check(
        "malformed",
        &file([first.clone(), one(Level::L0, Seek::Head)]),
    );
    check(
        "malformed",
        &file([one(Level::L0, Seek::Head), first.clone()]),
    );
    check("malformed", &file([first, one(Level::L2, Seek::None)]));
    // Only a file's last segment may be shorter than 50 frames.
    let short = |frames: u32| parts(&short(frames), Level::L2, Seek::Head)[1].clone();
    check("malformed", &file([short(49), short(60)]));
}

#[test]
fn a_prior_stands_in_the_first_chunk_of_l2_only() {
    let run = short(60);
    let prior = Prior::train(&[short(400)]).unwrap();
    let encoding = Encoding {
        level: Level::L2,
        prior: Some(&prior),
        ..Encoding::default()
    };
    let parts = take_apart(&run.encode_with(&encoding).unwrap());
    let priors = Priors::from([(prior.hash(), Arc::new(prior))]);
    let open = |parts: &[Part], priors: &Priors| {
        let opened = Run::open_with(&assemble(parts), &Limits::default(), priors);
        opened.map_or_else(|error| error.code(), |_| "opened")
    };
    assert_eq!(open(&parts, &priors), "opened");
    assert_eq!(open(&parts, &Priors::new()), "missing_prior");
    let mut other = parts.clone();
    other[1].1[1] ^= 1;
    assert_eq!(open(&other, &priors), "missing_prior");
    let mut l1 = parts.clone();
    l1[1].1[0] = PRIOR | 1;
    assert_eq!(open(&l1, &priors), "malformed");
    let mut cut = parts.clone();
    cut[1].1.truncate(8);
    assert_eq!(open(&cut, &priors), "malformed");
    let mut twice = parts.clone();
    twice.insert(1, parts[1].clone());
    assert_eq!(open(&twice, &priors), "malformed");
    // A file that a crash cut off is not taken for whole because its prior is missing.
    let bytes = assemble(&parts[..2]);
    let left = Run::recover_with(&bytes, &Limits::default(), &priors).unwrap();
    assert_eq!(left.whole_frames, 60);
    let left = Run::recover(&bytes, &Limits::default());
    assert_eq!(left.unwrap_err().code(), "missing_prior");
}

#[test]
fn broken_priors_are_refused() {
    let prior = Prior::train(&[short(400)]).unwrap();
    let open = |bytes: &[u8]| {
        let opened = Prior::open(bytes, &Limits::default());
        opened.map_or_else(|error| error.code(), |_| "opened")
    };
    let content = &prior.bytes()[..prior.bytes().len() - 4];
    let sealed = |content: &[u8]| {
        let crc = crc32c::crc32c(content).to_le_bytes();
        open(&[content, &crc].concat())
    };
    assert_eq!(sealed(content), "opened");
    assert_eq!(open(&[]), "not_a_prior");
    assert_eq!(open(b"nothing of the kind"), "not_a_prior");
    for place in 0..prior.bytes().len() {
        let mut bytes = prior.bytes().to_vec();
        bytes[place] ^= 0x10;
        let code = if place < 4 { "not_a_prior" } else { "damaged" };
        assert_eq!(open(&bytes), code, "byte {place}");
        assert_ne!(open(&prior.bytes()[..place]), "opened", "{place} bytes");
    }
    // Magic, version and schema; no lesson, then the heads of lessons.
    let schema = 5 + usize::from(content[4]);
    let with = |lesson: &[u8]| sealed(&[&content[..schema], lesson].concat());
    assert_eq!(with(&[]), "malformed");
    assert_eq!(with(&[0, 1, 1, 5]), "malformed");
    assert_eq!(with(&[9, 1, 1, 5]), "malformed");
    assert_eq!(with(&[1, 0, 0]), "malformed");
    assert_eq!(with(&[1, 1, 9, 5]), "malformed");
    // 400,001 inputs; and 5,120 in a byte.
    assert_eq!(with(&[1, 0x81, 0xB5, 0x18, 1, 5]), "limit");
    assert_eq!(with(&[1, 0x80, 0x28, 1, 5]), "malformed");
    assert_eq!(sealed(&[content, &[0][..]].concat()), "malformed");
}

/// Each lesson makes a reader go through what it has learned, however short it is.
#[test]
fn a_prior_has_at_most_1_024_lessons() {
    let frame = short(1);
    let prior = Prior::train(&vec![frame; 1_100]).unwrap();
    assert!(Prior::open(prior.bytes(), &Limits::default()).is_ok());
    // One frame in which nothing changes is the lesson of fewest bytes.
    let content = &prior.bytes()[..prior.bytes().len() - 4];
    let longer = [content, &[1, 1, 1, 0][..]].concat();
    let crc = crc32c::crc32c(&longer).to_le_bytes();
    let opened = Prior::open(&[longer, crc.to_vec()].concat(), &Limits::default());
    let told = opened.unwrap_err();
    assert_eq!(told.code(), "limit");
    assert!(told.to_string().contains("lessons"), "{told}");
}

/// Inputs that change in every way in every frame ask more questions than any play: no reader
/// answers more than its limits say, nor waits for the end of a segment to find out.
#[test]
fn questions_have_a_limit() {
    let run = restless(3_000);
    let bytes = run.encode_with(&Encoding::default()).unwrap();
    assert_eq!(Run::open(&bytes, &Limits::default()).as_ref(), Ok(&run));
    let limits = Limits {
        inputs_max: 3_000,
        ..Limits::default()
    };
    let told = Run::open(&bytes, &limits).unwrap_err();
    assert_eq!(told.code(), "limit");
    assert!(told.to_string().contains("questions"), "{told}");
    let mut reader = Reader::open(&bytes, &limits).unwrap();
    assert_eq!(reader.frame(2_999).unwrap_err(), told);
}

/// One player who changes 32 buttons and eight wide axes at random in each frame.
fn restless(frames: u32) -> Run {
    let axis = |name: u32| Axis {
        name: name.to_string(),
        bits: AxisBits::Sixteen,
    };
    let buttons = (0..32_u32).map(|name| name.to_string()).collect();
    let mut state = 1_u32;
    let mut number = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 16
    };
    let mut inputs = vec![Input::default(); frames as usize];
    for input in &mut inputs {
        input.buttons = number() << 16 | number();
        input.axes = core::array::from_fn(|_| number() as i16);
    }
    let mut run = short(frames);
    run.header.inputs = InputSchema::new(buttons, (0..8).map(axis).collect()).ok();
    run.inputs = Inputs::new(1, inputs).unwrap();
    run
}

/// A model that stumbled has learned something else: asked again, a reader went on from there, and
/// said otherwise.
#[test]
fn a_broken_head_stays_broken() {
    for frames in [20, 400] {
        let whole = parts(&short(frames), Level::L2, Seek::Head);
        let mut refused = 0;
        for place in 3..whole[1].1.len() {
            let mut parts = whole.clone();
            parts[1].1[place] ^= 0x55;
            let bytes = assemble(&parts);
            let mut reader = Reader::open(&bytes, &Limits::default()).unwrap();
            let mut told = || reader.frame(frames - 1).map(<[Input]>::to_vec);
            let first = told();
            assert_eq!([told(), told()], [first.clone(), first.clone()], "{place}");
            refused += usize::from(first.is_err());
        }
        assert!(refused > 0, "no change was found out");
    }
}

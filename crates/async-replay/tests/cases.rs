//! Failures that players of other games met, each by the row of the list of cases.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod made;

use async_core::FrameRate;
use async_replay::{Encoding, End, EndReason, Error, Header, Inputs, Level, Limits, Run, Writer};
use made::forge;

/// "Incompatible", without a version, for a file that was only cut off.
#[test]
fn case_c1_a_version_is_named_and_a_cut_is_not_a_version() {
    let parts = forge::take_apart(&made::full_run().encode().unwrap());
    let later = forge::assemble_version(9, &parts);
    for error in [
        Run::open(&later, &Limits::default()).unwrap_err(),
        Run::recover(&later, &Limits::default()).unwrap_err(),
        Run::info(&later, &Limits::default()).unwrap_err(),
    ] {
        assert_eq!(error.code(), "wrong_version");
        assert_eq!(
            error.to_string(),
            "the run is in format version 9 and this reader supports 1 \
             (recorded by arena build \"1.2\")"
        );
    }
    // A later version with chunks that we do not know and a header field that we do not know.
    let mut parts = parts;
    parts[0].1.extend([0x70, 1, 1]);
    parts[1] = (0x44, vec![1, 2, 3]);
    let error = Run::open(&forge::assemble_version(2, &parts), &Limits::default()).unwrap_err();
    let Error::WrongVersion {
        recorded, build, ..
    } = error
    else {
        panic!("{error}")
    };
    assert_eq!((recorded, build.as_str()), (2, "1.2"));

    let bytes = made::full_run().encode().unwrap();
    for cut in 4..bytes.len() {
        let code = Run::open(&bytes[..cut], &Limits::default())
            .unwrap_err()
            .code();
        assert_ne!(code, "wrong_version", "{cut}");
    }
}

/// The wrong map was picked by itself: the header names the right one, before anything is decoded.
#[test]
fn case_c2_the_content_hash_is_in_the_header() {
    let run = made::full_run();
    let bytes = run.encode().unwrap();
    let info = Run::info(&bytes, &Limits::default()).unwrap();
    assert_eq!(info.header.content, Some([0xC0; 32]));
    let header = &bytes[..info.header_bytes];
    assert_eq!(
        Run::info(header, &Limits::default()).unwrap().header,
        run.header
    );
    let other = Header {
        content: Some([0xC1; 32]),
        ..run.header.clone()
    };
    assert_ne!(other.ruleset(), run.header.ruleset());
    assert_ne!(
        Run {
            header: other,
            ..run.clone()
        }
        .id(),
        run.id()
    );
}

/// The link dropped and what was stored held only the last 658 frames.
#[test]
fn case_u1_a_run_with_missing_frames_is_refused() {
    let run = made::wild_run();
    // Four play alike: enough that the file goes on behind its head.
    let mut four = run.clone();
    let flat = run.inputs.flat().iter().flat_map(|input| [*input; 4]);
    four.header.players = 4;
    four.inputs = Inputs::new(4, flat.collect()).unwrap();
    let recorded = made::record(&four).finish(four.end, None).unwrap();
    the_rest_is_refused(&four, &recorded.bytes);
    for level in [Level::L0, Level::L1, Level::L2] {
        let encoding = Encoding {
            level,
            ..Encoding::default()
        };
        the_rest_is_refused(&four, &four.encode_with(&encoding).unwrap());
    }
    // And where an end is made up to fit, the name is another.
    let mut short = run.clone();
    short.inputs = Inputs::new(1, run.inputs.flat()[36_000 - 658..].to_vec()).unwrap();
    short.checkpoints.truncate(1);
    short.end.frames = 658;
    assert!(short.check().is_ok());
    assert_ne!(short.id(), run.id());
}

/// Takes each chunk of inputs out in turn, then all but the last.
fn the_rest_is_refused(run: &Run, bytes: &[u8]) {
    let parts = forge::take_apart(bytes);
    assert!(Run::open(bytes, &Limits::default()).is_ok_and(|opened| opened == *run));
    assert!(parts.len() > 4, "{}: many chunks", parts.len());
    let inputs = (1..parts.len()).filter(|place| parts[*place].0 == 2);
    for lost in inputs {
        let mut rest = parts.clone();
        rest.remove(lost);
        let opened = Run::open(&forge::assemble(&rest), &Limits::default());
        assert!(opened.is_err(), "chunk {lost} is missing");
    }
    let last = parts.iter().rfind(|part| part.0 == 2).unwrap();
    let end = parts.last().unwrap();
    let tail = [&parts[0], last, end].map(Clone::clone);
    // Where the model went on from chunks before, what is left makes no sense either.
    let opened = Run::open(&forge::assemble(&tail), &Limits::default());
    let code = opened.unwrap_err().code();
    assert!(matches!(code, "bad_end" | "malformed"), "{code}");
}

/// Ghosts with 0 ticks broke the list; recordings over 100 minutes broke their names.
#[test]
fn case_g5_unfinished_runs_are_marked_and_long_ones_are_fine() {
    let header = made::plain_header();
    let writer = Writer::new(header.clone()).unwrap();
    let opened = Run::open(writer.bytes(), &Limits::default());
    assert_eq!(opened, Err(Error::Unfinished));
    let left = Run::recover(writer.bytes(), &Limits::default()).unwrap();
    assert_eq!(
        (left.whole_frames, left.end, left.cause),
        (0, None, Some(Error::Unfinished))
    );
    let end = End {
        frames: 0,
        score: -1,
        reason: EndReason::Stopped,
        digest: 0,
    };
    assert_eq!(writer.finish(end, None).unwrap_err().code(), "bad_end");

    // 110 minutes at 30 frames a second.
    let mut run = made::plain_run(198_000, 20);
    run.header.rate = FrameRate::hz(30).unwrap();
    let finished = made::record(&run).finish(run.end, None).unwrap();
    let back = Run::open(&finished.bytes, &Limits::LARGEST).unwrap();
    assert_eq!(back.end.frames, 198_000);
    assert_eq!(
        back.header.rate.milliseconds(back.end.frames),
        110 * 60 * 1_000
    );
    assert_eq!(back, run);
}

/// Releases between two segments of a recording were lost.
#[test]
fn case_v10_every_press_and_release_is_in_its_frame() {
    // Around the seams of a recording's chunks (600 frames) and of a finished file's (3,600).
    for seam in [1_u32, 599, 600, 601, 602, 1_200, 3_599, 3_600, 3_601, 3_602] {
        for length in 1..=3 {
            let mut run = made::plain_run(4_000, 4_000);
            for frame in seam..seam + length {
                run.inputs.flat_mut()[frame as usize] = made::input(1, [0, 127, 0, 0]);
            }
            let streamed = made::record(&run);
            let left = Run::recover(streamed.bytes(), &Limits::default()).unwrap();
            made::assert_prefix(&left, &run);
            let finished = streamed.finish(run.end, None).unwrap();
            let back = Run::open(&finished.bytes, &Limits::default()).unwrap();
            assert_eq!(back.inputs, run.inputs, "{length} frames at {seam}");
        }
    }
}

/// What a recorder has handed out may be on disk already: it never changes, it only grows.
#[test]
fn a_recording_grows_at_its_end_only() {
    let run = made::plain_run(3_000, 3);
    let mut writer = Writer::new(run.header.clone()).unwrap();
    let (mut before, mut grown) = (writer.bytes().to_vec(), 0);
    for frame in 0..3_000 {
        writer.frame(run.inputs.frame(frame)).unwrap();
        assert!(writer.bytes().starts_with(&before), "{frame}");
        grown += usize::from(writer.bytes().len() > before.len());
        before = writer.bytes().to_vec();
    }
    assert_eq!(grown, 4, "a group every 600 frames, once the next begins");
}

/// A writer refuses what does not fit, and goes on as if it had not been asked.
#[test]
fn a_writer_refuses_and_goes_on() {
    let run = Run {
        end: End {
            frames: 599,
            ..made::full_run().end
        },
        ..made::full_run()
    };
    let header = Header {
        frames_max: 599,
        ..run.header.clone()
    };
    let mut writer = Writer::new(header).unwrap();
    let mark = |frame| async_replay::Mark {
        frame,
        kind: async_replay::MarkKind::Lap,
        value: 0,
    };
    let code = |result: Result<(), Error>| result.unwrap_err().code();
    let idle = [made::input(0, [0; 4]); 2];
    for frame in 0..599 {
        assert_eq!(code(writer.frame(&idle[..1])), "wrong_order");
        assert_eq!(code(writer.frame(&[])), "wrong_order");
        assert_eq!(
            code(writer.frame(&[made::input(4, [0; 4]), idle[0]])),
            "input_undeclared"
        );
        assert_eq!(
            code(writer.frame(&[idle[0], made::input(0, [0, 128, 0, 0])])),
            "input_undeclared"
        );
        assert_eq!(code(writer.mark(mark(frame + 1))), "wrong_order");
        assert_eq!(code(writer.checkpoint(run.checkpoints[0])), "wrong_order");
        assert_eq!(code(writer.sample(2, &run.tracks[0][0])), "bad_sample");
        assert_eq!(code(writer.sample(1, &run.tracks[0][0])), "bad_sample");
        writer.frame(&idle).unwrap();
    }
    assert_eq!(code(writer.frame(&idle)), "too_many_frames");
    writer.mark(mark(5)).unwrap();
    assert_eq!(code(writer.mark(mark(4))), "wrong_order");
    let finished = writer.finish(run.end, None).unwrap();
    let back = Run::open(&finished.bytes, &Limits::default()).unwrap();
    assert_eq!(
        (back.end.frames, back.marks.len(), back.input_changes()),
        (599, 1, 0)
    );
    assert_eq!(back.id(), finished.id);
}

/// A minute at 60 Hz costs at most 64 bytes beside its texts, its identity and its streams.
#[test]
fn a_minute_costs_at_most_64_bytes() {
    let mut run = made::plain_run(3_600, 30);
    run.header = Header {
        frames_max: 36_000,
        seed: (1 << 53) - 1,
        ..run.header
    };
    run.end.score = 3_600_000;
    let parts = forge::take_apart(&run.encode().unwrap());
    let sizes = |kind: u8| {
        parts
            .iter()
            .filter(move |part| part.0 == kind)
            .map(|part| part.1.len())
    };
    assert_eq!(sizes(2).count(), 1, "one chunk of inputs");
    let file: usize = forge::assemble(&parts).len();
    // Streams: a model and a frame count are overhead; runs and digests are not.
    let streams = sizes(2).sum::<usize>() - 3 + sizes(4).sum::<usize>();
    let game = 2 + "arena".len();
    let schema = 2 + 2 + 2 + "firedash".len() + 4 + "move_xmove_yaim_xaim_y".len();
    assert!(
        file - streams - game - schema <= 64,
        "{}",
        file - streams - game - schema
    );
}

//! What recording and reading allocate, counted. One test, since the counters are the process's.
#![allow(unsafe_code, reason = "a global allocator is an unsafe trait")]
#![allow(clippy::unwrap_used, reason = "tests")]

mod made;

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use async_core::{FrameRate, Input, InputSchema};
use async_replay::{
    Checkpoint, Encoding, End, EndReason, Header, Level, Limits, Mark, MarkKind, Player, Precision,
    Rotation, Run, Sample, SampleSchema, Speed, TrackSchema, Writer,
};
use made::forge;
use proptest::{prelude::*, strategy::ValueTree, test_runner::TestRunner};

struct Counting;

thread_local! {
    // By thread, since the test runner's own allocates at times. Neither lazy nor dropped, so that
    // counting does not allocate itself.
    static CALLS: Cell<usize> = const { Cell::new(0) };
}
static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

fn grown(bytes: usize) {
    CALLS.set(CALLS.get() + 1);
    PEAK.fetch_max(LIVE.fetch_add(bytes, Relaxed) + bytes, Relaxed);
}

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grown(layout.size());
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        grown(layout.size());
        // SAFETY: the caller's promise.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both may be held while one is copied to the other.
        grown(size);
        LIVE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The most bytes held at once during `work`, beyond what was held before.
fn peak(work: impl FnOnce()) -> usize {
    let before = LIVE.load(Relaxed);
    PEAK.store(before, Relaxed);
    work();
    PEAK.load(Relaxed) - before
}

/// The most that an input model takes: its tables have one size for all games.
const MODEL_BYTES: usize = 640 << 10;

#[test]
fn allocations_are_bounded() {
    recording_allocates_nothing_after_its_first_second();
    playing_allocates_nothing_after_the_player_was_made();
    a_tiny_file_cannot_claim_an_hour_of_eight_players_for_free();
    no_file_makes_a_reader_hold_more_than_its_limits();
}

/// Ten minutes of four players with samples, marks and checkpoints, each changing its input ten
/// times a second to what cannot be guessed.
fn recording_allocates_nothing_after_its_first_second() {
    let mut header = made::full_header();
    header.players = 4;
    header.frames_max = 36_000;
    let precision = Precision::Default;
    let tracks = vec![TrackSchema::flat("a"), TrackSchema::solid("b")];
    header.samples = Some(SampleSchema {
        rate_hz: 10,
        tracks,
        precision,
    });
    let mut writer = Writer::new(header).unwrap();
    let (mut warm, mut state) = (0, 1_u32);
    for frame in 0..36_000_u32 {
        if frame == 60 {
            warm = CALLS.get();
        }
        if frame % 6 == 0 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        }
        let at = |slot: u32| {
            let held = state.rotate_left(8 * slot);
            made::input(
                held & 3,
                [(held >> 24) as i16 - 128, 0, held as i16 % 31, 0],
            )
        };
        writer.frame(&[at(0), at(1), at(2), at(3)]).unwrap();
        let frame = frame + 1;
        if frame % 6 == 0 {
            let step = frame as i32;
            let position = [step * 7 % 5_000, -step, 0];
            let mut sample = Sample {
                frame,
                position,
                rotation: Rotation::Yaw(step % 360),
                channels: [0; 8],
                teleport: false,
            };
            writer.sample(0, &sample).unwrap();
            sample.rotation = Rotation::Quaternion([step % 200, 5, -step % 100, 3]);
            writer.sample(1, &sample).unwrap();
        }
        if frame % 600 == 0 {
            writer
                .checkpoint(Checkpoint::of(frame, u64::from(frame)))
                .unwrap();
            writer
                .mark(Mark {
                    frame,
                    kind: MarkKind::Lap,
                    value: 1,
                })
                .unwrap();
        }
    }
    assert_eq!(CALLS.get() - warm, 0, "allocations after the first second");
    let end = End {
        frames: 36_000,
        score: 0,
        reason: EndReason::Finished,
        digest: 0,
    };
    let finished = writer.finish(end, None).unwrap();
    let size = finished.bytes.len();
    assert!(size > 100_000, "{size}: a recording worth the name");
    assert!(
        size < async_replay::RESERVE_BYTES,
        "{size}: larger ones grow, once in a while"
    );
}

/// Both ways, in portions, over laps and marks, with everything that there is to show.
fn playing_allocates_nothing_after_the_player_was_made() {
    let run = made::full_run();
    let mut player = Player::new(&run);
    player.set_repeat(true);
    let before = CALLS.get();
    let (mut marks, mut frames, mut poses) = (0, 0, 0);
    for round in 0..10_000_u32 {
        player.set_speed(Speed::fixed(round as i32 * 97 % 1_048_577 - 524_288));
        player.advance(u64::from(round) * 131);
        marks += player.crossed().count();
        frames += player
            .stretches()
            .map(|it| it.frames().len())
            .sum::<usize>();
        poses += (0..3).filter_map(|track| player.pose(track)).count();
        poses += usize::from(player.input(1).is_some());
        match round % 100 {
            0 => player.seek(round % 602),
            1 => player.restart(),
            2 => marks += usize::from(player.seek_next_mark(|mark| mark.value > 0).is_some()),
            3 => marks += usize::from(player.step(-3).reached.is_some()),
            _ => {}
        }
    }
    assert_eq!(CALLS.get() - before, 0, "allocations while playing");
    assert!(
        marks > 1_000 && frames > 100_000 && poses >= 29_900,
        "{marks} {frames} {poses}"
    );
}

/// Eight players without a single button: the cheapest frames there are.
fn a_tiny_file_cannot_claim_an_hour_of_eight_players_for_free() {
    let mut header = Header::new("g", 1, FrameRate::hz(60).unwrap());
    header.inputs = Some(InputSchema::default());
    header.players = 8;
    let plainly = Encoding {
        level: Level::L0,
        ..Encoding::default()
    };
    let mut run = made::plain_run(1, 1);
    run.inputs = async_replay::Inputs::new(8, vec![Input::default(); 8]).unwrap();
    run.header = header;
    let mut parts = forge::take_apart(&run.encode_with(&plainly).unwrap());
    let end = parts.pop().unwrap();
    // Sixteen columns of two bytes in one chunk of 3,600 frames, as often as an hour needs.
    let mut payload = vec![0, 0x90, 0x1C];
    payload.resize(3 + 8 * 2, 0);
    parts[1].1 = payload;
    for minutes in [1, 10, 60] {
        parts.resize(1 + minutes, parts[1].clone());
        let mut whole = parts.clone();
        let frames = minutes as u32 * 3_600;
        let claimed = End { frames, ..run.end };
        let mut rest = vec![];
        let mut value = claimed.frames << 2;
        while value >= 0x80 {
            rest.push(value as u8 | 0x80);
            value >>= 7;
        }
        rest.push(value as u8);
        rest.extend_from_slice(&end.1[1..]);
        whole.push((end.0, rest));
        let bytes = forge::assemble(&whole);
        assert!(
            bytes.len() > minutes * 24,
            "a minute costs bytes: {}",
            bytes.len()
        );
        let held = peak(|| drop(Run::open(&bytes, &Limits::LARGEST).unwrap()));
        assert!(
            held >= minutes * 3_600 * 8 * 20,
            "{held}: the inputs themselves"
        );
        // The default limits hold ten minutes of eight players and no more.
        let opened = Run::open(&bytes, &Limits::default())
            .map(drop)
            .map_err(|error| error.code());
        assert_eq!(
            opened,
            if minutes <= 10 {
                Ok(())
            } else {
                Err("too_many_frames")
            }
        );
        let held = peak(|| drop(Run::open(&bytes, &Limits::default())));
        assert!(
            held <= 3 * Limits::default().inputs_max * 20,
            "{minutes} minutes: {held}"
        );
    }
}

fn no_file_makes_a_reader_hold_more_than_its_limits() {
    let limits = Limits {
        inputs_max: 1_900,
        samples_max: 500,
        marks_max: 100,
        bytes_max: 20_000,
        ..Limits::default()
    };
    // A list that grows may be held twice over, plus what it grew from; then headers and messages,
    // and an input model with its copy from the end of the head.
    let lists = 3 * (1_900 * 20 + 500 * 72 + 100 * (24 + 8)) + 3 * 20_000;
    let bound = lists + 2 * MODEL_BYTES + 65_536;
    let files = [
        made::full_run().encode().unwrap(),
        made::plain_run(1_900, 3).encode().unwrap(),
    ];
    let change = (any::<u16>(), any::<u16>(), 0_u8..4, any::<u8>());
    let changes = proptest::collection::vec(change, 1..6);
    let raw = proptest::collection::vec(any::<u8>(), 0..200);
    let mut most = 0;
    let mut look = |bytes: &[u8]| {
        let held = peak(|| {
            let _ = Run::open(bytes, &limits);
            let _ = Run::recover(bytes, &limits);
            let _ = Run::info(bytes, &limits);
        });
        most = most.max(held);
        assert!(
            held <= bound,
            "{held} bytes held for a file of {}",
            bytes.len()
        );
    };
    let mut runner = TestRunner::new(ProptestConfig {
        cases: 3_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    for _ in 0..3_000 {
        let strategy = (0..files.len(), &changes, &raw, 0_u8..9);
        let (file, changes, raw, kind) = strategy.new_tree(&mut runner).unwrap().current();
        let mut parts = forge::take_apart(&files[file]);
        for (chunk, place, what, value) in changes {
            let chunk = usize::from(chunk) % parts.len();
            let payload = &mut parts[chunk].1;
            let place = usize::from(place) % payload.len().max(1);
            match what {
                0 => payload
                    .iter_mut()
                    .skip(place)
                    .take(1)
                    .for_each(|byte| *byte = value),
                1 => payload.insert(place.min(payload.len()), value),
                2 => payload.truncate(place),
                _ => parts.insert(chunk, parts[chunk].clone()),
            }
        }
        look(&forge::assemble(&parts));
        parts.truncate(1);
        parts.push((kind, raw));
        look(&forge::assemble(&parts));
        look(&parts[1].1);
    }
    assert!(most >= 1_900 * 20, "{most}: the limits were reached");
}

//! Recording costs the game no allocation per frame after the first second, and neither do ghosts.
#![allow(
    unsafe_code,
    reason = "an allocator that counts can only be written so"
)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use async_client::{GhostOptions, Play, RecordOptions, Session};
use async_core::{Input, autopilot};
use serde_json::{Value, json};

/// The system's allocator, counting for each thread.
struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

fn count_one() {
    // A thread that is ending has no count any more, and needs none.
    let _ = COUNT.try_with(|count| count.set(count.get() + 1));
}

// SAFETY: every call is passed on unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count_one();
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count_one();
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const FRAMES: u32 = 3_000;

/// The frames, after the first second, in which the session allocated.
fn allocating_frames(
    session: &mut Session,
    inputs: &[Vec<Input>],
    mut frame: impl FnMut(&mut Session),
) -> Vec<u32> {
    let mut found = Vec::with_capacity(inputs.len());
    for (number, held) in (0_u32..).zip(inputs) {
        let before = COUNT.get();
        for (slot, input) in (0_u8..).zip(held) {
            session.set_input(slot, *input).unwrap();
        }
        frame(session);
        while session.next_event().is_some() {}
        if COUNT.get() != before && number >= 60 {
            found.push(number);
        }
        // What the host carries out is the host's: it may allocate, once a chunk.
        while session.next_command().is_some() {}
    }
    found
}

/// What autopilots play in a mode.
fn inputs(config: &Value, players: u8) -> Vec<Vec<Input>> {
    let mut session = Session::new(&[("net.async", config.clone())], [1; 32]).unwrap();
    session
        .record_start(&RecordOptions {
            seed: Some(4),
            ..Default::default()
        })
        .unwrap();
    let mut pilots: Vec<_> = (0..players)
        .map(|slot| autopilot("arena", u64::from(slot)).unwrap())
        .collect();
    let mut frames = Vec::new();
    while session.recording() && session.frames() < FRAMES {
        let game = session.game().unwrap();
        let held: Vec<_> = (0..players)
            .zip(&mut pilots)
            .map(|(slot, pilot)| pilot.input(game, slot))
            .collect();
        for (slot, input) in (0_u8..).zip(&held) {
            session.set_input(slot, *input).unwrap();
        }
        session.step().unwrap();
        frames.push(held);
    }
    frames
}

fn config(mode: &str, players: u8, record: &str) -> Value {
    json!({"clock": "host", "players": players, "record": record, "frameHz": 60,
           "gameOptions": {"mode": mode}})
}

#[test]
fn the_counter_counts() {
    let before = COUNT.get();
    drop(std::hint::black_box(Box::new(1)));
    assert_eq!(COUNT.get(), before + 1);
}

#[test]
fn recording_allocates_nothing_per_frame_after_the_first_second() {
    for (mode, players) in [("duel", 4), ("collect", 1), ("race", 2)] {
        for record in ["both", "inputs"] {
            let config = config(mode, players, record);
            let inputs = inputs(&config, players);
            assert!(inputs.len() > 300, "{mode}: {} frames", inputs.len());
            let mut session = Session::new(&[("net.async", config)], [1; 32]).unwrap();
            session
                .record_start(&RecordOptions {
                    seed: Some(4),
                    ..Default::default()
                })
                .unwrap();
            // The frame that ends the run may allocate: it freezes it.
            let all_but_last = &inputs[..inputs.len() - 1];
            let found = allocating_frames(&mut session, all_but_last, |session| {
                session.step().unwrap()
            });
            assert!(session.recording(), "{mode} is still played");
            assert!(
                found.is_empty(),
                "{mode} {record}: frames {found:?} allocated"
            );
        }
    }
}

#[test]
fn frames_by_the_clock_allocate_nothing_either() {
    let config = json!({"gameOptions": {"mode": "collect", "seconds": 60}});
    let mut session = Session::new(&[("net.async", config)], [1; 32]).unwrap();
    session
        .record_start(&RecordOptions {
            seed: Some(4),
            ..Default::default()
        })
        .unwrap();
    let inputs = vec![vec![Input::default()]; 3_000];
    let found = allocating_frames(&mut session, &inputs, |session| {
        session.tick(1.0 / 60.0, None)
    });
    assert!(session.recording());
    assert!(found.is_empty(), "frames {found:?} allocated");
}

#[test]
fn looking_at_256_ghosts_allocates_nothing() {
    let config = config("collect", 1, "both");
    let mut session = Session::new(&[("net.async", config)], [1; 32]).unwrap();
    session
        .record_start(&RecordOptions {
            seed: Some(4),
            ..Default::default()
        })
        .unwrap();
    (0..600).for_each(|_| session.step().unwrap());
    session.record_stop(None).unwrap();
    let run = session.export(None).unwrap().to_vec();
    let load = |session: &mut Session| {
        session
            .load_ghost(&run, GhostOptions::default())
            .unwrap()
            .ghost
    };
    let ghosts: Vec<u64> = (0..256).map(|_| load(&mut session)).collect();
    (0..200).for_each(|_| session.tick(0.0, None));
    for ghost in &ghosts {
        session.play(*ghost, &Play::default()).unwrap();
    }
    session
        .record_start(&RecordOptions {
            seed: Some(4),
            ..Default::default()
        })
        .unwrap();
    let inputs = vec![vec![Input::default()]; 500];
    let found = allocating_frames(&mut session, &inputs, |session| {
        session.step().unwrap();
        for ghost in &ghosts {
            assert!(session.ghost(*ghost, None).unwrap().gap_frames.is_some());
        }
    });
    assert!(found.is_empty(), "frames {found:?} allocated");
}

//! A frame allocates nothing. Counted by thread: the test runner has one of its own.

#![allow(unsafe_code, reason = "a global allocator is an unsafe trait")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "this is test code")]

mod driver;

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};

use driver::{play, setup, start};

struct Counting;

thread_local! {
    // Neither lazy nor dropped, so that counting does not allocate itself.
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call goes to the system's allocator unchanged; the other methods end up here.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.set(CALLS.get() + 1);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn no_frame_allocates() {
    for (mode, players) in [("collect", 3), ("race", 2), ("duel", 8)] {
        let setup = setup(mode, players, 60, 2);
        let inputs = play(&mut start(&setup), 2_000);
        let mut simulation = start(&setup);
        let before = CALLS.get();
        for frame in &inputs {
            simulation.step(frame).unwrap();
        }
        assert_eq!(CALLS.get(), before, "{mode}");
        assert!(simulation.frame() > 1_000);
    }
}

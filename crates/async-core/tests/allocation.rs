//! A frame allocates nothing. One test, since the counter is the process's.

#![allow(unsafe_code, reason = "a global allocator is an unsafe trait")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "this is test code")]

mod driver;

use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use driver::{play, setup, start};

struct Counting;

static CALLS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator unchanged; the other methods end up here.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.fetch_add(1, Relaxed);
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
        let before = CALLS.load(Relaxed);
        for frame in &inputs {
            simulation.step(frame).unwrap();
        }
        assert_eq!(CALLS.load(Relaxed), before, "{mode}");
        assert!(simulation.frame() > 1_000);
    }
}

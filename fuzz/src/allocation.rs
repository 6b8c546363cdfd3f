//! An allocator that ends the process once more memory is alive than any reader of a small file
//! has a use for.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The most that may be alive at once, in bytes. The fuzzer's own memory is not counted.
const LIVE_BYTES_MAX: usize = 16_000_000;

#[global_allocator]
static BOUNDED: Bounded = Bounded;
static LIVE_BYTES: AtomicUsize = AtomicUsize::new(0);

struct Bounded;

fn grow(bytes: usize) {
    let live = LIVE_BYTES.fetch_add(bytes, Relaxed).saturating_add(bytes);
    if live > LIVE_BYTES_MAX {
        // Neither line allocates; the fuzzer keeps the input as that of a crash.
        let _ = std::io::stderr().write_all(b"more than 16 MB are allocated\n");
        std::process::abort();
    }
}

fn shrink(bytes: usize) {
    LIVE_BYTES.fetch_sub(bytes, Relaxed);
}

// SAFETY: every call goes to the system's allocator as it came; the rest only counts.
unsafe impl GlobalAlloc for Bounded {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        // SAFETY: the caller keeps the same contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        // SAFETY: the caller keeps the same contract.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        shrink(layout.size());
        // SAFETY: the caller keeps the same contract.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Old and new may be alive at once while the content moves.
        grow(size);
        shrink(layout.size());
        // SAFETY: the caller keeps the same contract.
        unsafe { System.realloc(block, layout, size) }
    }
}

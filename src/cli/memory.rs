//! Memory that is not there: the program says so, and ends with the exit code of a failure that may
//! be retried.
//!
//! Rust's own answer is to abort, with a code that says "bug". The lists and tables of an engine
//! take nearly all memory, but when it runs short, a line of text may be what finds none: no place
//! of its own can be asked beforehand. So the allocator of the program looks at what the system's
//! returns.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::{IsTerminal, Write, stderr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The system's allocator, except that the program ends where that has nothing to give.
pub struct Allocator;

// SAFETY: each function passes what it is given on to the same function of `System`, so its caller
// keeps the promises that `System` needs. It returns what `System` returns, or does not return.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        or_end(unsafe { System.alloc(layout) })
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        or_end(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        or_end(unsafe { System.realloc(memory, layout, size) })
    }
}

#[inline]
fn or_end(memory: *mut u8) -> *mut u8 {
    if memory.is_null() {
        end();
    }
    memory
}

/// Ends the program; asks for no memory. What is on record stays there.
#[cold]
fn end() -> ! {
    /// Whether a thread is at it already.
    static ENDING: AtomicBool = AtomicBool::new(false);
    while ENDING.swap(true, Ordering::SeqCst) {
        std::thread::sleep(Duration::from_secs(1));
    }
    let mut stderr = stderr();
    if stderr.is_terminal() {
        // There may be a bar on the line.
        let _ = stderr.write_all(b"\r\x1b[K");
    }
    let _ =
        stderr.write_all(b"queencount: out of memory; try a smaller --memory or fewer --threads\n");
    signal_hook::low_level::exit(1)
}

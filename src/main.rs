//! The `queencount` program: its allocator, and a call to [`queencount::cli`].

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::{IsTerminal, Write, stderr};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

fn main() -> ExitCode {
    queencount::cli::run(std::env::args_os())
}

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

/// The system allocator, except that the program exits with code 1 when memory runs out. A
/// scheduler can then retry the job. Every allocation is checked, because the one that fails may be
/// small. In the library, only long lists report an error, for programs with another allocator.
struct Allocator;

// SAFETY: each function passes its arguments to the same function of `System`, and either returns
// the same value or never returns.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of this function, which is that of `System`.
        or_exit(unsafe { System.alloc(layout) })
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of this function, which is that of `System`.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of this function, which is that of `System`.
        or_exit(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the contract of this function, which is that of `System`.
        or_exit(unsafe { System.realloc(memory, layout, size) })
    }
}

#[inline]
fn or_exit(memory: *mut u8) -> *mut u8 {
    if memory.is_null() {
        exit_out_of_memory();
    }
    memory
}

/// Does not allocate. Finished tasks are not lost, because they are already in the record.
///
/// Only the first thread that fails writes the message. It may have to wait for another one that
/// holds stderr and then fails, too, so that one ends the program after a while.
#[cold]
fn exit_out_of_memory() -> ! {
    static EXITING: AtomicBool = AtomicBool::new(false);
    if EXITING.swap(true, Ordering::SeqCst) {
        std::thread::sleep(Duration::from_secs(1));
        signal_hook::low_level::exit(1);
    }
    let mut stderr = stderr();
    if stderr.is_terminal() {
        // Erase the progress bar.
        let _ = stderr.write_all(b"\r\x1b[K");
    }
    let _ =
        stderr.write_all(b"queencount: out of memory; try a smaller --memory or fewer --threads\n");
    signal_hook::low_level::exit(1)
}

//! The end of the interpreter.
//!
//! From then on, Python ends each thread, other than the main thread, that takes the interpreter's
//! lock. Up to Python 3.13, it unwinds the thread's stack, which crashes if there are functions of
//! this module between a callback and its caller. Daemon threads may be running such calls.
//! Therefore a hook, which Python calls before its end, cancels the running calls of all other
//! threads, and waits until they are no longer executing Python code. These calls never return.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use pyo3::prelude::*;

const PERIOD: Duration = Duration::from_millis(10);

/// A callback may wait for something that never happens, and then it is harmless.
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// The main thread, once the interpreter is ending.
static ENDING: OnceLock<ThreadId> = OnceLock::new();

static RUNNING: AtomicUsize = AtomicUsize::new(0);

/// A call that may execute Python code while it runs.
pub(crate) struct Call(());

impl Call {
    /// Requires the interpreter's lock, so that the hook either sees this call or is seen by it.
    pub(crate) fn new(_: Python<'_>) -> Self {
        RUNNING.fetch_add(1, Ordering::SeqCst);
        Self(())
    }

    /// Returns whether the call must not execute Python code any more.
    pub(crate) fn must_end(&self) -> bool {
        ENDING
            .get()
            .is_some_and(|main| *main != thread::current().id())
    }

    /// Waits until the process exits.
    pub(crate) fn wait_for_exit(self) -> ! {
        drop(self);
        loop {
            thread::park();
        }
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        RUNNING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Ends the calls of all other threads.
#[pyfunction]
fn end_calls(py: Python<'_>) -> PyResult<()> {
    ENDING.get_or_init(|| thread::current().id());
    let start = Instant::now();
    while RUNNING.load(Ordering::SeqCst) > 0 && start.elapsed() < LONGEST_WAIT {
        py.detach(|| thread::sleep(PERIOD));
        py.check_signals()?;
    }
    Ok(())
}

/// Makes Python call the hook before it ends.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let hook = wrap_pyfunction!(end_calls, module)?;
    let atexit = module.py().import("atexit")?;
    atexit.call_method1("register", (hook,)).map(drop)
}

//! Watching a count: signals become exceptions, exceptions end the count.
//!
//! Python runs the handler of a signal when its main thread asks for it, and a thread inside of a count never asks. So
//! the count goes to a thread of its own. The thread that called looks up a hundred times a second: it takes the
//! interpreter's lock, lets pending handlers run, and releases the lock again. In this way Ctrl-C raises
//! KeyboardInterrupt, and any exception of a handler or a callback ends the count.

use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use queencount::{CountError, Stop};

use crate::progress::Progress;

/// The time between two looks.
const PERIOD: Duration = Duration::from_millis(10);

/// The number of looks for each that reports progress.
const LOOKS: u32 = 10;

/// Does `work` while Python's other threads run. Now and then pending signal handlers run and the progress is reported.
/// When one of these raises, the work is asked to stop.
///
/// # Errors
/// The exception of a signal handler or of the callback, or one that says what kept the count from its result.
///
/// # Panics
/// When `work` does.
pub fn watch<T: Send>(
    py: Python<'_>,
    progress: &Progress,
    work: impl FnOnce(&Stop) -> Result<T, CountError> + Send,
) -> PyResult<T> {
    let stop = &Stop::new();
    let result = py.detach(|| {
        thread::scope(|scope| {
            let (done, result) = sync_channel(1);
            // Nobody listens any more once the count has been stopped.
            thread::Builder::new()
                .spawn_scoped(scope, move || drop(done.send(work(stop))))
                .map_err(|error| PyRuntimeError::new_err(format!("cannot start a thread: {error}")))?;
            let mut looks = 0;
            loop {
                match result.recv_timeout(PERIOD) {
                    Ok(result) => return result.map_err(exception),
                    Err(RecvTimeoutError::Timeout) => looks += 1,
                    Err(RecvTimeoutError::Disconnected) => panic!("the count panicked"),
                }
                let look = |py: Python<'_>| {
                    py.check_signals()?;
                    if looks % LOOKS == 0 { progress.report(py) } else { Ok(()) }
                };
                Python::attach(look).inspect_err(|_| stop.request())?;
            }
        })
    })?;
    progress.end(py)?;
    Ok(result)
}

/// The exception for what keeps a count from its result.
fn exception(error: CountError) -> PyErr {
    match error {
        CountError::Size(_) | CountError::Classes(_) => PyValueError::new_err(error.to_string()),
        _ => PyRuntimeError::new_err(error.to_string()),
    }
}

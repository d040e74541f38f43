//! Watching a count: signals become exceptions, exceptions end the count.
//!
//! Python runs the handler of a signal when its main thread asks for it, and a thread inside of a
//! count never asks. So the count goes to a thread of its own. The thread that called looks up a
//! hundred times a second: it takes the interpreter's lock, lets pending handlers run, and releases
//! the lock again. In this way Ctrl-C raises KeyboardInterrupt, and any exception of a handler or a
//! callback ends the count. An event that another thread sets is seen in the same way.

use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use queencount::CancelToken;

use crate::errors::Stopped;
use crate::progress::Progress;

/// The time between two looks.
const PERIOD: Duration = Duration::from_millis(10);

/// The number of looks for each that reports progress.
const LOOKS: u32 = 10;

/// Does `work` while Python's other threads run. Now and then pending signal handlers run, the
/// event is looked at, and the progress is reported. When one of these raises, or the event is set,
/// the work is asked to stop.
///
/// # Errors
/// The exception of the work, of a signal handler or of the callback, or `Stopped`.
///
/// # Panics
/// When `work` does.
pub fn watch<T: Send>(
    py: Python<'_>,
    progress: &Progress,
    event: Option<Py<PyAny>>,
    work: impl FnOnce(&CancelToken) -> PyResult<T> + Send,
) -> PyResult<T> {
    let event = event.as_ref();
    // Nothing is begun that has been called off before.
    look_at(py, event)?;
    let stop = &CancelToken::new();
    let result = py.detach(|| {
        thread::scope(|scope| {
            let (done, result) = sync_channel(1);
            // Nobody listens any more once the count has been stopped.
            thread::Builder::new()
                .spawn_scoped(scope, move || drop(done.send(work(stop))))
                .map_err(|error| {
                    PyRuntimeError::new_err(format!("cannot start a thread: {error}"))
                })?;
            let mut looks = 0;
            loop {
                match result.recv_timeout(PERIOD) {
                    Ok(result) => return result,
                    Err(RecvTimeoutError::Timeout) => looks += 1,
                    Err(RecvTimeoutError::Disconnected) => panic!("the count panicked"),
                }
                let look = |py: Python<'_>| {
                    py.check_signals()?;
                    look_at(py, event)?;
                    if looks % LOOKS == 0 {
                        progress.report(py, false)
                    } else {
                        Ok(())
                    }
                };
                Python::attach(look).inspect_err(|_| stop.cancel())?;
            }
        })
    })?;
    progress.report(py, true)?;
    Ok(result)
}

/// Raises `Stopped` if the event is set.
fn look_at(py: Python<'_>, event: Option<&Py<PyAny>>) -> PyResult<()> {
    let Some(event) = event else { return Ok(()) };
    if event.call_method0(py, "is_set")?.is_truthy(py)? {
        return Err(Stopped::new_err("stopped before there was a result"));
    }
    Ok(())
}

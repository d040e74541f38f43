//! Watching a count: signals become exceptions, and exceptions end the count.
//!
//! Python runs signal handlers between two instructions of its main thread, which executes none
//! during a count. Therefore the count runs on a separate thread, without the interpreter's lock.
//! The calling thread takes the lock a hundred times per second. It lets pending handlers run, so
//! that Ctrl-C raises KeyboardInterrupt, and checks the event.

use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use queencount::CancelToken;

use crate::errors::Stopped;
use crate::progress::Progress;

const PERIOD: Duration = Duration::from_millis(10);

const CHECKS_PER_REPORT: u32 = 10;

/// Runs `work` while Python's other threads run, and reports its progress to the callback. Cancels
/// it if a signal handler or the callback raises an exception, or if the event is set.
pub(crate) fn watch<T: Send>(
    py: Python<'_>,
    callback: Option<Py<PyAny>>,
    event: Option<Py<PyAny>>,
    work: impl FnOnce(&Progress, &CancelToken) -> PyResult<T> + Send,
) -> PyResult<T> {
    let progress = &Progress::new(callback);
    let event = event.as_ref();
    check_event(py, event)?;
    let stop = &CancelToken::new();
    let result = py.detach(|| {
        thread::scope(|scope| {
            let (done, result) = sync_channel(1);
            // Sending fails if the count was cancelled, because the receiver is gone.
            thread::Builder::new()
                .spawn_scoped(scope, move || drop(done.send(work(progress, stop))))
                .map_err(|error| {
                    PyRuntimeError::new_err(format!("cannot start a thread: {error}"))
                })?;
            let mut checks = 0;
            loop {
                match result.recv_timeout(PERIOD) {
                    Ok(result) => return result,
                    Err(RecvTimeoutError::Timeout) => checks += 1,
                    Err(RecvTimeoutError::Disconnected) => panic!("the count panicked"),
                }
                Python::attach(|py| {
                    py.check_signals()?;
                    check_event(py, event)?;
                    if checks % CHECKS_PER_REPORT == 0 {
                        progress.report(py, false)
                    } else {
                        Ok(())
                    }
                })
                .inspect_err(|_| stop.cancel())?;
            }
        })
    })?;
    progress.report(py, true)?;
    Ok(result)
}

fn check_event(py: Python<'_>, event: Option<&Py<PyAny>>) -> PyResult<()> {
    let Some(event) = event else { return Ok(()) };
    if event.call_method0(py, "is_set")?.is_truthy(py)? {
        return Err(Stopped::new_err("stopped before finishing"));
    }
    Ok(())
}

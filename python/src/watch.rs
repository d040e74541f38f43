//! Watching a count: signals become exceptions, and exceptions end the count.
//!
//! Python runs signal handlers between two instructions of its main thread, which executes none
//! during a count. Therefore the count runs on a separate thread, without the interpreter's lock.
//! The calling thread takes the lock a hundred times per second. It lets pending handlers run, so
//! that Ctrl-C raises KeyboardInterrupt, and checks the event, unless the interpreter is
//! [ending](crate::ending).

use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use queencount::CancelToken;

use crate::ending::Call;
use crate::errors::Stopped;
use crate::progress::Progress;

const PERIOD: Duration = Duration::from_millis(10);

const CHECKS_PER_REPORT: u32 = 10;

/// Runs `work` while Python's other threads run, and reports its progress to the callback. Cancels
/// it if a signal handler or the callback raises an exception, if the event is set, or if the
/// interpreter is ending; then it does not return.
pub(crate) fn watch<T: Send>(
    py: Python<'_>,
    callback: Option<Py<PyAny>>,
    event: Option<Py<PyAny>>,
    work: impl FnOnce(&Progress, &CancelToken) -> PyResult<T> + Send,
) -> PyResult<T> {
    let progress = &Progress::new(callback);
    let event = event.as_ref();
    check_type(py, event)?;
    check_event(py, event)?;
    let call = Call::new(py);
    let stop = &CancelToken::new();
    let result = py.detach(|| {
        let result = thread::scope(|scope| {
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
                    Ok(result) => return result.map(Some),
                    Err(RecvTimeoutError::Timeout) => checks += 1,
                    Err(RecvTimeoutError::Disconnected) => panic!("the count panicked"),
                }
                if call.must_end() {
                    stop.cancel();
                    return Ok(None);
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
        });
        match result {
            Ok(Some(result)) => Ok((result, call)),
            Ok(None) => call.wait_for_exit(),
            Err(error) => Err(error),
        }
    });
    let (result, _call) = result?;
    progress.report(py, true)?;
    Ok(result)
}

/// A wrong type would not be noticed before the end of a short count.
fn check_type(py: Python<'_>, event: Option<&Py<PyAny>>) -> PyResult<()> {
    let Some(event) = event else { return Ok(()) };
    let event = event.bind(py);
    if event
        .getattr("is_set")
        .is_ok_and(|is_set| is_set.is_callable())
    {
        return Ok(());
    }
    Err(PyTypeError::new_err(format!(
        "expected an event with a method is_set for 'stop', found {}",
        event.get_type().name()?
    )))
}

fn check_event(py: Python<'_>, event: Option<&Py<PyAny>>) -> PyResult<()> {
    let Some(event) = event else { return Ok(()) };
    if event.call_method0(py, "is_set")?.is_truthy(py)? {
        return Err(Stopped::new_err("stopped before finishing"));
    }
    Ok(())
}

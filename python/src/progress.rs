//! Progress: the sums of the finished tasks of a count, reported to a callback.

use std::sync::Mutex;

use pyo3::prelude::*;
use queencount::Task;

pub(crate) struct Progress {
    callback: Option<Py<PyAny>>,
    sums: Mutex<Sums>,
}

#[derive(Clone, Copy, Default)]
struct Sums {
    /// The completed fraction of the work.
    work: f64,
    found: u128,
}

impl Progress {
    pub(crate) fn new(callback: Option<Py<PyAny>>) -> Self {
        Self {
            callback,
            sums: Mutex::default(),
        }
    }

    /// Returns a function that adds up tasks whose work sums to `whole`.
    pub(crate) fn adder(&self, whole: f64) -> impl Fn(&Task) + Sync {
        move |task| {
            let mut sums = self.sums.lock().expect("nobody panics with the lock");
            sums.work += task.work / whole;
            sums.found += task.count;
        }
    }

    /// Sets the finished fraction of the work.
    pub(crate) fn reach(&self, work: f64) {
        self.sums.lock().expect("nobody panics with the lock").work = work;
    }

    /// Calls the callback. At the end, the reported fraction is 1.
    pub(crate) fn report(&self, py: Python<'_>, ended: bool) -> PyResult<()> {
        let Some(callback) = &self.callback else {
            return Ok(());
        };
        let Sums { work, found } = *self.sums.lock().expect("nobody panics with the lock");
        // Rounding may make the sum differ from 1.
        let work = if ended { 1.0 } else { work.min(1.0) };
        callback.call1(py, (work, found)).map(drop)
    }
}

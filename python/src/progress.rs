//! Progress: the sums of the finished tasks of a count, and the callback that is told of them.

use std::ops::Range;
use std::sync::Mutex;

use pyo3::prelude::*;
use queencount::{CountError, Counter, Engine, Task};

/// The progress of a count, and the callback that is told of it.
pub struct Progress {
    callback: Option<Py<PyAny>>,
    sums: Mutex<Sums>,
}

/// The sums of the finished tasks: the share of the work, and the number of solutions.
#[derive(Clone, Copy, Default)]
struct Sums {
    work: f64,
    found: u128,
}

impl Progress {
    /// Nothing is done yet.
    pub fn new(callback: Option<Py<PyAny>>) -> Self {
        Self {
            callback,
            sums: Mutex::default(),
        }
    }

    /// Counts all units of an engine, and adds up its tasks.
    pub fn count(&self, counter: Counter<'_>, engine: &dyn Engine) -> Result<u128, CountError> {
        counter
            .on_task(&self.adder(engine, std::iter::once(0..engine.units())))
            .count(engine)
    }

    /// What adds up tasks that are made of these units.
    pub fn adder(
        &self,
        engine: &dyn Engine,
        units: impl Iterator<Item = Range<u64>>,
    ) -> impl Fn(&Task) + Sync {
        let whole: f64 = units.map(|units| engine.work(units)).sum();
        move |task| {
            let mut sums = self.sums.lock().expect("nobody panics with the lock");
            sums.work += task.work / whole;
            sums.found += task.count;
        }
    }

    /// Calls back, at the end with all of the work.
    pub fn report(&self, py: Python<'_>, ended: bool) -> PyResult<()> {
        let Some(callback) = &self.callback else {
            return Ok(());
        };
        let Sums { work, found } = *self.sums.lock().expect("nobody panics with the lock");
        // A sum of shares has been rounded.
        let work = if ended { 1.0 } else { work.min(1.0) };
        callback.call1(py, (work, found)).map(drop)
    }
}

//! Results with several fields become the data classes of `queencount._results`.

use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use queencount::Engine;
use queencount::estimate::Interval;

/// An estimate of a count by an engine, on a number of threads.
pub fn estimate<'py>(
    py: Python<'py>,
    total: Interval,
    seconds: Interval,
    threads: usize,
    engine: &dyn Engine,
) -> PyResult<Bound<'py, PyAny>> {
    let [total, seconds] = [total, seconds].map(|Interval { mean, margin }| result(py, "Interval", (mean, margin)));
    let n = engine.size().get();
    result(py, "Estimate", (n, total?, seconds?, engine.memory(threads), threads, engine.name()))
}

/// The result of this class.
fn result<'py>(py: Python<'py>, class: &str, fields: impl PyCallArgs<'py>) -> PyResult<Bound<'py, PyAny>> {
    py.import("queencount._results")?.getattr(class)?.call1(fields)
}

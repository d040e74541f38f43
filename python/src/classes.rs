//! `classes`: the solutions of a board, classified by symmetry.

use pyo3::prelude::*;
use pyo3::types::IntoPyDict;
use queencount::Counter;

use crate::arguments::{Count, Memory, Size};
use crate::results::Object;
use crate::watch::watch;
use crate::{arguments, errors, results};

/// Count the solutions by symmetry, including the fundamental solutions.
///
/// A solution and its rotations and reflections form an orbit. The number of orbits is computed
/// from the numbers of all solutions and of the solutions unchanged by a rotation. Counting these
/// takes little time.
///
/// Args:
///     total: The number of all solutions, if known; otherwise they are counted.
///     n, threads, engine, kernel, memory, device, stop: See `count`.
///     progress: See `count`. The work is the count of all solutions or, if `total` is given, of
///         the solutions unchanged by a rotation.
///
/// Raises:
///     ValueError: As in `count`; or `total` is impossible.
///     Stopped, RuntimeError, MemoryError: As in `count`.
///
/// Examples:
///     >>> queencount.classes(8).fundamental
///     12
#[pyfunction]
#[pyo3(signature = (
    n, *, total = None, threads = 0, engine = "auto", kernel = "auto", memory = None,
    device = "cpu", progress = None, stop = None
))]
pub(crate) fn classes<'py>(
    py: Python<'py>,
    n: Size,
    total: Option<Count>,
    #[pyo3(from_py_with = arguments::threads)] threads: usize,
    engine: &str,
    kernel: &str,
    memory: Option<Memory>,
    device: &str,
    progress: Option<Py<PyAny>>,
    stop: Option<Py<PyAny>>,
) -> PyResult<Object<'py>> {
    let (engine, options) = arguments::engine(engine, kernel, memory, arguments::devices(device)?)?;
    let classes = watch(py, progress, stop, |progress, stop| {
        let counter = Counter::new().threads(threads).stop(stop);
        let classes = match total {
            // The counts for the half turn and the quarter turn have a work of 1 each.
            Some(total) => counter.on_task(&progress.adder(2.0)).classes(n.0, total.0),
            None => counter
                .on_task(&progress.adder(1.0))
                .count(&engine.build(n.0, options))
                .and_then(|total| counter.classes(n.0, total)),
        };
        classes.map_err(errors::from_count)
    })?;
    let orbits = [1, 2, 4, 8].map(|size| (size, classes.orbits(size)));
    let fields = (
        classes.size.get(),
        classes.total,
        classes.fundamental(),
        classes.half_turn,
        classes.quarter_turn,
        orbits.into_py_dict(py)?,
    );
    results::new(py, "Classes", fields)
}

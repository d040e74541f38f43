//! `classes`: the solutions of a board, classified by symmetry.

use pyo3::prelude::*;
use queencount::Counter;

use crate::arguments::{Count, Memory, Size};
use crate::results::Classes;
use crate::watch::watch;
use crate::{arguments, errors};

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
pub(crate) fn classes(
    py: Python<'_>,
    n: Size,
    total: Option<Count>,
    #[pyo3(from_py_with = arguments::threads)] threads: usize,
    engine: &str,
    kernel: &str,
    memory: Option<Memory>,
    device: &str,
    progress: Option<Py<PyAny>>,
    stop: Option<Py<PyAny>>,
) -> PyResult<Classes> {
    let (engine, options) = arguments::engine(engine, kernel, memory, arguments::devices(device)?)?;
    watch(py, progress, stop, |progress, stop| {
        let counter = Counter::new().threads(threads).stop(stop);
        let classes = match total {
            // The counts for the half turn and the quarter turn have a work of 1 each.
            Some(total) => counter.on_task(&progress.adder(2.0)).classes(n.0, total.0),
            None => counter
                .on_task(&progress.adder(1.0))
                .count(&engine.build(n.0, options))
                .and_then(|total| counter.classes(n.0, total)),
        };
        classes.map(Classes::from).map_err(errors::from_count)
    })
}

//! `count` and `published`.

use pyo3::prelude::*;
use queencount::Counter;

use crate::arguments::{Memory, Size};
use crate::watch::watch;
use crate::{arguments, errors};

/// Count the ways to place n nonattacking queens on an n x n board.
///
/// The result is counted, never looked up. The time grows about eightfold from n to n + 1. Other
/// Python threads keep running, and Ctrl-C stops the count within milliseconds.
///
/// Args:
///     n: The number of rows, 1 to 32.
///     threads: The number of threads; 0 means one per CPU.
///     engine: "backtrack" or "rows"; "auto" selects the faster engine for the board.
///     kernel: The SIMD kernel for "rows"; "auto" selects the fastest one that this CPU supports.
///     memory: The approximate number of bytes per thread of "rows"; None means 256 MiB.
///     device: Where to run "rows": "cpu"; "gpu" for all GPUs, fed by all threads; "gpu:0,1" for
///         the GPUs with these numbers; "gpu:NAME" for the device with this full name (see
///         `devices`); "auto" for all GPUs and the CPU, which continues if a GPU fails. The
///         CPU counts the units that are too large for a device, and boards smaller than N = 12,
///         unless the engine is "rows".
///     progress: A function that the calling thread calls about ten times per second and once at
///         the end. Its arguments are the completed fraction of the work and the number of
///         solutions so far. If it raises an exception, the count stops.
///     stop: An event, such as a `threading.Event`. When it is set, the count stops.
///
/// Raises:
///     ValueError: An argument is out of range or unknown, or "backtrack" does not support it.
///     TypeError: An argument has the wrong type.
///     Stopped: The event was set.
///     RuntimeError: The threads cannot be started.
///     MemoryError: There is not enough memory for the lists of "rows".
///
/// Examples:
///     >>> queencount.count(12, threads=2, engine="backtrack")
///     14200
#[pyfunction]
#[pyo3(signature = (
    n, *, threads = 0, engine = "auto", kernel = "auto", memory = None, device = "cpu",
    progress = None, stop = None
))]
pub(crate) fn count(
    py: Python<'_>,
    n: Size,
    #[pyo3(from_py_with = arguments::threads)] threads: usize,
    engine: &str,
    kernel: &str,
    memory: Option<Memory>,
    device: &str,
    progress: Option<Py<PyAny>>,
    stop: Option<Py<PyAny>>,
) -> PyResult<u128> {
    let (engine, options) = arguments::engine(engine, kernel, memory, arguments::devices(device)?)?;
    watch(py, progress, stop, |progress, stop| {
        Counter::new()
            .threads(threads)
            .stop(stop)
            .on_task(&progress.adder(1.0))
            .count(&engine.build(n.0, options))
            .map_err(errors::from_count)
    })
}

/// Return the published number of solutions (OEIS A000170), or None for n > 27.
///
/// It is only for comparison: `count` never uses it.
///
/// Examples:
///     >>> queencount.published(12) == queencount.count(12)
///     True
#[pyfunction]
pub(crate) fn published(#[pyo3(from_py_with = arguments::digits)] n: String) -> Option<u128> {
    n.parse().ok().and_then(queencount::oeis_a000170)
}

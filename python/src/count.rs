//! `count` and `published`.

#![deny(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "counts are exact"
)]

use pyo3::prelude::*;
use queencount::{BoardSize, Counter};

use crate::progress::Progress;
use crate::watch::watch;
use crate::{arguments, errors};

/// Count the ways to place n nonattacking queens on an n x n board.
///
/// The solutions are counted on all CPUs, and the result is never looked up. The time grows about
/// eightfold from n to n + 1. During the count, other Python threads keep running. Ctrl-C stops the
/// count within milliseconds.
///
/// Args:
///     n: The number of rows, 1 to 32.
///     threads: The number of threads; 0 means one per CPU.
///     engine: "auto" selects the engine that is faster for the board; "backtrack" is the reference
///         engine; "rows" combines half-boards above and below a few middle rows.
///     kernel: The name of the SIMD kernel for "rows"; "auto" selects the fastest kernel that this
///         CPU supports.
///     memory: The approximate number of bytes that each thread of "rows" may use; None means 256
///         MiB.
///     device: Where to run "rows". "cpu" means the CPU; "gpu" means all GPUs, fed by all threads;
///         "gpu:0,1" means the GPUs with these numbers; "gpu:NAME" means the device with this full
///         name (see `devices`); "auto" means all GPUs and the CPU. Units that a device cannot
///         count are counted on the CPU. Boards smaller than N = 12 are counted on the CPU unless
///         the engine is "rows".
///     progress: A function to call about ten times per second and once at the end, on the calling
///         thread. Its arguments are the completed fraction of the work, from 0.0 to 1.0, and the
///         number of solutions so far. If it raises an exception, the count stops.
///     stop: An event, such as a `threading.Event`. When it is set, the count stops and raises
///         `Stopped`.
///
/// Returns:
///     The number of solutions.
///
/// Raises:
///     ValueError: An argument is out of range or unknown, or "backtrack" does not support it.
///     Stopped: The event was set.
///     RuntimeError: The threads cannot be started.
///     MemoryError: There is not enough memory for the lists of "rows".
///
/// Examples:
///     >>> queencount.count(8)
///     92
///     >>> queencount.count(12, threads=2, engine="backtrack")
///     14200
#[pyfunction]
#[pyo3(signature = (
    n, *, threads = 0, engine = "auto", kernel = "auto", memory = None, device = "cpu",
    progress = None, stop = None
))]
pub(crate) fn count(
    py: Python<'_>,
    #[pyo3(from_py_with = arguments::size)] n: BoardSize,
    #[pyo3(from_py_with = arguments::threads)] threads: usize,
    engine: &str,
    kernel: &str,
    #[pyo3(from_py_with = arguments::memory)] memory: Option<u64>,
    device: &str,
    progress: Option<Py<PyAny>>,
    stop: Option<Py<PyAny>>,
) -> PyResult<u128> {
    let devices = arguments::devices(device)?;
    let (engine, options) = arguments::engine(engine, kernel, memory, devices)?;
    let progress = Progress::new(progress);
    watch(py, &progress, stop, |stop| {
        let engine = engine.build(n, options);
        let counter = Counter::default().threads(threads).stop(stop);
        progress.count(counter, &engine).map_err(errors::of_count)
    })
}

/// Return the published number of solutions (OEIS A000170), or None for n > 27, because no values
/// are published for larger boards.
///
/// This value is only for comparison: `count` never uses it.
///
/// Examples:
///     >>> queencount.published(27)
///     234907967154122528
///     >>> queencount.published(12) == queencount.count(12)
///     True
#[pyfunction]
pub(crate) fn published(#[pyo3(from_py_with = arguments::digits)] n: String) -> Option<u128> {
    n.parse().ok().and_then(queencount::oeis_a000170)
}

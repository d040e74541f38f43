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
/// Nothing is looked up: the solutions are counted, on all CPUs. The time grows about eightfold
/// from n to n + 1. Python's other threads run meanwhile, and Ctrl-C ends the count within milliseconds.
///
/// Args:
///     n: The number of rows, 1 to 32.
///     threads: The number of threads; 0 means one per CPU.
///     engine: "auto", the fastest for the board; "backtrack", the reference; or "rows", which
///         combines half-boards above and below some middle rows.
///     kernel: The SIMD kernel of "rows": "auto" for the fastest that this CPU supports, or a name.
///     memory: About how many bytes each thread of "rows" may use; None means 256 MiB.
///     device: Where to count the units of "rows": "cpu"; "gpu" for all GPUs, fed by all threads;
///         "gpu:0,1" for the GPUs with these numbers; "gpu:NAME" for the device with this full
///         name; or "auto" for all GPUs and the threads that do not feed one. See `devices`. Units
///         that a device cannot count are counted on the CPU, and so are boards below N = 12
///         unless the engine is "rows".
///     progress: Called about ten times per second, and once at the end, on the calling thread,
///         with the completed fraction of the work, from 0.0 to 1.0, and the number of solutions so
///         far. An exception that it raises ends the count.
///     stop: An event, such as a `threading.Event`, which ends the count with `Stopped` when set.
///
/// Returns:
///     The number of solutions.
///
/// Raises:
///     ValueError: An argument is out of range or unknown, or "backtrack" does not support it.
///     Stopped: The event was set.
///     RuntimeError: The system grants no threads.
///     MemoryError: The system has no memory for the lists of "rows".
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

/// Return the published number of solutions (OEIS A000170), or None from n = 28 on, where none has
/// been published.
///
/// It is for comparison; `count` does not use it.
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

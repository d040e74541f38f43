//! `count` and `published`.

use pyo3::prelude::*;
use queencount::{BoardSize, Counter};

use crate::progress::Progress;
use crate::watch::watch;
use crate::{arguments, errors};

/// Count the ways to place n nonattacking queens on an n x n board.
///
/// Nothing is looked up: the solutions are counted, on every CPU. The time grows about eightfold
/// from n to n + 1. Python's other threads run meanwhile, and Ctrl-C ends the count within
/// milliseconds.
///
/// Args:
///     n: The number of rows, 1 to 32.
///     threads: The number of threads to count on; 0 stands for one for each CPU.
///     engine: "auto", the fastest for the board; "backtrack", the reference;
///         or "rows", the same beside the queens of some middle rows.
///     kernel: The inner loops of "rows": "auto", the fastest that this processor has, or the name of one.
///     memory: About how many bytes each thread of "rows" may use; None stands for 256 MiB.
///     device: What counts the units of "rows": "cpu"; "gpu", all GPUs, fed by all threads; "gpu:0,1", those devices
///         with these numbers; "gpu:NAME", the device of this full name; or "auto", GPUs and the threads that do not
///         feed one. `devices` has numbers and names. No GPU has been measured yet. What a device cannot count, because
///         it fails or has no memory for it, is counted on the CPU, and so are boards below N = 12 unless the engine is
///         "rows".
///     progress: Called about ten times a second, and once at the end, by the thread that called `count`. It is given
///         the share of the work that is done, from 0.0 to 1.0, and the number of solutions found so far. An exception
///         that it raises ends the count.
///     stop: An event, such as a `threading.Event`: when it is set, the count ends with `Stopped`.
///
/// Returns:
///     The number of solutions.
///
/// Raises:
///     ValueError: There is no such board, engine, kernel or device, there are too many threads or too little memory,
///         or what is for "rows" alone is asked of "backtrack".
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
#[pyo3(signature = (n, *, threads = 0, engine = "auto", kernel = "auto", memory = None, device = "cpu", progress = None,
                    stop = None))]
pub fn count(
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
    let (engine, resources) =
        arguments::engine(engine, kernel, memory, arguments::devices(device)?)?;
    let progress = Progress::new(progress);
    watch(py, &progress, stop, |stop| {
        let engine = engine.build(n, resources);
        progress
            .count(
                Counter::default().threads(threads).stop(stop),
                engine.as_ref(),
            )
            .map_err(errors::of_count)
    })
}

/// The published number of solutions (OEIS A000170); None from n = 28 on, where none has been
/// published.
///
/// It is there to be compared with: `count` never looks at it.
///
/// Examples:
///     >>> queencount.published(27)
///     234907967154122528
///     >>> queencount.published(12) == queencount.count(12)
///     True
#[pyfunction]
pub fn published(#[pyo3(from_py_with = arguments::digits)] n: String) -> Option<u128> {
    n.parse().ok().and_then(queencount::oeis_a000170)
}

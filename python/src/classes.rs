//! `classes`: the solutions of a board, classified by symmetry.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use pyo3::types::PyType;
use queencount::Counter;

use crate::arguments::{Count, Memory, Size};
use crate::watch::watch;
use crate::{arguments, errors};

/// Count the solutions by symmetry, including the fundamental solutions.
///
/// The number of orbits (see `fundamental_solutions`) is computed from the numbers of all solutions
/// and of the solutions unchanged by a rotation. Counting these takes little time.
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
        let counter = Counter::default().threads(threads).stop(stop);
        let classes = match total {
            // The counts for the half turn and the quarter turn have a work of 1 each.
            Some(total) => counter.on_task(&progress.adder(2.0)).classes(n.0, total.0),
            None => counter
                .on_task(&progress.adder(1.0))
                .count(&engine.build(n.0, options))
                .and_then(|total| counter.classes(n.0, total)),
        };
        classes.map(Classes).map_err(errors::of_count)
    })
}

/// The solutions of a board, classified by symmetry.
///
/// Args:
///     n: The number of rows, 1 to 32.
///     total: The number of all solutions.
///     half_turn: The number of solutions unchanged by the half turn.
///     quarter_turn: The number of solutions unchanged by the quarter turn.
///
/// Raises:
///     ValueError: `n` is out of range, or a number of orbits would not be a whole number.
///
/// Examples:
///     >>> queencount.Classes(8, 92, half_turn=4, quarter_turn=0) == queencount.classes(8)
///     True
#[pyclass(frozen, eq, hash, module = "queencount")]
#[derive(PartialEq, Hash)]
pub struct Classes(queencount::Classes);

#[pymethods]
impl Classes {
    #[new]
    fn new(n: Size, total: Count, half_turn: Count, quarter_turn: Count) -> PyResult<Self> {
        queencount::Classes::new(n.0, total.0, half_turn.0, quarter_turn.0)
            .map(Self)
            .map_err(errors::value_error)
    }

    /// The number of rows of the board.
    #[getter]
    fn n(&self) -> u32 {
        self.0.size().get()
    }

    /// The number of all solutions (OEIS A000170).
    #[getter]
    fn total(&self) -> u128 {
        self.0.total()
    }

    /// The number of fundamental solutions or orbits (OEIS A002562).
    #[getter]
    fn fundamental(&self) -> u128 {
        self.0.fundamental()
    }

    /// The number of solutions unchanged by the half turn (OEIS A032522).
    #[getter]
    fn half_turn(&self) -> u128 {
        self.0.half_turn()
    }

    /// The number of solutions unchanged by the quarter turn (OEIS A033148).
    #[getter]
    fn quarter_turn(&self) -> u128 {
        self.0.quarter_turn()
    }

    /// The number of orbits with 1, 2, 4 and 8 solutions each.
    #[getter]
    fn orbits(&self) -> BTreeMap<u32, u128> {
        [1, 2, 4, 8]
            .map(|solutions| (solutions, self.0.orbits(solutions)))
            .into()
    }

    /// Returns the call that creates an equal instance, for `pickle` and `copy`.
    fn __reduce__<'py>(this: &Bound<'py, Self>) -> (Bound<'py, PyType>, (u32, u128, u128, u128)) {
        let Self(classes) = this.get();
        let arguments = (
            classes.size().get(),
            classes.total(),
            classes.half_turn(),
            classes.quarter_turn(),
        );
        (this.get_type(), arguments)
    }

    fn __repr__(&self) -> String {
        format!(
            "Classes(n={}, total={}, fundamental={}, half_turn={}, quarter_turn={}, orbits={:?})",
            self.n(),
            self.total(),
            self.fundamental(),
            self.half_turn(),
            self.quarter_turn(),
            self.orbits()
        )
    }
}

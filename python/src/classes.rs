//! `classes`: the solutions of a board, classified by symmetry.

#![deny(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "counts are exact"
)]

use std::collections::BTreeMap;

use pyo3::prelude::*;
use pyo3::types::PyType;
use queencount::{BoardSize, Counter};

use crate::progress::Progress;
use crate::watch::watch;
use crate::{arguments, errors};

/// Count the solutions by symmetry, including the fundamental solutions.
///
/// A solution and its rotations and reflections form an orbit of up to eight solutions. The number
/// of orbits is computed from the number of all solutions and from the numbers of solutions that
/// are unchanged by a rotation. Counting these symmetric solutions takes little time.
///
/// Args:
///     n: The number of rows, 1 to 32.
///     total: The number of all solutions, if known; otherwise they are counted.
///     threads, stop: See `count`.
///     engine, kernel, memory, device: See `count`. They apply to the count of all solutions.
///     progress: See `count`. The work is the count of all solutions or, if `total` is given, the
///         count of the solutions that are unchanged by a rotation.
///
/// Raises:
///     ValueError: As in `count`; or `total` is impossible, because a number of orbits would not be
///         a whole number.
///     Stopped, RuntimeError, MemoryError: As in `count`.
///
/// Examples:
///     >>> classes = queencount.classes(8)
///     >>> classes.fundamental, classes.orbits
///     (12, {1: 0, 2: 0, 4: 1, 8: 11})
///     >>> queencount.classes(20, total=39_029_188_884).fundamental
///     4878666808
#[pyfunction]
#[pyo3(signature = (
    n, *, total = None, threads = 0, engine = "auto", kernel = "auto", memory = None,
    device = "cpu", progress = None, stop = None
))]
pub(crate) fn classes(
    py: Python<'_>,
    #[pyo3(from_py_with = arguments::size)] n: BoardSize,
    #[pyo3(from_py_with = arguments::total)] total: Option<u128>,
    #[pyo3(from_py_with = arguments::threads)] threads: usize,
    engine: &str,
    kernel: &str,
    #[pyo3(from_py_with = arguments::memory)] memory: Option<u64>,
    device: &str,
    progress: Option<Py<PyAny>>,
    stop: Option<Py<PyAny>>,
) -> PyResult<Classes> {
    let devices = arguments::devices(device)?;
    let (engine, options) = arguments::engine(engine, kernel, memory, devices)?;
    let progress = Progress::new(progress);
    watch(py, &progress, stop, |stop| {
        let counter = Counter::default().threads(threads).stop(stop);
        let classes = match total {
            // The counts for the half turn and the quarter turn have a work of 1 each.
            Some(total) => counter.on_task(&progress.adder_of(2.0)).classes(n, total),
            None => progress
                .count(counter, &engine.build(n, options))
                .and_then(|total| counter.classes(n, total)),
        };
        Ok(classes.map_err(errors::of_count)?.into())
    })
}

/// The solutions of a board, classified by symmetry. Returned by `classes`.
///
/// Instances can be compared, hashed, copied and pickled.
///
/// Args:
///     n: The number of rows, 1 to 32.
///     total: The number of all solutions.
///     half_turn: The number of solutions unchanged by the half turn.
///     quarter_turn: The number of solutions unchanged by the quarter turn.
///
/// Raises:
///     ValueError: `n` is out of range, or the numbers are impossible, because a number of orbits
///         would not be a whole number.
///
/// Examples:
///     >>> queencount.Classes(8, 92, half_turn=4, quarter_turn=0) == queencount.classes(8)
///     True
#[pyclass(frozen, eq, hash, get_all, module = "queencount")]
#[derive(PartialEq, Hash)]
pub struct Classes {
    /// The number of rows of the board.
    n: u32,
    /// The number of all solutions (OEIS A000170).
    total: u128,
    /// The number of fundamental solutions, which is also the number of orbits (OEIS A002562).
    fundamental: u128,
    /// The number of solutions unchanged by the half turn (OEIS A032522).
    half_turn: u128,
    /// The number of solutions unchanged by the quarter turn (OEIS A033148).
    quarter_turn: u128,
    /// The number of orbits with 1, 2, 4 and 8 solutions each.
    orbits: BTreeMap<u32, u128>,
}

#[pymethods]
impl Classes {
    #[new]
    fn new(
        #[pyo3(from_py_with = arguments::size)] n: BoardSize,
        #[pyo3(from_py_with = arguments::count)] total: u128,
        #[pyo3(from_py_with = arguments::count)] half_turn: u128,
        #[pyo3(from_py_with = arguments::count)] quarter_turn: u128,
    ) -> PyResult<Self> {
        let classes = queencount::Classes::new(n, total, half_turn, quarter_turn);
        Ok(classes.map_err(errors::value_error)?.into())
    }

    /// Returns the call that creates an equal instance, for `pickle` and `copy`.
    fn __reduce__<'py>(this: &Bound<'py, Self>) -> (Bound<'py, PyType>, (u32, u128, u128, u128)) {
        let Self {
            n,
            total,
            half_turn,
            quarter_turn,
            ..
        } = *this.get();
        (this.get_type(), (n, total, half_turn, quarter_turn))
    }

    fn __repr__(&self) -> String {
        let Self {
            n,
            total,
            fundamental,
            half_turn,
            quarter_turn,
            orbits,
        } = self;
        format!(
            "Classes(n={n}, total={total}, fundamental={fundamental}, half_turn={half_turn}, \
             quarter_turn={quarter_turn}, orbits={orbits:?})"
        )
    }
}

impl From<queencount::Classes> for Classes {
    fn from(classes: queencount::Classes) -> Self {
        Self {
            n: classes.size().get(),
            total: classes.total(),
            fundamental: classes.fundamental(),
            half_turn: classes.half_turn(),
            quarter_turn: classes.quarter_turn(),
            orbits: [1, 2, 4, 8]
                .map(|solutions| (solutions, classes.orbits(solutions)))
                .into(),
        }
    }
}

//! `classes`: the solutions of a board sorted by symmetry.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use pyo3::types::PyType;
use queencount::{BoardSize, CountError, DeviceChoice, EngineChoice, FanOut, Kernel, Turn, TurnSymmetric};

use crate::progress::Progress;
use crate::watch::watch;
use crate::{arguments, errors};

/// Count the solutions by symmetry: among others, the fundamental ones.
///
/// Solutions that are rotations or reflections of each other form an orbit: one arrangement, seen from up to eight
/// sides. The number of orbits follows from the number of all solutions and from the numbers of those that a turn of the
/// board leaves as they are. The latter are counted in a fraction of the time.
///
/// Args:
///     n: The number of rows, 1 to 32.
///     total: The number of all solutions, where it is known; otherwise it is counted, too.
///     threads: The number of threads to count on; 0 stands for one for each CPU.
///     engine: How to count all solutions, see `count`.
///     kernel: The inner loops of "rows", see `count`.
///     memory: What each thread of "rows" may use, see `count`.
///     device: What counts the units of "rows", see `count`.
///     progress: Called as by `count`, about the count of all solutions; where `total` is given, about the count of those
///         that the half turn leaves as they are. An exception that it raises ends the count.
///     stop: An event that ends the count when it is set, see `count`.
///
/// Raises:
///     ValueError: There is no such board, engine or kernel, there are too many threads or too little memory, or
///         `total` cannot be right, because some number of orbits would not be a whole number.
///     Stopped: The event was set.
///     RuntimeError: The system grants no threads.
///     MemoryError: As of `count`.
///
/// Examples:
///     >>> queencount.classes(8)
///     Classes(n=8, total=92, fundamental=12, half_turn=4, quarter_turn=0, orbits={1: 0, 2: 0, 4: 1, 8: 11})
///     >>> queencount.classes(20, total=39_029_188_884).fundamental
///     4878666808
#[pyfunction]
#[pyo3(
    signature = (n, *, total = None, threads = 0, engine = EngineChoice::Auto, kernel = None,
                 memory = None, device = DeviceChoice::Cpu, progress = None, stop = None),
    text_signature = "(n, *, total=None, threads=0, engine='auto', kernel='auto', memory=None, device='cpu', progress=None, \
                      stop=None)"
)]
pub fn classes(
    py: Python<'_>,
    #[pyo3(from_py_with = arguments::size)] n: BoardSize,
    #[pyo3(from_py_with = arguments::total)] total: Option<u128>,
    #[pyo3(from_py_with = arguments::threads)] threads: usize,
    #[pyo3(from_py_with = arguments::engine)] engine: EngineChoice,
    #[pyo3(from_py_with = arguments::kernel)] kernel: Option<Kernel>,
    #[pyo3(from_py_with = arguments::memory)] memory: Option<u64>,
    #[pyo3(from_py_with = arguments::device)] device: DeviceChoice,
    progress: Option<Py<PyAny>>,
    stop: Option<Py<PyAny>>,
) -> PyResult<Classes> {
    let (engine, resources) = arguments::how(engine, kernel, memory, device)?;
    let progress = Progress::new(progress);
    watch(py, &progress, stop, |stop| {
        let fan_out = FanOut::default().threads(threads).stop(stop);
        let [half, quarter] = [Turn::Half, Turn::Quarter].map(|turn| TurnSymmetric::new(n, turn));
        let classes = || -> Result<queencount::Classes, CountError> {
            let (total, half) = match total {
                Some(total) => (total, progress.count(fan_out, &half)?),
                None => {
                    let engine = engine.engine_with(n, resources);
                    (progress.count(fan_out, engine.as_ref())?, fan_out.count(&half)?)
                }
            };
            Ok(queencount::Classes::new(n, total, half, fan_out.count(&quarter)?)?)
        };
        classes().map(Classes).map_err(errors::of_count)
    })
}

/// The solutions of a board sorted by symmetry. `classes` counts them.
///
/// They can be compared, hashed, copied and pickled.
///
/// Args:
///     n: The number of rows, 1 to 32.
///     total: The number of all solutions.
///     half_turn: The number of solutions that the half turn leaves as they are.
///     quarter_turn: The number of solutions that the quarter turn leaves as they are.
///
/// Raises:
///     ValueError: There is no such board, or the numbers cannot be right, because some number of orbits would not be a
///         whole number.
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
    fn new(
        #[pyo3(from_py_with = arguments::size)] n: BoardSize,
        #[pyo3(from_py_with = arguments::count)] total: u128,
        #[pyo3(from_py_with = arguments::count)] half_turn: u128,
        #[pyo3(from_py_with = arguments::count)] quarter_turn: u128,
    ) -> PyResult<Self> {
        let classes = queencount::Classes::new(n, total, half_turn, quarter_turn);
        classes.map(Self).map_err(|error| errors::of_count(error.into()))
    }

    /// The call that makes an equal one, for `pickle` and `copy`.
    fn __reduce__<'py>(this: &Bound<'py, Self>) -> (Bound<'py, PyType>, (u32, u128, u128, u128)) {
        let classes = this.get();
        (this.get_type(), (classes.n(), classes.total(), classes.half_turn(), classes.quarter_turn()))
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

    /// The number of orbits, that is, of fundamental solutions (OEIS A002562).
    #[getter]
    fn fundamental(&self) -> u128 {
        self.0.fundamental()
    }

    /// The number of solutions that the half turn leaves as they are (OEIS A032522).
    #[getter]
    fn half_turn(&self) -> u128 {
        self.0.half_turn()
    }

    /// The number of solutions that the quarter turn leaves as they are (OEIS A033148).
    #[getter]
    fn quarter_turn(&self) -> u128 {
        self.0.quarter_turn()
    }

    /// The numbers of orbits that have 1, 2, 4 and 8 solutions.
    #[getter]
    fn orbits(&self) -> BTreeMap<u32, u128> {
        [1, 2, 4, 8].map(|solutions| (solutions, self.0.orbits(solutions))).into()
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

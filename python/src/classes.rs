//! `classes`: the solutions of a board sorted by symmetry.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use pyo3::types::PyType;
use queencount::{BoardSize, CountError, Counter, Rotation, RotationSymmetric};

use crate::progress::Progress;
use crate::watch::watch;
use crate::{arguments, errors};

/// Count the solutions by symmetry: among others, the fundamental ones.
///
/// Solutions that are rotations or reflections of each other form an orbit: one arrangement, seen
/// from up to eight sides. The number of orbits follows from the number of all solutions and from
/// the numbers of those that a turn of the board leaves as they are. The latter are counted in a
/// fraction of the time.
///
/// Args:
///     n: The number of rows, 1 to 32.
///     total: The number of all solutions, where it is known; otherwise it is counted, too.
///     threads, stop: How to count, see `count`.
///     engine, kernel, memory, device: How to count all solutions, see `count`.
///     progress: Called as by `count`, about the count of all solutions; where `total` is given, about the count of
///         those that the half turn leaves as they are.
///
/// Raises:
///     ValueError: As `count`, or `total` cannot be right, because some number of orbits would not be a whole number.
///     Stopped, RuntimeError, MemoryError: As `count`.
///
/// Examples:
///     >>> queencount.classes(8)
///     Classes(n=8, total=92, fundamental=12, half_turn=4, quarter_turn=0, orbits={1: 0, 2: 0, 4: 1, 8: 11})
///     >>> queencount.classes(20, total=39_029_188_884).fundamental
///     4878666808
#[pyfunction]
#[pyo3(signature = (n, *, total = None, threads = 0, engine = "auto", kernel = "auto", memory = None, device = "cpu",
                    progress = None, stop = None))]
pub fn classes(
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
    let (engine, resources) =
        arguments::engine(engine, kernel, memory, arguments::devices(device)?)?;
    let progress = Progress::new(progress);
    watch(py, &progress, stop, |stop| {
        let counter = Counter::default().threads(threads).stop(stop);
        let [half, quarter] =
            [Rotation::Half, Rotation::Quarter].map(|turn| RotationSymmetric::new(n, turn));
        let classes = || {
            let (total, half) = match total {
                Some(total) => (total, progress.count(counter, &half)?),
                None => {
                    let engine = engine.build(n, resources);
                    (
                        progress.count(counter, engine.as_ref())?,
                        counter.count(&half)?,
                    )
                }
            };
            Classes::counted(n, total, half, counter.count(&quarter)?)
        };
        classes().map_err(errors::of_count)
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
#[pyclass(frozen, eq, hash, get_all, module = "queencount")]
#[derive(PartialEq, Hash)]
pub struct Classes {
    /// The number of rows of the board.
    n: u32,
    /// The number of all solutions (OEIS A000170).
    total: u128,
    /// The number of orbits, that is, of fundamental solutions (OEIS A002562).
    fundamental: u128,
    /// The number of solutions that the half turn leaves as they are (OEIS A032522).
    half_turn: u128,
    /// The number of solutions that the quarter turn leaves as they are (OEIS A033148).
    quarter_turn: u128,
    /// The numbers of orbits that have 1, 2, 4 and 8 solutions.
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
        Self::counted(n, total, half_turn, quarter_turn).map_err(errors::of_count)
    }

    /// The call that makes an equal one, for `pickle` and `copy`.
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

impl Classes {
    fn counted(
        n: BoardSize,
        total: u128,
        half_turn: u128,
        quarter_turn: u128,
    ) -> Result<Self, CountError> {
        let classes = queencount::Classes::new(n, total, half_turn, quarter_turn)?;
        let orbits = [1, 2, 4, 8]
            .map(|solutions| (solutions, classes.orbits(solutions)))
            .into();
        Ok(Self {
            n: n.get(),
            total,
            fundamental: classes.fundamental(),
            half_turn,
            quarter_turn,
            orbits,
        })
    }
}

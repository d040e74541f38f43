//! `solutions` and `fundamental_solutions` as iterators, and what can be asked of one solution: `rows` and `images`.

use std::ops::ControlFlow;
use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use queencount::{BoardSize, Solution};

use crate::arguments;

/// Iterate over the solutions of a board, in lexicographic order.
///
/// They are found as they are asked for. Threads may share the iterator; each solution goes to one of them.
///
/// Args:
///     n: The number of rows, 1 to 32.
///
/// Returns:
///     An iterator of tuples: the column of the queen of each row, from the top, counted from 0.
///
/// Raises:
///     ValueError: There is no such board.
///
/// Examples:
///     >>> list(queencount.solutions(4))
///     [(1, 3, 0, 2), (2, 0, 3, 1)]
#[pyfunction]
pub fn solutions(#[pyo3(from_py_with = arguments::size)] n: BoardSize) -> Solutions {
    Solutions(Mutex::new(queencount::Solutions::new(n)))
}

/// An iterator over the solutions of a board.
#[pyclass(frozen, module = "queencount")]
pub struct Solutions(Mutex<queencount::Solutions>);

#[pymethods]
impl Solutions {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        // `list(solutions(20))` runs no Python code between two solutions that would look at signals.
        py.check_signals()?;
        let next = py.detach(|| self.0.lock().expect("nobody panics with the lock").next());
        next.map(|solution| PyTuple::new(py, solution.columns())).transpose()
    }
}

/// Iterate over the fundamental solutions of a board, in lexicographic order.
///
/// They are what remains when rotations and reflections of a solution count as the same: of each orbit the solution that
/// comes first. They are found as they are asked for. Threads may share the iterator; each solution goes to one of them.
///
/// Args:
///     n: The number of rows, 1 to 32.
///
/// Returns:
///     An iterator of pairs: the columns of a solution, as `solutions` has them, and the number of solutions in its
///     orbit.
///
/// Raises:
///     ValueError: There is no such board.
///
/// Examples:
///     >>> list(queencount.fundamental_solutions(5))
///     [((0, 2, 4, 1, 3), 8), ((1, 4, 2, 0, 3), 2)]
#[pyfunction]
pub fn fundamental_solutions(#[pyo3(from_py_with = arguments::size)] n: BoardSize) -> FundamentalSolutions {
    FundamentalSolutions { left_half: n.get().div_ceil(2), solutions: Mutex::new(queencount::Solutions::new(n)) }
}

/// An iterator over the fundamental solutions of a board.
#[pyclass(frozen, module = "queencount")]
pub struct FundamentalSolutions {
    /// The number of columns of the left half, the middle column included.
    left_half: u32,
    solutions: Mutex<queencount::Solutions>,
}

/// The number of solutions that are looked through before signals are looked at.
const SOLUTIONS_BEFORE_SIGNALS: u32 = 10_000;

#[pymethods]
impl FundamentalSolutions {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<(Bound<'py, PyTuple>, u32)>> {
        loop {
            py.check_signals()?;
            if let ControlFlow::Break(next) = py.detach(|| self.look_through_some()) {
                let pair = |solution: Solution| Ok((PyTuple::new(py, solution.columns())?, solution.orbit_size()));
                return next.map(pair).transpose();
            }
        }
    }
}

impl FundamentalSolutions {
    /// Looks through some solutions, until a fundamental one or the end.
    fn look_through_some(&self) -> ControlFlow<Option<Solution>> {
        let mut solutions = self.solutions.lock().expect("nobody panics with the lock");
        for _ in 0..SOLUTIONS_BEFORE_SIGNALS {
            match solutions.next() {
                // Mirror images of these have come before.
                Some(solution) if u32::from(solution.columns()[0]) >= self.left_half => {
                    return ControlFlow::Break(None);
                }
                Some(solution) if !solution.is_representative() => {}
                found => return ControlFlow::Break(found),
            }
        }
        ControlFlow::Continue(())
    }
}

/// The rows of a solution as text, from the top: "Q" for the queen and "." for an empty square.
///
/// Args:
///     columns: The column of the queen of each row, from the top, counted from 0.
///
/// Raises:
///     ValueError: The columns are not a solution.
///
/// Examples:
///     >>> queencount.rows((1, 3, 0, 2))
///     ['.Q..', '...Q', 'Q...', '..Q.']
#[pyfunction]
pub fn rows(#[pyo3(from_py_with = arguments::solution)] columns: Solution) -> Vec<String> {
    columns.rows().collect()
}

/// The eight images of a solution under the rotations and reflections of the board, equal ones repeated.
///
/// The first is the solution itself. The others follow from a quarter turn (clockwise), a half turn, three quarter turns,
/// the reflections of left and right and of top and bottom, and those across the diagonal from the upper left corner and
/// across the other one.
///
/// Args:
///     columns: The column of the queen of each row, from the top, counted from 0.
///
/// Returns:
///     A list of tuples of columns.
///
/// Raises:
///     ValueError: The columns are not a solution.
///
/// Examples:
///     >>> queencount.images((1, 3, 0, 2))[:2]
///     [(1, 3, 0, 2), (1, 3, 0, 2)]
///     >>> len(set(queencount.images((0, 4, 7, 5, 2, 6, 1, 3))))
///     8
#[pyfunction]
pub fn images<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = arguments::solution)] columns: Solution,
) -> PyResult<Vec<Bound<'py, PyTuple>>> {
    columns.images().iter().map(|image| PyTuple::new(py, image.columns())).collect()
}

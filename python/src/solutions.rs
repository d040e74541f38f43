//! `solutions`: the sequential pass as an iterator.

use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use queencount::BoardSize;

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

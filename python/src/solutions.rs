//! The iterator `solutions`, and `rows` and `images` of one solution.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use queencount::CancelToken;

use crate::arguments::{Columns, Size};
use crate::watch::watch;
use crate::{arguments, errors};

const BETWEEN_SIGNALS: Duration = Duration::from_millis(10);

/// Iterate over the solutions of a board, in lexicographic order.
///
/// Solutions are found on demand. Threads that share the iterator share the solutions.
///
/// Args:
///     skip: The number of solutions to skip before the call returns. Except with `unique`, this
///         takes less time than finding them.
///     unique: Whether to return only fundamental solutions: of a solution and its rotations and
///         reflections, the first.
///     n, threads, stop: See `count`. Threads and events apply only to skipping.
///
/// Returns:
///     An iterator of tuples, which contain the column of the queen in each row, from top to
///     bottom, counting from 0.
///
/// Raises:
///     ValueError, Stopped, RuntimeError: As in `count`.
///
/// Examples:
///     >>> list(queencount.solutions(6, skip=2))
///     [(3, 0, 4, 1, 5, 2), (4, 2, 0, 5, 3, 1)]
#[pyfunction]
#[pyo3(signature = (n, *, skip = 0, unique = false, threads = 0, stop = None))]
pub(crate) fn solutions(
    py: Python<'_>,
    n: Size,
    #[pyo3(from_py_with = arguments::skip)] skip: u64,
    unique: bool,
    #[pyo3(from_py_with = arguments::threads)] threads: usize,
    stop: Option<Py<PyAny>>,
) -> PyResult<Solutions> {
    let mut search = if unique {
        queencount::Solutions::fundamental(n.0)
    } else {
        queencount::Solutions::new(n.0)
    };
    if skip > 0 {
        watch(py, None, stop, |_, stop| {
            search
                .skip_ahead(skip.into(), threads, stop, &|_| ())
                .map_err(errors::from_count)
        })?;
    }
    Ok(Solutions {
        search: Mutex::new(search),
    })
}

/// An iterator over the solutions of a board.
#[pyclass(frozen, module = "queencount")]
pub struct Solutions {
    search: Mutex<queencount::Solutions>,
}

#[pymethods]
impl Solutions {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        loop {
            // `list(solutions(32))` executes no Python instruction, and thus would not check.
            py.check_signals()?;
            let next = py.detach(|| {
                let deadline = Instant::now() + BETWEEN_SIGNALS;
                let pause = CancelToken::with_condition(move || Instant::now() >= deadline);
                let mut search = self.search.lock().expect("nobody panics with the lock");
                search.try_next(&pause)
            });
            match next {
                Ok(Some(solution)) => return PyTuple::new(py, solution.columns()).map(Some),
                Ok(None) => return Ok(None),
                Err(_) => {}
            }
        }
    }
}

/// Return the rows of a solution as text, from the top.
///
/// Args:
///     columns: A solution in the format of `solutions`.
///
/// Raises:
///     ValueError: The columns are not a solution.
///
/// Examples:
///     >>> queencount.rows((1, 3, 0, 2))
///     ['.Q..', '...Q', 'Q...', '..Q.']
#[pyfunction]
pub(crate) fn rows(columns: Columns) -> Vec<String> {
    columns.0.board_lines().collect()
}

/// Return the eight rotations and reflections of a solution. Some of them may be equal.
///
/// The first one is the solution itself. The next three are rotated clockwise by 90, 180 and 270
/// degrees. The last four are reflected left to right, top to bottom, across the diagonal from the
/// upper left corner, and across the other diagonal.
///
/// Args:
///     columns: A solution in the format of `solutions`.
///
/// Raises:
///     ValueError: The columns are not a solution.
///
/// Examples:
///     >>> len(set(queencount.images((0, 4, 7, 5, 2, 6, 1, 3))))
///     8
#[pyfunction]
pub(crate) fn images<'py>(py: Python<'py>, columns: Columns) -> PyResult<Vec<Bound<'py, PyTuple>>> {
    columns
        .0
        .images()
        .iter()
        .map(|image| PyTuple::new(py, image.columns()))
        .collect()
}

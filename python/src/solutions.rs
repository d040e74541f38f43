//! The iterators `solutions` and `fundamental_solutions`, and `rows` and `images` of one solution.

#![deny(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "counts are exact"
)]

use std::sync::Mutex;
use std::time::{Duration, Instant};

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use queencount::{BoardSize, CancelToken, Solution};

use crate::progress::Progress;
use crate::watch::watch;
use crate::{arguments, errors};

/// The time between two checks for signals while the search continues.
const BETWEEN_SIGNALS: Duration = Duration::from_millis(10);

/// Iterate over the solutions of a board, in lexicographic order.
///
/// Solutions are found on demand. If several threads share the iterator, each solution is returned
/// to only one of them.
///
/// Args:
///     n: The number of rows, 1 to 32.
///     skip: The number of solutions to skip. They are skipped before the call returns. Except
///         with `unique`, skipping solutions takes less time than finding them.
///     unique: Whether to return only fundamental solutions (see `fundamental_solutions`).
///     threads: The number of threads for skipping; 0 means one per CPU.
///     stop: See `count`. It applies only to skipping, not to the iterator.
///
/// Returns:
///     An iterator of tuples. Each tuple contains the column of the queen in each row, from top to
///     bottom, counting from 0.
///
/// Raises:
///     ValueError: An argument is out of range.
///     Stopped: The event was set.
///     RuntimeError: The threads cannot be started.
///
/// Examples:
///     >>> list(queencount.solutions(4))
///     [(1, 3, 0, 2), (2, 0, 3, 1)]
///     >>> next(queencount.solutions(14, skip=365_595))
///     (13, 11, 9, 7, 2, 4, 1, 10, 0, 5, 12, 8, 6, 3)
///     >>> list(queencount.solutions(6, unique=True))
///     [(1, 3, 5, 0, 2, 4)]
#[pyfunction]
#[pyo3(signature = (n, *, skip = 0, unique = false, threads = 0, stop = None))]
pub(crate) fn solutions(
    py: Python<'_>,
    #[pyo3(from_py_with = arguments::size)] n: BoardSize,
    #[pyo3(from_py_with = arguments::skip)] skip: u64,
    unique: bool,
    #[pyo3(from_py_with = arguments::threads)] threads: usize,
    stop: Option<Py<PyAny>>,
) -> PyResult<Solutions> {
    let mut search = if unique {
        queencount::Solutions::fundamental(n)
    } else {
        queencount::Solutions::new(n)
    };
    if skip > 0 {
        watch(py, &Progress::new(None), stop, |stop| {
            search
                .skip_ahead(skip.into(), threads, stop, &|_| ())
                .map_err(errors::of_count)
        })?;
    }
    Ok(Solutions {
        search: Mutex::new(search),
        with_orbits: false,
    })
}

/// An iterator over the solutions of a board.
#[pyclass(frozen, module = "queencount")]
pub struct Solutions {
    search: Mutex<queencount::Solutions>,
    /// Whether each solution is paired with the size of its orbit.
    with_orbits: bool,
}

#[pymethods]
impl Solutions {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(solution) = next(py, &self.search)? else {
            return Ok(None);
        };
        let columns = PyTuple::new(py, solution.columns())?;
        match self.with_orbits {
            true => (columns, solution.orbit_size())
                .into_bound_py_any(py)
                .map(Some),
            false => Ok(Some(columns.into_any())),
        }
    }
}

/// Iterate over the fundamental solutions of a board, in lexicographic order.
///
/// A solution and its rotations and reflections form an orbit. The fundamental solution is the
/// first solution in its orbit. The iterator works like the one that `solutions` returns.
///
/// Args:
///     n: The number of rows, 1 to 32.
///
/// Returns:
///     An iterator of pairs. Each pair contains a solution, in the format of `solutions`, and the
///     number of solutions in its orbit.
///
/// Raises:
///     ValueError: `n` is out of range.
///
/// Examples:
///     >>> list(queencount.fundamental_solutions(5))
///     [((0, 2, 4, 1, 3), 8), ((1, 4, 2, 0, 3), 2)]
#[pyfunction]
pub(crate) fn fundamental_solutions(
    #[pyo3(from_py_with = arguments::size)] n: BoardSize,
) -> Solutions {
    Solutions {
        search: Mutex::new(queencount::Solutions::fundamental(n)),
        with_orbits: true,
    }
}

/// Returns the next solution of a search that threads may share, or `None` at its end.
///
/// Python checks for signals only between two of its own instructions, and `list(solutions(32))`
/// executes none between two solutions. Therefore this function checks for them, also during a
/// search.
fn next(py: Python<'_>, search: &Mutex<queencount::Solutions>) -> PyResult<Option<Solution>> {
    loop {
        py.check_signals()?;
        let next = py.detach(|| {
            let pause = CancelToken::with_deadline(Instant::now() + BETWEEN_SIGNALS);
            let mut search = search.lock().expect("nobody panics with the lock");
            search.try_next(&pause)
        });
        if let Ok(next) = next {
            return Ok(next);
        }
    }
}

/// Return the rows of a solution as text, from the top, with "Q" for the queen and "." for an empty
/// square.
///
/// Args:
///     columns: The column of the queen in each row, from top to bottom, counting from 0.
///
/// Raises:
///     ValueError: The columns are not a solution.
///
/// Examples:
///     >>> queencount.rows((1, 3, 0, 2))
///     ['.Q..', '...Q', 'Q...', '..Q.']
#[pyfunction]
pub(crate) fn rows(#[pyo3(from_py_with = arguments::solution)] columns: Solution) -> Vec<String> {
    columns.board_lines().collect()
}

/// Return the eight rotations and reflections of a solution. Some of them may be equal.
///
/// The first one is the solution itself. The next three are rotated clockwise by 90, 180 and 270
/// degrees. The last four are reflected left to right, top to bottom, across the diagonal from the
/// upper left corner, and across the other diagonal.
///
/// Args:
///     columns: The column of the queen in each row, from top to bottom, counting from 0.
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
pub(crate) fn images<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = arguments::solution)] columns: Solution,
) -> PyResult<Vec<Bound<'py, PyTuple>>> {
    columns
        .images()
        .iter()
        .map(|image| PyTuple::new(py, image.columns()))
        .collect()
}

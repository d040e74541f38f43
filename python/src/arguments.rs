//! The arguments: Python's integers and strings as what the library takes, and a ValueError that says what was expected
//! and what was found where it takes no such thing.

use std::fmt::Display;

use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use queencount::{BoardSize, EngineChoice, Kernel};

/// An integer in decimal digits, which have room for any size; or what says that it stands for one, as NumPy's integers
/// do. No float.
pub fn digits(number: &Bound<'_, PyAny>) -> PyResult<String> {
    match number.extract::<i64>() {
        Err(error) if error.is_instance_of::<PyOverflowError>(number.py()) => {
            number.call_method0("__index__")?.str()?.extract()
        }
        number => Ok(number?.to_string()),
    }
}

/// A board.
pub fn size(number: &Bound<'_, PyAny>) -> PyResult<BoardSize> {
    digits(number)?.parse().map_err(value_error)
}

/// A number of solutions, or None.
pub fn total(number: &Bound<'_, PyAny>) -> PyResult<Option<u128>> {
    if number.is_none() {
        return Ok(None);
    }
    let digits = digits(number)?;
    let error = |_| value_error(format!("expected a number of solutions from 0 to 2^128 - 1, found {digits:?}"));
    digits.parse().map(Some).map_err(error)
}

/// A number of threads, 0 for one for each core.
pub fn threads(number: &Bound<'_, PyAny>) -> PyResult<usize> {
    const MOST: usize = 4096;
    let digits = digits(number)?;
    match digits.parse() {
        Ok(threads) if threads <= MOST => Ok(threads),
        _ => Err(value_error(format!("expected a number of threads from 0 to {MOST}, found {digits:?}"))),
    }
}

/// An engine, by its name.
pub fn engine(name: &Bound<'_, PyAny>) -> PyResult<EngineChoice> {
    let name: &str = name.extract()?;
    let choice = if name == "auto" { Some(EngineChoice::Auto) } else { EngineChoice::named(name) };
    choice.ok_or_else(|| value_error(format!("expected an engine, one of auto, backtrack, meet, found {name:?}")))
}

/// A kernel, by its name.
pub fn kernel(name: &Bound<'_, PyAny>) -> PyResult<Kernel> {
    let name: &str = name.extract()?;
    if name == "auto" { Ok(Kernel::default()) } else { name.parse().map_err(value_error) }
}

fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

//! The exceptions for what keeps a call from its result.

use pyo3::exceptions::{PyException, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use queencount::CountError;

pyo3::create_exception!(queencount, Stopped, PyException, "The event `stop` was set before there was a result.");

/// The exception for what keeps a count from its result.
pub fn of_count(error: CountError) -> PyErr {
    match error {
        CountError::Size(_) | CountError::Classes(_) => PyValueError::new_err(error.to_string()),
        _ => PyRuntimeError::new_err(error.to_string()),
    }
}

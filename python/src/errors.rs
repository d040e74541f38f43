//! The exceptions.
//!
//! If a record cannot be read or written, an OSError is raised, and retrying may help. If it is
//! wrong, a RecordError is raised.

use std::borrow::Borrow;
use std::error::Error;
use std::fmt::Display;
use std::io;
use std::path::Path;

use pyo3::exceptions::{
    PyBlockingIOError, PyException, PyMemoryError, PyOSError, PyRuntimeError, PyValueError,
};
use pyo3::prelude::*;
use queencount::record::RecordErrorKind;
use queencount::{CountError, EngineError, record};

pyo3::create_exception!(
    queencount,
    Stopped,
    PyException,
    "The event `stop` was set before the result was known."
);

pyo3::create_exception!(
    queencount,
    RecordError,
    PyException,
    "A record is damaged or contradictory, or a file is not a record of the expected plan."
);

pub(crate) fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

pub(crate) fn from_count(error: CountError) -> PyErr {
    from_count_ref(&error)
}

fn from_count_ref(error: &CountError) -> PyErr {
    match error {
        CountError::Size(_) | CountError::Classes(_) => value_error(error),
        CountError::Engine(EngineError::OutOfMemory) => PyMemoryError::new_err(format!(
            "{error}; try less memory per thread, or fewer threads"
        )),
        _ => PyRuntimeError::new_err(with_sources(error)),
    }
}

pub(crate) fn of_record(error: impl Borrow<record::RecordError>) -> PyErr {
    let error = error.borrow();
    let place = error.place();
    let path = place.map(|place| place.path.as_path());
    match error.kind() {
        RecordErrorKind::Io(error) => of_system(path.unwrap_or(Path::new("")), error),
        RecordErrorKind::Locked => PyBlockingIOError::new_err(error.to_string()),
        RecordErrorKind::Count(error) => from_count_ref(error),
        _ => wrong(
            &with_sources(error),
            path,
            place.and_then(|place| place.line),
        ),
    }
}

/// Returns the text of an error and of its causes.
pub(crate) fn with_sources(error: &dyn Error) -> String {
    match error.source() {
        Some(source) => format!("{error}: {}", with_sources(source)),
        None => error.to_string(),
    }
}

/// Returns the exception for a wrong record.
pub(crate) fn wrong(text: &str, path: Option<&Path>, line: Option<u64>) -> PyErr {
    let error = RecordError::new_err(text.to_owned());
    let failed = Python::attach(|py| {
        let value = error.value(py);
        value.setattr("path", path.map(Path::as_os_str))?;
        value.setattr("line", line)
    });
    failed.err().unwrap_or(error)
}

/// Returns the exception that `open` would raise, such as FileNotFoundError.
fn of_system(path: &Path, error: &io::Error) -> PyErr {
    let text = error.to_string();
    match error.raw_os_error() {
        Some(number) => {
            let text = text.replace(&format!(" (os error {number})"), "");
            PyOSError::new_err((number, text, path.as_os_str().to_owned()))
        }
        None => io::Error::new(error.kind(), format!("{}: {text}", path.display())).into(),
    }
}

//! The exceptions for what keeps a call from its result.
//!
//! A record that cannot be read or written is an OSError, and another try may help. A record that
//! is wrong is a RecordError, and no other try will help.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use pyo3::exceptions::{
    PyBlockingIOError, PyException, PyFileNotFoundError, PyMemoryError, PyOSError, PyRuntimeError,
    PyValueError,
};
use pyo3::prelude::*;
use queencount::{CountError, record};

pyo3::create_exception!(
    queencount,
    Stopped,
    PyException,
    "The event `stop` was set before there was a result."
);

pyo3::create_exception!(
    queencount,
    RecordError,
    PyException,
    "A record is damaged, is contradicted, or belongs to another plan; or the file is not a record."
);

/// The exception for what keeps a count from its result.
pub fn of_count(error: CountError) -> PyErr {
    match error {
        CountError::Size(_) | CountError::Classes(_) => PyValueError::new_err(error.to_string()),
        CountError::Memory => PyMemoryError::new_err(error.to_string()),
        _ => PyRuntimeError::new_err(error.to_string()),
    }
}

/// The exception for what is wrong with a record, or keeps its count from its result.
pub fn of_record(error: record::RecordError) -> PyErr {
    match error {
        record::RecordError::Io(path, error) => of_system(path, &error),
        record::RecordError::Locked(_) => PyBlockingIOError::new_err(error.to_string()),
        record::RecordError::Count(error) => of_count(error),
        _ => wrong(&with_sources(&error), (error.path(), error.line())),
    }
}

/// Returns the text of an error and of the errors behind it.
fn with_sources(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text += &format!(": {error}");
        source = error.source();
    }
    text
}

/// A record that is wrong: `path` and `line` say where, as far as that is known.
pub fn wrong(text: &str, (path, line): (Option<&Path>, Option<u64>)) -> PyErr {
    let error = RecordError::new_err(text.to_owned());
    let told = Python::attach(|py| {
        error.value(py).setattr("path", path.map(Path::as_os_str))?;
        error.value(py).setattr("line", line)
    });
    told.err().unwrap_or(error)
}

/// The exception that `open` would raise: the number of the error chooses the class, such as
/// FileNotFoundError.
fn of_system(path: PathBuf, error: &io::Error) -> PyErr {
    let text = error.to_string();
    match error.raw_os_error() {
        Some(number) => {
            let text = text.replace(&format!(" (os error {number})"), "");
            PyOSError::new_err((number, text, path.into_os_string()))
        }
        None if error.kind() == io::ErrorKind::NotFound => {
            PyFileNotFoundError::new_err(format!("{}: {text}", path.display()))
        }
        None => PyOSError::new_err(format!("{}: {text}", path.display())),
    }
}

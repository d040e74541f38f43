//! Creates the results, whose classes are in `queencount/_results.py`.

use std::ops::Range;

use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use pyo3::types::{PyRange, PyTuple};

/// An instance of one of the classes.
pub(crate) type Object<'py> = Bound<'py, PyAny>;

/// Creates an instance of a class from all its fields.
pub(crate) fn new<'py>(
    py: Python<'py>,
    class: &str,
    fields: impl PyCallArgs<'py>,
) -> PyResult<Object<'py>> {
    py.import("queencount._results")?
        .getattr(class)?
        .call1(fields)
}

pub(crate) fn range(py: Python<'_>, units: Range<u64>) -> PyResult<Bound<'_, PyRange>> {
    PyRange::new(py, units.start.try_into()?, units.end.try_into()?)
}

pub(crate) fn ranges(
    py: Python<'_>,
    ranges: impl Iterator<Item = Range<u64>>,
) -> PyResult<Bound<'_, PyTuple>> {
    let ranges = ranges.map(|units| range(py, units));
    PyTuple::new(py, ranges.collect::<PyResult<Vec<_>>>()?)
}

//! Results with several fields become the data classes of `queencount._results`.

use std::ops::Range;

use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use pyo3::types::{PyRange, PyTuple};
use queencount::estimate::Interval;
use queencount::record::{self, Finding, WrongPart};
use queencount::{DeviceDescription, DeviceSet, Engine};

/// An estimate of a count by an engine, on a number of threads and these devices.
pub fn estimate<'py>(
    py: Python<'py>,
    total: Interval,
    seconds: Interval,
    threads: usize,
    engine: &dyn Engine,
    device: DeviceSet,
) -> PyResult<Bound<'py, PyAny>> {
    let [total, seconds] =
        [total, seconds].map(|Interval { mean, margin }| result(py, "Interval", (mean, margin)));
    let n = engine.size().get();
    result(
        py,
        "Estimate",
        (
            n,
            total?,
            seconds?,
            engine.memory(threads),
            threads,
            engine.name(),
            device.to_string(),
        ),
    )
}

/// A device.
pub fn device<'py>(py: Python<'py>, device: &queencount::Device) -> PyResult<Bound<'py, PyAny>> {
    let DeviceDescription {
        name,
        interface,
        is_cpu,
        memory,
        local_memory,
        ..
    } = &device.description;
    let kind = if *is_cpu { "cpu" } else { "gpu" };
    result(
        py,
        "Device",
        (
            device.index(),
            name,
            kind,
            interface,
            memory,
            local_memory,
            device.failure(),
        ),
    )
}

/// A tally.
pub fn tally<'py>(py: Python<'py>, tally: &record::Tally) -> PyResult<Bound<'py, PyAny>> {
    let missing = tally
        .missing()
        .ranges()
        .map(|units| range(py, &units))
        .collect::<PyResult<Vec<_>>>()?;
    let (plan, entries) = (tally.plan(), tally.tasks());
    let fields = (
        plan.n,
        &plan.engine,
        plan.hash(),
        plan.units,
        PyTuple::new(py, missing)?,
        tally.count(),
        entries,
        tally.repeated(),
        tally.seconds(),
    );
    result(py, "Tally", fields)
}

/// An audit of records of the board with `n` rows, drawn with `seed`.
pub fn audit<'py>(
    py: Python<'py>,
    n: u32,
    audit: &record::Audit,
    seed: u64,
) -> PyResult<Bound<'py, PyAny>> {
    let entry = |finding: &Finding| {
        let units = range(py, &finding.entry.units())?;
        let line = finding.line.to_string();
        result(
            py,
            "WrongEntry",
            (line, units, finding.entry.count, finding.recount),
        )
    };
    let part = |(finding, part): (&Finding, &WrongPart)| {
        let line = finding.line.to_string();
        result(
            py,
            "WrongPart",
            (line, part.unit, part.part, part.count, part.recount),
        )
    };
    let findings = &audit.findings;
    let wrong = findings
        .iter()
        .filter(|finding| finding.is_wrong_entry())
        .map(entry)
        .collect::<PyResult<Vec<_>>>()?;
    let wrong_parts = findings
        .iter()
        .filter_map(|finding| Some((finding, finding.wrong_part.as_ref()?)))
        .map(part)
        .collect::<PyResult<Vec<_>>>()?;
    let fields = (
        n,
        audit.entries,
        audit.units,
        audit.parts,
        PyTuple::new(py, wrong)?,
        PyTuple::new(py, wrong_parts)?,
        audit.detected_share(),
        seed,
    );
    result(py, "Audit", fields)
}

fn range<'py>(py: Python<'py>, units: &Range<u64>) -> PyResult<Bound<'py, PyRange>> {
    PyRange::new(
        py,
        isize::try_from(units.start)?,
        isize::try_from(units.end)?,
    )
}

/// The result of this class.
fn result<'py>(
    py: Python<'py>,
    class: &str,
    fields: impl PyCallArgs<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import("queencount._results")?
        .getattr(class)?
        .call1(fields)
}

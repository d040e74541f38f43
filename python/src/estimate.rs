//! `estimate`: the number of solutions and the cost of a count.

use std::time::Duration;

use pyo3::prelude::*;
use queencount::estimate::{Estimator, Interval, SampleSize};
use queencount::{DeviceSet, Engine};

use crate::arguments::{Draws, Memory, Seconds, Size};
use crate::results::Object;
use crate::watch::watch;
use crate::{arguments, errors, results};

/// Estimate the number of solutions of a board, and the time to count them, from a sample of units.
///
/// The time is estimated with the engine that would count the board. The number of solutions is
/// estimated with "backtrack", which takes a sixth of the sampling time. A board that can be
/// counted within `seconds` is counted, and both margins are 0.
///
/// Args:
///     seconds: The time for the sample, at most 86400; None means 60.
///     sample: The number of units to sample with each engine, at least 8, instead of a time.
///     seed: The random seed. With the same `seed` and `sample`, the same units are sampled.
///     n, threads, engine, kernel, memory, stop: See `count`.
///     device: See `count`. With "gpu" or specific devices, the time is device time, and the sample
///         consists of whole units.
///
/// Raises:
///     ValueError: As in `count`; or `seconds`, `sample` or `seed` is out of range; or both
///         `seconds` and `sample` are given.
///     RuntimeError: The threads cannot be started, or a device fails.
///     Stopped, MemoryError: As in `count`.
///
/// Examples:
///     >>> estimate = queencount.estimate(14, sample=100)
///     >>> estimate.total.low <= queencount.count(14) <= estimate.total.high
///     True
#[pyfunction]
#[pyo3(signature = (
    n, *, seconds = None, sample = None, seed = 1, threads = 0, engine = "auto", kernel = "auto",
    memory = None, device = "cpu", stop = None
))]
pub(crate) fn estimate<'py>(
    py: Python<'py>,
    n: Size,
    seconds: Option<Seconds>,
    sample: Option<Draws>,
    #[pyo3(from_py_with = arguments::seed)] seed: u64,
    #[pyo3(from_py_with = arguments::threads)] threads: usize,
    engine: &str,
    kernel: &str,
    memory: Option<Memory>,
    device: &str,
    stop: Option<Py<PyAny>>,
) -> PyResult<Object<'py>> {
    let size = match (sample, seconds) {
        (Some(_), Some(_)) => {
            let error = "seconds and sample cannot both be given";
            return Err(errors::value_error(error));
        }
        (Some(draws), None) => SampleSize::Draws(draws.0),
        (None, Some(seconds)) => SampleSize::Time(seconds.0),
        (None, None) => SampleSize::Time(Duration::from_secs(60)),
    };
    let devices = arguments::devices(device)?;
    let (choice, options) = arguments::engine(engine, kernel, memory, devices)?;
    let engine = choice.build(n.0, options);
    let estimate = watch(py, None, stop, |_, stop| {
        Estimator::new(size)
            .seed(seed)
            .threads(threads)
            .stop(stop)
            .run_board(&engine)
            .map_err(errors::from_count)
    })?;
    let measured = if estimate.devices > 0 {
        devices
    } else {
        DeviceSet::default()
    };
    let interval =
        |interval: Interval| results::new(py, "Interval", (interval.mean, interval.margin));
    let fields = (
        engine.size().get(),
        interval(estimate.total)?,
        interval(estimate.processor_seconds())?,
        engine.memory(estimate.threads),
        estimate.threads,
        engine.name(),
        measured.to_string(),
    );
    results::new(py, "Estimate", fields)
}

//! `estimate`: the number of solutions and the cost of a count.

use std::time::Duration;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use queencount::estimate::{BoardEstimate, Estimator, SampleSize};
use queencount::{Backend, BoardSize, DeviceSet, Engine};

use crate::progress::Progress;
use crate::watch::watch;
use crate::{arguments, errors, results};

/// The default time, in seconds.
const MINUTE: Duration = Duration::from_secs(60);

/// Estimate the number of solutions of a board, and the time it takes to count them, from a random
/// sample of units.
///
/// The time is estimated with the engine that would count the board. The number of solutions is
/// estimated with "backtrack", whose units can be divided into tiny parts. This second estimate
/// takes a sixth of the sampling time. If the board can be counted in full within `seconds`, it is,
/// and both margins are 0.
///
/// Args:
///     n: The number of rows, 1 to 32.
///     seconds: The time for the sample, at most 86400; None means 60.
///     sample: The number of units to sample with each engine, at least 8, instead of a time.
///     seed: The random seed. With the same `seed` and `sample`, the same units are sampled.
///     threads, engine, kernel, memory, stop: See `count`. They apply to the sample and to the
///         estimated count.
///     device: See `count`. With "gpu" or specific devices, the time is device time, and the sample
///         consists of whole units. With "auto", the time is CPU time.
///
/// Returns:
///     An `Estimate` of the number of solutions and of the thread time or device time, each with a
///     95% confidence interval.
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
///     >>> estimate.engine
///     'rows'
#[pyfunction]
#[pyo3(signature = (
    n, *, seconds = None, sample = None, seed = 1, threads = 0, engine = "auto", kernel = "auto",
    memory = None, device = "cpu", stop = None
))]
pub(crate) fn estimate(
    py: Python<'_>,
    #[pyo3(from_py_with = arguments::size)] n: BoardSize,
    #[pyo3(from_py_with = arguments::seconds)] seconds: Option<Duration>,
    #[pyo3(from_py_with = arguments::draws)] sample: Option<u64>,
    #[pyo3(from_py_with = arguments::seed)] seed: u64,
    #[pyo3(from_py_with = arguments::threads)] threads: usize,
    engine: &str,
    kernel: &str,
    #[pyo3(from_py_with = arguments::memory)] memory: Option<u64>,
    device: &str,
    stop: Option<Py<PyAny>>,
) -> PyResult<results::Estimate> {
    if seconds.is_some() && sample.is_some() {
        return Err(PyValueError::new_err(
            "seconds and sample cannot both be given",
        ));
    }
    let size = match (sample, seconds) {
        (Some(draws), _) => SampleSize::Draws(draws),
        (None, seconds) => SampleSize::Time(seconds.unwrap_or(MINUTE)),
    };
    let mut devices = arguments::devices(device)?;
    let (choice, options) = arguments::engine(engine, kernel, memory, devices)?;
    // Threads differ where only some of them feed a device.
    if !devices.uses_all_threads() {
        devices = DeviceSet::default();
    }
    let engine = choice.build(n, options.devices(devices));
    // Small boards are counted on the CPU.
    if engine.backend() != Some(Backend::Devices) {
        devices = DeviceSet::default();
    }
    let BoardEstimate { total, cost, .. } = watch(py, &Progress::new(None), stop, |stop| {
        Estimator::new(size)
            .seed(seed)
            .threads(threads)
            .under_load(!devices.is_empty())
            .stop(stop)
            .run_board(&engine)
            .map_err(errors::of_count)
    })?;
    for device in devices.devices() {
        if let Some(failure) = device.failure() {
            let text = format!("device {} failed: {failure}", device.index());
            return Err(PyRuntimeError::new_err(text));
        }
    }
    let seconds = if devices.is_empty() {
        cost.seconds
    } else {
        cost.device_seconds(devices.devices().count())
    };
    Ok(results::estimate(
        total.total,
        seconds,
        cost.threads,
        &engine,
        devices,
    ))
}

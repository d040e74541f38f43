//! `estimate`: what a count will be and cost.

use std::time::Duration;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use queencount::estimate::{Estimator, SampleSize};
use queencount::{BoardSize, Device, DeviceChoice, Engine, EngineChoice, EngineOptions};

use crate::progress::Progress;
use crate::watch::watch;
use crate::{arguments, errors, results};

/// How long is drawn unless something else is asked for.
const MINUTE: Duration = Duration::from_secs(60);

/// Estimate the number of solutions of a board, and the time to count them, from a random sample of
/// the units.
///
/// The time is sampled from the engine that would count. The number is sampled from "backtrack",
/// which can be sampled in tiny parts, in a sixth of the time. Where `seconds` suffice to count the
/// board, it is counted in place of a sample, and both margins are 0.
///
/// Args:
///     n: The number of rows, 1 to 32.
///     seconds: How long to draw, up to 86400; None stands for 60. Every draw that was begun is finished.
///     sample: How many draws to make from each engine in place of that, at least 8, however long it takes.
///     seed: The seed of the draws. A `sample` with the same seed draws the same units.
///     threads, engine, kernel, memory, stop: How to draw, and how the board would be counted, see `count`.
///     device: What would count, see `count`. With "gpu", or devices that are named, the time is theirs: whole units
///         are counted there. With "auto" it is that of the CPU.
///
/// Returns:
///     An `Estimate`: the number of solutions and the time of one thread, or of one device, each with its 95 %
///     confidence interval.
///
/// Raises:
///     ValueError: As `count`; or `seconds`, `sample` or `seed` is out of range, or both of the first two are given.
///     RuntimeError: The system grants no threads, or a device fails that would count.
///     Stopped, MemoryError: As `count`.
///
/// Examples:
///     >>> estimate = queencount.estimate(14, sample=100)
///     >>> estimate.total.low <= queencount.count(14) <= estimate.total.high
///     True
///     >>> estimate.engine
///     'rows'
#[pyfunction]
#[pyo3(signature = (n, *, seconds = None, sample = None, seed = 1, threads = 0, engine = "auto", kernel = "auto",
                    memory = None, device = "cpu", stop = None))]
pub fn estimate<'py>(
    py: Python<'py>,
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
) -> PyResult<Bound<'py, PyAny>> {
    if seconds.is_some() && sample.is_some() {
        return Err(PyValueError::new_err(
            "expected seconds or a sample, found both",
        ));
    }
    let (engine, resources) = arguments::how(engine, kernel, memory, device)?;
    // One thread is not like the other where only some feed a device.
    let device = if resources.devices == DeviceChoice::Auto {
        DeviceChoice::Cpu
    } else {
        resources.devices
    };
    let engine = engine.engine_with(
        n,
        EngineOptions {
            devices: device,
            ..resources
        },
    );
    let engine = engine.as_ref();
    // Small boards are none of theirs.
    let devices = if engine.kernel() == Some(Device::KERNEL) {
        device.devices()
    } else {
        vec![]
    };
    let (total, cost) = watch(py, &Progress::new(None), stop, |stop| {
        let draw = |engine: &dyn Engine, sixths: u32| {
            let size = match (sample, seconds) {
                (Some(draws), _) => SampleSize::Draws(draws),
                (None, seconds) => SampleSize::Time(seconds.unwrap_or(MINUTE) * sixths / 6),
            };
            let under_load = engine.kernel() == Some(Device::KERNEL);
            Estimator {
                size,
                seed,
                threads,
                under_load,
                stop,
            }
            .run(engine)
            .map_err(errors::of_count)
        };
        let reference = EngineChoice::Backtrack.engine(n);
        let alone = engine.name() == reference.name();
        let cost = draw(engine, if alone { 6 } else { 5 })?;
        // The reference tells both, and so does a board that has been counted.
        let both = alone || cost.counted.is_some();
        Ok((
            if both {
                cost.clone()
            } else {
                draw(reference.as_ref(), 1)?
            },
            cost,
        ))
    })?;
    if let Some((index, failure)) = devices
        .iter()
        .find_map(|device| Some((device.index(), device.failure()?)))
    {
        return Err(PyRuntimeError::new_err(format!(
            "expected device {index} to count, found that it fails: {failure}"
        )));
    }
    let (seconds, device) = match devices.len() {
        0 => (cost.seconds, DeviceChoice::Cpu),
        devices => (cost.device_seconds(devices), device),
    };
    results::estimate(py, total.total, seconds, cost.threads, engine, device)
}

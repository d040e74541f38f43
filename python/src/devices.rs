//! `devices`: what can count beside the CPU.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use queencount::Device;

use crate::results;

/// List the devices that can count beside the CPU: GPUs, and CPUs that have a driver like a GPU's.
///
/// `count` takes the numbers of GPUs, as in `device="gpu:0"`, and the full name of any device. The
/// first call loads the drivers; without one there are no devices.
///
/// Returns:
///     The devices as a tuple of `Device`, in the order of their numbers.
///
/// Examples:
///     >>> for device in queencount.devices():
///     ...     assert queencount.count(8, device=f"gpu:{device.name}") == 92
#[pyfunction]
pub fn devices(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    // Drivers may take seconds to load.
    let all = py.detach(Device::all);
    PyTuple::new(
        py,
        all.iter()
            .map(|device| results::device(py, device))
            .collect::<PyResult<Vec<_>>>()?,
    )
}

//! `devices`: the devices that can count besides the CPU.

use pyo3::prelude::*;

use crate::results::Device;

/// List the available GPUs, and CPUs that have an OpenCL driver.
///
/// The list is sorted by number. The first call loads the drivers.
///
/// Examples:
///     >>> for device in queencount.devices():
///     ...     assert queencount.count(8, device=f"gpu:{device.name}") == 92
#[pyfunction]
pub(crate) fn devices(py: Python<'_>) -> Vec<Device> {
    // Drivers may take seconds to load.
    let all = py.detach(queencount::Device::all);
    all.iter().map(Device::from).collect()
}

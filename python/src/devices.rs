//! `devices`: the devices that can count besides the CPU.

use pyo3::prelude::*;

use crate::results::Device;

/// List the available GPUs, and CPUs that have an OpenCL driver.
///
/// The `device` argument of `count` selects GPUs by number, as in "gpu:0", or any device by its
/// full name. The first call of `devices` loads the drivers. If there are no drivers, the list is
/// empty.
///
/// Returns:
///     A list of `Device` objects, in the order of their numbers.
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

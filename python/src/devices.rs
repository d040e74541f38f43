//! `devices`: the devices that can count besides the CPU.

use pyo3::prelude::*;

use crate::results::Device;

/// List the devices that can count besides the CPU: GPUs, and CPUs whose driver presents them as
/// compute devices.
///
/// `count` takes the numbers of GPUs, as in `device="gpu:0"`, and the full name of any device. The
/// first call loads the drivers; without a driver the list is empty.
///
/// Returns:
///     The devices as a list of `Device`, in the order of their numbers.
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

//! `devices`: the devices that can count besides the CPU.

use pyo3::prelude::*;

use crate::results::{self, Object};

/// List the available GPUs, and CPUs that have an OpenCL driver.
///
/// The list is sorted by number. The first call loads the drivers.
///
/// Examples:
///     >>> for device in queencount.devices():
///     ...     assert queencount.count(8, device=f"gpu:{device.name}") == 92
#[pyfunction]
pub(crate) fn devices(py: Python<'_>) -> PyResult<Vec<Object<'_>>> {
    // Drivers may take seconds to load.
    let all = py.detach(queencount::Device::all);
    let device = |device: &queencount::Device| {
        let description = &device.description;
        let kind = if description.is_cpu { "cpu" } else { "gpu" };
        let fields = (
            device.index(),
            &description.name,
            kind,
            description.memory,
            device.failure(),
        );
        results::new(py, "Device", fields)
    };
    all.iter().map(device).collect()
}

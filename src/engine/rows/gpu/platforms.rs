//! Lists the devices of the OpenCL drivers. The OpenCL library is loaded when they are first listed.

use opencl3::device::{CL_DEVICE_TYPE_ALL, CL_DEVICE_TYPE_CPU};
use opencl3::error_codes::{CL_PLATFORM_NOT_FOUND_KHR, ClError, DLOPEN_RUNTIME_LOAD_FAILED};
use opencl3::platform::{Platform, get_platforms};

use super::device::{Device, DeviceDescription, Found};
use super::opencl::{OpenCl, done};

/// Lists the devices that can run the kernels with a group size in `sizes`.
pub(super) fn find(sizes: &[usize]) -> Found {
    let mut found = Found::default();
    let platforms = match get_platforms() {
        Err(ClError(DLOPEN_RUNTIME_LOAD_FAILED)) => {
            found.absence = "no OpenCL library can be loaded; it comes with the driver of a GPU, \
                             or on Debian in the package ocl-icd-libopencl1"
                .to_owned();
            return found;
        }
        Err(ClError(CL_PLATFORM_NOT_FOUND_KHR)) => Vec::new(),
        Ok(platforms) => platforms,
        Err(error) => {
            found.absence = format!(
                "the OpenCL library cannot be used: it failed while listing drivers: {error} ({})",
                error.0
            );
            found.failures.push(found.absence.clone());
            return found;
        }
    };
    let mut names = Vec::new();
    for platform in platforms {
        names.push(platform.name().unwrap_or_default());
        match done("listing devices", devices(&platform, sizes)) {
            Ok(devices) => found.devices.extend(devices),
            Err(failure) => found.failures.push(format!(
                "an OpenCL driver cannot be used: it failed while {failure}"
            )),
        }
    }
    found.absence = if names.is_empty() {
        "the OpenCL library finds no driver; install the OpenCL driver of the GPU (on Linux, \
         /etc/OpenCL/vendors lists the drivers)"
            .to_owned()
    } else {
        let names = names.join(", ");
        format!("the OpenCL drivers list no device that can run the kernels ({names})")
    };
    found
}

fn devices(platform: &Platform, sizes: &[usize]) -> opencl3::Result<Vec<Device>> {
    let mut devices = Vec::new();
    for id in platform.get_devices(CL_DEVICE_TYPE_ALL)? {
        let device = opencl3::device::Device::from(id);
        let limit = device.max_work_group_size()?;
        let group = sizes.iter().filter(|&&size| size <= limit).max();
        if let Some(&group) = group
            && device.compiler_available()?
        {
            let description = DeviceDescription {
                name: device.name()?.trim().to_owned(),
                interface: format!("OpenCL, driver {}", device.driver_version()?.trim()),
                is_cpu: device.dev_type()? & CL_DEVICE_TYPE_CPU != 0,
                memory: device.global_mem_size()?,
                local_memory: device.local_mem_size()?,
            };
            devices.push(Device::new(description, OpenCl::new(device, group)));
        }
    }
    Ok(devices)
}

//! The OpenCL host: devices, their memory, and the launches of kernels.
//!
//! The library of the system's drivers is loaded at run time. Where there is none, there are no devices.

#![expect(unsafe_code, reason = "a driver is code that Rust cannot check")]

mod api;

use std::collections::HashMap;
use std::ffi::{CString, c_uint};
use std::ptr;
use std::sync::LazyLock;

use self::api::{API, Api, check, created, refuse};
use super::device::{DeviceDescription, Found};
use super::host::{Commands, Compiled, Driver, DriverFailure, GpuKernel, Memory, Refusal};

/// The source of the kernels.
const SOURCE: &str = include_str!("kernels.c");

// Of cl.h.
const DEVICE_TYPE_CPU: u64 = 2;
const DEVICE_TYPE: c_uint = 0x1000;
const DEVICE_VENDOR_ID: c_uint = 0x1001;
const DEVICE_MAX_COMPUTE_UNITS: c_uint = 0x1002;
const DEVICE_MAX_WORK_GROUP_SIZE: c_uint = 0x1004;
const DEVICE_GLOBAL_MEM_SIZE: c_uint = 0x101F;
const DEVICE_LOCAL_MEM_SIZE: c_uint = 0x1023;
const DEVICE_COMPILER_AVAILABLE: c_uint = 0x1028;
const DEVICE_NAME: c_uint = 0x102B;
const DRIVER_VERSION: c_uint = 0x102D;
const MEM_READ_WRITE: u64 = 1;
const BLOCKING: c_uint = 1;

/// The number of NVIDIA among the makers of devices for PCI.
const NVIDIA: u64 = 0x10DE;

/// All devices of all drivers, in the order in which the system names them, with the largest groups of these sizes that
/// they allow; or why a driver cannot be used. Devices that cannot run the kernels are left out.
pub fn devices(sizes: &[usize]) -> Vec<Result<Found, DriverFailure>> {
    let mut devices = Vec::new();
    if let Err(failure) = list(sizes, &mut devices) {
        devices.push(Err(failure));
    }
    let said = |DriverFailure(said)| DriverFailure(format!("a driver for OpenCL cannot be used: {said}"));
    devices.into_iter().map(|found| found.map_err(said)).collect()
}

fn list(sizes: &[usize], devices: &mut Vec<Result<Found, DriverFailure>>) -> Result<(), DriverFailure> {
    let Some(api) = API.as_ref().map_err(Clone::clone)? else { return Ok(()) };
    for platform in api.platforms()? {
        match api.devices(platform) {
            Ok(handles) => {
                devices.extend(handles.into_iter().filter_map(|handle| found(api, handle, sizes).transpose()))
            }
            Err(failure) => devices.push(Err(failure)),
        }
    }
    Ok(())
}

/// A device, unless it cannot run the kernels.
fn found(api: &'static Api, handle: usize, sizes: &[usize]) -> Result<Option<Found>, DriverFailure> {
    let (most, compiles) =
        (api.number(handle, DEVICE_MAX_WORK_GROUP_SIZE)?, api.number(handle, DEVICE_COMPILER_AVAILABLE)?);
    let group = sizes.iter().copied().filter(|&size| size as u64 <= most).max();
    let Some(group) = group.filter(|_| compiles != 0) else { return Ok(None) };
    let description = DeviceDescription {
        name: api.text(handle, DEVICE_NAME)?,
        interface: format!("OpenCL, driver {}", api.text(handle, DRIVER_VERSION)?),
        is_cpu: api.number(handle, DEVICE_TYPE)? & DEVICE_TYPE_CPU != 0,
        memory: api.number(handle, DEVICE_GLOBAL_MEM_SIZE)?,
        local_memory: api.number(handle, DEVICE_LOCAL_MEM_SIZE)?,
        multiprocessors: api.number(handle, DEVICE_MAX_COMPUTE_UNITS)? as u32,
    };
    let is_nvidia = api.number(handle, DEVICE_VENDOR_ID)? == NVIDIA;
    let memory = description.memory;
    let driver = LazyLock::new(Box::new(move || compile(api, handle, group, memory)) as _);
    Ok(Some(Found { description, group, is_nvidia, driver }))
}

/// Has the driver compile the kernels. What it makes for that stays as long as the program runs.
fn compile(api: &'static Api, device: usize, group: usize, memory: u64) -> Compiled {
    let options = CString::new(format!("-cl-std=CL1.2 -DSIZE={group}u")).expect("options have no zeros");
    let (source, length, mut error) = (SOURCE.as_ptr().cast(), SOURCE.len(), 0);
    // SAFETY: the calls read this device, and a source of this length; no function is called back.
    let (context, program, result) = unsafe {
        let context =
            api.clCreateContext(ptr::null(), 1, &raw const device, ptr::null(), ptr::null_mut(), &raw mut error);
        check("creating a context", error)?;
        let program = api.clCreateProgramWithSource(context, 1, &raw const source, &raw const length, &raw mut error);
        check("reading the kernels", error)?;
        let (notify, data) = (ptr::null(), ptr::null_mut());
        let result = api.clBuildProgram(program, 1, &raw const device, options.as_ptr(), notify, data);
        (context, program, result)
    };
    check("compiling the kernels", result).map_err(|DriverFailure(said)| {
        let log = api.build_log(program, device).unwrap_or_else(|DriverFailure(none)| none);
        DriverFailure(format!("{said}: {log}"))
    })?;
    Ok(Box::new(OpenCl { api, device, group, memory, context, program }))
}

/// A device and what its driver has compiled for it.
struct OpenCl {
    api: &'static Api,
    device: usize,
    group: usize,
    /// The bytes of its memory.
    memory: u64,
    context: usize,
    program: usize,
}

impl Driver for OpenCl {
    /// OpenCL does not say what is free. Where it is less than all, it grants less, and feeders do with that.
    fn free_memory(&self) -> Result<u64, DriverFailure> {
        Ok(self.memory)
    }

    fn commands(&self) -> Result<Box<dyn Commands + '_>, Refusal> {
        let mut error = 0;
        // SAFETY: it is a device of this context.
        let queue = unsafe { self.api.clCreateCommandQueue(self.context, self.device, 0, &raw mut error) };
        let queue = created("creating a queue", queue, error)?;
        let mut commands = OpenClQueue { opencl: self, queue, kernels: Vec::new(), memory: HashMap::new() };
        for name in GpuKernel::NAMES {
            let name = CString::new(name).expect("names have no zeros");
            // SAFETY: the call reads a string that ends with a zero.
            let kernel = unsafe { self.api.clCreateKernel(self.program, name.as_ptr(), &raw mut error) };
            commands.kernels.push(created("creating a kernel", kernel, error)?);
        }
        Ok(Box::new(commands))
    }
}

/// A queue of commands, and the memory that they work on.
struct OpenClQueue<'a> {
    opencl: &'a OpenCl,
    queue: usize,
    kernels: Vec<usize>,
    /// The buffers that have been created.
    memory: HashMap<Memory, usize>,
}

impl OpenClQueue<'_> {
    /// Sets the arguments of a kernel: numbers, buffers, and so many bytes of memory of a group if these are not zero.
    fn set_arguments(&self, kernel: usize, numbers: &[u32], buffers: &[usize], local: usize) -> Result<(), Refusal> {
        let numbers = numbers.iter().map(|number| (size_of_val(number), ptr::from_ref(number).cast()));
        let buffers = buffers.iter().map(|buffer| (size_of_val(buffer), ptr::from_ref(buffer).cast()));
        let local = (local > 0).then_some((local, ptr::null()));
        for (number, (size, value)) in (0..).zip(numbers.chain(buffers).chain(local)) {
            // SAFETY: the value has so many bytes, or there is none.
            refuse("preparing a kernel", unsafe { self.opencl.api.clSetKernelArg(kernel, number, size, value) })?;
        }
        Ok(())
    }
}

impl Commands for OpenClQueue<'_> {
    fn allocate(&mut self, memory: Memory, bytes: usize) -> Result<(), Refusal> {
        let OpenCl { api, context, .. } = self.opencl;
        if let Some(before) = self.memory.remove(&memory) {
            // SAFETY: the driver keeps it until the commands that use it have been carried out.
            refuse("releasing memory", unsafe { api.clReleaseMemObject(before) })?;
        }
        let mut error = 0;
        // SAFETY: without memory of ours nothing of it is read or written.
        let buffer = unsafe { api.clCreateBuffer(*context, MEM_READ_WRITE, bytes, ptr::null_mut(), &raw mut error) };
        self.memory.insert(memory, created("reserving memory", buffer, error)?);
        Ok(())
    }

    unsafe fn write(&mut self, memory: Memory, bytes: &[u8]) -> Result<(), Refusal> {
        let (to, from) = (self.memory[&memory], bytes.as_ptr().cast());
        let (none, event) = (ptr::null(), ptr::null_mut());
        // SAFETY: the call blocks until the bytes have been copied, and the buffer is large enough.
        refuse("writing to the device", unsafe {
            self.opencl.api.clEnqueueWriteBuffer(self.queue, to, BLOCKING, 0, bytes.len(), from, 0, none, event)
        })
    }

    unsafe fn read(&mut self, memory: Memory, bytes: &mut [u8]) -> Result<(), Refusal> {
        let (to, from) = (bytes.as_mut_ptr().cast(), self.memory[&memory]);
        let (none, event) = (ptr::null(), ptr::null_mut());
        // SAFETY: the call blocks until the bytes have been copied, and the buffer is large enough.
        refuse("reading from the device", unsafe {
            self.opencl.api.clEnqueueReadBuffer(self.queue, from, BLOCKING, 0, bytes.len(), to, 0, none, event)
        })
    }

    unsafe fn launch(
        &mut self,
        kernel: GpuKernel,
        groups: usize,
        local: usize,
        numbers: &[u32],
    ) -> Result<(), Refusal> {
        let OpenCl { api, group, .. } = self.opencl;
        let buffers: Vec<usize> = kernel.memories.iter().map(|memory| self.memory[memory]).collect();
        let (handle, items) = (self.kernels[kernel.number], groups * group);
        self.set_arguments(handle, numbers, &buffers, local)?;
        let (none, event) = (ptr::null(), ptr::null_mut());
        // SAFETY: the arguments are those of the kernel, as promised by the caller.
        refuse("starting a kernel", unsafe {
            api.clEnqueueNDRangeKernel(self.queue, handle, 1, none, &raw const items, group, 0, none, event)
        })
    }
}

impl Drop for OpenClQueue<'_> {
    fn drop(&mut self) {
        let api = self.opencl.api;
        // SAFETY: nobody has these any more. Memory is not released under a kernel that still works on it. A driver that
        // has failed has no more to say.
        unsafe {
            api.clFinish(self.queue);
            self.memory.values().for_each(|&buffer| _ = api.clReleaseMemObject(buffer));
            self.kernels.iter().for_each(|&kernel| _ = api.clReleaseKernel(kernel));
            api.clReleaseCommandQueue(self.queue);
        }
    }
}

//! The OpenCL host: devices, their memory, and the launches of kernels.
//!
//! The library of the system's drivers is loaded at run time. Where there is none, there are no devices.

#![expect(unsafe_code, reason = "a driver is code that Rust cannot check")]

use std::collections::HashMap;
use std::ptr;
use std::sync::LazyLock;

use opencl3::command_queue::CommandQueue;
use opencl3::context::Context;
use opencl3::device::{CL_DEVICE_TYPE_ALL, CL_DEVICE_TYPE_CPU, Device as Handle};
use opencl3::error_codes::{
    CL_INVALID_BUFFER_SIZE, CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES, ClError,
};
use opencl3::kernel::ExecuteKernel;
use opencl3::memory::{Buffer, CL_MEM_READ_WRITE};
use opencl3::platform::get_platforms;
use opencl3::program::Program;
use opencl3::types::CL_BLOCKING;

use super::description::DeviceDescription;
use super::host::{Commands, Compiled, Driver, DriverFailure, Found, GpuKernel, Memory, Refusal, SOURCE};

/// All devices of all drivers, in the order in which the system names them, with the largest groups of these sizes that
/// they allow. Those that cannot run the kernels are left out.
pub fn devices(sizes: &[usize]) -> Vec<Found> {
    let handles = get_platforms().unwrap_or_default().into_iter().filter_map(|platform| {
        let devices = platform.get_devices(CL_DEVICE_TYPE_ALL).ok()?;
        Some(devices.into_iter().map(Handle::new))
    });
    let found = |handle: Handle| {
        let most = handle.max_work_group_size().ok()?;
        let group = sizes.iter().copied().filter(|&size| size <= most).max()?;
        let compiled = move || LazyLock::new(Box::new(move || compile(handle, group)) as _);
        (handle.compiler_available() == Ok(true)).then(|| (description(&handle, group), compiled()))
    };
    handles.flatten().filter_map(found).collect()
}

fn description(handle: &Handle, group: usize) -> DeviceDescription {
    // NVIDIA's drivers tell the slot, and they are the ones whose GPUs another host offers, too. The lowest three bits of
    // their number are that of a function.
    let slot = || Some((handle.pci_bus_id_nv().ok()?, handle.pci_slot_id_nv().ok()? >> 3));
    DeviceDescription {
        name: handle.name().unwrap_or_default().trim().to_owned(),
        interface: format!("OpenCL, driver {}", handle.driver_version().unwrap_or_default().trim()),
        is_cpu: handle.dev_type().is_ok_and(|kind| kind & CL_DEVICE_TYPE_CPU != 0),
        memory: handle.global_mem_size().unwrap_or(0),
        local_memory: handle.local_mem_size().unwrap_or(0),
        multiprocessors: handle.max_compute_units().unwrap_or(1),
        clock_rate: 1e6 * f64::from(handle.max_clock_frequency().unwrap_or(1000)),
        slot: slot(),
        group,
    }
}

/// Has the driver compile the kernels.
fn compile(handle: Handle, group: usize) -> Compiled {
    let context = Context::from_device(&handle).map_err(failed("creating a context"))?;
    let options = format!("-cl-std=CL1.2 -DSIZE={group}u");
    let program = Program::create_and_build_from_source(&context, SOURCE, &options)
        .map_err(|log| DriverFailure(format!("the driver cannot compile the kernels: {log}")))?;
    Ok(Box::new(OpenCl { handle, group, context, program }))
}

/// A device and what its driver has compiled for it.
struct OpenCl {
    handle: Handle,
    group: usize,
    context: Context,
    program: Program,
}

impl Driver for OpenCl {
    /// OpenCL does not say what is free. Where it is less than all, it grants less, and feeders do with that.
    fn free_memory(&self) -> Result<u64, DriverFailure> {
        self.handle.global_mem_size().map_err(failed("asking for memory"))
    }

    fn commands(&self) -> Result<Box<dyn Commands + '_>, DriverFailure> {
        let queue = CommandQueue::create_default(&self.context, 0).map_err(failed("creating a queue"))?;
        let kernels = GpuKernel::NAMES.map(|name| opencl3::kernel::Kernel::create(&self.program, name));
        let kernels = kernels.into_iter().collect::<Result<_, _>>().map_err(failed("creating a kernel"))?;
        Ok(Box::new(OpenClQueue { opencl: self, queue, kernels, memory: HashMap::new() }))
    }
}

/// A queue of commands, and the memory that they work on.
struct OpenClQueue<'a> {
    opencl: &'a OpenCl,
    queue: CommandQueue,
    kernels: Vec<opencl3::kernel::Kernel>,
    memory: HashMap<Memory, Buffer<u8>>,
}

impl Commands for OpenClQueue<'_> {
    fn clear(&mut self) -> Result<(), Refusal> {
        // The driver keeps it until the commands that use it have been carried out.
        self.memory.clear();
        Ok(())
    }

    fn allocate(&mut self, memory: Memory, bytes: usize) -> Result<(), Refusal> {
        self.memory.remove(&memory);
        // SAFETY: without a host pointer nothing of ours is read or written.
        let buffer = unsafe { Buffer::create(&self.opencl.context, CL_MEM_READ_WRITE, bytes, ptr::null_mut()) };
        let buffer = buffer.map_err(|error| match error.0 {
            CL_OUT_OF_RESOURCES | CL_OUT_OF_HOST_MEMORY | CL_INVALID_BUFFER_SIZE => Refusal::NoMemory,
            _ => refused("reserving memory")(error),
        })?;
        self.memory.insert(memory, buffer);
        Ok(())
    }

    unsafe fn write(&mut self, memory: Memory, bytes: &[u8]) -> Result<(), Refusal> {
        let buffer = self.memory.get_mut(&memory).expect("it has been allocated");
        // SAFETY: the call blocks until the bytes have been copied, and the buffer is large enough.
        unsafe { self.queue.enqueue_write_buffer(buffer, CL_BLOCKING, 0, bytes, &[]) }
            .map_err(refused("writing to the device"))?;
        Ok(())
    }

    unsafe fn read(&mut self, memory: Memory, bytes: &mut [u8]) -> Result<(), Refusal> {
        let buffer = &self.memory[&memory];
        // SAFETY: the call blocks until the bytes have been copied, and the buffer is large enough.
        unsafe { self.queue.enqueue_read_buffer(buffer, CL_BLOCKING, 0, bytes, &[]) }
            .map_err(refused("reading from the device"))?;
        Ok(())
    }

    unsafe fn launch(
        &mut self,
        kernel: GpuKernel,
        groups: usize,
        local: usize,
        numbers: &[u32],
    ) -> Result<(), Refusal> {
        let mut launch = ExecuteKernel::new(&self.kernels[kernel.number]);
        // SAFETY: as promised by the caller.
        let launched = unsafe {
            for number in numbers {
                launch.set_arg(number);
            }
            for memory in kernel.memories {
                launch.set_arg(&self.memory[memory]);
            }
            if local > 0 {
                launch.set_arg_local_buffer(local);
            }
            launch.set_global_work_size(groups * self.opencl.group).set_local_work_size(self.opencl.group);
            launch.enqueue_nd_range(&self.queue)
        };
        launched.map(drop).map_err(refused("starting a kernel"))
    }
}

impl Drop for OpenClQueue<'_> {
    fn drop(&mut self) {
        // Memory is not released under a kernel that still works on it.
        let _ = self.queue.finish();
    }
}

/// Says what failed.
fn failed(doing: &'static str) -> impl Fn(ClError) -> DriverFailure {
    move |error| DriverFailure(format!("{doing} failed: {error}"))
}

/// Says what failed, unless there was no memory: a driver may reserve it only when it is used.
fn refused(doing: &'static str) -> impl Fn(ClError) -> Refusal {
    move |error| match error.0 {
        CL_MEM_OBJECT_ALLOCATION_FAILURE => Refusal::NoMemory,
        _ => failed(doing)(error).into(),
    }
}

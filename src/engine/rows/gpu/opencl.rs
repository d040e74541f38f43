//! Drives devices through OpenCL, whose library is loaded when devices are first listed.

#![expect(unsafe_code, reason = "calls to drivers")]

use std::collections::HashMap;
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};
use std::ptr;

use opencl3::command_queue::{CommandQueue, release_command_queue};
use opencl3::context::Context;
use opencl3::device::{CL_DEVICE_TYPE_ALL, CL_DEVICE_TYPE_CPU};
use opencl3::error_codes::{
    CL_INVALID_BUFFER_SIZE, CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_HOST_MEMORY,
    CL_OUT_OF_RESOURCES, CL_PLATFORM_NOT_FOUND_KHR, ClError, DLOPEN_RUNTIME_LOAD_FAILED,
};
use opencl3::event::{Event, release_event};
use opencl3::kernel::{Kernel, release_kernel};
use opencl3::memory::{Buffer, CL_MEM_READ_WRITE, ClMem, release_mem_object};
use opencl3::platform::get_platforms;
use opencl3::program::Program;
use opencl3::types::CL_BLOCKING;

use super::device::{Device, DeviceDescription};
use super::driver::{Commands, Driver, DriverFailure, DriverResult, GpuKernel, Memory, kernels};

const SOURCE: &str = include_str!("kernels.c");

/// An OpenCL driver, and its devices that can run the kernels.
pub(super) struct Platform {
    pub name: String,
    pub devices: DriverResult<Vec<Device>>,
}

/// Returns the drivers, and their devices that can run the kernels with a group size in `sizes`, or
/// `None` if there is no OpenCL library.
pub(super) fn platforms(sizes: &[usize]) -> DriverResult<Option<Vec<Platform>>> {
    let platforms = match get_platforms() {
        Err(ClError(DLOPEN_RUNTIME_LOAD_FAILED)) => return Ok(None),
        Err(ClError(CL_PLATFORM_NOT_FOUND_KHR)) => Vec::new(),
        platforms => platforms.or_fail("listing drivers")?,
    };
    let mut found = Vec::new();
    for platform in platforms {
        found.push(Platform {
            name: platform.name().or_fail("asking for a name")?,
            devices: devices(&platform, sizes),
        });
    }
    Ok(Some(found))
}

fn devices(platform: &opencl3::platform::Platform, sizes: &[usize]) -> DriverResult<Vec<Device>> {
    let listed = platform.get_devices(CL_DEVICE_TYPE_ALL);
    let mut devices = Vec::new();
    for device in listed.or_fail("listing devices")? {
        let description = describe(device.into(), sizes);
        devices.extend(description.or_fail("asking about a device")?);
    }
    Ok(devices)
}

/// Describes a device, unless it cannot run the kernels.
fn describe(device: opencl3::device::Device, sizes: &[usize]) -> opencl3::Result<Option<Device>> {
    let limit = device.max_work_group_size()?;
    let Some(&group) = sizes.iter().filter(|&&size| size <= limit).max() else {
        return Ok(None);
    };
    if !device.compiler_available()? {
        return Ok(None);
    }
    let description = DeviceDescription {
        name: device.name()?.trim().to_owned(),
        interface: format!("OpenCL, driver {}", device.driver_version()?.trim()),
        is_cpu: device.dev_type()? & CL_DEVICE_TYPE_CPU != 0,
        memory: device.global_mem_size()?,
        local_memory: device.local_mem_size()?,
    };
    Ok(Some(Device::new(description, group, move || {
        Ok(Box::new(OpenCl::compile(device, group)?))
    })))
}

trait OrFail<T> {
    /// Converts an error. `doing` describes the call.
    fn or_fail(self, doing: &'static str) -> DriverResult<T>;
}

impl<T> OrFail<T> for opencl3::Result<T> {
    fn or_fail(self, doing: &'static str) -> DriverResult<T> {
        self.map_err(|error| DriverFailure {
            doing,
            error: format!("{error} ({})", error.0),
            // Any call can run out of memory, because drivers may allocate memory lazily.
            lacks_memory: matches!(
                error.0,
                CL_MEM_OBJECT_ALLOCATION_FAILURE | CL_OUT_OF_HOST_MEMORY | CL_INVALID_BUFFER_SIZE
            ),
        })
    }
}

/// Converts the error of a call that creates something. Here, `CL_OUT_OF_RESOURCES` means a lack of
/// memory; from other calls, it would mean that a kernel failed.
fn created<T>(doing: &'static str, result: opencl3::Result<T>) -> DriverResult<T> {
    let is_exhausted = matches!(result, Err(ClError(CL_OUT_OF_RESOURCES)));
    result.or_fail(doing).map_err(|failure| DriverFailure {
        lacks_memory: failure.lacks_memory || is_exhausted,
        ..failure
    })
}

/// A handle that is released when it is dropped. The types of `opencl3` release their handles, too,
/// but panic if the driver refuses, as a driver that has failed may do.
struct Handle<T> {
    inner: ManuallyDrop<T>,
    release: unsafe fn(&T) -> Result<(), i32>,
}

impl<T> Handle<T> {
    /// # Safety
    /// `release` must release the handle.
    unsafe fn new(inner: T, release: unsafe fn(&T) -> Result<(), i32>) -> Self {
        let inner = ManuallyDrop::new(inner);
        Self { inner, release }
    }
}

impl<T> Deref for Handle<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.inner
    }
}

impl<T> DerefMut for Handle<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.inner
    }
}

impl<T> Drop for Handle<T> {
    fn drop(&mut self) {
        // SAFETY: `inner` is valid, and is not used or released afterwards. An error is ignored,
        // because a driver that has failed has already reported its first error.
        let _ = unsafe { (self.release)(&self.inner) };
    }
}

/// A device and its compiled kernels.
struct OpenCl {
    device: opencl3::device::Device,
    group: usize,
    // Never released, because a device can be used until the program ends.
    program: ManuallyDrop<Program>,
    context: ManuallyDrop<Context>,
}

impl OpenCl {
    /// Compiles the kernels. If this fails, the error contains the compiler's log.
    fn compile(device: opencl3::device::Device, group: usize) -> DriverResult<Self> {
        let context = created("creating a context", Context::from_device(&device))?;
        let context = ManuallyDrop::new(context);
        let program = Program::create_from_source(&context, SOURCE);
        let mut program = ManuallyDrop::new(created("reading the kernels", program)?);
        let options = format!("-cl-std=CL1.2 -Werror -DSIZE={group}u");
        program
            .build(&[device.id()], &options)
            .or_fail("compiling the kernels")
            .map_err(|failure| {
                let log = program.get_build_log(device.id()).unwrap_or_default();
                let error = format!("{}: {}", failure.error, log.trim());
                DriverFailure { error, ..failure }
            })?;
        Ok(Self {
            device,
            group,
            program,
            context,
        })
    }

    fn create_kernel(&self, name: &str) -> DriverResult<Handle<Kernel>> {
        let kernel = created("creating a kernel", Kernel::create(&self.program, name))?;
        // SAFETY: this releases a kernel.
        Ok(unsafe { Handle::new(kernel, |kernel| release_kernel(kernel.get())) })
    }
}

impl Driver for OpenCl {
    fn create_queue(&self) -> DriverResult<Box<dyn Commands + '_>> {
        let mut own = HashMap::new();
        for kernel in kernels() {
            own.insert(kernel.name, self.create_kernel(kernel.name)?);
        }
        // SAFETY: the device belongs to the context.
        let queue = unsafe { CommandQueue::create(&self.context, self.device.id(), 0) };
        let queue = created("creating a queue", queue)?;
        // SAFETY: this releases a queue.
        let queue = unsafe { Handle::new(queue, |queue| release_command_queue(queue.get())) };
        Ok(Box::new(Queue {
            driver: self,
            buffers: HashMap::new(),
            kernels: own,
            queue,
        }))
    }
}

struct Queue<'a> {
    driver: &'a OpenCl,
    // Released in this order.
    buffers: HashMap<Memory, Handle<Buffer<u8>>>,
    /// Each queue has its own kernels, because threads would share the arguments of a kernel.
    kernels: HashMap<&'static str, Handle<Kernel>>,
    queue: Handle<CommandQueue>,
}

impl Queue<'_> {
    fn buffer(&mut self, memory: Memory) -> (&CommandQueue, &mut Buffer<u8>) {
        let buffer = self.buffers.get_mut(&memory);
        (&self.queue, buffer.expect("the buffer has been allocated"))
    }
}

impl Commands for Queue<'_> {
    fn allocate(&mut self, memory: Memory, bytes: usize) -> DriverResult<()> {
        self.buffers.remove(&memory);
        let context = &self.driver.context;
        // SAFETY: the buffer has no host memory.
        let buffer = unsafe { Buffer::create(context, CL_MEM_READ_WRITE, bytes, ptr::null_mut()) };
        let buffer = created("reserving memory", buffer)?;
        // SAFETY: this releases a buffer.
        let buffer = unsafe { Handle::new(buffer, |buffer| release_mem_object(buffer.get())) };
        self.buffers.insert(memory, buffer);
        Ok(())
    }

    fn write(&mut self, memory: Memory, bytes: &[u8]) -> DriverResult<()> {
        let (queue, buffer) = self.buffer(memory);
        // SAFETY: a blocking call returns only when the bytes have been copied, and the driver
        // checks the size of the buffer.
        let written = unsafe { queue.enqueue_write_buffer(buffer, CL_BLOCKING, 0, bytes, &[]) };
        enqueued("writing to the device", written)
    }

    fn read(&mut self, memory: Memory, bytes: &mut [u8]) -> DriverResult<()> {
        let (queue, buffer) = self.buffer(memory);
        // SAFETY: the read blocks, so `bytes` outlives it, and the driver refuses to read beyond
        // the end of the buffer.
        let read = unsafe { queue.enqueue_read_buffer(buffer, CL_BLOCKING, 0, bytes, &[]) };
        enqueued("reading from the device", read)
    }

    unsafe fn launch(
        &mut self,
        kernel: GpuKernel,
        groups: usize,
        local: usize,
        numbers: &[u32],
    ) -> DriverResult<()> {
        let prepared = "preparing a kernel";
        let own = &self.kernels[kernel.name];
        let mut index = 0;
        for number in numbers {
            // SAFETY: the caller guarantees that this parameter is a number.
            unsafe { own.set_arg(index, number) }.or_fail(prepared)?;
            index += 1;
        }
        for memory in kernel.memories {
            // SAFETY: `memories` lists the parameters that are buffers.
            unsafe { own.set_arg(index, &self.buffers[memory].get()) }.or_fail(prepared)?;
            index += 1;
        }
        if local > 0 {
            // SAFETY: the last parameter of kernels with local memory is that memory.
            unsafe { own.set_arg_local_buffer(index, local) }.or_fail(prepared)?;
        }
        let group = self.driver.group;
        let items = groups * group;
        // SAFETY: the pointers are valid during the call, which reads one number from each, and the
        // caller guarantees that the kernel stays within its buffers.
        let launched = unsafe {
            self.queue
                .enqueue_nd_range_kernel(own.get(), 1, ptr::null(), &items, &group, &[])
        };
        enqueued("starting a kernel", launched)
    }
}

impl Drop for Queue<'_> {
    fn drop(&mut self) {
        // Memory is free only when no command uses it. An error has no consequences here.
        let _ = self.queue.finish();
    }
}

/// Releases the event of a command.
fn enqueued(doing: &'static str, event: opencl3::Result<Event>) -> DriverResult<()> {
    let event = event.or_fail(doing)?;
    // SAFETY: this releases an event.
    drop(unsafe { Handle::new(event, |event| release_event(event.get())) });
    Ok(())
}

//! The OpenCL host: devices, their memory, and the launches of kernels.
//!
//! The library of the system's drivers is loaded at run time. Where there is none, there are no devices.

#![expect(unsafe_code, reason = "a driver is code that Rust cannot check")]

use std::ptr;
use std::sync::OnceLock;

use opencl3::command_queue::CommandQueue;
use opencl3::context::Context;
use opencl3::device::{CL_DEVICE_TYPE_ALL, CL_DEVICE_TYPE_CPU, Device as Handle};
use opencl3::error_codes::ClError;
use opencl3::kernel::ExecuteKernel;
use opencl3::memory::{Buffer, CL_MEM_READ_WRITE, ClMem};
use opencl3::platform::get_platforms;
use opencl3::program::Program;
use opencl3::types::CL_BLOCKING;

use super::host::{Argument, Failure, Item, Kernel, Memory, SIZE, SOURCE};

/// A device and what its driver has compiled for it.
pub struct Device {
    handle: Handle,
    compiled: OnceLock<Result<Compiled, Failure>>,
}

struct Compiled {
    context: Context,
    program: Program,
}

impl Device {
    /// All devices of all drivers, in the order in which the system names them.
    pub fn all() -> Vec<Self> {
        let handles = get_platforms().unwrap_or_default().into_iter().filter_map(|platform| {
            let devices = platform.get_devices(CL_DEVICE_TYPE_ALL).ok()?;
            Some(devices.into_iter().map(Handle::new))
        });
        handles.flatten().map(|handle| Self { handle, compiled: OnceLock::new() }).collect()
    }

    /// The name that the driver gives to it.
    pub fn name(&self) -> String {
        self.handle.name().unwrap_or_default().trim().to_owned()
    }

    /// The version of the driver.
    pub fn driver(&self) -> String {
        self.handle.driver_version().unwrap_or_default().trim().to_owned()
    }

    /// Whether it is a CPU.
    pub fn is_cpu(&self) -> bool {
        self.handle.dev_type().is_ok_and(|kind| kind & CL_DEVICE_TYPE_CPU != 0)
    }

    /// The bytes of its memory.
    pub fn memory(&self) -> u64 {
        self.handle.global_mem_size().unwrap_or(0)
    }

    /// The bytes of memory that a group of work-items shares.
    pub fn local_memory(&self) -> u64 {
        self.handle.local_mem_size().unwrap_or(0)
    }

    /// Whether its groups can be as large as the kernels want them.
    pub fn fits(&self) -> bool {
        self.handle.max_work_group_size().is_ok_and(|size| size >= SIZE) && self.handle.compiler_available() == Ok(true)
    }

    /// A queue of commands for it. The first one waits until the kernels are compiled.
    ///
    /// # Errors
    /// When the driver fails.
    pub fn queue(&self) -> Result<Queue<'_>, Failure> {
        let Compiled { context, program } =
            self.compiled.get_or_init(|| self.compile()).as_ref().map_err(Clone::clone)?;
        let queue = CommandQueue::create_default(context, 0).map_err(failed("creating a queue"))?;
        let kernels = Kernel::NAMES.map(|name| opencl3::kernel::Kernel::create(program, name));
        let kernels = kernels.into_iter().collect::<Result<_, _>>().map_err(failed("creating a kernel"))?;
        Ok(Queue { context, queue, kernels, memory: std::array::from_fn(|_| None) })
    }

    fn compile(&self) -> Result<Compiled, Failure> {
        let context = Context::from_device(&self.handle).map_err(failed("creating a context"))?;
        let options = format!("-cl-std=CL1.2 -DSIZE={SIZE}u");
        let program = Program::create_and_build_from_source(&context, SOURCE, &options)
            .map_err(|log| Failure(format!("the driver cannot compile the kernels: {log}")))?;
        Ok(Compiled { context, program })
    }
}

/// A queue of commands, carried out one after another, and the memory on the device that they work on.
pub struct Queue<'a> {
    context: &'a Context,
    queue: CommandQueue,
    kernels: Vec<opencl3::kernel::Kernel>,
    memory: [Option<Buffer<u8>>; Memory::COUNT],
}

impl Queue<'_> {
    /// Sees to it that a memory has at least so many bytes. What it held may be lost.
    ///
    /// # Errors
    /// When the driver fails, for example because the device has no memory left.
    pub fn reserve(&mut self, memory: Memory, bytes: usize) -> Result<(), Failure> {
        let slot = &mut self.memory[memory as usize];
        let held = slot.as_ref().map_or(Ok(0), ClMem::size).map_err(failed("asking for a size"))?;
        let bytes = bytes.max(1);
        if held < bytes {
            *slot = None;
            // A little more, so that it does not grow with every unit.
            let bytes = (bytes + bytes / 4).next_multiple_of(4096);
            // SAFETY: without a host pointer nothing of ours is read or written.
            let buffer = unsafe { Buffer::create(self.context, CL_MEM_READ_WRITE, bytes, ptr::null_mut()) };
            *slot = Some(buffer.map_err(failed("reserving memory"))?);
        }
        Ok(())
    }

    /// Writes items to the begin of a memory, which grows if need be.
    ///
    /// # Errors
    /// When the driver fails.
    pub fn write<T: Item>(&mut self, memory: Memory, items: &[T]) -> Result<(), Failure> {
        self.reserve(memory, size_of_val(items))?;
        let bytes = bytes(items);
        if let (Some(buffer), false) = (&mut self.memory[memory as usize], bytes.is_empty()) {
            // SAFETY: the call blocks until the bytes have been copied, and the buffer is large enough.
            unsafe { self.queue.enqueue_write_buffer(buffer, CL_BLOCKING, 0, bytes, &[]) }
                .map_err(failed("writing to the device"))?;
        }
        Ok(())
    }

    /// Waits for all commands, and reads items from the begin of a memory.
    ///
    /// # Errors
    /// When the driver or one of the commands has failed.
    ///
    /// # Panics
    /// When the memory has not so many.
    pub fn read<T: Item>(&self, memory: Memory, count: usize) -> Result<Vec<T>, Failure> {
        let mut items = vec![T::default(); count];
        let size = size_of_val(&items[..]);
        let buffer = self.memory[memory as usize].as_ref().expect("it has been reserved");
        let held = buffer.size().map_err(failed("asking for a size"))?;
        assert!(size <= held, "{size} bytes read from a memory of {held}");
        // SAFETY: an `Item` may have any bits, and these are all of the bytes of `items`.
        let bytes = unsafe { std::slice::from_raw_parts_mut(items.as_mut_ptr().cast::<u8>(), size) };
        if !bytes.is_empty() {
            // SAFETY: the call blocks until the bytes have been copied, and both sides are large enough.
            unsafe { self.queue.enqueue_read_buffer(buffer, CL_BLOCKING, 0, bytes, &[]) }
                .map_err(failed("reading from the device"))?;
        }
        Ok(items)
    }

    /// Has a kernel carried out by so many groups, each with so many bytes of memory of its own if these
    /// are not zero.
    ///
    /// # Errors
    /// When the driver fails.
    ///
    /// # Safety
    /// The arguments have to be those of the kernel, and its memories as large as it will use.
    pub unsafe fn launch(
        &mut self,
        kernel: Kernel,
        groups: usize,
        local: usize,
        arguments: &[Argument],
    ) -> Result<(), Failure> {
        if groups == 0 {
            return Ok(());
        }
        let mut launch = ExecuteKernel::new(&self.kernels[kernel.number()]);
        for argument in arguments {
            match argument {
                // SAFETY: as promised by the caller.
                Argument::Number(number) => unsafe { launch.set_arg(number) },
                Argument::Memory(memory) => {
                    let buffer = self.memory[*memory as usize].as_ref().expect("it has been reserved");
                    // SAFETY: as promised by the caller.
                    unsafe { launch.set_arg(buffer) }
                }
            };
        }
        if local > 0 {
            // SAFETY: as promised by the caller.
            unsafe { launch.set_arg_local_buffer(local) };
        }
        launch.set_global_work_size(groups * SIZE).set_local_work_size(SIZE);
        // SAFETY: as promised by the caller.
        unsafe { launch.enqueue_nd_range(&self.queue) }.map_err(failed("starting a kernel"))?;
        Ok(())
    }
}

impl Drop for Queue<'_> {
    fn drop(&mut self) {
        // Memory is not released under a kernel that still works on it.
        let _ = self.queue.finish();
    }
}

/// The bytes of items.
fn bytes<T: Item>(items: &[T]) -> &[u8] {
    // SAFETY: an `Item` is made of numbers, without padding.
    unsafe { std::slice::from_raw_parts(items.as_ptr().cast::<u8>(), size_of_val(items)) }
}

/// Says what failed.
fn failed(doing: &'static str) -> impl Fn(ClError) -> Failure {
    move |error| Failure(format!("{doing} failed: {error}"))
}

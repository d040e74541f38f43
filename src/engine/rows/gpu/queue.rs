//! A queue of commands for a device, with buffers that grow as needed.

#![expect(unsafe_code, reason = "calls to drivers")]

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::mem::ManuallyDrop;
use std::ptr;

use bytemuck::Pod;
use opencl3::command_queue::{CommandQueue, release_command_queue};
use opencl3::event::{Event, release_event};
use opencl3::kernel::{Kernel, release_kernel};
use opencl3::memory::{Buffer, CL_MEM_READ_WRITE, ClMem, release_mem_object};
use opencl3::types::CL_BLOCKING;

use super::kernels::{GpuKernel, Memory};
use super::opencl::{DeviceResult, DriverResult, Kernels, OpenCl, Refusal, created, done};

/// A queue of commands, which the device executes in order, and its buffers.
///
/// # Errors
/// All methods can fail, possibly because of an earlier command.
pub(super) struct Queue {
    commands: ManuallyDrop<CommandQueue>,
    group: usize,
    compiled: &'static Kernels,
    /// Each queue has its own kernels, because threads would share the arguments of a kernel.
    kernels: HashMap<&'static str, ManuallyDrop<Kernel>>,
    /// Each buffer, and its size in bytes.
    buffers: HashMap<Memory, (ManuallyDrop<Buffer<u8>>, usize)>,
    /// The maximum total size of the buffers in bytes.
    share: usize,
}

impl Queue {
    pub(super) fn new(opencl: &'static OpenCl, share: usize) -> DriverResult<Self> {
        let compiled = opencl.kernels()?;
        // SAFETY: the device belongs to the context.
        let queue = unsafe { CommandQueue::create(&compiled.context, opencl.device.id(), 0) };
        Ok(Self {
            commands: created("creating a queue", queue)?,
            group: opencl.group,
            compiled,
            kernels: HashMap::new(),
            buffers: HashMap::new(),
            share,
        })
    }

    pub(super) fn left(&self) -> usize {
        self.share - self.buffers.values().map(|buffer| buffer.1).sum::<usize>()
    }

    pub(super) fn held(&self, memory: Memory) -> usize {
        self.buffers.get(&memory).map_or(0, |buffer| buffer.1)
    }

    /// Ensures that a buffer has at least `bytes` bytes. If it grows, its contents are lost.
    pub(super) fn reserve(&mut self, memory: Memory, bytes: usize) -> DeviceResult<()> {
        let held = self.held(memory);
        let bytes = bytes.max(1);
        if bytes <= held {
            return Ok(());
        }
        let room = self.left() + held;
        if bytes > room {
            return Err(Refusal::TooLarge);
        }
        // Reserve more, so that the buffer rarely grows, but leave room for other buffers.
        let more = (bytes / 4).min((room - bytes) / 4);
        let bytes = (bytes + more).next_multiple_of(4096).min(room);
        if let Some((buffer, _)) = self.buffers.remove(&memory) {
            // SAFETY: nothing uses the buffer afterwards. An error has no consequences here.
            let _ = unsafe { release_mem_object(buffer.get()) };
        }
        let context = &self.compiled.context;
        // SAFETY: the buffer has no host memory.
        let buffer = unsafe { Buffer::create(context, CL_MEM_READ_WRITE, bytes, ptr::null_mut()) };
        let buffer = created("reserving memory", buffer)?;
        self.buffers.insert(memory, (buffer, bytes));
        Ok(())
    }

    /// Writes items to the beginning of a buffer, which grows if necessary.
    pub(super) fn write<T: Pod>(&mut self, memory: Memory, items: &[T]) -> DeviceResult<()> {
        self.reserve(memory, size_of_val(items))?;
        if items.is_empty() {
            return Ok(());
        }
        let (commands, buffer) = self.buffer(memory);
        let bytes = bytemuck::cast_slice(items);
        // SAFETY: a blocking call returns only when the bytes have been copied, and the driver
        // checks the size of the buffer.
        let written = unsafe { commands.enqueue_write_buffer(buffer, CL_BLOCKING, 0, bytes, &[]) };
        Ok(enqueued("writing to the device", written)?)
    }

    /// Waits for all commands, then reads items (at least one) from the beginning of a buffer.
    pub(super) fn read<T: Pod>(&mut self, memory: Memory, count: usize) -> DeviceResult<Vec<T>> {
        let mut items = vec![T::zeroed(); count];
        let (commands, buffer) = self.buffer(memory);
        let bytes = bytemuck::cast_slice_mut(&mut items);
        // SAFETY: the read blocks, so `bytes` outlives it, and the driver refuses to read beyond
        // the end of the buffer.
        let read = unsafe { commands.enqueue_read_buffer(buffer, CL_BLOCKING, 0, bytes, &[]) };
        enqueued("reading from the device", read)?;
        Ok(items)
    }

    fn buffer(&mut self, memory: Memory) -> (&CommandQueue, &mut Buffer<u8>) {
        let (buffer, _) = self.buffers.get_mut(&memory).expect("it was reserved");
        (&self.commands, buffer)
    }

    /// Launches a kernel with `groups` groups, each with `local` bytes of local memory. Panics if
    /// one of its buffers has not been reserved.
    ///
    /// # Safety
    /// The numbers must match the kernel's parameters, and its buffers must be large enough.
    pub(super) unsafe fn launch(
        &mut self,
        kernel: GpuKernel,
        groups: usize,
        local: usize,
        numbers: &[u32],
    ) -> DriverResult<()> {
        if groups == 0 {
            return Ok(());
        }
        if let Entry::Vacant(new) = self.kernels.entry(kernel.name) {
            let own = Kernel::create(&self.compiled.program, kernel.name);
            new.insert(created("creating a kernel", own)?);
        }
        let own = &self.kernels[kernel.name];
        let prepared = "preparing a kernel";
        let mut index = 0;
        for number in numbers {
            // SAFETY: the caller guarantees that this parameter is a number.
            done(prepared, unsafe { own.set_arg(index, number) })?;
            index += 1;
        }
        for memory in kernel.memories {
            // SAFETY: `memories` lists the parameters that are buffers.
            done(prepared, unsafe {
                own.set_arg(index, &self.buffers[memory].0.get())
            })?;
            index += 1;
        }
        if local > 0 {
            // SAFETY: the last parameter of kernels with local memory is that memory.
            done(prepared, unsafe { own.set_arg_local_buffer(index, local) })?;
        }
        let items = groups * self.group;
        // SAFETY: the pointers are valid during the call, which reads one number from each, and the
        // caller guarantees that the kernel stays within its buffers.
        let launched = unsafe {
            let own = own.get();
            self.commands
                .enqueue_nd_range_kernel(own, 1, ptr::null(), &items, &self.group, &[])
        };
        enqueued("starting a kernel", launched)
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        // Memory is free only when no command uses it. Errors are ignored, because a driver that
        // has failed has already reported its first error.
        let _ = self.commands.finish();
        // SAFETY: nothing uses the handles afterwards.
        unsafe {
            for (buffer, _) in self.buffers.values() {
                let _ = release_mem_object(buffer.get());
            }
            for kernel in self.kernels.values() {
                let _ = release_kernel(kernel.get());
            }
            let _ = release_command_queue(self.commands.get());
        }
    }
}

/// Releases the event of a command.
fn enqueued(doing: &'static str, event: opencl3::Result<Event>) -> DriverResult<()> {
    let event = ManuallyDrop::new(done(doing, event)?);
    // SAFETY: nothing uses the event afterwards. An error has no consequences here.
    let _ = unsafe { release_event(event.get()) };
    Ok(())
}

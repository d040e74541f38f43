//! A queue of commands for a device, with buffers that grow as needed.

#![expect(unsafe_code, reason = "launches kernels")]

use std::collections::HashMap;

use bytemuck::Pod;

use super::driver::{Commands, DeviceResult, Driver, DriverResult, GpuKernel, Memory, Refusal};

/// A queue of commands, and its buffers.
pub(super) struct Queue<'a> {
    commands: Box<dyn Commands + 'a>,
    /// The size of each buffer in bytes.
    sizes: HashMap<Memory, usize>,
    /// The maximum total size of the buffers in bytes.
    share: usize,
}

impl<'a> Queue<'a> {
    pub(super) fn new(driver: &'a dyn Driver, share: usize) -> DriverResult<Self> {
        Ok(Self {
            commands: driver.create_queue()?,
            sizes: HashMap::new(),
            share,
        })
    }

    pub(super) fn left(&self) -> usize {
        self.share - self.sizes.values().sum::<usize>()
    }

    pub(super) fn held(&self, memory: Memory) -> usize {
        self.sizes.get(&memory).copied().unwrap_or(0)
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
        self.sizes.remove(&memory);
        self.commands.allocate(memory, bytes)?;
        self.sizes.insert(memory, bytes);
        Ok(())
    }

    /// Writes items to the beginning of a buffer, which grows if necessary.
    pub(super) fn write<T: Pod>(&mut self, memory: Memory, items: &[T]) -> DeviceResult<()> {
        self.reserve(memory, size_of_val(items))?;
        if !items.is_empty() {
            self.commands.write(memory, bytemuck::cast_slice(items))?;
        }
        Ok(())
    }

    /// Waits for all commands, then reads items from the beginning of a buffer. Panics if the
    /// buffer is too small.
    pub(super) fn read<T: Pod>(&mut self, memory: Memory, count: usize) -> DeviceResult<Vec<T>> {
        let mut items = vec![T::zeroed(); count];
        let size = size_of_val(&items[..]);
        let held = self.held(memory);
        assert!(size <= held, "{size} bytes read from a memory of {held}");
        if size > 0 {
            let bytes = bytemuck::cast_slice_mut(&mut items);
            self.commands.read(memory, bytes)?;
        }
        Ok(items)
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
    ) -> DeviceResult<()> {
        if groups > 0 {
            // SAFETY: guaranteed by the caller.
            unsafe { self.commands.launch(kernel, groups, local, numbers)? };
        }
        Ok(())
    }
}

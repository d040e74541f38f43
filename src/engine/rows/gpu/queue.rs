//! A queue of commands for a device, with buffers that grow as needed.

#![expect(unsafe_code, reason = "calls to drivers")]

use std::collections::HashMap;
use std::slice;

use super::host::{DeviceResult, Driver, DriverResult, GpuKernel, Launch, Memory, Refusal};

/// A queue of commands and their buffers, which are released when the queue is dropped.
pub(super) struct Queue<'a> {
    driver: &'a dyn Driver,
    handle: usize,
    /// The handle and the size in bytes of each buffer.
    memories: HashMap<Memory, (usize, usize)>,
    /// The maximum total size of the buffers in bytes.
    share: usize,
}

/// A type that a device can read and write.
///
/// # Safety
/// The type must have no padding and allow all bit patterns.
pub(super) unsafe trait AnyBits: Copy + Default {}

// SAFETY: integers have no padding and allow all bit patterns.
unsafe impl AnyBits for u32 {}
// SAFETY: as above.
unsafe impl AnyBits for u64 {}
// SAFETY: as above; arrays have no padding.
unsafe impl AnyBits for [u32; 4] {}
// SAFETY: as above.
unsafe impl AnyBits for [u32; 5] {}

impl<'a> Queue<'a> {
    pub(super) fn new(driver: &'a dyn Driver, share: usize) -> DriverResult<Self> {
        Ok(Self {
            driver,
            handle: driver.create_queue()?,
            memories: HashMap::new(),
            share,
        })
    }

    pub(super) fn left(&self) -> usize {
        let used: usize = self.memories.values().map(|(_, bytes)| bytes).sum();
        self.share - used
    }

    pub(super) fn held(&self, memory: Memory) -> usize {
        self.memories.get(&memory).map_or(0, |&(_, bytes)| bytes)
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
        if let Some(&(before, _)) = self.memories.get(&memory) {
            // SAFETY: this queue owns the buffer, and all commands that use it have finished.
            unsafe {
                self.driver.finish(self.handle)?;
                // Remove the entry first, because the allocation below can fail.
                self.memories.remove(&memory);
                self.driver.release(before)?;
            }
        }
        self.memories
            .insert(memory, (self.driver.allocate(bytes)?, bytes));
        Ok(())
    }

    /// Writes items to the beginning of a buffer, which grows if necessary.
    pub(super) fn write<T: AnyBits>(&mut self, memory: Memory, items: &[T]) -> DeviceResult<()> {
        self.reserve(memory, size_of_val(items))?;
        if items.is_empty() {
            return Ok(());
        }
        // SAFETY: the items have no padding, so all of their bytes are initialized. This queue owns
        // both handles, and the buffer is large enough.
        unsafe {
            let bytes = slice::from_raw_parts(items.as_ptr().cast(), size_of_val(items));
            let memory = self.memories[&memory].0;
            Ok(self.driver.write(self.handle, memory, bytes)?)
        }
    }

    /// Waits for all commands, then reads items from the beginning of a buffer. Panics if the
    /// buffer is too small.
    pub(super) fn read<T: AnyBits>(
        &mut self,
        memory: Memory,
        count: usize,
    ) -> DeviceResult<Vec<T>> {
        let mut items = vec![T::default(); count];
        let size = size_of_val(&items[..]);
        let held = self.held(memory);
        assert!(size <= held, "{size} bytes read from a memory of {held}");
        if size > 0 {
            // SAFETY: the type of the items allows all bit patterns. This queue owns both handles,
            // and the buffer is large enough.
            unsafe {
                let bytes = slice::from_raw_parts_mut(items.as_mut_ptr().cast(), size);
                let memory = self.memories[&memory].0;
                self.driver.read(self.handle, memory, bytes)?;
            }
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
        let memories: Vec<usize> = kernel
            .memories
            .iter()
            .map(|memory| self.memories[memory].0)
            .collect();
        if groups == 0 {
            return Ok(());
        }
        let launch = Launch {
            kernel: kernel.name,
            groups,
            local,
            numbers,
            memories: &memories,
        };
        // SAFETY: guaranteed by the caller.
        unsafe { Ok(self.driver.launch(self.handle, launch)?) }
    }
}

impl Drop for Queue<'_> {
    fn drop(&mut self) {
        // SAFETY: this queue owns these handles, and waits for all commands before it releases
        // them. Errors are ignored, because a driver that failed has already reported its error.
        unsafe {
            let _ = self.driver.finish(self.handle);
            for &(memory, _) in self.memories.values() {
                let _ = self.driver.release(memory);
            }
            let _ = self.driver.release_queue(self.handle);
        }
    }
}

//! A queue of commands: what a feeder has a device do, with memory that grows as it is needed.

#![expect(unsafe_code, reason = "a driver is code that Rust cannot check")]

use std::collections::HashMap;

use super::host::{Driven, Driver, GpuKernel, Granted, Launch, Memory, Refusal};

/// A queue of commands, carried out one after another, and the memory on the device that they work
/// on. It gives back what it has when it is dropped.
pub struct Queue<'a> {
    driver: &'a dyn Driver,
    handle: usize,
    /// With their bytes.
    memories: HashMap<Memory, (usize, usize)>,
    /// The bytes that all of its memory may take.
    share: usize,
}

/// What devices read and write: numbers of which any bits are a value, without padding.
pub trait AnyBits: Copy + Default {}

impl AnyBits for u32 {}
impl AnyBits for u64 {}
impl AnyBits for [u32; 4] {}
impl AnyBits for [u32; 5] {}

impl<'a> Queue<'a> {
    /// A queue whose memories have so many bytes at most.
    pub fn new(driver: &'a dyn Driver, share: usize) -> Driven<Self> {
        Ok(Self {
            driver,
            handle: driver.create_queue()?,
            memories: HashMap::new(),
            share,
        })
    }

    /// The bytes that its memories may still grow by.
    pub fn left(&self) -> usize {
        self.share
            - self
                .memories
                .values()
                .map(|(_, bytes)| bytes)
                .sum::<usize>()
    }

    /// The bytes that a memory has.
    pub fn held(&self, memory: Memory) -> usize {
        self.memories.get(&memory).map_or(0, |&(_, bytes)| bytes)
    }

    /// Sees to it that a memory has at least so many bytes. What it held may be lost.
    pub fn reserve(&mut self, memory: Memory, bytes: usize) -> Granted<()> {
        let (held, bytes) = (self.held(memory), bytes.max(1));
        if bytes <= held {
            return Ok(());
        }
        let room = self.left() + held;
        if bytes > room {
            return Err(Refusal::TooLarge);
        }
        // A little more, so that it does not grow with every unit, but others have room to grow.
        let more = (bytes / 4).min((room - bytes) / 4);
        let bytes = (bytes + more).next_multiple_of(4096).min(room);
        if let Some(&(before, _)) = self.memories.get(&memory) {
            // SAFETY: nobody else has this memory, and no command works on it when all have been
            // carried out.
            unsafe {
                self.driver.finish(self.handle)?;
                // It has nothing if it is not granted more.
                self.memories.remove(&memory);
                self.driver.release(before)?;
            }
        }
        self.memories
            .insert(memory, (self.driver.allocate(bytes)?, bytes));
        Ok(())
    }

    /// Writes items to the begin of a memory, which grows if need be.
    pub fn write<T: AnyBits>(&mut self, memory: Memory, items: &[T]) -> Granted<()> {
        self.reserve(memory, size_of_val(items))?;
        if !items.is_empty() {
            // SAFETY: these items are made of numbers, without padding.
            let bytes = unsafe {
                std::slice::from_raw_parts(items.as_ptr().cast::<u8>(), size_of_val(items))
            };
            // SAFETY: so many bytes have been reserved.
            unsafe {
                self.driver
                    .write(self.handle, self.memories[&memory].0, bytes)?
            };
        }
        Ok(())
    }

    /// Waits for all commands, and reads items from the begin of a memory.
    ///
    /// # Panics
    /// When the memory has not so many.
    pub fn read<T: AnyBits>(&mut self, memory: Memory, count: usize) -> Granted<Vec<T>> {
        let mut items = vec![T::default(); count];
        let (size, held) = (size_of_val(&items[..]), self.held(memory));
        assert!(size <= held, "{size} bytes read from a memory of {held}");
        if size > 0 {
            // SAFETY: these items may have any bits, and these are all of the bytes of `items`.
            let bytes =
                unsafe { std::slice::from_raw_parts_mut(items.as_mut_ptr().cast::<u8>(), size) };
            // SAFETY: the memory has so many bytes.
            unsafe {
                self.driver
                    .read(self.handle, self.memories[&memory].0, bytes)?
            };
        }
        Ok(items)
    }

    /// Has a kernel carried out by so many groups, each with so many bytes of memory of its own if
    /// these are not zero.
    ///
    /// # Panics
    /// When one of its memories has not been reserved.
    ///
    /// # Safety
    /// The numbers have to be those of the kernel, and its memories as large as it will use.
    pub unsafe fn launch(
        &mut self,
        kernel: GpuKernel,
        groups: usize,
        local: usize,
        numbers: &[u32],
    ) -> Granted<()> {
        let missing = kernel
            .memories
            .iter()
            .find(|&&memory| self.held(memory) == 0);
        assert!(missing.is_none(), "{missing:?} has not been reserved");
        if groups == 0 {
            return Ok(());
        }
        let memories: Vec<usize> = kernel
            .memories
            .iter()
            .map(|memory| self.memories[memory].0)
            .collect();
        // SAFETY: as promised by the caller.
        unsafe {
            let launch = Launch {
                kernel: kernel.name,
                groups,
                local,
                numbers,
                memories: &memories,
            };
            Ok(self.driver.launch(self.handle, launch)?)
        }
    }
}

impl Drop for Queue<'_> {
    fn drop(&mut self) {
        // SAFETY: nobody else has these. Memory is not released under a kernel that still works on
        // it. A driver that has failed has no more to say.
        unsafe {
            let _ = self.driver.finish(self.handle);
            self.memories
                .values()
                .for_each(|&(memory, _)| _ = self.driver.release(memory));
            self.driver.release_queue(self.handle);
        }
    }
}

//! A queue of commands: what a feeder has a device do, with memory that grows as it is needed.

#![expect(unsafe_code, reason = "a driver is code that Rust cannot check")]

use std::collections::HashMap;

use super::host::{Commands, Driver, GpuKernel, Memory, Refusal};

/// A queue of commands, carried out one after another, and the memory on the device that they work on.
pub struct Queue<'a> {
    driver: &'a dyn Driver,
    /// None before the first command, and after all memory has been given back.
    commands: Option<Box<dyn Commands + 'a>>,
    /// The bytes that each memory has.
    held: HashMap<Memory, usize>,
    /// The bytes that all of them may have.
    pub share: usize,
}

/// What devices read and write: numbers of which any bits are a value, without padding.
pub trait AnyBits: Copy + Default {}

impl AnyBits for u32 {}
impl AnyBits for u64 {}
impl AnyBits for [u32; 4] {}
impl AnyBits for [u32; 5] {}

/// The least share of a queue, in bytes, that is worth having: the lists of small boards take no more.
const LEAST_SHARE: usize = 16 << 20;

impl<'a> Queue<'a> {
    /// A queue whose memories have so many bytes at most.
    pub fn new(driver: &'a dyn Driver, share: usize) -> Self {
        Self { driver, commands: None, held: HashMap::new(), share }
    }

    /// The bytes that its memories may still grow by.
    pub fn left(&self) -> usize {
        self.share - self.held.values().sum::<usize>()
    }

    /// The bytes that a memory has.
    pub fn held(&self, memory: Memory) -> usize {
        self.held.get(&memory).copied().unwrap_or(0)
    }

    /// Gives back all memory.
    pub fn clear(&mut self) {
        self.held.clear();
        self.commands = None;
    }

    /// Takes half of its share from a queue without memory, unless little would be left of it. Whether it has.
    pub fn halve(&mut self) -> bool {
        let halved = self.share / 2 >= LEAST_SHARE;
        if halved {
            self.share /= 2;
        }
        halved
    }

    fn commands(&mut self) -> Result<&mut Box<dyn Commands + 'a>, Refusal> {
        let commands = match self.commands.take() {
            Some(commands) => commands,
            None => self.driver.commands()?,
        };
        Ok(self.commands.insert(commands))
    }

    /// Sees to it that a memory has at least so many bytes. What it held may be lost.
    ///
    /// # Errors
    /// When there is no room for it, or the driver fails.
    pub fn reserve(&mut self, memory: Memory, bytes: usize) -> Result<(), Refusal> {
        let (held, bytes) = (self.held(memory), bytes.max(1));
        if held < bytes {
            let room = self.left() + held;
            if bytes > room {
                return Err(Refusal::TooLarge);
            }
            // A little more, so that it does not grow with every unit, but others have room to grow.
            let more = (bytes / 4).min((room - bytes) / 4);
            let bytes = (bytes + more).next_multiple_of(4096).min(room);
            // It has nothing if it is not granted more.
            self.held.remove(&memory);
            self.commands()?.allocate(memory, bytes)?;
            self.held.insert(memory, bytes);
        }
        Ok(())
    }

    /// Writes items to the begin of a memory, which grows if need be.
    ///
    /// # Errors
    /// When there is no room for it, or the driver fails.
    pub fn write<T: AnyBits>(&mut self, memory: Memory, items: &[T]) -> Result<(), Refusal> {
        self.reserve(memory, size_of_val(items))?;
        if !items.is_empty() {
            // SAFETY: these items are made of numbers, without padding.
            let bytes = unsafe { std::slice::from_raw_parts(items.as_ptr().cast::<u8>(), size_of_val(items)) };
            // SAFETY: so many bytes have been reserved.
            unsafe { self.commands()?.write(memory, bytes)? };
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
    pub fn read<T: AnyBits>(&mut self, memory: Memory, count: usize) -> Result<Vec<T>, Refusal> {
        let mut items = vec![T::default(); count];
        let (size, held) = (size_of_val(&items[..]), self.held(memory));
        assert!(size <= held, "{size} bytes read from a memory of {held}");
        if size > 0 {
            // SAFETY: these items may have any bits, and these are all of the bytes of `items`.
            let bytes = unsafe { std::slice::from_raw_parts_mut(items.as_mut_ptr().cast::<u8>(), size) };
            // SAFETY: the memory has so many bytes.
            unsafe { self.commands()?.read(memory, bytes)? };
        }
        Ok(items)
    }

    /// Has a kernel carried out by so many groups, each with so many bytes of memory of its own if these are not zero.
    ///
    /// # Errors
    /// When the driver fails.
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
    ) -> Result<(), Refusal> {
        let missing = kernel.memories.iter().find(|memory| !self.held.contains_key(memory));
        assert!(missing.is_none(), "{missing:?} has not been reserved");
        if groups == 0 {
            return Ok(());
        }
        // SAFETY: as promised by the caller.
        unsafe { self.commands()?.launch(kernel, groups, local, numbers) }
    }
}

//! No driver: there are no devices. The program is built without the feature `gpu`.

use std::convert::Infallible;
use std::marker::PhantomData;

use super::host::{Argument, Failure, Item, Kernel, Memory};

/// A device, of which there is none.
pub struct Device(Infallible);

impl Device {
    pub fn all() -> Vec<Self> {
        Vec::new()
    }

    pub fn name(&self) -> String {
        match self.0 {}
    }

    pub fn driver(&self) -> String {
        match self.0 {}
    }

    pub fn is_cpu(&self) -> bool {
        match self.0 {}
    }

    pub fn memory(&self) -> u64 {
        match self.0 {}
    }

    pub fn local_memory(&self) -> u64 {
        match self.0 {}
    }

    pub fn fits(&self) -> bool {
        match self.0 {}
    }

    pub fn queue(&self) -> Result<Queue<'_>, Failure> {
        match self.0 {}
    }
}

/// A queue of no device.
pub struct Queue<'a>(Infallible, PhantomData<&'a ()>);

impl Queue<'_> {
    pub fn reserve(&mut self, _: Memory, _: usize) -> Result<(), Failure> {
        match self.0 {}
    }

    pub fn write<T: Item>(&mut self, _: Memory, _: &[T]) -> Result<(), Failure> {
        match self.0 {}
    }

    pub fn read<T: Item>(&self, _: Memory, _: usize) -> Result<Vec<T>, Failure> {
        match self.0 {}
    }

    #[expect(unsafe_code, reason = "other drivers need the promise")]
    pub unsafe fn launch(&mut self, _: Kernel, _: usize, _: usize, _: &[Argument]) -> Result<(), Failure> {
        match self.0 {}
    }
}

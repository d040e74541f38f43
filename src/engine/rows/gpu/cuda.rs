//! The CUDA host: NVIDIA's GPUs, their memory, and the launches of kernels.
//!
//! The kernels come as PTX, which the driver compiles for the GPU that is there: `kernels.ptx` is made of `kernels.c` by
//! `scripts/ptx`. The library of the driver is loaded at run time. Where there is none, there are no devices.

#![expect(unsafe_code, reason = "a driver is code that Rust cannot check")]

mod api;

use std::ffi::{CStr, CString, c_int, c_uint, c_void};
use std::ptr;
use std::sync::OnceLock;

use self::api::{API, Api};
use super::description::Description;
use super::host::{Argument, Commands, Driver, DriverFailure, GpuKernel, Memory, Refusal, SIZES, Slot};

/// The kernels, compiled for groups of [`SIZE`] work-items.
const PTX: &str = include_str!("kernels.ptx");

/// The work-items of a group.
const SIZE: usize = SIZES[0];

/// The oldest driver that reads this PTX, by the version of CUDA that it was made for.
const OLDEST_DRIVER: c_int = 12_000;

/// The oldest GPUs that the PTX is for, by the first number of what they are capable of.
const OLDEST_GPU: c_int = 7;

// Of the enumerations of cuda.h.
const CLOCK_RATE: c_uint = 13;
const MULTIPROCESSOR_COUNT: c_uint = 16;
const PCI_BUS_ID: c_uint = 33;
const PCI_DEVICE_ID: c_uint = 34;
const COMPUTE_CAPABILITY_MAJOR: c_uint = 75;
const MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: c_uint = 97;
const MAX_DYNAMIC_SHARED_SIZE_BYTES: c_uint = 8;
const NON_BLOCKING: c_uint = 1;
const OUT_OF_MEMORY: c_uint = 2;

/// All GPUs that the driver and the kernels support.
pub fn devices() -> Vec<Cuda> {
    let Some(api) = API.as_deref() else { return Vec::new() };
    let (mut version, mut count) = (0, 0);
    // SAFETY: both write a number.
    unsafe {
        api.cuDriverGetVersion(&raw mut version);
        api.cuDeviceGetCount(&raw mut count);
    }
    let device = |ordinal: c_int| {
        let mut handle = 0;
        // SAFETY: the call writes a number.
        let found = unsafe { api.cuDeviceGet(&raw mut handle, ordinal) } == 0;
        found.then(|| Cuda::new(api, version, handle)).flatten()
    };
    if version < OLDEST_DRIVER { Vec::new() } else { (0..count).filter_map(device).collect() }
}

/// A GPU and what its driver has compiled for it. The driver is asked once, because one that has failed says nothing.
pub struct Cuda {
    api: &'static Api,
    version: c_int,
    handle: c_int,
    name: String,
    slot: Slot,
    memory: u64,
    local_memory: u64,
    multiprocessors: u32,
    /// In kHz.
    clock_rate: u32,
    loaded: OnceLock<Result<Loaded, DriverFailure>>,
}

struct Loaded {
    context: usize,
    functions: [usize; GpuKernel::NAMES.len()],
}

impl Cuda {
    /// A GPU, unless it is too old.
    fn new(api: &'static Api, version: c_int, handle: c_int) -> Option<Self> {
        let attribute = |attribute: c_uint| {
            let mut value = 0;
            // SAFETY: the call writes a number.
            let result = unsafe { api.cuDeviceGetAttribute(&raw mut value, attribute, handle) };
            if result == 0 { value } else { 0 }
        };
        let (mut name, mut memory) = ([0u8; 256], 0);
        // SAFETY: the calls write so many bytes at most, of which the last is a zero, and a number.
        unsafe {
            api.cuDeviceGetName(name.as_mut_ptr().cast(), name.len() as c_int, handle);
            api.cuDeviceTotalMem_v2(&raw mut memory, handle);
        }
        (attribute(COMPUTE_CAPABILITY_MAJOR) >= OLDEST_GPU).then(|| Self {
            api,
            version,
            handle,
            name: CStr::from_bytes_until_nul(&name).unwrap_or_default().to_string_lossy().into_owned(),
            slot: (attribute(PCI_BUS_ID) as u32, attribute(PCI_DEVICE_ID) as u32),
            memory: memory as u64,
            local_memory: attribute(MAX_SHARED_MEMORY_PER_BLOCK_OPTIN) as u64,
            multiprocessors: attribute(MULTIPROCESSOR_COUNT) as u32,
            clock_rate: attribute(CLOCK_RATE) as u32,
            loaded: OnceLock::new(),
        })
    }

    /// What the driver has compiled: once, when it is first asked for.
    fn loaded(&self) -> Result<&Loaded, DriverFailure> {
        self.loaded.get_or_init(|| self.load()).as_ref().map_err(Clone::clone)
    }

    /// Has the driver compile the kernels. Its context stays as long as the program runs.
    fn load(&self) -> Result<Loaded, DriverFailure> {
        let (api, local) = (self.api, self.local_memory as c_int);
        let (mut context, mut module, mut functions) = (0, 0, [0; GpuKernel::NAMES.len()]);
        let ptx = CString::new(PTX).expect("text has no zeros");
        // SAFETY: the calls write handles, and read strings that end with a zero.
        unsafe {
            api.check("creating a context", api.cuDevicePrimaryCtxRetain(&raw mut context, self.handle))?;
            api.check("entering a context", api.cuCtxSetCurrent(context))?;
            api.check("compiling the kernels", api.cuModuleLoadData(&raw mut module, ptx.as_ptr().cast()))?;
            for (function, name) in functions.iter_mut().zip(GpuKernel::NAMES) {
                let name = CString::new(name).expect("names have no zeros");
                api.check("creating a kernel", api.cuModuleGetFunction(&raw mut *function, module, name.as_ptr()))?;
                let result = api.cuFuncSetAttribute(*function, MAX_DYNAMIC_SHARED_SIZE_BYTES, local);
                api.check("allowing a kernel all memory of a group", result)?;
            }
        }
        Ok(Loaded { context, functions })
    }
}

impl Driver for Cuda {
    fn description(&self) -> Description {
        let (version, multiprocessors) = (self.version, self.multiprocessors);
        Description {
            name: self.name.clone(),
            interface: format!("CUDA, driver {}.{}", version / 1000, version % 1000 / 10),
            is_cpu: false,
            memory: self.memory,
            local_memory: self.local_memory,
            multiprocessors,
            clock_rate: 1e3 * f64::from(self.clock_rate),
        }
    }

    fn slot(&self) -> Option<Slot> {
        Some(self.slot)
    }

    fn size(&self) -> usize {
        SIZE
    }

    fn free_memory(&self) -> Result<u64, DriverFailure> {
        let context = self.loaded()?.context;
        let (mut free, mut total) = (0, 0);
        // SAFETY: the context is never released, and the calls write two numbers.
        unsafe {
            self.api.check("entering a context", self.api.cuCtxSetCurrent(context))?;
            self.api.check("asking for free memory", self.api.cuMemGetInfo_v2(&raw mut free, &raw mut total))?;
        }
        Ok(free as u64)
    }

    fn commands(&self) -> Result<Box<dyn Commands + '_>, DriverFailure> {
        let loaded = self.loaded()?;
        let mut stream = Stream { api: self.api, loaded, stream: 0, memory: [None; Memory::COUNT] };
        stream.enter()?;
        // SAFETY: the call writes a handle.
        let result = unsafe { self.api.cuStreamCreate(&raw mut stream.stream, NON_BLOCKING) };
        self.api.check("creating a queue", result)?;
        Ok(Box::new(stream))
    }
}

/// A queue of commands, and the memory that they work on.
struct Stream<'a> {
    api: &'static Api,
    loaded: &'a Loaded,
    stream: usize,
    /// The addresses of what has been allocated.
    memory: [Option<u64>; Memory::COUNT],
}

impl Stream<'_> {
    /// Makes the context that of the thread, which may be another one with each call.
    fn enter(&self) -> Result<(), DriverFailure> {
        // SAFETY: the context is never released.
        self.api.check("entering a context", unsafe { self.api.cuCtxSetCurrent(self.loaded.context) })
    }

    /// Waits for all commands.
    fn finish(&self, doing: &str) -> Result<(), DriverFailure> {
        // SAFETY: it is a stream of this context.
        self.api.check(doing, unsafe { self.api.cuStreamSynchronize(self.stream) })
    }

    fn address(&self, memory: Memory) -> u64 {
        self.memory[memory as usize].expect("it has been allocated")
    }
}

impl Commands for Stream<'_> {
    fn free(&mut self, memory: Memory) -> Result<(), Refusal> {
        self.enter()?;
        if let Some(address) = self.memory[memory as usize].take() {
            self.finish("waiting for the device")?;
            // SAFETY: nothing works on it any more.
            self.api.check("releasing memory", unsafe { self.api.cuMemFree_v2(address) })?;
        }
        Ok(())
    }

    fn allocate(&mut self, memory: Memory, bytes: usize) -> Result<(), Refusal> {
        self.enter()?;
        let mut address = 0;
        // SAFETY: the call writes an address.
        let result = unsafe { self.api.cuMemAlloc_v2(&raw mut address, bytes) };
        if result == OUT_OF_MEMORY {
            return Err(Refusal::NoMemory);
        }
        self.api.check("reserving memory", result)?;
        self.memory[memory as usize] = Some(address);
        Ok(())
    }

    unsafe fn write(&mut self, memory: Memory, bytes: &[u8]) -> Result<(), Refusal> {
        self.enter()?;
        let from: *const c_void = bytes.as_ptr().cast();
        // SAFETY: the memory has so many bytes, and ours are not touched before they have been copied.
        let result = unsafe { self.api.cuMemcpyHtoDAsync_v2(self.address(memory), from, bytes.len(), self.stream) };
        let started = self.api.check("writing to the device", result);
        Ok(self.finish("writing to the device").and(started)?)
    }

    unsafe fn read(&mut self, memory: Memory, bytes: &mut [u8]) -> Result<(), Refusal> {
        self.enter()?;
        let to: *mut c_void = bytes.as_mut_ptr().cast();
        // SAFETY: the memory has so many bytes, and ours are not touched before they have been copied.
        let result = unsafe { self.api.cuMemcpyDtoHAsync_v2(to, self.address(memory), bytes.len(), self.stream) };
        let started = self.api.check("reading from the device", result);
        Ok(self.finish("reading from the device").and(started)?)
    }

    unsafe fn launch(
        &mut self,
        kernel: GpuKernel,
        groups: usize,
        local: usize,
        arguments: &[Argument],
    ) -> Result<(), Refusal> {
        self.enter()?;
        // The driver reads as many bytes of each as the kernel's parameter has: of a number, the lower half.
        let mut values: Vec<[u8; 8]> = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push(match argument {
                Argument::Number(number) => u64::from(*number).to_le_bytes(),
                Argument::Memory(memory) => self.address(*memory).to_le_bytes(),
            });
        }
        let mut parameters: Vec<*mut c_void> = values.iter_mut().map(|value| ptr::from_mut(value).cast()).collect();
        let function = self.loaded.functions[kernel.number()];
        let [groups, size, local] = [groups, SIZE, local].map(|number| number as c_uint);
        let (parameters, extra) = (parameters.as_mut_ptr(), ptr::null_mut());
        // SAFETY: the function is this kernel, and the arguments are its own, as promised by the caller.
        let result = unsafe {
            self.api.cuLaunchKernel(function, groups, 1, 1, size, 1, 1, local, self.stream, parameters, extra)
        };
        Ok(self.api.check("starting a kernel", result)?)
    }
}

impl Drop for Stream<'_> {
    fn drop(&mut self) {
        // Memory is not released under a kernel that still works on it. A driver that has failed has no more to say.
        let _ = self.enter();
        for memory in Memory::ALL {
            let _ = self.free(memory);
        }
        if self.stream != 0 {
            // SAFETY: nobody has this stream any more.
            unsafe { self.api.cuStreamDestroy_v2(self.stream) };
        }
    }
}

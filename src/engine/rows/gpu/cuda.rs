//! The CUDA host: NVIDIA's GPUs, their memory, and the launches of kernels.
//!
//! The kernels come as PTX, which the driver compiles for the GPU that is there: `kernels.ptx` is made of `kernels.c` by
//! `scripts/ptx`. The library of the driver is loaded at run time. Where there is none, there are no devices.

#![expect(unsafe_code, reason = "a driver is code that Rust cannot check")]

mod api;

use std::collections::HashMap;
use std::ffi::{CStr, CString, c_int, c_uint, c_void};
use std::ptr;
use std::sync::LazyLock;

use self::api::{API, Api};
use super::device::{DeviceDescription, Found};
use super::host::{Commands, Compiled, Driver, DriverFailure, GpuKernel, Memory, Refusal, SIZES};

/// The kernels, compiled for groups of [`SIZE`] work-items.
const PTX: &str = include_str!("kernels.ptx");

/// The work-items of a group.
const SIZE: usize = SIZES[0];

/// The oldest driver that reads this PTX, by the version of CUDA that it was made for.
const OLDEST_DRIVER: c_int = 12_000;

/// The oldest GPUs that the PTX is for, by the first number of what they are capable of.
const OLDEST_GPU: c_int = 7;

// Of the enumerations of cuda.h.
const MULTIPROCESSOR_COUNT: c_uint = 16;
const COMPUTE_CAPABILITY_MAJOR: c_uint = 75;
const MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: c_uint = 97;
const MAX_DYNAMIC_SHARED_SIZE_BYTES: c_uint = 8;
const SCHEDULE_BLOCKING_SYNC: c_uint = 4;
const JIT_ERROR_LOG_BUFFER: c_uint = 5;
const JIT_ERROR_LOG_BUFFER_SIZE: c_uint = 6;
const NON_BLOCKING: c_uint = 1;
const NO_DEVICE: c_uint = 100;

/// All GPUs that the kernels support, or why the driver cannot be used.
pub fn devices() -> Vec<Result<Found, DriverFailure>> {
    let listed = match &*API {
        Ok(Some(api)) => list(api),
        Ok(None) => Ok(Vec::new()),
        Err(failure) => Err(failure.clone()),
    };
    match listed {
        Ok(found) => found.into_iter().map(Ok).collect(),
        Err(DriverFailure(said)) => vec![Err(DriverFailure(format!("NVIDIA's driver cannot be used: {said}")))],
    }
}

fn list(api: &'static Api) -> Result<Vec<Found>, DriverFailure> {
    let (mut version, mut count) = (0, 0);
    // SAFETY: it is the first call, and the others write a number.
    unsafe {
        let result = api.cuInit(0);
        if result == NO_DEVICE {
            return Ok(Vec::new());
        }
        api.check("initializing it", result)?;
        api.check("asking for its version", api.cuDriverGetVersion(&raw mut version))?;
        api.check("counting devices", api.cuDeviceGetCount(&raw mut count))?;
    }
    let is_old = version < OLDEST_DRIVER;
    let version = format!("{}.{}", version / 1000, version % 1000 / 10);
    if is_old {
        return Err(DriverFailure(format!("expected one for CUDA 12.0 or newer, found one for CUDA {version}")));
    }
    (0..count).filter_map(|ordinal| found(api, &version, ordinal).transpose()).collect()
}

/// A GPU, unless it is too old.
fn found(api: &'static Api, version: &str, ordinal: c_int) -> Result<Option<Found>, DriverFailure> {
    let (mut handle, mut name, mut memory) = (0, [0u8; 256], 0);
    // SAFETY: the calls write numbers, and so many bytes at most, of which the last is a zero.
    unsafe {
        api.check("finding a device", api.cuDeviceGet(&raw mut handle, ordinal))?;
        let result = api.cuDeviceGetName(name.as_mut_ptr().cast(), name.len() as c_int, handle);
        api.check("asking for a name", result)?;
        api.check("asking for memory", api.cuDeviceTotalMem_v2(&raw mut memory, handle))?;
    }
    let attribute = |attribute: c_uint| {
        let mut value = 0;
        // SAFETY: the call writes a number.
        let result = unsafe { api.cuDeviceGetAttribute(&raw mut value, attribute, handle) };
        api.check("asking for an attribute", result).map(|()| value)
    };
    if attribute(COMPUTE_CAPABILITY_MAJOR)? < OLDEST_GPU {
        return Ok(None);
    }
    let local_memory = attribute(MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?;
    let description = DeviceDescription {
        name: CStr::from_bytes_until_nul(&name).unwrap_or_default().to_string_lossy().into_owned(),
        interface: format!("CUDA, driver {version}"),
        is_cpu: false,
        memory: memory as u64,
        local_memory: local_memory as u64,
        multiprocessors: attribute(MULTIPROCESSOR_COUNT)? as u32,
    };
    let driver = LazyLock::new(Box::new(move || compile(api, handle, local_memory)) as _);
    Ok(Some(Found { description, group: SIZE, is_nvidia: true, driver }))
}

/// Has the driver compile the kernels, which get so much memory of a group. Its context stays as long as the program runs.
fn compile(api: &'static Api, handle: c_int, local_memory: c_int) -> Compiled {
    let (mut context, mut functions) = (0, [0; GpuKernel::NAMES.len()]);
    // SAFETY: the calls write handles, and read strings that end with a zero.
    unsafe {
        // Threads that wait for the device leave their processor to others.
        let result = api.cuDevicePrimaryCtxSetFlags_v2(handle, SCHEDULE_BLOCKING_SYNC);
        api.check("preparing a context", result)?;
        api.check("creating a context", api.cuDevicePrimaryCtxRetain(&raw mut context, handle))?;
        api.check("entering a context", api.cuCtxSetCurrent(context))?;
        let module = load(api)?;
        for (function, name) in functions.iter_mut().zip(GpuKernel::NAMES) {
            let name = CString::new(name).expect("names have no zeros");
            api.check("creating a kernel", api.cuModuleGetFunction(&raw mut *function, module, name.as_ptr()))?;
            let result = api.cuFuncSetAttribute(*function, MAX_DYNAMIC_SHARED_SIZE_BYTES, local_memory);
            api.check("allowing a kernel all memory of a group", result)?;
        }
    }
    Ok(Box::new(Cuda { api, context, functions }))
}

/// Has the driver compile the PTX. A failure has what its compiler says.
fn load(api: &Api) -> Result<usize, DriverFailure> {
    let ptx = CString::new(PTX).expect("text has no zeros");
    let (mut module, mut log) = (0, [0u8; 4096]);
    let options = [JIT_ERROR_LOG_BUFFER, JIT_ERROR_LOG_BUFFER_SIZE];
    let mut values: [*mut c_void; 2] = [log.as_mut_ptr().cast(), ptr::without_provenance_mut(log.len())];
    // SAFETY: the call writes a handle, and so many bytes of a log at most.
    let result = unsafe {
        api.cuModuleLoadDataEx(&raw mut module, ptx.as_ptr().cast(), 2, options.as_ptr(), values.as_mut_ptr())
    };
    let log = CStr::from_bytes_until_nul(&log).unwrap_or_default().to_string_lossy();
    let compiled = api.check("compiling the kernels", result);
    compiled.map(|()| module).map_err(|DriverFailure(said)| DriverFailure(format!("{said}: {}", log.trim())))
}

/// A GPU and what its driver has compiled for it.
struct Cuda {
    api: &'static Api,
    context: usize,
    functions: [usize; GpuKernel::NAMES.len()],
}

impl Cuda {
    /// Makes the context that of the thread, which may be another one with each call.
    fn enter(&self) -> Result<(), DriverFailure> {
        // SAFETY: the context is never released.
        self.api.check("entering a context", unsafe { self.api.cuCtxSetCurrent(self.context) })
    }
}

impl Driver for Cuda {
    fn free_memory(&self) -> Result<u64, DriverFailure> {
        self.enter()?;
        let (mut free, mut total) = (0, 0);
        // SAFETY: the call writes two numbers.
        let result = unsafe { self.api.cuMemGetInfo_v2(&raw mut free, &raw mut total) };
        self.api.check("asking for free memory", result)?;
        Ok(free as u64)
    }

    fn commands(&self) -> Result<Box<dyn Commands + '_>, Refusal> {
        self.enter()?;
        let mut stream = 0;
        // SAFETY: the call writes a handle.
        let result = unsafe { self.api.cuStreamCreate(&raw mut stream, NON_BLOCKING) };
        self.api.refuse("creating a queue", result)?;
        Ok(Box::new(Stream { cuda: self, stream, memory: HashMap::new() }))
    }
}

/// A queue of commands, and the memory that they work on.
struct Stream<'a> {
    cuda: &'a Cuda,
    stream: usize,
    /// The addresses of what has been allocated.
    memory: HashMap<Memory, u64>,
}

impl Stream<'_> {
    /// Waits for all commands, of which the last has been started, or has failed at once.
    fn finish(&self, doing: &str, started: c_uint) -> Result<(), Refusal> {
        // SAFETY: it is a stream of this context.
        let finished = unsafe { self.cuda.api.cuStreamSynchronize(self.stream) };
        self.cuda.api.refuse(doing, if finished == 0 { started } else { finished })
    }
}

impl Commands for Stream<'_> {
    fn allocate(&mut self, memory: Memory, bytes: usize) -> Result<(), Refusal> {
        self.cuda.enter()?;
        if let Some(before) = self.memory.remove(&memory) {
            self.finish("waiting for the device", 0)?;
            // SAFETY: nothing works on it any more.
            self.cuda.api.refuse("releasing memory", unsafe { self.cuda.api.cuMemFree_v2(before) })?;
        }
        let mut address = 0;
        // SAFETY: the call writes an address.
        let result = unsafe { self.cuda.api.cuMemAlloc_v2(&raw mut address, bytes) };
        self.cuda.api.refuse("reserving memory", result)?;
        self.memory.insert(memory, address);
        Ok(())
    }

    unsafe fn write(&mut self, memory: Memory, bytes: &[u8]) -> Result<(), Refusal> {
        self.cuda.enter()?;
        let (to, from) = (self.memory[&memory], bytes.as_ptr().cast());
        // SAFETY: the memory has so many bytes, and ours are not touched before they have been copied.
        let started = unsafe { self.cuda.api.cuMemcpyHtoDAsync_v2(to, from, bytes.len(), self.stream) };
        self.finish("writing to the device", started)
    }

    unsafe fn read(&mut self, memory: Memory, bytes: &mut [u8]) -> Result<(), Refusal> {
        self.cuda.enter()?;
        let (to, from) = (bytes.as_mut_ptr().cast(), self.memory[&memory]);
        // SAFETY: the memory has so many bytes, and ours are not touched before they have been copied.
        let started = unsafe { self.cuda.api.cuMemcpyDtoHAsync_v2(to, from, bytes.len(), self.stream) };
        self.finish("reading from the device", started)
    }

    unsafe fn launch(
        &mut self,
        kernel: GpuKernel,
        groups: usize,
        local: usize,
        numbers: &[u32],
    ) -> Result<(), Refusal> {
        self.cuda.enter()?;
        // The driver reads as many bytes of each as the kernel's parameter has: of a number, the lower half.
        let memories = kernel.memories.iter().map(|memory| self.memory[memory]);
        let arguments = numbers.iter().map(|&number| number.into()).chain(memories);
        let mut values: Vec<[u8; 8]> = arguments.map(u64::to_le_bytes).collect();
        let mut parameters: Vec<_> = values.iter_mut().map(|value| ptr::from_mut(value).cast()).collect();
        let function = self.cuda.functions[kernel.number];
        let [groups, size, local] = [groups, SIZE, local].map(|number| number as c_uint);
        let (parameters, extra) = (parameters.as_mut_ptr(), ptr::null_mut());
        // SAFETY: the function is this kernel, and the arguments are its own, as promised by the caller.
        let result = unsafe {
            self.cuda.api.cuLaunchKernel(function, groups, 1, 1, size, 1, 1, local, self.stream, parameters, extra)
        };
        self.cuda.api.refuse("starting a kernel", result)
    }
}

impl Drop for Stream<'_> {
    fn drop(&mut self) {
        // Memory is not released under a kernel that still works on it. A driver that has failed has no more to say.
        let _ = self.cuda.enter();
        let _ = self.finish("waiting for the device", 0);
        for &address in self.memory.values() {
            // SAFETY: nothing works on it any more.
            unsafe { self.cuda.api.cuMemFree_v2(address) };
        }
        // SAFETY: nobody has this stream any more.
        unsafe { self.cuda.api.cuStreamDestroy_v2(self.stream) };
    }
}

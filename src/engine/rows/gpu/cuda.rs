//! The CUDA host. `scripts/ptx` creates the PTX, and the driver compiles it for the installed GPU.

#![expect(unsafe_code, reason = "calls to drivers")]
#![expect(clippy::too_many_arguments, non_snake_case, reason = "as in `cuda.h`")]

use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr;

use super::device::{Device, DeviceDescription};
use super::host::{
    Compiled, Driver, DriverFailure, DriverResult, Kernels, Launch, SIZES, functions, kernels, text,
};

const PTX: &str = include_str!("kernels.ptx");

const SIZE: usize = SIZES[0];

/// The CUDA version of the oldest driver that accepts the PTX.
const OLDEST_DRIVER: i32 = 12_000;

/// The major compute capability of the oldest supported GPUs.
const OLDEST_GPU: i32 = 7;

// The functions return 0 or an error code. Handles are declared as integers, so that threads can
// share them.
functions! {
    ["libcuda.so.1", "libcuda.so", "nvcuda.dll"];
    u32 {
        cuInit(flags: u32);
        cuGetErrorName(error: u32, name: *mut *const c_char);
        cuDriverGetVersion(version: *mut i32);
        cuDeviceGetCount(count: *mut i32);
        cuDeviceGet(device: *mut i32, ordinal: i32);
        cuDeviceGetName(name: *mut c_char, length: i32, device: i32);
        cuDeviceGetAttribute(value: *mut i32, attribute: u32, device: i32);
        cuDeviceTotalMem_v2(bytes: *mut usize, device: i32);
        cuDevicePrimaryCtxSetFlags_v2(device: i32, flags: u32);
        cuDevicePrimaryCtxRetain(context: *mut usize, device: i32);
        cuCtxSetCurrent(context: usize);
        cuModuleLoadDataEx(
            module: *mut usize, image: *const c_void, count: u32, options: *const u32,
            values: *mut *mut c_void
        );
        cuModuleGetFunction(function: *mut usize, module: usize, name: *const c_char);
        cuFuncSetAttribute(function: usize, attribute: u32, value: i32);
        cuStreamCreate(stream: *mut usize, flags: u32);
        cuStreamSynchronize(stream: usize);
        cuStreamDestroy_v2(stream: usize);
        cuMemGetInfo_v2(free: *mut usize, total: *mut usize);
        cuMemAlloc_v2(address: *mut usize, bytes: usize);
        cuMemFree_v2(address: usize);
        cuMemcpyHtoDAsync_v2(to: usize, from: *const c_void, bytes: usize, stream: usize);
        cuMemcpyDtoHAsync_v2(to: *mut c_void, from: usize, bytes: usize, stream: usize);
        cuLaunchKernel(
            function: usize, grid_x: u32, grid_y: u32, grid_z: u32, block_x: u32,
            block_y: u32, block_z: u32, shared_bytes: u32, stream: usize,
            parameters: *mut *mut c_void, extra: *mut *mut c_void
        );
    }
}

// Constants from cuda.h.
const OUT_OF_MEMORY: u32 = 2;
const COMPUTE_CAPABILITY_MAJOR: u32 = 75;
const MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: u32 = 97;
const MAX_DYNAMIC_SHARED_SIZE_BYTES: u32 = 8;
const SCHEDULE_BLOCKING_SYNC: u32 = 4;
const JIT_ERROR_LOG_BUFFER: u32 = 5;
const JIT_ERROR_LOG_BUFFER_SIZE: u32 = 6;
const NON_BLOCKING: u32 = 1;
const NO_DEVICE: u32 = 100;

impl Api {
    fn check(&self, doing: &str, result: u32) -> DriverResult<()> {
        if result == 0 {
            return Ok(());
        }
        let mut name = ptr::null();
        // SAFETY: `name` stays null, or is set to a zero-terminated string that is never freed.
        let name = unsafe {
            self.cuGetErrorName(result, &raw mut name);
            (!name.is_null()).then(|| CStr::from_ptr(name).to_string_lossy())
        };
        let name = name.unwrap_or_else(|| format!("error {result}").into());
        Err(DriverFailure {
            message: format!("{doing} failed: {name}"),
            lacks_memory: result == OUT_OF_MEMORY,
        })
    }

    fn get<T: Default>(&self, doing: &str, call: impl FnOnce(&mut T) -> u32) -> DriverResult<T> {
        let mut value = T::default();
        let result = call(&mut value);
        self.check(doing, result).map(|()| value)
    }

    unsafe fn finish(&self, queue: usize) -> DriverResult<()> {
        // SAFETY: guaranteed by the caller.
        self.check("waiting for the device", unsafe {
            self.cuStreamSynchronize(queue)
        })
    }
}

/// Returns all GPUs that the kernels support, or an error if the driver cannot be used.
pub(super) fn devices() -> DriverResult<Vec<Device>> {
    let Some(api) = API.as_ref().map_err(Clone::clone)? else {
        return Ok(Vec::new());
    };
    // SAFETY: the call takes no pointer.
    let result = unsafe { api.cuInit(0) };
    if result == NO_DEVICE {
        return Ok(Vec::new());
    }
    api.check("initializing it", result)?;
    // SAFETY: each call only writes one integer.
    let version = api.get("asking for its version", |version| unsafe {
        api.cuDriverGetVersion(version)
    })?;
    // SAFETY: see above.
    let count = api.get("counting devices", |count| unsafe {
        api.cuDeviceGetCount(count)
    })?;
    let name = format!("{}.{}", version / 1000, version % 1000 / 10);
    if version < OLDEST_DRIVER {
        return Err(DriverFailure {
            message: format!("expected one for CUDA 12.0 or newer, found one for CUDA {name}"),
            lacks_memory: false,
        });
    }
    (0..count)
        .filter_map(|ordinal| describe(api, &name, ordinal).transpose())
        .collect()
}

/// Describes a GPU, unless it is too old.
fn describe(api: &'static Api, version: &str, ordinal: i32) -> DriverResult<Option<Device>> {
    let mut name = [0u8; 256];
    // SAFETY: the calls only write integers and the name.
    let handle = api.get("finding a device", |handle| unsafe {
        api.cuDeviceGet(handle, ordinal)
    })?;
    // SAFETY: see above.
    api.check("asking for a name", unsafe {
        api.cuDeviceGetName(name.as_mut_ptr().cast(), name.len() as i32, handle)
    })?;
    // SAFETY: see above.
    let memory = api.get("asking for memory", |memory| unsafe {
        api.cuDeviceTotalMem_v2(memory, handle)
    })?;
    let attribute = |attribute: u32| {
        // SAFETY: see above.
        api.get("asking for an attribute", |value| unsafe {
            api.cuDeviceGetAttribute(value, attribute, handle)
        })
    };
    if attribute(COMPUTE_CAPABILITY_MAJOR)? < OLDEST_GPU {
        return Ok(None);
    }
    let local_memory = attribute(MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?;
    let description = DeviceDescription {
        name: text(&name),
        interface: format!("CUDA, driver {version}"),
        is_cpu: false,
        memory: memory as u64,
        local_memory: local_memory as u64,
    };
    Ok(Some(Device::new(description, SIZE, move || {
        compile(api, handle, local_memory)
    })))
}

/// Compiles the kernels. If this fails, the error contains the compiler's log.
fn compile(api: &'static Api, handle: i32, local_memory: i32) -> Compiled {
    let mut log = [0u8; 4096];
    let ptx = CString::new(PTX).expect("text has no zeros");
    let options = [JIT_ERROR_LOG_BUFFER, JIT_ERROR_LOG_BUFFER_SIZE];
    let mut values: [*mut c_void; 2] = [
        log.as_mut_ptr().cast(),
        ptr::without_provenance_mut(log.len()),
    ];
    // SAFETY: strings are zero-terminated. The calls only write handles and the log.
    api.check("preparing a context", unsafe {
        // Waiting threads should not occupy a CPU.
        api.cuDevicePrimaryCtxSetFlags_v2(handle, SCHEDULE_BLOCKING_SYNC)
    })?;
    // SAFETY: see above.
    let context = api.get("creating a context", |context| unsafe {
        api.cuDevicePrimaryCtxRetain(context, handle)
    })?;
    let mut cuda = Cuda {
        api,
        context,
        functions: Kernels::new(),
    };
    cuda.enter()?;
    // SAFETY: see above.
    let module = api.get("compiling the kernels", |module| unsafe {
        api.cuModuleLoadDataEx(
            module,
            ptx.as_ptr().cast(),
            2,
            options.as_ptr(),
            values.as_mut_ptr(),
        )
    });
    let module = module.map_err(|mut failure| {
        failure.message += ": ";
        failure.message += &text(&log);
        failure
    })?;
    cuda.functions = kernels(|name| {
        // SAFETY: see above.
        let function = api.get("creating a kernel", |function| unsafe {
            api.cuModuleGetFunction(function, module, name.as_ptr())
        })?;
        // SAFETY: see above.
        api.check("allowing a kernel all memory of a group", unsafe {
            api.cuFuncSetAttribute(function, MAX_DYNAMIC_SHARED_SIZE_BYTES, local_memory)
        })?;
        Ok(function)
    })?;
    Ok(Box::new(cuda))
}

struct Cuda {
    api: &'static Api,
    context: usize,
    functions: Kernels,
}

impl Cuda {
    /// Selects the device for the calls of this thread.
    fn enter(&self) -> DriverResult<&Api> {
        // SAFETY: the context is valid, because it is never released.
        self.api.check("entering a context", unsafe {
            self.api.cuCtxSetCurrent(self.context)
        })?;
        Ok(self.api)
    }
}

// These calls are sound: callers guarantee that handles and arguments are valid, and the driver
// writes no more bytes than specified.
impl Driver for Cuda {
    fn free_memory(&self) -> DriverResult<u64> {
        let api = self.enter()?;
        let mut total = 0;
        // SAFETY: see above.
        let free = api.get("asking for free memory", |free| unsafe {
            api.cuMemGetInfo_v2(free, &raw mut total)
        })?;
        Ok(free as u64)
    }

    fn create_queue(&self) -> DriverResult<usize> {
        let api = self.enter()?;
        // SAFETY: see above.
        api.get("creating a queue", |queue| unsafe {
            api.cuStreamCreate(queue, NON_BLOCKING)
        })
    }

    fn allocate(&self, bytes: usize) -> DriverResult<usize> {
        let api = self.enter()?;
        // SAFETY: see above.
        api.get("reserving memory", |memory| unsafe {
            api.cuMemAlloc_v2(memory, bytes)
        })
    }

    unsafe fn release(&self, memory: usize) -> DriverResult<()> {
        let api = self.enter()?;
        // SAFETY: see above.
        api.check("releasing memory", unsafe { api.cuMemFree_v2(memory) })
    }

    unsafe fn release_queue(&self, queue: usize) -> DriverResult<()> {
        let api = self.enter()?;
        // SAFETY: see above.
        api.check("releasing a queue", unsafe {
            api.cuStreamDestroy_v2(queue)
        })
    }

    unsafe fn finish(&self, queue: usize) -> DriverResult<()> {
        // SAFETY: see above.
        unsafe { self.enter()?.finish(queue) }
    }

    unsafe fn write(&self, queue: usize, memory: usize, bytes: &[u8]) -> DriverResult<()> {
        let api = self.enter()?;
        // SAFETY: see above. `bytes` outlives the copy, because `finish` is always called.
        unsafe {
            let result =
                api.cuMemcpyHtoDAsync_v2(memory, bytes.as_ptr().cast(), bytes.len(), queue);
            let finished = api.finish(queue);
            api.check("writing to the device", result).and(finished)
        }
    }

    unsafe fn read(&self, queue: usize, memory: usize, bytes: &mut [u8]) -> DriverResult<()> {
        let api = self.enter()?;
        // SAFETY: as for `write`.
        unsafe {
            let result =
                api.cuMemcpyDtoHAsync_v2(bytes.as_mut_ptr().cast(), memory, bytes.len(), queue);
            let finished = api.finish(queue);
            api.check("reading from the device", result).and(finished)
        }
    }

    unsafe fn launch(&self, queue: usize, launch: Launch) -> DriverResult<()> {
        let api = self.enter()?;
        // The driver reads only four bytes of each number, because the kernel declares it as a
        // `uint`.
        let numbers = launch.numbers.iter().map(|&number| number.into());
        let memories = launch.memories.iter().map(|&memory| memory as u64);
        let mut values: Vec<u64> = numbers.chain(memories).collect();
        let mut parameters: Vec<_> = values
            .iter_mut()
            .map(|value| ptr::from_mut(value).cast())
            .collect();
        // SAFETY: see above.
        api.check("starting a kernel", unsafe {
            api.cuLaunchKernel(
                self.functions[launch.kernel],
                launch.groups as u32,
                1,
                1,
                SIZE as u32,
                1,
                1,
                launch.local as u32,
                queue,
                parameters.as_mut_ptr(),
                ptr::null_mut(),
            )
        })
    }
}

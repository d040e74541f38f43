//! The CUDA host: NVIDIA GPUs, their memory, and kernel launches.
//!
//! The program contains the kernels as PTX, which the driver compiles for the installed GPU.
//! `scripts/ptx` compiles `kernels.c` to `kernels.ptx`.

#![expect(unsafe_code, reason = "a driver is code that Rust cannot check")]
#![expect(clippy::too_many_arguments, reason = "a launch has eleven arguments")]
#![expect(non_snake_case, reason = "functions are named as in `cuda.h`")]

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::ptr;

use super::device::{Device, DeviceDescription};
use super::host::{
    Compiled, Driver, DriverFailure, DriverResult, Kernels, Launch, SIZES, functions, kernels,
};

const PTX: &str = include_str!("kernels.ptx");

/// The kernels are compiled for groups of this many work-items.
const SIZE: usize = SIZES[0];

/// The CUDA version of the oldest driver that accepts the PTX.
const OLDEST_DRIVER: c_int = 12_000;

/// The major compute capability of the oldest GPUs that the PTX supports.
const OLDEST_GPU: c_int = 7;

// These functions return 0 or an error code. Handles are pointers that only the driver
// dereferences. They are declared as integers, so that threads can share them.
functions! {
    ["libcuda.so.1", "libcuda.so", "nvcuda.dll"];
    cuInit(flags: c_uint) -> c_uint;
    cuGetErrorName(error: c_uint, name: *mut *const c_char) -> c_uint;
    cuDriverGetVersion(version: *mut c_int) -> c_uint;
    cuDeviceGetCount(count: *mut c_int) -> c_uint;
    cuDeviceGet(device: *mut c_int, ordinal: c_int) -> c_uint;
    cuDeviceGetName(name: *mut c_char, length: c_int, device: c_int) -> c_uint;
    cuDeviceGetAttribute(value: *mut c_int, attribute: c_uint, device: c_int) -> c_uint;
    cuDeviceTotalMem_v2(bytes: *mut usize, device: c_int) -> c_uint;
    cuDevicePrimaryCtxSetFlags_v2(device: c_int, flags: c_uint) -> c_uint;
    cuDevicePrimaryCtxRetain(context: *mut usize, device: c_int) -> c_uint;
    cuCtxSetCurrent(context: usize) -> c_uint;
    cuModuleLoadDataEx(
        module: *mut usize, image: *const c_void, count: c_uint, options: *const c_uint,
        values: *mut *mut c_void
    ) -> c_uint;
    cuModuleGetFunction(function: *mut usize, module: usize, name: *const c_char) -> c_uint;
    cuFuncSetAttribute(function: usize, attribute: c_uint, value: c_int) -> c_uint;
    cuStreamCreate(stream: *mut usize, flags: c_uint) -> c_uint;
    cuStreamSynchronize(stream: usize) -> c_uint;
    cuStreamDestroy_v2(stream: usize) -> c_uint;
    cuMemGetInfo_v2(free: *mut usize, total: *mut usize) -> c_uint;
    cuMemAlloc_v2(address: *mut usize, bytes: usize) -> c_uint;
    cuMemFree_v2(address: usize) -> c_uint;
    cuMemcpyHtoDAsync_v2(to: usize, from: *const c_void, bytes: usize, stream: usize) -> c_uint;
    cuMemcpyDtoHAsync_v2(to: *mut c_void, from: usize, bytes: usize, stream: usize) -> c_uint;
    cuLaunchKernel(
        function: usize, grid_x: c_uint, grid_y: c_uint, grid_z: c_uint, block_x: c_uint,
        block_y: c_uint, block_z: c_uint, shared_bytes: c_uint, stream: usize,
        parameters: *mut *mut c_void, extra: *mut *mut c_void
    ) -> c_uint;
}

// Constants from the enumerations of cuda.h.
const OUT_OF_MEMORY: c_uint = 2;
const COMPUTE_CAPABILITY_MAJOR: c_uint = 75;
const MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: c_uint = 97;
const MAX_DYNAMIC_SHARED_SIZE_BYTES: c_uint = 8;
const SCHEDULE_BLOCKING_SYNC: c_uint = 4;
const JIT_ERROR_LOG_BUFFER: c_uint = 5;
const JIT_ERROR_LOG_BUFFER_SIZE: c_uint = 6;
const NON_BLOCKING: c_uint = 1;
const NO_DEVICE: c_uint = 100;

impl Api {
    fn check(&self, doing: &str, result: c_uint) -> DriverResult<()> {
        if result == 0 {
            return Ok(());
        }
        let mut name = ptr::null();
        // SAFETY: `name` either stays null or is set to a zero-terminated string that lives as long
        // as the library.
        let name = unsafe {
            self.cuGetErrorName(result, &raw mut name);
            (!name.is_null()).then(|| CStr::from_ptr(name).to_string_lossy())
        };
        let message = format!(
            "{doing} failed: {}",
            name.unwrap_or_else(|| format!("error {result}").into())
        );
        Err(DriverFailure {
            message,
            lacks_memory: result == OUT_OF_MEMORY,
        })
    }
}

/// Returns all GPUs that the kernels support, or an error if the driver cannot be used.
pub(super) fn devices() -> DriverResult<Vec<Device>> {
    let Some(api) = API.as_ref().map_err(Clone::clone)? else {
        return Ok(Vec::new());
    };
    let mut version = 0;
    let mut count = 0;
    // SAFETY: the first call takes no pointer, and the others write one integer each to a variable.
    unsafe {
        let result = api.cuInit(0);
        if result == NO_DEVICE {
            return Ok(Vec::new());
        }
        api.check("initializing it", result)?;
        api.check(
            "asking for its version",
            api.cuDriverGetVersion(&raw mut version),
        )?;
        api.check("counting devices", api.cuDeviceGetCount(&raw mut count))?;
    }
    let is_old = version < OLDEST_DRIVER;
    let version = format!("{}.{}", version / 1000, version % 1000 / 10);
    if is_old {
        return Err(DriverFailure {
            message: format!("expected one for CUDA 12.0 or newer, found one for CUDA {version}"),
            lacks_memory: false,
        });
    }
    (0..count)
        .filter_map(|ordinal| describe(api, &version, ordinal).transpose())
        .collect()
}

/// Describes a GPU. Returns `None` if the GPU is too old.
fn describe(api: &'static Api, version: &str, ordinal: c_int) -> DriverResult<Option<Device>> {
    let mut handle = 0;
    let mut name = [0u8; 256];
    let mut memory = 0;
    // SAFETY: the calls only write integers to these variables and at most `name.len()` bytes to
    // `name`.
    unsafe {
        api.check(
            "finding a device",
            api.cuDeviceGet(&raw mut handle, ordinal),
        )?;
        let result = api.cuDeviceGetName(name.as_mut_ptr().cast(), name.len() as c_int, handle);
        api.check("asking for a name", result)?;
        api.check(
            "asking for memory",
            api.cuDeviceTotalMem_v2(&raw mut memory, handle),
        )?;
    }
    let attribute = |attribute: c_uint| {
        let mut value = 0;
        // SAFETY: the call only writes one integer to `value`.
        let result = unsafe { api.cuDeviceGetAttribute(&raw mut value, attribute, handle) };
        api.check("asking for an attribute", result).map(|()| value)
    };
    if attribute(COMPUTE_CAPABILITY_MAJOR)? < OLDEST_GPU {
        return Ok(None);
    }
    let local_memory = attribute(MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?;
    let description = DeviceDescription {
        name: CStr::from_bytes_until_nul(&name)
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
        interface: format!("CUDA, driver {version}"),
        is_cpu: false,
        memory: memory as u64,
        local_memory: local_memory as u64,
    };
    Ok(Some(Device::new(description, SIZE, move || {
        compile(api, handle, local_memory)
    })))
}

/// Compiles the kernels for a GPU with `local_memory` bytes of local memory per group. If this
/// fails, the error contains the compiler's log. The context is kept until the process exits.
fn compile(api: &'static Api, handle: c_int, local_memory: c_int) -> Compiled {
    let mut context = 0;
    let mut module = 0;
    let mut log = [0u8; 4096];
    let ptx = CString::new(PTX).expect("text has no zeros");
    let options = [JIT_ERROR_LOG_BUFFER, JIT_ERROR_LOG_BUFFER_SIZE];
    let mut values: [*mut c_void; 2] = [
        log.as_mut_ptr().cast(),
        ptr::without_provenance_mut(log.len()),
    ];
    // SAFETY: the PTX is zero-terminated, and the calls only write handles to these variables and
    // at most `log.len()` bytes to `log`.
    let result = unsafe {
        // Threads that wait for the device should not occupy a CPU.
        let result = api.cuDevicePrimaryCtxSetFlags_v2(handle, SCHEDULE_BLOCKING_SYNC);
        api.check("preparing a context", result)?;
        api.check(
            "creating a context",
            api.cuDevicePrimaryCtxRetain(&raw mut context, handle),
        )?;
        api.check("entering a context", api.cuCtxSetCurrent(context))?;
        api.cuModuleLoadDataEx(
            &raw mut module,
            ptx.as_ptr().cast(),
            2,
            options.as_ptr(),
            values.as_mut_ptr(),
        )
    };
    api.check("compiling the kernels", result)
        .map_err(|failure| {
            let log = CStr::from_bytes_until_nul(&log)
                .unwrap_or_default()
                .to_string_lossy();
            DriverFailure {
                message: format!("{}: {}", failure.message, log.trim()),
                ..failure
            }
        })?;
    let functions = kernels(|name| {
        let mut function = 0;
        // SAFETY: `name` is zero-terminated, and the calls only write a handle to `function`.
        unsafe {
            api.check(
                "creating a kernel",
                api.cuModuleGetFunction(&raw mut function, module, name.as_ptr()),
            )?;
            let result =
                api.cuFuncSetAttribute(function, MAX_DYNAMIC_SHARED_SIZE_BYTES, local_memory);
            api.check("allowing a kernel all memory of a group", result)
                .map(|()| function)
        }
    })?;
    Ok(Box::new(Cuda {
        api,
        context,
        functions,
    }))
}

struct Cuda {
    api: &'static Api,
    context: usize,
    functions: Kernels,
}

impl Cuda {
    /// Makes a driver call in the context of the device.
    fn call(&self, doing: &str, call: impl FnOnce(&Api) -> c_uint) -> DriverResult<()> {
        // SAFETY: the context is valid, because it is never released.
        self.api.check("entering a context", unsafe {
            self.api.cuCtxSetCurrent(self.context)
        })?;
        self.api.check(doing, call(self.api))
    }
}

// These calls are sound: callers guarantee that handles and arguments are valid, and the driver
// writes only to the variables passed to it, and never writes more bytes than specified.
impl Driver for Cuda {
    fn free_memory(&self) -> DriverResult<u64> {
        let mut free = 0;
        let mut total = 0;
        // SAFETY: see above.
        self.call("asking for free memory", |api| unsafe {
            api.cuMemGetInfo_v2(&raw mut free, &raw mut total)
        })?;
        Ok(free as u64)
    }

    fn create_queue(&self) -> DriverResult<usize> {
        let mut stream = 0;
        // SAFETY: see above.
        self.call("creating a queue", |api| unsafe {
            api.cuStreamCreate(&raw mut stream, NON_BLOCKING)
        })?;
        Ok(stream)
    }

    fn allocate(&self, bytes: usize) -> DriverResult<usize> {
        let mut address = 0;
        // SAFETY: see above.
        self.call("reserving memory", |api| unsafe {
            api.cuMemAlloc_v2(&raw mut address, bytes)
        })?;
        Ok(address)
    }

    unsafe fn release(&self, memory: usize) -> DriverResult<()> {
        // SAFETY: see above.
        self.call("releasing memory", |api| unsafe {
            api.cuMemFree_v2(memory)
        })
    }

    unsafe fn release_queue(&self, queue: usize) {
        // SAFETY: see above. The error is ignored, because a failed driver has already reported it.
        let _ = self.call("releasing a queue", |api| unsafe {
            api.cuStreamDestroy_v2(queue)
        });
    }

    unsafe fn finish(&self, queue: usize) -> DriverResult<()> {
        // SAFETY: see above.
        self.call("waiting for the device", |api| unsafe {
            api.cuStreamSynchronize(queue)
        })
    }

    unsafe fn write(&self, queue: usize, memory: usize, bytes: &[u8]) -> DriverResult<()> {
        let from = bytes.as_ptr().cast();
        // SAFETY: see above. `bytes` outlives the copy, because `finish` waits for the copy to end
        // even if `started` is an error.
        unsafe {
            let started = self.call("writing to the device", |api| {
                api.cuMemcpyHtoDAsync_v2(memory, from, bytes.len(), queue)
            });
            started.and(self.finish(queue))
        }
    }

    unsafe fn read(&self, queue: usize, memory: usize, bytes: &mut [u8]) -> DriverResult<()> {
        let to = bytes.as_mut_ptr().cast();
        // SAFETY: see above. `bytes` outlives the copy, because `finish` waits for the copy to end
        // even if `started` is an error.
        unsafe {
            let started = self.call("reading from the device", |api| {
                api.cuMemcpyDtoHAsync_v2(to, memory, bytes.len(), queue)
            });
            started.and(self.finish(queue))
        }
    }

    unsafe fn launch(&self, queue: usize, launch: Launch) -> DriverResult<()> {
        // The driver takes each value's size from the kernel's signature, so it reads only four
        // bytes for a number.
        let numbers = launch.numbers.iter().map(|&number| number.into());
        let mut values: Vec<u64> = numbers
            .chain(launch.memories.iter().map(|&memory| memory as u64))
            .collect();
        let mut parameters: Vec<_> = values
            .iter_mut()
            .map(|value| ptr::from_mut(value).cast())
            .collect();
        // SAFETY: see above.
        self.call("starting a kernel", |api| unsafe {
            api.cuLaunchKernel(
                self.functions[launch.kernel],
                launch.groups as c_uint,
                1,
                1,
                SIZE as c_uint,
                1,
                1,
                launch.local as c_uint,
                queue,
                parameters.as_mut_ptr(),
                ptr::null_mut(),
            )
        })
    }
}

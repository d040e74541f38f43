//! The functions of NVIDIA's driver that the host calls, loaded at run time.
//!
//! Handles are pointers that only the driver follows; here they are numbers, which threads may share.

#![expect(clippy::too_many_arguments, reason = "a launch takes eleven")]
#![expect(non_snake_case, reason = "the functions have the names of `cuda.h`")]

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ptr;
use std::sync::LazyLock;

use dlopen2::wrapper::{Container, WrapperApi};

use crate::engine::rows::gpu::host::{DriverFailure, Refusal, library};

// Of the enumerations of cuda.h.
const OUT_OF_MEMORY: c_uint = 2;

/// The functions, as `cuda.h` declares them. They return 0, or the number of an error.
#[derive(WrapperApi)]
pub struct Api {
    cuInit: unsafe extern "C" fn(flags: c_uint) -> c_uint,
    cuGetErrorName: unsafe extern "C" fn(error: c_uint, name: *mut *const c_char) -> c_uint,
    cuGetErrorString: unsafe extern "C" fn(error: c_uint, string: *mut *const c_char) -> c_uint,
    cuDriverGetVersion: unsafe extern "C" fn(version: *mut c_int) -> c_uint,
    cuDeviceGetCount: unsafe extern "C" fn(count: *mut c_int) -> c_uint,
    cuDeviceGet: unsafe extern "C" fn(device: *mut c_int, ordinal: c_int) -> c_uint,
    cuDeviceGetName: unsafe extern "C" fn(name: *mut c_char, length: c_int, device: c_int) -> c_uint,
    cuDeviceGetAttribute: unsafe extern "C" fn(value: *mut c_int, attribute: c_uint, device: c_int) -> c_uint,
    cuDeviceTotalMem_v2: unsafe extern "C" fn(bytes: *mut usize, device: c_int) -> c_uint,
    cuDevicePrimaryCtxSetFlags_v2: unsafe extern "C" fn(device: c_int, flags: c_uint) -> c_uint,
    cuDevicePrimaryCtxRetain: unsafe extern "C" fn(context: *mut usize, device: c_int) -> c_uint,
    cuCtxSetCurrent: unsafe extern "C" fn(context: usize) -> c_uint,
    cuModuleLoadDataEx: unsafe extern "C" fn(
        module: *mut usize,
        image: *const c_void,
        count: c_uint,
        options: *const c_uint,
        values: *mut *mut c_void,
    ) -> c_uint,
    cuModuleGetFunction: unsafe extern "C" fn(function: *mut usize, module: usize, name: *const c_char) -> c_uint,
    cuFuncSetAttribute: unsafe extern "C" fn(function: usize, attribute: c_uint, value: c_int) -> c_uint,
    cuStreamCreate: unsafe extern "C" fn(stream: *mut usize, flags: c_uint) -> c_uint,
    cuStreamSynchronize: unsafe extern "C" fn(stream: usize) -> c_uint,
    cuStreamDestroy_v2: unsafe extern "C" fn(stream: usize) -> c_uint,
    cuMemGetInfo_v2: unsafe extern "C" fn(free: *mut usize, total: *mut usize) -> c_uint,
    cuMemAlloc_v2: unsafe extern "C" fn(address: *mut u64, bytes: usize) -> c_uint,
    cuMemFree_v2: unsafe extern "C" fn(address: u64) -> c_uint,
    cuMemcpyHtoDAsync_v2: unsafe extern "C" fn(to: u64, from: *const c_void, bytes: usize, stream: usize) -> c_uint,
    cuMemcpyDtoHAsync_v2: unsafe extern "C" fn(to: *mut c_void, from: u64, bytes: usize, stream: usize) -> c_uint,
    cuLaunchKernel: unsafe extern "C" fn(
        function: usize,
        grid_x: c_uint,
        grid_y: c_uint,
        grid_z: c_uint,
        block_x: c_uint,
        block_y: c_uint,
        block_z: c_uint,
        shared_bytes: c_uint,
        stream: usize,
        parameters: *mut *mut c_void,
        extra: *mut *mut c_void,
    ) -> c_uint,
}

/// The functions, if there is such a driver.
pub static API: LazyLock<Result<Option<Container<Api>>, DriverFailure>> = LazyLock::new(|| {
    let names: &[&str] = if cfg!(windows) { &["nvcuda.dll"] } else { &["libcuda.so.1", "libcuda.so"] };
    // SAFETY: the library of these names is NVIDIA's driver, whose functions have these arguments.
    unsafe { library(names) }
});

impl Api {
    /// Nothing, or what failed.
    ///
    /// # Errors
    /// When the result of a call is not 0.
    pub fn check(&self, doing: &str, result: c_uint) -> Result<(), DriverFailure> {
        if result == 0 {
            return Ok(());
        }
        let (mut name, mut string) = (ptr::null(), ptr::null());
        // SAFETY: both take a number, and write where a string begins that lives as long as the library.
        unsafe {
            self.cuGetErrorName(result, &raw mut name);
            self.cuGetErrorString(result, &raw mut string);
        }
        let text = |string: *const c_char| {
            // SAFETY: it is such a string, unless the driver does not know the number.
            (!string.is_null()).then(|| unsafe { CStr::from_ptr(string) }.to_string_lossy())
        };
        Err(DriverFailure(match (text(name), text(string)) {
            (Some(name), Some(text)) => format!("{doing} failed: {name}, {text}"),
            _ => format!("{doing} failed: error {result} of the driver"),
        }))
    }

    /// The same of a call that may find no memory.
    ///
    /// # Errors
    /// When the result of the call is not 0.
    pub fn refuse(&self, doing: &str, result: c_uint) -> Result<(), Refusal> {
        if result == OUT_OF_MEMORY { Err(Refusal::NoMemory) } else { Ok(self.check(doing, result)?) }
    }
}

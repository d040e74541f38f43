//! The functions of NVIDIA's driver that the host calls, loaded at run time.
//!
//! Handles are pointers that only the driver follows; here they are numbers, which threads may share.

#![expect(clippy::too_many_arguments, reason = "a launch takes eleven")]

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ptr;
use std::sync::OnceLock;

use dlopen2::wrapper::{Container, WrapperApi};

use crate::engine::rows::gpu::host::DriverFailure;

/// The functions, as `cuda.h` declares them. They return 0, or the number of an error.
#[derive(WrapperApi)]
pub struct Api {
    #[dlopen2_name = "cuInit"]
    init: unsafe extern "C" fn(flags: c_uint) -> c_uint,
    #[dlopen2_name = "cuGetErrorName"]
    error_name: unsafe extern "C" fn(error: c_uint, name: *mut *const c_char) -> c_uint,
    #[dlopen2_name = "cuGetErrorString"]
    error_string: unsafe extern "C" fn(error: c_uint, string: *mut *const c_char) -> c_uint,
    #[dlopen2_name = "cuDriverGetVersion"]
    version: unsafe extern "C" fn(version: *mut c_int) -> c_uint,
    #[dlopen2_name = "cuDeviceGetCount"]
    device_count: unsafe extern "C" fn(count: *mut c_int) -> c_uint,
    #[dlopen2_name = "cuDeviceGet"]
    device: unsafe extern "C" fn(device: *mut c_int, ordinal: c_int) -> c_uint,
    #[dlopen2_name = "cuDeviceGetName"]
    device_name: unsafe extern "C" fn(name: *mut c_char, length: c_int, device: c_int) -> c_uint,
    #[dlopen2_name = "cuDeviceGetAttribute"]
    attribute: unsafe extern "C" fn(value: *mut c_int, attribute: c_uint, device: c_int) -> c_uint,
    #[dlopen2_name = "cuDeviceTotalMem_v2"]
    total_memory: unsafe extern "C" fn(bytes: *mut usize, device: c_int) -> c_uint,
    #[dlopen2_name = "cuDevicePrimaryCtxRetain"]
    retain_context: unsafe extern "C" fn(context: *mut usize, device: c_int) -> c_uint,
    #[dlopen2_name = "cuCtxSetCurrent"]
    enter_context: unsafe extern "C" fn(context: usize) -> c_uint,
    #[dlopen2_name = "cuModuleLoadData"]
    load_module: unsafe extern "C" fn(module: *mut usize, image: *const c_void) -> c_uint,
    #[dlopen2_name = "cuModuleGetFunction"]
    function: unsafe extern "C" fn(function: *mut usize, module: usize, name: *const c_char) -> c_uint,
    #[dlopen2_name = "cuFuncSetAttribute"]
    set_attribute: unsafe extern "C" fn(function: usize, attribute: c_uint, value: c_int) -> c_uint,
    #[dlopen2_name = "cuStreamCreate"]
    create_stream: unsafe extern "C" fn(stream: *mut usize, flags: c_uint) -> c_uint,
    #[dlopen2_name = "cuStreamSynchronize"]
    synchronize: unsafe extern "C" fn(stream: usize) -> c_uint,
    #[dlopen2_name = "cuStreamDestroy_v2"]
    destroy_stream: unsafe extern "C" fn(stream: usize) -> c_uint,
    #[dlopen2_name = "cuMemGetInfo_v2"]
    memory_info: unsafe extern "C" fn(free: *mut usize, total: *mut usize) -> c_uint,
    #[dlopen2_name = "cuMemAlloc_v2"]
    allocate: unsafe extern "C" fn(address: *mut u64, bytes: usize) -> c_uint,
    #[dlopen2_name = "cuMemFree_v2"]
    free: unsafe extern "C" fn(address: u64) -> c_uint,
    #[dlopen2_name = "cuMemcpyHtoDAsync_v2"]
    copy_to: unsafe extern "C" fn(to: u64, from: *const c_void, bytes: usize, stream: usize) -> c_uint,
    #[dlopen2_name = "cuMemcpyDtoHAsync_v2"]
    copy_from: unsafe extern "C" fn(to: *mut c_void, from: u64, bytes: usize, stream: usize) -> c_uint,
    #[dlopen2_name = "cuLaunchKernel"]
    launch: unsafe extern "C" fn(
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

/// The names of the library.
const LIBRARIES: &[&str] = if cfg!(windows) { &["nvcuda.dll"] } else { &["libcuda.so.1", "libcuda.so"] };

static API: OnceLock<Option<Container<Api>>> = OnceLock::new();

impl Api {
    /// The functions, if there is such a driver, and if it can be used.
    pub fn get() -> Option<&'static Self> {
        let load = || {
            // SAFETY: the library of these names is NVIDIA's driver, whose functions have these arguments.
            let api = LIBRARIES.iter().find_map(|name| unsafe { Container::<Self>::load(name) }.ok())?;
            // SAFETY: it is the first call.
            (unsafe { api.init(0) } == 0).then_some(api)
        };
        API.get_or_init(load).as_deref()
    }

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
            self.error_name(result, &raw mut name);
            self.error_string(result, &raw mut string);
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
}

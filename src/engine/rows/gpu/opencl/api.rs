//! The functions of OpenCL that the host calls, loaded at run time.
//!
//! Handles are pointers that only the driver follows; here they are numbers, which threads may share.

#![expect(clippy::too_many_arguments, reason = "a launch takes nine")]
#![expect(non_snake_case, reason = "the functions have the names of `cl.h`")]

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ptr;
use std::sync::LazyLock;

use dlopen2::wrapper::{Container, WrapperApi};

use crate::engine::rows::gpu::host::{DriverFailure, Refusal, library};

/// The functions, as `cl.h` declares them. They return 0, or the number of an error; those that create something write
/// that number.
#[derive(WrapperApi)]
pub struct Api {
    clGetPlatformIDs: unsafe extern "C" fn(room: c_uint, platforms: *mut usize, count: *mut c_uint) -> c_int,
    clGetDeviceIDs: unsafe extern "C" fn(
        platform: usize,
        kinds: u64,
        room: c_uint,
        devices: *mut usize,
        count: *mut c_uint,
    ) -> c_int,
    clGetDeviceInfo:
        unsafe extern "C" fn(device: usize, what: c_uint, room: usize, value: *mut c_void, size: *mut usize) -> c_int,
    clCreateContext: unsafe extern "C" fn(
        properties: *const isize,
        count: c_uint,
        devices: *const usize,
        notify: *const c_void,
        data: *mut c_void,
        error: *mut c_int,
    ) -> usize,
    clCreateProgramWithSource: unsafe extern "C" fn(
        context: usize,
        count: c_uint,
        sources: *const *const c_char,
        lengths: *const usize,
        error: *mut c_int,
    ) -> usize,
    clBuildProgram: unsafe extern "C" fn(
        program: usize,
        count: c_uint,
        devices: *const usize,
        options: *const c_char,
        notify: *const c_void,
        data: *mut c_void,
    ) -> c_int,
    clGetProgramBuildInfo: unsafe extern "C" fn(
        program: usize,
        device: usize,
        what: c_uint,
        room: usize,
        value: *mut c_void,
        size: *mut usize,
    ) -> c_int,
    clCreateKernel: unsafe extern "C" fn(program: usize, name: *const c_char, error: *mut c_int) -> usize,
    clSetKernelArg: unsafe extern "C" fn(kernel: usize, number: c_uint, size: usize, value: *const c_void) -> c_int,
    clReleaseKernel: unsafe extern "C" fn(kernel: usize) -> c_int,
    clCreateCommandQueue:
        unsafe extern "C" fn(context: usize, device: usize, properties: u64, error: *mut c_int) -> usize,
    clFinish: unsafe extern "C" fn(queue: usize) -> c_int,
    clReleaseCommandQueue: unsafe extern "C" fn(queue: usize) -> c_int,
    clCreateBuffer:
        unsafe extern "C" fn(context: usize, flags: u64, size: usize, memory: *mut c_void, error: *mut c_int) -> usize,
    clReleaseMemObject: unsafe extern "C" fn(buffer: usize) -> c_int,
    clEnqueueWriteBuffer: unsafe extern "C" fn(
        queue: usize,
        buffer: usize,
        blocking: c_uint,
        offset: usize,
        size: usize,
        from: *const c_void,
        count: c_uint,
        events: *const usize,
        event: *mut usize,
    ) -> c_int,
    clEnqueueReadBuffer: unsafe extern "C" fn(
        queue: usize,
        buffer: usize,
        blocking: c_uint,
        offset: usize,
        size: usize,
        to: *mut c_void,
        count: c_uint,
        events: *const usize,
        event: *mut usize,
    ) -> c_int,
    clEnqueueNDRangeKernel: unsafe extern "C" fn(
        queue: usize,
        kernel: usize,
        dimensions: c_uint,
        offsets: *const usize,
        items: *const usize,
        group: *const usize,
        count: c_uint,
        events: *const usize,
        event: *mut usize,
    ) -> c_int,
}

// Of cl.h.
const DEVICE_TYPE_ALL: u64 = 0xFFFF_FFFF;
const PROGRAM_BUILD_LOG: c_uint = 0x1183;
const DEVICE_NOT_FOUND: c_int = -1;
const PLATFORM_NOT_FOUND: c_int = -1001;
const MEM_OBJECT_ALLOCATION_FAILURE: c_int = -4;
const OUT_OF_RESOURCES: c_int = -5;
const OUT_OF_HOST_MEMORY: c_int = -6;
const INVALID_BUFFER_SIZE: c_int = -61;

/// The functions, if there are drivers for OpenCL.
pub static API: LazyLock<Result<Option<Container<Api>>, DriverFailure>> = LazyLock::new(|| {
    let names: &[&str] = if cfg!(windows) {
        &["OpenCL.dll"]
    } else if cfg!(target_vendor = "apple") {
        &["/System/Library/Frameworks/OpenCL.framework/OpenCL"]
    } else {
        &["libOpenCL.so.1", "libOpenCL.so"]
    };
    // SAFETY: the library of these names is that of OpenCL, whose functions have these arguments.
    unsafe { library(names) }
});

impl Api {
    /// The drivers that there are.
    ///
    /// # Errors
    /// When the library fails.
    pub fn platforms(&self) -> Result<Vec<usize>, DriverFailure> {
        // SAFETY: the call writes so many handles at most, and their number.
        let call = |room, handles, count| unsafe { self.clGetPlatformIDs(room, handles, count) };
        listed("listing drivers", PLATFORM_NOT_FOUND, call)
    }

    /// The devices of a driver.
    ///
    /// # Errors
    /// When the driver fails.
    pub fn devices(&self, platform: usize) -> Result<Vec<usize>, DriverFailure> {
        // SAFETY: the call writes so many handles at most, and their number.
        let call =
            |room, handles, count| unsafe { self.clGetDeviceIDs(platform, DEVICE_TYPE_ALL, room, handles, count) };
        listed("listing devices", DEVICE_NOT_FOUND, call)
    }

    /// What the compiler of a driver has said about a program.
    ///
    /// # Errors
    /// When the driver fails.
    pub fn build_log(&self, program: usize, device: usize) -> Result<String, DriverFailure> {
        // SAFETY: the call writes so many bytes at most, and their number.
        let log = said("reading what its compiler says", |room, bytes, size| unsafe {
            self.clGetProgramBuildInfo(program, device, PROGRAM_BUILD_LOG, room, bytes, size)
        })?;
        Ok(text(&log))
    }

    /// What a driver says about a device, in bytes.
    fn info(&self, device: usize, what: c_uint) -> Result<Vec<u8>, DriverFailure> {
        // SAFETY: the call writes so many bytes at most, and their number.
        let call = |room, bytes, size| unsafe { self.clGetDeviceInfo(device, what, room, bytes, size) };
        said("asking about a device", call)
    }

    /// A number that a driver says about a device.
    ///
    /// # Errors
    /// When the driver fails.
    pub fn number(&self, device: usize, what: c_uint) -> Result<u64, DriverFailure> {
        let bytes = self.info(device, what)?;
        let number = match bytes[..] {
            [a, b, c, d] => Some(u32::from_ne_bytes([a, b, c, d]).into()),
            _ => bytes.try_into().ok().map(u64::from_ne_bytes),
        };
        number.ok_or_else(|| DriverFailure(format!("expected a number as {what:#x} of a device, found none")))
    }

    /// A text that a driver says about a device.
    ///
    /// # Errors
    /// When the driver fails.
    pub fn text(&self, device: usize, what: c_uint) -> Result<String, DriverFailure> {
        Ok(text(&self.info(device, what)?))
    }
}

/// The handles that a call lists, with an error of its own where there is none: as many as there is room for here.
fn listed(
    doing: &str,
    none: c_int,
    call: impl FnOnce(c_uint, *mut usize, *mut c_uint) -> c_int,
) -> Result<Vec<usize>, DriverFailure> {
    let (mut handles, mut count) = (vec![0; 64], 0);
    let result = call(handles.len() as c_uint, handles.as_mut_ptr(), &raw mut count);
    if result != none {
        check(doing, result)?;
    }
    handles.truncate(count as usize);
    Ok(handles)
}

/// The bytes that a call writes, with their number: as many as it needs.
fn said(doing: &str, call: impl Fn(usize, *mut c_void, *mut usize) -> c_int) -> Result<Vec<u8>, DriverFailure> {
    let mut size = 0;
    check(doing, call(0, ptr::null_mut(), &raw mut size))?;
    let mut bytes = vec![0u8; size];
    check(doing, call(size, bytes.as_mut_ptr().cast(), &raw mut size))?;
    Ok(bytes)
}

/// A text that ends with a zero.
fn text(bytes: &[u8]) -> String {
    CStr::from_bytes_until_nul(bytes).unwrap_or_default().to_string_lossy().trim().to_owned()
}

/// Nothing, or what failed.
///
/// # Errors
/// When the result of a call is not 0.
pub fn check(doing: &str, result: c_int) -> Result<(), DriverFailure> {
    if result == 0 { Ok(()) } else { Err(DriverFailure(format!("{doing} failed: error {result} of OpenCL"))) }
}

/// The same of a call that works with memory: a driver may reserve it only when it is used.
///
/// # Errors
/// When the result of the call is not 0.
pub fn refuse(doing: &str, result: c_int) -> Result<(), Refusal> {
    if result == MEM_OBJECT_ALLOCATION_FAILURE { Err(Refusal::NoMemory) } else { Ok(check(doing, result)?) }
}

/// What a call has created.
///
/// # Errors
/// When it has failed with this error.
pub fn created(doing: &str, handle: usize, error: c_int) -> Result<usize, Refusal> {
    match error {
        OUT_OF_RESOURCES | OUT_OF_HOST_MEMORY | INVALID_BUFFER_SIZE => Err(Refusal::NoMemory),
        _ => refuse(doing, error).map(|()| handle),
    }
}

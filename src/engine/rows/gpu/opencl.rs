//! The OpenCL host: devices, their memory, and kernel launches.

#![expect(unsafe_code, reason = "a driver is code that Rust cannot check")]
#![expect(clippy::too_many_arguments, reason = "a launch has nine arguments")]
#![expect(non_snake_case, reason = "functions are named as in `cl.h`")]

use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr;
use std::sync::{Mutex, PoisonError};

use super::device::{Device, DeviceDescription};
use super::host::{
    Compiled, Driver, DriverFailure, DriverResult, Kernels, Launch, functions, kernels,
};

const SOURCE: &str = include_str!("kernels.c");

/// The file names of the OpenCL library on Linux, Windows and macOS.
const LIBRARIES: [&str; 4] = [
    "libOpenCL.so.1",
    "libOpenCL.so",
    "OpenCL.dll",
    "/System/Library/Frameworks/OpenCL.framework/OpenCL",
];

// Functions that create an object write 0 or an error code to `error`; the others return it.
// Handles are pointers that only the driver dereferences. They are declared as integers, so that
// threads can share them.
functions! {
    LIBRARIES;
    clGetPlatformIDs(room: u32, platforms: *mut usize, count: *mut u32) -> i32;
    clGetDeviceIDs(
        platform: usize, kinds: u64, room: u32, devices: *mut usize, count: *mut u32
    ) -> i32;
    clGetDeviceInfo(
        device: usize, what: u32, room: usize, value: *mut c_void, size: *mut usize
    ) -> i32;
    clCreateContext(
        properties: *const isize, count: u32, devices: *const usize, notify: *const c_void,
        data: *mut c_void, error: *mut i32
    ) -> usize;
    clCreateProgramWithSource(
        context: usize, count: u32, sources: *const *const c_char, lengths: *const usize,
        error: *mut i32
    ) -> usize;
    clBuildProgram(
        program: usize, count: u32, devices: *const usize, options: *const c_char,
        notify: *const c_void, data: *mut c_void
    ) -> i32;
    clGetProgramBuildInfo(
        program: usize, device: usize, what: u32, room: usize, value: *mut c_void, size: *mut usize
    ) -> i32;
    clCreateKernel(program: usize, name: *const c_char, error: *mut i32) -> usize;
    clSetKernelArg(kernel: usize, number: u32, size: usize, value: *const c_void) -> i32;
    clCreateCommandQueue(context: usize, device: usize, properties: u64, error: *mut i32) -> usize;
    clFinish(queue: usize) -> i32;
    clReleaseCommandQueue(queue: usize) -> i32;
    clCreateBuffer(
        context: usize, flags: u64, size: usize, memory: *mut c_void, error: *mut i32
    ) -> usize;
    clReleaseMemObject(buffer: usize) -> i32;
    clEnqueueWriteBuffer(
        queue: usize, buffer: usize, blocking: u32, offset: usize, size: usize,
        from: *const c_void, count: u32, events: *const usize, event: *mut usize
    ) -> i32;
    clEnqueueReadBuffer(
        queue: usize, buffer: usize, blocking: u32, offset: usize, size: usize,
        to: *mut c_void, count: u32, events: *const usize, event: *mut usize
    ) -> i32;
    clEnqueueNDRangeKernel(
        queue: usize, kernel: usize, dimensions: u32, offsets: *const usize, items: *const usize,
        group: *const usize, count: u32, events: *const usize, event: *mut usize
    ) -> i32;
}

// Constants from cl.h.
const DEVICE_TYPE_ALL: u64 = 0xFFFF_FFFF;
const DEVICE_TYPE_CPU: u64 = 2;
const DEVICE_TYPE: u32 = 0x1000;
const DEVICE_VENDOR_ID: u32 = 0x1001;
const DEVICE_MAX_WORK_GROUP_SIZE: u32 = 0x1004;
const DEVICE_GLOBAL_MEM_SIZE: u32 = 0x101F;
const DEVICE_LOCAL_MEM_SIZE: u32 = 0x1023;
const DEVICE_COMPILER_AVAILABLE: u32 = 0x1028;
const DEVICE_NAME: u32 = 0x102B;
const DRIVER_VERSION: u32 = 0x102D;
const MEM_READ_WRITE: u64 = 1;
const BLOCKING: u32 = 1;
const PROGRAM_BUILD_LOG: u32 = 0x1183;
const DEVICE_NOT_FOUND: i32 = -1;
const PLATFORM_NOT_FOUND: i32 = -1001;
const MEM_OBJECT_ALLOCATION_FAILURE: i32 = -4;
const OUT_OF_RESOURCES: i32 = -5;
const OUT_OF_HOST_MEMORY: i32 = -6;
const INVALID_BUFFER_SIZE: i32 = -61;
// NVIDIA's PCI vendor ID.
const NVIDIA: u64 = 0x10DE;

/// Returns each driver's devices, in the order in which the system lists them, except those that
/// cannot run the kernels. The group size of a device is the largest one in `sizes` that it
/// supports. If `but_nvidia` is set, NVIDIA devices are omitted, because the CUDA host lists them.
pub(super) fn drivers(
    sizes: &[usize],
    but_nvidia: bool,
) -> DriverResult<Vec<DriverResult<Vec<Device>>>> {
    let Some(api) = API.as_ref().map_err(Clone::clone)? else {
        return Ok(Vec::new());
    };
    // SAFETY: the call writes at most `room` handles to `handles`, and one integer to `count`.
    let platforms = list_handles(
        "listing drivers",
        PLATFORM_NOT_FOUND,
        |room, handles, count| unsafe { api.clGetPlatformIDs(room, handles, count) },
    )?;
    let devices = platforms
        .into_iter()
        .map(|platform| devices(api, platform, sizes, but_nvidia));
    Ok(devices.collect())
}

fn devices(
    api: &'static Api,
    platform: usize,
    sizes: &[usize],
    but_nvidia: bool,
) -> DriverResult<Vec<Device>> {
    // SAFETY: the call writes at most `room` handles to `handles`, and one integer to `count`.
    let handles = list_handles(
        "listing devices",
        DEVICE_NOT_FOUND,
        |room, handles, count| unsafe {
            api.clGetDeviceIDs(platform, DEVICE_TYPE_ALL, room, handles, count)
        },
    )?;
    handles
        .into_iter()
        .filter_map(|handle| describe(api, handle, sizes, but_nvidia).transpose())
        .collect()
}

/// Describes a device, or returns `None` if it should be omitted.
fn describe(
    api: &'static Api,
    handle: usize,
    sizes: &[usize],
    but_nvidia: bool,
) -> DriverResult<Option<Device>> {
    let info = |what: u32| {
        query("asking about a device", |room, bytes, size| {
            // SAFETY: the call writes at most `room` bytes to `bytes`, and one integer to `size`.
            unsafe { api.clGetDeviceInfo(handle, what, room, bytes, size) }
        })
    };
    // A number can have 32 or 64 bits.
    let number = |what: u32| {
        info(what).map(|bytes| match bytes[..] {
            [a, b, c, d] => u32::from_ne_bytes([a, b, c, d]).into(),
            _ => bytes.try_into().map_or(0, u64::from_ne_bytes),
        })
    };
    let text = |what: u32| info(what).map(|bytes| text(&bytes));
    let most = number(DEVICE_MAX_WORK_GROUP_SIZE)?;
    let compiles = number(DEVICE_COMPILER_AVAILABLE)? != 0;
    let is_left_out = !compiles || but_nvidia && number(DEVICE_VENDOR_ID)? == NVIDIA;
    let group = sizes
        .iter()
        .copied()
        .filter(|&size| size as u64 <= most && !is_left_out)
        .max();
    let Some(group) = group else { return Ok(None) };
    let description = DeviceDescription {
        name: text(DEVICE_NAME)?,
        interface: format!("OpenCL, driver {}", text(DRIVER_VERSION)?),
        is_cpu: number(DEVICE_TYPE)? & DEVICE_TYPE_CPU != 0,
        memory: number(DEVICE_GLOBAL_MEM_SIZE)?,
        local_memory: number(DEVICE_LOCAL_MEM_SIZE)?,
    };
    let memory = description.memory;
    Ok(Some(Device::new(description, group, move || {
        compile(api, handle, group, memory)
    })))
}

/// Returns the handles that `call` lists (at most 64). `none` is the error that `call` returns if
/// there are no handles.
fn list_handles(
    doing: &str,
    none: i32,
    call: impl FnOnce(u32, *mut usize, *mut u32) -> i32,
) -> DriverResult<Vec<usize>> {
    let mut handles = vec![0; 64];
    let mut count = 0;
    let result = call(handles.len() as u32, handles.as_mut_ptr(), &raw mut count);
    if result != none {
        check(doing, result)?;
    }
    handles.truncate(count as usize);
    Ok(handles)
}

/// Returns the bytes that `call` writes. It is called twice: first to obtain the number of bytes,
/// then to write them.
fn query(
    doing: &str,
    call: impl Fn(usize, *mut c_void, *mut usize) -> i32,
) -> DriverResult<Vec<u8>> {
    let mut size = 0;
    check(doing, call(0, ptr::null_mut(), &raw mut size))?;
    let mut bytes = vec![0u8; size];
    check(doing, call(size, bytes.as_mut_ptr().cast(), &raw mut size))?;
    Ok(bytes)
}

fn text(bytes: &[u8]) -> String {
    CStr::from_bytes_until_nul(bytes)
        .unwrap_or_default()
        .to_string_lossy()
        .trim()
        .to_owned()
}

/// Converts an error code to a `Result`. Any call can run out of memory, because drivers may
/// allocate memory lazily.
fn check(doing: &str, result: i32) -> DriverResult<()> {
    let lacks_memory = matches!(
        result,
        MEM_OBJECT_ALLOCATION_FAILURE | OUT_OF_HOST_MEMORY | INVALID_BUFFER_SIZE
    );
    if result == 0 {
        Ok(())
    } else {
        Err(DriverFailure {
            message: format!("{doing} failed: error {result} of OpenCL"),
            lacks_memory,
        })
    }
}

/// Returns the handle of the object that a call created, or an error if the call failed.
fn check_created(doing: &str, handle: usize, error: i32) -> DriverResult<usize> {
    // After a call that creates an object, this error means a lack of memory; after other calls, it
    // means that a kernel failed.
    let error = if error == OUT_OF_RESOURCES {
        MEM_OBJECT_ALLOCATION_FAILURE
    } else {
        error
    };
    check(doing, error).map(|()| handle)
}

/// Compiles the kernels for a device. The OpenCL context and program are kept until the process
/// exits.
fn compile(api: &'static Api, device: usize, group: usize, memory: u64) -> Compiled {
    let options =
        CString::new(format!("-cl-std=CL1.2 -DSIZE={group}u")).expect("options have no zeros");
    let source = SOURCE.as_ptr().cast();
    let length = SOURCE.len();
    let devices = &raw const device;
    let mut error = 0;
    // SAFETY: `devices` points to one device, there is no callback, and the call only writes an
    // error code.
    let context = unsafe {
        api.clCreateContext(
            ptr::null(),
            1,
            devices,
            ptr::null(),
            ptr::null_mut(),
            &raw mut error,
        )
    };
    check("creating a context", error)?;
    // SAFETY: `source` points to `length` bytes, and the call only writes an error code.
    let program = unsafe {
        api.clCreateProgramWithSource(
            context,
            1,
            &raw const source,
            &raw const length,
            &raw mut error,
        )
    };
    check("reading the kernels", error)?;
    // SAFETY: `devices` points to one device, there is no callback, and the options are
    // zero-terminated.
    let result = unsafe {
        api.clBuildProgram(
            program,
            1,
            devices,
            options.as_ptr(),
            ptr::null(),
            ptr::null_mut(),
        )
    };
    check("compiling the kernels", result).map_err(|failure| {
        let log = query("reading what its compiler says", |room, bytes, size| {
            // SAFETY: the call writes at most `room` bytes to `bytes`, and one integer to `size`.
            unsafe {
                api.clGetProgramBuildInfo(program, device, PROGRAM_BUILD_LOG, room, bytes, size)
            }
        });
        let log = log.map_or_else(|failure| failure.message, |log| text(&log));
        DriverFailure {
            message: format!("{}: {log}", failure.message),
            ..failure
        }
    })?;
    let kernels = kernels(|name| {
        // SAFETY: `name` is zero-terminated, and the call only writes an error code.
        let kernel = unsafe { api.clCreateKernel(program, name.as_ptr(), &raw mut error) };
        check("creating a kernel", error).map(|()| kernel)
    })?;
    Ok(Box::new(OpenCl {
        api,
        device,
        group,
        memory,
        context,
        kernels: Mutex::new(kernels),
    }))
}

struct OpenCl {
    api: &'static Api,
    device: usize,
    group: usize,
    memory: u64,
    context: usize,
    /// The kernels, which are locked during each launch, because all threads share a kernel's
    /// arguments.
    kernels: Mutex<Kernels>,
}

// These calls are sound: callers guarantee that handles and arguments are valid, and the driver
// writes only an error code and as many bytes as specified.
impl Driver for OpenCl {
    /// Returns the total memory size, because OpenCL does not report how much memory is free. If
    /// allocations fail, feeders retry with less memory.
    fn free_memory(&self) -> DriverResult<u64> {
        Ok(self.memory)
    }

    fn create_queue(&self) -> DriverResult<usize> {
        let mut error = 0;
        // SAFETY: see above.
        let queue = unsafe {
            self.api
                .clCreateCommandQueue(self.context, self.device, 0, &raw mut error)
        };
        check_created("creating a queue", queue, error)
    }

    fn allocate(&self, bytes: usize) -> DriverResult<usize> {
        let ours = ptr::null_mut();
        let mut error = 0;
        // SAFETY: the call is passed no host memory, and only writes an error code.
        let buffer = unsafe {
            self.api
                .clCreateBuffer(self.context, MEM_READ_WRITE, bytes, ours, &raw mut error)
        };
        check_created("reserving memory", buffer, error)
    }

    unsafe fn release(&self, memory: usize) -> DriverResult<()> {
        // SAFETY: see above.
        check("releasing memory", unsafe {
            self.api.clReleaseMemObject(memory)
        })
    }

    unsafe fn release_queue(&self, queue: usize) {
        // SAFETY: see above. The error is ignored, because a failed driver has already reported it.
        unsafe { self.api.clReleaseCommandQueue(queue) };
    }

    unsafe fn finish(&self, queue: usize) -> DriverResult<()> {
        // SAFETY: see above.
        check("waiting for the device", unsafe {
            self.api.clFinish(queue)
        })
    }

    unsafe fn write(&self, queue: usize, memory: usize, bytes: &[u8]) -> DriverResult<()> {
        let from = bytes.as_ptr().cast();
        let size = bytes.len();
        let none = ptr::null();
        let event = ptr::null_mut();
        // SAFETY: see above. The call returns only after the bytes have been copied.
        check("writing to the device", unsafe {
            self.api
                .clEnqueueWriteBuffer(queue, memory, BLOCKING, 0, size, from, 0, none, event)
        })
    }

    unsafe fn read(&self, queue: usize, memory: usize, bytes: &mut [u8]) -> DriverResult<()> {
        let to = bytes.as_mut_ptr().cast();
        let size = bytes.len();
        let none = ptr::null();
        let event = ptr::null_mut();
        // SAFETY: see above. The call returns only after the bytes have been copied.
        check("reading from the device", unsafe {
            self.api
                .clEnqueueReadBuffer(queue, memory, BLOCKING, 0, size, to, 0, none, event)
        })
    }

    unsafe fn launch(&self, queue: usize, launch: Launch) -> DriverResult<()> {
        let kernels = self.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        let kernel = kernels[launch.kernel];
        let numbers = launch
            .numbers
            .iter()
            .map(|number| (size_of_val(number), ptr::from_ref(number).cast()));
        let memories = launch
            .memories
            .iter()
            .map(|memory| (size_of_val(memory), ptr::from_ref(memory).cast()));
        let local = (launch.local > 0).then_some((launch.local, ptr::null()));
        for (argument, (size, value)) in (0..).zip(numbers.chain(memories).chain(local)) {
            // SAFETY: see above. `value` points to `size` bytes, or is null for local memory.
            check("preparing a kernel", unsafe {
                self.api.clSetKernelArg(kernel, argument, size, value)
            })?;
        }
        let items = launch.groups * self.group;
        let group = &raw const self.group;
        let none = ptr::null();
        let event = ptr::null_mut();
        // SAFETY: see above.
        check("starting a kernel", unsafe {
            self.api.clEnqueueNDRangeKernel(
                queue,
                kernel,
                1,
                none,
                &raw const items,
                group,
                0,
                none,
                event,
            )
        })
    }
}

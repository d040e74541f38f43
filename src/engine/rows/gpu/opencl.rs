//! Drives devices through OpenCL.

#![expect(unsafe_code, reason = "calls to drivers")]
#![expect(clippy::too_many_arguments, non_snake_case, reason = "as in `cl.h`")]

use std::ffi::{CString, c_char, c_void};
use std::ptr::{self, null, null_mut};
use std::sync::{Mutex, PoisonError};

use super::device::{Device, DeviceDescription};
use super::host::{
    Compiled, Driver, DriverFailure, DriverResult, Kernels, Launch, functions, kernels, text,
};

const SOURCE: &str = include_str!("kernels.c");

// Functions return an error code (0 for success), or write it to `error`. Handles are declared as
// integers, so that threads can share them.
functions! {
    [
        "libOpenCL.so.1",
        "libOpenCL.so",
        "OpenCL.dll",
        "/System/Library/Frameworks/OpenCL.framework/OpenCL",
    ];
    i32 {
        clGetPlatformIDs(room: u32, platforms: *mut usize, count: *mut u32);
        clGetDeviceIDs(
            platform: usize, kinds: u64, room: u32, devices: *mut usize, count: *mut u32
        );
        clGetDeviceInfo(
            device: usize, what: u32, room: usize, value: *mut c_void, size: *mut usize
        );
        clBuildProgram(
            program: usize, count: u32, devices: *const usize, options: *const c_char,
            notify: *const c_void, data: *mut c_void
        );
        clGetProgramBuildInfo(
            program: usize, device: usize, what: u32, room: usize, value: *mut c_void,
            size: *mut usize
        );
        clSetKernelArg(kernel: usize, number: u32, size: usize, value: *const c_void);
        clFinish(queue: usize);
        clReleaseCommandQueue(queue: usize);
        clReleaseMemObject(buffer: usize);
        clEnqueueWriteBuffer(
            queue: usize, buffer: usize, blocking: u32, offset: usize, size: usize,
            from: *const c_void, count: u32, events: *const usize, event: *mut usize
        );
        clEnqueueReadBuffer(
            queue: usize, buffer: usize, blocking: u32, offset: usize, size: usize,
            to: *mut c_void, count: u32, events: *const usize, event: *mut usize
        );
        clEnqueueNDRangeKernel(
            queue: usize, kernel: usize, dimensions: u32, offsets: *const usize,
            items: *const usize, group: *const usize, count: u32, events: *const usize,
            event: *mut usize
        );
    }
    usize {
        clCreateContext(
            properties: *const isize, count: u32, devices: *const usize, notify: *const c_void,
            data: *mut c_void, error: *mut i32
        );
        clCreateProgramWithSource(
            context: usize, count: u32, sources: *const *const c_char, lengths: *const usize,
            error: *mut i32
        );
        clCreateKernel(program: usize, name: *const c_char, error: *mut i32);
        clCreateCommandQueue(context: usize, device: usize, properties: u64, error: *mut i32);
        clCreateBuffer(
            context: usize, flags: u64, size: usize, memory: *mut c_void, error: *mut i32
        );
    }
}

// Constants from cl.h.
const DEVICE_TYPE_ALL: u64 = 0xFFFF_FFFF;
const DEVICE_TYPE_CPU: u64 = 2;
const DEVICE_TYPE: u32 = 0x1000;
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

/// Returns, for each driver, the devices that can run the kernels with a group size in `sizes`.
pub(super) fn drivers(sizes: &[usize]) -> DriverResult<Vec<DriverResult<Vec<Device>>>> {
    let Some(api) = API.as_ref().map_err(Clone::clone)? else {
        return Ok(Vec::new());
    };
    let platforms = list_handles(
        "listing drivers",
        PLATFORM_NOT_FOUND,
        // SAFETY: the call writes at most `room` handles, and a number.
        |room, handles, count| unsafe { api.clGetPlatformIDs(room, handles, count) },
    )?;
    let devices = platforms.into_iter().map(|platform| {
        let handles = list_handles(
            "listing devices",
            DEVICE_NOT_FOUND,
            // SAFETY: see above.
            |room, handles, count| unsafe {
                api.clGetDeviceIDs(platform, DEVICE_TYPE_ALL, room, handles, count)
            },
        )?;
        handles
            .into_iter()
            .filter_map(|handle| describe(api, handle, sizes).transpose())
            .collect()
    });
    Ok(devices.collect())
}

/// Describes a device, unless it should be omitted.
fn describe(api: &'static Api, device: usize, sizes: &[usize]) -> DriverResult<Option<Device>> {
    let info = |what: u32| {
        query("asking about a device", |room, bytes, size| {
            // SAFETY: the call writes at most `room` bytes, and a length to `size`.
            unsafe { api.clGetDeviceInfo(device, what, room, bytes, size) }
        })
    };
    // A number can have 32 or 64 bits.
    let number = |what: u32| {
        info(what).map(|bytes| match bytes[..] {
            [a, b, c, d] => u32::from_ne_bytes([a, b, c, d]).into(),
            _ => bytes.try_into().map_or(0, u64::from_ne_bytes),
        })
    };
    let most = number(DEVICE_MAX_WORK_GROUP_SIZE)?;
    if number(DEVICE_COMPILER_AVAILABLE)? == 0 {
        return Ok(None);
    }
    let fitting = sizes.iter().filter(|&&size| size as u64 <= most);
    let Some(&group) = fitting.max() else {
        return Ok(None);
    };
    let description = DeviceDescription {
        name: text(&info(DEVICE_NAME)?),
        interface: format!("OpenCL, driver {}", text(&info(DRIVER_VERSION)?)),
        is_cpu: number(DEVICE_TYPE)? & DEVICE_TYPE_CPU != 0,
        memory: number(DEVICE_GLOBAL_MEM_SIZE)?,
        local_memory: number(DEVICE_LOCAL_MEM_SIZE)?,
    };
    let memory = description.memory;
    Ok(Some(Device::new(description, group, move || {
        compile(api, device, group, memory)
    })))
}

/// Returns the handles that `call` lists (at most 64). If there are no handles, `call` returns the
/// error code `none`.
fn list_handles(
    doing: &str,
    none: i32,
    call: impl FnOnce(u32, *mut usize, &mut u32) -> i32,
) -> DriverResult<Vec<usize>> {
    let mut handles = vec![0; 64];
    let mut count = 0;
    let result = call(handles.len() as u32, handles.as_mut_ptr(), &mut count);
    if result != none {
        check(doing, result)?;
    }
    handles.truncate(count as usize);
    Ok(handles)
}

/// Returns the bytes that `call` writes. Runs `call` twice, the first time only to get the number
/// of bytes.
fn query(
    doing: &str,
    call: impl Fn(usize, *mut c_void, &mut usize) -> i32,
) -> DriverResult<Vec<u8>> {
    let mut size = 0;
    check(doing, call(0, null_mut(), &mut size))?;
    let mut bytes = vec![0; size];
    check(doing, call(size, bytes.as_mut_ptr().cast(), &mut size))?;
    Ok(bytes)
}

/// Checks the result of a call. Any call can run out of memory, because drivers may allocate memory
/// lazily.
fn check(doing: &str, result: i32) -> DriverResult<()> {
    if result == 0 {
        return Ok(());
    }
    Err(DriverFailure {
        message: format!("{doing} failed: error {result} of OpenCL"),
        lacks_memory: matches!(
            result,
            MEM_OBJECT_ALLOCATION_FAILURE | OUT_OF_HOST_MEMORY | INVALID_BUFFER_SIZE
        ),
    })
}

fn create(doing: &str, call: impl FnOnce(&mut i32) -> usize) -> DriverResult<usize> {
    let mut error = 0;
    let handle = call(&mut error);
    check(doing, error).map_err(|failure| DriverFailure {
        // Here, `OUT_OF_RESOURCES` means a lack of memory; from a call that creates nothing, it
        // would mean that a kernel failed.
        lacks_memory: failure.lacks_memory || error == OUT_OF_RESOURCES,
        ..failure
    })?;
    Ok(handle)
}

/// Compiles the kernels. If this fails, the error contains the compiler's log.
fn compile(api: &'static Api, device: usize, group: usize, memory: u64) -> Compiled {
    let options =
        CString::new(format!("-cl-std=CL1.2 -DSIZE={group}u")).expect("options have no zeros");
    // SAFETY: arrays have the given lengths, strings are zero-terminated, there are no callbacks,
    // and the calls only write error codes.
    let context = create("creating a context", |error| unsafe {
        api.clCreateContext(null(), 1, &raw const device, null(), null_mut(), error)
    })?;
    let source = SOURCE.as_ptr().cast();
    let length = SOURCE.len();
    // SAFETY: see above.
    let program = create("reading the kernels", |error| unsafe {
        api.clCreateProgramWithSource(context, 1, &raw const source, &raw const length, error)
    })?;
    let options = options.as_ptr();
    // SAFETY: see above.
    let result =
        unsafe { api.clBuildProgram(program, 1, &raw const device, options, null(), null_mut()) };
    check("compiling the kernels", result).map_err(|mut failure| {
        let log = query("reading what its compiler says", |room, bytes, size| {
            // SAFETY: the call writes at most `room` bytes, and a length to `size`.
            unsafe {
                api.clGetProgramBuildInfo(program, device, PROGRAM_BUILD_LOG, room, bytes, size)
            }
        });
        failure.message += ": ";
        failure.message += &log.map_or_else(|failure| failure.message, |log| text(&log));
        failure
    })?;
    let kernels = kernels(|name| {
        create("creating a kernel", |error| {
            // SAFETY: see above.
            unsafe { api.clCreateKernel(program, name.as_ptr(), error) }
        })
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
    /// Locked during a launch, because threads share a kernel's arguments.
    kernels: Mutex<Kernels>,
}

// These calls are sound: callers guarantee that handles and arguments are valid, and the driver
// writes nothing but an error code and at most the specified number of bytes.
impl Driver for OpenCl {
    /// Returns the total memory, because OpenCL does not report how much of it is free.
    fn free_memory(&self) -> DriverResult<u64> {
        Ok(self.memory)
    }

    fn create_queue(&self) -> DriverResult<usize> {
        // SAFETY: see above.
        create("creating a queue", |error| unsafe {
            self.api
                .clCreateCommandQueue(self.context, self.device, 0, error)
        })
    }

    fn allocate(&self, bytes: usize) -> DriverResult<usize> {
        // SAFETY: see above.
        create("reserving memory", |error| unsafe {
            self.api
                .clCreateBuffer(self.context, MEM_READ_WRITE, bytes, null_mut(), error)
        })
    }

    unsafe fn release(&self, memory: usize) -> DriverResult<()> {
        // SAFETY: see above.
        check("releasing memory", unsafe {
            self.api.clReleaseMemObject(memory)
        })
    }

    unsafe fn release_queue(&self, queue: usize) -> DriverResult<()> {
        // SAFETY: see above.
        check("releasing a queue", unsafe {
            self.api.clReleaseCommandQueue(queue)
        })
    }

    unsafe fn finish(&self, queue: usize) -> DriverResult<()> {
        // SAFETY: see above.
        check("waiting for the device", unsafe {
            self.api.clFinish(queue)
        })
    }

    unsafe fn write(&self, queue: usize, memory: usize, bytes: &[u8]) -> DriverResult<()> {
        // SAFETY: see above. The call returns only after the bytes are copied.
        check("writing to the device", unsafe {
            self.api.clEnqueueWriteBuffer(
                queue,
                memory,
                BLOCKING,
                0,
                bytes.len(),
                bytes.as_ptr().cast(),
                0,
                null(),
                null_mut(),
            )
        })
    }

    unsafe fn read(&self, queue: usize, memory: usize, bytes: &mut [u8]) -> DriverResult<()> {
        // SAFETY: as for `write`.
        check("reading from the device", unsafe {
            self.api.clEnqueueReadBuffer(
                queue,
                memory,
                BLOCKING,
                0,
                bytes.len(),
                bytes.as_mut_ptr().cast(),
                0,
                null(),
                null_mut(),
            )
        })
    }

    unsafe fn launch(&self, queue: usize, launch: Launch) -> DriverResult<()> {
        let kernels = self.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        let kernel = kernels[launch.kernel];
        let numbers = launch.numbers.iter().map(argument);
        let memories = launch.memories.iter().map(argument);
        let local = (launch.local > 0).then_some((launch.local, null()));
        for (index, (size, value)) in (0..).zip(numbers.chain(memories).chain(local)) {
            // SAFETY: see above. `value` points to `size` bytes, or is null for local memory.
            check("preparing a kernel", unsafe {
                self.api.clSetKernelArg(kernel, index, size, value)
            })?;
        }
        let items = launch.groups * self.group;
        // SAFETY: see above.
        check("starting a kernel", unsafe {
            self.api.clEnqueueNDRangeKernel(
                queue,
                kernel,
                1,
                null(),
                &raw const items,
                &raw const self.group,
                0,
                null(),
                null_mut(),
            )
        })
    }
}

/// Returns the size and the address of a kernel's argument.
fn argument<T>(value: &T) -> (usize, *const c_void) {
    (size_of_val(value), ptr::from_ref(value).cast())
}

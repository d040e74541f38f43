//! The OpenCL host: devices, their memory, and the launches of kernels.

#![expect(unsafe_code, reason = "a driver is code that Rust cannot check")]
#![expect(clippy::too_many_arguments, reason = "a launch takes nine")]
#![expect(non_snake_case, reason = "functions have the names of `cl.h`")]

use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr;
use std::sync::{Mutex, PoisonError};

use super::device::{Device, DeviceDescription};
use super::host::{Compiled, Driven, Driver, DriverFailure, Kernels, Launch, functions, kernels};

/// The source of the kernels.
const SOURCE: &str = include_str!("kernels.c");

// They return 0, or the number of an error; those that create something write that number. Handles
// are pointers that only the driver follows; here they are numbers, which threads may share.
functions! {
    ["libOpenCL.so.1", "libOpenCL.so", "OpenCL.dll", "/System/Library/Frameworks/OpenCL.framework/OpenCL"];
    clGetPlatformIDs(room: u32, platforms: *mut usize, count: *mut u32) -> i32;
    clGetDeviceIDs(platform: usize, kinds: u64, room: u32, devices: *mut usize, count: *mut u32) -> i32;
    clGetDeviceInfo(device: usize, what: u32, room: usize, value: *mut c_void, size: *mut usize) -> i32;
    clCreateContext(properties: *const isize, count: u32, devices: *const usize, notify: *const c_void,
                    data: *mut c_void, error: *mut i32) -> usize;
    clCreateProgramWithSource(context: usize, count: u32, sources: *const *const c_char, lengths: *const usize,
                              error: *mut i32) -> usize;
    clBuildProgram(program: usize, count: u32, devices: *const usize, options: *const c_char, notify: *const c_void,
                   data: *mut c_void) -> i32;
    clGetProgramBuildInfo(program: usize, device: usize, what: u32, room: usize, value: *mut c_void,
                          size: *mut usize) -> i32;
    clCreateKernel(program: usize, name: *const c_char, error: *mut i32) -> usize;
    clSetKernelArg(kernel: usize, number: u32, size: usize, value: *const c_void) -> i32;
    clCreateCommandQueue(context: usize, device: usize, properties: u64, error: *mut i32) -> usize;
    clFinish(queue: usize) -> i32;
    clReleaseCommandQueue(queue: usize) -> i32;
    clCreateBuffer(context: usize, flags: u64, size: usize, memory: *mut c_void, error: *mut i32) -> usize;
    clReleaseMemObject(buffer: usize) -> i32;
    clEnqueueWriteBuffer(queue: usize, buffer: usize, blocking: u32, offset: usize, size: usize, from: *const c_void,
                         count: u32, events: *const usize, event: *mut usize) -> i32;
    clEnqueueReadBuffer(queue: usize, buffer: usize, blocking: u32, offset: usize, size: usize, to: *mut c_void,
                        count: u32, events: *const usize, event: *mut usize) -> i32;
    clEnqueueNDRangeKernel(queue: usize, kernel: usize, dimensions: u32, offsets: *const usize, items: *const usize,
                           group: *const usize, count: u32, events: *const usize, event: *mut usize) -> i32;
}

// Of cl.h.
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
// The number of NVIDIA among the makers of devices for PCI.
const NVIDIA: u64 = 0x10DE;

/// The devices of each driver, in the order in which the system names them, with the largest groups
/// of these sizes that they allow. Devices that cannot run the kernels are left out, and so are
/// those of NVIDIA if another host has them.
pub fn drivers(sizes: &[usize], but_nvidia: bool) -> Driven<Vec<Driven<Vec<Device>>>> {
    let Some(api) = API.as_ref().map_err(Clone::clone)? else {
        return Ok(Vec::new());
    };
    // SAFETY: the call writes so many handles at most, and their number.
    let platforms = listed(
        "listing drivers",
        PLATFORM_NOT_FOUND,
        |room, handles, count| unsafe { api.clGetPlatformIDs(room, handles, count) },
    )?;
    let of_driver = |platform: usize| {
        // SAFETY: the call writes so many handles at most, and their number.
        let devices = listed(
            "listing devices",
            DEVICE_NOT_FOUND,
            |room, handles, count| unsafe {
                api.clGetDeviceIDs(platform, DEVICE_TYPE_ALL, room, handles, count)
            },
        )?;
        devices
            .into_iter()
            .filter_map(|device| found(api, device, sizes, but_nvidia).transpose())
            .collect()
    };
    Ok(platforms.into_iter().map(of_driver).collect())
}

/// A device, unless it is left out.
fn found(
    api: &'static Api,
    handle: usize,
    sizes: &[usize],
    but_nvidia: bool,
) -> Driven<Option<Device>> {
    let info = |what: u32| {
        // SAFETY: the call writes so many bytes at most, and their number.
        let call =
            |room, bytes, size| unsafe { api.clGetDeviceInfo(handle, what, room, bytes, size) };
        said("asking about a device", call)
    };
    // Of 32 or 64 bits.
    let number = |what: u32| {
        info(what).map(|bytes| match bytes[..] {
            [a, b, c, d] => u32::from_ne_bytes([a, b, c, d]).into(),
            _ => bytes.try_into().map_or(0, u64::from_ne_bytes),
        })
    };
    let text = |what: u32| info(what).map(|bytes| text(&bytes));
    let (most, compiles) = (
        number(DEVICE_MAX_WORK_GROUP_SIZE)?,
        number(DEVICE_COMPILER_AVAILABLE)? != 0,
    );
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

/// The handles that a call lists, with an error of its own where there is none: as many as there is
/// room for here.
fn listed(
    doing: &str,
    none: i32,
    call: impl FnOnce(u32, *mut usize, *mut u32) -> i32,
) -> Driven<Vec<usize>> {
    let (mut handles, mut count) = (vec![0; 64], 0);
    let result = call(handles.len() as u32, handles.as_mut_ptr(), &raw mut count);
    if result != none {
        check(doing, result)?;
    }
    handles.truncate(count as usize);
    Ok(handles)
}

/// The bytes that a call writes, with their number: as many as it needs.
fn said(doing: &str, call: impl Fn(usize, *mut c_void, *mut usize) -> i32) -> Driven<Vec<u8>> {
    let mut size = 0;
    check(doing, call(0, ptr::null_mut(), &raw mut size))?;
    let mut bytes = vec![0u8; size];
    check(doing, call(size, bytes.as_mut_ptr().cast(), &raw mut size))?;
    Ok(bytes)
}

/// A text that ends with a zero.
fn text(bytes: &[u8]) -> String {
    CStr::from_bytes_until_nul(bytes)
        .unwrap_or_default()
        .to_string_lossy()
        .trim()
        .to_owned()
}

/// Nothing, or what failed. A driver may look for memory only when it is used.
fn check(doing: &str, result: i32) -> Driven<()> {
    let lacks_memory = matches!(
        result,
        MEM_OBJECT_ALLOCATION_FAILURE | OUT_OF_HOST_MEMORY | INVALID_BUFFER_SIZE
    );
    let said = format!("{doing} failed: error {result} of OpenCL");
    if result == 0 {
        Ok(())
    } else {
        Err(DriverFailure { said, lacks_memory })
    }
}

/// What a call has created, unless it has failed with this error.
fn created(doing: &str, handle: usize, error: i32) -> Driven<usize> {
    // Elsewhere this error says that a kernel has failed.
    let error = if error == OUT_OF_RESOURCES {
        MEM_OBJECT_ALLOCATION_FAILURE
    } else {
        error
    };
    check(doing, error).map(|()| handle)
}

/// Has the driver compile the kernels. What it makes for that stays as long as the program runs.
fn compile(api: &'static Api, device: usize, group: usize, memory: u64) -> Compiled {
    let options =
        CString::new(format!("-cl-std=CL1.2 -DSIZE={group}u")).expect("options have no zeros");
    let (source, length, mut error) = (SOURCE.as_ptr().cast(), SOURCE.len(), 0);
    let (none, nothing) = (ptr::null(), ptr::null_mut());
    // SAFETY: the calls read this device, and a source of this length; no function is called back.
    let (context, program, result) = unsafe {
        let context = api.clCreateContext(
            ptr::null(),
            1,
            &raw const device,
            none,
            nothing,
            &raw mut error,
        );
        check("creating a context", error)?;
        let program = api.clCreateProgramWithSource(
            context,
            1,
            &raw const source,
            &raw const length,
            &raw mut error,
        );
        check("reading the kernels", error)?;
        (
            context,
            program,
            api.clBuildProgram(
                program,
                1,
                &raw const device,
                options.as_ptr(),
                none,
                nothing,
            ),
        )
    };
    check("compiling the kernels", result).map_err(|failure| {
        // SAFETY: the call writes so many bytes at most, and their number.
        let log = said(
            "reading what its compiler says",
            |room, bytes, size| unsafe {
                api.clGetProgramBuildInfo(program, device, PROGRAM_BUILD_LOG, room, bytes, size)
            },
        );
        let log = log.map_or_else(|none| none.said, |log| text(&log));
        DriverFailure {
            said: format!("{}: {log}", failure.said),
            ..failure
        }
    })?;
    let kernels = kernels(|name| {
        // SAFETY: the call reads a string that ends with a zero.
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

/// A device and what its driver has compiled for it.
struct OpenCl {
    api: &'static Api,
    device: usize,
    group: usize,
    /// The bytes of its memory.
    memory: u64,
    context: usize,
    /// A kernel has one set of arguments, for whoever starts it.
    kernels: Mutex<Kernels>,
}

// Every call writes bytes and errors as many as it is told. Handles and arguments are what the
// callers promise.
impl Driver for OpenCl {
    /// OpenCL does not say what is free. Where it is less than all, it grants less, and feeders do
    /// with that.
    fn free_memory(&self) -> Driven<u64> {
        Ok(self.memory)
    }

    fn create_queue(&self) -> Driven<usize> {
        let mut error = 0;
        // SAFETY: see above.
        let queue = unsafe {
            self.api
                .clCreateCommandQueue(self.context, self.device, 0, &raw mut error)
        };
        created("creating a queue", queue, error)
    }

    fn allocate(&self, bytes: usize) -> Driven<usize> {
        let (mut error, ours) = (0, ptr::null_mut());
        // SAFETY: without memory of ours nothing of it is read or written.
        let buffer = unsafe {
            self.api
                .clCreateBuffer(self.context, MEM_READ_WRITE, bytes, ours, &raw mut error)
        };
        created("reserving memory", buffer, error)
    }

    unsafe fn release(&self, memory: usize) -> Driven<()> {
        // SAFETY: see above.
        check("releasing memory", unsafe {
            self.api.clReleaseMemObject(memory)
        })
    }

    unsafe fn release_queue(&self, queue: usize) {
        // SAFETY: see above. A driver that has failed has no more to say.
        unsafe { self.api.clReleaseCommandQueue(queue) };
    }

    unsafe fn finish(&self, queue: usize) -> Driven<()> {
        // SAFETY: see above.
        check("waiting for the device", unsafe {
            self.api.clFinish(queue)
        })
    }

    unsafe fn write(&self, queue: usize, memory: usize, bytes: &[u8]) -> Driven<()> {
        let (from, size, none, event) = (
            bytes.as_ptr().cast(),
            bytes.len(),
            ptr::null(),
            ptr::null_mut(),
        );
        // SAFETY: see above. The call waits until the bytes have been copied.
        check("writing to the device", unsafe {
            self.api
                .clEnqueueWriteBuffer(queue, memory, BLOCKING, 0, size, from, 0, none, event)
        })
    }

    unsafe fn read(&self, queue: usize, memory: usize, bytes: &mut [u8]) -> Driven<()> {
        let (to, size, none, event) = (
            bytes.as_mut_ptr().cast(),
            bytes.len(),
            ptr::null(),
            ptr::null_mut(),
        );
        // SAFETY: see above. The call waits until the bytes have been copied.
        check("reading from the device", unsafe {
            self.api
                .clEnqueueReadBuffer(queue, memory, BLOCKING, 0, size, to, 0, none, event)
        })
    }

    unsafe fn launch(&self, queue: usize, launch: Launch) -> Driven<()> {
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
            // SAFETY: see above. The value has so many bytes, or there is none.
            check("preparing a kernel", unsafe {
                self.api.clSetKernelArg(kernel, argument, size, value)
            })?;
        }
        let (items, group) = (launch.groups * self.group, &raw const self.group);
        let (none, event) = (ptr::null(), ptr::null_mut());
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

//! Compiles the kernels for a device of an OpenCL driver, and describes the errors of drivers.

use std::mem::ManuallyDrop;
use std::sync::OnceLock;
use std::sync::atomic::AtomicU64;

use opencl3::context::Context;
use opencl3::device::Device;
use opencl3::error_codes::{
    CL_INVALID_BUFFER_SIZE, CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_HOST_MEMORY,
    CL_OUT_OF_RESOURCES, ClError,
};
use opencl3::program::Program;

use crate::cancel::EngineError;

/// What the driver failed to do, and its error.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{doing}: {error}")]
pub(super) struct DriverFailure {
    pub doing: &'static str,
    pub error: String,
    /// Whether the driver ran out of memory and can still be used.
    pub lacks_memory: bool,
}

pub(super) type DriverResult<T> = Result<T, DriverFailure>;

/// Converts the error of a call. `doing` describes the call.
pub(super) fn done<T>(doing: &'static str, result: opencl3::Result<T>) -> DriverResult<T> {
    result.map_err(|error| DriverFailure {
        doing,
        error: format!("{error} ({})", error.0),
        // Any call can run out of memory, because drivers may allocate memory lazily.
        lacks_memory: matches!(
            error.0,
            CL_MEM_OBJECT_ALLOCATION_FAILURE | CL_OUT_OF_HOST_MEMORY | CL_INVALID_BUFFER_SIZE
        ),
    })
}

/// Keeps something that was created, or converts the error. Here, `CL_OUT_OF_RESOURCES` means a lack
/// of memory; from other calls, it would mean that a kernel failed.
///
/// The types of `opencl3` release their handles when they are dropped, but panic if the driver
/// refuses, as a driver that has failed may do.
pub(super) fn created<T>(
    doing: &'static str,
    result: opencl3::Result<T>,
) -> DriverResult<ManuallyDrop<T>> {
    let is_exhausted = matches!(result, Err(ClError(CL_OUT_OF_RESOURCES)));
    done(doing, result)
        .map(ManuallyDrop::new)
        .map_err(|failure| DriverFailure {
            lacks_memory: failure.lacks_memory || is_exhausted,
            ..failure
        })
}

/// The reason why a device does not count a unit.
#[derive(Debug)]
pub(super) enum Refusal {
    /// Counting was cancelled, or the CPU ran out of memory.
    EngineError(EngineError),
    /// The unit has too many diagonals for the tables, or its lists are too long for the memory.
    TooLarge,
    Driver(DriverFailure),
    /// The device failed for another feeder.
    HasFailed,
}

pub(super) type DeviceResult<T> = Result<T, Refusal>;

impl From<EngineError> for Refusal {
    fn from(stopped: EngineError) -> Self {
        Self::EngineError(stopped)
    }
}

impl From<DriverFailure> for Refusal {
    fn from(failure: DriverFailure) -> Self {
        Self::Driver(failure)
    }
}

/// A device that can run the kernels.
pub(super) struct OpenCl {
    pub device: Device,
    /// The number of work-items in a group.
    pub group: usize,
    /// The number of feeders, which share the memory.
    pub feeders: AtomicU64,
    kernels: OnceLock<DriverResult<Kernels>>,
}

/// The compiled kernels. They are never released, because a device can be used until the program
/// ends.
pub(super) struct Kernels {
    pub program: ManuallyDrop<Program>,
    pub context: ManuallyDrop<Context>,
}

impl OpenCl {
    pub(super) fn new(device: Device, group: usize) -> Self {
        Self {
            device,
            group,
            feeders: AtomicU64::new(0),
            kernels: OnceLock::new(),
        }
    }

    /// Returns the kernels, which the first call compiles.
    pub(super) fn kernels(&self) -> DriverResult<&Kernels> {
        let kernels = self.kernels.get_or_init(|| self.compile());
        kernels.as_ref().map_err(Clone::clone)
    }

    /// Compiles the kernels. If this fails, the error contains the compiler's log.
    fn compile(&self) -> DriverResult<Kernels> {
        let context = created("creating a context", Context::from_device(&self.device))?;
        let program = Program::create_from_source(&context, include_str!("kernels.c"));
        let mut program = created("reading the kernels", program)?;
        let options = format!("-cl-std=CL1.2 -Werror -DSIZE={}u", self.group);
        let built = program.build(&[self.device.id()], &options);
        done("compiling the kernels", built).map_err(|failure| {
            let log = program.get_build_log(self.device.id()).unwrap_or_default();
            let error = format!("{}: {}", failure.error, log.trim());
            DriverFailure { error, ..failure }
        })?;
        Ok(Kernels { program, context })
    }
}

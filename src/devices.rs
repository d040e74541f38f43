//! The devices that count units of the `rows` engine.

use std::fmt;
use std::str::FromStr;

use crate::engine::rows::gpu::Device;
use crate::parse::ParseError;

/// A set of [devices](Device::all) on this machine, and whether the CPU also counts. With the empty
/// default set, everything is counted on the CPU.
///
/// If the CPU also counts, it counts the units of a device that fails. Otherwise, the failure ends
/// the count with [`EngineError::Device`](crate::EngineError::Device).
///
/// The text form does not depend on the machine:
///
/// - `cpu`: only the CPU
/// - `auto`: all GPUs, each fed by at most eight threads; the other threads count on the CPU
/// - `gpu`: all GPUs, fed by all threads
/// - `gpu:0,1` or `gpu:NAME`: GPUs by number, or a device by its full name, fed by all threads
///
/// ```
/// use queencount::{BoardSize, Counter, EngineChoice, EngineOptions};
///
/// // All GPUs of this machine, if it has any, and the CPU.
/// let options = EngineOptions {
///     devices: "auto".parse()?,
///     ..EngineOptions::default()
/// };
/// let engine = EngineChoice::Rows.build(BoardSize::new(12)?, options);
/// assert_eq!(Counter::new().count(&engine)?, 14_200);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DeviceSet {
    /// A bitmask of indices in [`Device::all`].
    bits: u64,
    with_cpu: bool,
}

impl DeviceSet {
    /// Returns whether all threads feed devices, so that none counts on the CPU.
    pub fn uses_all_threads(self) -> bool {
        !self.is_empty() && !self.with_cpu
    }

    /// Returns whether there are no devices.
    pub fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// Returns the devices, sorted by device number.
    pub fn devices(self) -> impl Iterator<Item = &'static Device> {
        // Do not load the drivers for an empty set.
        let all = if self.is_empty() { &[] } else { Device::all() };
        all.iter()
            .filter(move |device| self.bits >> device.index() & 1 == 1)
    }
}

impl FromStr for DeviceSet {
    type Err = DeviceError;

    /// Finds the specified devices on this machine. Unless only the CPU is specified, the first
    /// call loads the drivers. A CPU with an OpenCL driver must be specified by its full name.
    /// `auto` never fails.
    fn from_str(text: &str) -> Result<Self, DeviceError> {
        let name = match text {
            "cpu" => return Ok(Self::default()),
            "auto" => {
                return Ok(Self {
                    with_cpu: true,
                    ..gpus()
                });
            }
            "gpu" => {
                let all = numbered()?;
                let gpus = gpus();
                return if gpus.is_empty() {
                    Err(DeviceError::Cpu(all[0].description.name.clone()))
                } else {
                    Ok(gpus)
                };
            }
            _ => text
                .strip_prefix("gpu:")
                .filter(|name| !name.is_empty())
                .ok_or_else(|| {
                    let expected = "cpu, auto, gpu, gpu:0,1 (by number) or gpu:NAME (by full name)";
                    ParseError::new(expected, text)
                })?,
        };
        let named = select(|device| device.description.name == name);
        if !named.is_empty() {
            return Ok(named);
        }
        let numbers: Result<Vec<usize>, _> = name.split(',').map(str::parse).collect();
        let Ok(numbers) = numbers else {
            return Err(match Device::absence() {
                Some(absence) => DeviceError::NoDevice(absence),
                None => DeviceError::NoSuchName(name.to_owned()),
            });
        };
        let all = numbered()?;
        numbers
            .into_iter()
            .map(|number| match all.get(number) {
                None => Err(DeviceError::NoSuchNumber {
                    number,
                    devices: all.len(),
                }),
                Some(device) if device.description.is_cpu => {
                    Err(DeviceError::Cpu(device.description.name.clone()))
                }
                Some(device) => Ok(device),
            })
            .collect()
    }
}

fn gpus() -> DeviceSet {
    select(|device| !device.description.is_cpu)
}

fn select(predicate: impl Fn(&Device) -> bool) -> DeviceSet {
    Device::all()
        .iter()
        .filter(|device| predicate(device))
        .collect()
}

/// Returns all devices. Fails if a driver has failed, because that can change the numbers of other
/// devices.
fn numbered() -> Result<&'static [Device], DeviceError> {
    if let Some(failure) = Device::failed_drivers().first() {
        return Err(DeviceError::Driver(failure.clone()));
    }
    match Device::absence() {
        Some(absence) => Err(DeviceError::NoDevice(absence)),
        None => Ok(Device::all()),
    }
}

impl FromIterator<&'static Device> for DeviceSet {
    fn from_iter<T: IntoIterator<Item = &'static Device>>(devices: T) -> Self {
        let bits = devices
            .into_iter()
            .fold(0, |bits, device| bits | 1 << device.index());
        Self {
            bits,
            with_cpu: false,
        }
    }
}

impl fmt::Display for DeviceSet {
    /// Formats the devices, without the CPU if it also counts, such as `cpu` or `gpu:0,1`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return formatter.write_str("cpu");
        }
        if let Some(cpu) = self.devices().find(|device| device.description.is_cpu) {
            return cpu.fmt(formatter);
        }
        let numbers = self.devices().map(|device| device.index().to_string());
        write!(formatter, "gpu:{}", numbers.collect::<Vec<_>>().join(","))
    }
}

/// The error for a string that does not specify devices of this machine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// The string does not specify devices.
    #[error(transparent)]
    Syntax(#[from] ParseError),
    /// There are no devices, for [this reason](Device::absence).
    #[error("no GPU can be used: {0}")]
    NoDevice(&'static str),
    /// The device is a CPU with an OpenCL driver.
    #[error("{0:?} is a CPU, which must be selected by its full name")]
    Cpu(String),
    /// A driver failed, so device numbers are unreliable.
    #[error("{0}, so devices can be selected only by their full names")]
    Driver(String),
    /// No device has this full name.
    #[error("no device has the name {0:?}")]
    NoSuchName(String),
    /// No device has this number.
    #[error("no device has the number {number}; the numbers are below {devices}")]
    NoSuchNumber {
        /// The number.
        number: usize,
        /// The number of devices.
        devices: usize,
    },
}

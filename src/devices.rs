//! Specifying the devices that count units of the `rows` engine.

use std::fmt;
use std::str::FromStr;

use crate::board::abbreviate;
use crate::engine::rows::gpu::Device;

/// A device specification that does not depend on the machine.
///
/// ```
/// use queencount::{BoardSize, Counter, DeviceSpec, EngineChoice, EngineOptions};
///
/// // All GPUs of this machine, if it has any, and the CPU.
/// let devices = DeviceSpec::Auto.resolve()?;
/// let options = EngineOptions::new().devices(devices);
/// let engine = EngineChoice::Rows.build(BoardSize::new(12)?, options);
/// assert_eq!(Counter::new().count(&engine)?, 14_200);
///
/// assert_eq!("gpu:0,1".parse(), Ok(DeviceSpec::Named("0,1".to_owned())));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DeviceSpec {
    /// `cpu`: only the CPU.
    #[default]
    Cpu,
    /// `auto`: all GPUs, fed by some of the threads. The other threads count units on the CPU.
    Auto,
    /// `gpu`: all GPUs, fed by all threads.
    Gpu,
    /// `gpu:0,1` or `gpu:NAME`: GPUs by number, or a device by its full name, fed by all threads.
    Named(String),
}

impl DeviceSpec {
    /// Finds the specified devices on this machine. Unless only the CPU is specified, the first
    /// call loads the drivers. A CPU with an OpenCL driver must be specified by its full name.
    ///
    /// # Errors
    /// Fails if the devices do not exist or cannot be identified. [`DeviceSpec::Auto`] never fails.
    pub fn resolve(&self) -> Result<DeviceSet, DeviceError> {
        let name = match self {
            Self::Cpu => return Ok(DeviceSet::default()),
            Self::Auto => return Ok(gpus().with_cpu()),
            Self::Gpu => {
                let all = numbered()?;
                let gpus = gpus();
                return if gpus.is_empty() {
                    Err(DeviceError::Cpu(all[0].description.name.clone()))
                } else {
                    Ok(gpus)
                };
            }
            Self::Named(name) => name,
        };
        let named = select(|device| device.description.name == *name);
        if !named.is_empty() {
            return Ok(named);
        }
        let numbers: Result<Vec<usize>, _> = name.split(',').map(str::parse).collect();
        let Ok(numbers) = numbers else {
            return Err(match Device::absence() {
                Some(absence) => DeviceError::NoDevice(absence),
                None => DeviceError::NoSuchName(name.clone()),
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

impl FromStr for DeviceSpec {
    type Err = DeviceError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "cpu" => Ok(Self::Cpu),
            "auto" => Ok(Self::Auto),
            "gpu" => Ok(Self::Gpu),
            _ => match text.strip_prefix("gpu:") {
                None | Some("") => Err(DeviceError::Syntax(text.to_owned())),
                Some(name) => Ok(Self::Named(name.to_owned())),
            },
        }
    }
}

impl fmt::Display for DeviceSpec {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpu => formatter.write_str("cpu"),
            Self::Auto => formatter.write_str("auto"),
            Self::Gpu => formatter.write_str("gpu"),
            Self::Named(name) => write!(formatter, "gpu:{name}"),
        }
    }
}

/// A set of [devices](Device::all) on this machine, and whether the CPU also counts. With the empty
/// default set, everything is counted on the CPU.
///
/// If the CPU also counts, it counts the units of a device that fails. Otherwise, the failure ends
/// the count with [`EngineError::Device`](crate::EngineError::Device).
///
/// ```
/// use queencount::{Device, DeviceSet};
///
/// let all: DeviceSet = Device::all().iter().collect();
/// assert_eq!(all.devices().count(), Device::all().len());
/// assert_eq!(DeviceSet::default().to_string(), "cpu");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DeviceSet {
    /// A bitmask of indices in [`Device::all`].
    bits: u64,
    with_cpu: bool,
}

impl DeviceSet {
    /// Returns a set of the same devices, of which each is fed by at most eight threads. The other
    /// threads count on the CPU.
    #[must_use]
    pub fn with_cpu(self) -> Self {
        Self {
            with_cpu: true,
            ..self
        }
    }

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

    pub(crate) fn most_feeders(self) -> usize {
        if self.uses_all_threads() {
            usize::MAX
        } else {
            self.devices().count() * Device::FEEDERS
        }
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
    /// Formats the set as a [`DeviceSpec`] that selects it, such as `cpu` or `gpu:0,1`.
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

/// An error in parsing or resolving a [`DeviceSpec`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// The string is not a [`DeviceSpec`].
    #[error(
        "expected cpu, auto, gpu, gpu:0,1 (by number) or gpu:NAME (by full name), found {found}",
        found = abbreviate(.0)
    )]
    Syntax(String),
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

//! The choice of devices: the CPU alone, or GPUs, fed by its threads.

use std::fmt;
use std::str::FromStr;

use crate::engine::rows::gpu::Device;

/// What is to count the units of the engine of middle rows. The units and their counts are the same everywhere.
///
/// ```
/// use queencount::{BoardSize, DeviceChoice, EngineChoice, FanOut, Resources};
///
/// // The GPUs, if there are any.
/// let resources = Resources { devices: "auto".parse()?, ..Resources::default() };
/// let engine = EngineChoice::Rows.plan_with(BoardSize::new(12)?, resources);
/// assert_eq!(FanOut::default().count(engine.as_ref())?, 14_200);
/// assert_eq!("cpu".parse(), Ok(DeviceChoice::Cpu));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeviceChoice {
    /// The threads of the CPU alone.
    #[default]
    Cpu,
    /// All GPUs that there are, fed by some threads, and the other threads.
    Auto,
    /// All GPUs; all threads feed them.
    Gpus,
    /// Some devices, by the bits of their numbers; all threads feed them.
    These(u64),
}

/// The threads that feed a GPU if others are to count: enough to find quarter-boards for it.
const FEEDERS: usize = 8;

impl DeviceChoice {
    /// The devices that are chosen, the CPU apart. Where a CPU has a driver like a GPU's, it has to be chosen by number.
    pub fn devices(self) -> Vec<&'static Device> {
        let chosen = |device: &&Device| match self {
            Self::Cpu => false,
            Self::Auto | Self::Gpus => !device.description.is_cpu,
            Self::These(numbers) => numbers >> device.index() & 1 == 1,
        };
        // Drivers are not even loaded for the CPU.
        if self == Self::Cpu { Vec::new() } else { Device::all().iter().take(64).filter(chosen).collect() }
    }

    /// The most threads that feed a device.
    pub(super) fn feeders(self) -> usize {
        if self == Self::Auto { FEEDERS } else { usize::MAX }
    }
}

/// What keeps a word from being a choice of devices.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// The word names no devices.
    #[error("expected auto, cpu, gpu, or gpu: and numbers such as gpu:0,1")]
    Unknown,
    /// There is no GPU, and the program could not use one.
    #[error("expected a program with support for GPUs, found one without; build it with --features gpu")]
    Unsupported,
    /// There is no such device.
    #[error("expected a GPU, found none; 'queencount devices' shows what there is")]
    NoGpu,
    /// There is no GPU, but a CPU that has a driver like a GPU's.
    #[error("expected a GPU, found only a CPU that has a driver like a GPU's, {name}; 'gpu:{index}' names it")]
    OnlyCpu {
        /// Its number.
        index: usize,
        /// Its name.
        name: String,
    },
    /// There is no such device.
    #[error(
        "expected the number of a device below {devices}, found {number}; 'queencount devices' shows what there is"
    )]
    NoDevice {
        /// The number that was found.
        number: usize,
        /// The number of devices that there are.
        devices: usize,
    },
}

impl FromStr for DeviceChoice {
    type Err = DeviceError;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        let numbers: Vec<usize> = match word {
            "auto" => return Ok(Self::Auto),
            "cpu" => return Ok(Self::Cpu),
            "gpu" => Vec::new(),
            _ => {
                let numbers = word.strip_prefix("gpu:").ok_or(DeviceError::Unknown)?.split(',');
                numbers.map(str::parse).collect::<Result<_, _>>().map_err(|_| DeviceError::Unknown)?
            }
        };
        let all = Device::all();
        let devices = all.len().min(64);
        match (all.first(), numbers.iter().find(|&&number| number >= devices)) {
            _ if !cfg!(feature = "gpu") => Err(DeviceError::Unsupported),
            (None, _) => Err(DeviceError::NoGpu),
            (_, Some(&number)) => Err(DeviceError::NoDevice { number, devices }),
            _ if !numbers.is_empty() => Ok(Self::These(numbers.iter().fold(0, |all, number| all | 1 << number))),
            (Some(cpu), _) if Self::Gpus.devices().is_empty() => {
                Err(DeviceError::OnlyCpu { index: cpu.index(), name: cpu.description.name.clone() })
            }
            _ => Ok(Self::Gpus),
        }
    }
}

impl fmt::Display for DeviceChoice {
    /// As it is read: `gpu:0,1`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpu => formatter.write_str("cpu"),
            Self::Auto => formatter.write_str("auto"),
            Self::Gpus => formatter.write_str("gpu"),
            Self::These(numbers) => {
                let numbers: Vec<String> =
                    (0..64).filter(|number| numbers >> number & 1 == 1).map(|number| number.to_string()).collect();
                write!(formatter, "gpu:{}", numbers.join(","))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_name_no_devices_are_refused() {
        for word in ["", "gpus", "gpu:", "gpu:x", "gpu:0,", "gpu:-1", "CPU"] {
            assert_eq!(word.parse::<DeviceChoice>(), Err(DeviceError::Unknown), "{word}");
        }
        let devices = Device::all().len();
        let expected = match (cfg!(feature = "gpu"), devices) {
            (false, _) => DeviceError::Unsupported,
            (true, 0) => DeviceError::NoGpu,
            (true, _) => DeviceError::NoDevice { number: 99, devices },
        };
        assert_eq!("gpu:99".parse::<DeviceChoice>(), Err(expected));
    }

    #[test]
    fn a_cpu_with_a_driver_like_a_gpu_is_no_gpu_and_is_told() {
        let found = "gpu".parse::<DeviceChoice>();
        match Device::all().first() {
            Some(cpu) if Device::all().iter().all(|device| device.description.is_cpu) => {
                let said = found.unwrap_err().to_string();
                assert!(said.contains(&cpu.description.name) && said.ends_with("'gpu:0' names it"), "{said}");
            }
            Some(_) => assert_eq!(found, Ok(DeviceChoice::Gpus)),
            None if cfg!(feature = "gpu") => assert_eq!(found, Err(DeviceError::NoGpu)),
            None => assert_eq!(found, Err(DeviceError::Unsupported)),
        }
    }

    #[test]
    fn devices_are_chosen_by_number() {
        for device in Device::all() {
            let choice: DeviceChoice = format!("gpu:{}", device.index()).parse().unwrap();
            let chosen: Vec<usize> = choice.devices().into_iter().map(Device::index).collect();
            assert_eq!(chosen, [device.index()]);
            assert_eq!(choice.to_string().parse(), Ok(choice));
        }
        assert_eq!(DeviceChoice::These(0b1011).to_string(), "gpu:0,1,3");
        assert!(DeviceChoice::Cpu.devices().is_empty());
        assert!(DeviceChoice::Auto.devices().iter().all(|device| !device.description.is_cpu));
    }
}

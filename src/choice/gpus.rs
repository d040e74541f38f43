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
/// let engine = EngineChoice::Rows.engine_with(BoardSize::new(12)?, resources);
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
    /// The devices that are chosen. A CPU with a driver like a GPU's has to be chosen by its full name.
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
    #[error("expected auto, cpu, gpu, gpu: and numbers such as gpu:0,1, or gpu: and the full name of a device")]
    Unknown,
    /// There is no GPU, and the program could not use one.
    #[error("expected a program with support for GPUs, found one without; build it with --features gpu")]
    Unsupported,
    /// There is no such device.
    #[error("expected a GPU, found none; 'queencount devices' shows what there is")]
    NoGpu,
    /// What is named is no GPU, but a CPU that has a driver like a GPU's.
    #[error("expected a GPU, found a CPU that has a driver like a GPU's; 'gpu:{name}' names it")]
    Cpu {
        /// Its name.
        name: String,
    },
    /// A driver cannot be used, so that it is not known which devices are meant.
    #[error("expected drivers that can be used, or the full name of a device as gpu:NAME, found that {0}")]
    Driver(String),
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
        match word {
            "auto" => return Ok(Self::Auto),
            "cpu" => return Ok(Self::Cpu),
            _ if word != "gpu" && !word.starts_with("gpu:") => return Err(DeviceError::Unknown),
            _ => {}
        }
        let all = &Device::all()[..Device::all().len().min(64)];
        let these = |chosen: &dyn Fn(&Device) -> bool| {
            Self::These(all.iter().filter(|device| chosen(device)).fold(0, |these, device| these | 1 << device.index()))
        };
        let name = word.strip_prefix("gpu:");
        let named = these(&|device| name == Some(&device.description.name));
        if named != Self::These(0) {
            return Ok(named);
        }
        let numbers = name.map(|numbers| numbers.split(',').map(str::parse).collect::<Result<Vec<usize>, _>>());
        let numbers = numbers.transpose().map_err(|_| DeviceError::Unknown)?.unwrap_or_default();
        let is_cpu = |device: &&Device| device.description.is_cpu;
        let cpu = |cpu: &Device| DeviceError::Cpu { name: cpu.description.name.clone() };
        match (Device::failed_drivers().first(), all.first(), numbers.iter().find(|&&number| number >= all.len())) {
            _ if !cfg!(feature = "gpu") => Err(DeviceError::Unsupported),
            (Some(failure), ..) => Err(DeviceError::Driver(failure.clone())),
            (_, None, _) => Err(DeviceError::NoGpu),
            (.., Some(&number)) => Err(DeviceError::NoDevice { number, devices: all.len() }),
            (_, Some(first), _) if numbers.is_empty() => match all.iter().all(|device| is_cpu(&device)) {
                true => Err(cpu(first)),
                false => Ok(Self::Gpus),
            },
            _ => match numbers.iter().map(|&number| &all[number]).find(is_cpu) {
                Some(device) => Err(cpu(device)),
                None => Ok(these(&|device| numbers.contains(&device.index()))),
            },
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
            Self::These(numbers) => match self.devices().iter().find(|device| device.description.is_cpu) {
                Some(cpu) => cpu.fmt(formatter),
                None => {
                    let numbers = (0..64).filter(|number| numbers >> number & 1 == 1);
                    let numbers: Vec<String> = numbers.map(|number| number.to_string()).collect();
                    write!(formatter, "gpu:{}", numbers.join(","))
                }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_name_no_devices_are_refused() {
        let devices = Device::all().len();
        let of_gpus = |error: DeviceError| if cfg!(feature = "gpu") { error } else { DeviceError::Unsupported };
        for word in ["", "gpus", "CPU", "gpu:", "gpu:x", "gpu:0,", "gpu:-1"] {
            assert_eq!(word.parse::<DeviceChoice>(), Err(DeviceError::Unknown), "{word}");
        }
        let expected = if devices == 0 { DeviceError::NoGpu } else { DeviceError::NoDevice { number: 99, devices } };
        assert_eq!("gpu:99".parse::<DeviceChoice>(), Err(of_gpus(expected)));
        if devices == 0 {
            assert_eq!("gpu".parse::<DeviceChoice>(), Err(of_gpus(DeviceError::NoGpu)));
        }
    }

    #[test]
    fn gpus_are_chosen_by_number_and_every_device_by_name() {
        for device in Device::all() {
            let (name, number) = (&device.description.name, format!("gpu:{}", device.index()));
            let choice: DeviceChoice = format!("gpu:{name}").parse().unwrap();
            assert!(choice.devices().iter().any(|chosen| chosen.index() == device.index()), "{choice:?}");
            assert_eq!(choice.to_string().parse(), Ok(choice));
            match number.parse::<DeviceChoice>() {
                Ok(choice) => assert_eq!(choice, DeviceChoice::These(1 << device.index())),
                Err(error) => assert_eq!(error, DeviceError::Cpu { name: name.clone() }),
            }
            assert_eq!(number.parse::<DeviceChoice>().is_err(), device.description.is_cpu, "{device:?}");
        }
        if let (true, Some(first)) =
            (Device::all().iter().all(|device| device.description.is_cpu), Device::all().first())
        {
            let said = "gpu".parse::<DeviceChoice>().unwrap_err().to_string();
            assert!(said.ends_with(&format!("'{first}' names it")), "{said}");
        }
        assert_eq!(DeviceChoice::These(0b1011 << 40).to_string(), "gpu:40,41,43");
        assert!(DeviceChoice::Cpu.devices().is_empty());
        assert!(DeviceChoice::Auto.devices().iter().all(|device| !device.description.is_cpu));
    }
}

//! The choice of an engine: by name, or the one that is fastest for a board; and what it may use of
//! the machine: the CPU alone, or GPUs, fed by its threads.

use std::fmt;
use std::str::FromStr;

use crate::board::BoardSize;
use crate::engine::Engine;
use crate::engine::backtrack::Backtrack;
use crate::engine::rows::Rows;
use crate::engine::rows::gpu::Device;
use crate::engine::rows::kernel::Kernel;

/// Which engine is to count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum EngineChoice {
    /// The one that is fastest for the board.
    #[default]
    Auto,
    /// The backtracking engine: the reference.
    Backtrack,
    /// The engine of middle rows. Boards outside of [`Rows::SIZES`] are left to backtracking.
    Rows,
}

impl EngineChoice {
    /// The engine that [`Engine::name`] names.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "backtrack" => Some(Self::Backtrack),
            "rows" => Some(Self::Rows),
            _ => None,
        }
    }

    /// The chosen engine for a board.
    pub fn engine(self, size: BoardSize) -> Box<dyn Engine> {
        self.engine_with(size, EngineOptions::default())
    }

    /// The chosen engine for a board, with the given resources.
    pub fn engine_with(self, size: BoardSize, resources: EngineOptions) -> Box<dyn Engine> {
        let n = size.get();
        let is_rows = self == Self::Rows || self == Self::Auto && n >= ROWS_FASTER;
        if is_rows && Rows::SIZES.contains(&n) {
            let EngineOptions {
                kernel,
                memory,
                devices,
            } = resources;
            let engine = Rows::with_middle_rows(size, Rows::middle_rows(n), kernel, memory);
            Box::new(engine.on_devices(devices.devices(), devices.feeders()))
        } else {
            Box::new(Backtrack::new(size))
        }
    }
}

/// From this N on the engine of middle rows is the faster one: for N = 12 it takes 1.4 ms with
/// AVX-512, 1.8 with the portable kernel, and backtracking 2.4. Below N = 12 both take a
/// millisecond. There is no choice by kernel: machines that share a run would not agree on its
/// plan.
const ROWS_FASTER: u32 = 12;

/// What an engine may use of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineOptions {
    /// The kernel of the engine of middle rows.
    pub kernel: Kernel,
    /// About how many bytes a thread may take.
    pub memory: u64,
    /// The devices that count units of the engine of middle rows.
    pub devices: DeviceChoice,
}

impl Default for EngineOptions {
    /// The fastest kernel, and [`Rows::DEFAULT_MEMORY_PER_THREAD`] for each thread; no GPU.
    fn default() -> Self {
        Self {
            kernel: Kernel::default(),
            memory: Rows::DEFAULT_MEMORY_PER_THREAD,
            devices: DeviceChoice::Cpu,
        }
    }
}

/// What is to count the units of the engine of middle rows. The units and their counts are the same
/// everywhere.
///
/// ```
/// use queencount::{BoardSize, DeviceChoice, EngineChoice, Counter, EngineOptions};
///
/// // The GPUs, if there are any.
/// let resources = EngineOptions { devices: "auto".parse()?, ..EngineOptions::default() };
/// let engine = EngineChoice::Rows.engine_with(BoardSize::new(12)?, resources);
/// assert_eq!(Counter::default().count(engine.as_ref())?, 14_200);
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

impl DeviceChoice {
    /// The devices that are chosen. A CPU with a driver like a GPU's has to be chosen by its full
    /// name.
    pub fn devices(self) -> Vec<&'static Device> {
        let chosen = |device: &&Device| match self {
            Self::Cpu => false,
            Self::Auto | Self::Gpus => !device.description.is_cpu,
            Self::These(numbers) => numbers >> device.index() & 1 == 1,
        };
        // Drivers are not even loaded for the CPU.
        if self == Self::Cpu {
            Vec::new()
        } else {
            Device::all().iter().filter(chosen).collect()
        }
    }

    /// The most threads that feed a device.
    fn feeders(self) -> usize {
        if self == Self::Auto {
            Device::FEEDERS
        } else {
            usize::MAX
        }
    }
}

/// What keeps a word from being a choice of devices.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// The word names no devices.
    #[error(
        "expected auto, cpu, gpu, gpu: and numbers such as gpu:0,1, or gpu: and the full name of a device"
    )]
    Unknown,
    /// There is no GPU, and the program could not use one.
    #[error(
        "expected a program with support for GPUs, found one without; build it with --features gpu"
    )]
    Unsupported,
    /// There is no such device.
    #[error("expected a GPU, found none; 'queencount devices' shows what there is")]
    NoGpu,
    /// What is named is no GPU, but a CPU that has a driver like a GPU's.
    #[error("expected a GPU, found a CPU that has a driver like a GPU's; 'gpu:{0}' names it")]
    Cpu(String),
    /// A driver cannot be used, so that it is not known which devices are meant.
    #[error(
        "expected drivers that can be used, or the full name of a device as gpu:NAME, found that {0}"
    )]
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

/// The devices that numbers mean: all, unless some may be missing.
fn numbered() -> Result<&'static [Device], DeviceError> {
    match (Device::failed_drivers().first(), Device::all()) {
        _ if !cfg!(feature = "gpu") => Err(DeviceError::Unsupported),
        (Some(failure), _) => Err(DeviceError::Driver(failure.clone())),
        (None, []) => Err(DeviceError::NoGpu),
        (None, all) => Ok(all),
    }
}

fn is_cpu(device: &Device) -> DeviceError {
    DeviceError::Cpu(device.description.name.clone())
}

impl FromStr for DeviceChoice {
    type Err = DeviceError;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        match word {
            "auto" => return Ok(Self::Auto),
            "cpu" => return Ok(Self::Cpu),
            "gpu" => {
                let all = numbered()?;
                return if Self::Gpus.devices().is_empty() {
                    Err(is_cpu(&all[0]))
                } else {
                    Ok(Self::Gpus)
                };
            }
            _ => {}
        }
        let named = word.strip_prefix("gpu:").ok_or(DeviceError::Unknown)?;
        let alike = Device::all()
            .iter()
            .filter(|device| device.description.name == named);
        let mut these = alike.fold(0, |these, device| these | 1 << device.index());
        if these == 0 {
            let numbers: Result<Vec<usize>, _> = named.split(',').map(str::parse).collect();
            for number in numbers.map_err(|_| DeviceError::Unknown)? {
                let all = numbered()?;
                match all.get(number) {
                    None => {
                        return Err(DeviceError::NoDevice {
                            number,
                            devices: all.len(),
                        });
                    }
                    Some(device) if device.description.is_cpu => return Err(is_cpu(device)),
                    Some(_) => these |= 1 << number,
                }
            }
        }
        Ok(Self::These(these))
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
                if let Some(cpu) = self
                    .devices()
                    .iter()
                    .find(|device| device.description.is_cpu)
                {
                    return cpu.fmt(formatter);
                }
                let numbers = (0..64).filter(|number| numbers >> number & 1 == 1);
                let numbers: Vec<String> = numbers.map(|number: u32| number.to_string()).collect();
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
        for word in ["", "gpus", "CPU", "gpu:", "gpu:x", "gpu:0,", "gpu:-1"] {
            assert_eq!(
                word.parse::<DeviceChoice>(),
                Err(DeviceError::Unknown),
                "{word}"
            );
        }
        let expected = match Device::all().len() {
            _ if !cfg!(feature = "gpu") => DeviceError::Unsupported,
            0 => DeviceError::NoGpu,
            devices => DeviceError::NoDevice {
                number: 99,
                devices,
            },
        };
        assert_eq!("gpu:99".parse::<DeviceChoice>(), Err(expected));
    }

    #[test]
    fn gpus_are_chosen_by_number_and_every_device_by_name() {
        for device in Device::all() {
            let name = device.description.name.clone();
            let choice: DeviceChoice = format!("gpu:{name}").parse().unwrap();
            assert!(
                choice
                    .devices()
                    .iter()
                    .any(|chosen| chosen.index() == device.index()),
                "{choice:?}"
            );
            assert_eq!(choice.to_string().parse(), Ok(choice));
            let these = DeviceChoice::These(1 << device.index());
            let expected = if device.description.is_cpu {
                Err(DeviceError::Cpu(name))
            } else {
                Ok(these)
            };
            assert_eq!(
                format!("gpu:{}", device.index()).parse(),
                expected,
                "{device:?}"
            );
        }
        assert_eq!(
            DeviceChoice::These(0b1011 << 40).to_string(),
            "gpu:40,41,43"
        );
        assert!(DeviceChoice::Cpu.devices().is_empty());
        assert!(
            DeviceChoice::Auto
                .devices()
                .iter()
                .all(|device| !device.description.is_cpu)
        );
    }
}

//! The configuration of a run: what the flags mean on this machine, resolved once.

use crate::{Counter, DeviceSet, DeviceSpec, EngineChoice, EngineOptions};

use super::error::{Error, Result};
use super::flags::commands::Command;
use super::flags::{Arguments, SharedOptions};

/// The settings for counting any board.
#[derive(Clone)]
pub struct Config {
    pub engine: EngineChoice,
    pub options: EngineOptions,
    pub devices: DeviceSet,
    /// Whether drivers were asked for devices, even if they have none.
    pub loads_drivers: bool,
    pub threads: usize,
    /// The requested number of threads; 0 means one per CPU.
    pub requested_threads: usize,
    /// Whether it is an error if no device counts a board.
    pub require_device: bool,
    /// Whether the CPU counts the units of a device that fails. Otherwise its failure is an error.
    pub cpu_fallback: bool,
    /// Whether to stop when the reader of stdout exits, because only stdout gets the result.
    pub stop_when_unread: bool,
}

impl Config {
    /// Resolves the flags, and loads the drivers of the devices that they name.
    ///
    /// # Errors
    /// When options contradict each other, or a required device is missing.
    pub fn from_flags(flags: &Arguments) -> Result<Self> {
        let SharedOptions {
            engine, machine, ..
        } = flags.shared();
        let devices = machine.device.resolve()?;
        if machine.require_device && devices.is_empty() {
            return Err(Error::Usage(format!(
                "--require-device requires a device, but '--device {}' selects none",
                machine.device
            )));
        }
        let options = EngineOptions::new()
            .kernel(machine.kernel)
            .memory_per_thread(machine.memory)
            .devices(devices);
        let engine = engine
            .with_options(&options)
            .map_err(|error| Error::Usage(format!("--{error}")))?;
        let requested_threads = machine.threads.threads as usize;
        let counter = Counter::default().threads(requested_threads);
        Ok(Self {
            engine,
            options,
            devices,
            loads_drivers: machine.device != DeviceSpec::Cpu,
            threads: counter.thread_count(),
            requested_threads,
            require_device: machine.require_device,
            // An estimate measures a device, so the CPU cannot replace it.
            cpu_fallback: !machine.require_device
                && !matches!(flags.command, Some(Command::Estimate(_))),
            stop_when_unread: matches!(
                flags.command,
                None | Some(Command::Count(_) | Command::Classes(_))
            ),
        })
    }
}

//! The configuration of a run: the flags, resolved once for this machine.

use crate::{Counter, DeviceSet, DeviceSpec, EngineChoice, EngineOptions};

use super::error::{Error, Result};
use super::flags::commands::Command;
use super::flags::{Arguments, SharedOptions};

#[derive(Clone)]
pub(super) struct Config {
    pub engine: EngineChoice,
    pub options: EngineOptions,
    pub devices: DeviceSet,
    /// Whether drivers were loaded, even if they found no devices.
    pub loads_drivers: bool,
    pub threads: usize,
    /// The requested number of threads; 0 means one per CPU.
    pub requested_threads: usize,
    /// Whether to fail if a board would be counted without a device.
    pub require_device: bool,
    /// Whether the CPU counts the units of a failed device. If not, the failure is an error.
    pub cpu_fallback: bool,
    /// Whether to stop when the reader of stdout exits: true if results go only to stdout.
    pub stop_when_unread: bool,
}

impl Config {
    /// Resolves the flags, and loads the drivers of the devices that the flags select.
    ///
    /// # Errors
    /// Fails if options contradict each other, or if a required device is missing.
    pub(super) fn from_flags(flags: &Arguments) -> Result<Self> {
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
            // An estimate measures the speed of the device, so the CPU must not take over the
            // device's work.
            cpu_fallback: !machine.require_device
                && !matches!(flags.command, Some(Command::Estimate(_))),
            stop_when_unread: matches!(
                flags.command,
                None | Some(Command::Count(_) | Command::Classes(_))
            ),
        })
    }
}

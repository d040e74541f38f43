//! The flags, resolved for this machine.

use crate::{Counter, DeviceSet, DeviceSpec, EngineChoice, EngineOptions};

use super::error::{Error, Result};
use super::flags::commands::Command;
use super::flags::{Arguments, SharedOptions};

#[derive(Default)]
pub(super) struct Config {
    pub engine: EngineChoice,
    pub options: EngineOptions,
    /// Whether drivers were loaded, even if they found no devices.
    pub loads_drivers: bool,
    /// Whether an estimate ignores the selected devices, because not all threads feed them.
    pub ignores_devices: bool,
    pub threads: usize,
    /// Whether counting without a device is an error.
    pub require_device: bool,
    /// Whether the CPU counts the units of a failed device; otherwise, the failure is an error.
    pub cpu_fallback: bool,
    /// Whether results go only to stdout, in which case the work is pointless once the reader of
    /// stdout exits.
    pub stop_when_unread: bool,
}

impl Config {
    /// Resolves the flags, and loads the drivers of the selected devices. Contradictory options and
    /// a missing required device are errors.
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
        let mut options = EngineOptions::new()
            .kernel(machine.kernel)
            .memory_per_thread(machine.memory)
            .devices(devices);
        let engine = engine
            .with_options(&options)
            .map_err(|error| Error::Usage(format!("--{error}")))?;
        let is_estimate = matches!(flags.command, Some(Command::Estimate(_)));
        let ignores_devices = is_estimate && !devices.is_empty() && !devices.uses_all_threads();
        if ignores_devices {
            options.devices = DeviceSet::default();
        }
        let counter = Counter::default().threads(machine.threads.threads.into());
        Ok(Self {
            engine,
            options,
            loads_drivers: machine.device != DeviceSpec::Cpu,
            threads: counter.thread_count(),
            ignores_devices,
            require_device: machine.require_device,
            // An estimate measures only the speed of the device.
            cpu_fallback: !machine.require_device && !is_estimate,
            stop_when_unread: matches!(
                flags.command,
                None | Some(Command::Count(_) | Command::Classes(_))
            ),
        })
    }
}

//! The flags, resolved for this machine.

use crate::{Counter, DeviceSpec, EngineChoice, EngineOptions};

use super::error::{Error, Result};
use super::flags::commands::Command;
use super::flags::{Arguments, SharedOptions};

#[derive(Default)]
pub(super) struct Config {
    pub engine: EngineChoice,
    pub options: EngineOptions,
    /// Whether drivers were loaded, even if they found no devices.
    pub loads_drivers: bool,
    pub threads: usize,
    /// Whether results go only to stdout, in which case the work is pointless once the reader of
    /// stdout exits.
    pub stop_when_unread: bool,
}

impl Config {
    /// Resolves the flags, and loads the drivers of the selected devices. Contradictory options and
    /// a missing device are errors.
    pub(super) fn from_flags(flags: &Arguments) -> Result<Self> {
        let SharedOptions {
            engine, machine, ..
        } = flags.shared();
        let devices = machine.device.resolve()?;
        let options = EngineOptions::new()
            .kernel(machine.kernel)
            .memory_per_thread(machine.memory)
            .devices(devices);
        let engine = engine
            .with_options(&options)
            .map_err(|error| Error::Usage(format!("--{error}")))?;
        let counter = Counter::default().threads(machine.threads.threads.into());
        Ok(Self {
            engine,
            options,
            loads_drivers: machine.device != DeviceSpec::Cpu,
            threads: counter.thread_count(),
            stop_when_unread: matches!(
                flags.command,
                None | Some(Command::Count(_) | Command::Classes(_))
            ),
        })
    }
}

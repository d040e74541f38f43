//! The options that several commands have, in three groups: how to count, the form of the result,
//! and what to say. A command takes the groups that matter to it, or parts of them, and refuses the
//! others.

use clap::Args;
use queencount::{DeviceSet, DeviceSpec, EngineChoice};

use super::values::{ENGINES, NamedKernel, kernel, memory, number, one_of};
use crate::cli::exit::{Exit, OrExit};
use crate::cli::notes::Verbosity;
use crate::cli::output::Form;
use crate::cli::progress::When;

/// All of them, for commands that count. A heading goes on for what follows, so the form comes
/// first, which has none.
#[derive(Args, Clone, Debug)]
pub struct AllOptions {
    #[command(flatten)]
    pub form: FormOption,

    #[command(flatten)]
    pub how: CountingOptions,

    #[command(flatten)]
    pub say: SayOptions,
}

/// The form of the result.
#[derive(Args, Clone, Copy, Debug)]
pub struct FormOption {
    /// The form of the result
    #[arg(long, value_enum, default_value = "text")]
    pub format: Form,
}

/// How to count.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "How to count")]
pub struct CountingOptions {
    /// The engine
    #[arg(long, default_value = "auto", value_parser = one_of(ENGINES))]
    pub engine: EngineChoice,

    #[command(flatten)]
    pub machine: MachineOptions,
}

/// How to count with an engine: what of the machine is for it.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "How to count")]
pub struct MachineOptions {
    #[command(flatten)]
    pub threads: ThreadOption,

    /// The inner loops of rows
    ///
    /// auto chooses the fastest one that this processor can run. With any other kernel the engine
    /// is rows, from N = 4 on.
    #[arg(long, default_value = "auto", value_parser = kernel())]
    pub kernel: NamedKernel,

    /// What counts units of rows: cpu, gpu, gpu:0,1 or auto
    ///
    /// 'queencount devices' shows what there is; gpu:NAME is the device of this full name. With gpu
    /// all threads feed GPUs; with auto those that do not feed one count by themselves.
    #[arg(long, value_name = "DEVICES", default_value = "cpu")]
    pub device: DeviceSpec,

    /// End when a device fails, instead of leaving its units to the CPU
    #[arg(id = "require-device", long)]
    pub require_device: bool,

    /// About how much memory a thread of rows may use [default: 256M]
    ///
    /// Such as 256M or 1.5G. 'queencount plan N' prints how much memory a count needs in all.
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    pub memory: Option<u64>,
}

/// On how many threads.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "How to count")]
pub struct ThreadOption {
    /// The number of threads; 0 means one for each CPU
    ///
    /// -j is the same. Beyond 256 there are no more threads than CPUs.
    #[arg(short, short_alias = 'j', long, value_name = "COUNT")]
    #[arg(default_value = "0", hide_default_value = true, value_parser = number(0..=4096))]
    pub threads: u64,
}

/// What to say on standard error.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "What to say on standard error")]
pub struct SayOptions {
    /// When to show progress
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    pub progress: When,

    #[command(flatten)]
    pub quiet: QuietOption,

    /// Name the engine, the units and the threads
    #[arg(short, long, conflicts_with = "quiet")]
    pub verbose: bool,
}

/// Whether to say nothing.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "What to say on standard error")]
pub struct QuietOption {
    /// Write nothing but errors to standard error
    #[arg(short, long)]
    pub quiet: bool,
}

impl SayOptions {
    /// How much is said.
    pub fn verbosity(self) -> Verbosity {
        match (self.quiet.quiet, self.verbose) {
            (true, _) => Verbosity::Errors,
            (false, true) => Verbosity::Details,
            (false, false) => Verbosity::Notes,
        }
    }
}

impl From<QuietOption> for SayOptions {
    fn from(quiet: QuietOption) -> Self {
        Self {
            quiet,
            ..Self::default()
        }
    }
}

impl From<ThreadOption> for MachineOptions {
    fn from(threads: ThreadOption) -> Self {
        Self {
            threads,
            ..Self::default()
        }
    }
}

impl CountingOptions {
    /// The engine that is asked for. Kernels and memory are for the engine `rows`, and so are units
    /// that devices count.
    pub fn engine(&self) -> OrExit<EngineChoice> {
        let MachineOptions {
            kernel,
            device,
            memory,
            ..
        } = &self.machine;
        only_rows("--kernel", kernel.is_some(), self.engine)?;
        only_rows("--device", *device != DeviceSpec::Cpu, self.engine)?;
        only_rows("--memory", memory.is_some(), self.engine)?;
        Ok(if kernel.is_some() {
            EngineChoice::Rows
        } else {
            self.engine
        })
    }
}

/// Refuses an option that another engine than `rows` would ignore, if it is given.
pub fn only_rows(option: &str, given: bool, engine: EngineChoice) -> OrExit<()> {
    if given && engine == EngineChoice::Backtrack {
        return Err(Exit::Usage(format!(
            "expected the engine rows with {option}, found the engine backtrack"
        )));
    }
    Ok(())
}

impl MachineOptions {
    /// Finds the devices; without one, `--require-device` is an error.
    pub fn devices(&self) -> OrExit<DeviceSet> {
        let devices = self.device.resolve()?;
        if self.require_device && devices.is_empty() {
            let found = format!("found none with --device {}", self.device);
            return Err(Exit::Usage(format!(
                "expected a device for --require-device, {found}"
            )));
        }
        Ok(devices)
    }
}

//! The options that several commands share.

use crate::EngineChoice;
use clap::Args;

use super::values::{NamedKernel, kernel, memory, number};
use crate::cli::format::Format;
use crate::cli::ui::progress::When;

/// The options of a command that counts.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct AllOptions {
    #[command(flatten)]
    pub counting: CountingOptions,

    #[command(flatten)]
    pub report: ReportOptions,
}

/// The options of a command that prints a report.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = None::<&str>)]
pub(crate) struct ReportOptions {
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,

    #[command(flatten)]
    pub messages: MessageOptions,
}

#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Counting options")]
pub(crate) struct CountingOptions {
    /// Engine to use; naming a kernel implies rows
    #[arg(long, value_enum, default_value = "auto")]
    pub engine: EngineChoice,

    #[command(flatten)]
    pub machine: MachineOptions,
}

#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Counting options")]
pub(crate) struct MachineOptions {
    #[command(flatten)]
    pub threads: ThreadOption,

    /// SIMD kernel for the rows engine
    ///
    /// 'auto' selects the fastest kernel that this CPU supports.
    #[arg(long, default_value = "auto", value_parser = kernel())]
    pub kernel: NamedKernel,

    /// Where to run the rows engine: cpu, gpu, gpu:0,1 or auto
    ///
    /// 'gpu' selects all GPUs, 'gpu:0,1' selects GPUs by number, and 'gpu:NAME' selects a device by
    /// its full name. With these values, the CPU threads only prepare work for the GPUs. 'auto'
    /// selects all GPUs, and also uses the CPU threads that the GPUs do not need. 'queencount
    /// devices' lists the devices.
    #[arg(long, value_name = "DEVICES", default_value = "cpu")]
    pub device: Option<String>,

    /// Approximate memory limit per thread for the rows engine [default: 256M]
    ///
    /// SIZE is a number with a unit, such as 1.5G. 'queencount plan N' prints how much memory a
    /// count needs.
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    pub memory: Option<u64>,
}

#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Counting options")]
pub(crate) struct ThreadOption {
    /// Number of threads; 0 means one per CPU
    ///
    /// More than 256 threads are used only if there are as many CPUs.
    #[arg(short, long, value_name = "COUNT")]
    #[arg(default_value = "0", hide_default_value = true)]
    #[arg(value_parser = number(0_u16..=4096))]
    pub threads: u16,
}

#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Progress and messages")]
pub(crate) struct MessageOptions {
    /// When to show progress
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    pub progress: When,

    /// Suppress all messages except errors
    #[arg(short, long)]
    pub quiet: bool,

    /// Describe every count on stderr: engine, kernel, and numbers of units and threads
    #[arg(short, long, conflicts_with = "quiet")]
    pub verbose: bool,
}

impl From<MessageOptions> for ReportOptions {
    fn from(messages: MessageOptions) -> Self {
        Self {
            messages,
            ..Self::default()
        }
    }
}

impl From<MachineOptions> for CountingOptions {
    fn from(machine: MachineOptions) -> Self {
        Self {
            machine,
            ..Self::default()
        }
    }
}

impl From<ThreadOption> for CountingOptions {
    fn from(threads: ThreadOption) -> Self {
        Self::from(MachineOptions {
            threads,
            ..MachineOptions::default()
        })
    }
}

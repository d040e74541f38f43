//! The commands, one per file. Without a command, the program runs [`contest`].

#![deny(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "counts are exact"
)]

mod audit;
mod checker;
mod classes;
mod completions;
mod contest;
mod count;
mod devices;
mod draw;
mod estimate;
mod help;
mod list;
mod man;
mod merge;
mod plan;
mod publish;
mod run;
mod self_test;
mod status;
mod verify;

use super::error::Result;
use super::flags::Arguments;
use super::flags::commands::Command;

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    match &arguments.command {
        None => contest::run(&arguments.contest),
        Some(Command::Count(args)) => count::run(args),
        Some(Command::List(args)) => list::run(args),
        Some(Command::Classes(args)) => classes::run(args),
        Some(Command::Checker(args)) => checker::run(args),
        Some(Command::Verify(args)) => verify::run(args),
        Some(Command::Plan(args)) => plan::run(args),
        Some(Command::Run(args)) => run::run(args),
        Some(Command::Merge(args)) => merge::run(args),
        Some(Command::Status(args)) => status::run(args),
        Some(Command::Audit(args)) => audit::run(args),
        Some(Command::Publish(args)) => publish::run(args),
        Some(Command::Estimate(args)) => estimate::run(args),
        Some(Command::Devices(args)) => devices::run(args),
        Some(Command::SelfTest(args)) => self_test::run(args),
        Some(Command::Draw(args)) => draw::run(args),
        Some(Command::Completions(args)) => completions::run(args),
        Some(Command::Man(args)) => man::run(args),
        Some(Command::Help(args)) => help::run(args),
    }
}

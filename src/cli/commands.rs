//! The commands, a file for each; [`manual`] has three. Without a command the program keeps the form of the [`contest`],
//! and so does `checker`, which is there, too.

mod audit;
mod bench;
mod classes;
mod contest;
mod count;
mod devices;
mod draw;
mod estimate;
mod list;
mod manual;
mod merge;
mod plan;
mod publish;
mod run;
mod self_test;
mod status;
mod verify;

use std::io::stdout;

use super::arguments::commands::Command;
use super::exit::Exit;
use super::output::Output;
use super::request::Request;

/// Does what is asked for.
pub fn run(Request { command, board, counting, form }: Request) -> Result<(), Exit> {
    let output = &mut Output::new(stdout(), form);
    let Some(command) = command else { return contest::run(board, &counting, output) };
    match command {
        Command::Count(arguments) => count::run(&arguments, &counting, output),
        Command::List(arguments) => list::run(&arguments, &counting, output),
        Command::Classes(arguments) => classes::run(&arguments, &counting, output),
        Command::Checker(arguments) => contest::checker(&arguments, &counting),
        Command::Verify { boards } => verify::run(&boards, &counting, output),
        Command::Plan(arguments) => plan::run(&arguments, &counting, output),
        Command::Run(arguments) => run::run(&arguments, &counting, output),
        Command::Merge(arguments) => merge::run(&arguments, &counting, output),
        Command::Status(arguments) => status::run(&arguments, &counting, output),
        Command::Audit(arguments) => audit::run(&arguments, &counting, output),
        Command::Publish(arguments) => publish::run(&arguments, &counting, output),
        Command::Estimate(arguments) => estimate::run(&arguments, &counting, output),
        Command::Devices { measure } => devices::run(measure, &counting, output),
        Command::SelfTest { seed } => self_test::run(seed, &counting, output),
        Command::Draw(arguments) => draw::run(&arguments, &counting, output),
        Command::Bench(arguments) => bench::run(&arguments, counting, output),
        Command::Completions { shell } => manual::completions(shell, output),
        Command::Man { folder } => manual::man(folder, output),
        Command::Help { topic } => manual::help(topic.as_deref().unwrap_or_default(), output),
    }
}

//! `queencount help [TOPIC]`: what `--help` shows, and the topics that are no commands.

use crate::cli::arguments::command;
use crate::cli::arguments::commands::HelpArguments;
use crate::cli::arguments::help::{explained, topic};
use crate::cli::exit::Exit;
use crate::cli::output::Output;

/// Runs it.
pub fn run(arguments: &HelpArguments, output: &mut Output) -> Result<(), Exit> {
    let mut program = explained(command());
    program.build();
    let name = arguments.topic.as_deref().unwrap_or_default();
    if let Some(text) = topic(name, &program) {
        return output.text(text);
    }
    let named = program.find_subcommand_mut(name).cloned();
    output.text(named.unwrap_or(program).render_long_help())
}

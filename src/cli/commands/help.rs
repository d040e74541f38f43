//! `queencount help [COMMAND]`: what `--help` shows.

use crate::cli::arguments::command;
use crate::cli::arguments::commands::HelpArguments;
use crate::cli::exit::Exit;
use crate::cli::output::Output;

/// Runs it.
pub fn run(arguments: &HelpArguments, output: &mut Output) -> Result<(), Exit> {
    let mut program = command();
    program.build();
    let named = arguments.command.as_deref().and_then(|name| program.find_subcommand_mut(name)).cloned();
    output.text(named.unwrap_or(program).render_long_help())
}

//! `queencount help [TOPIC]`: prints the text of `--help`, or the help on a topic that is not a
//! command.

use crate::cli::error::Result;
use crate::cli::flags::command;
use crate::cli::flags::commands::HelpArguments;
use crate::cli::flags::help::topic;
use crate::cli::output;

pub(crate) fn run(args: &HelpArguments) -> Result<()> {
    let name = args.topic.as_deref().unwrap_or_default();
    let mut program = command();
    program.build();
    if let Some(text) = topic(name, &program) {
        return output::print(text);
    }
    let mut command = program.find_subcommand(name).unwrap_or(&program).clone();
    output::print(command.render_long_help().to_string())
}

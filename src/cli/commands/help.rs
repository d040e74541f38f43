//! `queencount help [TOPIC]`: prints the text of `--help`, or the help on a topic that is not a
//! command.

use crate::cli::error::Result;
use crate::cli::flags::command;
use crate::cli::flags::commands::HelpArguments;
use crate::cli::flags::help::{explained, topic, with_examples};
use crate::cli::output::{Format, Output};
use crate::cli::ui::Bar;

pub(crate) fn run(args: &HelpArguments) -> Result<()> {
    let mut output = Output::with_stdout(Format::Text, Bar::default())?;
    let name = args.topic.as_deref().unwrap_or_default();
    let mut program = explained(command());
    program.build();
    if let Some(text) = topic(name, &program) {
        return output.text(text);
    }
    let mut command = program.find_subcommand(name).unwrap_or(&program).clone();
    output.text(with_examples(command.render_long_help()))
}

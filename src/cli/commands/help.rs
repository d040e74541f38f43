//! `queencount help [TOPIC]`: prints the text of `--help`, or the help on a topic that is not a
//! command.

use super::prelude::*;
use crate::cli::flags::help::{explained, topic, with_examples};

pub(crate) fn run(app: &mut App, name: Option<&str>) -> Result<()> {
    let name = name.unwrap_or_default();
    let mut program = explained(command());
    program.build();
    if let Some(text) = topic(name, &program) {
        return app.output.text(text);
    }
    let mut command = program.find_subcommand(name).unwrap_or(&program).clone();
    app.output.text(with_examples(command.render_long_help()))
}

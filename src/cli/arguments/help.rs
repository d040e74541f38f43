//! What the help says beyond the arguments: the page of the program, examples of every command, and
//! the exit codes.

use clap::{Arg, Command};

use crate::cli::exit::EXIT_CODES;

/// A line to type, and what it does.
pub type Example = (&'static str, &'static str);

/// The examples of each command, below its name; the empty name is the program without one.
const EXAMPLES: &str = include_str!("examples.txt");

/// The topics of the help that are no commands.
pub const TOPICS: [&str; 3] = ["options", "examples", "exit-codes"];

/// The program with what its help says beyond the arguments: examples after the long help of each
/// command, and the page of the program.
pub fn explained(program: Command) -> Command {
    let program = program.mut_subcommands(|command| {
        let examples = format!("Examples:\n{}", listed(&examples(command.get_name())));
        command.after_long_help(examples)
    });
    let overview = overview(&program);
    program.override_help(overview)
}

/// The page of the program: as many lines and columns as the smallest terminal has.
fn overview(program: &Command) -> String {
    let commands = program
        .get_subcommands()
        .filter(|command| command.get_name() != "help");
    let about = |command: &Command| {
        command
            .get_about()
            .map(ToString::to_string)
            .unwrap_or_default()
    };
    let commands: String = commands
        .map(|command| format!("  {:<11}  {}\n", command.get_name(), about(command)))
        .collect();
    format!(
        "{}\n\
         Usage: queencount N [OPTIONS]          the first three solutions, then the total\n       \
         queencount COMMAND [OPTIONS]    one of these; 'help COMMAND' shows more\n\n\
         {commands}\
         'queencount help options', 'help examples' and 'help exit-codes' tell the rest.\n",
        about(program),
    )
}

/// What the help says on a topic that is no command.
pub fn topic(name: &str, program: &Command) -> Option<String> {
    match name {
        "options" => {
            let own = |option: &&Arg| {
                !option.is_positional() && option.get_id() != "help" && option.get_id() != "version"
            };
            let page = Command::new("")
                .disable_help_flag(true)
                .help_template("{all-args}\n");
            let page = page
                .args(program.get_arguments().filter(own).cloned())
                .render_long_help();
            Some(format!(
                "The options of 'queencount N'. A command has those of them that matter to it.\n\n{page}"
            ))
        }
        "examples" => Some(listed(&examples(""))),
        "exit-codes" => Some(
            EXIT_CODES
                .iter()
                .map(|(code, meaning)| format!("{code:<3}  {meaning}\n"))
                .collect(),
        ),
        _ => None,
    }
}

pub fn names() -> impl Iterator<Item = &'static str> {
    headings().filter(|name| !name.is_empty())
}

/// The names below which there are examples.
pub fn headings() -> impl Iterator<Item = &'static str> {
    EXAMPLES
        .lines()
        .filter_map(|line| line.strip_prefix('[')?.strip_suffix(']'))
}

pub fn examples(command: &str) -> Vec<Example> {
    let heading = format!("[{command}]");
    let lines = EXAMPLES
        .lines()
        .skip_while(|line| *line != heading)
        .skip(1)
        .take_while(|line| !line.is_empty());
    lines
        .map(|line| line.split_once(" # ").unwrap_or((line, "")))
        .collect()
}

/// The examples with what they do beside them, or above them where lines are long.
fn listed(examples: &[Example]) -> String {
    const LONGEST: usize = 50;
    let width = examples
        .iter()
        .map(|(line, _)| line.len())
        .max()
        .unwrap_or(0);
    let list = |&(line, does): &Example| match does {
        "" => format!("  {line}\n"),
        does if width > LONGEST => format!("  {line}\n      {does}\n"),
        does => format!("  {line:width$}  {does}\n"),
    };
    examples.iter().map(list).collect()
}

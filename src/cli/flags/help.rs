//! Additions to the help: an overview of the commands, and examples.

use std::fmt::Display;

use clap::Command;

use crate::cli::error::EXIT_CODES;

pub(crate) type Example = (&'static str, &'static str);

/// The examples for each command, below its name. The examples without a command come first.
const EXAMPLES: &str = include_str!("examples.txt");

pub(crate) const TOPICS: [&str; 3] = ["options", "examples", "exit-codes"];

/// The commands, in the order in which the overview lists them.
const GROUPS: [(&str, &[&str]); 4] = [
    (
        "Solve",
        &["count", "list", "classes", "draw", "checker", "verify"],
    ),
    (
        "Long counts",
        &[
            "plan", "estimate", "run", "merge", "status", "audit", "publish",
        ],
    ),
    ("This machine", &["devices", "self-test"]),
    ("Shell", &["completions", "man"]),
];

/// The start of the placeholder for a command's examples. (Without a placeholder, clap would wrap
/// the examples.)
const MARK: &str = "{examples-of-";

/// Adds a placeholder for examples to the long help of each command, and adds the overview to the
/// program's help.
pub(crate) fn explained(program: Command) -> Command {
    let program = program.mut_subcommands(|command| {
        let mark = format!("Examples:\n{MARK}{}}}", command.get_name());
        command.after_long_help(mark)
    });
    let overview = overview(&program);
    program.override_help(overview)
}

/// Replaces the placeholder in a help text with the examples.
pub(crate) fn with_examples(help: impl Display) -> String {
    let help = help.to_string();
    match help.split_once(MARK) {
        Some((before, name)) => before.to_owned() + &listed(name.trim_end().trim_end_matches('}')),
        None => help,
    }
}

fn overview(program: &Command) -> String {
    let mut text = format!(
        "{}\n\n\
         Usage: queencount N [OPTIONS]          print three solutions and the total\n       \
         queencount COMMAND [OPTIONS]    run a command; 'help COMMAND' explains it\n       \
         queencount --version            print the version\n",
        about(program)
    );
    for (group, names) in GROUPS {
        text += &format!("\n{group}:\n");
        for name in names {
            let command = program.find_subcommand(name).expect("a command");
            text += &format!("  {name:<11}  {}\n", about(command));
        }
    }
    text + "\nSee also 'queencount help options', 'help examples' and 'help exit-codes'.\n"
}

fn about(command: &Command) -> String {
    command
        .get_about()
        .map(ToString::to_string)
        .unwrap_or_default()
}

pub(crate) fn topic(name: &str, program: &Command) -> Option<String> {
    match name {
        "options" => {
            let options = program
                .get_arguments()
                .filter(|option| !option.is_positional())
                .filter(|option| !["help", "version"].contains(&option.get_id().as_str()));
            let page = Command::new("")
                .disable_help_flag(true)
                .help_template("{all-args}\n")
                .args(options.cloned())
                .render_long_help();
            Some(format!(
                "Options of 'queencount N'. Each command accepts the ones that apply to it.\n\n\
                 {page}"
            ))
        }
        "examples" => Some(listed("")),
        "exit-codes" => Some(
            EXIT_CODES
                .iter()
                .map(|(code, meaning)| format!("{code:<3}  {meaning}\n"))
                .collect(),
        ),
        _ => None,
    }
}

/// Returns the commands that have examples.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    EXAMPLES
        .lines()
        .filter_map(|line| line.strip_prefix('[')?.strip_suffix(']'))
        .filter(|name| !name.is_empty())
}

pub(crate) fn examples(command: &str) -> Vec<Example> {
    let heading = format!("[{command}]");
    EXAMPLES
        .lines()
        .skip_while(|line| *line != heading)
        .skip(1)
        .take_while(|line| !line.is_empty())
        .map(|line| line.split_once(" # ").unwrap_or((line, "")))
        .collect()
}

/// Lists the examples of a command with their descriptions next to them, or below them if any
/// command line is long.
fn listed(command: &str) -> String {
    const LONGEST: usize = 50;
    let examples = examples(command);
    let width = examples
        .iter()
        .map(|(line, _)| line.len())
        .max()
        .unwrap_or(0);
    let mut text = String::new();
    for (line, does) in examples {
        text += &match does {
            "" => format!("  {line}\n"),
            does if width > LONGEST => format!("  {line}\n      {does}\n"),
            does => format!("  {line:width$}  {does}\n"),
        };
    }
    text
}

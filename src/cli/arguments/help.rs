//! What the help says beyond the arguments: the page of the program, examples of every command, and the exit codes.

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, ValueHint};

use super::shared;
use super::values::form;
use crate::cli::exit::EXIT_CODES;

/// A line to type, and what it does.
pub type Example = (&'static str, &'static str);

/// The examples of each command, below its name; the empty name is the program without one.
const EXAMPLES: &str = include_str!("examples.txt");

/// The topics of the help that are no commands.
pub const TOPICS: [&str; 3] = ["options", "examples", "exit-codes"];

/// The program whose commands show the shared options that they heed, and take no others for their own.
pub fn sorted(program: Command) -> Command {
    let shared = shared_options(&program);
    let topics = PossibleValuesParser::new(names().chain(TOPICS));
    let program =
        program.mut_subcommand("help", |help| help.mut_arg("topic", |argument| argument.value_parser(topics)));
    let program = program.mut_subcommands(|command| {
        let name = command.get_name().to_owned();
        let shared = shared.iter().map(|option| {
            let option = option.clone();
            match option.get_id().as_str() {
                id if shared::refusal(&name, id).is_some() => option.hide(true),
                // A list has forms of its own.
                "format" if name == "list" => option.long_help(None::<&str>).help_heading(None::<&str>),
                _ => with_fields(option),
            }
        });
        command.args(shared).mut_args(of_any_number)
    });
    program.mut_args(of_any_number)
}

/// An argument whose value may be a number below zero, unless it names a file: it is refused as a number then, and not as
/// an option.
fn of_any_number(argument: Arg) -> Arg {
    let takes_numbers = argument.get_action().takes_values() && argument.get_value_hint() != ValueHint::AnyPath;
    argument.allow_negative_numbers(takes_numbers)
}

/// The program with what its help says beyond the arguments. Each command shows its own options first, then in short
/// those of the shared options that it heeds, then examples.
pub fn explained(program: Command) -> Command {
    let program = program.mut_subcommands(|command| {
        let is_shared = |option: &Arg| option.get_help_heading().is_some() && !option.is_hide_set();
        let options = in_short(command.get_arguments().filter(|option| is_shared(option)).cloned().collect());
        let examples = format!("Examples:\n{}", listed(&examples(command.get_name())));
        let parts = [options.clone(), examples].into_iter().filter(|part| !part.is_empty());
        let long = parts.collect::<Vec<String>>().join("\n\n");
        // They stand below, in short.
        let command = command.mut_args(|option| {
            let short = is_shared(&option);
            option.hide_short_help(short).hide_long_help(short)
        });
        command.after_help(options).after_long_help(long)
    });
    let overview = overview(&program);
    program.override_help(overview)
}

/// A shared option; the form is one that every command has.
pub fn with_fields(option: Arg) -> Arg {
    if option.get_id() == "format" { option.value_parser(form()) } else { option }
}

/// The options that commands share.
fn shared_options(program: &Command) -> Vec<Arg> {
    let of = |option: &&str| program.get_arguments().find(|argument| argument.get_id() == option).cloned();
    shared::ALL.iter().filter_map(of).collect()
}

/// Shared options on a line each.
fn in_short(options: Vec<Arg>) -> String {
    if options.is_empty() {
        return String::new();
    }
    let short = options.into_iter().map(|option| {
        let option = option.help_heading(None::<&str>);
        if !option.get_action().takes_values() {
            return option;
        }
        let values = option.get_possible_values();
        let values: Vec<&str> = values.iter().map(|value| value.get_name()).collect();
        let colon = if values.is_empty() { "" } else { ": " };
        let help = option.get_help().map(ToString::to_string).unwrap_or_default() + colon + &values.join(", ");
        option.help(help).hide_possible_values(true).hide_default_value(true)
    });
    let mut table = Command::new("").disable_help_flag(true).help_template("{options}").args(short);
    format!("Shared options ('queencount help options' explains them):\n{}", table.render_help().to_string().trim_end())
}

/// The page of the program: as many lines and columns as the smallest terminal has.
fn overview(program: &Command) -> String {
    let commands = program.get_subcommands().filter(|command| command.get_name() != "help");
    let about = |command: &Command| command.get_about().map(ToString::to_string).unwrap_or_default();
    let commands: String =
        commands.map(|command| format!("  {:<11}  {}\n", command.get_name(), about(command))).collect();
    format!(
        "{}\n\
         Usage: queencount [OPTIONS] N          the first three solutions, then the total\n       \
         queencount [OPTIONS] COMMAND    one of these; 'help COMMAND' tells more\n\n\
         {commands}\
         'queencount help options', 'help examples' and 'help exit-codes' tell the rest.\n",
        about(program),
    )
}

/// What the help says on a topic that is no command.
pub fn topic(name: &str, program: &Command) -> Option<String> {
    match name {
        "options" => {
            let page = Command::new("").disable_help_flag(true).help_template("{all-args}\n");
            let page = page.args(shared_options(program).into_iter().map(with_fields)).render_long_help();
            Some(format!(
                "They stand before or after a command. A command refuses those that it would ignore.\n\n{page}"
            ))
        }
        "examples" => Some(listed(&examples(""))),
        "exit-codes" => Some(EXIT_CODES.iter().map(|(code, meaning)| format!("{code:<3}  {meaning}\n")).collect()),
        _ => None,
    }
}

/// The names of the commands.
pub fn names() -> impl Iterator<Item = &'static str> {
    headings().filter(|name| !name.is_empty())
}

/// The names below which there are examples.
pub fn headings() -> impl Iterator<Item = &'static str> {
    EXAMPLES.lines().filter_map(|line| line.strip_prefix('[')?.strip_suffix(']'))
}

/// The examples of a command.
pub fn examples(command: &str) -> Vec<Example> {
    let heading = format!("[{command}]");
    let lines = EXAMPLES.lines().skip_while(|line| *line != heading).skip(1).take_while(|line| !line.is_empty());
    lines.map(|line| line.split_once(" # ").unwrap_or((line, ""))).collect()
}

/// The examples with what they do beside them, or above them where lines are long.
fn listed(examples: &[Example]) -> String {
    const LONGEST: usize = 50;
    let width = examples.iter().map(|(line, _)| line.len()).max().unwrap_or(0);
    let list = |&(line, does): &Example| match does {
        "" => format!("  {line}\n"),
        does if width > LONGEST => format!("  {line}\n      {does}\n"),
        does => format!("  {line:width$}  {does}\n"),
    };
    examples.iter().map(list).collect()
}

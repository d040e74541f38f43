//! Additions to the help: an overview of the commands, and examples.

use clap::Command;

use crate::cli::error::EXIT_CODES;

/// The examples for each command, below its name. Those of `queencount N` come first.
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

/// Adds examples to the help of each command, and an overview to the help of the program.
pub(crate) fn explained(program: Command) -> Command {
    let program = program.mut_subcommands(|command| {
        // The examples are part of the template, because clap would wrap other texts.
        let template = format!(
            "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{{all-args}}\n\nExamples:\n{}",
            examples(command.get_name())
        );
        command.help_template(template)
    });
    let overview = overview(&program);
    program.override_help(overview)
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
    command.get_about().expect("all have one").to_string()
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
                .help_template(
                    "Options of 'queencount N'. Each command accepts the ones that apply to it.\n\n\
                     {all-args}\n",
                )
                .args(options.cloned())
                .render_long_help();
            Some(page.to_string())
        }
        "examples" => Some(EXAMPLES.to_owned()),
        "exit-codes" => Some(
            EXIT_CODES
                .iter()
                .map(|(code, meaning)| format!("{code:<3}  {meaning}\n"))
                .collect(),
        ),
        _ => None,
    }
}

/// Returns all commands.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    GROUPS
        .iter()
        .flat_map(|(_, names)| *names)
        .copied()
        .chain(["help"])
}

/// Returns the examples of a command, on indented lines.
pub(crate) fn examples(command: &str) -> &'static str {
    let heading = format!("[{command}]\n");
    let (_, examples) = EXAMPLES.split_once(&heading).expect("all have examples");
    match examples.find("\n\n") {
        Some(end) => &examples[..=end],
        None => examples,
    }
}

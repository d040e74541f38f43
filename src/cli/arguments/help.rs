//! What the help says beyond the arguments: the page of the program, examples of every command, and the exit codes.

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command};

use super::shared;
use super::values::form;
use crate::cli::exit::EXIT_CODES;
use crate::cli::form::FormatChoice;

/// A line to type, and what it does.
pub type Example = (&'static str, &'static str);

/// The examples of each command; the empty name is the program without one.
pub const EXAMPLES: &[(&str, &[Example])] = &[
    (
        "",
        &[
            ("queencount 8", "the first three solutions of 8 queens, and their number"),
            ("queencount < input", "the same, with N from standard input"),
            ("queencount count 8 10 12..=14", "five counts, a line each"),
            ("queencount list 8 --unique", "the 12 fundamental solutions"),
            ("queencount verify 1..=14 -t 2", "compare with the published values, on two threads"),
            ("queencount run 20 --record q20.jsonl", "a count that the same command resumes after any interruption"),
            ("queencount estimate 27", "how many solutions to expect, and how long it would take to count them"),
        ],
    ),
    (
        "count",
        &[
            ("queencount count 8 10 12..=14", "five counts, a line each"),
            ("queencount count 18 --format json", "with time, engine, threads, version"),
            ("queencount count 18 --unique", "fundamental solutions"),
            ("queencount count < boards", "boards from standard input"),
            (
                "queencount -t 4 -q count 18 --engine backtrack",
                "by the reference engine, on four threads, without progress",
            ),
        ],
    ),
    (
        "list",
        &[
            ("queencount list 8", "the columns of the queens of each solution"),
            ("queencount list 4 --format board --queen \u{2655}", "numbered drawings"),
            ("queencount list 6 --format ruled --limit 1", "with lines, and the numbers of rows and columns"),
            ("queencount list 14 --skip 200000 --limit 10", "ten from the middle, found at once"),
            ("queencount list 8 --unique", "one solution of each orbit, and the size of the orbit"),
        ],
    ),
    (
        "classes",
        &[
            ("queencount classes 8", "92 solutions in 12 orbits"),
            ("queencount classes 27 --total 234907967154122528", "in seconds, because the total is given"),
        ],
    ),
    (
        "checker",
        &[
            ("queencount checker", "from checker.in to checker.out"),
            ("queencount checker --input 6.in --output 6.out", "from other files"),
        ],
    ),
    (
        "verify",
        &[
            ("queencount verify", "N = 1 to 18, in seconds"),
            ("queencount verify 20 --kernel portable", "one board, by the kernel that every processor can run"),
        ],
    ),
    (
        "plan",
        &[
            ("queencount plan 24", "units, tasks, memory"),
            ("queencount plan 24 --shards 100", "the units of each of 100 shards"),
        ],
    ),
    (
        "run",
        &[
            ("queencount run 22 --record q22.jsonl", "Ctrl-C, kill -9, power cut: run it again"),
            ("queencount run 22 --shard 1/3 --record part1.jsonl", "one third, on one machine"),
            (
                "queencount run 22 --units 3,17,40-44 --record rest.jsonl",
                "the units that 'merge --missing' has printed",
            ),
            (
                "queencount merge part*.jsonl --missing | queencount run 22 --units - --record rest.jsonl",
                "the same in one line",
            ),
        ],
    ),
    (
        "merge",
        &[
            ("queencount merge part*.jsonl", "the total, or exit code 4 and what is missing"),
            ("queencount merge --n 22 part*.jsonl", "the same, and records of another board are refused"),
            ("queencount merge part*.jsonl --missing", "the missing units, for 'run --units'"),
            ("queencount merge part*.jsonl --missing --salvage", "the same, without damaged and disputed lines"),
            ("queencount merge part*.jsonl --shards 100", "the shards that lack units, for a job array"),
            ("queencount merge store/ --second --shards 100", "the shards that lack a second count by another site"),
        ],
    ),
    (
        "status",
        &[
            ("queencount status store/", "what is counted, by whom, and when the rest will be"),
            ("queencount status store/ --shards 1000", "with the shards that a job array has still to count"),
            ("queencount status store/ --html page.html --watch", "a page that is written anew every minute"),
            ("queencount status store/ --by host --format json", "machine by machine, for a program"),
        ],
    ),
    (
        "audit",
        &[
            ("queencount audit q22.jsonl", "count 30 entries again"),
            ("queencount audit part*.jsonl --sample 0.1%", "count one entry in a thousand again"),
            ("queencount audit one.jsonl other.jsonl", "if they contradict each other, which lines are right"),
            ("queencount audit part*.jsonl --sample 100 --seed 7", "the same 100 entries every time"),
            ("queencount audit store/ --record store/audits.jsonl", "audits that add up: 'status' counts them"),
        ],
    ),
    (
        "publish",
        &[
            ("queencount publish store/ > q22.jsonl", "the record of all records of a folder"),
            ("queencount publish store/ | sha256sum", "a hash that stands for the count"),
            ("queencount publish store/ | gzip -9n > q22.jsonl.gz", "a small file to give away"),
        ],
    ),
    (
        "estimate",
        &[
            ("queencount estimate 27", "the number and its time, within a minute"),
            ("queencount estimate 22 --seconds 10 --format json", "in ten seconds, as fields"),
        ],
    ),
    (
        "devices",
        &[
            ("queencount devices", "what there is, with the numbers that --device takes"),
            ("queencount devices --measure", "and how many solutions each counts in a second"),
            ("queencount devices --format json", "for programs: an object a line"),
        ],
    ),
    (
        "self-test",
        &[
            ("queencount self-test", "every check, a line each"),
            ("queencount self-test --format json", "for programs: an object a line, and exit code 3 if a check fails"),
            ("queencount self-test --seed 7 -t 1", "with the same units every time, on one thread"),
        ],
    ),
    (
        "draw",
        &[
            ("queencount draw 8", "the first solution of 8 queens"),
            ("queencount draw 8 --index 92 --attacks 4", "the last, and what the queen of row 4 attacks"),
            ("queencount draw 8 --unique --svg fundamental.svg", "a sheet of the 12 fundamental solutions"),
        ],
    ),
    (
        "bench",
        &[
            ("queencount bench", "a table of times up to N = 27, within a minute"),
            ("queencount bench 22 --seconds 300", "up to N = 22, more thoroughly"),
            ("queencount bench --against-kernel portable", "the fastest kernel against the portable one"),
            ("queencount bench 18 -t 1 --against-threads 2", "one thread against two, on one board"),
            ("queencount bench 20 --device auto --against-device cpu", "with the GPUs that there are, and without"),
        ],
    ),
    (
        "completions",
        &[
            ("mkdir -p ~/.local/share/bash-completion/completions", ""),
            ("queencount completions bash > ~/.local/share/bash-completion/completions/queencount", ""),
            ("mkdir -p ~/.zfunc", "which has to be in $fpath"),
            ("queencount completions zsh > ~/.zfunc/_queencount", ""),
            ("mkdir -p ~/.config/fish/completions", ""),
            ("queencount completions fish > ~/.config/fish/completions/queencount.fish", ""),
            ("queencount completions powershell | Out-String | Invoke-Expression", "a line for $PROFILE"),
        ],
    ),
    (
        "man",
        &[
            ("queencount man | man -l -", "read the page of the program"),
            ("queencount man ~/.local/share/man/man1", "install all pages; the folder is made"),
        ],
    ),
    (
        "help",
        &[
            ("queencount help", "the same as 'queencount --help'"),
            ("queencount help run", "the same as 'queencount run --help'"),
            ("queencount help options", "all options that commands share"),
        ],
    ),
];

/// The topics of the help that are no commands.
pub const TOPICS: [&str; 3] = ["options", "examples", "exit-codes"];

/// The program whose commands show the shared options that they heed, and take no others for their own.
pub fn sorted(program: Command) -> Command {
    let shared = shared_options(&program);
    let topics = PossibleValuesParser::new(names().chain(TOPICS));
    let program =
        program.mut_subcommand("help", |help| help.mut_arg("topic", |argument| argument.value_parser(topics)));
    program.mut_subcommands(|command| {
        let name = command.get_name().to_owned();
        let shared = shared.iter().map(|option| {
            let option = option.clone();
            match option.get_id().as_str() {
                id if !shared::heeded(&name).contains(&id) => option.hide(true),
                // A list has forms of its own.
                "format" if name == "list" => option.long_help(None::<&str>).help_heading(None::<&str>),
                _ => with_fields(option),
            }
        });
        command.args(shared)
    })
}

/// The program with what its help says beyond the arguments. Each command shows its own options first, then in short
/// those of the shared options that it heeds, then examples.
pub fn explained(program: Command) -> Command {
    let program = program.mut_subcommands(|command| {
        let is_shared = |option: &Arg| option.get_help_heading().is_some() && !option.is_hide_set();
        let options = in_short(command.get_arguments().filter(|option| is_shared(option)).cloned().collect());
        let examples = format!("Examples:\n{}", listed(examples(command.get_name())));
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
    if option.get_id() == "format" { option.value_parser(form(&FormatChoice::OF_FIELDS)) } else { option }
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
        "examples" => Some(listed(examples(""))),
        "exit-codes" => Some(EXIT_CODES.iter().map(|(code, meaning)| format!("{code:<3}  {meaning}\n")).collect()),
        _ => None,
    }
}

/// The names of the commands.
pub fn names() -> impl Iterator<Item = &'static str> {
    EXAMPLES.iter().map(|(name, _)| *name).filter(|name| !name.is_empty())
}

/// The examples of a command.
pub fn examples(command: &str) -> &'static [Example] {
    EXAMPLES.iter().find(|(name, _)| *name == command).map_or(&[], |(_, examples)| examples)
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

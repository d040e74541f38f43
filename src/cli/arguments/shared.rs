//! The options that commands share: who heeds which of them, and why the others do not.
//!
//! A command shows what it heeds, and refuses what it would ignore. An option that changes nothing is a mistake, or the
//! misunderstanding of somebody who will believe a result for it.

use clap::ArgMatches;
use clap::parser::ValueSource;

/// All of them, by their names. The empty command, which is a board alone, heeds all.
pub const ALL: [&str; 10] =
    ["threads", "engine", "kernel", "device", "require-device", "memory", "progress", "format", "quiet", "verbose"];

/// Why a command refuses one of them, unless it heeds it: what the command does instead.
pub fn refusal(command: &str, option: &str) -> Option<&'static str> {
    Some(match (command, option) {
        ("checker", "format") => "writes the contest's form; 'queencount N --format' prints the same as fields",
        ("draw", "format") => "makes pictures; 'queencount list --format' prints solutions in other forms",
        ("publish", "format") => "prints a record",
        ("completions", "format") => "prints a script",
        ("man", "format") => "writes pages of the manual",
        ("help", "format") => "explains in words",
        ("list" | "draw", "engine") => "searches for solutions in one way only",
        ("audit", "engine") => "counts with the engine that the records name",
        ("devices", "engine" | "kernel" | "device" | "require-device") => "measures what each device counts of rows",
        ("self-test", "engine" | "kernel") => "checks all of them",
        ("status", "engine") => "goes by the engine that the records name",
        ("self-test", "require-device") => "takes a device that fails for something wrong",
        ("self-test", "memory") => "checks with as much as it takes",
        ("self-test", "verbose") => "names what it checks",
        ("merge" | "status" | "publish", "engine" | "format" | "quiet") => return None,
        ("merge" | "status" | "publish" | "completions" | "man" | "help", _) => "counts nothing",
        ("plan", "progress" | "verbose") | ("devices", "verbose") => "counts nothing",
        _ => return None,
    })
}

/// Those that the words of a user name.
pub fn given(matches: &ArgMatches) -> Vec<&'static str> {
    let named = |matches: &ArgMatches, option| matches.value_source(option) == Some(ValueSource::CommandLine);
    let of_command = |option| matches.subcommand().is_some_and(|(_, matches)| named(matches, option));
    ALL.into_iter().filter(|option| named(matches, option) || of_command(option)).collect()
}

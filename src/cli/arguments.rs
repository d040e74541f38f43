//! The arguments, as data: what can be asked for, how it is spelt, and how the help explains it.
//!
//! The help, the manual and the completions are all made from [`command()`], so they know the same. What words mean
//! together is the business of [`request`](super::request).

pub mod commands;
mod errors;
pub mod help;
pub mod shared;
pub mod values;

use std::ffi::{OsStr, OsString};

use clap::builder::StyledStr;
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, FromArgMatches, Parser};
use queencount::{DeviceChoice, EngineChoice};

use super::exit::Exit;
use super::output::Form;
use super::progress::When;
use commands::Command;
pub use errors::no_command;
pub use values::NamedKernel;
use values::{ENGINES, kernel, memory, number, one_of};

/// Counts the ways to place N nonattacking queens on an N x N board
///
/// Prints the first three solutions, and then the number of all solutions. A solution is a line: the column of the
/// queen in each row, counted from 1. Without N, and if standard input is not a terminal, N is read from there. Options
/// stand before or after a command.
#[derive(Debug, Parser)]
#[command(
    name = "queencount",
    version,
    max_term_width = 100,
    args_override_self = true,
    disable_help_subcommand = true
)]
#[command(override_usage = "queencount [OPTIONS] [N]\n       queencount [OPTIONS] <COMMAND>")]
pub struct Arguments {
    /// The number of rows of the board, 1 to 32
    #[arg(value_name = "N")]
    pub n: Option<OsString>,

    /// What follows N, to be refused with it.
    #[arg(hide = true)]
    pub more: Vec<OsString>,

    /// What to do instead.
    #[command(subcommand)]
    pub command: Option<Command>,

    // The last, because the heading of these options would go on for others.
    /// Options that commands share.
    #[command(flatten)]
    pub shared: SharedOptions,

    /// The name of the command; none is empty.
    #[arg(skip)]
    pub name: String,

    /// Which of the shared options have been given.
    #[arg(skip)]
    pub given: Vec<&'static str>,
}

/// The options that commands share.
#[derive(Args, Debug)]
#[command(next_help_heading = "Shared options")]
pub struct SharedOptions {
    /// The number of threads; 0 means one for each CPU
    ///
    /// -j is the same. Beyond 256 there are no more threads than CPUs.
    #[arg(short, short_alias = 'j', long, global = true, value_name = "COUNT")]
    #[arg(default_value = "0", hide_default_value = true, value_parser = number(0..=4096))]
    pub threads: u64,

    /// The engine
    #[arg(long, global = true, default_value = "auto", value_parser = one_of(ENGINES))]
    pub engine: EngineChoice,

    /// The inner loops of rows
    ///
    /// There is a kernel for each instruction set. auto chooses the fastest one that this processor can run. With any
    /// other kernel the engine is rows, which backtracks for N = 1 to 3.
    #[arg(long, global = true, default_value = "auto", value_parser = kernel())]
    pub kernel: NamedKernel,

    /// What counts units of rows: cpu, gpu, gpu:0,1 or auto
    ///
    /// With gpu all threads feed GPUs, with gpu:0,1 those with these numbers. auto uses the GPUs that there are, and
    /// the threads that do not feed one count by themselves. 'queencount devices' shows what there is. No GPU has been
    /// measured yet, so one has to be asked for.
    #[arg(long, global = true, value_name = "DEVICES", default_value = "cpu")]
    pub device: DeviceChoice,

    /// End when a device fails, instead of leaving its units to the CPU
    #[arg(id = "require-device", long, global = true)]
    pub require_device: bool,

    /// About how much memory a thread of rows may use
    ///
    /// SIZE is a number of bytes, or a number with the suffix K, M, G or T, such as 256M or 1.5G. 'queencount plan N'
    /// prints how much memory a count needs in all.
    #[arg(long, global = true, value_name = "SIZE", default_value = "256M", value_parser = memory)]
    pub memory: u64,

    /// When to show progress on standard error
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value = "auto")]
    pub progress: When,

    /// The form of the result
    ///
    /// 'list' has other forms besides, which 'queencount help list' shows.
    #[arg(long, global = true, value_enum, default_value = "text")]
    pub format: Form,

    /// Write nothing but errors to standard error
    #[arg(short, long, global = true)]
    pub quiet: bool,

    /// Name the engine, the units and the threads on standard error
    ///
    /// With --quiet nothing is named.
    #[arg(short, long, global = true)]
    pub verbose: bool,
}

/// What the arguments are.
pub enum Parsed {
    /// A request, word by word.
    Arguments(Box<Arguments>),
    /// A wish for a text: the help or the version.
    Text(StyledStr),
}

/// Parses the arguments of the program, the first of which is its own name.
///
/// # Errors
/// When a word is unknown, or the value of an option is not one that it can have.
pub fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Parsed, Exit> {
    let words: Vec<OsString> = words.into_iter().collect();
    let matches = command().try_get_matches_from(&words);
    let arguments = matches.and_then(|matches| {
        let (name, given) = (matches.subcommand_name().unwrap_or_default().to_owned(), shared::given(&matches));
        Ok(Arguments { name, given, ..Arguments::from_arg_matches(&matches)? })
    });
    match arguments {
        Ok(arguments) => Ok(Parsed::Arguments(Box::new(arguments))),
        Err(error) if error.kind() == ErrorKind::DisplayVersion => Ok(Parsed::Text(error.render())),
        Err(error) if error.kind() == ErrorKind::DisplayHelp => {
            // What the help says is put together for those who ask for it.
            let help = help::explained(command()).try_get_matches_from(words).expect_err("they ask for help");
            Ok(Parsed::Text(help.render()))
        }
        Err(error) => Err(Exit::Usage(errors::one_line(&error, &words, &command()))),
    }
}

/// The arguments of the program.
pub fn command() -> clap::Command {
    help::sorted(Arguments::command())
}

/// Words in a form that a shell takes.
pub fn quoted(words: impl IntoIterator<Item = impl AsRef<OsStr>>) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+@%".contains(c);
    let words = words.into_iter().map(|word| match word.as_ref().to_string_lossy() {
        word if !word.is_empty() && word.chars().all(plain) => word.into_owned(),
        word => format!("'{}'", word.replace('\'', r"'\''")),
    });
    words.collect::<Vec<String>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::help::{examples, headings};
    use super::*;

    #[test]
    fn the_arguments_do_not_contradict_each_other() {
        command().debug_assert();
    }

    #[test]
    fn every_command_has_examples_and_no_other_has() {
        let commands = command();
        let names: Vec<&str> = commands.get_subcommands().map(clap::Command::get_name).collect();
        for name in &names {
            assert!(!examples(name).is_empty(), "an example of '{name}' belongs into EXAMPLES");
        }
        for name in headings() {
            assert!(name.is_empty() || names.contains(&name), "there is no command '{name}'");
        }
    }
}

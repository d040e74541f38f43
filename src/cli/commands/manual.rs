//! The program's description of itself: `queencount help [TOPIC]` shows what `--help` shows, and
//! the topics that are no commands; `queencount man [DIR]` prints the manual, a page for the
//! program and one for each command; `queencount completions SHELL` prints what a shell needs to
//! complete commands and options.

use std::fs;
use std::io;
use std::path::PathBuf;

use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::cli::arguments::command;
use crate::cli::arguments::help::{examples, explained, topic};
use crate::cli::exit::{EXIT_CODES, Exit, OrExit};
use crate::cli::output::Output;

/// When the texts were last looked through: the foot of each page shows it.
const DATE: &str = "2026-11-21";

pub fn help(name: &str, output: &mut Output) -> OrExit<()> {
    let mut program = explained(command());
    program.build();
    if let Some(text) = topic(name, &program) {
        return output.text(text);
    }
    let named = program.find_subcommand_mut(name).cloned();
    output.text(named.unwrap_or(program).render_long_help())
}

/// The manual: the page of the program goes to standard output, or all pages to a folder.
pub fn man(folder: Option<PathBuf>, output: &mut Output) -> OrExit<()> {
    let mut program = command();
    program.build();
    let Some(folder) = folder.filter(|folder| folder.as_os_str() != "-") else {
        let (_, page) = page(program, "").map_err(|error| Exit::stdout(&error))?;
        return output.bytes(&page);
    };
    fs::create_dir_all(&folder).map_err(|error| {
        Exit::System(format!(
            "cannot make the folder {}: {error}",
            folder.display()
        ))
    })?;
    let commands: Vec<Command> = program.get_subcommands().cloned().collect();
    let commands = commands
        .into_iter()
        .map(|command| (command.get_name().to_owned(), command));
    for (name, command) in std::iter::once((String::new(), program)).chain(commands) {
        let written =
            page(command, &name).and_then(|(file, page)| fs::write(folder.join(file), page));
        written.map_err(|error| {
            Exit::System(format!("cannot write into {}: {error}", folder.display()))
        })?;
    }
    Ok(())
}

/// The file and the page of a command; the empty name is the program.
fn page(mut command: Command, name: &str) -> io::Result<(String, Vec<u8>)> {
    let usage = command.render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").to_owned();
    let program = concat!("queencount ", env!("CARGO_PKG_VERSION"));
    let title = command
        .get_display_name()
        .unwrap_or("queencount")
        .to_uppercase();
    let man = Man::new(command.override_usage(usage))
        .title(title)
        .date(DATE)
        .source(program);
    let mut page = Vec::new();
    man.render(&mut page)?;
    let mut more = Roff::new();
    more.control("SH", ["EXAMPLES"]);
    for (line, does) in examples(name) {
        more.control("TP", []).text([bold(line)]);
        if !does.is_empty() {
            more.text([roman(does)]);
        }
    }
    more.control("SH", ["EXIT STATUS"]);
    for &(code, meaning) in EXIT_CODES {
        more.control("TP", [])
            .text([bold(code)])
            .text([roman(meaning)]);
    }
    if !name.is_empty() {
        more.control("SH", ["SEE ALSO"])
            .text([bold("queencount"), roman("(1)")]);
    }
    more.to_writer(&mut page)?;
    Ok((man.get_filename(), page))
}

pub fn completions(shell: Shell, output: &mut Output) -> OrExit<()> {
    let all = command();
    // Without N: zsh would take the first word for it, and complete no command.
    let options = all
        .get_arguments()
        .filter(|argument| !argument.is_positional())
        .cloned();
    let program = Command::new("queencount")
        .about(all.get_about().cloned().unwrap_or_default())
        .args(options);
    let mut program = program
        .disable_help_subcommand(true)
        .subcommands(all.get_subcommands().cloned());
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut program, "queencount", &mut script);
    output.text(String::from_utf8_lossy(&script))
}

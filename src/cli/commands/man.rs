//! `queencount man [DIR]`: the manual, a page for the program and one for each command.
//!
//! The pages are made of the same descriptions as the help. [`Page`] writes them in the language of man(7).

mod page;

use std::fs;

use clap::{Arg, Command};

use crate::cli::arguments::command;
use crate::cli::arguments::commands::ManArguments;
use crate::cli::arguments::help::examples;
use crate::cli::exit::{EXIT_CODES, Failure};
use crate::cli::output::Output;

use page::{Page, bold, italic, roman};

/// When the texts were last looked through: the foot of each page shows it.
const DATE: &str = "2026-11-21";

/// Runs it: the page of the program goes to standard output, or all pages to a folder.
pub fn run(arguments: &ManArguments, output: &mut Output) -> Result<(), Failure> {
    let mut program = command();
    program.build();
    let Some(folder) = &arguments.folder else {
        return output.text(page_of(&program, ""));
    };
    fs::create_dir_all(folder)
        .map_err(|error| Failure::System(format!("cannot make the folder {}: {error}", folder.display())))?;
    let commands = program.get_subcommands().map(|command| (command, command.get_name()));
    for (command, name) in std::iter::once((&program, "")).chain(commands) {
        let path = folder.join(format!("{}.1", title(command)));
        fs::write(&path, page_of(command, name))
            .map_err(|error| Failure::System(format!("cannot write {}: {error}", path.display())))?;
    }
    Ok(())
}

/// The name of a page.
fn title(command: &Command) -> &str {
    command.get_display_name().unwrap_or("queencount")
}

/// The page of a command; the empty name is the program.
fn page_of(command: &Command, name: &str) -> String {
    let mut page = Page::new(title(command), DATE, concat!("queencount ", env!("CARGO_PKG_VERSION")));
    let about = |text: Option<&clap::builder::StyledStr>| text.map(ToString::to_string).unwrap_or_default();
    page.section("NAME");
    page.fill(&format!("{} - {}", title(command), about(command.get_about())));
    page.section("SYNOPSIS");
    synopsis(&mut page, command);
    page.section("DESCRIPTION");
    page.paragraphs(&about(command.get_long_about().or(command.get_about())));
    let (own, common): (Vec<&Arg>, Vec<&Arg>) =
        command.get_arguments().filter(|argument| !argument.is_hide_set()).partition(|argument| is_own(argument));
    page.section("OPTIONS");
    own.into_iter().for_each(|argument| option(&mut page, argument));
    page.section("OPTIONS OF EVERY COMMAND");
    common.into_iter().for_each(|argument| option(&mut page, argument));
    if name.is_empty() {
        page.section("COMMANDS");
        for command in command.get_subcommands() {
            page.term(&[bold(title(command)), roman("(1)")]);
            page.paragraphs(&about(command.get_about()));
        }
    }
    page.section("EXAMPLES");
    for &(line, does) in examples(name) {
        page.example(line, does);
    }
    page.section("EXIT STATUS");
    for &(code, meaning) in EXIT_CODES {
        page.term(&[bold(code)]);
        page.paragraphs(meaning);
    }
    if !name.is_empty() {
        page.section("SEE ALSO");
        page.line(&[bold("queencount"), roman("(1)")]);
    }
    page.finish()
}

/// Whether an argument belongs to this command, and not to every one.
fn is_own(argument: &Arg) -> bool {
    argument.get_help_heading().is_none()
}

/// How a command is used: its own options, the others as a whole, then what has no name.
fn synopsis(page: &mut Page, command: &Command) {
    let name = command.get_bin_name().unwrap_or("queencount");
    if command.has_subcommands() {
        page.line(&[bold(name), roman(" ["), italic("OPTION"), roman(" ...] ["), italic("N"), roman("]")]);
        page.line_break();
        return page.line(&[bold(name), roman(" ["), italic("OPTION"), roman(" ...] "), italic("COMMAND")]);
    }
    page.line(&[bold(name)]);
    let shown = |argument: &&Arg| is_own(argument) && !argument.is_hide_set() && argument.get_id() != "help";
    let (places, options): (Vec<&Arg>, Vec<&Arg>) =
        command.get_arguments().filter(shown).partition(|argument| argument.is_positional());
    for option in options {
        let mut parts = vec![bold(format!("--{}", option.get_long().unwrap_or_default()))];
        parts.extend(value_of(option).into_iter().flat_map(|value| [roman(" "), italic(value)]));
        bracketed(page, option, parts);
    }
    page.line(&[roman("["), italic("OPTION"), roman(" ...]")]);
    for place in places {
        bracketed(page, place, value_of(place).into_iter().map(italic).collect());
    }
}

/// A line of a synopsis: in brackets, if it can be left out.
fn bracketed(page: &mut Page, argument: &Arg, mut parts: Vec<page::Text>) {
    if !argument.is_required_set() {
        parts.insert(0, roman("["));
        parts.push(roman("]"));
    }
    if argument.is_positional() && argument.get_num_args().is_some_and(|values| values.max_values() > 1) {
        parts.push(roman(" ..."));
    }
    page.line(&parts);
}

/// The name of the value that an argument takes, if it takes one.
fn value_of(argument: &Arg) -> Option<String> {
    let names = argument.get_value_names().filter(|_| argument.get_action().takes_values())?;
    Some(names.join(" "))
}

/// An argument, what it means, what its value may be, and what it is by default.
fn option(page: &mut Page, argument: &Arg) {
    let names =
        [argument.get_short().map(|short| format!("-{short}")), argument.get_long().map(|long| format!("--{long}"))];
    let mut term = Vec::new();
    for name in names.into_iter().flatten() {
        if !term.is_empty() {
            term.push(roman(", "));
        }
        term.push(bold(name));
    }
    if let Some(value) = value_of(argument) {
        if !term.is_empty() {
            term.push(roman(" "));
        }
        term.push(italic(value));
    }
    page.term(&term);
    let help = argument.get_long_help().or(argument.get_help());
    page.paragraphs(&help.map(ToString::to_string).unwrap_or_default());
    let values: Vec<_> = argument.get_possible_values().into_iter().filter(|value| !value.is_hide_set()).collect();
    if values.iter().any(|value| value.get_help().is_some()) {
        page.indent();
        for value in &values {
            page.term(&[bold(value.get_name())]);
            page.paragraphs(&value.get_help().map(ToString::to_string).unwrap_or_default());
        }
        page.outdent();
    } else if !values.is_empty() && argument.get_action().takes_values() {
        let names: Vec<&str> = values.iter().map(|value| value.get_name()).collect();
        page.next_paragraph();
        page.fill(&format!("One of {}.", names.join(", ")));
    }
    let defaults = argument.get_default_values();
    if !defaults.is_empty() && argument.get_action().takes_values() && !argument.is_hide_default_value_set() {
        page.next_paragraph();
        page.fill(&format!("Default: {}.", defaults[0].to_string_lossy()));
    }
}

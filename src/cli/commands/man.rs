//! `queencount man [DIR]`: the manual, a page for the program and one for each command.

use std::fs;
use std::io::{self, Write};

use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::cli::arguments::command;
use crate::cli::arguments::commands::ManArguments;
use crate::cli::arguments::help::{Example, examples};
use crate::cli::exit::{EXIT_CODES, Failure};
use crate::cli::output::Output;

/// Runs it: the page of the program goes to standard output, or all pages to a folder.
pub fn run(arguments: &ManArguments, output: &mut Output) -> Result<(), Failure> {
    let mut program = command().disable_help_subcommand(true);
    program.build();
    let Some(folder) = &arguments.folder else {
        let page = page(&program, "").map_err(|error| Failure::stdout(&error))?;
        return output.text(String::from_utf8_lossy(&page));
    };
    let commands = program.get_subcommands().map(|command| (command, command.get_name()));
    for (command, name) in std::iter::once((&program, "")).chain(commands) {
        let path = folder.join(Man::new(command.clone()).get_filename());
        page(command, name)
            .and_then(|page| fs::write(&path, page))
            .map_err(|error| Failure::System(format!("cannot write {}: {error}", path.display())))?;
    }
    Ok(())
}

/// The page of a command; the empty name is the program.
fn page(command: &Command, name: &str) -> io::Result<Vec<u8>> {
    let man = Man::new(command.clone());
    let mut page = Vec::new();
    // The title by hand, because the crate would leave out its date where that is empty.
    let title = command.get_display_name().unwrap_or("queencount").to_uppercase();
    writeln!(page, ".TH {title} 1 \"\" \"queencount {}\"", env!("CARGO_PKG_VERSION"))?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if name.is_empty() {
        man.render_subcommands_section(&mut page)?;
    }
    more(name).to_writer(&mut page)?;
    Ok(page)
}

/// The sections that arguments do not tell.
fn more(name: &str) -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", ["EXAMPLES"]);
    for &(line, does) in examples(name) {
        definition(&mut roff, (line, does));
    }
    roff.control("SH", ["EXIT STATUS"]);
    for &code in EXIT_CODES {
        definition(&mut roff, code);
    }
    if !name.is_empty() {
        roff.control("SH", ["SEE ALSO"]);
        roff.text([bold("queencount"), roman("(1)")]);
    }
    roff
}

/// A term, and what it means below it.
fn definition(roff: &mut Roff, (term, meaning): Example) {
    roff.control("TP", []);
    roff.text([bold(term)]);
    roff.text([roman(meaning)]);
}

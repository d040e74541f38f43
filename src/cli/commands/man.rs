//! `queencount man [COMMAND]`: prints the man page of the program or of a command. `--to` writes
//! all pages to a directory.

use std::fs;
use std::io;
use std::path::Path;

use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::cli::destination::Destination;
use crate::cli::error::{EXIT_CODES, Error, Result};
use crate::cli::flags::command;
use crate::cli::flags::commands::ManArguments;
use crate::cli::flags::help::examples;
use crate::cli::output;

/// The date in the footer of each page: the day on which the text was last revised.
const DATE: &str = "2026-11-29";

pub(crate) fn run(args: &ManArguments) -> Result<()> {
    let mut program = command();
    program.build();
    if let Some(directory) = &args.to {
        return write_all(&program, directory);
    }
    let command = match &args.command {
        Some(name) => program.find_subcommand(name).expect("a command"),
        None => &program,
    };
    let (_, page) = page(command).map_err(|error| Error::stdout(&error))?;
    output::print(page)
}

/// Writes all pages, each completely or not at all.
fn write_all(program: &Command, directory: &Path) -> Result<()> {
    let name = directory.display();
    fs::create_dir_all(directory).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => Error::Usage(format!(
            "--to: expected a directory, found {name}, which is not one"
        )),
        _ => Error::System(format!(
            "cannot create the directory {name}: {error}; choose another with --to"
        )),
    })?;
    let mut pages = Vec::new();
    for command in std::iter::once(program).chain(program.get_subcommands()) {
        let (file, page) = page(command).map_err(|error| Error::System(error.to_string()))?;
        let file = Destination::new(&directory.join(file), "--to", &[])?;
        pages.push((file, String::from_utf8(page).expect("pages are text")));
    }
    for (file, page) in pages {
        file.write(&page)?;
    }
    Ok(())
}

fn page(command: &Command) -> io::Result<(String, Vec<u8>)> {
    let name = command.get_name();
    let title = command
        .get_display_name()
        .unwrap_or("queencount")
        .to_uppercase();
    let man = Man::new(command.clone())
        .title(title)
        .date(DATE)
        .source(concat!("queencount ", env!("CARGO_PKG_VERSION")));
    let mut page = Vec::new();
    man.render(&mut page)?;
    let mut more = Roff::new();
    more.control("SH", ["EXAMPLES"]).control("nf", []);
    for line in examples(name).lines() {
        more.text([roman(line)]);
    }
    more.control("fi", []);
    more.control("SH", ["EXIT STATUS"]);
    for &(code, meaning) in EXIT_CODES {
        more.control("TP", [])
            .text([bold(code)])
            .text([roman(meaning)]);
    }
    if name != "queencount" {
        more.control("SH", ["SEE ALSO"])
            .text([bold("queencount"), roman("(1)")]);
    }
    more.to_writer(&mut page)?;
    Ok((man.get_filename(), page))
}

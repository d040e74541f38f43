//! `queencount status FILE...`: the progress of a count shared by many machines.
//!
//! Flaws of records are shown together with the progress, because a campaign of months needs both.

mod campaign;
mod page;
mod text;

use std::io::{IsTerminal, stdout};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use campaign::Campaign;

use crate::cli::arguments::commands::StatusArguments;
use crate::cli::counting::Counting;
use crate::cli::destination::Destination;
use crate::cli::exit::{Exit, OrExit};
use crate::cli::notes::note;
use crate::cli::output::{Form, Output};

pub fn run(arguments: &StatusArguments, counting: &Counting, output: &mut Output) -> OrExit<()> {
    let mut seen = false;
    loop {
        let begun = Instant::now();
        let verdict = show(arguments, counting, output);
        match (&verdict, arguments.watch) {
            (Err(Exit::Incomplete(_) | Exit::Wrong(_)), Some(_)) => seen = true,
            // A directory or a disk that is away for a moment. One that was never there is a
            // mistake.
            (Err(Exit::System(line)), Some(_)) if seen => note(format_args!("{line}; looks again")),
            _ => return verdict,
        }
        let pause = Duration::from_secs(arguments.watch.unwrap_or_default());
        thread::sleep(pause.saturating_sub(begun.elapsed()));
    }
}

/// Shows the progress now.
fn show(arguments: &StatusArguments, counting: &Counting, output: &mut Output) -> OrExit<()> {
    let campaign = Campaign::read(arguments, counting)?;
    if let Some(file) = &arguments.html {
        Destination::new(file, "--html", &arguments.records.paths)?
            .write(&page::page(&campaign))?;
    }
    match output.form() {
        // The page is what standard output has.
        _ if arguments.html.as_deref() == Some(Path::new("-")) => {}
        Form::Json => output.fields(&campaign.row().fields())?,
        Form::Csv => campaign
            .groups()
            .try_for_each(|group| output.fields(&group.fields()))?,
        _ => {
            // Removes the last text from the screen of a terminal.
            let is_watched = arguments.watch.is_some() && stdout().is_terminal();
            let clear = if is_watched { "\x1b[H\x1b[J" } else { "" };
            output.text(format_args!("{clear}{}", text::text(&campaign)))?
        }
    }
    campaign.verdict()
}

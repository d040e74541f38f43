//! `queencount status FILE...`: where a count stands that many machines share.
//!
//! Whatever is wrong with records is told beside the rest, and not instead of it: who counts for
//! months has to see both.

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
            // A folder or a disk that is away for a moment. One that has never been there is a
            // mistake.
            (Err(Exit::System(line)), Some(_)) if seen => note(format_args!("{line}; looks again")),
            _ => return verdict,
        }
        let pause = Duration::from_secs(arguments.watch.unwrap_or_default());
        thread::sleep(pause.saturating_sub(begun.elapsed()));
    }
}

/// Shows where the count stands now.
fn show(arguments: &StatusArguments, counting: &Counting, output: &mut Output) -> OrExit<()> {
    let campaign = Campaign::read(arguments, counting)?;
    if let Some(file) = &arguments.html {
        Destination::new(file, "--html")?.write(&page::page(&campaign))?;
    }
    match output.form() {
        // The page is what standard output has.
        _ if arguments.html.as_deref() == Some(Path::new("-")) => {}
        Form::Json => output.fields(&campaign.fields())?,
        Form::Csv => campaign.lines().try_for_each(|line| output.fields(&line))?,
        _ => {
            // Takes the last text from the screen of a terminal.
            let clear = if arguments.watch.is_some() && stdout().is_terminal() {
                "\x1b[H\x1b[J"
            } else {
                ""
            };
            output.text(format_args!("{clear}{}", text::text(&campaign)))?
        }
    }
    campaign.verdict()
}

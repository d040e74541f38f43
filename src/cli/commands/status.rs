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

use crate::cli::app::App;
use crate::cli::destination::Destination;
use crate::cli::error::{Error, Result};
use crate::cli::flags::commands::StatusArguments;
use crate::cli::output::Format;

pub fn run(app: &mut App, args: &StatusArguments) -> Result<()> {
    let mut seen = false;
    loop {
        let begun = Instant::now();
        let verdict = show(app, args);
        match (&verdict, args.watch) {
            (Err(Error::Incomplete(_) | Error::Wrong(_)), Some(_)) => seen = true,
            // A directory or a disk that is away for a moment. One that was never there is a
            // mistake.
            (Err(Error::System(line)), Some(_)) if seen => {
                app.ui.error(format_args!("{line}; looks again"));
            }
            _ => return verdict,
        }
        let pause = Duration::from_secs(args.watch.unwrap_or_default());
        thread::sleep(pause.saturating_sub(begun.elapsed()));
    }
}

/// Shows the progress now.
fn show(app: &mut App, args: &StatusArguments) -> Result<()> {
    let campaign = Campaign::read(app, args)?;
    if let Some(file) = &args.html {
        Destination::new(file, "--html", &args.records.paths)?.write(&page::page(&campaign))?;
    }
    match app.output.format() {
        // The page is on stdout.
        _ if args.html.as_deref() == Some(Path::new("-")) => {}
        Format::Json => app.output.row(&campaign.row())?,
        Format::Csv => campaign
            .groups()
            .try_for_each(|group| app.output.row(&group))?,
        _ => {
            // Removes the last text from the screen of a terminal.
            let is_watched = args.watch.is_some() && stdout().is_terminal();
            let clear = if is_watched { "\x1b[H\x1b[J" } else { "" };
            app.output
                .text(format_args!("{clear}{}", text::text(&campaign)))?
        }
    }
    campaign.verdict()
}

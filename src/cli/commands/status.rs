//! `queencount status FILE...`: where a count stands that many machines share.
//!
//! Whatever is wrong with records is told beside the rest, and not instead of it: who counts for months has to see both.

mod campaign;
mod chart;
mod fields;
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
use crate::cli::exit::Exit;
use crate::cli::output::{Form, Output};

pub fn run(arguments: &StatusArguments, counting: &Counting, output: &mut Output) -> Result<(), Exit> {
    loop {
        let begun = Instant::now();
        let campaign = Campaign::read(arguments, counting)?;
        if let Some(file) = &arguments.html {
            Destination::new(file, "--html")?.write(&page::page(&campaign))?;
        }
        match output.form() {
            // The page is what standard output has.
            _ if arguments.html.as_deref() == Some(Path::new("-")) => {}
            Form::Json => output.fields(&fields::all(&campaign))?,
            Form::Csv => fields::lines(&campaign).try_for_each(|line| output.fields(&line))?,
            _ => {
                // Takes the last text from the screen of a terminal.
                let clear = if arguments.watch.is_some() && stdout().is_terminal() { "\x1b[H\x1b[J" } else { "" };
                output.text(format_args!("{clear}{}", text::text(&campaign)))?
            }
        }
        match arguments.watch.map(Duration::from_secs) {
            Some(pause) if !campaign.is_complete() => thread::sleep(pause.saturating_sub(begun.elapsed())),
            _ => return campaign.verdict(),
        }
    }
}

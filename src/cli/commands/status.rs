//! `queencount status PATH...`: where a count stands that many machines share.
//!
//! Whatever is wrong with records is told beside the rest, and not instead of it: who counts for months has to see both.

mod campaign;
mod chart;
mod json;
mod page;
mod text;

use std::io::{IsTerminal, stdout};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use campaign::Campaign;

use crate::cli::arguments::commands::StatusArguments;
use crate::cli::destination::Destination;
use crate::cli::exit::Exit;
use crate::cli::form::Form;
use crate::cli::output::{Output, Value};

/// Runs it.
pub fn run(arguments: &StatusArguments, output: &mut Output) -> Result<(), Exit> {
    loop {
        let begun = Instant::now();
        let campaign = Campaign::read(arguments)?;
        if let Some(file) = &arguments.html {
            Destination::new(file, "--html")?.write(&page::page(&campaign))?;
        }
        match output.form() {
            // The page is what standard output has.
            _ if arguments.html.as_deref() == Some(Path::new("-")) => {}
            Form::Json => output.text(json::json(&campaign))?,
            Form::Csv => csv(&campaign, output)?,
            Form::Text => output.text(format_args!("{}{}", again(arguments), text::text(&campaign)))?,
        }
        match arguments.watch.map(Duration::from_secs) {
            Some(pause) if !campaign.is_complete() => thread::sleep(pause.saturating_sub(begun.elapsed())),
            _ => return campaign.verdict(),
        }
    }
}

/// What takes the last text from the screen of a terminal before the next one.
fn again(arguments: &StatusArguments) -> &'static str {
    if arguments.watch.is_some() && stdout().is_terminal() { "\x1b[H\x1b[J" } else { "" }
}

/// A line for each source.
fn csv(campaign: &Campaign, output: &mut Output) -> Result<(), Exit> {
    for source in &campaign.standing.sources {
        output.fields(&[
            ("n", Value::Number(campaign.tally.plan().n.into())),
            (text::kind(campaign.by), Value::Text(source.name.clone())),
            ("share", Value::Real(source.work)),
            ("last_hour", Value::Real(source.hour)),
            ("last_day", Value::Real(source.day)),
            ("entries", Value::Number(source.entries)),
            ("core_seconds", Value::Real(source.seconds)),
            ("last_time", source.last.map_or(Value::Nothing, Value::Number)),
            ("audited", Value::Real(source.audited)),
            ("disputed", Value::Number(source.disputed)),
        ])?;
    }
    Ok(())
}

//! Loads records for the commands that read several of them, and reports flaws in the records.

use std::path::PathBuf;

use crate::record::{Loaded, Loader, RecordError, Tally, UnitSet};

use super::app::App;
use super::error::{Error, Result, with_sources};
use super::flags::commands::RecordArguments;
use super::numbers::quantity;

/// The maximum number of ranges in a message.
const SHOWN: usize = 10;

/// Loads records for a command that can skip flawed ones.
pub(super) fn load(
    app: &App,
    arguments: &RecordArguments,
    exclude: Option<&PathBuf>,
    salvage: bool,
) -> Result<Loaded> {
    let loaded = Loader::default()
        .n(arguments.n)
        .plan_hash(arguments.plan.clone())
        .options(app.config.options)
        .salvage(salvage)
        .exclude(exclude.cloned())
        .load(&arguments.paths)?;
    if let Some(other) = loaded.others.first() {
        app.ui.note(format_args!(
            "ignored: {} not named *.jsonl or *.jsonl.gz, such as {}",
            quantity(loaded.others.len() as u64, "file", "files"),
            other.display()
        ));
    }
    note_ignored(app, loaded.tally.ignored());
    if let Some(exclude) = exclude {
        app.ui.error(format_args!(
            "ignored: {} listed in {}",
            quantity(loaded.excluded, "line", "lines"),
            exclude.display()
        ));
    }
    Ok(loaded)
}

/// Loads records for a command that needs a total. With `salvage`, damaged lines and files that are
/// not records are skipped.
///
/// # Errors
/// Fails if there are any other flaws. If there are several, each is reported first.
pub(super) fn load_checked(
    app: &App,
    arguments: &RecordArguments,
    exclude: Option<&PathBuf>,
    salvage: bool,
) -> Result<Loaded> {
    let mut loaded = load(app, arguments, exclude, salvage)?;
    if salvage {
        for flaw in loaded.flaws.extract_if(.., |flaw| flaw.can_be_skipped()) {
            let flaw = with_sources(&flaw);
            app.ui.error(format_args!("skipped: {flaw}"));
        }
    }
    fail_on_transient(&mut loaded.flaws)?;
    if loaded.flaws.is_empty() {
        return Ok(loaded);
    }
    let all: u64 = loaded.flaws.iter().map(RecordError::flaw_count).sum();
    if let [_] = *loaded.flaws {
        return Err(loaded.flaws.remove(0).into());
    }
    for flaw in loaded.flaws {
        app.ui.error(format_args!("{}", Error::from(flaw)));
    }
    Err(Error::Wrong(format!(
        "no total: the records have {all} problems, listed above"
    )))
}

pub(super) fn fail_on_transient(flaws: &mut Vec<RecordError>) -> Result<()> {
    match flaws.iter().position(RecordError::is_transient) {
        Some(index) => Err(flaws.swap_remove(index).into()),
        None => Ok(()),
    }
}

pub(super) fn note_ignored(app: &App, lines: u64) {
    if lines > 0 {
        let lines = quantity(lines, "line", "lines");
        app.ui
            .note(format_args!("ignored: {lines} with audit findings"));
    }
}

/// Returns the error for records that lack units.
pub(super) fn incomplete(tally: &Tally) -> Error {
    let missing = tally.missing();
    let first: UnitSet = missing.ranges().take(SHOWN).collect();
    let more = match first.len() < missing.len() {
        true => ",...; 'merge --missing' prints all",
        false => "",
    };
    let units = quantity(tally.plan().units, "unit", "units");
    let number = missing.len();
    let are = if number == 1 { "is" } else { "are" };
    Error::Incomplete(format!(
        "incomplete: {number} of {units} {are} missing: {first}{more}"
    ))
}

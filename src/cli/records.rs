//! Loads records, and reports their flaws.

use std::path::PathBuf;

use crate::record::{Loaded, Loader, RecordError, Tally, UnitSet};

use super::app::App;
use super::error::{Error, Result, with_sources};
use super::flags::commands::RecordArguments;
use super::numbers::quantity;

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
        let lines = quantity(loaded.excluded, "line", "lines");
        let exclude = exclude.display();
        app.ui
            .error(format_args!("ignored: {lines} listed in {exclude}"));
    }
    Ok(loaded)
}

/// Loads records for a command that needs a total. Reports the flaws that `salvage` permits. Any
/// other flaw is an error.
pub(super) fn load_checked(
    app: &App,
    arguments: &RecordArguments,
    exclude: Option<&PathBuf>,
    salvage: bool,
) -> Result<Loaded> {
    let mut loaded = load(app, arguments, exclude, salvage)?;
    if salvage {
        for flaw in loaded.flaws.extract_if(.., |flaw| flaw.can_be_skipped()) {
            app.ui
                .error(format_args!("skipped: {}", with_sources(&flaw)));
        }
    }
    fail_on_transient(&mut loaded.flaws)?;
    if loaded.flaws.len() < 2 {
        return match loaded.flaws.pop() {
            Some(flaw) => Err(flaw.into()),
            None => Ok(loaded),
        };
    }
    let all: u64 = loaded.flaws.iter().map(RecordError::flaw_count).sum();
    for flaw in loaded.flaws {
        app.ui.error(Error::from(flaw));
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

pub(super) fn incomplete(tally: &Tally) -> Error {
    const SHOWN: usize = 10;
    let missing = tally.missing();
    let first: UnitSet = missing.ranges().take(SHOWN).collect();
    let number = missing.len();
    let more = if first.len() < number {
        ",...; 'merge --missing' prints all"
    } else {
        ""
    };
    let units = quantity(tally.plan().units, "unit", "units");
    let are = if number == 1 { "is" } else { "are" };
    Error::Incomplete(format!(
        "incomplete: {number} of {units} {are} missing: {first}{more}"
    ))
}

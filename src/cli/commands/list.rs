//! `queencount list N`: prints the solutions as fast as the reader accepts them.
//!
//! No solution is held in a buffer while the next one is being searched for.

pub(super) mod script;

use script::Script;

use crate::{BoardSize, Solutions};

use crate::cli::app::App;
use crate::cli::error::Result;
use crate::cli::flags::commands::ListArguments;
use crate::cli::flags::options::AllOptions;
use crate::cli::signals;
use crate::cli::ui::progress::Progress;

pub(crate) fn run(args: &ListArguments) -> Result<()> {
    let app = App::new(&AllOptions {
        counting: args.threads.into(),
        report: args.messages.into(),
    })?;
    let skip = args.skip.unwrap_or(0);
    let script = Script::new(args)?;
    let (mut solutions, _) = solutions_from(&app, args.n, skip, args.unique)?;
    // A signal may have arrived just as skipping ended.
    signals::check(String::new)?;
    let mut text = script.head.clone();
    let mut number = skip;
    let last = skip.saturating_add(args.limit.unwrap_or(u128::MAX));
    while number < last {
        if solutions.size_hint().0 == 0 {
            app.output.bytes(text.as_bytes())?;
            text.clear();
        }
        // Here, a signal ends the program at once.
        let Some(solution) = solutions.next() else {
            break;
        };
        if number > skip {
            text += script.between;
        }
        number += 1;
        script.write(&mut text, number, &solution);
    }
    text += script.tail;
    app.output.bytes(text.as_bytes())
}

/// Skips this many solutions, or all if there are fewer. Returns the remaining solutions, and the
/// number skipped.
pub(crate) fn solutions_from(
    app: &App,
    size: BoardSize,
    skip: u128,
    unique: bool,
) -> Result<(Solutions, u128)> {
    app.ui.detail(format_args!(
        "N = {size}: backtrack engine, one solution at a time, from number {}",
        skip.saturating_add(1)
    ));
    let mut solutions = match unique {
        true => Solutions::fundamental(size),
        false => Solutions::new(size),
    };
    let progress = Progress::new(format!("skipping solutions of N = {size}"));
    app.supervise(&progress, |counter, cancel| {
        let skipped = solutions.skip_ahead(skip, counter.thread_count(), cancel, &|share| {
            progress.reach(share);
        })?;
        Ok((solutions, skipped))
    })
}

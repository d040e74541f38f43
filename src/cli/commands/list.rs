//! `queencount list N`: prints the solutions as fast as the reader accepts them.
//!
//! No solution is held in a buffer while the next one is being searched for.

pub(super) mod script;

use script::Script;

use crate::{BoardSize, Solutions};

use crate::cli::app::App;
use crate::cli::error::Result;
use crate::cli::flags::commands::{ListArguments, ListFormat};
use crate::cli::flags::options::AllOptions;
use crate::cli::signals;
use crate::cli::supervise::supervise;
use crate::cli::ui::progress::Progress;

pub(crate) fn run(args: &ListArguments) -> Result<()> {
    let mut app = App::new(&AllOptions {
        counting: args.threads.into(),
        messages: args.messages,
        ..AllOptions::default()
    })?;
    let skip = args.skip.unwrap_or(0);
    let script = Script::new(args)?;
    let has_no_orbits = matches!(
        args.format,
        ListFormat::Ruled | ListFormat::Listing | ListFormat::JsonBoards
    );
    if args.unique && has_no_orbits {
        app.ui
            .note("this format does not show orbit sizes; text, table, board, json and csv do");
    }
    app.log_search(args.n, skip);
    let (mut solutions, _) = solutions_from(&app, args.n, skip, args.unique)?;
    // A signal may have arrived just as skipping ended.
    signals::check()?;
    let mut buffer = script.head.clone().into_bytes();
    let mut number = skip;
    let last = skip.saturating_add(args.limit.unwrap_or(u128::MAX));
    while number < last {
        if solutions.size_hint().0 == 0 {
            app.output.bytes(&buffer)?;
            buffer.clear();
        }
        // Here, a signal ends the program at once.
        let Some(solution) = solutions.next() else {
            break;
        };
        if number > skip {
            buffer.extend_from_slice(script.between.as_bytes());
        }
        number += 1;
        script.write(&mut buffer, number, &solution);
    }
    buffer.extend_from_slice(script.tail.as_bytes());
    app.output.bytes(&buffer)
}

/// Skips this many solutions, or all if there are fewer. Returns the remaining solutions, and the
/// number skipped.
pub(crate) fn solutions_from(
    app: &App,
    size: BoardSize,
    skip: u128,
    unique: bool,
) -> Result<(Solutions, u128)> {
    let mut solutions = match unique {
        true => Solutions::fundamental(size),
        false => Solutions::new(size),
    };
    let progress = Progress::new(format!("skipping solutions of N = {size}"));
    supervise(&app.ui, &app.machine, Some(&progress), |counter, cancel| {
        let skipped = solutions.skip_ahead(skip, counter.thread_count(), cancel, &|share| {
            progress.reach(share);
        })?;
        Ok((solutions, skipped))
    })
}

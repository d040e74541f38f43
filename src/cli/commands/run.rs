//! `queencount run N --record FILE`: counts the units missing from a record, and saves each task
//! there as soon as it is finished.

use std::path::PathBuf;
use std::slice;
use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;

use crate::record::{Journal, Loader, RecordError, RecordErrorKind, Tally, UnitSet};
use crate::{Backend, Engine};

use crate::cli::app::App;
use crate::cli::destination::check_no_input;
use crate::cli::error::{Error, Result};
use crate::cli::flags::commands::RunArguments;
use crate::cli::flags::quoted;
use crate::cli::input::UnitList;
use crate::cli::numbers::quantity;
use crate::cli::output::{Count, Format, Seconds};
use crate::cli::records;
use crate::cli::ui::progress::Progress;

#[derive(Serialize)]
struct RunReport {
    n: u32,
    total: Option<Count>,
    count: Count,
    missing: String,
    plan: String,
    seconds: Seconds,
    units: u64,
    threads: usize,
    engine: &'static str,
    kernel: Option<&'static str>,
    version: &'static str,
}

pub(crate) fn run(args: &RunArguments) -> Result<()> {
    let app = App::new(&args.options)?;
    let start = Instant::now();
    let units = args.units.as_ref().map(UnitList::read).transpose()?;
    check_no_input(
        &args.record,
        "--record",
        args.units.as_ref().and_then(UnitList::file),
    )?;
    let progress = Progress::new(format!("reading {}", args.record.display()));
    let mut journal = app.supervise(&progress, |_, cancel| {
        Loader::new()
            .engine(app.choice)
            .options(app.options)
            .stop(cancel)
            .on_progress(&|done| progress.reach(done))
            .resume(&args.record, args.n)
            .map_err(|error| unusable(&error, &args.record))
    })?;
    let engine = Arc::clone(journal.tally().engine());
    app.check_engine(&engine);
    app.log_plan(&engine);
    let (asked, part) = match (args.shard, units) {
        (Some(shard), _) => (shard.units(&engine).into(), format!("shard {shard} of ")),
        (None, Some(units)) => {
            units
                .check(&engine)
                .map_err(|error| Error::Usage(format!("--units: {error}")))?;
            let part = quantity(units.len(), "unit") + " of ";
            (units, part)
        }
        (None, None) => (UnitSet::from(0..engine.units()), String::new()),
    };
    count(&app, args, &mut journal, &asked, &part)?;
    let tally = journal.tally();
    let report = RunReport::new(&app, tally, start);
    if report.total.is_none() && app.output.format() == Format::Text {
        app.ui.note(format_args!(
            "done; {} still lacks {} of {} for N = {}",
            args.record.display(),
            tally.missing().len(),
            quantity(report.units, "unit"),
            args.n
        ));
        return Ok(());
    }
    let count = report.count.0;
    app.output.print(&report, format_args!("{count}\n"))
}

impl RunReport {
    fn new(app: &App, tally: &Tally, start: Instant) -> Self {
        let engine = tally.engine();
        Self {
            n: engine.size().get(),
            total: tally.total().map(Count),
            count: Count(tally.count()),
            missing: tally.missing().to_string(),
            plan: tally.plan().hash(),
            seconds: Seconds(start.elapsed()),
            units: engine.units(),
            threads: app.threads,
            engine: engine.name(),
            kernel: engine.backend().map(Backend::name),
            version: crate::VERSION,
        }
    }
}

/// Counts the units that are missing from the record, and shows the progress.
fn count(
    app: &App,
    args: &RunArguments,
    journal: &mut Journal,
    asked: &UnitSet,
    part: &str,
) -> Result<()> {
    let name = args.record.display();
    let engine = &Arc::clone(journal.tally().engine());
    let done = journal.tally().done();
    let wanted = asked.whole_tasks(engine);
    let left = journal.left(asked);
    if wanted != *asked {
        app.ui.note(format_args!(
            "tasks of {} units cannot be divided: counting {} units instead of {}",
            engine.units_per_task(),
            wanted.len(),
            asked.len()
        ));
    }
    if wanted.is_empty() && (args.shard.is_some() || args.units.is_some()) {
        app.ui.note("no units were selected: nothing to do");
    }
    if !done.is_empty() {
        app.ui.note(format_args!(
            "resuming {name}: {} done, {} left",
            quantity(done.len(), "unit"),
            left.len()
        ));
    }
    journal
        .create()
        .map_err(|error| unusable(&error, &args.record))?;
    if !journal.locked() {
        app.ui.note(format_args!(
            "{name} cannot be locked here; make sure that nothing else writes to it"
        ));
    }
    let units = Vec::from_iter(left.ranges());
    let counted = Vec::from_iter(wanted.difference(&left).ranges());
    let wanted = Vec::from_iter(wanted.ranges());
    let title = format!("{part}N = {}", args.n);
    let progress = Progress::with_units(title, engine, app.threads, &wanted, &counted);
    progress.found_before(journal.tally().count());
    let result = app.supervise(&progress, |counter, cancel| {
        progress.begin(app.forecast(engine, &units, cancel)?);
        journal
            .count(&left, counter.on_task(&|task| progress.add(task)))
            .map_err(|error| unusable(&error, &args.record))
    });
    if let Err(Error::Interrupted { .. }) = result {
        app.ui.note(format_args!(
            "finished work is saved in {name}; resume with: {}",
            quoted(std::env::args_os())
        ));
    }
    result.map(drop)
}

/// Returns the error for a file in which no count can be resumed, and says what to do.
fn unusable(error: &RecordError, record: &PathBuf) -> Error {
    const OTHER_FILE: &str = "; choose another file with --record";
    let hint = match error.kind() {
        RecordErrorKind::Io(error) => {
            return Error::file("write", record.display(), record, error, OTHER_FILE);
        }
        RecordErrorKind::NotARecord(_) | RecordErrorKind::OtherPlan(_) => OTHER_FILE.to_owned(),
        RecordErrorKind::Damaged(_) => match records::deletions(error.place()).pop() {
            Some(command) => format!("; to delete the line: {command}"),
            None => String::new(),
        },
        RecordErrorKind::Disagreement(_)
        | RecordErrorKind::SumTooLarge(_)
        | RecordErrorKind::WrongTotal { .. } => {
            return records::forbidden(error, slice::from_ref(record));
        }
        RecordErrorKind::Locked => {
            "; wait until it ends, or choose another file with --record".to_owned()
        }
        _ => String::new(),
    };
    Error::from(error).with_hint(&hint)
}

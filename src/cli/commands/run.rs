//! `queencount run N --record FILE`: counts the units that a record lacks, and saves every finished
//! task in it.
//!
//! The command is the same for the first time and after every interruption, on one machine and,
//! with a shard, on many. Units in the record are not counted again.

use std::path::Path;
use std::time::Instant;

use queencount::record::{Plan, Reader, UnitSet};
use queencount::{Backend, BoardSize, Engine, EngineChoice};
use serde::Serialize;

use crate::cli::app::App;
use crate::cli::arguments::commands::RunArguments;
use crate::cli::arguments::quoted;
use crate::cli::error::{Error, Result};
use crate::cli::from_records;
use crate::cli::numbers::quantity;
use crate::cli::output::{Count, Format, Seconds, VERSION};
use crate::cli::ui::progress::ProgressState;

#[derive(Serialize)]
struct RunRow {
    n: u32,
    total: Option<Count>,
    count: Count,
    complete: bool,
    missing: String,
    plan: String,
    seconds: Seconds,
    recorded: u64,
    units: u64,
    threads: usize,
    engine: &'static str,
    kernel: Option<&'static str>,
    version: &'static str,
}

pub fn run(app: &mut App, args: &RunArguments) -> Result<()> {
    let size = args.n;
    let name = args.record.display();
    let units = args.units.as_ref().map(|units| units.read()).transpose()?;
    let start = Instant::now();
    let engine = engine(app, size, &args.record)?;
    let engine = &engine;
    app.check_engine(engine)?;
    let (asked, title) = asked(args, units, engine)?;
    let wanted = asked.whole_tasks(engine);
    app.log_plan(engine);
    if wanted != asked {
        app.ui.note(format_args!(
            "tasks of {} units are counted whole: {} units instead of {}",
            engine.units_per_task(),
            wanted.len(),
            asked.len()
        ));
    }
    let plan = Plan::new(engine);
    let mut journal = from_records::journal(&args.record, &plan, args.site.as_ref())?;
    let left = wanted.without(journal.done());
    let recorded = journal.done().len();
    if wanted.is_empty() && (args.shard.is_some() || args.units.is_some()) {
        app.ui
            .note(format_args!("no units requested: nothing to do"));
    }
    if recorded > 0 {
        let done = quantity(recorded, "unit", "units");
        app.ui.note(format_args!(
            "resuming {name}: {done} done, {} left",
            left.len()
        ));
    }
    if !journal.locked() {
        app.ui.note(format_args!(
            "{name} cannot be locked here; make sure that nothing else writes to it"
        ));
    }
    let progress = ProgressState::of_units(engine, wanted.ranges()).resumed(
        title,
        engine,
        wanted.without(&left).ranges(),
    );
    let result = app.supervise(Some(&progress), |counter, _| {
        Ok(journal.count(engine, &left, counter.on_task(&|task| progress.add(task)))?)
    });
    if let Err(Error::Interrupted { .. }) = result {
        app.ui.note(format_args!(
            "finished work is saved in {name}; resume with: {}",
            quoted(std::env::args_os())
        ));
    }
    result?;
    let missing = journal.missing();
    let complete = missing.is_empty();
    let count = journal.total();
    if app.output.format() != Format::Text {
        return app.output.row(&RunRow {
            n: size.get(),
            total: complete.then_some(Count(count)),
            count: Count(count),
            complete,
            missing: missing.to_string(),
            plan: plan.hash(),
            seconds: Seconds(start.elapsed()),
            recorded,
            units: plan.units,
            threads: app.config.threads,
            engine: engine.name(),
            kernel: engine.backend().map(Backend::name),
            version: VERSION,
        });
    }
    if complete {
        return app.output.text(format_args!("{count}\n"));
    }
    app.ui.note(format_args!(
        "done; {name} still lacks {} of {} for N = {size}",
        missing.len(),
        quantity(plan.units, "unit", "units")
    ));
    Ok(())
}

/// Returns the engine of an existing record, with its plan, unless another one is asked for.
fn engine(app: &App, size: BoardSize, record: &Path) -> Result<Box<dyn Engine>> {
    if record.is_file()
        && let Some(plan) = Reader::open(record)?.plan()?
        && plan.n == size.get()
        && [Some(EngineChoice::Auto), plan.engine.parse().ok()].contains(&Some(app.config.engine))
    {
        return plan
            .engine(app.config.options)
            .map_err(|error| Error::Wrong(format!("{}: {error}", record.display())));
    }
    Ok(app.engine(size))
}

/// Returns the requested units, and a title for them.
fn asked(
    args: &RunArguments,
    units: Option<UnitSet>,
    engine: &dyn Engine,
) -> Result<(UnitSet, String)> {
    let size = engine.size();
    let all = engine.units();
    if let Some(shard) = args.shard {
        return Ok((
            shard.units(engine).into(),
            format!("shard {shard} of N = {size}"),
        ));
    }
    let Some(units) = units else {
        return Ok(((0..all).into(), format!("N = {size}")));
    };
    if units.end() > all {
        return Err(Error::Usage(format!(
            "expected units below {all}, the number of units for N = {size}, found {}",
            units.end() - 1
        )));
    }
    let title = format!("{} of N = {size}", quantity(units.len(), "unit", "units"));
    Ok((units, title))
}

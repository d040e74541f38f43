//! `queencount run N --record FILE`: counts the units missing from a record, and saves each task
//! there as soon as it is finished.
//!
//! The same command starts a count and resumes it after an interruption. It runs on one machine or,
//! with shards, on many. Units in the record are not counted again.

#![deny(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "counts are exact"
)]

use std::time::Instant;

use crate::Backend;
use crate::record::{Plan, UnitSet, engine_for};
use serde::Serialize;

use crate::cli::app::App;
use crate::cli::destination::check_no_input;
use crate::cli::error::{Error, Result};
use crate::cli::flags::commands::RunArguments;
use crate::cli::flags::quoted;
use crate::cli::input::UnitList;
use crate::cli::numbers::quantity;
use crate::cli::output::{Count, Format, Seconds};
use crate::cli::records;
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

pub(crate) fn run(app: &mut App, args: &RunArguments) -> Result<()> {
    let size = args.n;
    let name = args.record.display();
    let units = args.units.as_ref().map(|units| units.read()).transpose()?;
    let start = Instant::now();
    let engine = engine_for(&args.record, size, app.config.engine, app.config.options)?;
    let engine = &engine;
    app.check_engine(engine)?;
    let (asked, title) = match (args.shard, units) {
        (Some(shard), _) => (
            UnitSet::from(shard.units(engine)),
            format!("shard {shard} of N = {size}"),
        ),
        (None, Some(units)) => {
            units.check(engine)?;
            let title = format!("{} of N = {size}", quantity(units.len(), "unit", "units"));
            (units, title)
        }
        (None, None) => (UnitSet::from(0..engine.units()), format!("N = {size}")),
    };
    let wanted = asked.whole_tasks(engine);
    app.log_plan(engine);
    if wanted != asked {
        app.ui.note(format_args!(
            "tasks of {} units cannot be divided: counting {} units instead of {}",
            engine.units_per_task(),
            wanted.len(),
            asked.len()
        ));
    }
    let plan = Plan::new(engine);
    let inputs = args
        .exclude
        .exclude
        .iter()
        .chain(args.units.as_ref().and_then(UnitList::file));
    check_no_input(&args.record, "--record", inputs)?;
    let mut journal = records::journal(
        app,
        &args.record,
        &plan,
        args.site.as_ref(),
        args.exclude.exclude.as_ref(),
    )?;
    let left = wanted.difference(journal.done());
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
        wanted.difference(&left).ranges(),
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
    let count = journal.subtotal();
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
            version: crate::VERSION,
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

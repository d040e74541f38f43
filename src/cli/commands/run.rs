//! `queencount run N --record FILE`: counts the units missing from a record, and saves each task
//! there as soon as it is finished.

use std::sync::OnceLock;
use std::time::Instant;

use super::prelude::*;
use crate::cli::destination::{check_no_input, check_no_stream};
use crate::cli::input::UnitList;

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
    app.check_engine(engine);
    let (asked, part) = match (args.shard, units) {
        (Some(shard), _) => (shard.units(engine).into(), format!("shard {shard} of ")),
        (None, Some(units)) => {
            let part = quantity(units.len(), "unit", "units") + " of ";
            (units, part)
        }
        (None, None) => (UnitSet::from(0..engine.units()), String::new()),
    };
    asked.check(engine)?;
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
    let exclude = args.exclude.exclude.as_ref();
    let list = args.units.as_ref().and_then(UnitList::file);
    check_no_input(&args.record, "--record", exclude.into_iter().chain(list))?;
    check_no_stream(&args.record)?;
    let findings = match exclude {
        Some(path) => Findings::read(path, &plan)?,
        None => Findings::default(),
    };
    let mut journal = Journal::open_without(&args.record, &plan, &findings)?;
    records::note_ignored(app, journal.ignored());
    if let Some(site) = &args.site {
        journal = journal.site(site.clone());
    }
    let left = wanted.difference(journal.done());
    let recorded = journal.done().len();
    if wanted.is_empty() && (args.shard.is_some() || args.units.is_some()) {
        app.ui.note("no units requested: nothing to do");
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
    let units = Vec::from_iter(left.ranges());
    let counted = Vec::from_iter(wanted.difference(&left).ranges());
    let progress = app
        .count_progress(engine, &Vec::from_iter(wanted.ranges()), &counted)
        .title(format!("{part}N = {size}"));
    let rejected = OnceLock::new();
    let result = app.supervise(Some(&progress), |counter, cancel| {
        progress.begin(app.forecast(engine, &units, cancel)?);
        let on_task = |task: &Task| {
            if findings.rejects(&task.units, task.count) {
                rejected.get_or_init(|| UnitSet::from(task.units.clone()));
            }
            progress.add(task);
        };
        Ok(journal.count(engine, &left, counter.on_task(&on_task))?)
    });
    if let Err(Error::Interrupted { .. }) = result {
        app.ui.note(format_args!(
            "finished work is saved in {name}; resume with: {}",
            quoted(std::env::args_os())
        ));
    }
    result?;
    if let (Some(file), Some(units)) = (exclude, rejected.get()) {
        return Err(Error::Wrong(format!(
            "units {units}: the new count is the one that {file} rejects; \
             'audit --findings {file}' recounts it",
            file = file.display()
        )));
    }
    let missing = journal.missing();
    let complete = missing.is_empty();
    let count = Count(journal.subtotal());
    if !complete && app.output.format() == Format::Text {
        app.ui.note(format_args!(
            "done; {name} still lacks {} of {} for N = {size}",
            missing.len(),
            quantity(plan.units, "unit", "units")
        ));
        return Ok(());
    }
    let row = RunRow {
        n: size.get(),
        total: complete.then_some(count),
        count,
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
    };
    app.output.result(format_args!("{}\n", count.0), &row)
}

//! `queencount plan N`: shows how a count would be divided into units, without counting anything.

use std::ops::Range;

use super::prelude::*;

#[derive(Serialize)]
struct PlanRow {
    n: u32,
    engine: String,
    parameters: String,
    units: u64,
    tasks: u64,
    heaviest_task: f64,
    memory_bytes: u64,
    threads: usize,
    plan: String,
    version: &'static str,
}

#[derive(Serialize)]
struct ShardRow {
    shard: String,
    units: String,
    share_of_work: f64,
}

pub(crate) fn run(app: &mut App, args: &PlanArguments) -> Result<()> {
    let engine = app.engine(args.n);
    match args.shards {
        Some(of) => write_shards(engine.as_ref(), of, &mut app.output),
        None => write_plan(engine.as_ref(), app),
    }
}

fn write_shards(engine: &dyn Engine, of: u64, output: &mut Output) -> Result<()> {
    for (number, range) in shards(engine, of) {
        let row = ShardRow {
            shard: format!("{number}/{of}"),
            share_of_work: engine.work(range.clone()),
            units: UnitSet::from(range).to_string(),
        };
        let units = match row.units.as_str() {
            "" => "none",
            units => units,
        };
        let text = format!(
            "{}  units {units}  work {:.6}\n",
            row.shard, row.share_of_work
        );
        output.result(text, &row)?;
    }
    Ok(())
}

fn write_plan(engine: &dyn Engine, app: &mut App) -> Result<()> {
    let plan = Plan::new(engine);
    let threads = app.config.threads;
    let row = PlanRow {
        n: plan.n,
        units: plan.units,
        tasks: plan.units.div_ceil(engine.units_per_task()),
        heaviest_task: heaviest_task(engine),
        memory_bytes: engine.memory(threads),
        threads,
        plan: plan.hash(),
        engine: plan.engine,
        parameters: plan.parameters,
        version: crate::VERSION,
    };
    let parameters = match row.parameters.as_str() {
        "" => String::new(),
        parameters => format!(" ({parameters})"),
    };
    let text = format!(
        "\
board          {n} x {n}
engine         {}{parameters}
units          {}
tasks          {}, the heaviest has {:.2e} of the work
memory         {} on {}
plan           {}
",
        row.engine,
        row.units,
        row.tasks,
        row.heaviest_task,
        bytes(row.memory_bytes),
        quantity(threads as u64, "thread", "threads"),
        row.plan,
        n = row.n,
    );
    app.output.result(text, &row)
}

/// Returns the expected work of the heaviest task, looking at no more than 2000 evenly spaced tasks.
fn heaviest_task(engine: &dyn Engine) -> f64 {
    const MOST: u64 = 2000;
    let units = engine.units();
    let grain = engine.units_per_task();
    let tasks = units.div_ceil(grain);
    let step = tasks.div_ceil(MOST).max(1);
    (0..tasks.div_ceil(step))
        .map(|number| number * step)
        .map(|task| engine.work(task * grain..((task + 1) * grain).min(units)))
        .fold(0.0, f64::max)
}

pub(super) fn shards(engine: &dyn Engine, of: u64) -> impl Iterator<Item = (u64, Range<u64>)> {
    (1..=of).map(move |number| {
        let shard = Shard::new(number, of).expect("it is one of them");
        (number, shard.units(engine))
    })
}

pub(super) fn shards_with(units: &UnitSet, engine: &dyn Engine, of: u64) -> UnitSet {
    shards(engine, of)
        .filter(|(_, shard)| !UnitSet::from(shard.clone()).is_disjoint(units))
        .map(|(number, _)| number..number + 1)
        .collect()
}

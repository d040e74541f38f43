//! `queencount plan N`: shows how a count would be divided into units, without counting anything.
//!
//! The plan is the same on every machine, so the machines of a cluster need no coordination. The
//! time that a unit takes depends on the machine; `queencount estimate` measures it.

use std::ops::Range;

use crate::Engine;
use crate::record::{Plan, Shard, UnitSet};
use serde::Serialize;

use crate::cli::app::App;
use crate::cli::error::Result;
use crate::cli::flags::commands::PlanArguments;
use crate::cli::numbers::{bytes, quantity};
use crate::cli::output::{Format, Output};

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
    for (number, range) in (1..).zip(shards(engine, of)) {
        let work = engine.work(range.clone());
        let units = UnitSet::from(range).to_string();
        let shard = format!("{number}/{of}");
        if output.format() == Format::Text {
            let units = if units.is_empty() { "none" } else { &units };
            output.text(format_args!("{shard}  units {units}  work {work:.6}\n"))?;
        } else {
            output.row(&ShardRow {
                shard,
                units,
                share_of_work: work,
            })?;
        }
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
    if app.output.format() != Format::Text {
        return app.output.row(&row);
    }
    let parameters = if row.parameters.is_empty() {
        String::new()
    } else {
        format!(" ({})", row.parameters)
    };
    app.output.text(format_args!(
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
    ))
}

/// Returns the expected work of the heaviest task, which limits the number of machines that can
/// share the work. Considers at most 100,000 tasks.
fn heaviest_task(engine: &dyn Engine) -> f64 {
    const MOST: usize = 100_000;
    let units = engine.units();
    let grain = engine.units_per_task();
    let tasks = units.div_ceil(grain);
    let step = (tasks as usize).div_ceil(MOST).max(1);
    (0..tasks)
        .step_by(step)
        .map(|task| engine.work(task * grain..((task + 1) * grain).min(units)))
        .fold(0.0, f64::max)
}

/// Divides the units into this many shards, and returns the units of each shard.
pub(crate) fn shards(engine: &dyn Engine, of: u64) -> impl Iterator<Item = Range<u64>> {
    (1..=of).map(move |number| {
        Shard::new(number, of)
            .expect("it is one of them")
            .units(engine)
    })
}

/// Returns the numbers of the shards that contain any of these units.
pub(crate) fn shards_with(units: &UnitSet, engine: &dyn Engine, of: u64) -> UnitSet {
    let numbered = (1..).zip(shards(engine, of).map(UnitSet::from));
    numbered
        .filter(|(_, shard)| !shard.is_disjoint(units))
        .map(|(number, _)| number..number + 1)
        .collect()
}

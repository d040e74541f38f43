//! `queencount plan N`: which units there are, before anything is counted.
//!
//! The same on every machine: it is what the parts of a cluster agree on without speaking to each
//! other. How long the units take differs from machine to machine; `queencount estimate` says that.

use std::ops::Range;

use queencount::Engine;
use queencount::record::{Plan, Shard, UnitSet};

use crate::cli::arguments::commands::PlanArguments;
use crate::cli::counting::Counting;
use crate::cli::exit::OrExit;
use crate::cli::numbers::{bytes, quantity};
use crate::cli::output::{Form, Output, Value};

pub fn run(arguments: &PlanArguments, counting: &Counting, output: &mut Output) -> OrExit<()> {
    let engine = counting.engine_of(arguments.n);
    let engine = engine.as_ref();
    match arguments.shards {
        Some(of) => cut(engine, of, output),
        None => whole(engine, counting, output),
    }
}

/// The units of each shard, and its share of the work.
fn cut(engine: &dyn Engine, of: u64, output: &mut Output) -> OrExit<()> {
    for (part, units) in (1..).zip(shards(engine, of)) {
        let work = engine.work(units.clone());
        let units = UnitSet::from(units).to_string();
        if output.form() == Form::Text {
            let units = if units.is_empty() { "none" } else { &units };
            output.text(format_args!("{part}/{of}  units {units}  work {work:.6}\n"))?;
        } else {
            output.fields(&[
                ("shard", Value::Text(format!("{part}/{of}"))),
                ("units", Value::Text(units)),
                ("work", Value::Real(work)),
            ])?;
        }
    }
    Ok(())
}

fn whole(engine: &dyn Engine, counting: &Counting, output: &mut Output) -> OrExit<()> {
    let size = engine.size();
    let plan = Plan::new(engine);
    let (tasks, memory) = (
        plan.units.div_ceil(engine.units_per_task()),
        engine.memory(counting.threads),
    );
    let (heaviest, hash) = (heaviest_task(engine), plan.hash());
    if output.form() == Form::Text {
        let parameters = if plan.parameters.is_empty() {
            String::new()
        } else {
            format!(" ({})", plan.parameters)
        };
        return output.text(format_args!(
            "\
board          {size} x {size}
engine         {}{parameters}
units          {}
tasks          {tasks}, the heaviest {heaviest:.2e} of the work
memory         {} on {}
plan           {hash}
",
            plan.engine,
            plan.units,
            bytes(memory),
            quantity(counting.threads as u64, "thread", "threads"),
        ));
    }
    output.fields(&[
        ("n", Value::Number(size.get().into())),
        ("engine", Value::Text(plan.engine)),
        ("parameters", Value::Text(plan.parameters)),
        ("units", Value::Number(plan.units)),
        ("tasks", Value::Number(tasks)),
        ("heaviest_task", Value::Real(heaviest)),
        ("memory_bytes", Value::Number(memory)),
        ("threads", Value::Number(counting.threads as u64)),
        ("plan", Value::Text(hash)),
        ("version", env!("CARGO_PKG_VERSION").into()),
    ])
}

/// The expected work of the heaviest task, or of the heaviest of a hundred thousand where there are
/// very many: what limits the number of machines that can share the work.
fn heaviest_task(engine: &dyn Engine) -> f64 {
    const MOST: usize = 100_000;
    let grain = engine.units_per_task();
    let cut = |task: u64| engine.cumulative_work((task * grain).min(engine.units()));
    let tasks = engine.units().div_ceil(grain);
    let step = (tasks as usize).div_ceil(MOST).max(1);
    (0..tasks)
        .step_by(step)
        .map(|task| cut(task + 1) - cut(task))
        .fold(0.0, f64::max)
}

/// The units of each shard, `of` being the number of all shards.
pub fn shards(engine: &dyn Engine, of: u64) -> impl Iterator<Item = Range<u64>> {
    (1..=of).map(move |part| {
        Shard::new(part, of)
            .expect("it is one of them")
            .units(engine)
    })
}

/// The numbers of the shards that have some of these units.
pub fn shards_with(units: &UnitSet, engine: &dyn Engine, of: u64) -> UnitSet {
    let numbered = (1..).zip(shards(engine, of).map(UnitSet::from));
    numbered
        .filter(|(_, shard)| !shard.is_disjoint(units))
        .map(|(number, _)| number..number + 1)
        .collect()
}

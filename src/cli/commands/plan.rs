//! `queencount plan N`: shows how a count would be divided into units, without counting anything.

use std::fmt;
use std::ops::Range;

use serde::Serialize;

use crate::Engine;
use crate::record::{Plan, Shard, UnitSet};

use crate::cli::app::App;
use crate::cli::error::Result;
use crate::cli::flags::commands::PlanArguments;
use crate::cli::numbers::{bytes, percent, threads};

#[derive(Serialize)]
struct PlanReport {
    n: u32,
    engine: String,
    #[serde(skip)]
    parameters: String,
    units: u64,
    tasks: u64,
    memory_bytes: u64,
    threads: usize,
    plan: String,
    version: &'static str,
}

#[derive(Serialize)]
struct ShardReport {
    shard: String,
    units: String,
    share_of_work: f64,
}

pub(crate) fn run(args: &PlanArguments) -> Result<()> {
    let mut app = App::new(&args.options)?;
    let engine = app.engine(args.n);
    let Some(of) = args.shards else {
        let report = PlanReport::new(engine.as_ref(), app.machine.threads);
        return app.output.print(&report);
    };
    for (number, range) in shards(engine.as_ref(), of) {
        app.output.print(&ShardReport {
            shard: format!("{number}/{of}"),
            share_of_work: engine.work(range.clone()),
            units: UnitSet::from(range).to_string(),
        })?;
    }
    Ok(())
}

impl PlanReport {
    fn new(engine: &dyn Engine, threads: usize) -> Self {
        let plan = Plan::new(engine);
        Self {
            n: plan.n,
            units: plan.units,
            tasks: plan.units.div_ceil(engine.units_per_task()),
            memory_bytes: engine.memory(threads),
            threads,
            plan: plan.hash(),
            engine: plan.engine,
            parameters: plan.parameters,
            version: crate::VERSION,
        }
    }
}

impl fmt::Display for PlanReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "board          {n} x {n}", n = self.n)?;
        write!(formatter, "engine         {}", self.engine)?;
        if !self.parameters.is_empty() {
            write!(formatter, " ({})", self.parameters)?;
        }
        writeln!(formatter, "\nunits          {}", self.units)?;
        writeln!(formatter, "tasks          {}", self.tasks)?;
        let memory = bytes(self.memory_bytes);
        writeln!(
            formatter,
            "memory         {memory} on {}",
            threads(self.threads)
        )?;
        writeln!(formatter, "plan           {}", self.plan)
    }
}

impl fmt::Display for ShardReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = match self.units.as_str() {
            "" => "none",
            units => units,
        };
        let shard = &self.shard;
        writeln!(
            formatter,
            "{shard}  units {units}  work {}",
            percent(self.share_of_work)
        )
    }
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

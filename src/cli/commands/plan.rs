//! `queencount plan N`: shows how a count would be divided into units, without counting anything.

use std::ops::Range;

use indicatif::HumanBytes;
use serde::Serialize;

use crate::Engine;
use crate::record::{Plan, Shard, UnitSet};

use crate::cli::app::App;
use crate::cli::error::Result;
use crate::cli::flags::commands::PlanArguments;
use crate::cli::numbers::{self, percent};

#[derive(Serialize)]
struct PlanReport {
    n: u32,
    engine: String,
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
    let app = App::new(&args.options)?;
    let engine = app.engine(args.n);
    let Some(of) = args.shards else {
        return print(&app, engine.as_ref());
    };
    for (number, range) in shards(engine.as_ref(), of) {
        let report = ShardReport {
            shard: format!("{number}/{of}"),
            share_of_work: engine.work(range.clone()),
            units: UnitSet::from(range).to_string(),
        };
        let units = match report.units.as_str() {
            "" => "none",
            units => units,
        };
        let share = percent(report.share_of_work);
        let text = format!("{}  units {units}  work {share}\n", report.shard);
        app.output.print(&report, text)?;
    }
    Ok(())
}

fn print(app: &App, engine: &dyn Engine) -> Result<()> {
    let threads = app.threads;
    let plan = Plan::new(engine);
    let parameters = match plan.parameters.as_str() {
        "" => String::new(),
        parameters => format!(" ({parameters})"),
    };
    let report = PlanReport {
        n: plan.n,
        units: plan.units,
        tasks: plan.units.div_ceil(engine.units_per_task()),
        memory_bytes: engine.memory(threads),
        threads,
        plan: plan.hash(),
        engine: plan.engine,
        version: crate::VERSION,
    };
    let text = format!(
        "board          {n} x {n}\n\
         engine         {}{parameters}\n\
         units          {}\n\
         tasks          {}\n\
         memory         {} on {}\n\
         plan           {}\n",
        report.engine,
        report.units,
        report.tasks,
        HumanBytes(report.memory_bytes),
        numbers::threads(threads),
        report.plan,
        n = report.n,
    );
    app.output.print(&report, text)
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

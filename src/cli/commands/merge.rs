//! `queencount merge FILE...`: adds up records, or lists what is missing.
//!
//! A partial sum is never printed, because a script could mistake it for the total.

use super::plan::shards_with;
use super::prelude::*;

#[derive(Serialize)]
struct MergeRow {
    n: u32,
    total: Option<Count>,
    complete: bool,
    missing: String,
    units: u64,
    units_counted: u64,
    units_counted_twice: u64,
    tasks: u64,
    entries: u64,
    repeated: u64,
    thread_seconds: f64,
    engine: String,
    plan: String,
    version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing_second: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shards: Option<String>,
}

pub(crate) fn run(app: &mut App, args: &MergeArguments) -> Result<()> {
    let exclude = args.exclude.exclude.as_ref();
    let loaded = records::load_checked(app, &args.records, exclude, args.salvage)?;
    let Loaded { tally, engine, .. } = &loaded;
    let plan = tally.plan();
    let missing = tally.missing();
    let twice = tally.counted_twice();
    if !twice.is_empty() {
        let share: f64 = twice.ranges().map(|units| engine.work(units)).sum();
        app.ui.note(format_args!(
            "{:.2}% of the work has been counted twice",
            100.0 * share
        ));
    }
    let second = args
        .second
        .then(|| lacking_second(app, args, tally, &twice));
    let asked = second.as_ref().unwrap_or(&missing);
    let shards = args
        .shards
        .map(|of| shards_with(asked, engine.as_ref(), of));
    let units = (args.missing || args.second).then_some(asked);
    let listed = shards.as_ref().or(units).map(UnitSet::to_string);
    let total = tally.total();
    let text = listed.or(total.map(|total| total.to_string()));
    let text = match text.as_deref() {
        None | Some("") => String::new(),
        Some(text) => format!("{text}\n"),
    };
    let row = MergeRow {
        n: plan.n,
        total: total.map(Count),
        complete: missing.is_empty(),
        missing: missing.to_string(),
        units: plan.units,
        units_counted: tally.done().len(),
        units_counted_twice: twice.len(),
        tasks: tally.tasks(),
        entries: tally.entry_count(),
        repeated: tally.repeated(),
        thread_seconds: tally.seconds(),
        engine: plan.engine.clone(),
        plan: plan.hash(),
        version: crate::VERSION,
        missing_second: second.as_ref().map(UnitSet::to_string),
        shards: shards.as_ref().map(UnitSet::to_string),
    };
    app.output.result(text, &row)?;
    match second {
        Some(second) if !second.is_empty() => {
            let units = quantity(plan.units, "unit", "units");
            Err(Error::Incomplete(format!(
                "incomplete: {} of {units} lack a second count",
                second.len()
            )))
        }
        None if !missing.is_empty() => Err(records::incomplete(tally)),
        _ => Ok(()),
    }
}

/// Returns the units that lack a second count, except those that the `--for` source has counted.
fn lacking_second(app: &App, args: &MergeArguments, tally: &Tally, twice: &UnitSet) -> UnitSet {
    let once = UnitSet::from(0..tally.plan().units).difference(twice);
    let Some(source) = &args.for_source else {
        return once;
    };
    if let Some(counted) = tally.counted_by(source) {
        return once.difference(&counted);
    }
    app.ui.note(format_args!(
        "{} is not a source of these records, stands for several, or has no counts yet",
        source.display()
    ));
    once
}

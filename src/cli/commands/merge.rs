//! `queencount merge PATH...`: adds up records, or lists what is missing.
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
    lines: u64,
    thread_seconds: f64,
    engine: String,
    plan: String,
    version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    shards: Option<String>,
}

pub(crate) fn run(app: &mut App, args: &MergeArguments) -> Result<()> {
    let Loaded { tally, .. } = &records::load_for(app, &args.records, Purpose::Total)?;
    let plan = tally.plan();
    let missing = tally.missing();
    let shards = args
        .shards
        .map(|of| shards_with(&missing, tally.engine(), of).to_string());
    let row = MergeRow {
        n: plan.n,
        total: tally.total().map(Count),
        complete: missing.is_empty(),
        missing: missing.to_string(),
        units: plan.units,
        units_counted: tally.done().len(),
        lines: tally.entry_count(),
        thread_seconds: tally.seconds(),
        engine: plan.engine.clone(),
        plan: plan.hash(),
        version: crate::VERSION,
        shards,
    };
    let text = match (&row.shards, args.missing, row.total) {
        (Some(list), ..) => list.clone(),
        (None, true, _) => row.missing.clone(),
        (None, false, Some(Count(total))) => total.to_string(),
        (None, false, None) => String::new(),
    };
    let newline = if text.is_empty() { "" } else { "\n" };
    app.output.result(text + newline, &row)?;
    if missing.is_empty() {
        Ok(())
    } else {
        Err(records::incomplete(tally))
    }
}

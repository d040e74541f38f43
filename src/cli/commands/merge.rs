//! `queencount merge PATH...`: adds up records, or lists what is missing.
//!
//! A partial sum is never printed, because a script could mistake it for the total.

use serde::Serialize;

use crate::record::{Loaded, Purpose};

use super::plan::shards_with;
use crate::cli::app::App;
use crate::cli::error::Result;
use crate::cli::flags::commands::MergeArguments;
use crate::cli::output::Count;
use crate::cli::records;

#[derive(Serialize)]
struct MergeReport {
    n: u32,
    total: Option<Count>,
    missing: String,
    units: u64,
    units_counted: u64,
    thread_seconds: f64,
    engine: String,
    plan: String,
    version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    shards: Option<String>,
}

pub(crate) fn run(args: &MergeArguments) -> Result<()> {
    let app = App::reporting(args.report)?;
    let Loaded { tally, .. } = &records::load(&app, &args.records, Purpose::Total)?;
    let plan = tally.plan();
    let missing = tally.missing();
    let shards = args
        .shards
        .map(|of| shards_with(&missing, tally.engine(), of).to_string());
    let report = MergeReport {
        n: plan.n,
        total: tally.total().map(Count),
        missing: missing.to_string(),
        units: plan.units,
        units_counted: tally.done().len(),
        thread_seconds: tally.seconds(),
        engine: plan.engine.clone(),
        plan: plan.hash(),
        version: crate::VERSION,
        shards,
    };
    // The requested list or the total, if there is any.
    let text = match (&report.shards, args.missing, report.total) {
        (Some(list), ..) => list.clone(),
        (None, true, _) => report.missing.clone(),
        (None, false, Some(Count(total))) => total.to_string(),
        (None, false, None) => String::new(),
    };
    let end = if text.is_empty() { "" } else { "\n" };
    app.output.print(&report, text + end)?;
    if missing.is_empty() {
        Ok(())
    } else {
        Err(records::incomplete(tally))
    }
}

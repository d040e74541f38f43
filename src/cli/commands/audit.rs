//! `queencount audit FILE...`: some entries of records, drawn at random, counted again by an independent method.

use std::ops::Range;
use std::time::Instant;

use queencount::record::Audit;

use crate::cli::arguments::commands::AuditArguments;
use crate::cli::counting::Counting;
use crate::cli::exit::Failure;
use crate::cli::form::Form;
use crate::cli::output::{Output, Value};
use crate::cli::progress::Meter;
use crate::cli::seed;

use super::merge;

/// Runs it.
pub fn run(arguments: &AuditArguments, counting: &Counting, output: &mut Output) -> Result<(), Failure> {
    let tally = merge::tally(&arguments.records)?;
    let engine = tally.plan().engine(counting.resources()).map_err(|error| Failure::Wrong(error.to_string()))?;
    let seed = arguments.seed.unwrap_or_else(seed::unforeseen);
    let start = Instant::now();
    let entries = tally.entries().count() as u64;
    let drawn = tally.sample(arguments.sample.of(entries) as usize, seed);
    if drawn.is_empty() {
        return Err(Failure::Incomplete("incomplete: the records have no entries".to_owned()));
    }
    let units: u64 = drawn.iter().map(|(entry, _)| entry.units.end - entry.units.start).sum();
    let work_of = |units: &Range<u64>| engine.work_before(units.end) - engine.work_before(units.start);
    let work: f64 = drawn.iter().map(|(entry, _)| work_of(&entry.units)).sum();
    // Before hours of it, because it is for the user to say whether it is worth them.
    let sample = format!("{} of {entries} entries", drawn.len());
    let size = format!("{units} units, {:.2} % of the work for N = {}", 100.0 * work, tally.plan().n);
    counting.note(format_args!("recounting {sample} by backtracking: {size}"));
    let meter = Meter::of(engine.as_ref(), drawn.iter().map(|(entry, _)| entry.units.clone()));
    let report = counting
        .watched(Some(&meter), start, |fan_out, _| Audit::run(engine.as_ref(), &drawn, fan_out.observer(&meter)))?;
    let wrong = report.wrong.len() as u64;
    if output.form() == Form::Text {
        for wrong in &report.wrong {
            let (place, units) = (&wrong.place, &wrong.entry.units);
            let (count, recount) = (wrong.entry.count, wrong.recount);
            output.text(format_args!(
                "{place}: units {} to {}: {count} recorded, {recount} recounted\n",
                units.start,
                units.end - 1
            ))?;
        }
        output.text(format_args!("{sample} recounted, {wrong} wrong ({size}; seed {seed})\n"))?;
        if wrong == 0 {
            output.text(if report.entries == entries {
                "Every entry has been counted twice, by independent methods.\n".to_owned()
            } else {
                format!(
                    "If 1 % of the entries were wrong, {:.0} % of such audits would pass. If {:.1} % were wrong, 5 % \
                     would pass.\n",
                    100.0 * report.chance_to_pass(0.01),
                    100.0 * report.detected_share(),
                )
            })?;
        }
    } else {
        let places: Vec<String> = report.wrong.iter().map(|wrong| wrong.place.to_string()).collect();
        output.fields(&[
            ("n", Value::Number(tally.plan().n.into())),
            ("drawn", Value::Number(report.entries)),
            ("entries", Value::Number(entries)),
            ("units", Value::Number(units)),
            ("work", Value::Real(work)),
            ("wrong", Value::Number(wrong)),
            ("places", Value::Text(places.join("; "))),
            ("detected_share", Value::Real(report.detected_share())),
            ("seed", Value::Number(seed)),
            ("seconds", Value::Seconds(start.elapsed())),
            ("engine", Value::Text(tally.plan().engine.clone())),
            ("plan", Value::Text(tally.plan().hash())),
            ("version", Value::Word(env!("CARGO_PKG_VERSION"))),
        ])?;
    }
    if wrong == 0 { Ok(()) } else { Err(Failure::Wrong(format!("the audit found {wrong} wrong entries"))) }
}

//! `queencount merge FILE...`: the sum of records, or what is missing from it.
//!
//! Standard output has the total or nothing, so that a script cannot mistake a part for the whole.
//!
//! `queencount publish FILE...`, which is here, too: what a finished count has found, as one record
//! for everybody. It has the plan, and a line for each task in the order of units. It says nothing
//! of who has counted, when, how often or in which pieces. So the same counts are the same bytes,
//! whoever publishes them, and a hash of these bytes stands for the count.

use std::ops::Range;

use queencount::record::UnitSet;

use crate::cli::arguments::commands::{MergeArguments, PublishArguments};
use crate::cli::arguments::values::source_name;
use crate::cli::counting::Counting;
use crate::cli::exit::{Exit, OrExit};
use crate::cli::from_records;
use crate::cli::numbers::quantity;
use crate::cli::output::{Form, Output, Value};

use super::plan::shards_with;

pub fn run(arguments: &MergeArguments, counting: &Counting, output: &mut Output) -> OrExit<()> {
    let (tally, engine) = from_records::tally(&arguments.records, counting, arguments.salvage)?;
    let (missing, total, twice) = (tally.missing(), tally.total(), tally.twice(arguments.by));
    let complete = missing.is_empty();
    if !twice.is_empty() {
        let work = |units: Range<u64>| engine.work(units);
        let share = 100.0 * twice.ranges().map(work).sum::<f64>();
        counting.watch.note(format_args!(
            "{share:.2} % of the work has been counted twice alike, by different {}s",
            source_name(arguments.by)
        ));
    }
    let once = arguments.second.then(|| {
        let once = UnitSet::from(0..tally.plan().units).without(&twice);
        let done = arguments
            .for_name
            .as_ref()
            .map(|name| tally.counted_by(arguments.by, name));
        once.without(&done.unwrap_or_default())
    });
    let asked = once.as_ref().unwrap_or(&missing);
    let shards = arguments
        .shards
        .map(|of| shards_with(asked, engine.as_ref(), of));
    if output.form() == Form::Text {
        // What is missing is asked for instead of the total.
        match shards
            .as_ref()
            .or((arguments.missing || arguments.second).then_some(asked))
        {
            Some(asked) if !asked.is_empty() => output.text(format_args!("{asked}\n"))?,
            None if complete => output.text(format_args!("{total}\n"))?,
            _ => {}
        }
    } else {
        let mut fields = vec![
            ("n", Value::Number(tally.plan().n.into())),
            (
                "total",
                if complete {
                    Value::Count(total)
                } else {
                    Value::Nothing
                },
            ),
            ("complete", Value::Truth(complete)),
            ("missing", Value::Text(missing.to_string())),
            ("units", Value::Number(tally.plan().units)),
            ("done", Value::Number(tally.done().len())),
            ("twice", Value::Number(twice.len())),
            ("entries", Value::Number(tally.tasks())),
            ("repeated", Value::Number(tally.repeated())),
            ("core_seconds", Value::Real(tally.seconds())),
            ("engine", Value::Text(tally.plan().engine.clone())),
            ("plan", Value::Text(tally.plan().hash())),
            ("version", env!("CARGO_PKG_VERSION").into()),
        ];
        fields.extend(
            once.as_ref()
                .map(|once| ("second", Value::Text(once.to_string()))),
        );
        fields.extend(shards.map(|shards| ("shards", Value::Text(shards.to_string()))));
        output.fields(&fields)?;
    }
    match once {
        Some(once) if !once.is_empty() => {
            let units = quantity(tally.plan().units, "unit", "units");
            Err(Exit::Incomplete(format!(
                "incomplete: {} of {units} lack a second count",
                once.len()
            )))
        }
        None if !complete => Err(from_records::incomplete(&tally)),
        _ => Ok(()),
    }
}

pub fn publish(
    arguments: &PublishArguments,
    counting: &Counting,
    output: &mut Output,
) -> OrExit<()> {
    /// The number of bytes that are written at a time, about.
    const PIECE: usize = 1 << 16;
    let (tally, _) = from_records::tally(&arguments.records, counting, arguments.salvage)?;
    if !tally.missing().is_empty() {
        return Err(from_records::incomplete(&tally));
    }
    let mut plan = tally.plan().clone();
    // Several versions of the program may have counted.
    plan.program.clear();
    let mut lines = plan.to_line();
    for (mut entry, _) in tally.entries() {
        (
            entry.seconds,
            entry.kernel,
            entry.time,
            entry.site,
            entry.host,
        ) = (0.0, None, None, None, None);
        lines += &entry.to_line(&plan);
        if lines.len() >= PIECE {
            output.text(&lines)?;
            lines.clear();
        }
    }
    output.text(lines)
}

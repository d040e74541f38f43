//! `queencount run N --record FILE`: counts what a record lacks, and keeps everything that is
//! finished in it.
//!
//! The command is the same for the first time and for every time after an interruption, on one
//! machine and, with a shard, on many. What it prints is for people; the record is the result.
//! Nothing that is on record is counted again.

use std::time::Instant;

use queencount::record::{Plan, Selection, engine_for};

use crate::cli::arguments::commands::RunArguments;
use crate::cli::arguments::quoted;
use crate::cli::counting::{Counting, Report};
use crate::cli::exit::{Exit, OrExit};
use crate::cli::from_records;
use crate::cli::numbers::quantity;
use crate::cli::output::{Form, Output, Value};
use crate::cli::progress::Gauge;

pub fn run(arguments: &RunArguments, counting: &Counting, output: &mut Output) -> OrExit<()> {
    let size = arguments.n;
    let name = arguments.record.display();
    let units = arguments
        .units
        .as_ref()
        .map(|units| units.read())
        .transpose()?;
    let start = Instant::now();
    let engine = engine_for(&arguments.record, size, counting.engine, counting.resources)?;
    let engine = engine.as_ref();
    counting.check_engine(engine)?;
    let (selection, title) = match (arguments.shard, units) {
        (Some(shard), _) => (
            Selection::Shard(shard),
            format!("shard {shard} of N = {size}"),
        ),
        (None, Some(units)) => {
            let title = format!("{} of N = {size}", quantity(units.len(), "unit", "units"));
            (Selection::Units(units), title)
        }
        (None, None) => (Selection::All, format!("N = {size}")),
    };
    let asked = selection.units(engine)?;
    let wanted = asked.whole_tasks(engine);
    counting.say(engine);
    if wanted != asked {
        let (grain, all, some) = (engine.units_per_task(), wanted.len(), asked.len());
        counting.watch.note(format_args!(
            "tasks have {grain} units and are counted whole: {all} units in place of {some}"
        ));
    }
    let plan = Plan::new(engine);
    let site = arguments.site.as_ref();
    let exclude = arguments.exclude.exclude.as_ref();
    let mut journal = from_records::journal(&arguments.record, &plan, site, exclude)?;
    let left = wanted.difference(journal.done());
    if wanted.is_empty() && (arguments.shard.is_some() || arguments.units.is_some()) {
        counting
            .watch
            .note(format_args!("no units are asked for: nothing to do"));
    }
    let done = journal.done().len();
    if done > 0 {
        let (holds, left) = (quantity(done, "unit", "units"), left.len());
        let are = if left == 1 { "is" } else { "are" };
        counting.watch.note(format_args!(
            "{name} holds {holds} already; {left} {are} left to count"
        ));
    }
    if !journal.locked() {
        counting.watch.note(format_args!(
            "{name} cannot be locked here; make sure that nobody else writes it"
        ));
    }
    let gauge = Gauge::of_units(engine, wanted.ranges()).resumed(
        title,
        engine,
        wanted.difference(&left).ranges(),
    );
    let counted = counting.watched(Some(&gauge), start, |counter, _| {
        Ok(journal.count(engine, &left, counter.on_task(&|task| gauge.add(task)))?)
    });
    if let Err(Exit::Interrupted { .. }) = &counted {
        let this_command = quoted(std::env::args_os());
        counting.watch.note(format_args!(
            "{name} keeps what is finished; resume with: {this_command}"
        ));
    }
    counted?;
    let report = Report::new(engine, journal.subtotal(), counting.threads, start);
    let missing = journal.missing();
    let complete = missing.is_empty();
    if output.form() != Form::Text {
        let mut fields = report.fields();
        // The units that were on record have not taken any of the time.
        fields.insert(4, ("recorded", Value::Number(done)));
        fields[1] = (
            "total",
            if complete {
                Value::Count(report.total)
            } else {
                Value::Nothing
            },
        );
        let more = [
            ("count", Value::Count(report.total)),
            ("complete", Value::Truth(complete)),
            ("missing", Value::Text(missing.to_string())),
            ("plan", Value::Text(plan.hash())),
        ];
        fields.splice(2..2, more);
        return output.fields(&fields);
    }
    if complete {
        return output.text(format_args!("{}\n", report.total));
    }
    let (missing, units) = (missing.len(), quantity(plan.units, "unit", "units"));
    counting.watch.note(format_args!(
        "done; {name} lacks {missing} of {units} of N = {size}"
    ));
    Ok(())
}

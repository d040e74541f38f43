//! `queencount run N --record FILE`: counts what a record lacks, and keeps everything that is finished in it.
//!
//! The command is the same for the first time and for every time after an interruption, on one machine and, with a
//! shard, on many. What it prints is for people; the record is the result.

use crate::cli::arguments::commands::RunArguments;
use crate::cli::counting::Counting;
use crate::cli::exit::Exit;
use crate::cli::form::Form;
use crate::cli::into_record::{self, Outcome, Selection};
use crate::cli::numbers::quantity;
use crate::cli::output::{Output, Value};

/// Runs it.
pub fn run(arguments: &RunArguments, counting: &Counting, output: &mut Output) -> Result<(), Exit> {
    let size = arguments.n;
    let selection = match (&arguments.shard, &arguments.units) {
        (Some(shard), _) => Selection::Shard(*shard),
        (None, Some(units)) => Selection::Units(units.read()?),
        (None, None) => Selection::All,
    };
    let Outcome { counted, plan, missing } =
        into_record::count(counting, size, &arguments.record, &selection, arguments.site.as_deref())?;
    if output.form() == Form::Text {
        if missing.is_empty() {
            return output.text(format_args!("{}\n", counted.total));
        }
        let (missing, units) = (missing.len(), quantity(plan.units, "unit", "units"));
        let record = arguments.record.display();
        counting.note(format_args!("done; {record} lacks {missing} of {units} of N = {size}"));
        return Ok(());
    }
    let mut fields = counted.fields();
    let (complete, hash) = (missing.is_empty(), plan.hash());
    fields[1] = ("total", if complete { Value::Count(counted.total) } else { Value::Nothing });
    fields.splice(
        2..2,
        [
            ("count", Value::Count(counted.total)),
            ("complete", Value::Truth(complete)),
            ("missing", Value::Text(missing.to_string())),
            ("plan", Value::Text(hash)),
        ],
    );
    output.fields(&fields)
}

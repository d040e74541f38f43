//! `queencount merge FILE...`: the sum of records, or what is missing from it.
//!
//! Standard output has the total or nothing, so that a script cannot mistake a part for the whole.

use queencount::record::{Loaded, UnitSet};

use super::plan::shards_with;
use crate::cli::arguments::commands::MergeArguments;
use crate::cli::counting::Counting;
use crate::cli::exit::{Exit, OrExit};
use crate::cli::from_records;
use crate::cli::numbers::quantity;
use crate::cli::output::{Field, Form, Output, Value};

/// The result of a merge.
struct MergeRow {
    n: u32,
    total: Option<u128>,
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
    /// The units that lack a second count, if it is asked for.
    missing_second: Option<String>,
    /// The shards that lack what is asked for.
    shards: Option<String>,
}

pub fn run(arguments: &MergeArguments, counting: &Counting, output: &mut Output) -> OrExit<()> {
    let exclude = arguments.exclude.exclude.as_ref();
    let loaded =
        from_records::load_checked(&arguments.records, exclude, counting, arguments.salvage)?;
    let Loaded { tally, engine, .. } = &loaded;
    let missing = tally.missing();
    let twice = tally.counted_twice();
    if !twice.is_empty() {
        let share = 100.0 * twice.ranges().map(|units| engine.work(units)).sum::<f64>();
        counting
            .watch
            .note(format_args!("{share:.2} % of the work is counted twice"));
    }
    let second = match arguments.second {
        true => Some(lacking_second(arguments, counting, &loaded, &twice)),
        false => None,
    };
    let asked = second.as_ref().unwrap_or(&missing);
    let shards = arguments
        .shards
        .map(|of| shards_with(asked, engine.as_ref(), of));
    if output.form() == Form::Text {
        // What is missing is printed instead of the total.
        let listed = match &shards {
            Some(shards) => Some(shards),
            None => (arguments.missing || arguments.second).then_some(asked),
        };
        match (listed, tally.total()) {
            (Some(listed), _) if !listed.is_empty() => output.text(format_args!("{listed}\n"))?,
            (None, Some(total)) => output.text(format_args!("{total}\n"))?,
            _ => {}
        }
    } else {
        let row = MergeRow {
            n: tally.plan().n,
            total: tally.total(),
            complete: missing.is_empty(),
            missing: missing.to_string(),
            units: tally.plan().units,
            units_counted: tally.done().len(),
            units_counted_twice: twice.len(),
            tasks: tally.tasks(),
            entries: tally.lines(),
            repeated: tally.repeated(),
            thread_seconds: tally.seconds(),
            engine: tally.plan().engine.clone(),
            plan: tally.plan().hash(),
            version: queencount::VERSION,
            missing_second: second.as_ref().map(UnitSet::to_string),
            shards: shards.map(|shards| shards.to_string()),
        };
        output.fields(&row.fields())?;
    }
    match second {
        Some(second) if !second.is_empty() => {
            let units = quantity(tally.plan().units, "unit", "units");
            let lack = second.len();
            Err(Exit::Incomplete(format!(
                "incomplete: {lack} of {units} lack a second count"
            )))
        }
        None if !missing.is_empty() => Err(from_records::incomplete(tally)),
        _ => Ok(()),
    }
}

/// Returns the units that lack a second count, which the source of `--for` can make.
fn lacking_second(
    arguments: &MergeArguments,
    counting: &Counting,
    loaded: &Loaded,
    twice: &UnitSet,
) -> UnitSet {
    let once = UnitSet::from(0..loaded.tally.plan().units).difference(twice);
    let Some(source) = &arguments.for_source else {
        return once;
    };
    match loaded.tally.counted_by(source) {
        Some(counted) => once.difference(&counted),
        None => {
            let source = source.display();
            counting.watch.note(format_args!(
                "{source} is not a source: it has no counts yet"
            ));
            once
        }
    }
}

impl MergeRow {
    fn fields(self) -> Vec<Field> {
        let mut fields = vec![
            ("n", Value::Number(self.n.into())),
            ("total", self.total.map_or(Value::Nothing, Value::Count)),
            ("complete", Value::Truth(self.complete)),
            ("missing", Value::Text(self.missing)),
            ("units", Value::Number(self.units)),
            ("units_counted", Value::Number(self.units_counted)),
            (
                "units_counted_twice",
                Value::Number(self.units_counted_twice),
            ),
            ("tasks", Value::Number(self.tasks)),
            ("entries", Value::Number(self.entries)),
            ("repeated", Value::Number(self.repeated)),
            ("thread_seconds", Value::Real(self.thread_seconds)),
            ("engine", Value::Text(self.engine)),
            ("plan", Value::Text(self.plan)),
            ("version", self.version.into()),
        ];
        fields.extend(
            self.missing_second
                .map(|second| ("missing_second", Value::Text(second))),
        );
        fields.extend(self.shards.map(|shards| ("shards", Value::Text(shards))));
        fields
    }
}

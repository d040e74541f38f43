//! `queencount merge FILE...`: the sum of records, or what is missing from it.
//!
//! Standard output has the total or nothing, so that a script cannot mistake a part for the whole.

use std::path::PathBuf;

use queencount::Resources;
use queencount::record::{Record, Tally};

use super::arguments::Merge;
use super::exit::Failure;
use super::output::{Format, Output, Value};

/// Runs it.
pub fn run(arguments: &Merge, output: &mut Output) -> Result<(), Failure> {
    let tally = tally(&arguments.records)?;
    let (missing, total) = (tally.missing(), tally.total());
    let complete = missing.is_empty();
    match output.format() {
        Format::Text if arguments.missing && complete => {}
        Format::Text if arguments.missing => output.text(format_args!("{missing}\n"))?,
        Format::Text if complete => output.text(format_args!("{total}\n"))?,
        Format::Text => {}
        _ => output.fields(&[
            ("n", Value::Number(tally.plan().n.into())),
            ("total", if complete { Value::Count(total) } else { Value::Nothing }),
            ("complete", Value::Truth(complete)),
            ("missing", Value::Text(missing.to_string())),
            ("units", Value::Number(tally.plan().units)),
            ("done", Value::Number(tally.done().len())),
            ("entries", Value::Number(tally.entries().count() as u64)),
            ("repeated", Value::Number(tally.repeated())),
            ("core_seconds", Value::Real(tally.seconds())),
            ("engine", Value::Text(tally.plan().engine.clone())),
            ("plan", Value::Text(tally.plan().hash())),
            ("version", Value::Word(env!("CARGO_PKG_VERSION"))),
        ])?,
    }
    if complete {
        return Ok(());
    }
    let (lacking, units) = (missing.len(), tally.plan().units);
    Err(Failure::Incomplete(format!("incomplete: {lacking} of {units} units are missing: {missing}")))
}

/// What records of one plan sum to.
pub fn tally(records: &[PathBuf]) -> Result<Tally, Failure> {
    let mut tally: Option<Tally> = None;
    for path in records {
        let record = Record::read(path)?;
        // A record whose writer did not come as far as the plan has nothing to add.
        let Some(plan) = &record.plan else { continue };
        if tally.is_none() {
            // A plan that names other units than its engine has would make a total of something else.
            plan.engine(Resources::default())
                .map_err(|reason| Failure::Wrong(format!("{}: {reason}", path.display())))?;
        }
        tally.get_or_insert_with(|| Tally::new(plan.clone())).add(record, path)?;
    }
    tally.ok_or_else(|| Failure::Incomplete("incomplete: the records are empty".to_owned()))
}

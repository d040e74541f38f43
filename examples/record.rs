//! Counts in parts, with a crash in between: `cargo run --release --example record -- 13`.
//!
//! Two machines count half of the board each, and save it in a record. The first machine crashes in
//! the middle of its work, and resumes after a restart. Then the records are merged, and some of
//! their entries are recounted.

use std::error::Error;
use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use queencount::record::{
    self, Audit, AuditDepth, Finding, Journal, Plan, RecordError, Shard, Tally, UnitSet,
};
use queencount::{BoardSize, CancelToken, CountError, Counter, Engine, EngineChoice, Task};

fn main() -> Result<(), Box<dyn Error>> {
    let n: u32 = std::env::args().nth(1).map_or(Ok(13), |n| n.parse())?;
    let engine = EngineChoice::Backtrack.engine(BoardSize::new(n)?);
    let engine = engine.as_ref();
    let folder = tempfile::tempdir()?;
    let records = [1, 2].map(|part| folder.path().join(format!("{part}.jsonl")));
    let [first, second] =
        [Shard::new(1, 2)?, Shard::new(2, 2)?].map(|shard| UnitSet::from(shard.units(engine)));

    println!(
        "N = {n} has {} units: {first} for the first machine, {second} for the second.",
        engine.units()
    );
    count_and_die(engine, &records[0], &first)?;
    println!(
        "The first machine died. Its record lacks the units {}.",
        missing(engine, &records[0], &first)?
    );
    count(engine, &records[0], &first)?;
    count(engine, &records[1], &second)?;

    let tally = merge(engine, &records)?;
    println!(
        "Merged: {} units are missing, {} solutions.",
        tally.missing().len(),
        tally.count()
    );

    let sample = tally.sample(20, 1);
    let tell = |finding: &Finding| println!("{finding}");
    let audit = Audit::run(
        engine,
        &sample,
        AuditDepth::Unit { seed: 1 },
        Counter::default(),
        &tell,
    )?;
    println!(
        "Audited: {} entries recounted, {} of them wrong.",
        audit.entries,
        audit.findings.len()
    );
    let chance = 100.0 * audit.chance_to_pass(0.1);
    println!("If one entry in ten were wrong, {chance:.0} % of such audits would find nothing.");
    Ok(())
}

/// Counts the units that are missing from a record.
fn count(engine: &dyn Engine, record: &Path, units: &UnitSet) -> Result<(), RecordError> {
    let mut journal = Journal::open(record, &Plan::new(engine))?;
    let before = journal.done().len();
    let added = journal.count(engine, units, Counter::default())?;
    println!(
        "{}: {before} units were done, the others have {added} solutions.",
        name(record)
    );
    Ok(())
}

/// Does the same, but the process is killed after five tasks, and the end of the last line is lost.
fn count_and_die(engine: &dyn Engine, record: &Path, units: &UnitSet) -> Result<(), RecordError> {
    let tasks_left = AtomicU64::new(5);
    let stop = CancelToken::new();
    let observer = |_: &Task| {
        if tasks_left.fetch_sub(1, Ordering::Relaxed) == 1 {
            stop.cancel();
        }
    };
    let mut journal = Journal::open(record, &Plan::new(engine))?;
    match journal.count(
        engine,
        units,
        Counter::default().on_task(&observer).stop(&stop),
    ) {
        Ok(_) | Err(RecordError::Count(CountError::Cancelled)) => {}
        Err(error) => return Err(error),
    }
    let io = |error| RecordError::Io(record.to_owned(), error);
    let file = OpenOptions::new().write(true).open(record).map_err(io)?;
    file.set_len(file.metadata().map_err(io)?.len() - 10)
        .map_err(io)
}

/// Returns the units that are missing from a record.
fn missing(engine: &dyn Engine, record: &Path, units: &UnitSet) -> Result<UnitSet, RecordError> {
    Ok(units.difference(merge(engine, &[record.to_owned()])?.done()))
}

fn merge(engine: &dyn Engine, records: &[PathBuf]) -> Result<Tally, RecordError> {
    record::merge(&Plan::new(engine), records)
}

/// Returns the file name of a record.
fn name(record: &Path) -> String {
    record
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

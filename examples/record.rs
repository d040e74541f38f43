//! Counts in parts, with a crash in between: `cargo run --release --example record -- 13`.
//!
//! Two machines count half of the board each, and save it in a record. The first machine crashes in
//! the middle of its work, and resumes after a restart. Then the records are merged, and some of
//! their entries are recounted.

use std::error::Error;
use std::fs::OpenOptions;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use queencount::record::{
    Audit, Finding, Journal, Loader, RecordError, RecordErrorKind, Shard, UnitSet,
};
use queencount::{BoardSize, CancelToken, CountError, Counter, Engine, EngineChoice, Task};

fn main() -> Result<(), Box<dyn Error>> {
    let n: u32 = std::env::args().nth(1).map_or(Ok(13), |n| n.parse())?;
    let engine: Arc<dyn Engine> = EngineChoice::Backtrack.engine(BoardSize::new(n)?).into();
    let folder = tempfile::tempdir()?;
    let [first, second] = [Shard::new(1, 2)?, Shard::new(2, 2)?]
        .map(|shard| UnitSet::from(shard.units(engine.as_ref())));
    println!(
        "N = {n} has {} units: {first} for the first machine, {second} for the second.",
        engine.units()
    );
    let records = [1, 2].map(|part| folder.path().join(format!("{part}.jsonl")));
    count_and_die(&engine, &records[0], &first)?;
    count(&engine, &records[0], &first)?;
    count(&engine, &records[1], &second)?;

    let loaded = Loader::new().load([folder.path()])?;
    let tally = &loaded.tally;
    println!(
        "Merged: {} units are missing, {} solutions.",
        tally.missing().len(),
        tally.count()
    );

    let sample = tally.sample(20, 1);
    let tell = |finding: &Finding| println!("{finding}");
    let audit = Audit::run(
        engine.as_ref(),
        &sample,
        1,
        Counter::default(),
        &|_| {},
        &tell,
    )?;
    println!(
        "Audited: {} tasks recounted, {} of them wrong.",
        sample.len(),
        audit.findings.len()
    );
    let chance = 100.0 * audit.chance_to_pass(0.1);
    println!("If one count in ten were wrong, {chance:.0} % of such audits would find nothing.");
    Ok(())
}

/// Counts the units that are missing from a record.
fn count(engine: &Arc<dyn Engine>, record: &Path, units: &UnitSet) -> Result<(), RecordError> {
    let mut journal = Journal::open(record, Arc::clone(engine))?;
    let before = journal.done().len();
    let added = journal.count(units, Counter::default())?;
    println!(
        "{}: {before} units were done, the others have {added} solutions.",
        name(record)
    );
    Ok(())
}

/// Does the same, but the process is killed after five tasks, and the end of the last line is lost.
fn count_and_die(
    engine: &Arc<dyn Engine>,
    record: &Path,
    units: &UnitSet,
) -> Result<(), Box<dyn Error>> {
    let tasks_left = AtomicU64::new(5);
    let stop = CancelToken::new();
    let observer = |_: &Task| {
        if tasks_left.fetch_sub(1, Ordering::Relaxed) == 1 {
            stop.cancel();
        }
    };
    let counter = Counter::default().on_task(&observer).stop(&stop);
    match Journal::open(record, Arc::clone(engine))?.count(units, counter) {
        Err(error) if !is_cancelled(&error) => return Err(error.into()),
        _ => println!("The first machine died."),
    }
    let file = OpenOptions::new().write(true).open(record)?;
    file.set_len(file.metadata()?.len() - 10)?;
    Ok(())
}

fn is_cancelled(error: &RecordError) -> bool {
    matches!(error.kind(), RecordErrorKind::Count(CountError::Cancelled))
}

/// Returns the file name of a record.
fn name(record: &Path) -> String {
    record
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

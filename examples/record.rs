//! Counts in parts, with an interruption: `cargo run --release --example record -- 13`.
//!
//! Two machines count half of the board each, and save it in a record. The first machine is
//! interrupted in the middle of its work, and resumes it later. Then the records are merged, and
//! some of their tasks are recounted.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use queencount::record::{
    Auditor, Finding, Journal, Loader, Purpose, RecordError, RecordErrorKind, Shard,
};
use queencount::{BoardSize, CancelToken, CountError, Counter, Engine, EngineChoice, Task};

fn main() -> Result<(), Box<dyn Error>> {
    let n: u32 = std::env::args().nth(1).map_or(Ok(13), |n| n.parse())?;
    let engine: Arc<dyn Engine> = EngineChoice::Backtrack.engine(BoardSize::new(n)?).into();
    let folder = tempfile::tempdir()?;
    let records = [1, 2].map(|part| folder.path().join(format!("{part}.jsonl")));

    // The first machine is interrupted after five tasks.
    let tasks = AtomicU64::new(0);
    let stop = CancelToken::new();
    let on_task = |_: &Task| {
        if tasks.fetch_add(1, Ordering::Relaxed) == 4 {
            stop.cancel();
        }
    };
    let interrupted = Counter::new().on_task(&on_task).stop(&stop);
    match count(&engine, &records[0], Shard::new(1, 2)?, interrupted) {
        Err(error) if is_cancelled(&error) => println!("The first machine was interrupted."),
        other => other?,
    }
    count(&engine, &records[0], Shard::new(1, 2)?, Counter::new())?;
    count(&engine, &records[1], Shard::new(2, 2)?, Counter::new())?;

    let loaded = Loader::new().load([folder.path()])?;
    if let Some(problem) = loaded.problems.forbidding(Purpose::Total) {
        return Err(problem.to_string().into());
    }
    println!("Together: {:?}", loaded.tally.total());
    let sample = loaded.tally.sample(20, 1);
    let on_finding = |finding: &Finding| println!("{finding}");
    let audit = Auditor::new()
        .on_finding(&on_finding)
        .run(&engine, &sample, 1)?;
    let chance = 100.0 * audit.chance_to_pass(0.1);
    println!(
        "Of {} recounted tasks, {} were wrong.",
        sample.len(),
        audit.findings.len()
    );
    println!("If one count in ten were wrong, {chance:.0}% of such audits would find nothing.");
    Ok(())
}

/// Counts the units of a shard that are missing from a record.
fn count(
    engine: &Arc<dyn Engine>,
    record: &Path,
    shard: Shard,
    counter: Counter<'_>,
) -> Result<(), RecordError> {
    let mut journal = Journal::open(record, Arc::clone(engine))?;
    let before = journal.tally().done().len();
    let solutions = journal.count(&shard.units(engine).into(), counter)?;
    println!("Shard {shard}: {before} units were done, the others have {solutions} solutions.");
    Ok(())
}

fn is_cancelled(error: &RecordError) -> bool {
    matches!(error.kind(), RecordErrorKind::Count(CountError::Cancelled))
}

//! Counts in parts, with an interruption: `cargo run --release --example record -- 13`.
//!
//! Two machines count half of the board each, and save it in a record. The first machine is
//! interrupted in the middle of its work, and resumes it later. Then the records are merged, and
//! some of their tasks are recounted.

use std::error::Error;
use std::sync::atomic::{AtomicU64, Ordering};

use queencount::record::{Auditor, Finding, Loader, Purpose, Shard};
use queencount::{BoardSize, CancelToken, Counter, Task};

fn main() -> Result<(), Box<dyn Error>> {
    let n: u32 = std::env::args().nth(1).map_or(Ok(13), |n| n.parse())?;
    let size = BoardSize::new(n)?;
    let folder = tempfile::tempdir()?;

    // The first machine is interrupted after five tasks.
    let tasks = AtomicU64::new(0);
    let stop = CancelToken::new();
    let on_task = |_: &Task| {
        if tasks.fetch_add(1, Ordering::Relaxed) == 4 {
            stop.cancel();
        }
    };
    let interrupted = Counter::new().on_task(&on_task).stop(&stop);
    for (part, counter) in [(1, interrupted), (1, Counter::new()), (2, Counter::new())] {
        let path = folder.path().join(format!("{part}.jsonl"));
        let mut journal = Loader::new().resume(path, size)?;
        let shard = Shard::new(part, 2)?;
        let units = shard.units(journal.tally().engine()).into();
        println!(
            "Shard {shard}: {} units are left.",
            journal.left(&units).len()
        );
        match journal.count(&units, counter) {
            Ok(solutions) => println!("They have {solutions} solutions."),
            Err(error) => println!("Interrupted: {error}."),
        }
    }

    let loaded = Loader::new().load([folder.path()])?;
    if let Some(problem) = loaded.problems.forbidding(Purpose::Total) {
        return Err(problem.to_string().into());
    }
    let tally = loaded.tally;
    println!("Together: {:?}", tally.total());
    let sample = tally.sample(20, 1);
    let on_finding = |finding: &Finding| println!("{finding}");
    let audit = Auditor::new()
        .on_finding(&on_finding)
        .run(tally.engine(), &sample, 1)?;
    let chance = 100.0 * audit.chance_to_pass(0.1);
    println!(
        "Of {} recounted tasks, {} were wrong.",
        sample.len(),
        audit.findings.len()
    );
    println!("If one count in ten were wrong, {chance:.0}% of such audits would find nothing.");
    Ok(())
}

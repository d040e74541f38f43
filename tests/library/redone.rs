//! A killed run loses only the task that each thread was working on.
//!
//! A record cannot show this, because it contains only finished tasks. Therefore a process that
//! will be killed logs every unit that it starts. Units that were started but not saved were lost.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use queencount::record::{Journal, Loaded, Loader, UnitSet};
use queencount::{BoardSize, Counter, Engine, EngineChoice, SplitMix64};

use crate::common;
use crate::fake::Fake;

/// A process that will be killed, and its count.
#[derive(Clone, Copy, Debug)]
struct Victim {
    engine: EngineChoice,
    n: u32,
    threads: usize,
}

const VICTIM: &str = "QUEENCOUNT_TEST_VICTIM";

impl Victim {
    fn engine(self) -> Box<dyn Engine> {
        self.engine.engine(BoardSize::new(self.n).unwrap())
    }

    /// Counts the units that are missing from the record in a directory.
    fn run(self, folder: &Path) {
        let log = OpenOptions::new()
            .append(true)
            .create(true)
            .open(folder.join("begun"))
            .unwrap();
        let engine = Fake::like(self.engine()).on_begin(move |unit| {
            // A single write at the end of the file either happens completely or not at all.
            (&log).write_all(format!("{unit}\n").as_bytes()).unwrap();
        });
        let mut journal = Journal::open(folder.join("record"), Arc::new(engine)).unwrap();
        let left = journal.missing();
        let counter = Counter::default().threads(self.threads);
        journal.count(&left, counter).unwrap();
    }

    /// Runs a separate process, and kills it after `life`. Returns whether it succeeded before.
    fn runs(self, folder: &Path, life: Option<Duration>) -> bool {
        let mut child = common::child::command(std::env::current_exe().unwrap())
            .args(["--exact", "redone::victim_counts_until_killed", "--ignored"])
            .env(
                VICTIM,
                format!(
                    "{}/{}/{}/{}",
                    self.engine().name(),
                    self.n,
                    self.threads,
                    folder.display()
                ),
            )
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let start = Instant::now();
        if let Some(life) = life {
            while start.elapsed() < life && child.try_wait().unwrap().is_none() {
                std::thread::sleep(Duration::from_millis(1));
            }
            // The process may have exited already.
            let _ = child.kill();
        }
        child.wait().unwrap().success()
    }

    /// Kills this number of runs. Starts a new record whenever one is complete, and completes the
    /// last.
    fn kill_runs(self, kills: usize) {
        let engine = self.engine();
        let mut random = SplitMix64::new(1);
        let (mut killed, mut records, mut lost_most, mut again) = (0, 0, 0, 0);
        while records == 0 || killed < kills {
            let folder = tempfile::tempdir().unwrap();
            let [record, log] = ["record", "begun"].map(|name| folder.path().join(name));
            // The number of units that all runs of this record have started.
            let mut begun = 0;
            loop {
                let life = (killed < kills).then(|| Duration::from_millis(10 + random.below(100)));
                let ended = self.runs(folder.path(), life);
                let (done, count) = match Loader::new().load([&record]) {
                    Ok(Loaded { tally, .. }) => {
                        assert_eq!(
                            tally.entry_count(),
                            tally.tasks(),
                            "a unit is recorded twice"
                        );
                        (tally.done().clone(), tally.count())
                    }
                    // The process was killed before it wrote its plan.
                    Err(_) => Default::default(),
                };
                let log = fs::read_to_string(&log).unwrap_or_default();
                let mut units = UnitSet::new();
                let new = log
                    .lines()
                    .skip(begun)
                    .map(|unit| unit.parse::<u64>().unwrap());
                new.for_each(|unit| units.insert(unit..unit + 1));
                begun = log.lines().count();
                let lost = units.difference(&done);
                let tasks: BTreeSet<u64> = lost
                    .ranges()
                    .flatten()
                    .map(|unit| unit / engine.units_per_task())
                    .collect();
                lost_most = lost_most.max(tasks.len());
                if ended {
                    let all = UnitSet::from(0..engine.units());
                    assert_eq!((count, done), (common::published(self.n), all));
                    break;
                }
                killed += 1;
            }
            again += begun as u64 - engine.units();
            records += 1;
        }
        println!(
            "{self:?}: {killed} kills, {records} records, at most {lost_most} groups lost, {again} units redone"
        );
        assert!(lost_most <= self.threads, "{lost_most} groups lost");
    }
}

#[test]
#[ignore = "the process that the other test kills"]
fn victim_counts_until_killed() {
    let victim = std::env::var(VICTIM).expect("only the other test starts this");
    let words: Vec<&str> = victim.splitn(4, '/').collect();
    let [engine, n, threads, folder] = words[..] else {
        panic!("{victim}")
    };
    let engine = engine.parse().unwrap();
    Victim {
        engine,
        n: n.parse().unwrap(),
        threads: threads.parse().unwrap(),
    }
    .run(Path::new(folder));
}

#[test]
fn killed_run_repeats_one_task_per_thread() {
    let kills = if common::long() { 200 } else { 6 };
    // These units are so large that threads share a task, and there are more threads than CPUs.
    Victim {
        engine: EngineChoice::Backtrack,
        n: 16,
        threads: 6,
    }
    .kill_runs(kills);
    Victim {
        engine: EngineChoice::Rows,
        n: 18,
        threads: 3,
    }
    .kill_runs(kills);
}

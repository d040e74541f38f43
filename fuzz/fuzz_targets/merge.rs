//! Entries in any number of files, in any order, repeated, overlapping and contradicting each other: a merge ends as a
//! table of units does, which is simple enough to be believed.

#![no_main]

use std::path::Path;
use std::sync::{LazyLock, Mutex};

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use queencount::record::{Entry, Plan, Record, RecordError, Tally};
use queencount::{BoardSize, Counter, EngineChoice, Observer, Task};

/// An entry, and whether it opens another file.
#[derive(Arbitrary, Debug)]
struct Line {
    first: u8,
    length: u8,
    count: Count,
    opens: bool,
}

/// A count: few small ones, so that they meet again, or one that overflows with the next.
#[derive(Arbitrary, Debug)]
enum Count {
    Small(u8),
    Huge,
}

fuzz_target!(|lines: Vec<Line>| {
    let engine = EngineChoice::Backtrack.plan(BoardSize::new(14).expect("a board"));
    let plan = Plan::new(engine.as_ref());
    let entries: Vec<(u64, u64, u128)> = lines.iter().map(|line| entry(line, &plan)).collect();
    let expected = table(&entries, &plan);

    let mut tally = Tally::new(plan.clone());
    let mut files: Vec<String> = vec![plan.to_line()];
    for (line, &(first, end, count)) in lines.iter().zip(&entries) {
        if line.opens {
            files.push(plan.to_line());
        }
        *files.last_mut().expect("a file") += &text(first, end, count, &plan);
    }
    let merged = files
        .iter()
        .try_for_each(|file| tally.add(Record::read_from(file.as_bytes(), Path::new("record"))?, Path::new("record")));
    match (merged, expected) {
        (Ok(()), Ok((total, done))) => {
            assert_eq!(tally.total(), total);
            assert_eq!(tally.done().len(), done);
            assert_eq!(tally.missing().len(), plan.units - done);
            assert_eq!(tally.repeated() as usize + tally.entries().count(), entries.len());
        }
        (Err(RecordError::Conflict { .. }), Err(Fault::Conflict)) => {}
        (Err(RecordError::Overflow), Err(Fault::Overflow)) => {}
        (merged, expected) => panic!("{merged:?}, expected {expected:?}"),
    }
});

fn entry(line: &Line, plan: &Plan) -> (u64, u64, u128) {
    let first = u64::from(line.first) % plan.units;
    let end = (first + 1 + u64::from(line.length % 8)).min(plan.units);
    let count = match line.count {
        Count::Small(count) => u128::from(count % 4),
        Count::Huge => u128::MAX - 2,
    };
    (first, end, count)
}

/// The line of an entry: one that has been counted, told to say something else.
fn text(first: u64, end: u64, count: u128, plan: &Plan) -> String {
    static COUNTED: LazyLock<Entry> = LazyLock::new(|| {
        struct Keep(Mutex<Option<Entry>>);
        impl Observer for Keep {
            fn counted(&self, task: &Task) {
                *self.0.lock().expect("one thread") = Some(Entry::new(task, None));
            }
        }
        let keep = Keep(Mutex::new(None));
        Counter::new(1).expect("a board").threads(1).observer(&keep).count().expect("a count");
        keep.0.into_inner().expect("one thread").expect("a task")
    });
    let mut entry = COUNTED.clone();
    (entry.units, entry.count) = (first..end, count);
    entry.to_line(plan)
}

/// Why there is no total.
#[derive(Debug)]
enum Fault {
    Conflict,
    Overflow,
}

/// Who claims each unit, and the total of those that claim any.
fn table(entries: &[(u64, u64, u128)], plan: &Plan) -> Result<(u128, u64), Fault> {
    let mut claims = vec![None; plan.units as usize];
    let mut total = 0u128;
    for &entry in entries {
        let (first, end, count) = entry;
        let mine = &mut claims[first as usize..end as usize];
        if mine.iter().all(|claim| *claim == Some(entry)) {
            continue;
        }
        if mine.iter().any(Option::is_some) {
            return Err(Fault::Conflict);
        }
        mine.fill(Some(entry));
        total = total.checked_add(count).ok_or(Fault::Overflow)?;
    }
    Ok((total, claims.iter().flatten().count() as u64))
}

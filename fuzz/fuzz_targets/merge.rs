//! Entries in any number of files, in any order, repeated, overlapping and contradicting each other: a merge sums them as
//! equations between heights, tried one by one, and finds no contradiction where there is none.

#![no_main]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{LazyLock, Mutex};

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use queencount::record::{Entry, Plan, Record, RecordError, Tally, UnitSet};
use queencount::{BoardSize, Counter, EngineChoice, Observer, Task};

/// An entry, and whether it opens another file.
#[derive(Arbitrary, Debug)]
struct Line {
    first: u8,
    length: u8,
    count: Count,
    opens: bool,
}

/// A count: few small ones, so that they meet again, or the largest that a board can have.
#[derive(Arbitrary, Debug)]
enum Count {
    Small(u8),
    Huge,
}

fuzz_target!(|lines: Vec<Line>| {
    let engine = EngineChoice::Backtrack.plan(BoardSize::new(14).expect("a board"));
    let plan = Plan::new(engine.as_ref());
    let entries: Vec<(u64, u64, u128)> = lines.iter().map(|line| entry(line, &plan)).collect();
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
    let possible = heights(&entries, plan.units).is_some();
    match merged {
        Ok(()) => {
            let sums = tally.done().ranges().map(|units| sum(&entries, units.start, units.end).expect("a known sum"));
            assert_eq!(tally.total(), sums.sum::<u128>());
            assert_eq!(tally.repeated() as usize + tally.entries().count(), entries.len());
            // What any entry names is done or open, and entries that share no unit with others are done.
            let (done, open) = (tally.done(), tally.unsettled());
            for &(first, end, _) in &entries {
                assert!(UnitSet::from(first..end).without(done).without(&open).is_empty());
                let others = entries.iter().filter(|other| other.0 < end && first < other.1);
                let alone = others.filter(|other| (other.0, other.1) != (first, end)).count() == 0;
                assert!(!alone || UnitSet::from(first..end).without(done).is_empty());
            }
        }
        Err(RecordError::Conflict { .. }) => assert!(!possible, "no contradiction in {entries:?}"),
        Err(error) => panic!("{error}"),
    }
});

fn entry(line: &Line, plan: &Plan) -> (u64, u64, u128) {
    let first = u64::from(line.first) % plan.units;
    let end = (first + 1 + u64::from(line.length % 8)).min(plan.units);
    let count = match line.count {
        Count::Small(count) => u128::from(count % 4),
        Count::Huge => (1..=u128::from(plan.n)).product(),
    };
    (first, end, count)
}

/// The line of an entry: one that has been counted, told to say something else.
fn text(first: u64, end: u64, count: u128, plan: &Plan) -> String {
    static COUNTED: LazyLock<Entry> = LazyLock::new(|| {
        struct Keep(Mutex<Option<Entry>>);
        impl Observer for Keep {
            fn counted(&self, task: &Task) {
                *self.0.lock().expect("one thread") = Some(Entry::new(task));
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

/// The least heights that entries allow before each unit and at the end; `None` if they allow none.
fn heights(entries: &[(u64, u64, u128)], units: u64) -> Option<Vec<i128>> {
    let mut heights = vec![0_i128; units as usize + 1];
    // In each round at least one more height is final.
    for _ in 0..=heights.len() {
        let before = heights.clone();
        for border in 1..heights.len() {
            heights[border] = heights[border].max(heights[border - 1]);
        }
        for &(first, end, count) in entries {
            let (first, end, count) = (first as usize, end as usize, count as i128);
            heights[end] = heights[end].max(heights[first] + count);
            heights[first] = heights[first].max(heights[end] - count);
        }
        if heights == before {
            return Some(heights);
        }
    }
    None
}

/// By how much the height grows from one border to another, if entries connect the two.
fn sum(entries: &[(u64, u64, u128)], start: u64, end: u64) -> Option<u128> {
    let mut known = BTreeMap::from([(start, 0_i128)]);
    loop {
        let before = known.len();
        for &(first, end, count) in entries {
            match (known.get(&first).copied(), known.get(&end).copied()) {
                (Some(height), None) => known.insert(end, height + count as i128),
                (None, Some(height)) => known.insert(first, height - count as i128),
                _ => None,
            };
        }
        if known.len() == before {
            return known.get(&end).map(|height| *height as u128);
        }
    }
}

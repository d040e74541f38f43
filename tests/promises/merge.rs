//! Entries in any number of files, in any order, repeated, within each other, crossing and contradicting each other: a
//! merge agrees if and only if none cross and they can all be true as equations between heights, which are tried one by
//! one; and its sum is then the one of the widest entries.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{LazyLock, Mutex};

use queencount::record::{Collection, Entry, Plan, Reader, UnitSet};
use queencount::{BoardSize, EngineChoice, FanOut, Task};

/// A line of a file, made of four bytes.
#[derive(Debug)]
struct Line {
    first: u8,
    length: u8,
    /// The largest byte stands for the largest count that a board can have. Other counts are few and small, so that they
    /// meet again.
    count: u8,
    /// Whether the line opens another file.
    opens: bool,
}

pub fn holds(data: &[u8]) {
    let (lines, _) = data.as_chunks();
    let line = |&[first, length, count, opens]: &[u8; 4]| Line { first, length, count, opens: opens % 2 == 1 };
    let lines: Vec<Line> = lines.iter().map(line).collect();
    let engine = EngineChoice::Backtrack.plan(BoardSize::new(14).expect("a board"));
    let plan = Plan::new(engine.as_ref());
    let entries: Vec<(u64, u64, u128)> = lines.iter().map(|line| entry(line, &plan)).collect();
    let mut files: Vec<String> = vec![plan.to_line()];
    for (line, &(first, end, count)) in lines.iter().zip(&entries) {
        if line.opens {
            files.push(plan.to_line());
        }
        *files.last_mut().expect("a file") += &text(first, end, count, &plan);
    }
    let mut collection = Collection::new(plan.clone());
    for file in &files {
        let damaged = collection.read(&mut Reader::new(file.as_bytes(), Path::new("record"))).expect("a record");
        assert!(damaged.is_empty());
    }
    let tally = collection.tally().expect("a sum");
    let crosses =
        |one: &(u64, u64, u128), other: &(u64, u64, u128)| one.0 < other.0 && other.0 < one.1 && one.1 < other.1;
    let crossed = entries.iter().any(|one| entries.iter().any(|other| crosses(one, other)));
    let possible = !crossed && heights(&entries, plan.units).is_some();
    assert_eq!(tally.disputes().next().is_none(), possible, "{entries:?}");
    assert_eq!(tally.repeated() as usize + tally.entries().count(), entries.len());
    // What is neither done nor in dispute is in no entry.
    let disputed: UnitSet =
        tally.disputes().flat_map(|dispute| dispute.entries).fold(UnitSet::new(), |mut units, (entry, _)| {
            units.insert(entry.units);
            units
        });
    let named = entries.iter().fold(UnitSet::new(), |mut units, &(first, end, _)| {
        units.insert(first..end);
        units
    });
    assert_eq!(named.without(&disputed), *tally.done());
    if possible {
        let widest = entries.iter().filter(|one| {
            !entries.iter().any(|other| other.0 <= one.0 && one.1 <= other.1 && (other.0, other.1) != (one.0, one.1))
        });
        let sums: BTreeMap<u64, u128> = widest.map(|&(first, _, count)| (first, count)).collect();
        assert_eq!(tally.total(), sums.values().sum::<u128>());
    }
}

fn entry(line: &Line, plan: &Plan) -> (u64, u64, u128) {
    let first = u64::from(line.first) % plan.units;
    let end = (first + 1 + u64::from(line.length % 8)).min(plan.units);
    let count = match line.count {
        u8::MAX => (1..=u128::from(plan.n)).product(),
        // With each solution comes its mirror image.
        count => 2 * u128::from(count % 4),
    };
    (first, end, count)
}

/// The line of an entry: one that has been counted, told to say something else.
fn text(first: u64, end: u64, count: u128, plan: &Plan) -> String {
    static COUNTED: LazyLock<Entry> = LazyLock::new(|| {
        let kept = Mutex::new(None);
        let keep = |task: &Task| *kept.lock().expect("one thread") = Some(Entry::new(task));
        let engine = EngineChoice::Auto.plan(BoardSize::new(1).expect("a board"));
        FanOut::default().threads(1).observer(&keep).count(engine.as_ref()).expect("a count");
        kept.into_inner().expect("one thread").expect("a task")
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

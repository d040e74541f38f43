//! A record states exactly which units were counted, or its problems are reported: in every order,
//! and with every repetition, truncation and flipped bit.

use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex};

use proptest::prelude::*;
use queencount::record::{
    Audit, AuditDepth, Entry, Finding, Findings, Journal, LineError, LineRef, Loader, Plan, Reader,
    RecordError, RecordSet, Shard, SiteName, Tally, UnitSet, WrongPart, merge,
};
use queencount::{
    BoardSize, CancelToken, CountError, Counter, Engine, EngineChoice, EngineError, SplitMix64,
    Task,
};
use tempfile::TempDir;

use crate::journal::folder;

const N: u32 = 9;
const TOTAL: u128 = 352;

fn engine(n: u32) -> Box<dyn Engine> {
    EngineChoice::Backtrack.engine(BoardSize::new(n).unwrap())
}

fn plan() -> Plan {
    Plan::new(engine(N).as_ref())
}

fn all(n: u32) -> UnitSet {
    UnitSet::from(0..engine(n).units())
}

fn run(path: &Path, n: u32, units: &UnitSet) -> Result<u128, RecordError> {
    let engine = engine(n);
    let mut journal = Journal::open(path, &Plan::new(engine.as_ref()))?;
    journal.count(engine.as_ref(), units, Counter::default().threads(2))
}

/// Creates a directory with a record of all units.
fn recorded(n: u32) -> (TempDir, PathBuf) {
    let (folder, path) = folder();
    run(&path, n, &all(n)).unwrap();
    (folder, path)
}

/// The lines of a complete record of N, including newlines.
static LINES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let (_folder, path) = recorded(N);
    std::fs::read_to_string(path)
        .unwrap()
        .split_inclusive('\n')
        .map(str::to_owned)
        .collect()
});

/// Adds a record to a collection. Fails if any of its lines is damaged.
fn add(collection: &mut RecordSet, text: &[u8]) -> Result<(), RecordError> {
    let damaged = collection.read(&mut Reader::new(text, "record"))?;
    damaged.into_iter().next().map_or(Ok(()), Err)
}

fn tally(text: &[u8]) -> Result<Tally, RecordError> {
    let mut collection = RecordSet::new(plan());
    add(&mut collection, text)?;
    collection.tally().into_checked()
}

/// Returns the sum of a record, whose total may be wrong.
fn unchecked(text: &[u8]) -> Tally {
    let mut set = RecordSet::new(plan());
    add(&mut set, text).unwrap();
    set.tally()
}

/// Returns the plan in the first line of a record.
fn plan_of(path: &Path) -> Result<Option<Plan>, RecordError> {
    Reader::open(path)?.plan()
}

fn entry(line: &str) -> Entry {
    Entry::from_line(line.trim_end().as_bytes(), &plan()).unwrap()
}

fn units_of(lines: &[String]) -> UnitSet {
    let mut units = UnitSet::new();
    lines
        .iter()
        .for_each(|line| units.insert(entry(line).units()));
    units
}

/// Returns a line of this plan with a wrong count and a correct checksum.
fn forged(first: u64, last: u64, count: u128) -> String {
    line_of(&plan(), first, last, count)
}

fn line_of(plan: &Plan, first: u64, last: u64, count: u128) -> String {
    let mut entry = entry(&LINES[1]);
    (entry.first, entry.last, entry.count) = (first, last, count);
    entry.to_line(plan)
}

#[test]
fn record_entries_sum_to_total() {
    for n in 1..=12 {
        let (_folder, path) = recorded(n);
        let tally = merge(&Plan::new(engine(n).as_ref()), &[path]).unwrap();
        assert_eq!(tally.total(), queencount::oeis_a000170(n), "N = {n}");
        assert!(tally.missing().is_empty());
    }
}

#[test]
fn record_is_resumed_where_it_ends() {
    let (_folder, path) = folder();
    let parts = ["3,5-9", "0-4,7-12", "0-15"].map(|units| units.parse::<UnitSet>().unwrap());
    let count: u128 = parts
        .iter()
        .map(|units| run(&path, N, units).unwrap())
        .sum();
    assert_eq!(count + run(&path, N, &all(N)).unwrap(), TOTAL);
    // A complete record leaves nothing to count, and nothing is written.
    let text = std::fs::read(&path).unwrap();
    assert_eq!(run(&path, N, &all(N)).unwrap(), 0);
    assert_eq!(std::fs::read(&path).unwrap(), text);
    assert_eq!(tally(&text).unwrap().repeated(), 0);
}

#[test]
fn record_of_another_plan_is_rejected_unchanged() {
    let (_folder, path) = recorded(N);
    let text = std::fs::read(&path).unwrap();
    let refused = run(&path, N + 1, &all(N + 1)).unwrap_err();
    assert!(
        refused
            .to_string()
            .ends_with("another plan: N is 9, not 10"),
        "{refused}"
    );
    assert!(!refused.is_transient());
    assert_eq!(std::fs::read(&path).unwrap(), text);
}

#[test]
fn record_with_other_unit_numbering_is_rejected() {
    let stale = |change: fn(&mut Plan), reason: &str| {
        let mut other = plan();
        change(&mut other);
        let text = other.to_line() + &LINES[1..].concat();
        // The checksum of an entry includes the hash of its plan. For the entries to belong to this
        // plan, they would have to be rewritten.
        let damaged =
            RecordSet::new(other.clone()).read(&mut Reader::new(text.as_bytes(), "record"));
        let damaged = damaged.unwrap();
        // Ten lines are named, and the others are only counted.
        assert_eq!(damaged.len(), 11);
        assert_eq!(
            damaged.iter().map(RecordError::flaw_count).sum::<u64>(),
            LINES.len() as u64 - 1
        );
        assert_eq!(damaged[10].to_string(), "record: 18 more lines are damaged");
        let text = other.to_line() + &entry(&LINES[1]).to_line(&other);
        let (_folder, path) = folder();
        std::fs::write(&path, &text).unwrap();
        assert!(matches!(
            run(&path, N, &all(N)),
            Err(RecordError::OtherPlan(..))
        ));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        assert!(other.engine(Default::default()).is_err());
        let refused = tally(text.as_bytes()).unwrap_err().to_string();
        assert!(refused.ends_with(reason), "{refused}");
    };
    stale(
        |plan| plan.parameters = "core 0".into(),
        "parameters is core 0, not none",
    );
    stale(|plan| plan.units += 1, "units is 29, not 28");
    stale(
        |plan| plan.engine = "rows".into(),
        "engine is rows, not backtrack",
    );
}

#[test]
fn file_without_record_is_rejected_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    let almost = "{\"format\":\"queencount-record\",}\n";
    for text in [
        "no newline",
        "\n",
        "dear diary\n",
        "{}",
        "{\"format\":\"something-else\"",
        almost,
    ] {
        std::fs::write(&path, text).unwrap();
        let refused = run(&path, N, &UnitSet::from(0..1)).unwrap_err();
        assert!(
            matches!(refused, RecordError::NotARecord(..)),
            "{text:?}: {refused}"
        );
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
    assert!(matches!(
        run(folder.path(), N, &UnitSet::from(0..1)),
        Err(RecordError::Io(..))
    ));
    let later = LINES[0].replace("\"version\":1", "\"version\":2");
    let refused = tally(later.as_bytes()).unwrap_err();
    assert!(
        refused
            .to_string()
            .ends_with("this program reads records of version 1, not of version 2"),
        "{refused}"
    );
}

#[test]
fn record_allows_only_one_writer() {
    let (_folder, path) = recorded(N);
    let first = Journal::open(&path, &plan()).unwrap();
    assert!(first.locked());
    let second = Journal::open(&path, &plan()).unwrap_err();
    assert!(
        matches!(second, RecordError::Locked(_)) && second.is_transient(),
        "{second}"
    );
    drop(first);
    Journal::open(&path, &plan()).unwrap();
}

#[test]
fn truncated_record_resumes_at_any_byte() {
    let (_folder, path) = folder();
    let text = LINES.concat().into_bytes();
    // Test every byte of the plan and of the last two lines, and some in between.
    let tail = text.len() - LINES[LINES.len() - 2..].concat().len();
    let cuts = (0..LINES[0].len() + 2)
        .chain((LINES[0].len() + 2..tail).step_by(37))
        .chain(tail..=text.len());
    for cut in cuts {
        std::fs::write(&path, &text[..cut]).unwrap();
        run(&path, N, &all(N)).unwrap();
        let tally = tally(&std::fs::read(&path).unwrap()).unwrap();
        assert_eq!(tally.count(), TOTAL, "cut at {cut}");
        assert_eq!(
            (tally.missing(), tally.repeated()),
            (UnitSet::new(), 0),
            "cut at {cut}"
        );
    }
}

#[test]
fn any_flipped_bit_is_detected() {
    // The text consists of a plan line and two entries.
    let text = LINES[..3].concat().into_bytes();
    for bit in 0..8 * text.len() {
        let mut flipped = text.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        let error = tally(&flipped).expect_err("the bit is detected");
        assert!(!error.is_transient(), "bit {bit}: {error}");
    }
}

#[test]
fn line_of_another_plan_is_detected() {
    let (_folder, path) = recorded(10);
    let other = std::fs::read_to_string(path).unwrap();
    let foreign = LINES[0].clone() + other.lines().nth(1).unwrap() + "\n";
    assert!(matches!(
        tally(foreign.as_bytes()),
        Err(RecordError::Damaged(LineRef { line: 2, .. }, _))
    ));
    let mixed = LINES[0].clone() + &other;
    assert!(matches!(
        tally(mixed.as_bytes()),
        Err(RecordError::OtherPlan(LineRef { line: 2, .. }, _))
    ));
    // Two concatenated records of the same plan are a record.
    let twice = LINES.concat() + &LINES.concat();
    let twice = tally(twice.as_bytes()).unwrap();
    assert_eq!(
        (twice.count(), twice.repeated()),
        (TOTAL, LINES.len() as u64 - 1)
    );
    let entries: Vec<Entry> = LINES[1..].iter().map(|line| entry(line)).collect();
    assert!(
        (twice.seconds() - entries.iter().map(|entry| entry.seconds).sum::<f64>()).abs() < 1e-9
    );
    assert_eq!(twice.entries().count(), entries.len());
}

#[test]
fn equal_counts_of_two_machines_count_once() {
    let again = |line: &String| {
        let mut entry = entry(line);
        entry.site = Some("elsewhere".to_owned());
        entry.to_line(&plan())
    };
    let both = LINES.concat() + &LINES[1..].iter().map(again).collect::<String>();
    let tally = tally(both.as_bytes()).unwrap();
    let entries = LINES.len() - 1;
    assert_eq!((tally.count(), tally.repeated()), (TOTAL, entries as u64));
    assert_eq!(
        (tally.entries().count(), tally.entry_count()),
        (entries, 2 * entries as u64)
    );
}

/// Returns the lines of a record with changed entries.
fn with_changes(change: impl Fn(&mut Entry)) -> String {
    let line = |line: &String| {
        let mut entry = entry(line);
        change(&mut entry);
        entry.to_line(&plan())
    };
    LINES[0].clone() + &LINES[1..].iter().map(line).collect::<String>()
}

/// Returns the sum of records from different sources.
fn tally_of(records: &[(&str, String)]) -> Tally {
    let mut set = RecordSet::new(plan());
    for (source, text) in records {
        let mut reader = Reader::new(text.as_bytes(), *source);
        assert!(set.read(&mut reader).unwrap().is_empty());
    }
    set.tally()
}

#[test]
fn second_count_requires_another_source() {
    let lyon = || ("lyon", with_changes(|entry| entry.seconds = 1.5));
    let twice = |source, change: &dyn Fn(&mut Entry)| {
        let tally = tally_of(&[lyon(), (source, with_changes(change))]);
        assert_eq!(tally.total(), Some(TOTAL));
        tally.counted_twice().len()
    };
    let units = plan().units;
    assert_eq!(twice("kyoto", &|entry| entry.seconds = 1.500_001), units);
    // These lines are the same count, even if their names and times differ.
    let renamed = |entry: &mut Entry| {
        entry.seconds = 1.5;
        entry.site = Some("kyoto".into());
        entry.host = Some("node1".into());
        entry.kernel = Some("gpu".into());
        entry.time = Some(1);
    };
    assert_eq!(twice("kyoto", &renamed), 0);
    // This is the same source, whatever its entries contain.
    let again = |entry: &mut Entry| {
        entry.seconds = 2.5;
        entry.site = Some("kyoto".into());
    };
    assert_eq!(twice("lyon", &again), 0);

    // A copy does not invalidate two counts.
    let delhi = || ("delhi", with_changes(|entry| entry.seconds = 2.5));
    let copy = ("kyoto", lyon().1);
    let tally = tally_of(&[lyon(), delhi(), copy, ("kyoto", delhi().1)]);
    assert_eq!(tally.counted_twice().len(), units);
    let shared: Vec<_> = tally.shared_counts().into_iter().collect();
    let pair = |one, other| ((Path::new(one), Path::new(other)), units);
    assert_eq!(shared, [pair("delhi", "kyoto"), pair("lyon", "kyoto")]);
    assert_eq!(tally.counted_by("kyoto").unwrap().len(), units);
    assert_eq!(tally.counted_by("rome"), None);
    // A name that stands for several sources is none of them.
    let namesakes = tally_of(&[("q1/lyon", lyon().1), ("q2/lyon", delhi().1)]);
    assert_eq!(namesakes.counted_by("lyon"), None);
    assert_eq!(namesakes.counted_by("q2/lyon").unwrap().len(), units);

    // Of three equal lines, two are copies of the first.
    let tally = tally_of(&[lyon(), ("kyoto", lyon().1), ("rome", lyon().1)]);
    let shared: Vec<_> = tally.shared_counts().into_iter().collect();
    assert_eq!(shared, [pair("lyon", "kyoto"), pair("lyon", "rome")]);

    // A source without a count of its own is not the second, even if the other has counted twice.
    let again = || ("lyon", with_changes(|entry| entry.seconds = 3.5));
    let twice = |records: &[_]| tally_of(records).counted_twice().len();
    let copy = || ("kyoto", lyon().1);
    assert_eq!(twice(&[lyon(), again(), copy()]), 0);
    assert_eq!(twice(&[lyon(), again(), copy(), ("kyoto", again().1)]), 0);
    assert_eq!(
        twice(&[lyon(), again(), copy(), ("kyoto", delhi().1)]),
        units
    );
}

#[test]
fn source_is_given_path_or_its_subdirectory() {
    let lines = |seconds: f64| with_changes(|entry| entry.seconds = seconds);
    let twice = |records: [(&str, &str, f64); 2]| {
        let mut set = RecordSet::new(plan());
        for (given, path, seconds) in records {
            let text = lines(seconds);
            set.read(&mut Reader::new(text.as_bytes(), path).given_as(given))
                .unwrap();
        }
        set.tally().counted_twice().len()
    };
    let units = plan().units;
    assert_eq!(
        twice([("q", "q/lyon/1.jsonl", 1.0), ("q", "q/kyoto/1.jsonl", 2.0)]),
        units
    );
    assert_eq!(
        twice([
            ("q", "q/lyon/a/1.jsonl", 1.0),
            ("q", "q/lyon/b/1.jsonl", 2.0)
        ]),
        0
    );
    assert_eq!(twice([("q", "q/1.jsonl", 1.0), ("q", "q/2.jsonl", 2.0)]), 0);
    assert_eq!(
        twice([
            ("q/lyon", "q/lyon/1.jsonl", 1.0),
            ("q", "q/lyon/2.jsonl", 2.0)
        ]),
        0
    );
    assert_eq!(
        twice([("1.jsonl", "1.jsonl", 1.0), ("2.jsonl", "2.jsonl", 2.0)]),
        units
    );
}

#[test]
fn wrong_total_is_rejected_with_published_value() {
    let Entry {
        first, last, count, ..
    } = entry(&LINES[1]);
    let text = LINES[0].clone() + &forged(first, last, count + 2) + &LINES[2..].concat();
    let refused = tally(text.as_bytes()).unwrap_err();
    assert!(matches!(
        refused,
        RecordError::WrongTotal {
            n: N,
            total: 354,
            published: 352
        }
    ));
    let (_folder, path) = folder();
    std::fs::write(&path, &text).unwrap();
    assert!(matches!(
        run(&path, N, &all(N)),
        Err(RecordError::WrongTotal { .. })
    ));
}

#[test]
fn sums_above_factorial_are_rejected() {
    let most = (1..=u128::from(N)).product::<u128>();
    let text = LINES[0].clone() + &forged(0, 0, most) + &forged(1, 1, 2);
    assert!(matches!(
        tally(text.as_bytes()),
        Err(RecordError::SumTooLarge(N, LineRef { line: 2, .. }))
    ));
    let (_folder, path) = folder();
    std::fs::write(&path, LINES[0].clone() + &forged(27, 27, most)).unwrap();
    let added = run(&path, N, &UnitSet::from(0..5));
    assert!(
        matches!(
            added,
            Err(RecordError::SumTooLarge(N, LineRef { line: 2, .. }))
        ),
        "{added:?}"
    );
}

#[test]
fn large_counts_are_exact_to_last_digit() {
    let plan = Plan::new(
        EngineChoice::Rows
            .engine(BoardSize::new(20).unwrap())
            .as_ref(),
    );
    // Floats cannot represent these counts.
    let counts: Vec<u128> = (1..=7).map(|unit| (1 << 58) + 8 * unit).collect();
    let line = |(unit, count): (u64, &u128)| line_of(&plan, unit, unit, *count);
    let text = plan.to_line() + &(1..).zip(&counts).map(line).collect::<String>();
    let mut set = RecordSet::new(plan.clone());
    add(&mut set, text.as_bytes()).unwrap();
    let tally = set.tally();
    assert_eq!((tally.count(), tally.total()), (counts.iter().sum(), None));
    // The counts are also exact in the published form.
    for ((entry, _), count) in tally.entries().zip(counts) {
        let line = entry.without_provenance().to_line(&plan);
        let read = Entry::from_line(line.trim_end().as_bytes(), &plan).unwrap();
        assert_eq!((entry.count, read.count), (count, count));
    }
}

#[test]
fn names_and_seconds_out_of_range_are_rejected() {
    let read = |change: &dyn Fn(&mut Entry)| {
        let mut entry = entry(&LINES[1]);
        change(&mut entry);
        Entry::from_line(entry.to_line(&plan()).trim_end().as_bytes(), &plan())
    };
    for name in [
        "x".repeat(61),
        "é".repeat(70_000),
        "a\u{1b}[2J".into(),
        "a\nb".into(),
    ] {
        let damaged =
            |found| with_message(found).is_err_and(|error| error.contains("expected a name"));
        assert!(name.parse::<SiteName>().is_err());
        assert!(damaged(read(&|entry| entry.site = Some(name.clone()))));
        assert!(damaged(read(&|entry| entry.host = Some(name.clone()))));
        assert!(damaged(read(&|entry| entry.kernel = Some(name.clone()))));
    }
    let longest = "é".repeat(60);
    assert_eq!(longest.parse::<SiteName>().unwrap().to_string(), longest);
    assert!(read(&|entry| entry.site = Some(longest.clone())).is_ok());
    for (seconds, is_valid) in [
        (0.0, true),
        (999_999_999.0, true),
        (1e9, false),
        (-0.5, false),
    ] {
        let found = read(&|entry| entry.seconds = seconds);
        assert_eq!(found.is_ok(), is_valid, "{seconds}: {found:?}");
    }
}

#[test]
fn crlf_line_endings_and_bom_are_accepted() {
    let (_folder, path) = folder();
    let windows = LINES.concat().replace('\n', "\r\n");
    let marked = format!("\u{feff}{windows}");
    for text in [&windows, &marked] {
        assert_eq!(tally(text.as_bytes()).unwrap().total(), Some(TOTAL));
        // A run resumes this record, even if it was truncated.
        for cut in [
            text.len(),
            text.len() - 1,
            text.len() - 2,
            text.len() - 30,
            40,
        ] {
            std::fs::write(&path, &text[..cut]).unwrap();
            run(&path, N, &all(N)).unwrap();
            let resumed = tally(&std::fs::read(&path).unwrap()).unwrap();
            assert_eq!(
                (resumed.total(), resumed.repeated()),
                (Some(TOTAL), 0),
                "cut at {cut}"
            );
        }
    }
    let doubled = LINES.concat().replace('\n', "\r\r\n");
    let refused = tally(doubled.as_bytes()).unwrap_err().to_string();
    assert!(refused.contains("tr -d '\\r'"), "{refused}");
}

#[test]
fn findings_of_older_versions_are_ignored() {
    // A run and an audit of an older version wrote these lines.
    let record = include_str!("../data/findings.jsonl");
    let (plan, _) = record.split_once('\n').unwrap();
    let plan = Plan::from_line(plan.as_bytes()).unwrap();
    let mut set = RecordSet::new(plan.clone());
    add(&mut set, record.as_bytes()).unwrap();
    let tally = set.tally().into_checked().unwrap();
    assert_eq!((tally.ignored(), tally.total()), (5, Some(92)));
    // Damage to one may have swallowed another line.
    let finding = record.lines().last().unwrap();
    for bit in 0..8 * finding.len() {
        let mut damaged = finding.as_bytes().to_vec();
        damaged[bit / 8] ^= 1 << (bit % 8);
        let text = [record.as_bytes(), &damaged, b"\n", finding.as_bytes()].concat();
        assert!(
            add(&mut RecordSet::new(plan.clone()), &text).is_err(),
            "bit {bit}"
        );
    }
    // A run removes an unfinished finding.
    let (_folder, path) = folder();
    std::fs::write(&path, &record[..record.len() - finding.len() / 2]).unwrap();
    let journal = Journal::open(&path, &plan).unwrap();
    assert_eq!((journal.ignored(), journal.total()), (4, Some(92)));
}

#[test]
fn excluded_counts_are_treated_as_missing() {
    let (folder, path) = recorded(N);
    let Entry {
        first, last, count, ..
    } = entry(&LINES[4]);
    let lie = LINES[0].clone() + &forged(first, last, count + 2);
    let liar = folder.path().join("liar.jsonl");
    std::fs::write(&liar, lie).unwrap();
    let mut set = RecordSet::new(plan());
    for record in [&path, &liar] {
        set.read(&mut Reader::open(record).unwrap()).unwrap();
    }
    let disputed = set.tally();
    let entries = disputed.disputes().next().unwrap().entries;
    let audit = Audit::run(
        engine(N).as_ref(),
        &entries,
        AuditDepth::Whole,
        Counter::default(),
        &|finding| assert_eq!(finding.recount, count),
    );
    let findings = audit.unwrap().findings;
    assert_eq!(findings.len(), 1);
    let file = folder.path().join("findings");
    Findings::append(&file, &findings[0].to_line(&plan())).unwrap();
    let loader = Loader::default().exclude(Some(file.clone()));
    let loaded = loader.load([&path, &liar]).unwrap();
    assert_eq!((loaded.excluded, loaded.tally.total()), (1, Some(TOTAL)));
    assert!(loaded.flaws.is_empty());
    // A rejected count is rejected in every line, and a resumed run recounts its units.
    let rejected = Findings::read(&file, &plan()).unwrap();
    assert_eq!(disputed.suspects(&rejected).len(), 2);
    let mut journal = Journal::open_without(&liar, &plan(), &rejected).unwrap();
    assert!(journal.done().is_empty());
    let units = UnitSet::from(first..last + 1);
    journal
        .count(engine(N).as_ref(), &units, Counter::default())
        .unwrap();
    assert_eq!(journal.subtotal(), count);
    drop(journal);
    assert!(Journal::open(&liar, &plan()).is_err());
    assert!(Journal::open_without(&liar, &plan(), &rejected).is_ok());
    // Findings about another plan would exclude nothing.
    let other = Findings::read(&file, &Plan::new(engine(10).as_ref()));
    assert!(matches!(
        other,
        Err(RecordError::NotAFinding(LineRef { line: 1, .. }))
    ));
}

#[test]
fn conflicting_entries_are_reported() {
    let Entry {
        first, last, count, ..
    } = entry(&LINES[1]);
    let other_count = LINES.concat() + &forged(first, last, count + 2);
    let line = LINES.len() + 1;
    let expected = format!(
        "entries disagree on the solutions of units {first}: record line 2 has {count}, record line {line} has {}",
        count + 2
    );
    assert_eq!(
        tally(other_count.as_bytes()).unwrap_err().to_string(),
        expected
    );
}

#[test]
fn entry_without_matching_task_is_damaged() {
    let units = plan().units;
    // These entries are beyond the plan, or contain two tasks or almost all tasks, with the right
    // sum and with a wrong sum.
    let count: u128 = LINES[1..]
        .iter()
        .map(|line| entry(line))
        .filter(|entry| entry.first < 2)
        .map(|it| it.count)
        .sum();
    for (first, last, count) in [
        (units, units, 0),
        (0, 1, count),
        (0, 1, count + 2),
        (0, units - 2, TOTAL),
        (3, 2, 0),
        (0, u64::MAX - 1, 0),
    ] {
        let text = LINES.concat() + &forged(first, last, count);
        let error = tally(text.as_bytes()).unwrap_err();
        let (line, error) = damage(&error);
        assert_eq!(
            (line, error.to_string()),
            (
                LINES.len() as u64 + 1,
                format!("units {first}-{last} are not a task of the plan")
            )
        );
    }
    // A task of N = 28 has 16 units, and the last has 4. Single units are not tasks.
    let plan = Plan::new(
        EngineChoice::Rows
            .engine(BoardSize::new(28).unwrap())
            .as_ref(),
    );
    let read =
        |first, last| Entry::from_line(line_of(&plan, first, last, 8).trim_end().as_bytes(), &plan);
    let last = plan.units - 1;
    for (first, last, is_task) in [
        (0, 15, true),
        (last - 3, last, true),
        (7, 7, false),
        (0, 14, false),
        (1, 16, false),
        (0, 31, false),
    ] {
        assert_eq!(read(first, last).is_ok(), is_task, "{first}-{last}");
    }
    let mixed = plan.to_line()
        + &line_of(&plan, 0, 15, 8)
        + &line_of(&plan, 3, 3, 8)
        + &line_of(&plan, 16, 31, 1 << 61);
    let mut collection = RecordSet::new(plan);
    let damaged = collection
        .read(&mut Reader::new(mixed.as_bytes(), "record"))
        .unwrap();
    let tally = collection.tally();
    assert_eq!(
        (damage(&damaged[0]).0, damaged.len(), tally.count()),
        (3, 1, 8 + (1 << 61))
    );
    // The tasks of a user's own engine are unknown, but lines that share units must be identical.
    let plan = Plan::new(&Parted::HONEST);
    let text = plan.to_line()
        + &line_of(&plan, 0, 2, 8)
        + &line_of(&plan, 2, 3, 0)
        + &line_of(&plan, 4, 5, 2);
    let mut collection = RecordSet::new(plan);
    add(&mut collection, text.as_bytes()).unwrap();
    let tally = collection.tally();
    assert_eq!(
        (
            tally.count(),
            tally.missing().to_string(),
            tally.disputes().count()
        ),
        (2, "0-3,6-11".to_owned(), 1)
    );
}

#[test]
fn salvage_reports_damaged_lines_and_keeps_others() {
    let mut lines = LINES.clone();
    for damaged in [3, 5, 6] {
        lines[damaged - 1] = lines[damaged - 1].replace("count", "COUNT");
    }
    // An overlong line does not shift the numbers of the lines after it.
    lines[7] = "x".repeat(200_000) + "\n";
    let (_folder, path) = folder();
    std::fs::write(&path, lines.concat()).unwrap();
    let first = merge(&plan(), &[&path]).unwrap_err();
    assert!(
        matches!(first, RecordError::Damaged(LineRef { line: 3, .. }, _)),
        "{first}"
    );
    let mut collection = RecordSet::new(plan());
    let damaged = collection.read(&mut Reader::open(&path).unwrap()).unwrap();
    let tally = collection.tally();
    assert_eq!(
        damaged
            .iter()
            .map(|flaw| damage(flaw).0)
            .collect::<Vec<_>>(),
        [3, 5, 6, 8]
    );
    let (last, place) = tally
        .entries()
        .find(|(_, place)| {
            place
                .to_string()
                .ends_with(&format!(" line {}", LINES.len()))
        })
        .unwrap();
    assert_eq!(
        (last.first, place.to_string()),
        (
            entry(&LINES[LINES.len() - 1]).first,
            format!("{} line {}", path.display(), LINES.len())
        )
    );
    let lost = units_of(&[&LINES[2], &LINES[4], &LINES[5], &LINES[7]].map(String::clone));
    assert_eq!(tally.missing(), lost);
}

/// Returns the number of the damaged line and the damage.
fn damage(flaw: &RecordError) -> (u64, &LineError) {
    let RecordError::Damaged(LineRef { line, .. }, error) = flaw else {
        panic!("{flaw}")
    };
    (*line, error)
}

/// Returns the remaining entries of a record that may have lost its first line, and its damaged
/// lines.
fn salvage(path: &Path, plan: &Plan) -> Result<(Tally, Vec<RecordError>), RecordError> {
    let mut collection = RecordSet::new(plan.clone());
    let damaged = collection.read(&mut Reader::open(path)?.salvage(true))?;
    Ok((collection.tally(), damaged))
}

/// Returns a record with many entries, and the end of each of its lines.
fn long_record() -> (Plan, Vec<u8>, Vec<usize>) {
    let mut plan = plan();
    plan.units = 15_000;
    let mut text = plan.to_line();
    let mut ends = vec![text.len()];
    for unit in 0..plan.units {
        text += &line_of(&plan, unit, unit, 2);
        ends.push(text.len());
    }
    (plan, text.into_bytes(), ends)
}

#[test]
fn hole_of_any_length_damages_only_its_lines() {
    let (plan, text, ends) = long_record();
    let (_folder, path) = folder();
    let lengths = [1, 4096, (1 << 16) - 1, 1 << 16, (1 << 16) + 1, 1 << 20];
    assert!(text.len() > 9 << 17);
    for (fill, length) in [b'\0', b'x']
        .into_iter()
        .flat_map(|fill| lengths.map(|length| (fill, length)))
    {
        // The hole starts in the first line, at its end, within other lines, at an aligned block,
        // or extends from some line to the end.
        for start in [
            0,
            50,
            ends[0] - 1,
            ends[0],
            ends[1] + 7,
            1 << 16,
            text.len() - length - 1,
            text.len() - length,
        ] {
            let (end, what) = (
                start + length,
                format!("{length} bytes of {fill} at {start}"),
            );
            let mut spoiled = text.clone();
            spoiled[start..end].fill(fill);
            std::fs::write(&path, &spoiled).unwrap();
            // A line is lost if the hole begins or ends in it, or includes the newline before it.
            let kept: Vec<u64> = (1..ends.len())
                .filter(|&line| ends[line] <= start || ends[line - 1] > end)
                .map(|line| line as u64 - 1)
                .collect();
            let opened = Journal::open(&path, &plan).map(|journal| journal.done().len());
            if end == text.len() && start > ends[0] {
                // A power failure leaves zeros like these at the end. Letters may be the beginning
                // of a line.
                assert!(
                    fill != 0 || opened.as_ref().is_ok_and(|done| *done == kept.len() as u64),
                    "{what}: {opened:?}"
                );
                continue;
            }
            let refused = opened.expect_err(&what);
            assert!(!refused.is_transient(), "{what}: {refused}");
            assert!(
                std::fs::read(&path).unwrap() == spoiled,
                "{what}: a file that is refused is left alone"
            );
            assert_eq!(plan_of(&path).is_err(), start < ends[0], "{what}");
            let (tally, damaged) = salvage(&path, &plan).expect(&what);
            assert_eq!(
                tally.done().ranges().flatten().collect::<Vec<u64>>(),
                kept,
                "{what}"
            );
            assert_eq!(damaged.len(), 1, "{what}: {damaged:?}");
            assert_eq!(
                damage(&damaged[0])
                    .1
                    .to_string()
                    .starts_with("it contains zero bytes"),
                fill == 0,
                "{what}: {damaged:?}"
            );
        }
    }
}

#[test]
fn overlong_line_is_damaged_at_any_position() {
    let (plan, text, ends) = long_record();
    let (_folder, path) = folder();
    for length in [1, 1000, 1 << 16, 1 << 20] {
        // The long line starts with noise, or like a line of a record.
        for begin in [
            "x",
            "{\"first\":1,\"last\":1,\"count\":\"1",
            plan.to_line().split_at(60).0,
        ] {
            for line in [0, 1, 7000, ends.len()] {
                let at = if line == 0 { 0 } else { ends[line - 1] };
                let long = begin.to_owned() + &"1".repeat(length) + "\n";
                let spoiled = [&text[..at], long.as_bytes(), &text[at..]].concat();
                std::fs::write(&path, &spoiled).unwrap();
                let what = format!("{length} behind {begin} in line {line}");
                let refused = Journal::open(&path, &plan).map(|_| ()).expect_err(&what);
                assert!(!refused.is_transient(), "{what}: {refused}");
                assert!(
                    std::fs::read(&path).unwrap() == spoiled,
                    "{what}: a file that is refused is left alone"
                );
                let (tally, damaged) = salvage(&path, &plan).expect(&what);
                assert_eq!((tally.missing().len(), damaged.len()), (0, 1), "{what}");
                assert_eq!(damage(&damaged[0]).0, line as u64 + 1, "{what}");
                assert_eq!(plan_of(&path).is_err(), line == 0, "{what}");
            }
        }
    }
}

#[test]
fn record_without_plan_line_is_salvaged_by_plan() {
    let (_folder, path) = folder();
    std::fs::write(&path, LINES[1..].concat()).unwrap();
    let not_a_record =
        |plan: &Plan| matches!(salvage(&path, plan), Err(RecordError::NotARecord(..)));
    assert!(matches!(
        merge(&plan(), &[&path]),
        Err(RecordError::NotARecord(..))
    ));
    let (tally, damaged) = salvage(&path, &plan()).unwrap();
    assert_eq!((tally.count(), damaged.len()), (TOTAL, 0));
    // It is not a record of another plan. A file with other content is not a record of any plan.
    assert!(not_a_record(&Plan::new(engine(N + 1).as_ref())));
    std::fs::write(&path, "dear diary\n").unwrap();
    assert!(not_a_record(&plan()));
}

#[test]
fn conflicting_entries_are_not_counted_as_done() {
    let Entry {
        first, last, count, ..
    } = entry(&LINES[1]);
    let mut collection = RecordSet::new(plan());
    for text in [
        LINES.concat(),
        LINES[0].clone() + &forged(first, last, count + 2),
    ] {
        add(&mut collection, text.as_bytes()).unwrap();
    }
    let tally = collection.tally();
    assert_eq!(
        (tally.count(), tally.missing()),
        (TOTAL - count, UnitSet::from(first..last + 1))
    );
    let disputes: Vec<_> = tally.disputes().collect();
    assert_eq!((disputes.len(), disputes[0].entries.len()), (1, 2));
    assert!(
        matches!(tally.into_checked(), Err(RecordError::Conflict(dispute)) if dispute == disputes[0])
    );
}

#[test]
fn entries_are_sampled_uniformly() {
    // Entries that were counted twice, or copied, are sampled as often as the others.
    let again = with_changes(|entry| entry.seconds = 1.5);
    let again: String = again.split_inclusive('\n').take(5).collect();
    let lines = LINES[..11].concat();
    let tally = tally_of(&[
        ("lyon", lines),
        ("kyoto", again),
        ("delhi", LINES[..3].concat()),
    ]);
    let mut sampled = [0; 10];
    let place = |unit| {
        LINES[1..11]
            .iter()
            .position(|line| entry(line).first == unit)
            .unwrap()
    };
    for seed in 0..10_000 {
        let sample = tally.sample(3, seed);
        assert!(
            sample
                .windows(2)
                .all(|pair| pair[0].0.first < pair[1].0.first)
                && sample.len() == 3
        );
        sample
            .iter()
            .for_each(|(entry, _)| sampled[place(entry.first)] += 1);
    }
    // The mean is 3000, and the standard deviation is 46.
    assert!(
        sampled.iter().all(|times| (2800..3200).contains(times)),
        "{sampled:?}"
    );
    assert_eq!(tally.sample(11, 1).len(), 10);
}

#[test]
fn audit_reports_wrong_entries_and_no_others() {
    let engine = engine(N);
    let wrong = entry(&LINES[3]);
    let mut lines = LINES.clone();
    lines[3] = forged(wrong.first, wrong.last, wrong.count + 2);
    for (text, expected) in [
        (LINES.concat(), None),
        (lines.concat(), Some(wrong.units())),
    ] {
        let tally = unchecked(text.as_bytes());
        let sample = tally.sample(usize::MAX, 1);
        let (seen, stop) = (Mutex::new(UnitSet::new()), CancelToken::new());
        let observer = |task: &Task| seen.lock().unwrap().insert(task.units.clone());
        let counter = Counter::default().threads(2).on_task(&observer).stop(&stop);
        let audit = Audit::run(
            engine.as_ref(),
            &sample,
            AuditDepth::Whole,
            counter,
            &|_| {},
        )
        .unwrap();
        assert_eq!(
            (audit.entries, audit.units),
            (LINES.len() as u64 - 1, engine.units())
        );
        let found: Vec<_> = wrong_of(&audit)
            .iter()
            .map(|found| (found.entry.units(), found.recount))
            .collect();
        assert_eq!(
            found,
            expected
                .map(|units| (units, wrong.count))
                .into_iter()
                .collect::<Vec<_>>()
        );
        assert_eq!(*seen.lock().unwrap(), all(N));
        let entries = audit.entries as i32;
        assert!((audit.chance_to_pass(0.1) - 0.9f64.powi(entries)).abs() < 1e-9);
        let share = audit.detected_share();
        assert!(share < 1.0 && (audit.chance_to_pass(share) - 0.05).abs() < 1e-9);
        stop.cancel();
        let stopped = Audit::run(
            engine.as_ref(),
            &sample,
            AuditDepth::Whole,
            counter,
            &|_| {},
        );
        assert!(matches!(
            stopped,
            Err(RecordError::Count(CountError::Cancelled))
        ));
    }
}

#[test]
fn audit_detects_wrong_entries_at_stated_rate() {
    const AUDITS: u64 = 100;
    let (engine, mut random) = (engine(N), SplitMix64::new(1));
    let wrong: Vec<bool> = (0..engine.units()).map(|_| random.below(8) == 0).collect();
    let lines = LINES[1..].iter().map(|line| {
        // The entry has too many or too few solutions.
        let Entry {
            first, last, count, ..
        } = entry(line);
        let lie = if count < 2 || random.below(2) == 0 {
            count + 2
        } else {
            count - 2
        };
        if wrong[first as usize] {
            forged(first, last, lie)
        } else {
            line.clone()
        }
    });
    let tally = unchecked((LINES[0].clone() + &lines.collect::<String>()).as_bytes());
    let share = wrong.iter().filter(|wrong| **wrong).count() as f64 / wrong.len() as f64;
    assert!((0.05..0.3).contains(&share), "{share}");
    for size in [2, 5, 20] {
        let (mut convicted, mut promised) = (0, 0.0);
        for seed in 0..AUDITS {
            let sample = tally.sample(size, seed);
            let audit = audit(engine.as_ref(), &sample, AuditDepth::Whole);
            // The audit finds every wrong entry in its sample, and accuses no other entry.
            let drawn = sample
                .iter()
                .map(|(entry, _)| entry.first)
                .filter(|unit| wrong[*unit as usize]);
            assert!(
                wrong_of(&audit)
                    .iter()
                    .map(|wrong| wrong.entry.first)
                    .eq(drawn)
            );
            convicted += u64::from(audit.wrong_entries() > 0);
            promised = 1.0 - audit.chance_to_pass(share);
        }
        // The rate is within four standard deviations, or higher, because no entry is sampled
        // twice.
        let rate = convicted as f64 / AUDITS as f64;
        let deviation = (promised * (1.0 - promised) / AUDITS as f64).sqrt();
        assert!(
            rate > promised - 4.0 * deviation,
            "{size} drawn: {rate}, {promised}"
        );
    }
}

fn audit(engine: &dyn Engine, sample: &[(Entry, LineRef)], depth: AuditDepth) -> Audit {
    let counter = Counter::default().threads(2);
    Audit::run(engine, sample, depth, counter, &|_| {}).unwrap()
}

/// Returns the entries that an audit found wrong.
fn wrong_of(audit: &Audit) -> Vec<&Finding> {
    audit
        .findings
        .iter()
        .filter(|finding| finding.is_wrong_entry())
        .collect()
}

/// Returns the parts that an audit found wrong.
fn parts_of(audit: &Audit) -> Vec<&WrongPart> {
    audit
        .findings
        .iter()
        .filter_map(|finding| finding.wrong_part.as_ref())
        .collect()
}

/// An engine of 12 units, three per task. Unit u has u parts, or one part if u = 0, and each part
/// has some solutions.
#[derive(Clone, Copy, Debug)]
struct Parted {
    /// The number of additional solutions that only the engine finds, in some parts.
    lie: u128,
    /// The part in which it finds them, or `None` for all parts.
    of_part: Option<u64>,
    /// The factor for the engine's count of the first part, in units of several parts.
    times: u128,
    /// Whether all units except the first have 1024 parts.
    many: bool,
}

impl Parted {
    const HONEST: Self = Self {
        lie: 0,
        of_part: None,
        times: 1,
        many: false,
    };

    fn record(self, forged: Option<(u64, u128)>) -> Tally {
        let plan = Plan::new(&self);
        let text = (0..self.units()).step_by(3).map(|first| {
            let count: u128 = (first..first + 3)
                .map(|unit| self.count(unit, &CancelToken::new()).unwrap())
                .sum();
            let more = forged
                .filter(|(unit, _)| *unit == first)
                .map_or(0, |(_, more)| more);
            line_of(&plan, first, first + 2, count + more)
        });
        let text = plan.to_line() + &text.collect::<String>();
        let mut collection = RecordSet::new(plan);
        add(&mut collection, text.as_bytes()).unwrap();
        collection.tally()
    }
}

impl Engine for Parted {
    fn name(&self) -> &'static str {
        "parted"
    }
    fn size(&self) -> BoardSize {
        BoardSize::new(12).unwrap()
    }
    fn units(&self) -> u64 {
        12
    }
    fn units_per_task(&self) -> u64 {
        3
    }
    fn cumulative_work(&self, unit: u64) -> f64 {
        unit as f64 / 12.0
    }
    fn count(&self, unit: u64, stop: &CancelToken) -> Result<u128, EngineError> {
        let times = if self.parts(unit) > 1 { self.times } else { 1 };
        let others = 1..self.parts(unit);
        Ok(times * self.count_part(unit, 0, stop)?
            + others
                .map(|part| self.count_part(unit, part, stop))
                .sum::<Result<u128, _>>()?)
    }
    fn recount(&self, unit: u64, stop: &CancelToken) -> Result<u128, EngineError> {
        (0..self.parts(unit))
            .map(|part| self.recount_part(unit, part, stop))
            .sum()
    }
    fn parts(&self, unit: u64) -> u64 {
        if self.many && unit > 0 {
            1024
        } else {
            unit.max(1)
        }
    }
    fn count_part(&self, unit: u64, part: u64, stop: &CancelToken) -> Result<u128, EngineError> {
        let lie = if self.of_part.is_none_or(|of_part| of_part == part) {
            self.lie
        } else {
            0
        };
        Ok(self.recount_part(unit, part, stop)? + lie)
    }
    fn recount_part(&self, unit: u64, part: u64, stop: &CancelToken) -> Result<u128, EngineError> {
        stop.check()?;
        Ok(u128::from(100 * unit + part))
    }
}

/// The error for a count that is not a multiple of the required divisor.
fn not_a_multiple(count: u128, divisor: u64) -> String {
    format!("{count} solutions are not a multiple of {divisor}")
}

#[test]
fn counts_must_be_multiples_of_unit_divisor() {
    let stop = CancelToken::new();
    for choice in [EngineChoice::Backtrack, EngineChoice::Rows] {
        for n in 4..=13 {
            let engine = choice.engine(BoardSize::new(n).unwrap());
            let plan = Plan::new(engine.as_ref());
            for unit in 0..engine.units() {
                let (count, divisor) = (
                    engine.count(unit, &stop).unwrap(),
                    engine.divisor(unit..unit + 1),
                );
                let ahead = engine.units().min(unit + 7);
                assert!(
                    divisor > 1 && divisor % engine.divisor(unit..ahead) == 0,
                    "N = {n}, unit {unit}"
                );
                for more in 0..u128::from(divisor) {
                    let count = count + more;
                    let read = Entry::from_line(
                        line_of(&plan, unit, unit, count).trim_end().as_bytes(),
                        &plan,
                    );
                    let expected = if more == 0 {
                        Ok(count)
                    } else {
                        Err(not_a_multiple(count, divisor))
                    };
                    assert_eq!(with_message(read.map(|entry| entry.count)), expected);
                }
            }
        }
    }
}

#[test]
fn unit_audit_finds_wrong_count_in_record() {
    for forged in [None, Some((0, 1)), Some((6, 2))] {
        let record = Parted::HONEST.record(forged);
        let sample = record.sample(usize::MAX, 1);
        for extent in [AuditDepth::Unit { seed: 1 }, AuditDepth::Whole] {
            let audit = audit(&Parted::HONEST, &sample, extent);
            let wrong: Vec<_> = wrong_of(&audit)
                .iter()
                .map(|wrong| (wrong.entry.first, wrong.entry.count - wrong.recount))
                .collect();
            assert_eq!(wrong, forged.into_iter().collect::<Vec<_>>(), "{extent:?}");
            // The sample has one unit with 3 to 5 parts, one with 6 to 8, and one with 9 to 11.
            // Only one unit of the first entry has several parts.
            let parts = if extent == AuditDepth::Whole {
                0..=0
            } else {
                18..=24
            };
            assert_eq!((audit.entries, audit.units), (4, 12));
            assert!(
                parts.contains(&audit.parts),
                "{forged:?}, {extent:?}: {} parts",
                audit.parts
            );
            assert!(
                audit.wrong_parts() == 0,
                "{forged:?}, {extent:?}: {:?}",
                audit.findings
            );
        }
    }
}

#[test]
fn unit_audit_finds_engine_that_miscounts() {
    let liar = Parted {
        lie: 3,
        ..Parted::HONEST
    };
    let record = liar.record(None);
    let sample = record.sample(usize::MAX, 1);
    let mut drawn = std::collections::BTreeSet::new();
    for seed in 0..50 {
        let audit = audit(&liar, &sample, AuditDepth::Unit { seed });
        // The first entry is recounted in full, so the record is wrong.
        assert_eq!(
            wrong_of(&audit)
                .iter()
                .map(|wrong| wrong.entry.first)
                .collect::<Vec<_>>(),
            [0]
        );
        assert_eq!(audit.wrong_parts(), 3);
        assert_eq!(
            audit.parts,
            parts_of(&audit)
                .iter()
                .map(|wrong| liar.parts(wrong.unit))
                .sum::<u64>()
        );
        let others = sample.iter().filter(|(entry, _)| entry.first > 0);
        let findings = audit
            .findings
            .iter()
            .filter(|finding| finding.wrong_part.is_some());
        for (finding, (entry, place)) in findings.zip(others) {
            let wrong = finding.wrong_part.as_ref().unwrap();
            assert!(
                entry.units().contains(&wrong.unit) && finding.line == *place && wrong.part == 0
            );
            assert_eq!(
                (wrong.count - wrong.recount, wrong.recount),
                (3, u128::from(100 * wrong.unit))
            );
            let message = format!(
                ": the engine and the recount disagree on part 0 of unit {}: {} and ",
                wrong.unit, wrong.count
            );
            assert!(finding.to_string().contains(&message), "{finding}");
            drawn.insert(wrong.unit);
        }
    }
    // Each unit has been sampled.
    assert!(drawn.into_iter().eq(3..12));
    let audit = audit(&liar, &sample, AuditDepth::Whole);
    assert_eq!(
        (audit.wrong_entries(), audit.parts, audit.wrong_parts()),
        (4, 0, 0)
    );
}

#[test]
fn unit_audit_finds_single_wrong_part() {
    // Part 1023 is the last part of a unit for N = 28.
    for (of_part, many) in [(0, false), (1, false), (2, false), (1023, true)] {
        let liar = Parted {
            lie: 1,
            of_part: Some(of_part),
            many,
            ..Parted::HONEST
        };
        let record = liar.record(None);
        let sample = record.sample(usize::MAX, 1);
        let audit = audit(&liar, &sample, AuditDepth::Unit { seed: 1 });
        let wrong: Vec<u64> = parts_of(&audit).iter().map(|wrong| wrong.part).collect();
        let tasks = if many { 4 } else { 3 };
        assert_eq!(wrong, vec![of_part; tasks]);
    }
}

#[test]
fn audit_finds_unit_with_missing_or_repeated_part() {
    // No part is miscounted.
    for times in [0, 2] {
        let engine = Parted {
            times,
            ..Parted::HONEST
        };
        let record = engine.record(None);
        let sample = record.sample(usize::MAX, 1);
        for extent in [AuditDepth::Unit { seed: 1 }, AuditDepth::Whole] {
            let audit = audit(&engine, &sample, extent);
            assert_eq!(
                (audit.wrong_entries(), audit.wrong_parts()),
                (4, 0),
                "{extent:?}"
            );
        }
    }
}

#[test]
fn unit_drawn_from_entry_ignores_other_entries() {
    let liar = Parted {
        lie: 1,
        ..Parted::HONEST
    };
    let record = liar.record(None);
    let drawn = |sample: &[_]| -> Vec<u64> {
        let audit = audit(&liar, sample, AuditDepth::Unit { seed: 7 });
        parts_of(&audit).iter().map(|wrong| wrong.unit).collect()
    };
    let sample = record.sample(usize::MAX, 1);
    let each: Vec<u64> = sample
        .iter()
        .flat_map(|entry| drawn(std::slice::from_ref(entry)))
        .collect();
    assert_eq!(drawn(&sample), each);
}

/// Returns a line, without its newline, with one string replaced and a correct checksum.
fn changed(line: &str, from: &str, to: &str) -> String {
    let (object, _) = line.split_once(",\"crc\"").unwrap();
    assert!(object.contains(from), "{object}");
    let object = object.replacen(from, to, 1);
    let tie = if object.contains("\"format\"") {
        String::new()
    } else {
        plan().hash()
    };
    format!(
        "{object},\"crc\":\"{:08x}\"}}",
        crc32fast::hash((tie + &object).as_bytes())
    )
}

/// A result with the text of its error.
fn with_message<T>(result: Result<T, LineError>) -> Result<T, String> {
    result.map_err(|error| error.to_string())
}

#[test]
fn line_error_states_its_reason() {
    let of_plan = |from: &str, to: &str| Plan::from_line(changed(&LINES[0], from, to).as_bytes());
    assert_eq!(of_plan("\"n\":9", "\"n\":9"), Ok(plan()));
    let found = with_message(of_plan("\"version\":1", "\"version\":2")).unwrap_err();
    assert!(found.ends_with(", not of version 2"), "{found}");
    let found = with_message(of_plan("\"n\":9", "\"n\":10")).unwrap_err();
    assert_eq!(found, "its hash differs from the hash of the plan");
    let found = with_message(of_plan("\"units\":", "\"more\":0,\"units\":")).unwrap_err();
    assert!(found.starts_with("wrong fields: "), "{found}");
    let plain = LINES[0].trim_end().replace("\"n\":9", "\"n\":8");
    let found = with_message(Plan::from_line(plain.as_bytes())).unwrap_err();
    assert!(
        found.starts_with("the checksum of its contents is "),
        "{found}"
    );

    let Entry {
        first, last, count, ..
    } = entry(&LINES[1]);
    let of_entry =
        |from: &str, to: &str| Entry::from_line(changed(&LINES[1], from, to).as_bytes(), &plan());
    let count = format!("\"count\":\"{count}\"");
    assert_eq!(of_entry(&count, &count), Ok(entry(&LINES[1])));
    for text in [
        "",
        "-1",
        "+4",
        "04",
        "4.0",
        "340282366920938463463374607431768211456",
    ] {
        let found = of_entry(&count, &format!("\"count\":\"{text}\""));
        let reason = format!("{text:?} is not a count");
        assert!(with_message(found).unwrap_err().contains(&reason), "{text}");
    }
    let most = (1..=u128::from(N)).product::<u128>();
    for (solutions, read) in [(most, true), (most + 2, false), (1 << 100, false)] {
        let found = of_entry(&count, &format!("\"count\":\"{solutions}\""));
        assert_eq!(found.is_ok(), read, "{solutions}");
        assert!(
            read || with_message(found) == Err(format!("{solutions} solutions are more than {N}!")),
            "{solutions}"
        );
    }
    for (more, read) in [(1, false), (2, true), (3, false)] {
        let count = entry(&LINES[1]).count + more;
        let found = of_entry(
            &format!("\"count\":\"{}\"", count - more),
            &format!("\"count\":\"{count}\""),
        );
        // A solution and its mirror image belong to the same unit.
        assert!(if read {
            found.is_ok()
        } else {
            with_message(found) == Err(not_a_multiple(count, 2))
        });
    }
    let found = Entry::from_line(LINES[1].replace('\n', "\r\r").as_bytes(), &plan());
    let found = with_message(found).unwrap_err();
    assert!(found.contains("tr -d '\\r'"), "{found}");
    let found = of_entry("\"seconds\":", "\"seconds\":-1")
        .unwrap_err()
        .to_string();
    assert!(
        found.ends_with(" seconds, which is not between 0 and 10^9"),
        "{found}"
    );
    let units = plan().units;
    let found = of_entry(&format!("\"first\":{first}"), &format!("\"first\":{units}"));
    assert_eq!(
        with_message(found),
        Err(format!("units {units}-{last} are not a task of the plan"))
    );
}

#[test]
fn documented_lines_have_valid_checksums() {
    let document = include_str!("../../docs/record.md");
    let mut lines = document.lines().filter(|line| line.starts_with("{\""));
    let plan = Plan::from_line(lines.next().unwrap().as_bytes()).unwrap();
    let entries: Vec<Entry> = lines
        .map(|line| Entry::from_line(line.as_bytes(), &plan).unwrap())
        .collect();
    assert_eq!(entries.len(), 2);
}

#[test]
fn unknown_plan_has_no_engine() {
    let engine = |change: fn(&mut Plan)| {
        let mut other = plan();
        change(&mut other);
        other
            .engine(Default::default())
            .err()
            .map(|error| error.to_string())
    };
    assert!(engine(|_| {}).is_none());
    assert!(engine(|plan| plan.program = "9.9.9".into()).is_none());
    let text = engine(|plan| plan.n = 33).unwrap();
    assert!(text.contains("from 1 to 32"), "{text}");
    let text = engine(|plan| plan.engine = "steam".into()).unwrap();
    assert_eq!(text, "this program has no engine \"steam\"");
    let text = engine(|plan| plan.units += 1).unwrap();
    assert_eq!(
        text,
        "this program has another plan: the number of units is 29, not 28"
    );
}

#[test]
fn shards_divide_work_equally_to_nearest_task() {
    let boards = [1, 2, 3, 8, 14, 20].map(|n| (n, EngineChoice::Backtrack));
    for (n, choice) in boards
        .into_iter()
        .chain([(17, EngineChoice::Rows), (26, EngineChoice::Rows)])
    {
        let engine = choice.engine(BoardSize::new(n).unwrap());
        let grain = engine.units_per_task();
        for of in [1, 2, 3, 7, 20, 1000] {
            let mut end = 0;
            for part in 1..=of {
                let units = Shard::new(part, of).unwrap().units(engine.as_ref());
                assert!(
                    units.start == end && units.end >= end,
                    "N = {n}: {part}/{of}"
                );
                end = units.end;
                let miss = |cut: u64| {
                    (engine.cumulative_work(cut.min(engine.units())) - part as f64 / of as f64)
                        .abs()
                };
                let nearest = [end.saturating_sub(grain), end, end + grain].map(miss);
                let is_nearest = nearest[1] <= nearest[0] && nearest[1] <= nearest[2];
                assert!(
                    part == of || end % grain == 0 && is_nearest,
                    "N = {n}: {part}/{of}: {nearest:?}"
                );
            }
            assert_eq!(end, engine.units(), "N = {n}, {of}");
        }
    }
    assert_eq!(Shard::new(2, 3).unwrap().to_string(), "2/3");
}

proptest! {
    #[test]
    fn written_entry_is_read_back_unchanged(
        unit in 0..plan().units,
        count in 0..=(1..=u128::from(N)).product::<u128>(),
        micros in 0..1u64 << 49,
        kernel in proptest::option::of("[a-z0-9\"\\\\ é]{0,60}"),
    ) {
        let mut written = entry(&LINES[1]);
        (written.first, written.last) = (unit, unit);
        // Each solution comes with its mirror image.
        written.count = count & !1;
        written.seconds = micros as f64 / 1e6;
        written.kernel = kernel;
        let line = written.to_line(&plan());
        prop_assert_eq!(line.matches('\n').count(), 1);
        prop_assert_eq!(entry(&line), written);
    }

    /// The lines are in any order. Some are missing, some are repeated, one may be contradicted,
    /// and the last line of a file may be truncated.
    #[test]
    fn merge_gives_total_missing_units_or_conflict(
        picks in proptest::collection::vec(1..LINES.len(), 0..3 * LINES.len()),
        everything in any::<bool>(),
        seed in any::<u64>(),
        lie in proptest::option::weighted(0.3, (any::<prop::sample::Index>(), 1..500u128)),
        cut in proptest::option::of(any::<prop::sample::Index>()),
        files in 1..5usize,
    ) {
        let mut lines: Vec<String> = picks.into_iter().map(|pick| LINES[pick].clone()).collect();
        if everything {
            lines.extend_from_slice(&LINES[1..]);
        }
        let mut random = SplitMix64::new(seed);
        for place in (1..lines.len()).rev() {
            lines.swap(place, random.below(place as u64 + 1) as usize);
        }
        let mut contradicted = false;
        let mut excess = 0;
        if let Some((place, more)) = lie && !lines.is_empty() {
            let place = place.index(lines.len());
            let Entry { first, last, count, .. } = entry(&lines[place]);
            contradicted = lines.iter().filter(|line| **line == lines[place]).count() > 1;
            excess = 2 * more;
            lines[place] = forged(first, last, count + excess);
        }
        // A crash leaves the last line without at least its newline.
        let mut whole = lines.len();
        if let Some(cut) = cut && lie.is_none() && let Some(last) = lines.last_mut() {
            last.truncate(cut.index(last.len()));
            whole -= 1;
        }
        let expected = units_of(&lines[..whole]);

        let mut collection = RecordSet::new(plan());
        let chunks: Vec<_> = lines.chunks(lines.len().div_ceil(files).max(1)).collect();
        let merged = chunks.into_iter().rev().try_for_each(|chunk| {
            let text = LINES[0].clone() + &chunk.concat();
            add(&mut collection, text.as_bytes())
        });
        match merged.and_then(|()| collection.tally().into_checked()) {
            Err(RecordError::Conflict { .. }) => prop_assert!(contradicted),
            // Only the published value contradicts the wrong count.
            Err(RecordError::WrongTotal { total, .. }) => prop_assert_eq!(total, TOTAL + excess),
            Err(error) => return Err(TestCaseError::fail(error.to_string())),
            Ok(tally) => {
                prop_assert!(!contradicted);
                prop_assert_eq!(tally.done(), &expected);
                prop_assert_eq!(tally.missing(), all(N).difference(&expected));
                prop_assert!(!everything || whole < lines.len() || tally.missing().is_empty());
                prop_assert!(tally.total().is_none_or(|total| total == TOTAL));
            }
        }
    }
}

#[test]
fn findings_are_appended_on_separate_lines() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("findings");
    std::fs::write(&path, "a").unwrap();
    for line in ["b\n", "c\n"] {
        queencount::record::Findings::append(&path, line).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "a\nb\nc\n");
}

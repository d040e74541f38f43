//! A journal writes every unit once, in entries compatible with those of other records, and only
//! touches its own lines.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use queencount::record::{
    CampaignStatus, Entry, GroupBy, Journal, Line, Plan, Reader, RecordError, UnitSet, merge,
};
use queencount::{
    Backend, BoardSize, CancelToken, Counter, Engine, EngineChoice, EngineError, Task,
};
use tempfile::TempDir;

use crate::changed::Changed;

/// An engine of 14 units. Each task has four units, except the last, which has two. Unit u has u
/// solutions.
struct Fours;

const TOTAL: u128 = 91;

impl Engine for Fours {
    fn name(&self) -> &'static str {
        "fours"
    }
    fn size(&self) -> BoardSize {
        BoardSize::new(8).unwrap()
    }
    fn units(&self) -> u64 {
        14
    }
    fn units_per_task(&self) -> u64 {
        4
    }
    fn cumulative_work(&self, unit: u64) -> f64 {
        unit as f64 / 14.0
    }
    fn count(&self, unit: u64, _stop: &CancelToken) -> Result<u128, EngineError> {
        Ok(unit.into())
    }
    fn recount(&self, unit: u64, stop: &CancelToken) -> Result<u128, EngineError> {
        self.count(unit, stop)
    }
}

fn plan() -> Plan {
    Plan::new(&Fours)
}

/// Creates a directory. Returns it with the path of a record in it.
pub(crate) fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("record.jsonl");
    (folder, path)
}

fn units(text: &str) -> UnitSet {
    text.parse().unwrap()
}

fn run(path: &Path, text: &str) -> Result<u128, RecordError> {
    Journal::open(path, &plan())?.count(&Fours, &units(text), Counter::default().threads(2))
}

fn entries(path: &Path) -> Vec<Entry> {
    let entry = |line| match line {
        Ok((_, Line::Entry(entry))) => Some(entry),
        Ok((_, Line::Plan(_))) => None,
        other => panic!("{other:?}"),
    };
    Reader::open(path).unwrap().filter_map(entry).collect()
}

/// Returns the entries in the order of their units.
fn sorted(path: &Path) -> Vec<Entry> {
    let mut entries = entries(path);
    entries.sort_by_key(|entry| entry.first);
    entries
}

/// Returns the ranges of a record's entries, in order.
fn ranges(path: &Path) -> Vec<String> {
    sorted(path)
        .into_iter()
        .map(|entry| UnitSet::from(entry.units()).to_string())
        .collect()
}

#[test]
fn journal_skips_units_already_written() {
    let (_folder, path) = folder();
    let mut journal = Journal::open(&path, &plan()).unwrap();
    let mut count = |text: &str| {
        journal
            .count(&Fours, &units(text), Counter::default().threads(2))
            .unwrap()
    };
    // Tasks are always counted as a whole.
    assert_eq!(
        [
            count("0-9"),
            count("0-9"),
            count("0-13"),
            count("3,13"),
            count("")
        ],
        [66, 0, 25, 0, 0]
    );
    assert_eq!(
        (journal.subtotal(), journal.missing()),
        (TOTAL, UnitSet::new())
    );
    drop(journal);
    let tally = merge(&plan(), &[&path]).unwrap();
    assert_eq!((tally.count(), tally.repeated()), (TOTAL, 0));
}

#[test]
fn entries_are_whole_tasks() {
    for (requested, expected) in [
        ("0-13", &["0-3", "4-7", "8-11", "12-13"][..]),
        ("5-9", &["4-7", "8-11"]),
        ("3,12", &["0-3", "12-13"]),
    ] {
        let (_folder, path) = folder();
        run(&path, requested).unwrap();
        assert_eq!(ranges(&path), expected, "{requested}");
    }
}

/// Returns an observer that does something to a record while it is written, at the last of some
/// tasks.
fn meddler(tasks: u64, meddle: impl Fn() + Sync) -> impl Fn(&Task) + Sync {
    let left = AtomicU64::new(tasks);
    move |_| {
        if left.fetch_sub(1, Ordering::Relaxed) == 1 {
            meddle();
        }
    }
}

#[test]
fn external_change_to_record_is_reported() {
    type Change = (&'static str, fn(&Path));
    let mut changes: Vec<Change> = vec![
        ("it was truncated", |path| {
            fs::OpenOptions::new()
                .write(true)
                .open(path)
                .unwrap()
                .set_len(60)
                .unwrap()
        }),
        ("another process wrote to it", |path| {
            fs::write(path, fs::read_to_string(path).unwrap() + "note\n").unwrap()
        }),
    ];
    if cfg!(unix) {
        changes.push(("it was deleted", |path| fs::remove_file(path).unwrap()));
        changes.push(("it was renamed", |path| {
            fs::rename(path, path.with_extension("old")).unwrap()
        }));
        changes.push(("it was replaced", |path| {
            fs::copy(path, path.with_extension("copy")).unwrap();
            fs::rename(path.with_extension("copy"), path).unwrap();
        }));
    }
    for (change, meddle) in changes {
        // Change the file while tasks remain to be written, and after the last one.
        for tasks in [1, 4] {
            let (_folder, path) = folder();
            let mut journal = Journal::open(&path, &plan()).unwrap();
            let meddler = meddler(tasks, || meddle(&path));
            let counter = Counter::default().threads(1).on_task(&meddler);
            let error = journal.count(&Fours, &units("0-13"), counter).unwrap_err();
            assert!(matches!(error, RecordError::Changed(_)), "{error}");
            assert!(
                error.is_transient()
                    && error
                        .to_string()
                        .contains("the next run counts the missing units"),
                "{error}"
            );
            // A journal that has lost its file accepts no more entries.
            let left = journal.missing();
            assert_eq!(
                left.is_empty(),
                tasks == 4,
                "{change}: it is told before the next entry"
            );
            assert!(left.is_empty() || journal.count(&Fours, &left, Counter::default()).is_err());
        }
    }
}

#[cfg(unix)]
#[test]
fn deleted_record_is_reported_by_cancelled_count() {
    let ((_folder, path), stop) = (folder(), CancelToken::new());
    let meddler = meddler(2, || {
        fs::remove_file(&path).unwrap();
        stop.cancel();
    });
    let mut journal = Journal::open(&path, &plan()).unwrap();
    let counter = Counter::default().threads(1).on_task(&meddler).stop(&stop);
    let error = journal.count(&Fours, &units("0-13"), counter).unwrap_err();
    assert!(matches!(error, RecordError::Changed(..)), "{error}");
    drop(journal);
    assert_eq!(run(&path, "0-13").unwrap(), TOTAL);
}

#[test]
fn only_incomplete_last_write_is_repaired() {
    let (_folder, path) = folder();
    run(&path, "0-7").unwrap();
    let record = fs::read_to_string(&path).unwrap();
    let whole: Vec<&str> = record.lines().collect();
    let unsealed = whole[1].replace("\"count\":\"", "\"count\":\"1");
    for text in [
        record.replace('\n', "\r"),
        "{\"format\":\"queencount-record\",\"version\":1,\"program\":\"0.1.0\",\r".to_owned(),
        whole[0].replace("\"n\":8", "\"n\":9"),
        record.clone() + "dear diary",
        record.clone() + "{\"note\":\"mine\"",
        record.clone() + "{\"first\":0,\r",
        record.clone() + &unsealed,
        record.clone() + whole[1] + " ",
        record.trim_end().to_owned() + "*",
    ] {
        fs::write(&path, &text).unwrap();
        let error = run(&path, "0-13").expect_err(&text);
        assert!(!error.is_transient(), "{text:?}: {error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    // After a power failure, a file may have the right length but lack the last bytes.
    for (kept, torn) in [(record.as_str(), &whole[1][..20]), ("", "")] {
        fs::write(&path, kept.to_owned() + torn + "\0\0\0").unwrap();
        run(&path, "0-13").unwrap();
        assert!(fs::read_to_string(&path).unwrap().starts_with(kept));
        let tally = merge(&plan(), &[&path]).unwrap();
        assert_eq!((tally.count(), tally.repeated()), (TOTAL, 0));
    }
}

#[test]
fn journal_rejects_counts_of_another_plan() {
    let (_folder, path) = folder();
    let mut journal = Journal::open(&path, &plan()).unwrap();
    let other = EngineChoice::Backtrack.engine(BoardSize::new(8).unwrap());
    let refused = journal
        .count(other.as_ref(), &units("0-3"), Counter::default())
        .unwrap_err();
    assert!(matches!(refused, RecordError::OtherPlan(..)), "{refused}");
    assert!(entries(&path).is_empty());
}

#[test]
fn entry_names_every_kernel_that_counted_it() {
    let (_folder, path) = folder();
    let mut journal = Journal::open(&path, &plan()).unwrap();
    // A device leaves unit 5 to the CPU.
    let backend = |unit| {
        Some(if unit == 5 {
            Backend::Cpu("portable".parse().unwrap())
        } else {
            Backend::Devices
        })
    };
    let engine = Changed {
        engine: &Fours,
        count: |unit, stop: &CancelToken| Fours.count(unit, stop),
        backend,
    };
    journal
        .count(&engine, &units("0-13"), Counter::default())
        .unwrap();
    drop(journal);
    let kernels: Vec<_> = sorted(&path)
        .into_iter()
        .map(|entry| entry.kernel.unwrap())
        .collect();
    assert_eq!(kernels, ["gpu", "gpu+portable", "gpu", "gpu"]);
    // An engine without kernels stores none.
    let (_folder, path) = folder();
    run(&path, "0-13").unwrap();
    assert!(entries(&path).iter().all(|entry| entry.kernel.is_none()));
}

#[test]
fn entry_states_time_site_and_host_of_count() {
    let (_folder, path) = folder();
    let before = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap()
        .as_secs();
    let open = || Journal::open(&path, &plan()).unwrap();
    let count = |mut journal: Journal, text: &str| {
        journal
            .count(&Fours, &units(text), Counter::default())
            .unwrap()
    };
    count(open(), "0-3");
    count(open().site("lyon".parse().unwrap()), "4-7");
    count(open().site("".parse().unwrap()), "8-11");
    let entries = entries(&path);
    let places: Vec<_> = entries
        .iter()
        .map(|entry| (entry.site.as_deref(), entry.host.is_some()))
        .collect();
    // Without a site, the machine is the site.
    assert!(
        places[0].0.is_some_and(|machine| !machine.is_empty()) && !places[0].1,
        "{places:?}"
    );
    assert_eq!(entries[1].host, entries[0].site);
    assert_eq!(places[1..], [(Some("lyon"), true), (None, false)]);
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap()
        .as_secs();
    assert!(entries.iter().all(|entry| {
        entry
            .time
            .is_some_and(|time| (before..=now).contains(&time))
    }));
    let tally = merge(&plan(), &[&path]).unwrap();
    assert!(
        tally
            .entries()
            .map(|(entry, _)| (entry.site, entry.host))
            .eq(entries.into_iter().map(|entry| (entry.site, entry.host)))
    );
}

#[test]
fn another_version_resumes_and_adds_its_name() {
    let (_folder, path) = folder();
    run(&path, "0-3").unwrap();
    // An older version wrote this entry, with fewer fields.
    let mut old = plan();
    old.program = "0.0.9".to_owned();
    let mut entry = entries(&path).remove(0);
    (entry.time, entry.site, entry.host) = (None, None, None);
    fs::write(&path, old.to_line() + &entry.to_line(&old)).unwrap();
    run(&path, "4-7").unwrap();
    run(&path, "8-13").unwrap();
    let tally = merge(&plan(), &[&path]).unwrap();
    assert_eq!((tally.count(), tally.missing()), (TOTAL, UnitSet::new()));
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap()
        .as_secs();
    let status = CampaignStatus::new(&tally, &Fours, now, GroupBy::Version);
    let programs: Vec<_> = status
        .groups
        .iter()
        .map(|source| (source.name.as_str(), source.entries))
        .collect();
    assert_eq!(programs, [("0.0.9", 1), (queencount::VERSION, 3)]);
    assert_eq!(
        fs::read_to_string(&path)
            .unwrap()
            .matches("queencount-record")
            .count(),
        2
    );
}

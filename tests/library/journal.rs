//! A journal writes every unit once, in entries compatible with those of other records, and only
//! touches its own lines.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::UNIX_EPOCH;

use queencount::record::{
    Entry, Journal, Loader, Plan, RecordError, RecordErrorKind, Tally, UnitSet,
};
use queencount::{Backend, CancelToken, Counter};
use tempfile::TempDir;

use crate::fake::Fake;

/// Returns an engine of 14 units. Each task has four units, except the last, which has two.
fn fours() -> Fake {
    Fake::new(14, 4)
}

fn plan() -> Plan {
    Plan::new(&fours())
}

/// Creates a folder. Returns it with the path of a record in it.
pub(crate) fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("record.jsonl");
    (folder, path)
}

fn units(text: &str) -> UnitSet {
    text.parse().unwrap()
}

fn open(path: &Path) -> Result<Journal, RecordError> {
    Journal::open(path, Arc::new(fours()))
}

fn run(path: &Path, text: &str) -> Result<u128, RecordError> {
    open(path)?.count(&units(text), Counter::new().threads(2))
}

fn tally(path: &Path) -> Tally {
    let loaded = Loader::new()
        .own_engine(Arc::new(fours()))
        .load([path])
        .unwrap();
    assert!(loaded.problems.list().is_empty(), "{:?}", loaded.problems);
    loaded.tally
}

/// Returns the entries in the order of their units.
fn entries(path: &Path) -> Vec<Entry> {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| line.starts_with("{\"first\""));
    let mut entries: Vec<_> = lines
        .map(|line| Entry::from_line(line.as_bytes(), &plan()).unwrap())
        .collect();
    entries.sort_by_key(|entry| entry.first);
    entries
}

#[test]
fn journal_counts_missing_tasks_as_a_whole() {
    let (_folder, path) = folder();
    let mut journal = open(&path).unwrap();
    assert!(!path.exists());
    for (text, is_done) in [
        ("0-9", false),
        ("0-9", true),
        ("3", true),
        ("", true),
        ("0-13", false),
    ] {
        let before = journal.tally().count();
        let counter = Counter::new().threads(2);
        let added = journal.count(&units(text), counter).unwrap();
        let count = journal.tally().count();
        assert_eq!((added == 0, count), (is_done, before + added));
    }
    assert_eq!(journal.tally().total(), Some(fours().total()));
    drop(journal);
    assert_eq!(tally(&path).count(), fours().total());
    let written = entries(&path)
        .into_iter()
        .map(|entry| UnitSet::from(entry.units()).to_string());
    assert_eq!(Vec::from_iter(written), ["0-3", "4-7", "8-11", "12-13"]);
}

/// So a killed run repeats only the tasks that its threads were working on.
#[test]
fn finished_task_is_in_file_before_it_is_reported() {
    let (_folder, path) = folder();
    let mut journal = open(&path).unwrap();
    let result = journal.count(
        &units("0-13"),
        Counter::new().threads(2).on_task(&|task| {
            let record = fs::read_to_string(&path).unwrap();
            let begin = format!("\n{{\"first\":{},", task.units.start);
            let is_written = record.contains(&begin) && record.ends_with('\n');
            assert!(is_written, "{record}");
        }),
    );
    result.unwrap();
}

#[test]
fn record_allows_only_one_writer() {
    let (_folder, path) = folder();
    run(&path, "0-3").unwrap();
    let first = open(&path).unwrap();
    assert!(first.locked());
    let second = open(&path).unwrap_err();
    assert!(matches!(second.kind(), RecordErrorKind::Locked) && second.is_transient());
    drop(first);
    open(&path).unwrap();
    // Of two runs that find no file, only one creates it.
    fs::remove_file(&path).unwrap();
    let mut first = open(&path).unwrap();
    let mut second = open(&path).unwrap();
    first.count(&units("0-3"), Counter::new()).unwrap();
    assert!(second.create().unwrap_err().is_transient());
    drop(first);
    assert!(second.create().unwrap_err().is_transient());
    assert_eq!(entries(&path).len(), 1);
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
                .unwrap();
        }),
        ("another process wrote to it", |path| {
            fs::write(path, fs::read_to_string(path).unwrap() + "note\n").unwrap();
        }),
    ];
    if cfg!(unix) {
        changes.push(("it was deleted", |path| fs::remove_file(path).unwrap()));
        changes.push(("it was renamed", |path| {
            fs::rename(path, path.with_extension("old")).unwrap();
        }));
        changes.push(("it was replaced", |path| {
            fs::copy(path, path.with_extension("copy")).unwrap();
            fs::rename(path.with_extension("copy"), path).unwrap();
        }));
    }
    for (change, meddle) in changes {
        // Change the file while tasks remain to be written, and after the last one.
        for (tasks, is_cancelled) in [(1, false), (2, true), (4, false)] {
            let (_folder, path) = folder();
            let mut journal = open(&path).unwrap();
            let left = AtomicU64::new(tasks);
            let stop = CancelToken::new();
            let counter = Counter::new().threads(1).stop(&stop);
            let result = journal.count(
                &units("0-13"),
                counter.on_task(&|_| {
                    if left.fetch_sub(1, Ordering::Relaxed) == 1 {
                        meddle(&path);
                        if is_cancelled {
                            stop.cancel();
                        }
                    }
                }),
            );
            let error = result.unwrap_err();
            let is_changed = matches!(error.kind(), RecordErrorKind::Changed);
            assert!(is_changed && error.is_transient(), "{change}: {error}");
            // A journal that has lost its file accepts no more entries.
            let left = journal.tally().missing();
            assert_eq!(left.is_empty(), tasks == 4, "{change}");
            assert!(left.is_empty() || journal.count(&left, Counter::new()).is_err());
        }
    }
}

#[test]
fn run_begins_or_completes_its_own_record() {
    let (_folder, path) = folder();
    run(&path, "0-7").unwrap();
    let record = fs::read_to_string(&path).unwrap();
    // A kill cuts off a line, and a power failure may add zeros.
    for (zeros, step) in [("", 3), ("\0\0\0", 5)] {
        let ends = record
            .match_indices('\n')
            .flat_map(|(end, _)| end - 2..=end + 1);
        for cut in (0..record.len()).step_by(step).chain(ends) {
            fs::write(&path, record[..cut].to_owned() + zeros).unwrap();
            run(&path, "0-13").unwrap();
            assert_eq!(tally(&path).count(), fours().total(), "cut at {cut}");
            // A line that lacks only its newline is not counted again.
            let is_whole = record[..cut].ends_with('}');
            let text = fs::read_to_string(&path).unwrap();
            assert!(
                !is_whole || text.starts_with(&record[..cut]),
                "cut at {cut}"
            );
            assert_eq!(text.matches("\"first\"").count(), 4, "cut at {cut}");
        }
    }
    fs::write(&path, vec![0; 1 << 20]).unwrap();
    assert_eq!(run(&path, "0-13").unwrap(), fours().total());
}

#[test]
fn run_leaves_any_other_file_alone() {
    let (folder, path) = folder();
    run(&path, "0-7").unwrap();
    let record = fs::read_to_string(&path).unwrap();
    let whole: Vec<&str> = record.lines().collect();
    let other = whole[0].replace("\"n\":12", "\"n\":11");
    for text in [
        "no newline".to_owned(),
        "\n".to_owned(),
        "{}".to_owned(),
        "{\"format\":\"queencount-record\",}\n".to_owned(),
        record.replace('\n', "\r"),
        // The beginning of the plan of another version, or board.
        "{\"format\":\"queencount-record\",\"version\":1,\"program\":\"7".to_owned(),
        other[..other.len() - 30].to_owned(),
        other,
        record.clone() + "dear diary",
        record.clone() + "{\"note\":\"mine\"",
        record.clone() + "{\"first\":0,\r",
        record.clone() + &whole[1].replace("\"count\":\"", "\"count\":\"1"),
        record.clone() + whole[1] + " ",
        record.trim_end().to_owned() + "*",
        record.replacen("count\":\"", "count\":\"9", 1),
        "\0".repeat(100) + &record,
    ] {
        fs::write(&path, &text).unwrap();
        let error = run(&path, "0-13").expect_err(&text);
        assert!(!error.is_transient(), "{text:?}: {error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    let error = run(folder.path(), "0-13").unwrap_err();
    assert!(matches!(error.kind(), RecordErrorKind::Io(_)), "{error}");
    let archive = path.with_extension("jsonl.gz");
    assert!(run(&archive, "0-13").is_err() && !archive.exists());
}

#[test]
fn impossible_sum_is_reported_at_end_of_run() {
    let (_folder, path) = folder();
    let factorial: u128 = (1..=12).product();
    let engine = fours().lie(move |unit, _, right| right + u128::from(unit == 5) * factorial);
    let mut journal = Journal::open(&path, Arc::new(engine)).unwrap();
    let counter = Counter::new().threads(1);
    let error = journal.count(&units("0-13"), counter).unwrap_err();
    let is_too_large = matches!(error.kind(), RecordErrorKind::SumTooLarge(12));
    assert!(is_too_large, "{error}");
    assert_eq!(error.place().unwrap().line, Some(3));
}

#[test]
fn entry_states_kernels_time_and_host() {
    let (_folder, path) = folder();
    // A device leaves unit 5 to the CPU.
    let engine = fours().backend(|unit| {
        Some(match unit {
            5 => Backend::Cpu("portable".parse().unwrap()),
            _ => Backend::Devices,
        })
    });
    let before = UNIX_EPOCH.elapsed().unwrap().as_secs();
    let mut journal = Journal::open(&path, Arc::new(engine)).unwrap();
    journal.count(&units("0-13"), Counter::new()).unwrap();
    let after = UNIX_EPOCH.elapsed().unwrap().as_secs();
    let kernels = ["gpu", "gpu+portable", "gpu", "gpu"];
    for (entry, kernel) in entries(&path).into_iter().zip(kernels) {
        assert_eq!(entry.kernel.as_deref(), Some(kernel));
        assert!((before..=after).contains(&entry.time.unwrap()));
        assert!(entry.host.is_some_and(|host| !host.is_empty()));
    }
}

#[test]
fn another_version_resumes_and_adds_its_name() {
    let (_folder, path) = folder();
    run(&path, "0-3").unwrap();
    // An older version wrote this entry, with fewer fields.
    let mut old = plan();
    old.program = "0.0.9".to_owned();
    let mut entry = entries(&path).remove(0);
    entry.time = None;
    entry.host = None;
    fs::write(&path, old.to_line() + &entry.to_line(&old)).unwrap();
    run(&path, "4-7").unwrap();
    run(&path, "8-13").unwrap();
    assert_eq!(tally(&path).total(), Some(fours().total()));
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text.matches("queencount-record").count(), 2);
    assert_eq!(open(&path).unwrap().tally().plan(), &plan());
}

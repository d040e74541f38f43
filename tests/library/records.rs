//! A record states exactly which units were counted, or its problems are reported: in every order,
//! and with every repetition, truncation and flipped bit.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use queencount::record::{
    Entry, Journal, Loaded, Loader, Plan, Reader, RecordError, RecordErrorKind, Shard, Status,
    Tally, UnitSet,
};
use queencount::{BoardSize, Counter, Engine, EngineChoice};
use tempfile::TempDir;

use crate::fake::Fake;
use crate::journal::folder;

const N: u32 = 9;
const TOTAL: u128 = 352;

fn size(n: u32) -> BoardSize {
    BoardSize::new(n).unwrap()
}

fn engine(n: u32) -> Box<dyn Engine> {
    EngineChoice::Backtrack.engine(size(n))
}

fn plan() -> Plan {
    Plan::new(engine(N).as_ref())
}

/// Counts a whole board in a record.
fn run(path: &Path, n: u32, choice: EngineChoice) {
    let mut journal = Loader::new().engine(choice).resume(path, size(n)).unwrap();
    let counter = Counter::new().threads(2);
    journal.count(&journal.tally().missing(), counter).unwrap();
}

/// The lines of a complete record of N, including newlines.
static LINES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let (_folder, path) = folder();
    run(&path, N, EngineChoice::Backtrack);
    fs::read_to_string(path)
        .unwrap()
        .split_inclusive('\n')
        .map(str::to_owned)
        .collect()
});

fn load(records: &[impl AsRef<[u8]>]) -> Result<Loaded, RecordError> {
    let mut readers = Vec::new();
    for (number, text) in records.iter().enumerate() {
        readers.push(Reader::new(text.as_ref(), number.to_string())?);
    }
    Loader::new().read(readers)
}

/// Returns the sum of records, in which nothing is wrong.
fn tally(records: &[impl AsRef<[u8]>]) -> Tally {
    let Loaded {
        tally, problems, ..
    } = load(records).unwrap();
    assert!(problems.list().is_empty(), "{problems:?}");
    tally
}

fn entry(line: &str) -> Entry {
    Entry::from_line(line.trim_end().as_bytes(), &plan()).unwrap()
}

fn units_of(lines: &[String]) -> UnitSet {
    lines.iter().map(|line| entry(line).units()).collect()
}

fn line_of(plan: &Plan, first: u64, last: u64, count: u128) -> String {
    let mut entry = entry(&LINES[1]);
    entry.first = first;
    entry.last = last;
    entry.count = count;
    entry.to_line(plan)
}

/// Returns a line with a wrong count and a correct checksum.
fn forged(line: &str, more: u128) -> String {
    let entry = entry(line);
    line_of(&plan(), entry.first, entry.last, entry.count + more)
}

fn texts(loaded: &Loaded) -> Vec<String> {
    loaded
        .problems
        .list()
        .iter()
        .map(RecordError::to_string)
        .collect()
}

#[test]
fn any_flipped_bit_is_detected() {
    // The text consists of a plan line and two entries.
    let text = LINES[..3].concat().into_bytes();
    let counts = [&LINES[1], &LINES[2]].map(|line| entry(line).count);
    for bit in 0..8 * text.len() {
        let mut flipped = text.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        match load(&[flipped]) {
            Err(error) => assert!(!error.is_transient(), "bit {bit}: {error}"),
            Ok(loaded) => {
                // The last newline is not needed.
                let is_newline = bit / 8 == text.len() - 1;
                assert!(
                    is_newline || !loaded.problems.list().is_empty(),
                    "bit {bit}"
                );
                assert!(
                    loaded
                        .tally
                        .entries()
                        .all(|entry| counts.contains(&entry.count))
                );
                assert!(loaded.tally.tasks() < 2, "bit {bit}");
            }
        }
    }
}

#[test]
fn plan_of_another_version_is_refused() {
    let mut old = plan();
    old.parameters = "core 0".into();
    let error = load(&[old.to_line()]).unwrap_err();
    let is_unsupported = matches!(error.kind(), RecordErrorKind::Unsupported(_));
    assert!(is_unsupported, "{error}");
    // Within a file, another plan is damage.
    let loaded = load(&[LINES.concat() + &old.to_line()]).unwrap();
    assert_eq!(loaded.tally.total(), Some(TOTAL));
    assert!(
        texts(&loaded)[0].ends_with("is core 0, not none"),
        "{loaded:?}"
    );
}

#[test]
fn files_are_read_once_however_they_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let lyon = folder.path().join("lyon");
    let kyoto = folder.path().join("kyoto");
    fs::create_dir_all(lyon.join("deep")).unwrap();
    fs::create_dir(&kyoto).unwrap();
    let half = LINES.len() / 2;
    fs::write(lyon.join("deep/1.jsonl"), LINES[..half].concat()).unwrap();
    let rest = LINES[0].clone() + &LINES[half..].concat();
    fs::write(kyoto.join("2.jsonl"), rest).unwrap();
    fs::write(lyon.join("notes.txt"), "dear diary\n").unwrap();
    check_two_files(&folder, "lyon kyoto", 1);
    check_two_files(&folder, "kyoto/ ./lyon lyon", 1);
    check_two_files(&folder, "", 1);
    check_two_files(&folder, "lyon/deep/1.jsonl kyoto/2.jsonl", 0);
    check_two_files(&folder, "kyoto lyon/deep/1.jsonl lyon/deep", 0);
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        symlink(lyon.join("deep/1.jsonl"), kyoto.join("1.jsonl")).unwrap();
        symlink(&lyon, kyoto.join("folder")).unwrap();
        symlink(&kyoto, folder.path().join("link")).unwrap();
        check_two_files(&folder, "link", 1);
        check_two_files(&folder, "kyoto lyon", 2);
        check_two_files(&folder, "lyon link kyoto", 3);
    }
}

/// Loads these paths, and checks that they have a complete record in two files, and the number of
/// other files.
fn check_two_files(folder: &TempDir, paths: &str, others: usize) {
    let paths = paths.split(' ').map(|path| folder.path().join(path));
    let loaded = Loader::new().load(paths).unwrap();
    assert!(loaded.problems.list().is_empty(), "{loaded:?}");
    assert_eq!(loaded.tally.total(), Some(TOTAL), "{loaded:?}");
    let entries = LINES.len() as u64 - 1;
    assert_eq!(loaded.tally.entry_count(), entries, "{loaded:?}");
    let files = (loaded.files.len(), loaded.other_files.len());
    assert_eq!(files, (2, others), "{loaded:?}");
}

/// Every whole line counts, or reading fails.
#[test]
fn record_cut_at_any_byte_gives_its_whole_lines() {
    let text = LINES[..4].concat();
    // The other record lacks its last newline.
    let other = LINES[0].clone() + LINES[5].trim_end();
    for cut in 0..=text.len() {
        let loaded = load(&[&text[..cut], &other]).unwrap();
        assert!(loaded.problems.list().is_empty(), "{cut}: {loaded:?}");
        // A line that lacks only its newline is whole.
        let whole = text[..(cut + 1).min(text.len())].matches('\n').count();
        let mut expected = units_of(&LINES[1..whole.max(1)]);
        expected.insert(entry(&LINES[5]).units());
        assert_eq!(loaded.tally.done(), &expected, "cut at {cut}");
    }
    // Of an archive, the lines before the cut count.
    let archive = gzip(LINES.concat().as_bytes());
    assert_eq!(tally(&[&archive]).total(), Some(TOTAL));
    for cut in (2..archive.len()).step_by(7) {
        match load(&[&archive[..cut]]) {
            Ok(loaded) => {
                let [problem] = loaded.problems.list() else {
                    panic!("{loaded:?}")
                };
                let text = problem.to_string();
                let (_, line) = text.split_once("cut off or wrong from line ").expect(&text);
                let line: usize = line.trim_end_matches(" on").parse().unwrap();
                assert_eq!(loaded.tally.done(), &units_of(&LINES[1..line - 1]));
            }
            Err(error) => assert!(!error.is_transient(), "{error}"),
        }
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn all_members_of_archive_are_read() {
    let text = LINES.concat();
    let whole = text.len();
    // Members end within lines, at their ends, or are empty. Zeros may follow them.
    for (length, padding) in [(1, 0), (7, 1), (100, 511), (whole, 0), (whole, 1 << 18)] {
        let mut archive = Vec::new();
        for member in text.as_bytes().chunks(length).chain([&[][..]]) {
            archive.extend(gzip(member));
            archive.resize(archive.len() + padding, 0);
        }
        assert_eq!(tally(&[&archive]).total(), Some(TOTAL), "{length} bytes");
        // Anything else behind the last member is damage, which is reported.
        archive.push(1);
        let loaded = load(&[archive]).unwrap();
        assert_eq!(loaded.tally.total(), Some(TOTAL), "{length} bytes");
        let [problem] = loaded.problems.list() else {
            panic!("{loaded:?}")
        };
        let text = problem.to_string();
        assert!(text.contains("its gzip data"), "{text}");
    }
}

/// Returns a line of 10 s that was finished at this time.
fn line_at(number: usize, time: u64) -> String {
    let mut entry = entry(&LINES[number]);
    entry.seconds = 10.0;
    entry.time = Some(time);
    entry.to_line(&plan())
}

#[track_caller]
fn close(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-9, "{a} {b}");
}

#[test]
fn status_has_a_row_for_each_path() {
    let folder = tempfile::tempdir().unwrap();
    let now = 1_000_000_000;
    let hour = 3600;
    let lyon = line_at(1, now - hour) + &line_at(2, now - 50 * hour);
    // Times in the future are ignored.
    let kyoto = line_at(3, now - hour) + &line_at(4, now + hour);
    for (name, lines) in [
        ("lyon", &lyon),
        ("kyoto", &(kyoto + &lyon)),
        ("rome", &line_at(3, now)),
    ] {
        fs::create_dir(folder.path().join(name)).unwrap();
        let path = folder.path().join(name).join("1.jsonl");
        fs::write(path, LINES[0].clone() + lines).unwrap();
    }
    let names = ["rome", "lyon", "kyoto"];
    let loaded = Loader::new()
        .load(names.map(|name| folder.path().join(name)))
        .unwrap();
    let status = Status::new(&loaded.tally, now);
    let [w1, w2, w3, w4] = [1, 2, 3, 4].map(|number| engine(N).work(entry(&LINES[number]).units()));
    close(status.share_counted, w1 + w2 + w3 + w4);
    close(status.share_last_day, w1 + w3);
    // Copies are included only once. Of the units that were counted twice, both counts are.
    close(status.thread_seconds, 50.0);
    let per_work = 50.0 / (w1 + w2 + 2.0 * w3 + w4);
    close(
        status.thread_seconds_to_come.unwrap(),
        per_work * (1.0 - status.share_counted),
    );
    let day = 86_400.0;
    close(
        status.seconds_left.unwrap(),
        day * (1.0 - status.share_counted) / status.share_last_day,
    );
    let [kyoto, lyon, rome] = &status.paths[..] else {
        panic!("{status:?}")
    };
    assert!(kyoto.path.ends_with("kyoto"));
    close(lyon.share_counted, w1 + w2);
    close(lyon.share_last_day, w1);
    assert_eq!((kyoto.lines, lyon.lines, rome.lines), (4, 2, 1));
    assert_eq!(lyon.days.len(), 2);
    assert_eq!(lyon.last_time, Some(now - hour));
    // A copy is noted, and changes nothing.
    assert_eq!(status.copies, [([0, 1], 2)].into());
    let cells = loaded.tally.cells(200);
    close(cells.iter().sum::<f64>() / 200.0, status.share_counted);
    assert!(cells.iter().all(|share| (0.0..=1.0 + 1e-9).contains(share)));
}

#[test]
fn hole_of_any_length_damages_only_its_lines() {
    const UNITS: u64 = 15_000;
    let engine = Arc::new(Fake::new(UNITS, 1));
    let plan = Plan::new(engine.as_ref());
    let mut text = plan.to_line();
    let mut ends = vec![text.len()];
    for unit in 0..UNITS {
        text += &line_of(&plan, unit, unit, 2);
        ends.push(text.len());
    }
    let text = text.into_bytes();
    let (_folder, path) = folder();
    for fill in [b'\0', b'x'] {
        for length in [1, 4096, (1 << 16) - 1, 1 << 16, (1 << 16) + 1, 1 << 20] {
            // The hole starts at the end of the first line, within other lines, at an aligned
            // block, or extends from some line to the end.
            let begins = [ends[0], ends[1] + 7, 1 << 16, text.len() - length];
            for start in begins {
                let end = start + length;
                let what = format!("{length} bytes of {fill} at {start}");
                let mut spoiled = text.clone();
                spoiled[start..end].fill(fill);
                // A line is lost if the hole begins or ends in it, or includes the newline before
                // it.
                let kept = (1..ends.len()).filter(|&line| {
                    let is_zero_end = fill == 0 && ends[line] == start + 1;
                    ends[line] <= start || ends[line - 1] > end || is_zero_end && end == text.len()
                });
                let kept: UnitSet = kept.map(|line| line as u64 - 1..line as u64).collect();
                let loaded = Loader::new()
                    .own_engine(engine.clone())
                    .read([Reader::new(&spoiled[..], "r").expect(&what)])
                    .expect(&what);
                assert_eq!(loaded.tally.done(), &kept, "{what}");
                fs::write(&path, &spoiled).unwrap();
                let opened = Journal::open(&path, engine.clone());
                if end == text.len() {
                    // A power failure leaves zeros like these at the end. Letters may be the
                    // beginning of a line.
                    assert!(fill != 0 || opened.is_ok(), "{what}: {opened:?}");
                    continue;
                }
                let first = ends.iter().filter(|end| **end <= start).count() + 1;
                let [problem] = loaded.problems.list() else {
                    panic!("{what}: {loaded:?}")
                };
                assert_eq!(problem.place().unwrap().line, Some(first as u64), "{what}");
                assert!(!opened.expect_err(&what).is_transient(), "{what}");
                assert!(
                    fs::read(&path).unwrap() == spoiled,
                    "{what}: it is left alone"
                );
            }
        }
    }
}

#[test]
fn crlf_line_endings_and_bom_are_accepted() {
    let windows = LINES.concat().replace('\n', "\r\n");
    let (_folder, path) = folder();
    for text in [windows.clone(), format!("\u{feff}{windows}")] {
        assert_eq!(tally(&[&text]).total(), Some(TOTAL));
        // A run resumes this record, even if it was truncated.
        for cut in [text.len() - 1, text.len() - 2, text.len() - 30, 40] {
            fs::write(&path, &text[..cut]).unwrap();
            if cut == 40 && text.starts_with('\u{feff}') {
                continue;
            }
            run(&path, N, EngineChoice::Backtrack);
            assert_eq!(
                tally(&[fs::read(&path).unwrap()]).total(),
                Some(TOTAL),
                "cut at {cut}"
            );
        }
    }
    let loaded = load(&[LINES[0].clone() + &LINES[1..].concat().replace('\n', "\r\r\n")]).unwrap();
    let reason = &texts(&loaded)[0];
    assert!(reason.contains("tr -d '\\r'"), "{reason}");
}

#[test]
fn records_of_earlier_versions_are_read() {
    // 49b3ea6 stored a site, and before that, 8e3116d audit findings, which are damage now.
    let record = include_str!("../data/record-49b3ea6.jsonl");
    let findings = include_str!("../data/findings.jsonl");
    for (text, done, damaged) in [(record, "0-4,20", 0), (findings, "2,15-16,20", 5)] {
        let loaded = load(&[text]).unwrap();
        assert_eq!(loaded.tally.done().to_string(), done);
        assert_eq!(loaded.problems.list().len(), damaged);
    }
    let (_folder, path) = folder();
    fs::write(&path, record).unwrap();
    run(&path, 8, EngineChoice::Auto);
    assert_eq!(tally(&[fs::read(&path).unwrap()]).total(), Some(92));
}

#[test]
fn entry_without_matching_task_is_damaged() {
    let small = plan();
    let large = Plan::new(EngineChoice::Rows.engine(size(28)).as_ref());
    let last = large.units - 1;
    for (plan, first, last, is_task) in [
        (&small, small.units, small.units, false),
        (&small, 3, 2, false),
        (&small, 0, u64::MAX - 1, false),
        // A task of N = 28 has 16 units, and the last has 4. Single units are not tasks.
        (&large, 0, 15, true),
        (&large, last - 3, last, true),
        (&large, 7, 7, false),
        (&large, 0, 14, false),
        (&large, 1, 16, false),
        (&large, 0, 31, false),
    ] {
        let line = line_of(plan, first, last, 8);
        let read = Entry::from_line(line.trim_end().as_bytes(), plan);
        assert_eq!(read.is_ok(), is_task, "{first}-{last}");
    }
}

/// Returns a line, without its newline, with one string replaced and a correct checksum.
fn changed(line: &str, from: &str, to: &str) -> String {
    let (object, _) = line.split_once(",\"crc\"").unwrap();
    assert!(object.contains(from), "{object}");
    let object = object.replacen(from, to, 1);
    let hash = match object.contains("\"format\"") {
        true => String::new(),
        false => plan().hash(),
    };
    let crc = crc32fast::hash((hash + &object).as_bytes());
    format!("{object},\"crc\":\"{crc:08x}\"}}")
}

#[test]
fn line_error_states_its_reason() {
    let count = &format!("\"count\":\"{}\"", entry(&LINES[1]).count);
    for (line, from, to, reason) in [
        (0, "\"n\":9", "\"n\":9", ""),
        (0, "\"version\":1", "\"version\":2", "found version 2"),
        (0, "\"n\":9", "\"n\":10", "expected the plan hash "),
        (0, "\"n\":9", "\"n\":9,\"site\":1", "another version"),
        (1, count, count, ""),
        (1, count, "\"count\":\"04\"", "another version"),
        (1, count, "\"count\":\"-2\"", "another version"),
        (1, count, "\"count\":\"4.0\"", "another version"),
        (1, count, "\"count\":\"362882\"", "at most 9!, found 362882"),
        (1, count, "\"count\":\"3\"", "an even count, found 3"),
        (
            1,
            "\"last\":",
            "\"last\":9",
            "expected a task of this count, found units ",
        ),
        (
            1,
            "\"seconds\":",
            "\"seconds\":-1",
            "\"seconds\" from 0 to 10^9, found -",
        ),
        (
            1,
            "{\"first\"",
            "{\"verdict\"",
            "neither the first line of a record nor a count",
        ),
        // Fields of other versions are ignored.
        (1, "\"seconds\":", "\"site\":\"lyon\",\"seconds\":", ""),
    ] {
        let line = changed(&LINES[line], from, to);
        let error = match line.contains("\"format\"") {
            true => Plan::from_line(line.as_bytes()).err(),
            false => Entry::from_line(line.as_bytes(), &plan()).err(),
        }
        .map_or(String::new(), |error| error.to_string());
        let is_expected = error.contains(reason) && error.is_empty() == reason.is_empty();
        assert!(is_expected, "{line}: {error}");
    }
}

#[test]
fn documented_lines_have_valid_checksums() {
    let mut lines = include_str!("../../docs/record.md")
        .lines()
        .filter(|line| line.starts_with("{\""));
    let plan = Plan::from_line(lines.next().unwrap().as_bytes()).unwrap();
    let entries = lines.map(|line| Entry::from_line(line.as_bytes(), &plan).unwrap());
    assert_eq!(entries.count(), 2);
}

#[test]
fn unknown_plan_has_no_engine() {
    type Change = fn(&mut Plan);
    let changes: [(Change, &str); 6] = [
        (|_| (), ""),
        (|plan| plan.program = "9.9.9".into(), ""),
        (
            |plan| plan.n = 33,
            "unsupported plan: expected a board size from 1 to 32, found \"33\"",
        ),
        (
            |plan| plan.engine = "steam".into(),
            "unsupported plan: this program has no engine \"steam\"",
        ),
        (
            |plan| plan.parameters = "first 4 rows".into(),
            "unsupported plan: the parameter list is first 4 rows, not none as in this program",
        ),
        (
            |plan| plan.units += 1,
            "unsupported plan: the number of units is 29, not 28 as in this program",
        ),
    ];
    for (change, expected) in changes {
        let mut other = plan();
        change(&mut other);
        let error = match other.engine(Default::default()) {
            Ok(_) => String::new(),
            Err(error) => error.to_string(),
        };
        assert_eq!(error, expected);
    }
}

#[test]
fn shards_divide_work_equally_to_nearest_task() {
    let boards = [1, 2, 3, 8, 14, 20].map(|n| (n, EngineChoice::Backtrack));
    let large = [(17, EngineChoice::Rows), (26, EngineChoice::Rows)];
    for (n, choice) in boards.into_iter().chain(large) {
        let engine = choice.engine(size(n));
        let grain = engine.units_per_task();
        for of in [1, 2, 3, 7, 20, 1000] {
            let mut end = 0;
            for part in 1..=of {
                let what = format!("N = {n}: {part}/{of}");
                let units = Shard::new(part, of).unwrap().units(engine.as_ref());
                assert!(units.start == end && units.end >= end, "{what}");
                end = units.end;
                let share = part as f64 / of as f64;
                let miss =
                    |cut: u64| (engine.cumulative_work(cut.min(engine.units())) - share).abs();
                let nearest = [end.saturating_sub(grain), end, end + grain].map(miss);
                let is_nearest = nearest[1] <= nearest[0] && nearest[1] <= nearest[2];
                assert!(
                    part == of || end % grain == 0 && is_nearest,
                    "{what}: {nearest:?}"
                );
            }
            assert_eq!(end, engine.units(), "N = {n}, {of}");
        }
    }
    assert_eq!(Shard::new(2, 3).unwrap().to_string(), "2/3");
}

/// Some of the lines, or all, in any order, and possibly repeated.
fn any_lines() -> impl Strategy<Value = Vec<String>> {
    let some = proptest::collection::vec(1..LINES.len(), 0..3 * LINES.len());
    (some, any::<bool>()).prop_flat_map(|(some, all)| {
        let all = if all { 1..LINES.len() } else { 0..0 };
        let lines = some.into_iter().chain(all).map(|line| LINES[line].clone());
        Just(lines.collect::<Vec<_>>()).prop_shuffle()
    })
}

proptest! {
    /// The lines are in several files, and one may be contradicted.
    #[test]
    fn merge_gives_total_missing_units_or_conflict(
        mut lines in any_lines(),
        lie in proptest::option::weighted(0.3, (any::<prop::sample::Index>(), 1..500u128)),
        files in 1..5usize,
    ) {
        let mut contradicted = None;
        if let Some((place, more)) = lie && !lines.is_empty() {
            let place = place.index(lines.len());
            let truth = lines[place].clone();
            lines[place] = forged(&truth, 2 * more);
            contradicted = lines.contains(&truth).then(|| entry(&truth).units());
        }
        let mut expected = units_of(&lines);
        let mut records: Vec<_> = lines
            .chunks(lines.len().div_ceil(files).max(1))
            .map(|chunk| LINES[0].clone() + &chunk.concat())
            .collect();
        if records.is_empty() {
            records.push(LINES[0].clone());
        }
        let loaded = load(&records).unwrap();
        records.reverse();
        let reversed = load(&records).unwrap();
        prop_assert_eq!(reversed.tally.count(), loaded.tally.count());
        prop_assert_eq!(reversed.tally.done(), loaded.tally.done());
        prop_assert_eq!(reversed.problems.list().len(), loaded.problems.list().len());
        if let Some(units) = contradicted {
            expected = expected.difference(&units.into());
        }
        prop_assert_eq!(loaded.tally.done(), &expected);
        let is_whole = loaded.tally.missing().is_empty();
        match loaded.tally.total() {
            Some(total) => prop_assert!(is_whole && total == TOTAL),
            None => prop_assert!(!is_whole || lie.is_some()),
        }
    }
}

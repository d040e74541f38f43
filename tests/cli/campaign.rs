//! In a campaign of three sources, whatever one of them does, no command prints a wrong total with
//! exit code 0, and no source is asked to recount its own counts.

use std::fs;
use std::path::Path;

use queencount::record::{Entry, Plan, UnitSet};
use tempfile::TempDir;

use crate::common::child;
use crate::program::{queencount, text};

const N: &str = "15";
const TOTAL: &str = "2279184\n";
/// The units that each source counts: all for two sources, half for the third.
const UNITS: [(&str, &str); 3] = [("lyon", "0-100"), ("kyoto", "0-100"), ("delhi", "0-50")];

/// Runs the program in a directory. Returns its exit code, stdout and stderr.
fn ends(folder: &Path, words: &[&str]) -> (i32, String, String) {
    let output = queencount(words).current_dir(folder).output().unwrap();
    (
        output.status.code().unwrap(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

/// Creates a directory with a subdirectory per source, in which no two counts take the same time.
fn campaign() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (seconds, (source, units)) in (1..).zip(UNITS) {
        fs::create_dir_all(folder.path().join("q").join(source)).unwrap();
        let record = format!("q/{source}/1.jsonl");
        let run = [
            "run", N, "-q", "--units", units, "--site", source, "--record", &record,
        ];
        assert_eq!(ends(folder.path(), &run).0, 0);
        change(&folder.path().join(record), |_, entry| {
            entry.seconds = f64::from(seconds);
        });
    }
    folder
}

/// Changes the entries of a record, which keep correct checksums.
fn change(record: &Path, change: impl Fn(usize, &mut Entry)) {
    let (plan, mut entries) = read(record);
    for (index, entry) in entries.iter_mut().enumerate() {
        change(index, entry);
    }
    write(record, &plan, &entries);
}

fn read(record: &Path) -> (Plan, Vec<Entry>) {
    let lines = fs::read_to_string(record).unwrap();
    let plan = Plan::from_line(lines.lines().next().unwrap().as_bytes()).unwrap();
    let parse = |line: &str| Entry::from_line(line.as_bytes(), &plan).unwrap();
    let entries = lines.lines().skip(1).map(parse).collect();
    (plan, entries)
}

fn write(record: &Path, plan: &Plan, entries: &[Entry]) {
    let lines: String = entries.iter().map(|entry| entry.to_line(plan)).collect();
    fs::write(record, plan.to_line() + &lines).unwrap();
}

/// Checks that no command prints a wrong total with exit code 0.
fn no_wrong_total(folder: &Path, more: &[&str]) {
    for words in [
        &["merge"][..],
        &["merge", "--salvage"],
        &["status", "--format", "json"],
        &["publish"],
        &["publish", "--salvage"],
    ] {
        let (code, out, error) = ends(folder, &[words, &["q"], more].concat());
        let is_published = words[0] == "publish" && published(&out) == TOTAL;
        assert!(
            code != 0 || out.contains(TOTAL.trim_end()) || is_published,
            "{words:?}: {out}{error}"
        );
        assert!(
            words[0] == "status" || code == 0 || out.is_empty(),
            "{words:?}: {out}"
        );
    }
}

/// Returns the sum of a published record, as an independent program reads it.
fn published(record: &str) -> String {
    let counts = record.lines().skip(1).map(|line| {
        let entry: serde_json::Value = serde_json::from_str(line).unwrap();
        entry["count"].as_str().unwrap().parse::<u128>().unwrap()
    });
    format!("{}\n", counts.sum::<u128>())
}

/// Returns the units that a source is asked to count a second time.
fn requested(folder: &Path, source: &str, more: &[&str]) -> UnitSet {
    let merge = [&["merge", "q", "-q", "--second", "--for", source], more].concat();
    let (code, units, error) = ends(folder, &merge);
    assert!(code == 0 || code == 4, "{error}");
    units.trim_end().parse().unwrap()
}

/// Runs all commands that `status` recommends, until no new ones appear.
fn follow_status(folder: &Path, more: &str) -> Vec<String> {
    let mut followed = Vec::new();
    let mut pending = vec![format!("queencount status q {more}")];
    while let Some(command) = pending.pop() {
        if followed.contains(&command) {
            continue;
        }
        let mut shell = child::command("sh");
        let script = shell
            .args([
                "-c",
                &format!("PATH=\"$(dirname \"$0\"):$PATH\"; {command}"),
            ])
            .arg(env!("CARGO_BIN_EXE_queencount"))
            .current_dir(folder);
        let output = child::finish(script).unwrap();
        let out = text(&output.stdout);
        let error = text(&output.stderr);
        assert!(
            [0, 3, 4].contains(&output.status.code().unwrap()),
            "{command}: {error}"
        );
        if command.starts_with("queencount merge") && output.status.success() {
            assert!(
                out == TOTAL || command.contains("--second"),
                "{command}: {out}"
            );
        }
        // The exit code of the pipe is that of sha256sum.
        if let Some((publish, _)) = command.split_once(" | ") {
            let words: Vec<&str> = publish.split(' ').skip(1).collect();
            let (code, record, error) = ends(folder, &words);
            assert_eq!((code, published(&record).as_str()), (0, TOTAL), "{error}");
        }
        if command.starts_with("queencount status") {
            let commands = out
                .lines()
                .rev()
                .filter(|line| line.starts_with("queencount "));
            pending.extend(commands.map(str::to_owned));
        }
        followed.push(command);
    }
    followed
}

#[test]
fn honest_campaign_has_total_and_second_counts() {
    let folder = campaign();
    let folder = folder.path();
    assert_eq!(
        ends(folder, &["merge", "q", "-q"]),
        (0, TOTAL.to_owned(), String::new())
    );
    for (source, _) in UNITS {
        assert!(requested(folder, source, &[]).is_empty(), "{source}");
    }
    let followed = follow_status(folder, "");
    assert!(
        followed
            .iter()
            .any(|command| command.starts_with("queencount publish"))
    );
    let (code, record, _) = ends(folder, &["publish", "q", "-q"]);
    assert_eq!((code, published(&record).as_str()), (0, TOTAL));
}

#[test]
fn forged_finding_has_no_effect() {
    let folder = campaign();
    let folder = folder.path();
    let record = folder.join("q/delhi/1.jsonl");
    let (plan, entries) = read(&record);
    // Delhi's file contains a finding that calls a correct count of Lyon wrong.
    let right = &entries[0];
    let finding = format!(
        r#"{{"verdict":"entry","first":{0},"last":{0},"count":"{1}","recount":"{2}","means":"recount""#,
        right.first,
        right.count,
        right.count + 8
    );
    let crc = crc32fast::hash((plan.hash() + &finding).as_bytes());
    let forged = format!("{finding},\"crc\":\"{crc:08x}\"}}\n");
    let honest = fs::read_to_string(&record).unwrap();
    fs::write(&record, honest.clone() + &forged).unwrap();
    let (code, total, error) = ends(folder, &["merge", "q"]);
    assert_eq!((code, total.as_str()), (0, TOTAL));
    let ignored = " with audit findings\n";
    assert_eq!(error.matches(ignored).count(), 1, "{error}");
    // This wrong count would be supported by the finding.
    change(&folder.join("q/kyoto/1.jsonl"), |_, entry| {
        if entry.first == right.first {
            entry.count += 8;
        }
    });
    no_wrong_total(folder, &[]);
    let followed = follow_status(folder, "");
    // Lyon's right count remains, so nothing has to be counted again.
    let run = followed
        .iter()
        .find(|command| command.starts_with("queencount run"));
    assert_eq!(run, None);
    no_wrong_total(folder, &["--exclude", "15.findings"]);
    let (code, total, _) = ends(folder, &["merge", "q", "--exclude", "15.findings"]);
    assert_eq!((code, total.as_str()), (0, TOTAL));
}

#[test]
fn misattributed_forgery_gives_no_wrong_total() {
    let folder = campaign();
    let folder = folder.path();
    // Delhi attributes its forged counts to Lyon, including one that no other source contradicts.
    for source in ["lyon", "kyoto"] {
        let record = folder.join(format!("q/{source}/1.jsonl"));
        let (plan, mut entries) = read(&record);
        entries.retain(|entry| entry.first != 7);
        write(&record, &plan, &entries);
    }
    change(&folder.join("q/delhi/1.jsonl"), |index, entry| {
        entry.site = Some("lyon".to_owned());
        if index % 10 == 0 || entry.first == 7 {
            entry.count += 8;
        }
    });
    no_wrong_total(folder, &[]);
    follow_status(folder, "");
    no_wrong_total(folder, &["--exclude", "15.findings"]);
    // Lyon is not asked to recount its own counts. Unit 7 is missing once the forgery is found.
    let audit = [
        "audit",
        "q",
        "-q",
        "--sample",
        "100%",
        "--findings",
        "15.findings",
    ];
    assert_eq!(ends(folder, &audit).0, 3);
    let exclude = ["--exclude", "15.findings"];
    no_wrong_total(folder, &exclude);
    assert_eq!(requested(folder, "lyon", &exclude).to_string(), "7");
    let run = ["run", N, "-q", "--units", "7", "--record", "q/lyon/2.jsonl"];
    assert_eq!(ends(folder, &run).0, 0);
    let (code, total, _) = ends(folder, &[&["merge", "q"], &exclude[..]].concat());
    assert_eq!((code, total.as_str()), (0, TOTAL));
}

#[test]
fn copied_entries_are_not_second_counts() {
    let folder = campaign();
    let folder = folder.path();
    fs::remove_dir_all(folder.join("q/kyoto")).unwrap();
    // Half of Delhi's entries are Lyon's, with other names and times.
    let (plan, lyon) = read(&folder.join("q/lyon/1.jsonl"));
    let record = folder.join("q/delhi/1.jsonl");
    let (_, mut delhi) = read(&record);
    delhi.retain(|entry| entry.first < 25);
    for entry in lyon.iter().filter(|entry| (25..=50).contains(&entry.first)) {
        let mut copy = entry.clone();
        copy.site = Some("delhi".to_owned());
        copy.host = None;
        copy.time = entry.time.map(|time| time + 1000);
        delhi.push(copy);
    }
    write(&record, &plan, &delhi);
    no_wrong_total(folder, &[]);
    let (_, status, _) = ends(folder, &["status", "q"]);
    assert!(
        status.contains("q/delhi and q/lyon share 26 counts"),
        "{status}"
    );
    // Neither source has to count again what its own records contain; a third source can count
    // everything that was counted once.
    assert_eq!(requested(folder, "lyon", &[]).to_string(), "");
    assert_eq!(requested(folder, "delhi", &[]).to_string(), "51-100");
    assert_eq!(requested(folder, "q/kyoto", &[]).to_string(), "25-100");
    follow_status(folder, "");
}

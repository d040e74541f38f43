//! An audit reports every wrong line that it recounts, and does nothing else.

use std::fs;
use std::io::{BufRead, BufReader};

use serde_json::Value;

use crate::program::{Running, arguments, ends, forged, queencount, recorded, text};

#[test]
fn audit_reports_its_size_and_strength() {
    let (folder, _) = recorded();
    let folder = folder.path();
    let (code, report, error) = ends(folder, &["audit", "lyon", "--sample", "10", "--seed", "1"]);
    let (extent, strength) = report
        .split_once(" recounted, 0 wrong lines (seed 1)\n")
        .unwrap();
    assert!(extent.starts_with("10 of 36 tasks, "), "{report}");
    assert_eq!(error, format!("queencount: recounting {extent}\n"));
    assert_eq!(code, 0);
    let expected = "If 1% of the counts were wrong, 90% of such audits would pass. \
                    If 25.9% were wrong, 5% would pass.\n";
    assert_eq!(strength, expected);
    // Sample one task in a hundred, one in two, and all tasks, which leaves no doubt.
    for (share, drawn, lines) in [("1%", 1, 2), ("50%", 18, 2), ("100%", 36, 1), ("99", 36, 1)] {
        let (code, report, _) = ends(folder, &["audit", "lyon", "--sample", share]);
        let extent = format!("{drawn} of 36 tasks, ");
        assert!(code == 0 && report.starts_with(&extent), "{report}");
        assert_eq!(report.lines().count(), lines, "{report}");
    }
}

#[test]
fn audit_finds_forged_line_and_changes_nothing() {
    let (folder, record) = recorded();
    let folder = folder.path();
    let lie = forged(&record, 7, 2);
    fs::write(folder.join("lyon/r.jsonl"), &lie).unwrap();
    let audit = ["audit", "lyon", "-q", "--sample", "1000"];
    let (code, report, error) = ends(folder, &audit);
    let lines: Vec<&str> = report.lines().collect();
    assert_eq!((code, lines.len()), (3, 4), "{report}");
    let finding = lines[0];
    assert!(
        finding.starts_with("lyon/r.jsonl line 8: unit "),
        "{report}"
    );
    assert_eq!(lines[2], "sed -i.bak 8d lyon/r.jsonl");
    assert!(
        lines[3].contains(" recounted, 1 wrong line (seed "),
        "{report}"
    );
    let last = "queencount: the audit found 1 wrong line\n";
    assert!(error.ends_with(last), "{error}");
    let (code, json, error) = ends(folder, &[&audit[..], &["--format", "json"]].concat());
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (code, &json["wrong"], &json["tasks"]),
        (3, &1.into(), &36.into())
    );
    assert_eq!(json["findings"], finding);
    assert!(
        error.contains(&format!("\nqueencount: {finding}\n")),
        "{error}"
    );
    // A report that nobody reads does not change the verdict.
    let mut unread = Running::piped(queencount(&audit).current_dir(folder));
    drop(unread.stdout.take());
    assert_eq!(unread.finish().status.code(), Some(3));
    let files = fs::read_dir(folder.join("lyon")).unwrap();
    assert_eq!(files.count(), 1);
    assert_eq!(
        fs::read_to_string(folder.join("lyon/r.jsonl")).unwrap(),
        lie
    );
}

#[test]
fn audit_of_records_without_counts_is_incomplete() {
    let (folder, record) = recorded();
    let folder = folder.path();
    assert_eq!(
        ends(folder, &["run", "2", "-q", "--record", "two"]).1,
        "0\n"
    );
    let (code, report, error) = ends(folder, &["audit", "two"]);
    assert!(
        code == 0 && report.starts_with("0 of 0 tasks, 0% "),
        "{report}{error}"
    );
    fs::write(folder.join("none"), record.lines().next().unwrap()).unwrap();
    let expected = "queencount: incomplete: expected at least one count in none, found none\n";
    let found = ends(folder, &["audit", "none"]);
    assert_eq!(found, (4, String::new(), expected.to_owned()));
    // An empty sum has no sign.
    for command in ["status", "merge"] {
        let (_, out, _) = ends(folder, &[command, "none", "--format", "json"]);
        assert!(
            out.contains("0.0") && !out.contains("-0"),
            "{command}: {out}"
        );
    }
}

#[cfg(unix)]
#[test]
fn interrupted_audit_reports_its_findings() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = "run 17 -q --engine rows --units 0-40 -t 1 --record r";
    let mut run = queencount(&arguments(line));
    assert!(run.current_dir(folder).status().unwrap().success());
    // The first task to be recounted is wrong, and the others take a long time.
    let record = fs::read_to_string(folder.join("r")).unwrap();
    fs::write(folder.join("r"), forged(&record, 1, 8)).unwrap();
    let mut command = queencount(&["audit", "r", "--sample", "100%", "-t", "1"]);
    let mut audit = Running::piped(command.current_dir(folder));
    let mut stdout = BufReader::new(audit.stdout.take().unwrap());
    let mut wrong = String::new();
    stdout.read_line(&mut wrong).unwrap();
    crate::program::signal(&audit, nix::sys::signal::Signal::SIGINT);
    let output = audit.finish();
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{error}");
    assert!(wrong.starts_with("r line 2: unit 0: "), "{wrong}");
    assert!(error.contains("queencount: sed -i.bak 2d r\n"), "{error}");
    let last = error.lines().last().unwrap();
    let verdict = "; before that, the audit found 1 wrong line";
    assert!(
        last.contains("interrupted after ") && last.ends_with(verdict),
        "{error}"
    );
}

#[test]
fn large_tasks_are_audited_by_engine_and_recount() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // In this task of N = 28, only two units have several parts, which are quick to recount.
    let run = ["run", "28", "--units", "161335030", "--record", "r"];
    let run = queencount(&run).current_dir(folder).output().unwrap();
    let error = text(&run.stderr);
    let note = "queencount: tasks of 16 units cannot be divided: counting 16 units instead of 1\n";
    assert!(error.starts_with(note), "{error}");
    let (code, report, error) = ends(folder, &["audit", "r", "--seed", "1"]);
    assert_eq!(code, 0, "{error}");
    assert!(report.contains(" recounted, 0 wrong lines "), "{report}");
    let recounted = " parts of them also recounted independently, 0 wrong\n";
    assert!(report.contains(recounted), "{report}");
    // Each solution of these units stands for 8 images.
    let record = fs::read_to_string(folder.join("r")).unwrap();
    fs::write(folder.join("r"), forged(&record, 1, 8)).unwrap();
    let (code, json, error) = ends(folder, &["audit", "r", "--format", "json"]);
    let wrong: Value = serde_json::from_str(&json).expect(&error);
    let numbers = ["tasks", "wrong"].map(|name| &wrong[name]);
    assert_eq!((code, numbers), (3, [&1.into(), &1.into()]));
    let finding = "queencount: r line 2: units 161335024-161335039: ";
    assert_eq!(error.matches(finding).count(), 1, "{error}");
}

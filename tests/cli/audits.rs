//! An audit reports every wrong line that it recounts, and does nothing else.

use std::fs;

use queencount::{BoardSize, EngineChoice};
use serde_json::Value;

use crate::long_runs::{ends, forged};
use crate::records::recorded;

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
        assert!(
            code == 0 && report.starts_with(&format!("{drawn} of 36 tasks, ")),
            "{report}"
        );
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
    assert!(
        lines[0].starts_with("lyon/r.jsonl line 8: units "),
        "{report}"
    );
    assert_eq!(lines[2], "sed -i.bak 8d lyon/r.jsonl");
    assert!(
        lines[3].contains(" recounted, 1 wrong line (seed "),
        "{report}"
    );
    assert!(
        error.ends_with("queencount: the audit found 1 wrong line\n"),
        "{error}"
    );
    let (code, json, error) = ends(folder, &[&audit[..], &["--format", "json"]].concat());
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (code, json["wrong"].as_u64(), json["drawn"].as_u64()),
        (3, Some(1), Some(36))
    );
    assert_eq!(json["delete"], lines[2]);
    assert_eq!(json["findings"], lines[0]);
    assert!(
        error.contains(&format!("\nqueencount: {}\n", lines[0])),
        "{error}"
    );
    let files: Vec<_> = fs::read_dir(folder.join("lyon")).unwrap().collect();
    assert_eq!(files.len(), 1);
    assert_eq!(
        fs::read_to_string(folder.join("lyon/r.jsonl")).unwrap(),
        lie
    );
}

#[test]
fn audit_recounts_at_most_k_disagreements() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    assert_eq!(
        ends(folder, &["run", "14", "-q", "--record", "r.jsonl"]).0,
        0
    );
    let mut lies = fs::read_to_string(folder.join("r.jsonl")).unwrap();
    for line in 1..=60 {
        lies = forged(&lies, line, 2);
    }
    fs::write(folder.join("lies.jsonl"), lies).unwrap();
    let audit = ["audit", ".", "--sample", "5", "--format", "json", "-q"];
    let (code, json, error) = ends(folder, &audit);
    let json: Value = serde_json::from_str(&json).expect(&error);
    let numbers = ["drawn", "disagreements", "wrong", "tasks"];
    let numbers = numbers.map(|name| json[name].as_u64().unwrap());
    assert_eq!((code, numbers), (3, [10, 5, 5, 78]), "{json}");
    // The first ten disagreements are listed.
    assert_eq!(
        error.matches("lines disagree on units ").count(),
        10,
        "{error}"
    );
    assert!(
        error.contains("queencount: and 50 more problems\n"),
        "{error}"
    );
}

#[test]
fn audit_of_records_without_counts_is_incomplete() {
    let (folder, record) = recorded();
    let folder = folder.path();
    let (code, total, _) = ends(folder, &["run", "2", "-q", "--record", "two"]);
    assert_eq!((code, total.as_str()), (0, "0\n"));
    let (code, report, error) = ends(folder, &["audit", "two"]);
    assert!(
        code == 0 && report.starts_with("0 of 0 tasks, 0.00% "),
        "{report}{error}"
    );
    fs::write(
        folder.join("none"),
        record.split_inclusive('\n').next().unwrap(),
    )
    .unwrap();
    let (code, report, error) = ends(folder, &["audit", "none"]);
    let expected = "queencount: incomplete: the records have no counts\n";
    assert_eq!((code, report.as_str(), error.as_str()), (4, "", expected));
    // An empty sum has no sign.
    for words in [
        "status none",
        "status none --format json",
        "merge none --format json",
    ] {
        let (_, out, _) = ends(folder, &Vec::from_iter(words.split(' ')));
        assert!(out.contains("0.0") && !out.contains("-0"), "{words}: {out}");
    }
}

#[cfg(unix)]
#[test]
fn interrupted_audit_reports_its_findings() {
    use std::io::{BufRead, BufReader};

    use crate::long_runs::program;
    use crate::program::{Running, signal, text};
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let run = [
        "run", "17", "-q", "--engine", "rows", "--units", "0-40", "-t", "1", "--record", "r",
    ];
    assert_eq!(ends(folder, &run).0, 0);
    // The first task to be recounted is wrong, and the others take a long time.
    let record = fs::read_to_string(folder.join("r")).unwrap();
    fs::write(folder.join("r"), forged(&record, 1, 8)).unwrap();
    let mut command = program(&["audit", "r", "--sample", "100%", "-t", "1"]);
    let mut audit = Running::piped(command.current_dir(folder));
    let mut stdout = BufReader::new(audit.stdout.take().unwrap());
    let mut wrong = String::new();
    stdout.read_line(&mut wrong).unwrap();
    signal(&audit, nix::sys::signal::Signal::SIGINT);
    let output = audit.finish();
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{error}");
    assert!(
        wrong.starts_with("r line 2: units 0: ") && wrong.ends_with(" recounted\n"),
        "{wrong}"
    );
    assert!(error.contains("queencount: sed -i.bak 2d r\n"), "{error}");
    let last = error.lines().last().unwrap();
    assert!(last.contains("interrupted after "), "{error}");
    assert!(
        last.ends_with("; before that, the audit found 1 wrong line"),
        "{error}"
    );
}

#[cfg(unix)]
#[test]
fn unread_report_does_not_change_verdict() {
    use std::process::Stdio;

    use crate::long_runs::program;
    use crate::program::Running;
    let (folder, record) = recorded();
    let folder = folder.path();
    fs::write(folder.join("lyon/r.jsonl"), forged(&record, 7, 2)).unwrap();
    let mut command = program(&["audit", "lyon", "--sample", "1000", "-q"]);
    let command = command
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut unread = Running::start(command);
    drop(unread.stdout.take());
    assert_eq!(unread.wait().unwrap().code(), Some(3));
}

#[test]
fn large_tasks_are_audited_by_engine_and_recount() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // In this task of N = 28, only two units have several parts, which are quick to recount.
    let run = [
        "run",
        "28",
        "--engine",
        "rows",
        "--units",
        "161335030",
        "--record",
        "r",
    ];
    let (code, _, error) = ends(folder, &run);
    let note = "queencount: tasks of 16 units cannot be divided: counting 16 units instead of 1\n";
    assert!(code == 0 && error.starts_with(note), "{error}");
    let (code, report, _) = ends(folder, &["audit", "r", "--seed", "1"]);
    let engine = EngineChoice::Rows.engine(BoardSize::new(28).unwrap());
    // The number of recounted parts identifies the sampled unit.
    let parts = [161_335_024, 161_335_025].map(|unit| {
        format!(
            "1 of 1 task, 0.00% of the work for N = 28 recounted, 0 wrong lines (seed 1)\n\
             The engine recounted the units; {} parts of them also recounted independently, 0 wrong\n\
             If 1% of the counts, or of the units that the engine counts, were wrong, 99% of such \
             audits would pass. If 95.0% were wrong, 5% would pass.\n",
            engine.parts(unit)
        )
    });
    assert!(code == 0 && parts.contains(&report), "{report}");
    // Each solution of these units stands for 8 images.
    let record = fs::read_to_string(folder.join("r")).unwrap();
    fs::write(folder.join("r"), forged(&record, 1, 8)).unwrap();
    let (code, json, error) = ends(folder, &["audit", "r", "--seed", "1", "--format", "json"]);
    let json: Value = serde_json::from_str(&json).expect(&error);
    let numbers = ["drawn", "wrong", "wrong_parts"].map(|name| json[name].as_u64());
    assert_eq!((code, numbers), (3, [1, 1, 0].map(Some)));
    assert!(json["parts"].as_u64().unwrap() > 1);
    // The finding is printed once.
    let finding = "queencount: r line 2: units 161335024-161335039: ";
    assert_eq!(error.matches(finding).count(), 1, "{error}");
}

//! An audit finds wrong counts, its findings are stored outside of records, and only `--exclude`
//! leaves counts out of a total.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use queencount::record::{Entry, Plan};
use queencount::{BoardSize, EngineChoice};
use serde_json::Value;

use crate::long_runs::{ends, forged, program};
use crate::program::Running;

/// Counts N = 12 into two records of a directory, and forges the fourth line of the second.
fn forged_campaign(folder: &Path) -> (String, String) {
    for (shard, record) in [("1/2", "a.jsonl"), ("2/2", "b.jsonl")] {
        let run = ["run", "12", "-q", "--shard", shard, "--record", record];
        assert_eq!(ends(folder, &run).0, 0);
    }
    let right = fs::read_to_string(folder.join("b.jsonl")).unwrap();
    let line = right.lines().nth(3).unwrap();
    let entry: Value = serde_json::from_str(line).unwrap();
    fs::write(folder.join("b.jsonl"), forged(&right, 3, 2)).unwrap();
    (
        entry["first"].to_string(),
        entry["count"].as_str().unwrap().to_owned(),
    )
}

#[test]
fn findings_take_effect_only_with_exclude() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (unit, count) = forged_campaign(folder);
    // The published value shows that something is wrong, but not which line.
    let (code, out, error) = ends(folder, &["merge", "a.jsonl", "b.jsonl"]);
    let wrong = "the counts sum to 14202, but the published value for N = 12 is 14200";
    assert!(
        code == 3 && out.is_empty() && error.contains(wrong),
        "{error}"
    );
    let audit = [
        "audit",
        "a.jsonl",
        "b.jsonl",
        "-q",
        "--sample",
        "100%",
        "--findings",
        "12.findings",
    ];
    let (code, report, error) = ends(folder, &audit);
    let found = format!(
        "b.jsonl line 4: units {unit}: {} recorded, {count} recounted\n",
        count.parse::<u128>().unwrap() + 2
    );
    assert!(code == 3 && report.starts_with(&found), "{report}");
    assert!(
        error.ends_with("'--exclude 12.findings' ignores the wrong entries\n"),
        "{error}"
    );
    let findings = fs::read_to_string(folder.join("12.findings")).unwrap();
    let finding: Value = serde_json::from_str(&findings).unwrap();
    assert_eq!(
        (&finding["file"], &finding["line"]),
        (&"b.jsonl".into(), &4.into())
    );
    assert_eq!(finding["recount"].as_str(), Some(count.as_str()));

    // No other option leaves the wrong count out.
    for command in ["merge", "publish"] {
        let (code, out, _) = ends(folder, &[command, "--salvage", "a.jsonl", "b.jsonl"]);
        assert_eq!((code, out.as_str()), (3, ""), "{command}");
    }
    let exclude = ["--exclude", "12.findings", "a.jsonl", "b.jsonl"];
    let (code, out, error) = ends(folder, &[&["merge", "--missing"], &exclude[..]].concat());
    assert_eq!((code, out), (4, format!("{unit}\n")));
    assert!(
        error.contains("ignored: 1 line listed in 12.findings"),
        "{error}"
    );
    assert_eq!(ends(folder, &[&["publish"], &exclude[..]].concat()).0, 4);
    // The length of the file does not matter.
    let others =
        (1..1000).map(|other| findings.replace("\"count\":\"", &format!("\"count\":\"{other}")));
    fs::write(folder.join("long"), others.collect::<String>() + &findings).unwrap();
    let long = [
        "merge",
        "--missing",
        "--exclude",
        "long",
        "a.jsonl",
        "b.jsonl",
    ];
    let (code, out, _) = ends(folder, &long);
    assert_eq!((code, out), (4, format!("{unit}\n")));
    let (code, json, _) = ends(
        folder,
        &[&["status", "--format", "json"], &exclude[..]].concat(),
    );
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((code, json["missing"].as_str()), (4, Some(unit.as_str())));

    // A run counts the units again into the same record.
    let run = ["run", "12", "-q", "--shard", "2/2", "--record", "b.jsonl"];
    assert_eq!(
        ends(folder, &[&run[..], &["--exclude", "12.findings"]].concat()).0,
        0
    );
    let (code, total, _) = ends(folder, &[&["merge"], &exclude[..]].concat());
    assert_eq!((code, total.as_str()), (0, "14200\n"));
    // An audit recounts the rejected entry once more, with the same result, and lists it once.
    let (code, report, _) = ends(folder, &audit);
    assert!(
        code == 3 && report.contains(" entries (2 suspicious) recounted, 1 wrong ("),
        "{report}"
    );
    assert_eq!(
        fs::read_to_string(folder.join("12.findings")).unwrap(),
        findings
    );
}

#[test]
fn excessive_count_is_reported_and_can_be_excluded() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    assert_eq!(ends(folder, &["run", "10", "-q", "--record", "r"]).0, 0);
    let right = fs::read_to_string(folder.join("r")).unwrap();
    // Only the sum shows that 10! is no count of one unit.
    let line = right.lines().nth(7).unwrap();
    let plan = Plan::from_line(right.lines().next().unwrap().as_bytes()).unwrap();
    let mut entry = Entry::from_line(line.as_bytes(), &plan).unwrap();
    entry.count = 3_628_800;
    let lie = right.replace(&(line.to_owned() + "\n"), &entry.to_line(&plan));
    fs::write(folder.join("r"), lie).unwrap();
    let named = "r: line 8 is wrong: it has the largest of the counts, whose sum exceeds 10!";
    let audit = ["audit", "r", "-q", "--sample", "1", "--findings", "f"];
    for words in [
        &["merge", "r"][..],
        &["merge", "r", "--salvage"],
        &["publish", "r"],
        &["run", "10", "--record", "r"],
        &["status", "r"],
        &audit,
    ] {
        let (code, out, error) = ends(folder, words);
        assert!(
            code == 3 && (out + &error).contains(named),
            "{words:?}: {error}"
        );
    }
    let (_, status, _) = ends(folder, &["status", "r"]);
    assert!(
        status.contains("\nqueencount audit r --findings "),
        "{status}"
    );
    // The audit recounts this line, whatever else is in the sample.
    let findings = fs::read_to_string(folder.join("f")).unwrap();
    assert!(findings.contains("\"line\":8,") && findings.lines().count() == 1);
    let exclude = ["--exclude", "f"];
    let missing = [&["merge", "r", "-q", "--missing"], &exclude[..]].concat();
    assert_eq!(ends(folder, &missing).1, format!("{}\n", entry.first));
    let run = [&["run", "10", "-q", "--record", "r"], &exclude[..]].concat();
    assert_eq!(ends(folder, &run).1, "724\n");
}

#[test]
fn correct_count_rejected_by_finding_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    assert_eq!(ends(folder, &["run", "10", "-q", "--record", "r"]).0, 0);
    let right = fs::read_to_string(folder.join("r")).unwrap();
    fs::write(folder.join("r"), forged(&right, 7, 2)).unwrap();
    let audit = ["audit", "r", "-q", "--sample", "100%", "--findings", "f"];
    assert_eq!(ends(folder, &audit).0, 3);
    // The finding now rejects the correct count.
    let finding = fs::read_to_string(folder.join("f")).unwrap();
    let mut members: Value = serde_json::from_str(&finding).unwrap();
    members["count"] = members["recount"].clone();
    fs::write(folder.join("f"), members.to_string() + "\n").unwrap();
    fs::write(folder.join("r"), right).unwrap();
    let (code, report, error) = ends(folder, &audit);
    assert!(
        code == 3 && report.contains("which is correct, although it was rejected"),
        "{report}"
    );
    assert!(
        error.contains("the recount confirmed 1 rejected entry"),
        "{error}"
    );
    // A new count repeats the rejected one, which 'merge --exclude' leaves out.
    for format in ["text", "json"] {
        let run = ["run", "10", "-q", "--record", "r", "--exclude", "f"];
        let run = [&run[..], &["--format", format]].concat();
        let (code, out, error) = ends(folder, &run);
        assert_eq!((code, out.as_str()), (3, ""), "{error}");
        let unit = &members["first"];
        let repeats = format!("units {unit}: the new count is the one that f rejects; ");
        assert!(error.contains(&repeats), "{error}");
    }
    assert_eq!(ends(folder, &["merge", "r", "--exclude", "f"]).0, 4);
}

#[test]
fn findings_are_never_written_to_other_files() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    forged_campaign(folder);
    assert_eq!(
        ends(folder, &["run", "8", "-q", "--record", "other.jsonl"]).0,
        0
    );
    fs::write(folder.join("notes.txt"), "dear diary\n").unwrap();
    for (file, code) in [
        ("a.jsonl", 2),
        ("other.jsonl", 2),
        ("notes.txt", 3),
        ("no/folder", 3),
        (".", 2),
    ] {
        let path = folder.join(file);
        let before = fs::read(&path).ok();
        let audit = [
            "audit",
            "a.jsonl",
            "b.jsonl",
            "-q",
            "--sample",
            "100%",
            "--findings",
            file,
        ];
        let (ended, _, error) = ends(folder, &audit);
        assert_eq!(ended, code, "{file}: {error}");
        assert!(error.contains(file), "{file}: {error}");
        assert_eq!(fs::read(&path).ok(), before, "{file}");
    }
}

#[cfg(unix)]
#[test]
fn findings_are_never_written_to_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    assert_eq!(ends(folder, &["run", "8", "-q", "--record", "r"]).0, 0);
    nix::unistd::mkfifo(&folder.join("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    let (code, out, error) = ends(folder, &["audit", "r", "--findings", "pipe"]);
    assert_eq!((code, out.as_str()), (2, ""));
    let refused = "queencount: expected a regular file for '--findings', found pipe\n";
    assert_eq!(error, refused);
}

#[test]
fn forged_line_is_found_by_total_or_recount() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    assert_eq!(ends(folder, &["run", "10", "-q", "--record", "r"]).0, 0);
    let record = fs::read_to_string(folder.join("r")).unwrap();
    let line = record.lines().nth(7).unwrap();
    let lie = line.replacen("\"count\":\"", "\"count\":\"1", 1);
    fs::write(folder.join("naive"), record.replace(line, &lie)).unwrap();
    let (code, _, error) = ends(folder, &["merge", "naive"]);
    assert!(
        code == 3 && error.starts_with("queencount: naive: line 8 is damaged: "),
        "{error}"
    );

    // This forged line has a matching checksum.
    fs::write(folder.join("clever"), forged(&record, 7, 2)).unwrap();
    let (code, out, error) = ends(folder, &["merge", "clever"]);
    assert!(
        code == 3 && out.is_empty() && error.contains("sum to 726, but"),
        "{error}"
    );
    let (code, _, error) = ends(folder, &["merge", "r", "clever"]);
    assert!(
        code == 3 && error.contains(", clever line 8 has "),
        "{error}"
    );
    let (code, report, _) = ends(folder, &["audit", "clever", "-q", "--sample", "1000"]);
    assert_eq!(code, 3);
    assert!(
        report.starts_with("clever line 8: units ")
            && report.contains("36 of 36 entries recounted, 1 wrong")
    );
    // The exit code is correct even if nobody reads the report.
    let mut unread = Running::start(
        program(&["audit", "clever", "--sample", "1000", "-q"])
            .current_dir(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null()),
    );
    drop(unread.stdout.take());
    assert_eq!(unread.wait().unwrap().code(), Some(3));
    // No probability is reported if something wrong was found.
    assert_eq!(report.lines().count(), 2, "{report}");
    let (code, report, error) = ends(folder, &["audit", "r", "--sample", "10", "--seed", "1"]);
    let size = "10 units, 28.75% of the work for N = 10";
    let expected = format!(
        "10 of 36 entries recounted, 0 wrong ({size}; seed 1)\n\
         If 1% of the entries were wrong, 90% of such audits would pass. If 25.9% were wrong, 5% would pass.\n"
    );
    assert_eq!((code, report), (0, expected));
    assert_eq!(
        error,
        format!("queencount: recounting 10 of 36 entries: {size}\n")
    );
    let (_, report, _) = ends(folder, &["audit", "r", "--sample", "100%"]);
    // No probability is reported if the sample contains all entries.
    assert!(
        report.starts_with("36 of 36 ") && report.lines().count() == 1,
        "{report}"
    );
    // Sample one entry in a hundred, one in two, and all entries.
    for (share, drawn) in [("1%", 1), ("50%", 18), ("100%", 36)] {
        let (code, report, _) = ends(folder, &["audit", "r", "--sample", share]);
        assert!(
            code == 0 && report.starts_with(&format!("{drawn} of 36 entries recounted, 0 wrong (")),
            "{report}"
        );
    }
}

#[test]
fn large_entries_are_audited_by_engine_and_recount() {
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
    let message =
        "queencount: tasks of 16 units cannot be divided: counting 16 units instead of 1\n";
    assert!(code == 0 && error.starts_with(message), "{error}");
    let (size, seed) = ("16 units, 0.00% of the work for N = 28", ["--seed", "1"]);
    let audit = |arguments: &[&str]| ends(folder, &[&["audit"], arguments, &seed].concat());
    let (code, report, error) = audit(&["r"]);
    assert_eq!(
        error,
        format!("queencount: recounting 1 of 1 entry: {size}\n")
    );
    // The number of recounted parts identifies the sampled unit.
    let parts = [161_335_024, 161_335_025].map(|unit| {
        format!(
            "1 of 1 entry recounted by rows, 0 wrong; {} parts also recounted independently, 0 wrong ({size}; seed 1)\n\
             If 1% of the entries, or of the units that rows counts, were wrong, 99% of such audits would pass. If \
             95.0% were wrong, 5% would pass.\n",
            EngineChoice::Rows.engine(BoardSize::new(28).unwrap()).parts(unit)
        )
    });
    assert!(code == 0 && parts.contains(&report), "{report}");

    // Each solution of these units stands for 8 images.
    let record = fs::read_to_string(folder.join("r")).unwrap();
    fs::write(folder.join("clever"), forged(&record, 1, 8)).unwrap();
    let (code, json, error) = audit(&["clever", "--format", "json"]);
    // The error is reported once.
    assert!(
        error.contains("queencount: clever line 2: units ") && error.matches("line 2").count() == 1,
        "{error}"
    );
    let verdict =
        "the audit found 1 wrong entry; '--findings FILE' lists the wrong entries for --exclude";
    assert!(
        error.ends_with(&format!("queencount: {verdict}\n")),
        "{error}"
    );
    let json: Value = serde_json::from_str(&json).unwrap();
    let numbers = ["drawn", "wrong", "wrong_parts"].map(|name| json[name].as_u64());
    assert_eq!((code, numbers), (3, [1, 1, 0].map(Some)));
    assert!(json["parts"].as_u64().unwrap() > 1);
    let findings = json["findings"].as_str().unwrap();
    assert!(
        findings.starts_with("clever line 2: units 161335024-161335039: "),
        "{findings}"
    );
    // With --whole, the recount counts every unit, so no part is left for the engine.
    let (code, report, error) = audit(&["r", "--whole"]);
    let expected = format!("1 of 1 entry recounted, 0 wrong ({size}; seed 1)\n");
    assert!(
        code == 0 && report.starts_with(&expected),
        "{report}{error}"
    );
}

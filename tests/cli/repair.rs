//! Every problem in a record is reported, with the units that must be counted again.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use tempfile::TempDir;

use crate::long_runs::{ends, forged, program};
use crate::program::{queencount, run, text};

/// Creates a directory with a complete record `r` of N = 10. Returns its text as well.
fn recorded() -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(
        ends(folder.path(), &["run", "10", "-q", "--record", "r"]).0,
        0
    );
    let record = fs::read_to_string(folder.path().join("r")).unwrap();
    (folder, record)
}

/// Returns the unit of a line in a record of N = 10, in which each entry has one unit.
fn unit(record: &str, line: usize) -> String {
    let entry: serde_json::Value =
        serde_json::from_str(record.lines().nth(line - 1).unwrap()).unwrap();
    entry["first"].to_string()
}

#[test]
fn damaged_lines_are_reported_and_can_be_skipped() {
    let (folder, record) = recorded();
    let folder = folder.path();
    let damaged = |lines: &[usize]| -> String {
        let damage = |(number, line): (usize, &str)| match lines.contains(&(number + 1)) {
            true => line.replace("seconds", "SECONDS") + "\n",
            false => line.to_owned() + "\n",
        };
        record.lines().enumerate().map(damage).collect()
    };
    fs::write(folder.join("a"), damaged(&[3, 9])).unwrap();
    fs::write(folder.join("b"), damaged(&[3, 20])).unwrap();
    let (code, total, error) = ends(folder, &["merge", "a", "b"]);
    assert_eq!((code, total.as_str()), (3, ""));
    let named = ["a: line 3", "a: line 9", "b: line 3", "b: line 20"];
    let lines: Vec<&str> = error.lines().collect();
    assert_eq!(lines.len(), 5, "{error}");
    for (line, place) in lines.iter().zip(named) {
        assert!(
            line.starts_with(&format!("queencount: {place} is damaged: ")),
            "{error}"
        );
    }
    assert!(
        lines[4].ends_with("the records have 4 problems, listed above"),
        "{error}"
    );

    // Only line 3 is missing from both.
    let missing = unit(&record, 3);
    let (code, units, error) = ends(folder, &["merge", "a", "b", "--salvage", "--missing"]);
    assert_eq!((code, units), (4, format!("{missing}\n")));
    assert!(
        error.starts_with("queencount: skipped: a: line 3 is damaged: "),
        "{error}"
    );
    assert_eq!(
        ends(
            folder,
            &["run", "10", "-q", "--units", &missing, "--record", "rest"]
        )
        .0,
        0
    );
    let (code, total, error) = ends(folder, &["merge", "a", "b", "rest", "--salvage"]);
    assert_eq!(
        (code, total.as_str(), error.lines().count()),
        (0, "724\n", 4),
        "{error}"
    );
    // A file that is not a record, or whose lines end differently, does not hide other problems. A
    // record of another board is refused.
    fs::write(folder.join("notes"), "dear diary\n").unwrap();
    fs::write(folder.join("edited"), record.replace('\n', "\r\r\n")).unwrap();
    fs::write(folder.join("windows"), record.replace('\n', "\r\n")).unwrap();
    let (code, total, error) = ends(folder, &["merge", "windows"]);
    assert_eq!((code, total.as_str()), (0, "724\n"), "{error}");
    let (code, _, error) = ends(folder, &["merge", "a", "notes", "edited"]);
    assert!(
        error.contains("tr -d '\\r' may repair them") && !error.contains("delete"),
        "{error}"
    );
    let named = ["notes: not a record", "a: line 9", "edited: not a record"];
    assert!(
        code == 3 && named.iter().all(|flaw| error.contains(flaw)),
        "{error}"
    );
    let (code, total, error) = ends(folder, &["merge", "r", "notes", "edited", "--salvage"]);
    assert_eq!((code, total.as_str()), (0, "724\n"), "{error}");
    let named = ["notes: not a record", "edited: not a record"];
    assert!(
        named
            .iter()
            .all(|flaw| error.contains(&format!("skipped: {flaw}"))),
        "{error}"
    );
    assert_eq!(ends(folder, &["run", "9", "-q", "--record", "nine"]).0, 0);
    assert_eq!(ends(folder, &["merge", "r", "nine", "--salvage"]).0, 3);
}

#[test]
fn record_without_plan_is_read_with_given_plan() {
    let (folder, record) = recorded();
    let folder = folder.path();
    let (plan, entries) = record.split_once('\n').unwrap();
    // The gap covers the plan and the first entry, which is line 2 of the record.
    let mut spoiled = record.clone().into_bytes();
    spoiled[..plan.len() + 1 + entries.find('\n').unwrap()].fill(0);
    fs::write(folder.join("hole"), &spoiled).unwrap();
    for arguments in [
        &["merge", "hole"][..],
        &["run", "10", "-q", "--record", "hole"],
    ] {
        let (code, out, error) = ends(folder, arguments);
        assert!(
            code == 3 && out.is_empty() && error.starts_with("queencount: hole: not a record: "),
            "{error}"
        );
        assert_eq!(fs::read(folder.join("hole")).unwrap(), spoiled);
    }
    let missing = unit(&record, 2);
    let salvage = ["merge", "--n", "10", "--salvage", "hole"];
    let (code, units, error) = ends(folder, &[&salvage[..], &["--missing"]].concat());
    assert_eq!((code, units), (4, format!("{missing}\n")));
    assert!(
        error.contains("skipped: hole: line 1 is damaged: "),
        "{error}"
    );
    assert_eq!(
        ends(
            folder,
            &["run", "10", "-q", "--units", &missing, "--record", "rest"]
        )
        .0,
        0
    );
    for merge in [&salvage[..], &["merge", "--salvage", "hole"]] {
        let (code, total, _) = ends(folder, &[merge, &["rest"]].concat());
        assert_eq!((code, total.as_str()), (0, "724\n"));
    }
}

#[test]
fn audit_reports_flaws_and_recounts_good_lines() {
    let (folder, record) = recorded();
    let folder = folder.path();
    fs::create_dir(folder.join("store")).unwrap();
    let spoiled = forged(&record.replacen("seconds", "SECONDS", 1), 7, 2);
    for (name, text) in [
        ("a.jsonl", record.as_str()),
        ("b.jsonl", &spoiled),
        ("notes.jsonl", "dear diary\n"),
    ] {
        fs::write(folder.join("store").join(name), text).unwrap();
    }
    assert_eq!(
        ends(folder, &["run", "9", "-q", "--record", "store/nine.jsonl"]).0,
        0
    );
    let (code, report, error) = ends(folder, &["audit", "store", "--sample", "10"]);
    let named = [
        "b.jsonl: line 2 is damaged",
        "notes.jsonl: not a record",
        "nine.jsonl: line 1 belongs to another plan",
    ];
    assert!(
        code == 3
            && named
                .iter()
                .all(|flaw| error.contains(&format!("store/{flaw}"))),
        "{error}"
    );
    let counted = "12 of 37 entries (2 suspicious) recounted, 1 wrong (";
    assert!(
        report.contains(counted) && report.contains("which is correct"),
        "{report}"
    );
    // If flaws are the only problem, they determine the exit code.
    let (code, _, error) = ends(folder, &["audit", "store/a.jsonl", "store/notes.jsonl"]);
    let last =
        "the records have 1 problem, listed above; the audit found no errors in the other lines\n";
    assert!(code == 3 && error.ends_with(last), "{error}");
}

/// An older version appended these findings to a record.
#[test]
fn findings_in_record_are_reported_once() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let record = include_str!("../data/findings.jsonl");
    fs::write(folder.join("r"), record).unwrap();
    for words in [
        &["merge", "r"][..],
        &["status", "r"],
        &["publish", "r"],
        &["audit", "r"],
        &["run", "8", "--record", "r"],
    ] {
        let (code, _, error) = ends(folder, words);
        let ignored = "queencount: ignored: 5 lines with audit findings\n";
        assert_eq!(
            (code, error.matches(ignored).count()),
            (0, 1),
            "{words:?}: {error}"
        );
    }
    assert_eq!(ends(folder, &["merge", "r", "-q"]).1, "92\n");
    // A resumed run adds its own plan line, and leaves the findings where they are.
    assert!(
        fs::read_to_string(folder.join("r"))
            .unwrap()
            .starts_with(record)
    );
}

/// A record compressed with gzip and a truncated copy of it are among files with other names.
#[test]
fn compressed_records_are_read_but_never_written() {
    let (folder, record) = recorded();
    let folder = folder.path();
    fs::create_dir(folder.join("store")).unwrap();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(record.as_bytes()).unwrap();
    let compressed = encoder.finish().unwrap();
    fs::write(folder.join("store/r.jsonl.gz"), &compressed).unwrap();
    for name in ["r.JSONL", "r.jsonl.bak"] {
        fs::write(folder.join("store").join(name), "").unwrap();
    }
    // A symbolic link to a directory may form a cycle.
    #[cfg(unix)]
    std::os::unix::fs::symlink("..", folder.join("store/back.jsonl")).unwrap();
    let (code, total, error) = ends(folder, &["merge", "store"]);
    assert_eq!((code, total.as_str()), (0, "724\n"), "{error}");
    let others = if cfg!(unix) { 3 } else { 2 };
    let expected =
        format!("ignored: {others} files not named *.jsonl or *.jsonl.gz, such as store/");
    assert!(error.contains(&expected), "{error}");
    assert_eq!(ends(folder, &["publish", "store", "-q"]).0, 0);
    // A run does not resume, create or change such files.
    #[cfg(unix)]
    std::os::unix::fs::symlink("store/new.jsonl.gz", folder.join("new.jsonl")).unwrap();
    for (name, expected) in [
        ("store/r.jsonl.gz", 2),
        ("store/new.jsonl.gz", 2),
        ("store/NEW.JSONL.GZ", 2),
        #[cfg(unix)]
        ("new.jsonl", 2),
        ("compressed", 3),
    ] {
        fs::write(folder.join("compressed"), &compressed).unwrap();
        let (code, _, error) = ends(folder, &["run", "10", "--record", name]);
        assert_eq!(code, expected, "{name}: {error}");
        assert_eq!(fs::read(folder.join("compressed")).unwrap(), compressed);
        for new in ["store/new.jsonl.gz", "store/NEW.JSONL.GZ"] {
            assert!(!folder.join(new).exists(), "{name}");
        }
    }
    assert_eq!(
        fs::read(folder.join("store/r.jsonl.gz")).unwrap(),
        compressed
    );
    fs::write(
        folder.join("store/s.jsonl.gz"),
        &compressed[..compressed.len() / 2],
    )
    .unwrap();
    let (code, _, error) = ends(folder, &["merge", "store", "-q"]);
    assert!(
        code == 3 && error.contains("store/s.jsonl.gz: not a record: the gzip data after line "),
        "{error}"
    );
    assert_eq!(
        ends(folder, &["merge", "store", "-q", "--salvage"]).1,
        "724\n"
    );
}

#[cfg(unix)]
#[test]
fn record_equal_to_output_file_is_rejected() {
    let (folder, record) = recorded();
    for (words, redirect) in [
        ("--record r", ">>r"),
        ("--record /dev/stdout", ">>r"),
        ("--record r", "2>>r"),
    ] {
        let script = format!("exec \"$0\" run 10 --engine backtrack {words} {redirect}");
        let shell = ["-c", &script, env!("CARGO_BIN_EXE_queencount")];
        let output = crate::common::child::command("sh")
            .args(shell)
            .current_dir(&folder)
            .output()
            .unwrap();
        let kept = fs::read_to_string(folder.path().join("r")).unwrap();
        assert_eq!(
            output.status.code(),
            Some(2),
            "{words} {redirect}: {output:?}"
        );
        // Only the message may follow.
        assert!(
            kept.starts_with(&record) && (redirect.starts_with('2') || kept == record),
            "{words} {redirect}"
        );
    }
    assert_eq!(ends(folder.path(), &["run", "10", "--record", "-"]).0, 2);
    assert!(!folder.path().join("-").exists());
}

/// This is not damage, and nothing is excluded from the sum because of it.
#[cfg(unix)]
#[test]
fn unreadable_stdin_is_not_reported_as_damage() {
    let (folder, _) = recorded();
    for words in [
        &["merge", "-", "r"][..],
        &["merge", "--salvage", "-", "r"],
        &["merge", "--salvage", "--n", "10", "-"],
    ] {
        let mut merge = program(words);
        let output = merge
            .current_dir(&folder)
            .stdin(fs::File::open("/").unwrap())
            .output()
            .unwrap();
        let error = text(&output.stderr);
        assert_eq!(
            (output.status.code(), text(&output.stdout)),
            (Some(1), String::new()),
            "{words:?}: {error}"
        );
        assert!(
            error.starts_with("queencount: stdin: "),
            "{words:?}: {error}"
        );
    }
}

#[cfg(unix)]
#[test]
fn device_files_are_rejected_and_pipes_are_read() {
    let (folder, record) = recorded();
    let folder = folder.path();
    let (code, out, error) = ends(folder, &["merge", "r", "/dev/zero"]);
    assert_eq!((code, out.as_str()), (3, ""));
    let expected = "/dev/zero: not a record: it is neither a file nor a pipe\n";
    assert_eq!(error, format!("queencount: {expected}"));
    nix::unistd::mkfifo(&folder.join("fifo"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    for words in [
        &["merge", "fifo"][..],
        &["merge", "--salvage", "--n", "10", "fifo"],
    ] {
        let writer = {
            let fifo = folder.join("fifo");
            let record = record.clone();
            std::thread::spawn(move || fs::write(fifo, record).unwrap())
        };
        let (code, total, error) = ends(folder, words);
        assert_eq!((code, total.as_str()), (0, "724\n"), "{words:?}: {error}");
        writer.join().unwrap();
    }
    assert_eq!(ends(folder, &["run", "10", "--record", "fifo"]).0, 3);
    let (code, _, error) = ends(
        folder,
        &["run", "10", "--record", "r", "--units", "@/dev/zero"],
    );
    assert!(
        code == 2
            && error.starts_with("queencount: /dev/zero: expected at most 67108864 bytes per line"),
        "{error}"
    );
}

/// Only the first bytes of a pipe without a record are read.
#[cfg(unix)]
#[test]
fn stdin_without_record_is_rejected_early() {
    for words in [
        &["merge", "-"][..],
        &["status", "-"],
        &["publish", "/dev/stdin"],
    ] {
        let mut child = program(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The pipe stays open, and its content has no newline.
        let mut pipe = child.stdin.take().unwrap();
        pipe.write_all(b"dear diary").unwrap();
        pipe.flush().unwrap();
        let output = child.wait_with_output().unwrap();
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{words:?}: {error}");
        assert!(
            error.contains("not a record: its first line"),
            "{words:?}: {error}"
        );
    }
}

#[test]
fn audit_of_conflicting_records_finds_wrong_one() {
    let (folder, record) = recorded();
    let folder = folder.path();
    let lies = forged(&forged(&record, 7, 2), 11, 2);
    fs::write(folder.join("lies"), &lies).unwrap();
    let (code, total, error) = ends(folder, &["merge", "r", "lies"]);
    assert_eq!((code, total.as_str()), (3, ""));
    for line in [8, 12] {
        assert!(
            error.contains("entries disagree on the solutions of units "),
            "{error}"
        );
        assert!(
            error.contains(&format!(", lies line {line} has ")),
            "{error}"
        );
    }
    assert!(
        error.contains("to find wrong lines, use 'audit --findings FILE'"),
        "{error}"
    );
    // No option resolves a dispute.
    for words in [&["merge"][..], &["merge", "--missing"], &["publish"]] {
        let (code, out, _) = ends(folder, &[words, &["r", "lies", "--salvage"]].concat());
        assert_eq!((code, out.as_str()), (3, ""), "{words:?}");
    }

    let (code, report, error) = ends(folder, &["audit", "r", "lies", "--findings", "f"]);
    assert_eq!(code, 3);
    for line in [8, 12] {
        let verdict = |record: &str| {
            let place = format!("{record} line {line}: units ");
            report
                .lines()
                .find(|line| line.starts_with(&place))
                .unwrap_or_else(|| panic!("{report}"))
                .to_owned()
        };
        assert!(
            verdict("r").ends_with(" recorded, which is correct")
                && verdict("lies").ends_with(" recounted"),
            "{report}"
        );
    }
    assert!(
        report.contains("34 of 38 entries (4 suspicious) recounted, 2 wrong ("),
        "{report}"
    );
    // The strength of an audit depends only on the 30 randomly sampled entries.
    let strength = "74% of such audits would pass. If 9.5% were wrong, 5% would pass.\n";
    assert!(report.ends_with(strength), "{report}");
    assert!(
        error.ends_with(
            "the audit found 2 wrong entries; '--exclude f' ignores the wrong entries\n"
        )
    );
    let (_, json, _) = ends(folder, &["audit", "r", "lies", "--format", "json"]);
    assert!(
        json.contains("\"suspects\":4,") && json.contains("\"findings\":\"lies line "),
        "{json}"
    );
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let passed_by_all = (1.0 - json["detected_share"].as_f64().unwrap()).powi(30);
    assert!((passed_by_all - 0.05).abs() < 1e-9, "{json}");

    // Follow the advice in the error message.
    let (code, total, _) = ends(folder, &["merge", "r", "lies", "--exclude", "f"]);
    assert_eq!((code, total.as_str()), (0, "724\n"));
}

#[test]
fn complete_audit_is_reported_even_without_units() {
    let (folder, _) = recorded();
    let folder = folder.path();
    let (code, json, _) = ends(
        folder,
        &["audit", "r", "--sample", "100%", "--format", "json"],
    );
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (
            code,
            json["detected_share"].as_f64(),
            json["suspects"].as_u64()
        ),
        (0, Some(0.0), Some(0))
    );
    let (code, total, _) = ends(folder, &["run", "2", "-q", "--record", "two"]);
    assert_eq!((code, total.as_str()), (0, "0\n"));
    let (code, report, error) = ends(folder, &["audit", "two"]);
    assert!(
        code == 0 && report.starts_with("0 of 0 entries recounted, 0 wrong ("),
        "{report}{error}"
    );
    fs::write(folder.join("none"), ends_at_plan(&folder.join("r"))).unwrap();
    let (code, report, error) = ends(folder, &["audit", "none"]);
    assert!(
        code == 4 && report.is_empty() && error.contains("the records have no entries"),
        "{error}"
    );
    // An empty sum has no sign.
    for words in [
        &["audit", "two"][..],
        &["status", "none"],
        &["status", "none", "--format", "json"],
        &["merge", "none", "--format", "json"],
    ] {
        let (_, out, _) = ends(folder, words);
        assert!(
            out.contains("0.0") && !out.contains("-0"),
            "{words:?}: {out}"
        );
    }
}

fn ends_at_plan(record: &Path) -> String {
    fs::read_to_string(record)
        .unwrap()
        .split_inclusive('\n')
        .next()
        .unwrap()
        .to_owned()
}

#[test]
fn units_are_read_from_option_file_or_stdin() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // Lists of units may have a byte order mark, several lines, surrounding spaces and CRLF line
    // endings.
    fs::write(folder.join("some"), "\u{feff}3,17\r\n 20-22 \n\n").unwrap();
    let long = "17, 3\n".repeat(200_000) + &"3,".repeat(100_000) + "20-22";
    fs::write(folder.join("long"), &long).unwrap();
    for (units, input) in [
        ("3,17,20-22", ""),
        ("@some", ""),
        ("@long", ""),
        ("-", &long),
        ("-", "3,17,20-22\n"),
        ("-", "3,17\n20-22"),
    ] {
        let record = folder.join("r");
        let record = record.to_str().unwrap();
        let arguments = [
            "run",
            "10",
            "--engine",
            "backtrack",
            "--record",
            record,
            "--format",
            "json",
            "--units",
            units,
        ];
        let output = match units.strip_prefix('@') {
            Some(_) => queencount(&arguments).current_dir(folder).output().unwrap(),
            None => run(&arguments, input),
        };
        assert_eq!(
            output.status.code(),
            Some(0),
            "{units}: {}",
            text(&output.stderr)
        );
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(json["missing"], "0-2,4-16,18-19,23-35", "{units}");
        fs::remove_file(record).unwrap();
    }
    // An empty list means that there is nothing to do.
    fs::write(folder.join("nothing"), "").unwrap();
    for units in ["", "@nothing", "-"] {
        let (code, out, error) = ends(folder, &["run", "10", "--record", "r", "--units", units]);
        let message = "queencount: no units requested: nothing to do\n";
        assert!(
            (code, out.as_str()) == (0, "") && error.starts_with(message),
            "{units:?}: {error}"
        );
    }
    assert_eq!(
        ends(folder, &["run", "10", "-q", "--record", "r"]),
        (0, "724\n".into(), String::new())
    );
    assert_eq!(
        ends(folder, &["merge", "r", "--missing"]),
        (0, String::new(), String::new())
    );

    fs::write(folder.join("some"), "3,seven\n").unwrap();
    let (code, _, error) = ends(folder, &["run", "10", "--record", "r", "--units", "@some"]);
    assert_eq!(
        (code, error.as_str()),
        (
            2,
            "queencount: some: expected units such as 3,17,40-44, found \"seven\"\n"
        )
    );
    assert_eq!(
        ends(
            folder,
            &["run", "10", "--record", "r", "--units", "@nowhere"]
        )
        .0,
        1
    );
}

/// A record is deleted while a run writes it, and an audit is interrupted after it has found
/// something.
#[cfg(unix)]
mod watched {
    use std::io::{BufRead, BufReader};

    use nix::sys::signal::Signal;

    use super::*;
    use crate::program::{Running, signal, wait_until};

    #[test]
    fn run_fails_if_its_record_is_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let record = folder.path().join("r");
        let mut command = program(&["run", "16", "-q", "-t", "1", "--record", "r"]);
        let run = Running::piped(command.current_dir(folder.path()));
        wait_until("an entry", || {
            fs::read_to_string(&record).is_ok_and(|text| text.lines().count() > 2)
        });
        fs::remove_file(&record).unwrap();
        let output = run.finish();
        assert_eq!(
            (output.status.code(), text(&output.stdout).as_str()),
            (Some(1), "")
        );
        let error = text(&output.stderr);
        assert!(
            error.starts_with(
                "queencount: r: it was deleted, replaced or changed while this process "
            ),
            "{error}"
        );
        assert_eq!(error.lines().count(), 1, "{error}");
    }

    #[test]
    fn interrupted_audit_reports_its_findings() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let run = [
            "run", "17", "-q", "--engine", "rows", "--units", "0-40", "--record", "r",
        ];
        assert_eq!(ends(folder, &run).0, 0);
        // The first entry to be recounted is wrong, and the others take a long time.
        let record = fs::read_to_string(folder.join("r")).unwrap();
        let first = (1..=41)
            .find(|line| unit(&record, line + 1) == "0")
            .unwrap();
        fs::write(folder.join("r"), forged(&record, first, 2)).unwrap();
        let mut command = program(&["audit", "r", "--sample", "100%", "-t", "1"]);
        let mut audit = Running::piped(command.current_dir(folder));
        let mut stdout = BufReader::new(audit.stdout.take().unwrap());
        let mut wrong = String::new();
        stdout.read_line(&mut wrong).unwrap();
        signal(&audit, Signal::SIGINT);
        let output = audit.finish();
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{error}");
        assert!(
            wrong.starts_with(&format!("r line {}: units 0: ", first + 1)),
            "{wrong}"
        );
        assert!(
            wrong.contains(" recorded, ") && !error.contains(" recorded, "),
            "{error}"
        );
        let last = error.lines().last().unwrap();
        assert!(
            last.contains("interrupted after ")
                && last.ends_with("; before that, the audit found 1 mismatch")
        );
    }
}

/// Neither a record nor an input is overwritten, even through a link or if it is compressed.
#[cfg(unix)]
#[test]
fn outputs_never_replace_records_or_inputs() {
    let (folder, record) = recorded();
    let folder = folder.path();
    fs::copy(folder.join("r"), folder.join("a.jsonl")).unwrap();
    fs::write(folder.join("board.txt"), "8\n").unwrap();
    std::os::unix::fs::symlink("a.jsonl", folder.join("link")).unwrap();
    std::os::unix::fs::symlink("board.txt", folder.join("board-link")).unwrap();
    fs::write(folder.join("findings"), "").unwrap();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(record.as_bytes()).unwrap();
    let compressed = encoder.finish().unwrap();
    fs::write(folder.join("compressed"), &compressed).unwrap();
    fs::create_dir(folder.join("d")).unwrap();
    fs::copy(folder.join("r"), folder.join("d/r.jsonl")).unwrap();
    fs::write(folder.join("d/empty.jsonl"), "").unwrap();
    fs::create_dir(folder.join("man")).unwrap();
    std::os::unix::fs::symlink("../a.jsonl", folder.join("man/queencount.1")).unwrap();
    for words in [
        &["status", "--html", "a.jsonl", "r"][..],
        &["status", "--html", "link", "a.jsonl"],
        &["draw", "8", "--svg", "a.jsonl"],
        &["draw", "8", "--svg", "link"],
        &["checker", "--input", "board.txt", "--output", "link"],
        &["checker", "--input", "board.txt", "--output", "board-link"],
        &["audit", "r", "--findings", "link"],
        &["man", "--to", "man"],
        &["status", "r", "--exclude", "findings", "--html", "findings"],
        &["status", "d", "--html", "d/empty.jsonl"],
        &["audit", "d", "--findings", "d/empty.jsonl"],
        &["run", "8", "--units", "@findings", "--record", "findings"],
        &["draw", "8", "--svg", "compressed"],
        &["status", "r", "--html", "compressed"],
        &["run", "8", "--exclude", "findings", "--record", "findings"],
    ] {
        let output = queencount(words).current_dir(folder).output().unwrap();
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {error}");
        assert!(
            error.contains("expected a different file for '--"),
            "{words:?}: {error}"
        );
        assert_eq!(fs::read_to_string(folder.join("a.jsonl")).unwrap(), record);
        assert_eq!(fs::read_to_string(folder.join("board.txt")).unwrap(), "8\n");
        for empty in ["findings", "d/empty.jsonl"] {
            assert_eq!(
                fs::read_to_string(folder.join(empty)).unwrap(),
                "",
                "{words:?}"
            );
        }
        assert_eq!(fs::read(folder.join("compressed")).unwrap(), compressed);
    }
    // The input can also be stdin.
    for (words, input) in [
        (
            &["checker", "--input", "-", "--output", "board.txt"][..],
            "board.txt",
        ),
        (
            &["run", "8", "--units", "-", "--record", "findings"],
            "findings",
        ),
        (&["status", "r", "-", "--html", "findings"], "findings"),
    ] {
        let path = folder.join(input);
        let before = fs::read(&path).unwrap();
        let mut command = queencount(words);
        command
            .current_dir(folder)
            .stdin(fs::File::open(&path).unwrap());
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert_eq!(fs::read(&path).unwrap(), before, "{words:?}");
    }
}

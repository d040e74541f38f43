//! The promise: what audits find is kept, adds up over weeks and machines, and what they refute is
//! no part of a total.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use queencount::{BoardSize, EngineChoice};
use serde_json::Value;
use tempfile::TempDir;

use crate::long_runs::{ends, forged, program};
use crate::program::Running;

/// A folder with a complete record of N = 12 in 6 shards, whose 55 units have an entry each.
fn counted() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("store")).unwrap();
    for shard in 1..=6 {
        let (shard, record) = (format!("{shard}/6"), format!("store/{shard}.jsonl"));
        let run = [
            "run", "12", "-q", "--site", "lyon", "--shard", &shard, "--record", &record,
        ];
        assert_eq!(ends(folder.path(), &run).0, 0);
    }
    folder
}

fn status(folder: &Path) -> (i32, Value) {
    let (code, out, error) = ends(
        folder,
        &["status", "store", "--shards", "6", "--format", "json"],
    );
    (
        code,
        serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{error}")),
    )
}

#[test]
fn findings_add_up_and_the_status_counts_them() {
    let folder = counted();
    let folder = folder.path();
    let audit = |words: &[&str]| {
        let record = ["audit", "store", "-q", "--record", "store/audits.jsonl"];
        let (code, out, error) = ends(folder, &[&record, words].concat());
        assert_eq!((code, error.as_str()), (0, ""), "{out}");
    };
    let (_, before) = status(folder);
    assert_eq!(
        (
            &before["audited"],
            &before["findings"],
            &before["shards"]["audited"]
        ),
        (&0.0.into(), &0.into(), &"".into())
    );
    audit(&["--sample", "12", "--seed", "1", "--site", "rome"]);
    let lines = fs::read_to_string(folder.join("store/audits.jsonl")).unwrap();
    let lines: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(
        (lines.len(), &lines[0]["format"]),
        (13, &"queencount-record".into())
    );
    for line in &lines[1..] {
        let said = [
            &line["verdict"],
            &line["means"],
            &line["site"],
            &line["recount"],
        ];
        assert_eq!(
            said,
            [
                &"right".into(),
                &"recount".into(),
                &"rome".into(),
                &line["count"]
            ],
            "{line}"
        );
        assert!(
            line["seed"] == 1
                && line["time"].as_u64() >= before["time"].as_u64()
                && line["host"].is_string()
        );
    }
    let (code, once) = status(folder);
    assert_eq!(
        (code, &once["findings"], &once["total"]),
        (0, &12.into(), &"14200".into())
    );
    let share = |status: &Value| status["audited"].as_f64().unwrap();
    assert!((0.05..0.6).contains(&share(&once)), "{once}");
    assert!(
        (once["sources"][0]["audited"].as_f64().unwrap() - share(&once)).abs() < 1e-9,
        "{once}"
    );
    // The same entries again are nothing new; others are.
    audit(&["--sample", "12", "--seed", "1"]);
    assert_eq!(share(&status(folder).1), share(&once));
    audit(&["--sample", "100%", "--seed", "2", "--site", ""]);
    let (code, all) = status(folder);
    assert_eq!(
        (code, &all["findings"], &all["shards"]["audited"]),
        (0, &(12 + 12 + 55).into(), &"1-6".into())
    );
    assert!((share(&all) - 1.0).abs() < 1e-9, "{all}");
    // They are nothing that a total or a run could take for a count.
    assert_eq!(
        ends(folder, &["merge", "store"]),
        (0, "14200\n".to_owned(), String::new())
    );
    assert_eq!(ends(folder, &["merge", "store/audits.jsonl"]).0, 4);
    assert!(!ends(folder, &["publish", "store"]).1.contains("verdict"));
    let (_, text, _) = ends(folder, &["status", "store", "--html", "page.html"]);
    assert!(
        text.contains("=] 100.00 %  79 entries counted again\n"),
        "{text}"
    );
    let page = fs::read_to_string(folder.join("page.html")).unwrap();
    assert!(
        page.contains("<dt>audited</dt><dd>100.00 %, 79 entries")
            && page.contains(" counted, audited\"></i>"),
        "{page}"
    );
    let (_, csv, _) = ends(folder, &["status", "store", "--format", "csv"]);
    assert!(
        csv.lines()
            .next()
            .unwrap()
            .ends_with(",audited,disputed,wrong,seconds_ahead"),
        "{csv}"
    );
}

#[test]
fn what_an_audit_has_refuted_is_no_part_of_a_total() {
    let folder = counted();
    let folder = folder.path();
    let right = fs::read_to_string(folder.join("store/2.jsonl")).unwrap();
    let (_, _, lie) = forged(&right, 3);
    fs::write(folder.join("store/2.jsonl"), &lie).unwrap();
    assert_eq!(
        ends(folder, &["merge", "store"]),
        (0, "14202\n".to_owned(), String::new())
    );
    let (code, _, error) = ends(
        folder,
        &[
            "audit",
            "store",
            "-q",
            "--sample",
            "100%",
            "--record",
            "store/audits.jsonl",
        ],
    );
    assert!(
        code == 3 && error.contains("found 1 wrong entry"),
        "{error}"
    );

    // Whoever adds up knows of it, and so does the next audit's record.
    let (code, out, error) = ends(folder, &["merge", "store"]);
    assert_eq!((code, out.as_str()), (3, ""));
    let entry: Value = serde_json::from_str(right.lines().nth(3).unwrap()).unwrap();
    let (unit, count) = (
        entry["first"].to_string(),
        entry["count"].as_str().unwrap().parse::<u64>().unwrap(),
    );
    let named = format!(
        "store/2.jsonl line 4 disagree: units {unit}: an audit has found {count} solutions where {} are recorded; ",
        count + 2
    );
    assert!(
        error.starts_with("queencount: store/audits.jsonl line ") && error.contains(&named),
        "{error}"
    );
    let (code, refuted) = status(folder);
    assert_eq!(
        (code, &refuted["sources"][0]["wrong"], &refuted["missing"]),
        (3, &1.into(), &unit.as_str().into())
    );
    assert!(
        refuted["flaws"].as_array().unwrap().len() == 1 && refuted["total"].is_null(),
        "{refuted}"
    );
    // Its units are missing. Counted again elsewhere, they convict the line, and without it all is
    // well.
    let (code, missing, _) = ends(folder, &["merge", "store", "--salvage", "--missing"]);
    assert_eq!((code, missing), (4, format!("{unit}\n")));
    let rest = [
        "run",
        "12",
        "-q",
        "--units",
        &unit,
        "--record",
        "store/rest.jsonl",
        "--site",
        "kyoto",
    ];
    assert_eq!(ends(folder, &rest).0, 0);
    assert_eq!(ends(folder, &["merge", "store"]).0, 3);
    // Or the line is left out, and its site has not counted the unit.
    for (words, result) in [(&["merge"][..], "14200\n"), (&["publish"], "{\"format\"")] {
        let (code, out, error) = ends(folder, &[words, &["store", "--salvage"]].concat());
        assert!(
            code == 0 && out.starts_with(result) && error.contains(&named),
            "{out}{error}"
        );
    }
    let (_, second, _) = ends(
        folder,
        &["merge", "store", "--salvage", "--second", "--for", "lyon"],
    );
    assert_eq!(second, format!("{unit}\n"));
    let without: Vec<&str> = lie
        .lines()
        .enumerate()
        .filter(|(at, _)| *at != 3)
        .map(|(_, line)| line)
        .collect();
    fs::write(folder.join("store/2.jsonl"), without.join("\n") + "\n").unwrap();
    assert_eq!(
        ends(folder, &["merge", "store"]),
        (0, "14200\n".to_owned(), String::new())
    );
    let (code, healed) = status(folder);
    assert!(
        code == 0 && (healed["audited"].as_f64().unwrap() - 1.0).abs() < 1e-9,
        "{healed}"
    );
}

#[test]
fn findings_that_cannot_be_kept_end_the_audit() {
    let folder = counted();
    let folder = folder.path();
    // Of another board, a folder, a file that is no record.
    assert_eq!(
        ends(folder, &["run", "8", "-q", "--record", "other.jsonl"]).0,
        0
    );
    fs::write(folder.join("notes.txt"), "dear diary\n").unwrap();
    for (record, code) in [
        ("other.jsonl", 3),
        ("store", 1),
        ("notes.txt", 3),
        ("no/folder.jsonl", 1),
    ] {
        let (ended, out, error) = ends(folder, &["audit", "store", "-q", "--record", record]);
        assert!(
            ended == code && out.is_empty() && error.contains(record),
            "{record}: {ended} {error}"
        );
    }
    assert_eq!(
        fs::read_to_string(folder.join("notes.txt")).unwrap(),
        "dear diary\n"
    );
    assert_eq!(ends(folder, &["audit", "store", "--site", "rome"]).0, 2);
}

#[test]
fn a_falsified_line_is_damage_and_with_a_right_checksum_only_a_recount_convicts_it() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    assert_eq!(ends(folder, &["run", "10", "-q", "--record", "r"]).0, 0);
    let record = fs::read_to_string(folder.join("r")).unwrap();
    let (body, lie, clever) = forged(&record, 7);

    fs::write(folder.join("naive"), record.replace(&body, &lie)).unwrap();
    let (code, _, error) = ends(folder, &["merge", "naive"]);
    assert!(
        code == 3 && error.starts_with("queencount: naive: line 8 is damaged: "),
        "{error}"
    );

    // The lie with the checksum that goes with it: a merge believes it.
    fs::write(folder.join("clever"), clever).unwrap();
    assert_eq!(
        ends(folder, &["merge", "clever"]),
        (0, "726\n".into(), String::new())
    );
    let (code, _, error) = ends(folder, &["merge", "r", "clever"]);
    assert!(
        code == 3 && error.contains(", clever line 8 has "),
        "{error}"
    );
    let (code, report, _) = ends(folder, &["audit", "clever", "--sample", "1000"]);
    assert_eq!(code, 3);
    assert!(
        report.starts_with("clever line 8: units ")
            && report.contains("36 of 36 entries recounted, 1 wrong")
    );
    // Nobody has to read it for the exit code to be right.
    let mut unread = Running::start(
        program(&["audit", "clever", "--sample", "1000", "-q"])
            .current_dir(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null()),
    );
    drop(unread.stdout.take());
    assert_eq!(unread.wait().unwrap().code(), Some(3));
    // Nothing is said of chances where something wrong has been found.
    assert_eq!(report.lines().count(), 2, "{report}");
    // A sample that misses it does not, and says what that is worth.
    let code = |seed: u32| {
        ends(
            folder,
            &[
                "audit",
                "clever",
                "--sample",
                "10",
                "--seed",
                &seed.to_string(),
            ],
        )
        .0
    };
    let convicted = (0..40).filter(|seed| code(*seed) == 3).count();
    assert!(
        (2..=25).contains(&convicted),
        "{convicted} of 40 samples of 10 of 36 contain it: 11 expected"
    );
    let (code, report, error) = ends(folder, &["audit", "r", "--sample", "10", "--seed", "1"]);
    let size = "10 units, 28.75 % of the work for N = 10";
    let expected = format!(
        "10 of 36 entries recounted, 0 wrong ({size}; seed 1)\n\
         If 1 % of the entries were wrong, 90 % of such audits would pass. If 25.9 % were wrong, 5 % would pass.\n"
    );
    assert_eq!((code, report), (0, expected));
    assert_eq!(
        error,
        format!("queencount: recounting 10 of 36 entries by the recount: {size}\n")
    );
    let (_, report, _) = ends(folder, &["audit", "r", "--sample", "100%"]);
    let twice = "Every entry has been counted twice: by backtrack, and by the recount of version 0.1.0. A mistake that \
                 both share would not show.\n";
    assert!(report.ends_with(twice), "{report}");
    // One entry in a hundred, and every second one.
    for (share, drawn) in [("1%", 1), ("50%", 18), ("100%", 36)] {
        let (code, report, _) = ends(folder, &["audit", "r", "--sample", share]);
        assert!(
            code == 0 && report.starts_with(&format!("{drawn} of 36 entries recounted, 0 wrong (")),
            "{report}"
        );
    }
}

#[test]
fn an_entry_of_several_large_units_is_recounted_by_the_engine_and_one_of_them_by_the_recount() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // A task of N = 28 of which three units have several parts, but few.
    let run = [
        "run", "28", "--engine", "rows", "--units", "76247", "--record", "r",
    ];
    let (code, _, error) = ends(folder, &run);
    let said = "queencount: tasks of 16 units are counted whole: 16 units instead of 1\n";
    assert!(code == 0 && error.starts_with(said), "{error}");
    let (size, seed) = ("16 units, 0.00 % of the work for N = 28", ["--seed", "1"]);
    let audit = |arguments: &[&str]| ends(folder, &[&["audit"], arguments, &seed].concat());
    let (code, report, error) = audit(&["r"]);
    let by = "rows, and a unit of each by the recount";
    assert_eq!(
        error,
        format!("queencount: recounting 1 of 1 entry by {by}: {size}\n")
    );
    // Which of the units has been drawn is told by the number of its parts.
    let parts = [76240, 76241, 76242].map(|unit| {
        format!(
            "1 of 1 entry recounted by rows, 0 wrong; {} parts of them by the recount, 0 wrong ({size}; seed 1)\n\
             If 1 % of the entries, or of the units that rows counts, were wrong, 99 % of such audits would pass. If \
             95.0 % were wrong, 5 % would pass.\n",
            EngineChoice::Rows.engine(BoardSize::new(28).unwrap()).parts(unit)
        )
    });
    assert!(code == 0 && parts.contains(&report), "{report}");

    // Each solution of these units counts for 8 images.
    let record = fs::read_to_string(folder.join("r")).unwrap();
    fs::write(
        folder.join("clever"),
        (0..4).fold(record, |record, _| forged(&record, 1).2),
    )
    .unwrap();
    let (code, json, error) = audit(&["clever", "--format", "json"]);
    // Told once.
    assert!(
        error.contains("queencount: clever line 2: units ") && error.matches("line 2").count() == 1,
        "{error}"
    );
    let verdict = "the audit found 1 wrong entry; delete its line to have the units counted again";
    assert!(
        error.ends_with(&format!("queencount: {verdict}\n")),
        "{error}"
    );
    let json: Value = serde_json::from_str(&json).unwrap();
    let numbers = ["drawn", "wrong", "wrong_parts"].map(|name| json[name].as_u64());
    assert_eq!((code, numbers), (3, [1, 1, 0].map(Some)));
    assert!(json["parts"].as_u64().unwrap() > 1);
    assert_eq!(
        (json["places"].as_str(), json["disagreements"].as_str()),
        (Some("clever line 2"), Some(""))
    );
}

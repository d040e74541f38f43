//! The promise: what audits find is kept, adds up over weeks and machines, and what they refute is no part of a total.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::long_runs::{ends, forged};

/// A folder with a complete record of N = 12 in 6 shards, whose 55 units have an entry each.
fn counted() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("store")).unwrap();
    for shard in 1..=6 {
        let (shard, record) = (format!("{shard}/6"), format!("store/{shard}.jsonl"));
        let run = ["run", "12", "-q", "--site", "lyon", "--shard", &shard, "--record", &record];
        assert_eq!(ends(folder.path(), &run).0, 0);
    }
    folder
}

fn status(folder: &Path) -> (i32, Value) {
    let (code, out, error) = ends(folder, &["status", "store", "--shards", "6", "--format", "json"]);
    (code, serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{error}")))
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
        (&before["audited"], &before["findings"], &before["shards"]["audited"]),
        (&0.0.into(), &0.into(), &"".into())
    );
    audit(&["--sample", "12", "--seed", "1", "--site", "rome"]);
    let lines = fs::read_to_string(folder.join("store/audits.jsonl")).unwrap();
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((lines.len(), &lines[0]["format"]), (13, &"queencount-record".into()));
    for line in &lines[1..] {
        let said = [&line["verdict"], &line["means"], &line["site"], &line["recount"]];
        assert_eq!(said, [&"right".into(), &"recount".into(), &"rome".into(), &line["count"]], "{line}");
        assert!(line["seed"] == 1 && line["time"].as_u64() >= before["time"].as_u64() && line["host"].is_string());
    }
    let (code, once) = status(folder);
    assert_eq!((code, &once["findings"], &once["total"]), (0, &12.into(), &"14200".into()));
    let share = |status: &Value| status["audited"].as_f64().unwrap();
    assert!((0.05..0.6).contains(&share(&once)), "{once}");
    assert!((once["sources"][0]["audited"].as_f64().unwrap() - share(&once)).abs() < 1e-9, "{once}");
    // The same entries again are nothing new; others are.
    audit(&["--sample", "12", "--seed", "1"]);
    assert_eq!(share(&status(folder).1), share(&once));
    audit(&["--sample", "100%", "--seed", "2", "--site", ""]);
    let (code, all) = status(folder);
    assert_eq!((code, &all["findings"], &all["shards"]["audited"]), (0, &(12 + 12 + 55).into(), &"1-6".into()));
    assert!((share(&all) - 1.0).abs() < 1e-9, "{all}");
    // They are nothing that a total or a run could take for a count.
    assert_eq!(ends(folder, &["merge", "store"]), (0, "14200\n".to_owned(), String::new()));
    assert_eq!(ends(folder, &["merge", "store/audits.jsonl"]).0, 4);
    assert!(!ends(folder, &["publish", "store"]).1.contains("verdict"));
    let (_, text, _) = ends(folder, &["status", "store", "--html", "page.html"]);
    assert!(text.contains("=] 100.00 %  79 entries counted again\n"), "{text}");
    let page = fs::read_to_string(folder.join("page.html")).unwrap();
    assert!(
        page.contains("<dt>audited</dt><dd>100.00 %, 79 entries") && page.contains(" counted, audited\"></i>"),
        "{page}"
    );
    let (_, csv, _) = ends(folder, &["status", "store", "--format", "csv"]);
    assert!(csv.lines().next().unwrap().ends_with(",audited,disputed,wrong,seconds_ahead"), "{csv}");
}

#[test]
fn what_an_audit_has_refuted_is_no_part_of_a_total() {
    let folder = counted();
    let folder = folder.path();
    let right = fs::read_to_string(folder.join("store/2.jsonl")).unwrap();
    let (_, _, lie) = forged(&right, 3);
    fs::write(folder.join("store/2.jsonl"), &lie).unwrap();
    assert_eq!(ends(folder, &["merge", "store"]), (0, "14202\n".to_owned(), String::new()));
    let (code, _, error) =
        ends(folder, &["audit", "store", "-q", "--sample", "100%", "--record", "store/audits.jsonl"]);
    assert!(code == 3 && error.contains("found 1 wrong entry"), "{error}");

    // Whoever adds up knows of it, and so does the next audit's record.
    let (code, out, error) = ends(folder, &["merge", "store"]);
    assert_eq!((code, out.as_str()), (3, ""));
    let entry: Value = serde_json::from_str(right.lines().nth(3).unwrap()).unwrap();
    let (unit, count) = (entry["first"].to_string(), entry["count"].as_str().unwrap().parse::<u64>().unwrap());
    let named = format!(
        "store/2.jsonl line 4 disagree: units {unit}: an audit has found {count} solutions where {} are recorded; ",
        count + 2
    );
    assert!(error.starts_with("queencount: store/audits.jsonl line ") && error.contains(&named), "{error}");
    let (code, refuted) = status(folder);
    assert_eq!((code, &refuted["sources"][0]["wrong"], &refuted["missing"]), (3, &1.into(), &unit.as_str().into()));
    assert!(refuted["flaws"].as_array().unwrap().len() == 1 && refuted["total"].is_null(), "{refuted}");
    // Its units are missing. Counted again elsewhere, they convict the line, and without it all is well.
    let (code, missing, _) = ends(folder, &["merge", "store", "--salvage", "--missing"]);
    assert_eq!((code, missing), (4, format!("{unit}\n")));
    let rest = ["run", "12", "-q", "--units", &unit, "--record", "store/rest.jsonl", "--site", "kyoto"];
    assert_eq!(ends(folder, &rest).0, 0);
    assert_eq!(ends(folder, &["merge", "store"]).0, 3);
    // Or the line is left out, and its site has not counted the unit.
    for (words, result) in [(&["merge"][..], "14200\n"), (&["publish"], "{\"format\"")] {
        let (code, out, error) = ends(folder, &[words, &["store", "--salvage"]].concat());
        assert!(code == 0 && out.starts_with(result) && error.contains(&named), "{out}{error}");
    }
    let (_, second, _) = ends(folder, &["merge", "store", "--salvage", "--second", "--for", "lyon"]);
    assert_eq!(second, format!("{unit}\n"));
    let without: Vec<&str> = lie.lines().enumerate().filter(|(at, _)| *at != 3).map(|(_, line)| line).collect();
    fs::write(folder.join("store/2.jsonl"), without.join("\n") + "\n").unwrap();
    assert_eq!(ends(folder, &["merge", "store"]), (0, "14200\n".to_owned(), String::new()));
    let (code, healed) = status(folder);
    assert!(code == 0 && (healed["audited"].as_f64().unwrap() - 1.0).abs() < 1e-9, "{healed}");
}

#[test]
fn findings_that_cannot_be_kept_end_the_audit() {
    let folder = counted();
    let folder = folder.path();
    // Of another board, a folder, a file that is no record.
    assert_eq!(ends(folder, &["run", "8", "-q", "--record", "other.jsonl"]).0, 0);
    fs::write(folder.join("notes.txt"), "dear diary\n").unwrap();
    for (record, code) in [("other.jsonl", 3), ("store", 1), ("notes.txt", 3), ("no/folder.jsonl", 1)] {
        let (ended, out, error) = ends(folder, &["audit", "store", "-q", "--record", record]);
        assert!(ended == code && out.is_empty() && error.contains(record), "{record}: {ended} {error}");
    }
    assert_eq!(fs::read_to_string(folder.join("notes.txt")).unwrap(), "dear diary\n");
    assert_eq!(ends(folder, &["audit", "store", "--site", "rome"]).0, 2);
}

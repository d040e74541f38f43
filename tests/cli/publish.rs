//! A finished count is published as one record that depends only on the counts, and anyone can sum
//! and recount it.

use std::fs;
use std::path::Path;

#[cfg(unix)]
use crate::program::shell;
use crate::program::{ends, forged};

/// Counts some units of N = 12 into a record.
fn count(folder: &Path, record: &str, units: &str) {
    let run = ["run", "12", "-q", "--units", units, "--record", record];
    assert_eq!(ends(folder, &run).0, 0, "{run:?}");
}

fn published(folder: &Path, words: &[&str]) -> String {
    let (code, record, error) = ends(folder, &[&["publish"], words].concat());
    assert_eq!((code, error.as_str()), (0, ""), "{words:?}");
    record
}

#[test]
fn same_counts_are_published_as_identical_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    count(folder, "whole.jsonl", "0-54");
    fs::create_dir(folder.join("store")).unwrap();
    count(folder, "store/b.jsonl", "30-54");
    count(folder, "store/a.jsonl", "0-9,20-40");
    count(folder, "store/c.jsonl", "5-25");
    let record = published(folder, &["whole.jsonl"]);
    assert_eq!(record, published(folder, &["store"]));
    assert_eq!(
        record,
        published(folder, &["store/c.jsonl", "whole.jsonl", "store", "store"])
    );

    // There is one line per task in the order of units, without times and machines.
    let lines: Vec<&str> = record.lines().collect();
    assert_eq!(lines.len(), 56);
    assert!(lines[0].contains("\"program\":\"\","), "{}", lines[0]);
    for (unit, line) in lines[1..].iter().enumerate() {
        let begin = format!("{{\"first\":{unit},\"last\":{unit},\"count\":\"");
        let end = "\",\"seconds\":0.0,\"kernel\":null,\"crc\":\"";
        assert!(line.starts_with(&begin) && line.contains(end), "{line}");
    }
    // The output is a valid record.
    fs::write(folder.join("published.jsonl"), &record).unwrap();
    let merge = ["merge", "--n", "12", "published.jsonl"];
    assert_eq!(
        ends(folder, &merge),
        (0, "14200\n".to_owned(), String::new())
    );
    assert_eq!(published(folder, &["published.jsonl"]), record);
    let (code, out, _) = ends(folder, &["audit", "published.jsonl", "--sample", "100%"]);
    assert!(code == 0 && out.contains("55 of 55 tasks, "), "{out}");
}

#[test]
fn incomplete_or_wrong_counts_are_not_published() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    count(folder, "most.jsonl", "0-3,5-54");
    let (code, out, error) = ends(folder, &["publish", "most.jsonl"]);
    assert_eq!((code, out.as_str()), (4, ""));
    assert_eq!(
        error,
        "queencount: incomplete: 1 of 55 units is missing: 4; count them with \
         'queencount run 12 --engine backtrack --units SET --record FILE'\n"
    );
    count(folder, "rest.jsonl", "4");
    let right = published(folder, &["most.jsonl", "rest.jsonl"]);
    let rest = fs::read_to_string(folder.join("rest.jsonl")).unwrap();
    fs::write(folder.join("lie.jsonl"), forged(&rest, 1, 2)).unwrap();
    for records in [
        &["most.jsonl", "rest.jsonl", "lie.jsonl"][..],
        &["most.jsonl", "lie.jsonl"],
    ] {
        let (code, out, error) = ends(folder, &[&["publish"], records].concat());
        assert!(code == 3 && out.is_empty(), "{records:?}: {error}");
    }
    // Damage does not matter if other lines have the units.
    let most = fs::read_to_string(folder.join("most.jsonl")).unwrap();
    fs::write(
        folder.join("damaged.jsonl"),
        most.replace("seconds", "SECONDS"),
    )
    .unwrap();
    let words = ["publish", "damaged.jsonl", "most.jsonl", "rest.jsonl"];
    let (code, out, error) = ends(folder, &words);
    assert!(code == 0 && out == right, "{error}");
    assert!(
        error.contains("queencount: damaged.jsonl line 2: damaged: "),
        "{error}"
    );
    let words = ["publish", "most.jsonl", "rest.jsonl", "--format", "json"];
    assert_eq!(ends(folder, &words).0, 2);
}

/// Runs the shell commands of docs/record.md that sum a published record.
#[test]
#[cfg(unix)]
fn published_record_is_summed_without_program() {
    let folder = tempfile::tempdir().unwrap();
    let tools = "command -v jq && command -v python3 && command -v zcat";
    if shell(folder.path(), tools).0 != 0 {
        assert!(
            !crate::common::long(),
            "expected jq, python3 and zcat, found not all of them"
        );
        return eprintln!("skipped: jq, python3 and zcat are not all here");
    }
    let (_, commands) = include_str!("../../docs/record.md")
        .split_once("zcat q22.jsonl.gz | jq")
        .expect("the commands");
    let (commands, _) = commands.split_once("```").expect("the end of the block");
    let commands = format!("cat published.jsonl | jq{commands}");
    count(folder.path(), "r.jsonl", "0-54");
    let record = published(folder.path(), &["r.jsonl"]);
    fs::write(folder.path().join("published.jsonl"), &record).unwrap();
    let total = (0, "14200\n".to_owned(), String::new());
    assert_eq!(shell(folder.path(), &commands), total);
    // The commands support numbers of any length.
    let lines = [
        "{\"n\":27}",
        "{\"count\":\"234907967154122520\"}",
        "{\"count\":\"8\"}",
    ];
    fs::write(folder.path().join("published.jsonl"), lines.join("\n")).unwrap();
    let total = (0, "234907967154122528\n".to_owned(), String::new());
    assert_eq!(shell(folder.path(), &commands), total);
}

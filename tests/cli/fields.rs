//! Results are printed as JSON and CSV with the fields that the guide lists, and no others.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::program::{Running, queencount, run, stdout, text};

type Fields = BTreeMap<String, BTreeSet<String>>;

/// The fields of each command in the table of the guide.
fn documented() -> Fields {
    let guide = include_str!("../../docs/guide.md");
    let (_, table) = guide
        .split_once("\n| field | command | meaning |\n")
        .expect("the table");
    let mut fields = Fields::new();
    for line in table.lines().skip(1).take_while(|line| !line.is_empty()) {
        let cells: Vec<&str> = line.split('|').collect();
        for command in cells[2].split(',') {
            let of_command = fields.entry(command.trim().to_owned()).or_default();
            of_command.extend(
                cells[1]
                    .split(',')
                    .map(|name| name.trim_matches([' ', '`']).to_owned()),
            );
        }
    }
    fields
}

fn keys(row: &str) -> BTreeSet<String> {
    let row: serde_json::Map<String, serde_json::Value> = serde_json::from_str(row).unwrap();
    row.keys().cloned().collect()
}

#[test]
fn guide_lists_fields_of_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("8.jsonl");
    let record = record.to_str().unwrap();
    stdout(&["run", "8", "--record", record, "-q"], "");
    let mut printed = Fields::new();
    for (command, arguments) in [
        ("N", "8"),
        ("count", "count 8 --unique"),
        ("classes", "classes 8"),
        ("verify", "verify 8"),
        ("list", "list 4 --unique"),
        ("plan", "plan 8"),
        ("plan-shards", "plan 8 --shards 2"),
        ("run", "run 8 --record RECORD"),
        ("merge", "merge RECORD --second --shards 2"),
        ("status", "status RECORD"),
        ("audit", "audit RECORD"),
        ("estimate", "estimate 8 --sample 8"),
        ("self-test", "self-test"),
    ] {
        let arguments: Vec<&str> = arguments
            .split(' ')
            .map(|word| if word == "RECORD" { record } else { word })
            .chain(["--format", "json", "-q"])
            .collect();
        // One row is enough: the self-test would take several more seconds.
        let mut running = Running::start(queencount(&arguments).stdout(Stdio::piped()));
        let mut row = String::new();
        BufReader::new(running.stdout.take().expect("a pipe"))
            .read_line(&mut row)
            .unwrap();
        printed.insert(command.to_owned(), keys(&row));
    }
    // A machine without devices prints their fields only in CSV, and groups are rows only there.
    for (command, arguments) in [
        ("devices", vec!["devices"]),
        ("groups", vec!["status", record]),
    ] {
        let csv = text(&run(&[&arguments[..], &["--format", "csv", "-q"]].concat(), "").stdout);
        let header = csv.lines().next().expect("a header");
        let names = header.split(',').map(str::to_owned);
        printed.insert(command.to_owned(), names.collect());
    }
    let documented = documented();
    assert!(documented.keys().eq(printed.keys()), "{documented:?}");
    for (command, printed) in printed {
        let documented = &documented[&command];
        let missing: Vec<_> = printed.difference(documented).collect();
        let superfluous: Vec<_> = documented.difference(&printed).collect();
        assert!(
            missing.is_empty() && superfluous.is_empty(),
            "the table of fields in docs/guide.md lacks {missing:?} of '{command}', \
             which does not print {superfluous:?}"
        );
    }
}

#[test]
fn fields_are_printed_as_json_objects_or_csv() {
    let version = queencount::VERSION;
    let json = stdout(
        &[
            "count",
            "8",
            "4",
            "-t",
            "2",
            "--format",
            "json",
            "--engine",
            "backtrack",
        ],
        "",
    );
    let lines: Vec<&str> = json.lines().collect();
    assert_eq!(lines.len(), 2);
    assert!(
        lines[0].starts_with(r#"{"n":8,"total":"92","seconds":0."#),
        "{json}"
    );
    let rest = format!(
        r#","units":21,"threads":2,"engine":"backtrack","kernel":null,"version":"{version}"}}"#
    );
    assert!(lines[0].ends_with(&rest), "{json}");

    let csv = stdout(&["count", "8", "4", "--format", "csv", "-t", "2"], "");
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(
        lines[0],
        "n,total,seconds,units,threads,engine,kernel,version"
    );
    assert!(
        lines[1].starts_with("8,92,") && lines[2].starts_with("4,2,") && lines.len() == 3,
        "{csv}"
    );

    let json = stdout(&["4", "--format", "json"], "");
    assert!(
        json.starts_with(r#"{"n":4,"first":[[2,4,1,3],[3,1,4,2]],"total":"2","#),
        "{json}"
    );
    let csv = stdout(&["4", "--format", "csv"], "");
    assert!(
        csv.starts_with("n,first,total,") && csv.contains("\n4,2 4 1 3;3 1 4 2,2,"),
        "{csv}"
    );
    let json = stdout(&["verify", "4", "--format", "json"], "");
    assert!(
        json.starts_with(r#"{"n":4,"total":"2","published":"2","ok":true,"#),
        "{json}"
    );
}

#[test]
fn fields_include_kernel_and_recorded_units() {
    let json = stdout(
        &["count", "12", "--kernel", "portable", "--format", "json"],
        "",
    );
    assert!(
        json.contains(r#","engine":"rows","kernel":"portable","#),
        "{json}"
    );

    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("r");
    let record = record.to_str().unwrap();
    stdout(
        &["run", "8", "--units", "0-4", "--record", record, "--quiet"],
        "",
    );
    for before in [5, 21] {
        let json = stdout(
            &[
                "run", "8", "-t", "2", "--record", record, "--quiet", "--format", "json",
            ],
            "",
        );
        assert!(
            json.contains(&format!(r#","recorded":{before},"units":21,"threads":2,"#)),
            "{json}"
        );
        assert!(json.contains(r#""total":"92","#), "{json}");
    }
}

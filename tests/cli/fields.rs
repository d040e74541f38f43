//! The guide lists the fields of every command's results, and no others.

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
    assert_eq!(documented(), printed);
}

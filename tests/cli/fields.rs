//! Results are printed as JSON and CSV with the fields that the reference lists, and no others.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::program::{Running, queencount, run, stdout, text};

type Fields = BTreeMap<String, BTreeSet<String>>;

/// Returns the fields in each list of the reference. The first list, under an empty name, has the
/// fields that several commands print.
fn documented() -> Fields {
    let (_, lists) = include_str!("../../docs/reference.md")
        .split_once("\n## Fields\n")
        .expect("the lists");
    let (lists, _) = lists.split_once("\n## ").expect("their end");
    let mut fields = Fields::new();
    let mut command = "";
    for line in lists.lines() {
        if let Some(heading) = line.strip_prefix("### ") {
            command = heading;
        }
        if let Some(item) = line.strip_prefix("- `") {
            let (names, _) = item.split_once("`: ").expect("names and their meaning");
            fields
                .entry(command.to_owned())
                .or_default()
                .extend(names.split("`, `").map(str::to_owned));
        }
    }
    fields
}

fn keys(row: &str) -> BTreeSet<String> {
    let row: BTreeMap<String, serde_json::Value> = serde_json::from_str(row).unwrap();
    row.into_keys().collect()
}

#[test]
fn reference_lists_fields_of_every_command() {
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
        ("plan --shards", "plan 8 --shards 2"),
        ("run", "run 8 --record RECORD"),
        ("merge", "merge RECORD --shards 2"),
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
    // A machine without devices prints their fields only in CSV, and paths are rows only there.
    for (command, arguments) in [
        ("devices", vec!["devices"]),
        ("status: paths", vec!["status", record]),
    ] {
        let csv = text(&run(&[&arguments[..], &["--format", "csv", "-q"]].concat(), "").stdout);
        let names = csv
            .lines()
            .next()
            .expect("a header")
            .split(',')
            .map(str::to_owned);
        printed.insert(command.to_owned(), names.collect());
    }
    let mut documented = documented();
    let common = documented.remove("").expect("the first list");
    assert!(documented.keys().eq(printed.keys()), "{documented:?}");
    for (command, printed) in &printed {
        let own = &documented[command];
        let missing: Vec<_> = printed.difference(&(own | &common)).cloned().collect();
        let superfluous: Vec<_> = own.difference(printed).collect();
        assert!(
            missing.is_empty() && superfluous.is_empty(),
            "the lists of docs/reference.md lack the fields {missing:?} of '{command}', \
             which does not print {superfluous:?}"
        );
    }
    for field in &common {
        let commands = printed.values().filter(|fields| fields.contains(field));
        assert!(commands.count() > 1, "expected {field} of several commands");
    }
}

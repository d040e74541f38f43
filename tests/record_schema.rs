//! The published schema describes the records that are written, and the published document their checksums.

use queencount::record::{Entry, Journal, Plan};
use queencount::{BoardSize, EngineChoice, FanOut};
use serde_json::Value;

fn schema() -> jsonschema::Validator {
    let schema: Value = serde_json::from_str(include_str!("../docs/record.schema.json")).unwrap();
    jsonschema::options().should_validate_formats(true).build(&schema).unwrap()
}

fn record(n: u32) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("record.jsonl");
    let engine = EngineChoice::Auto.plan(BoardSize::new(n).unwrap());
    let mut journal = Journal::open(&path, &Plan::new(engine.as_ref())).unwrap();
    let units = (0..engine.units()).into();
    journal.count(engine.as_ref(), &units, FanOut::default().threads(2)).unwrap();
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn every_line_of_real_records_is_valid() {
    let schema = schema();
    for n in [1, 2, 3, 8, 11] {
        for line in record(n).lines() {
            let value: Value = serde_json::from_str(line).unwrap();
            let errors: Vec<String> = schema.iter_errors(&value).map(|error| error.to_string()).collect();
            assert!(errors.is_empty(), "{line}: {errors:?}");
        }
    }
}

#[test]
fn a_line_without_a_member_or_with_another_or_of_another_type_is_not_valid() {
    let schema = schema();
    for line in record(8).lines().take(2) {
        let value: Value = serde_json::from_str(line).unwrap();
        for member in value.as_object().unwrap().keys() {
            let mut other = value.clone();
            other.as_object_mut().unwrap().remove(member);
            assert!(!schema.is_valid(&other), "{other}");
            other[member] = Value::Array(vec![]);
            assert!(!schema.is_valid(&other), "{other}");
        }
        let mut other = value.clone();
        other["more"] = Value::Null;
        assert!(!schema.is_valid(&other), "{other}");
    }
}

#[test]
fn the_documents_lines_are_what_they_say() {
    let document = include_str!("../docs/record.md");
    let mut lines = document.lines().filter(|line| line.starts_with("{\""));
    let plan = Plan::from_line(lines.next().unwrap().as_bytes()).unwrap();
    let entries: Vec<Entry> = lines.map(|line| Entry::from_line(line.as_bytes(), &plan).unwrap()).collect();
    assert_eq!(entries.len(), 2);
}

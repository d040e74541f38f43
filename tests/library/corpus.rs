//! The inputs found by the fuzzers have the properties that the fuzzers check. Each input reaches
//! code that no other input does. `.ci/fuzz` runs the fuzzers.

#[path = "../promises/record.rs"]
mod record;

use std::fs;

/// Checks that each input of a corpus has a property.
fn replay(corpus: &str, holds: fn(&[u8])) {
    let folder = format!("{}/tests/corpus/{corpus}", env!("CARGO_MANIFEST_DIR"));
    // The published package has no corpus.
    let Ok(files) = fs::read_dir(folder) else {
        return;
    };
    let mut inputs = 0;
    for file in files {
        holds(&fs::read(file.unwrap().path()).unwrap());
        inputs += 1;
    }
    assert!(inputs > 0, "no inputs");
}

#[test]
fn fuzz_corpus_records_are_read_or_rejected() {
    replay("record", record::holds);
}

//! Inputs that fuzzers have found keep the promises in which fuzzers look for a breach. Each of
//! them reaches code that no other does. What a run of the fuzzers adds to them is in `.ci/fuzz`.

#[path = "../promises/record.rs"]
mod record;

use std::fs;

/// Hands each input of a corpus to the promise.
fn replay(corpus: &str, holds: fn(&[u8])) {
    let folder = format!("{}/tests/corpus/{corpus}", env!("CARGO_MANIFEST_DIR"));
    let mut inputs = 0;
    for file in fs::read_dir(folder).unwrap() {
        holds(&fs::read(file.unwrap().path()).unwrap());
        inputs += 1;
    }
    assert!(inputs > 0, "no inputs");
}

#[test]
fn any_bytes_are_a_record_or_refused() {
    replay("record", record::holds);
}

//! The inputs found by the fuzzers have the properties that the fuzzers check. `.ci/fuzz` runs the
//! fuzzers. Their options `-merge=1 -set_cover_merge=1 -use_counters=0` chose the fewest inputs that
//! reach the same code.

#[cfg(all(unix, feature = "cli"))]
#[path = "../properties/arguments.rs"]
mod arguments;
#[path = "../properties/record.rs"]
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

#[cfg(all(unix, feature = "cli"))]
#[test]
fn fuzz_corpus_arguments_are_accepted_or_rejected() {
    replay("arguments", arguments::holds);
}

#[test]
fn fuzz_corpus_records_are_read_or_rejected() {
    replay("record", record::holds);
}

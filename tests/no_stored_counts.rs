//! A program that prints stored counts has counted nothing. What counts and lists does not refer to the published
//! values.

use std::fs;
use std::path::{Path, PathBuf};

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { rust_files(&path) } else { vec![path] }).collect()
}

#[test]
fn no_file_that_counts_refers_to_the_published_values() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = rust_files(&src.join("engine"));
    files.extend(rust_files(&src.join("symmetry")));
    files.extend(["engine.rs", "board.rs", "count.rs", "solutions.rs", "symmetry.rs"].map(|name| src.join(name)));
    let meet =
        ["meet.rs", "meet/core.rs", "meet/join.rs", "meet/kernel.rs", "meet/kernel/portable.rs", "meet/recount.rs"];
    for name in meet.into_iter().chain(["backtrack.rs", "recount.rs"]) {
        assert!(files.contains(&src.join("engine").join(name)), "{name} is not looked into");
    }
    for path in files {
        let text = fs::read_to_string(&path).unwrap().to_lowercase();
        // A comment may speak of what it likes.
        let code: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let code = code.replace("unknown", "");
        for word in ["known", "published", "a000170"] {
            assert!(!code.contains(word), "{} says {word:?}", path.display());
        }
        // Nor does it hold them: no count from N = 13 on is in its code, however the digits are grouped.
        let digits = code.replace('_', "");
        for n in 13..=27 {
            let count = queencount::published(n).unwrap().to_string();
            assert!(!digits.contains(&count), "{} holds the count of N = {n}", path.display());
        }
    }
}

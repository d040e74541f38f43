//! A program that runs out of memory prints an error and exits with a code that allows a retry. Its
//! record is kept.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::program::{queencount, shell_line, text};

/// Runs the program with this limit on its address space, in KiB.
fn within(memory: u32, folder: &Path, line: &str) -> Output {
    shell_line(&format!("ulimit -v {memory}; "), line)
        .current_dir(folder)
        .output()
        .unwrap()
}

#[test]
fn junk_lines_in_record_take_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    let recorded = queencount(&["run", "9", "-q", "--record", "r.jsonl"])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert!(recorded.status.success());
    let record = fs::read_to_string(folder.path().join("r.jsonl")).unwrap();
    fs::write(
        folder.path().join("r.jsonl"),
        record + &"all kinds of junk\n".repeat(1_500_000),
    )
    .unwrap();
    for line in [
        "status r.jsonl --html page.html",
        "merge r.jsonl",
        "publish r.jsonl",
    ] {
        let output = within(60_000, folder.path(), line);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{line}: {error}");
        let is_status = line.starts_with("status");
        assert!(
            error.len() < 10_000 && (is_status || error.contains("line")),
            "{line}: {error}"
        );
    }
    assert!(fs::metadata(folder.path().join("page.html")).unwrap().len() < 30_000);
}

#[test]
fn out_of_memory_error_suggests_remedy() {
    let folder = tempfile::tempdir().unwrap();
    // The program may run out of memory anywhere: two threads on this board need ten times as much.
    for memory in [30_000, 100_000] {
        for line in ["count 28 -t 2 -q", "run 28 -t 2 -q --record r --memory 1G"] {
            let output = within(memory, folder.path(), line);
            let error = text(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{memory}, {line}: {error}");
            let endings = [
                "out of memory; try a smaller --memory or fewer --threads\n",
                "; try fewer --threads\n",
            ];
            assert!(
                endings.iter().any(|ending| error.ends_with(ending))
                    || error.contains("cannot start a thread"),
                "{error}"
            );
        }
    }
    // The unfinished record is valid.
    let merged = queencount(&["merge", "r"])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert_eq!(merged.status.code(), Some(4), "{}", text(&merged.stderr));
}

//! The promise: a program that runs out of memory prints an error and exits with a code that allows
//! a retry. Its record is kept.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::Output;

use flate2::Compression;
use flate2::write::GzEncoder;
use queencount::record::{Entry, Plan};
use queencount::{BoardSize, EngineChoice};

use crate::common::child;
use crate::program::{queencount, text};

/// Runs the program with this limit on its address space, in KiB.
fn within(memory: u32, folder: &Path, line: &str) -> Output {
    let mut shell = child::command("sh");
    let script = format!("ulimit -v {memory}; exec \"$0\" {line}");
    shell
        .args(["-c", &script])
        .arg(queencount(&[]).get_program())
        .current_dir(folder);
    shell.output().unwrap()
}

#[test]
fn no_line_that_is_no_line_of_a_record_takes_memory() {
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
    for (line, code) in [
        ("status r.jsonl --html page.html", 3),
        ("merge r.jsonl --salvage", 0),
        ("publish r.jsonl", 3),
    ] {
        let output = within(60_000, folder.path(), line);
        let said = output.stdout.len() + output.stderr.len();
        assert_eq!(
            output.status.code(),
            Some(code),
            "{line}: {}",
            text(&output.stderr)
        );
        assert!(
            said < 10_000 && text(&output.stderr).contains("line") || line.starts_with("status"),
            "{line}: {said}"
        );
    }
    assert!(fs::metadata(folder.path().join("page.html")).unwrap().len() < 30_000);
}

/// The number of lines costs the most: the vector of entries has just doubled. Each line has two
/// names of its own.
#[test]
fn readers_need_at_most_100_bytes_per_line() {
    const LINES: u32 = 530_000;
    let folder = tempfile::tempdir().unwrap();
    let run = ["run", "9", "-q", "--engine", "backtrack", "--record", "r"];
    let run = queencount(&run).current_dir(&folder).output().unwrap();
    assert!(run.status.success());
    let size = BoardSize::new(9).unwrap();
    let plan = Plan::new(EngineChoice::Backtrack.engine(size).as_ref());
    let record = fs::read_to_string(folder.path().join("r")).unwrap();
    let line = record.lines().nth(1).unwrap();
    let mut entry = Entry::from_line(line.as_bytes(), &plan).unwrap();
    let file = BufWriter::new(File::create(folder.path().join("long.gz")).unwrap());
    let mut file = GzEncoder::new(file, Compression::fast());
    file.write_all(plan.to_line().as_bytes()).unwrap();
    for number in 0..LINES {
        entry.site = Some(format!("{number:060}"));
        entry.host = Some(format!("{number:x>60}"));
        file.write_all(entry.to_line(&plan).as_bytes()).unwrap();
    }
    file.finish().unwrap().flush().unwrap();
    // The rest is for the program, and for a limited number of names.
    let memory = 50_000 + LINES / 1024 * 100;
    let output = within(memory, folder.path(), "merge long.gz");
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{error}");
}

#[test]
fn a_count_without_memory_says_what_to_try() {
    let folder = tempfile::tempdir().unwrap();
    // The program may run out of memory anywhere: two threads on this board need ten times as much.
    for memory in [30_000, 100_000] {
        for line in ["count 28 -t 2 -q", "run 28 -t 2 -q --record r --memory 1G"] {
            let output = within(memory, folder.path(), line);
            let error = text(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{memory}, {line}: {error}");
            let said = [
                "out of memory; try a smaller --memory or fewer --threads\n",
                "; try a smaller number with --threads\n",
            ];
            assert!(
                said.iter().any(|said| error.ends_with(said))
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

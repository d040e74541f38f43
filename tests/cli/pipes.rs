//! Every result is written as soon as it is known. A closed pipe is not an error; a full disk is.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use crate::program::{Running, arguments, queencount, stdout, text};
#[cfg(unix)]
use crate::program::{ends, shell_line};

#[test]
fn count_is_written_before_next_board_is_read() {
    let mut child = Running::start(
        queencount(&["count"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped()),
    );
    let mut questions = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for (n, total) in [(8, "92"), (1, "1"), (10, "724"), (2, "0")] {
        writeln!(questions, "{n}").unwrap();
        assert_eq!(answers.next().unwrap().unwrap(), total);
    }
    drop(questions);
    assert!(answers.next().is_none());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn first_three_solutions_are_written_before_count() {
    let mut child = Running::start(
        queencount(&["24"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null()),
    );
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let first: Vec<String> = lines.by_ref().take(3).map(Result::unwrap).collect();
    assert!(
        first.iter().all(|line| line.split(' ').count() == 24),
        "{first:?}"
    );
    assert!(child.try_wait().unwrap().is_none());
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Solutions are written in batches.
#[test]
fn lists_are_complete() {
    for n in [6, 8, 11] {
        let lines = queencount::Solutions::new(queencount::BoardSize::new(n).unwrap())
            .map(|solution| format!("{solution}\n"));
        let list = stdout(&["list", &n.to_string()], "");
        assert_eq!(list, lines.collect::<String>(), "N = {n}");
    }
}

/// Returns every command, with arguments for which it finishes immediately.
#[cfg(unix)]
fn every_command() -> Vec<Vec<&'static str>> {
    [
        "8",
        "count 8",
        "list 8",
        "classes 8",
        "draw 8",
        "checker",
        "verify 1..=8",
        "plan 8",
        "estimate 8 --sample 8",
        "run 8 --record new.jsonl",
        "merge r.jsonl",
        "status r.jsonl",
        "audit r.jsonl -q",
        "publish r.jsonl",
        "devices -q",
        "self-test -q",
        "completions bash",
        "man",
    ]
    .map(arguments)
    .into()
}

/// Creates a directory with the files that these commands need.
#[cfg(unix)]
pub(crate) fn folder_for_every_command() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("checker.in"), "8").unwrap();
    let recorded = queencount(&["run", "8", "--record", "r.jsonl", "-q"])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert!(recorded.status.success());
    folder
}

#[cfg(unix)]
#[test]
fn every_command_succeeds_on_closed_pipe() {
    let folder = folder_for_every_command();
    for arguments in every_command() {
        let mut child = Running::piped(queencount(&arguments).current_dir(&folder));
        drop(child.stdout.take());
        let output = child.finish();
        assert_eq!(
            (output.status.code(), text(&output.stderr)),
            (Some(0), String::new()),
            "{arguments:?}"
        );
    }
    assert!(
        std::fs::read_to_string(folder.path().join("checker.out"))
            .unwrap()
            .ends_with("\n92\n")
    );
    let merged = ends(folder.path(), &["merge", "new.jsonl"]);
    assert_eq!(merged, (0, "92\n".to_owned(), String::new()));
}

/// Programs that start others often connect stdout with `/dev/null`, even for reading and writing,
/// which must not be mistaken for a closed stdout.
#[cfg(unix)]
#[test]
fn results_on_closed_stdout_are_an_error() {
    let folder = folder_for_every_command();
    // The self-test would continue to its end, and there may be no devices to print.
    for arguments in every_command()
        .into_iter()
        .filter(|arguments| !["devices", "self-test"].contains(&arguments[0]))
    {
        for (redirection, is_closed) in [
            ("> /dev/null", false),
            ("1<> /dev/null", false),
            (">&-", true),
            ("<&- >&-", true),
        ] {
            if arguments[0] == "run" {
                let _ = std::fs::remove_file(folder.path().join("new.jsonl"));
            }
            let line = format!("{} {redirection}", arguments.join(" "));
            let output = shell_line("", &line).current_dir(&folder).output().unwrap();
            let expected = if is_closed && arguments[0] != "checker" {
                (
                    Some(1),
                    "queencount: cannot write to stdout: Bad file descriptor\n",
                )
            } else {
                (Some(0), "")
            };
            let error = text(&output.stderr);
            assert_eq!((output.status.code(), error.as_str()), expected, "{line}");
        }
    }
    // Only the result of the run could not be written.
    let merged = ends(folder.path(), &["merge", "new.jsonl"]);
    assert_eq!(merged, (0, "92\n".to_owned(), String::new()));
}

#[cfg(unix)]
#[test]
fn long_count_for_closed_stdout_ends() {
    // These counts would take hours.
    for line in ["count 24", "classes 24"] {
        let output = shell_line("", &format!("{line} >&-")).output().unwrap();
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{line}: {error}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn file_size_limit_is_reported_as_write_error() {
    let folder = folder_for_every_command();
    for (line, name) in [
        ("list 10 > list", "cannot write to stdout"),
        ("--help > help", "cannot write to stdout"),
        ("draw 8 --unique --svg sheet.svg", "cannot write sheet.svg"),
        (
            "run 14 --engine backtrack --record large.jsonl",
            "large.jsonl",
        ),
    ] {
        // The limit is one block of 512 or 1024 bytes.
        let output = shell_line("ulimit -f 1; ", line)
            .current_dir(&folder)
            .output()
            .unwrap();
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{line}: {error}");
        assert!(
            error.contains(name) && error.contains("File too large"),
            "{line}: {error}"
        );
    }
    assert!(
        !folder.path().join("sheet.svg").exists(),
        "whole or not at all"
    );
    // The saved entries are correct, and a run resumes from them.
    let resumed = ends(
        folder.path(),
        &["run", "14", "--record", "large.jsonl", "-q"],
    );
    assert_eq!(resumed, (0, "365596\n".to_owned(), String::new()));
}

#[cfg(unix)]
#[test]
fn count_ends_when_its_reader_is_gone() {
    // These counts would take hours.
    for arguments in [&["24"][..], &["count", "4", "24"]] {
        let mut child = Running::piped(&mut queencount(arguments));
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut String::new())
            .unwrap();
        let output = child.finish();
        assert_eq!(
            (output.status.code(), text(&output.stderr)),
            (Some(0), String::new()),
            "{arguments:?}"
        );
    }
}

#[cfg(unix)]
#[test]
fn output_to_file_continues_without_stdout_reader() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("checker.in"), "24").unwrap();
    for arguments in [&["checker"][..], &["run", "24", "--record", "r.jsonl"]] {
        let mut command = queencount(&[arguments, &["--progress", "always", "-t", "1"]].concat());
        let mut child = Running::piped(command.current_dir(&folder));
        drop(child.stdout.take());
        // A program that shows progress has already checked for a reader.
        let (progress, _stderr) = child.first_line();
        assert!(
            progress.contains("% of the work, "),
            "{arguments:?}: {progress}"
        );
        crate::program::signal(&child, nix::sys::signal::Signal::SIGTERM);
        assert_eq!(child.finish().status.code(), Some(143), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk_is_reported_as_write_error() {
    for arguments in [
        &["6"][..],
        &["count", "8"],
        &["verify", "1..=8"],
        &["--help"],
        &["count", "8", "--format=csv"],
        &["list", "16"],
        &["classes", "8"],
    ] {
        let full = std::fs::File::options()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let output = queencount(arguments).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let error = text(&output.stderr);
        assert!(
            error.starts_with("queencount: cannot write to stdout: "),
            "{error}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn directory_as_stdin_is_rejected() {
    for arguments in [&[][..], &["count"]] {
        let folder = std::fs::File::open("/").unwrap();
        let output = queencount(arguments).stdin(folder).output().unwrap();
        assert_eq!(
            (output.status.code(), text(&output.stdout)),
            (Some(2), String::new())
        );
        let expected = "queencount: stdin: expected a file, found a directory\n";
        assert_eq!(text(&output.stderr), expected);
    }
}

//! Every result is written as soon as it is known. A closed pipe is not an error; a full disk is.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use crate::program::{Running, arguments, queencount, text};
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

/// Replaces an old file, on every system.
#[test]
fn checker_replaces_old_output() {
    let folder = tempfile::tempdir().unwrap();
    let [input, output] = ["checker.in", "checker.out"].map(|name| folder.path().join(name));
    std::fs::write(input, " 4\n").unwrap();
    std::fs::write(&output, "old").unwrap();
    let mut checker = queencount(&["checker"]);
    assert!(checker.current_dir(&folder).status().unwrap().success());
    let written = std::fs::read_to_string(output).unwrap();
    assert_eq!(written, "2 4 1 3\n3 1 4 2\n2\n");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
}

/// Returns every command but the self-test, with arguments for which it finishes immediately.
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

/// Programs that start others often connect stdout with `/dev/null`, even for reading and writing.
#[cfg(unix)]
#[test]
fn results_on_unwritable_or_full_stdout_are_an_error() {
    let folder = folder_for_every_command();
    // There may be no devices to print.
    for arguments in every_command()
        .into_iter()
        .filter(|arguments| arguments[0] != "devices")
    {
        for (redirection, reason) in [
            ("> /dev/null", None),
            ("1<> /dev/null", None),
            ("1< /dev/null", Some("Bad file descriptor (os error 9)")),
            #[cfg(target_os = "linux")]
            ("> /dev/full", Some("No space left on device (os error 28)")),
        ] {
            if arguments[0] == "run" {
                let _ = std::fs::remove_file(folder.path().join("new.jsonl"));
            }
            let line = format!("{} {redirection}", arguments.join(" "));
            let output = shell_line("", &line).current_dir(&folder).output().unwrap();
            let expected = match reason.filter(|_| arguments[0] != "checker") {
                Some(reason) => (
                    Some(1),
                    format!("queencount: cannot write to stdout: {reason}\n"),
                ),
                None => (Some(0), String::new()),
            };
            let error = text(&output.stderr);
            assert_eq!((output.status.code(), error), expected, "{line}");
        }
    }
    // Only the result of the run could not be written.
    let merged = ends(folder.path(), &["merge", "new.jsonl"]);
    assert_eq!(merged, (0, "92\n".to_owned(), String::new()));
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
fn results_precede_count_that_ends_with_its_reader() {
    // These counts would take hours. Three solutions, or a total, are printed before.
    for (arguments, results) in [(&["24"][..], 3), (&["count", "4", "24"], 1)] {
        let mut child = Running::piped(&mut queencount(arguments));
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert_eq!(lines.take(results).map(Result::unwrap).count(), results);
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

#[cfg(unix)]
#[test]
fn count_on_terminal_prompts_for_input() {
    for (arguments, says) in [
        (
            &["count"][..],
            "queencount: enter boards such as 8 or 8..=12, one or more per line; \
             enter 0 to finish\n",
        ),
        (&["count", "--quiet"], ""),
    ] {
        let terminal = nix::pty::openpty(None, None).expect("a pseudo-terminal");
        let mut command = queencount(arguments);
        let child = Running::piped(command.stdin(terminal.slave));
        // If the master side were closed, the terminal would disappear before its input is read.
        let mut keyboard = std::fs::File::from(terminal.master);
        keyboard.write_all(b"8\n0\n").unwrap();
        let output = child.finish();
        assert_eq!(
            (text(&output.stdout), text(&output.stderr)),
            ("92\n".to_owned(), says.to_owned())
        );
    }
}

//! The `console` blocks of the documents, and of the files in `tests/cmd`, show the program's real
//! output.
//!
//! Each line that begins with `$` is run in a shell, in a directory that the commands of a file
//! share. The lines below it are its exit code after a `?`, if it is not 0, its stdout and its
//! stderr. Times (numbers with a decimal point) depend on the machine. To accept new output, run
//! the tests with `SNAPSHOTS=overwrite`, and review what has changed.

use std::path::{Path, PathBuf};

use crate::child;
use crate::program::{queencount, search_path, stdout, text};
use crate::terminal::Terminal;

#[test]
fn documents_show_real_output() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let documents = [
        &markdown_files(&root.join("docs"))[..],
        &[root.join("README.md")],
    ]
    .concat();
    assert!(assert_real(&documents) > 15);
}

#[test]
fn commands_print_what_their_files_show() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cmd");
    assert!(assert_real(&markdown_files(&folder)) > 15);
}

fn markdown_files(folder: &Path) -> Vec<PathBuf> {
    folder
        .read_dir()
        .expect("a folder")
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect()
}

fn assert_real(files: &[PathBuf]) -> usize {
    std::thread::scope(|scope| {
        files
            .iter()
            .map(|file| scope.spawn(move || assert_real_file(file)))
            .collect::<Vec<_>>()
            .into_iter()
            .map(|thread| thread.join().expect("real output"))
            .sum()
    })
}

/// Runs the commands of a file, and returns their number.
fn assert_real_file(file: &Path) -> usize {
    let document = std::fs::read_to_string(file).expect("a document");
    let folder = tempfile::tempdir().unwrap();
    let mut real = String::new();
    let mut differences = String::new();
    let mut commands = 0;
    let mut lines = document.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        real += line;
        if line != "```console\n" {
            continue;
        }
        while let Some(line) = lines.next_if(|line| *line != "```\n") {
            let command = line
                .strip_prefix("$ ")
                .unwrap_or_else(|| panic!("expected a command, found {line:?}"));
            let mut shown = String::new();
            while let Some(line) = lines.next_if(|line| !line.starts_with("$ ") && *line != "```\n")
            {
                shown += line;
            }
            let output = output_of(command, folder.path());
            real += line;
            if without_times(&output) == without_times(&shown) {
                real += &shown;
            } else {
                real += &output;
                differences += &format!("{line}expected:\n{shown}found:\n{output}");
            }
            commands += 1;
        }
    }
    if std::env::var_os("SNAPSHOTS").is_some_and(|action| action == "overwrite") {
        std::fs::write(file, real).expect("the document");
    } else {
        assert!(differences.is_empty(), "{}:\n{differences}", file.display());
    }
    commands
}

fn output_of(command: &str, folder: &Path) -> String {
    let output = child::finish(
        child::command("sh")
            .args(["-c", command])
            .current_dir(folder)
            .env("PATH", search_path())
            .env("LC_ALL", "C.UTF-8"),
    )
    .expect("a shell");
    let code = match output.status.code() {
        Some(0) => String::new(),
        code => format!("? {}\n", code.expect("no signal")),
    };
    let streams = text(&output.stdout) + &text(&output.stderr);
    assert!(
        streams.is_empty() || streams.ends_with('\n'),
        "{command}{streams:?} does not end with a newline"
    );
    code + &streams
}

#[test]
fn documented_pictures_match_output() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, picture) in [
        (&["draw", "8"][..], include_str!("../../docs/queens.svg")),
        (
            &["draw", "8", "--unique"],
            include_str!("../../docs/fundamental.svg"),
        ),
    ] {
        let path = folder.path().join("picture.svg");
        stdout(
            &[arguments, &["--svg", path.to_str().unwrap()]].concat(),
            "",
        );
        assert!(
            std::fs::read_to_string(path).unwrap() == picture,
            "{arguments:?}"
        );
    }
}

#[test]
fn colours_respect_no_color_and_dumb_terminals() {
    for (variable, value, coloured) in [
        ("NO_COLOR", "1", false),
        ("TERM", "dumb", false),
        ("TERM", "xterm", true),
    ] {
        let mut draw = queencount(&["draw", "8"]);
        let (code, board) = Terminal::start(draw.env(variable, value), 80).output();
        assert_eq!(
            (code, board.contains('\x1b')),
            (Some(0), coloured),
            "{variable}={value}: {board}"
        );
    }
}

/// Returns the text without numbers that have a decimal point.
fn without_times(text: &str) -> String {
    text.split_inclusive(|c: char| !c.is_ascii_digit() && c != '.')
        .map(|piece| {
            let word = piece.trim_end_matches(|c: char| !c.is_ascii_digit() && c != '.');
            if word.contains('.') && word.parse::<f64>().is_ok() {
                &piece[word.len()..]
            } else {
                piece
            }
        })
        .collect()
}

//! The examples in the README and the guide show the program's real output.
//!
//! Each `$` line of a `console` block is run in a shell, and its output must match the lines below
//! it. Times (numbers with a decimal point) depend on the machine.

use crate::common::child;
use crate::program::{search_path, stdout, text};

#[test]
fn readme_examples_match_output() {
    assert!(examples_that_hold(include_str!("../../README.md")) >= 2);
}

#[test]
fn guide_examples_match_output() {
    assert!(examples_that_hold(include_str!("../../docs/guide.md")) > 10);
}

/// Returns the number of a document's examples, all of which must match.
fn examples_that_hold(document: &str) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let path = search_path();
    let mut examples = 0;
    for block in document.split("```console\n").skip(1) {
        let (block, _) = block.split_once("```").expect("the end of the block");
        for example in block.split("$ ").skip(1) {
            let (command, shown) = example.split_once('\n').expect("a line");
            let mut shell = child::command("sh");
            shell
                .args(["-c", &format!("exec 2>&1; {command}")])
                .current_dir(&folder)
                .env("PATH", &path)
                .env("LC_ALL", "C.UTF-8");
            let written = text(&child::finish(&mut shell).expect("a shell").stdout);
            // The documents show what a release prints.
            let written = written.replace(queencount::VERSION, env!("CARGO_PKG_VERSION"));
            assert_eq!(
                without_times(written.trim_end()),
                without_times(shown.trim_end()),
                "$ {command}"
            );
            examples += 1;
        }
    }
    examples
}

/// Checks the output of the first command in the README, the only command that is not run in a
/// shell.
#[test]
fn first_readme_command_matches_output() {
    let (_, shown) = include_str!("../../README.md")
        .split_once("```text\n")
        .expect("a block");
    let (shown, _) = shown.split_once("```").expect("the end of the block");
    assert_eq!(stdout(&["8"], ""), shown);
}

#[test]
fn documented_pictures_match_output() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, picture) in [
        (
            &["draw", "8", "--attacks", "4"][..],
            include_str!("../../docs/queens.svg"),
        ),
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

/// Returns the text without numbers that have a decimal point.
fn without_times(text: &str) -> String {
    let is_time = |word: &str| word.contains('.') && word.parse::<f64>().is_ok();
    let pieces = text.split_inclusive(|c: char| !c.is_ascii_digit() && c != '.');
    let kept = pieces.map(|piece| {
        let word = piece.trim_end_matches(|c: char| !c.is_ascii_digit() && c != '.');
        if is_time(word) {
            &piece[word.len()..]
        } else {
            piece
        }
    });
    kept.collect()
}

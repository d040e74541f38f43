//! The contest formats are reproduced byte for byte.

use std::ops::RangeInclusive;

use crate::common;
use crate::program::{queencount, run, stdout, text};

const SIX: &str = "2 4 6 1 3 5\n3 6 2 5 1 4\n4 1 5 2 6 3\n4\n";

#[test]
fn fewer_than_three_solutions_are_all_printed() {
    assert_eq!(stdout(&["1"], ""), "1\n1\n");
    assert_eq!(stdout(&["2"], ""), "0\n");
    assert_eq!(stdout(&["3"], ""), "0\n");
    assert_eq!(stdout(&["4"], ""), "2 4 1 3\n3 1 4 2\n2\n");
}

#[test]
fn board_is_read_from_stdin_without_argument() {
    for input in ["6", "6\n", "  6 \r\n\n", "06\n", "\u{feff}6\r\n"] {
        assert_eq!(stdout(&[], input), SIX, "{input:?}");
        assert_eq!(stdout(&["-t", "1"], input), SIX, "{input:?}");
    }
}

#[test]
fn counts_are_printed_one_per_line() {
    assert_eq!(
        stdout(&["count", "8", "10", "12..=14"], ""),
        "92\n724\n14200\n73712\n365596\n"
    );
    // Ranges may also be written in the form used for units.
    assert_eq!(stdout(&["count", "8-10", "4"], ""), "92\n352\n724\n2\n");
    assert_eq!(stdout(&["count"], "8-10\n"), "92\n352\n724\n");
    assert_eq!(stdout(&["count", "2"], ""), "0\n");
    assert_eq!(stdout(&["count", "5..=5"], ""), "10\n");
}

#[test]
fn stdin_boards_end_at_zero_or_end_of_input() {
    assert_eq!(stdout(&["count"], "8\n9\n10\n0\n"), "92\n352\n724\n");
    assert_eq!(stdout(&["count"], "8 9\n\n 10"), "92\n352\n724\n");
    assert_eq!(stdout(&["count"], "8 0 9\nnothing that is read\n"), "92\n");
    assert_eq!(stdout(&["count"], "6..=8\r\n0\r\n"), "4\n40\n92\n");
    assert_eq!(
        stdout(&["count"], "\u{feff}6..=8\r\n9\r\n"),
        "4\n40\n92\n352\n"
    );
    assert_eq!(stdout(&["count"], ""), "");
}

#[test]
fn long_line_of_boards_is_read_to_its_end() {
    for spaces in [4093, 4094, 4095, 4096, 1 << 19] {
        assert_eq!(
            stdout(&["count"], &format!("8{}10 6", " ".repeat(spaces))),
            "92\n724\n4\n",
            "{spaces} spaces"
        );
    }
    let endless = run(&["count"], " ".repeat(1_500_000));
    let expected = "queencount: stdin: expected at most 1048576 bytes per line, found more\n";
    assert_eq!(
        (endless.status.code(), text(&endless.stderr)),
        (Some(2), expected.to_owned())
    );
}

#[test]
fn options_are_accepted_anywhere_after_command() {
    for arguments in [
        ["count", "8", "-t", "2", "--engine", "backtrack"],
        [
            "count",
            "--threads=2",
            "-q",
            "--engine=auto",
            "--progress=never",
            "8",
        ],
    ] {
        assert_eq!(stdout(&arguments, ""), "92\n", "{arguments:?}");
    }
    for arguments in [
        ["4", "-t", "2", "--format", "csv", "-q"],
        ["--format", "csv", "-q", "-t", "2", "4"],
    ] {
        assert!(
            stdout(&arguments, "").contains("\n4,2 4 1 3;3 1 4 2,2,"),
            "{arguments:?}"
        );
    }
}

/// The boards that the contest uses as inputs.
const CONTEST: RangeInclusive<u32> = 6..=13;

#[test]
fn contest_inputs_give_three_solutions_and_total() {
    let folder = tempfile::tempdir().unwrap();
    for n in CONTEST {
        std::fs::write(folder.path().join("checker.in"), format!("{n}\n")).unwrap();
        let output = queencount(&["checker"])
            .current_dir(&folder)
            .output()
            .unwrap();
        assert!(
            output.status.success() && output.stdout.is_empty() && output.stderr.is_empty(),
            "{output:?}"
        );
        let solutions: String = common::first_solutions(n, 3)
            .iter()
            .map(|columns| line(columns))
            .collect();
        let expected = format!("{solutions}{}\n", common::published(n));
        assert_eq!(
            std::fs::read_to_string(folder.path().join("checker.out")).unwrap(),
            expected,
            "N = {n}"
        );
    }
}

/// Returns the line of a solution with these columns, counted from 0.
fn line(columns: &[u8]) -> String {
    columns
        .iter()
        .map(|column| (column + 1).to_string())
        .collect::<Vec<String>>()
        .join(" ")
        + "\n"
}

#[test]
fn verify_prints_table_in_given_order() {
    let table = stdout(&["verify", "1..=10"], "");
    let rows: Vec<Vec<&str>> = table
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(rows[0], ["N", "counted", "published", "seconds"]);
    assert_eq!(rows.len(), 11);
    assert_eq!(
        [rows[10][0], rows[10][1], rows[10][2], rows[10][4]],
        ["10", "724", "724", "ok"]
    );
    let table = stdout(&["verify", "8", "4..=5"], "");
    let boards: Vec<&str> = table
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(boards, ["N", "8", "4", "5"]);
}

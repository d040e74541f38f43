//! Bad input prints one line to stderr that contains the text found, exits with code 2, and prints
//! nothing to stdout.

use crate::program::{run, text};

#[track_caller]
fn refused(arguments: &[&str], input: &[u8], found: &str) {
    let output = run(arguments, input);
    let error = text(&output.stderr);
    let case = format!(
        "{arguments:?} with input {:?} says {error:?}",
        String::from_utf8_lossy(input)
    );
    assert_eq!(output.status.code(), Some(2), "{case}");
    assert_eq!(text(&output.stdout), "", "{case}");
    assert_eq!(error.matches('\n').count(), 1, "{case}");
    assert!(
        error.starts_with("queencount: ") && error.ends_with('\n') && !error.contains("error:"),
        "{case}"
    );
    assert!(error.contains(found), "{case}");
}

/// Strings that no command accepts as a board, and their description in the error.
const NO_BOARDS: [(&str, &str); 13] = [
    ("x", "found \"x\""),
    ("", "found nothing"),
    ("-5", "found \"-5\""),
    ("+5", "found \"+5\""),
    ("33", "found \"33\""),
    ("8x", "found \"8x\""),
    ("8.0", "found \"8.0\""),
    ("0x8", "found \"0x8\""),
    ("8,9", "found \"8,9\""),
    ("99999999999999999999", "found \"99999999999999999999\""),
    ("８", "found \"８\""),
    ("1e1", "found \"1e1\""),
    ("-", "found \"-\""),
];

#[test]
fn invalid_board_arguments_are_rejected() {
    for (word, found) in NO_BOARDS
        .into_iter()
        .chain([("0", "found \"0\""), ("8 9", "found \"8 9\"")])
    {
        for before in [&[][..], &["count"], &["count", "8"], &["verify"]] {
            refused(&[before, &["--", word]].concat(), b"", found);
            if word != "-" || before.is_empty() {
                refused(&[before, &[word]].concat(), b"", found);
            }
        }
    }
}

#[test]
fn second_board_is_rejected_if_one_is_expected() {
    refused(&["8", "9"], b"", "found \"8 9\"");
    refused(&["8", "-t", "1", "-9"], b"", "found \"8 -9\"");
    refused(&["classes", "8", "9"], b"", "unexpected argument \"9\"");
    refused(&["checker", "8"], b"", "unexpected argument \"8\"");
    refused(&["8", "count", "9"], b"", "found \"8 count 9\"");
    refused(&[" 8"], b"", "found \" 8\"");
    // The board is checked before a device is looked for.
    refused(&["33", "--device", "gpu"], b"", "found \"33\"");
    refused(&["count", "8\n"], b"", "found \"8\\n\"");
    refused(&["help", "a\u{c}b"], b"", "found \"a\\u{c}b\"");
    refused(&[], b"8 9\n", "found \"8 9\"");
    refused(&[], b"8\n9\n", "found \"8\\n9\"");
}

#[test]
fn invalid_stdin_is_rejected() {
    for (word, found) in NO_BOARDS {
        refused(&[], word.as_bytes(), found);
        if !word.is_empty() {
            refused(&["count"], format!("{word}\n").as_bytes(), found);
        }
    }
    refused(&[], b"0\n", "found \"0\"");
    refused(&[], b"8 queens\n", "found \"8 queens\"");
    refused(&[], b" \n\n", "found nothing");
    refused(&[], b"\xff\xfe8", "found");
    refused(&[], "\u{feff}".as_bytes(), "found nothing");
    refused(&[], "8\u{feff}".as_bytes(), "found");
    refused(&["count"], "\n\u{feff}9\n".as_bytes(), "found");
    refused(&[], b"8\0", "found");
    refused(&[], &[b'8'; 100], "found \"8888");
    refused(&[], &[b' '; 1 << 20], "found more than");
    refused(
        &["count"],
        b"8 queens 9\n",
        "line 1: expected a board size from 1 to 32, found \"queens\"",
    );
    refused(&["count"], b"\n\n\xff\n", "line 3: expected");
    refused(&["count"], &[b'9'; 100_000], "found \"9999");
}

#[test]
fn results_before_invalid_line_are_printed() {
    let output = run(&["count"], "8\n9 10\nten\n11\n");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(text(&output.stdout), "92\n352\n724\n");
    assert!(text(&output.stderr).contains("line 3: expected"));
}

#[test]
fn invalid_ranges_are_rejected() {
    for (word, found) in [
        ("8..=7", "\"8..=7\""),
        ("8..12", "such as 8..=12 or 8-12, found \"8..12\""),
        ("8-7", "\"8-7\""),
        ("8-", "found \"8-\""),
        ("8-33", "found \"8-33\""),
        ("8..=", "found \"8..=\""),
        ("..=8", "found \"..=8\""),
        ("0..=8", "found \"0..=8\""),
        ("8..=33", "found \"8..=33\""),
        ("8..=9..=10", "found \"8..=9..=10\""),
    ] {
        refused(&["count", word], b"", found);
        refused(&["verify", word], b"", found);
        refused(&["count", "7", word], b"", found);
        refused(&["count"], word.as_bytes(), found);
    }
    refused(
        &["8..=9"],
        b"",
        "'queencount count 8..=9' counts several boards",
    );
    refused(&["8", "9"], b"", "found \"8 9\"; 'queencount count 8 9'");
}

#[test]
fn unpublished_boards_are_rejected_by_verify() {
    refused(&["verify", "28"], b"", "found N = 28");
    refused(&["verify", "8..=32"], b"", "found N = 28");
    refused(&["self-test", "8"], b"", "unexpected argument \"8\"");
}

#[test]
fn unknown_or_invalid_options_are_rejected() {
    for (arguments, found) in [
        (
            &["--thread", "2"][..],
            "unknown option \"--thread\"; did you mean '--threads'?",
        ),
        (&["--jobs", "2"], "did you mean '--threads'?"),
        (&["-t"], "missing value for '--threads <COUNT>'"),
        (
            &["-t", ""],
            "--threads: expected a whole number from 0 to 4096, found nothing",
        ),
        (
            &["-t", "two"],
            "--threads: expected a whole number from 0 to 4096, found \"two\"",
        ),
        (&["-t", "-1"], "from 0 to 4096, found \"-1\""),
        (&["-t", "5000"], "from 0 to 4096, found \"5000\""),
        (&["--kernel", "fast"], "found \"fast\""),
        (&["--memory", "12x"], "found \"12x\""),
        (&["--memory", "-1"], "found \"-1\""),
        (
            &["--memory", "1000"],
            "--memory: expected a size such as 256M or 1.5G, from 1M to 1024T, found \"1000\"",
        ),
        (&["--memory", "99999999999G"], "found \"99999999999G\""),
        (&["--memory", "1025T"], "found \"1025T\""),
        (&["--memory", "1e9"], "found \"1e9\""),
        (&["--memory", "1..5G"], "found \"1..5G\""),
        (&["--memory", "1GG"], "found \"1GG\""),
        (&["--memory", "inf"], "found \"inf\""),
        (&["--memory", "M"], "found \"M\""),
        (&["--engine", "steam"], "found \"steam\""),
        (
            &["--engine", "backtrak"],
            "--engine: expected one of auto, backtrack, rows, found \"backtrak\"",
        ),
        (&["--progress", "sometimes"], "found \"sometimes\""),
        (&["-x"], "unknown option \"-x\""),
    ] {
        for command in [&["8"][..], &["count", "8"], &["verify", "8"], &["checker"]] {
            refused(&[command, arguments].concat(), b"", found);
        }
    }
    for command in ["checker", "completions", "man", "help"] {
        let arguments = if command == "completions" {
            &[command, "bash"][..]
        } else {
            &[command]
        };
        refused(
            &[arguments, &["--format", "json"]].concat(),
            b"",
            "unknown option \"--format\"; see 'queencount ",
        );
    }
    refused(&["checker", "--input"], b"", "missing value");
    refused(
        &["counts"],
        b"",
        "found \"counts\"; did you mean 'queencount count'?",
    );
    refused(&["coun", "8"], b"", "did you mean 'queencount count'?");
    refused(
        &["xyzzy", "8"],
        b"",
        "'queencount --help' lists the commands",
    );
    refused(
        &["list", "8", "--head", "3"],
        b"",
        "unknown option \"--head\"; did you mean '--limit'?",
    );
    refused(
        &["list", "8", "--tail", "3"],
        b"",
        "unknown option \"--tail\"; see 'queencount list --help'",
    );
    refused(
        &["completions", "tcsh"],
        b"",
        "found \"tcsh\"; see 'queencount completions --help'",
    );
}

#[test]
fn options_without_effect_are_rejected() {
    for (arguments, found) in [
        (
            &["8", "--unique"][..],
            "unknown option \"--unique\"; see 'queencount --help'",
        ),
        (
            &["count", "8", "--record", "r"],
            "unknown option \"--record\"; see 'queencount count --help'",
        ),
        (
            &["list", "8", "--engine", "rows"],
            "unknown option \"--engine\"",
        ),
        (
            &["self-test", "--kernel", "portable"],
            "unknown option \"--kernel\"",
        ),
        (
            &["merge", "r", "--memory", "1G"],
            "unknown option \"--memory\"",
        ),
        (&["man", "-t", "2"], "unknown option \"-t\""),
        (
            &["-t", "2", "count", "8"],
            "options must follow the command 'count'",
        ),
        (
            &["list", "8", "--unique", "--skip", "2", "-t", "2"],
            "--unique cannot be used with --threads <COUNT>",
        ),
        (&["devices", "-t", "2"], "unknown option \"-t\""),
        (&["draw", "8", "--unique"], "missing --svg <FILE>"),
        (
            &["classes", "8", "--total", "92", "--engine", "rows"],
            "--total <T> cannot be used with --engine <ENGINE>",
        ),
        (
            &["merge", "r", "--for", "x", "--missing"],
            "--for <SOURCE> cannot be used with --missing",
        ),
        (&["merge", "r", "--for", "x"], "missing --second"),
        (
            &["count", "8", "-q", "-v"],
            "--quiet cannot be used with --verbose",
        ),
        (
            &["count", "8", "--engine", "backtrack", "--memory", "1M"],
            "--memory requires the rows engine, not backtrack",
        ),
    ] {
        refused(arguments, b"", found);
    }
}

#[test]
fn kernel_of_another_engine_is_rejected() {
    let arguments = [
        "count",
        "12",
        "--engine",
        "backtrack",
        "--kernel",
        "portable",
    ];
    refused(
        &arguments,
        b"",
        "--kernel requires the rows engine, not backtrack",
    );
}

#[test]
fn invalid_options_of_single_command_are_rejected() {
    let too_large = format!("{}0", u128::MAX);
    for (arguments, found) in [
        (&["plan"][..], "missing <N>"),
        (
            &["plan", "8", "--shards", "0"],
            "--shards: expected a whole number from 1 to 1000000, found \"0\"",
        ),
        (&["plan", "8", "--shards", "1000001"], "\"1000001\""),
        (&["run", "8"], "missing --record <FILE>"),
        (
            &["run", "8", "--record", "r", "--shard", "3/2"],
            "found \"3/2\"",
        ),
        (
            &["run", "8", "--record", "r", "--shard", "half"],
            "found \"half\"",
        ),
        (
            &["run", "8", "--record", "r", "--units", "3-x"],
            "found \"3-x\"",
        ),
        (
            &[
                "run", "8", "--record", "r", "--units", "3", "--shard", "1/2",
            ],
            "cannot be used with",
        ),
        (&["merge"], "missing <FILE>..."),
        (&["audit"], "missing <FILE>..."),
        (&["audit", "r", "--sample", "0"], "found \"0\""),
        (
            &["audit", "r", "--sample", "0%"],
            "or a percentage such as 0.1%, found \"0%\"",
        ),
        (&["audit", "r", "--sample", "101%"], "found \"101%\""),
        (&["audit", "r", "--sample", "1.5"], "found \"1.5\""),
        (
            &["merge", "r", "--shards", "0"],
            "--shards: expected a whole number from 1 to 1000000, found \"0\"",
        ),
        (
            &["merge", "r", "--shards", "3", "--missing"],
            "cannot be used with",
        ),
        (&["audit", "r", "--sample", "-3"], "found \"-3\""),
        (&["audit", "r", "--sample", "-5%"], "found \"-5%\""),
        (
            &["audit", "r", "--seed", "x"],
            "from 0 to 2^64 - 1, found \"x\"",
        ),
        (
            &["estimate", "8", "--sample", "7"],
            "--sample: expected a whole number from 8 to 2^64 - 1, found \"7\"",
        ),
        (&["estimate", "8", "--time", "0"], "\"0\""),
        (
            &["estimate", "8", "--time", "0.01"],
            "--time: expected a time such as 90 or 1m30s, from 0.1s to 1day, found \"0.01\"",
        ),
        (&["estimate", "8", "--time", "1e2"], "\"1e2\""),
        (&["estimate", "8", "--time", "NaN"], "\"NaN\""),
        (
            &["estimate", "8", "--seed", "18446744073709551616"],
            "--seed: expected a whole number from 0 to 2^64 - 1, found \"18446744073709551616\"",
        ),
        (&["estimate", "8", "--seed", "-1"], "found \"-1\""),
        (
            &["estimate", "8", "--time", "1", "--sample", "9"],
            "cannot be used with",
        ),
        (&["draw"], "missing <N>"),
        (&["draw", "x"], "found \"x\""),
        (&["draw", "3"], "found N = 3, which has no solution"),
        (
            &["draw", "8", "--index", "0"],
            "from 1 to 2^128 - 1, found \"0\"",
        ),
        (&["draw", "8", "--index", "93"], "from 1 to 92, found 93"),
        (&["draw", "8", "--index", "-1"], "found \"-1\""),
        (
            &["draw", "4", "--columns", "2 4 1"],
            "expected 4 columns for N = 4, found 3",
        ),
        (
            &["draw", "4", "--columns", ""],
            "expected 4 columns for N = 4, found 0",
        ),
        (
            &["draw", "1", "--columns", "1 1"],
            "expected 1 column for N = 1, found 2",
        ),
        (
            &["draw", "4", "--columns", "2 4 1 5"],
            "from 1 to 4 for the queen in row 4, found 5",
        ),
        (&["draw", "4", "--columns", "2,4,1,0"], "row 4, found 0"),
        (
            &["draw", "4", "--columns", "1 3 0 4", "--zero-based"],
            "from 0 to 3 for the queen in row 3, found 4",
        ),
        (
            &["draw", "4", "--columns", "0 2 1 3", "--zero-based"],
            "the queens in rows 1 and 2 attack each other",
        ),
        (
            &["draw", "4", "--attacks", "0"],
            "--attacks: expected a row from 1 to 4, found 0",
        ),
        (
            &["draw", "4", "--attacks", "4", "--zero-based"],
            "--attacks: expected a row from 0 to 3, found 4",
        ),
        (
            &["draw", "4", "--queen", "x", "--empty", "x"],
            "different symbols for a queen and an empty square, found \"x\" for both",
        ),
        (
            &[
                "list", "4", "--format", "board", "--queen", "x", "--empty", "x",
            ],
            "an empty square, found \"x\" for both",
        ),
        (
            &["list", "4", "--format", "ruled", "--empty", "O"],
            "an empty square, found \"O\" for both",
        ),
        (
            &["run", "8", "--record", "-"],
            "--record: expected the name of a file, found \"-\"",
        ),
        (&["draw", "4", "--columns", "2 4 1 x"], "row 4, found \"x\""),
        (
            &["draw", "4", "--columns", "2 4 1 -3"],
            "row 4, found \"-3\"",
        ),
        (
            &["draw", "4", "--columns", "1 3 2 4"],
            "the queens in rows 2 and 3 attack each other",
        ),
        (
            &["draw", "4", "--columns", "2 4 1 3", "--index", "1"],
            "cannot be used with",
        ),
        (
            &["draw", "8", "--unique", "--index", "1"],
            "cannot be used with",
        ),
        (
            &["draw", "8", "--unique", "--attacks", "1"],
            "cannot be used with",
        ),
        (&["draw", "13", "--unique", "--svg", "s"], "found N = 13"),
        (&["draw", "8", "--attacks", "9"], "from 1 to 8, found 9"),
        (
            &["draw", "8", "--attacks", "33"],
            "from 0 to 32, found \"33\"",
        ),
        (
            &["draw", "8", "--format", "json"],
            "unknown option \"--format\"",
        ),
        (&["list"], "missing <N>"),
        (&["list", "8", "9"], "unexpected argument \"9\""),
        (&["list", "8..=9"], "found \"8..=9\""),
        (&["list", "8", "--skip", "x"], "found \"x\""),
        (
            &["list", "8", "--skip", "-1"],
            "--skip: expected a whole number from 0 to 2^128 - 1, found \"-1\"",
        ),
        (
            &["list", "8", "--skip", &too_large],
            "from 0 to 2^128 - 1, found \"3402823",
        ),
        (
            &["draw", "8", "--index", "18446744073709551616"],
            "from 1 to 92, found 18446744073709551616",
        ),
        (&["list", "8", "--limit", "1.5"], "found \"1.5\""),
        (&["list", "8", "--limit"], "missing value"),
        (
            &["list", "8", "--unique=yes"],
            "expected no value, found \"yes\"",
        ),
        (&["list", "8", "--format", "xml"], "found \"xml\""),
        (
            &["list", "8", "--format", "board", "--queen", ""],
            "found nothing",
        ),
        (
            &["list", "8", "--format", "board", "--empty", "a\tb"],
            "found \"a\\tb\"",
        ),
        (
            &["list", "8", "--format", "board", "--empty", "\u{200b}"],
            "visible",
        ),
        (
            &["list", "8", "--format", "board", "--queen", "QUEENQUEEN"],
            "at most 8 columns wide",
        ),
        (&["list", "8", "--queen", "Q"], "require --format board"),
        (
            &["list", "8", "--format", "json", "--empty", "."],
            "require --format board",
        ),
        (
            &["count", "8", "--format", "board"],
            "--format: expected one of text, json, csv, found \"board\"",
        ),
        (&["8", "--format", "json-boards"], "found \"json-boards\""),
        (&["classes"], "missing <N>"),
        (&["classes", "8", "9"], "unexpected argument \"9\""),
        (
            &["classes", "8", "--total", "many"],
            "--total: expected a whole number from 0 to 2^128 - 1, found \"many\"",
        ),
        (&["classes", "8", "--total", "-92"], "found \"-92\""),
        (&["completions"], "missing <SHELL>"),
        (&["completions", "csh"], "found \"csh\""),
        (&["man", "run", "merge"], "unexpected argument \"merge\""),
        (&["man", "here"], "found \"here\""),
        (&["man", "run", "--to", "."], "cannot be used with"),
    ] {
        refused(arguments, b"", found);
    }
}

#[cfg(unix)]
#[test]
fn non_utf8_arguments_are_rejected() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let output = crate::program::queencount(&[])
        .arg(OsStr::from_bytes(b"8\xff"))
        .output()
        .unwrap();
    assert_eq!(
        (output.status.code(), text(&output.stdout)),
        (Some(2), String::new())
    );
    assert!(
        text(&output.stderr).contains("expected a board size from 1 to 32, found \"8\u{fffd}\""),
        "{output:?}"
    );
    for (words, reason) in [
        (&["count"][..], "UTF-8"),
        (&["verify"], "UTF-8"),
        (&["8", "--threads"], "UTF-8"),
        (&["8", "--engine"], "found \"8\u{fffd}\""),
        (&["8", "--memory"], "UTF-8"),
    ] {
        let output = crate::program::queencount(words)
            .arg(OsStr::from_bytes(b"8\xff"))
            .output()
            .unwrap();
        assert_eq!(
            (output.status.code(), text(&output.stdout)),
            (Some(2), String::new()),
            "{words:?}"
        );
        let error = text(&output.stderr);
        assert!(
            error.starts_with("queencount: ") && error.contains(reason),
            "{error}"
        );
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

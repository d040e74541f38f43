//! Solutions are printed byte for byte as in textbooks and contests, or with other glyphs and
//! numbers.

use crate::program::{run, stdout, text};

/// The output of the textbook's program for four queens, including spaces at the ends of lines.
const LISTING: &str = "4皇后问题,方案如下:\n\n\
    第1种放置方案, 皇后被放于 \n2 4 1 3 列\n\n棋盘布局如下↓\n\n\
    \x20×  √  ×  × \n ×  ×  ×  √ \n √  ×  ×  × \n ×  ×  √  × \n\n\
    第2种放置方案, 皇后被放于 \n3 1 4 2 列\n\n棋盘布局如下↓\n\n\
    \x20×  ×  √  × \n √  ×  ×  × \n ×  ×  ×  √ \n ×  √  ×  × \n\n";

#[test]
fn listing_matches_textbook() {
    let listing =
        |arguments: &[&str]| stdout(&[&["list", "--format", "listing"], arguments].concat(), "");
    assert_eq!(listing(&["4"]), LISTING);
    let one = "1皇后问题,方案如下:\n\n第1种放置方案, 皇后被放于 \n1 列\n\n棋盘布局如下↓\n\n √ \n\n";
    assert_eq!(listing(&["1"]), one);
    assert_eq!(listing(&["2"]), "2皇后问题,方案如下:\n\n");
    assert_eq!(
        listing(&["4", "--queen", "Q", "--empty", "."]),
        LISTING.replace('√', "Q").replace('×', ".")
    );
    let zero = LISTING
        .replace("2 4 1 3", "1 3 0 2")
        .replace("3 1 4 2", "2 0 3 1");
    assert_eq!(listing(&["4", "--zero-based"]), zero);
    let last = listing(&["8", "--skip", "91"]);
    assert!(
        last.starts_with(
            "8皇后问题,方案如下:\n\n第92种放置方案, 皇后被放于 \n8 4 1 3 6 2 7 5 列\n"
        ),
        "{last}"
    );
}

/// The board in the contest's problem statement.
const RULED: &str = "          Column
    1   2   3   4   5   6
  -------------------------
1 |   | O |   |   |   |   |
  -------------------------
2 |   |   |   | O |   |   |
  -------------------------
3 |   |   |   |   |   | O |
  -------------------------
4 | O |   |   |   |   |   |
  -------------------------
5 |   |   | O |   |   |   |
  -------------------------
6 |   |   |   |   | O |   |
  -------------------------
";

#[test]
fn ruled_board_has_row_and_column_numbers() {
    let ruled = |arguments: &[&str]| {
        stdout(
            &[&["list", "--format", "ruled", "--limit", "1"], arguments].concat(),
            "",
        )
    };
    assert_eq!(ruled(&["6"]), RULED);
    assert_eq!(
        ruled(&["6", "--queen", "Q", "--empty", "."])
            .replace('Q', "O")
            .replace(". |", "  |"),
        RULED
    );
    let zero = ruled(&["6", "--zero-based"]);
    assert!(
        zero.contains("\n    0   1   2   3   4   5\n") && zero.contains("\n0 |   | O |"),
        "{zero}"
    );
    // Numbers with two digits and glyphs two columns wide stay aligned with their squares.
    for (arguments, width) in [
        (&["10"][..], 2 + 1 + 41),
        (&["6", "--queen", "皇", "--empty", ".."], 1 + 1 + 31),
    ] {
        let board = ruled(arguments);
        let lines: Vec<&str> = board.lines().collect();
        for line in &lines[2..] {
            assert_eq!(console::measure_text_width(line), width, "{board}");
        }
        assert!(console::measure_text_width(lines[1]) <= width, "{board}");
    }
    let two = stdout(&["list", "6", "--format", "ruled", "--limit", "2"], "");
    assert!(
        two.starts_with(&format!("{RULED}\n          Column\n")),
        "{two}"
    );
}

#[test]
fn table_has_rows_above_columns() {
    let table =
        |arguments: &[&str]| stdout(&[&["list", "--format", "table"], arguments].concat(), "");
    assert_eq!(
        table(&["6", "--limit", "1"]),
        "ROW 1 2 3 4 5 6\nCOLUMN 2 4 6 1 3 5\n"
    );
    assert_eq!(
        table(&["4"]),
        "ROW 1 2 3 4\nCOLUMN 2 4 1 3\n\nROW 1 2 3 4\nCOLUMN 3 1 4 2\n"
    );
    assert_eq!(
        table(&["4", "--unique", "--zero-based"]),
        "ROW 0 1 2 3\nCOLUMN 1 3 0 2\nORBIT 2\n"
    );
}

#[test]
fn columns_are_zero_based_when_requested() {
    for (format, expected) in [
        ("text", "1 3 0 2\n2 0 3 1\n"),
        ("csv", "row0,row1,row2,row3\n1,3,0,2\n2,0,3,1\n"),
        ("json", "{\"columns\":[1,3,0,2]}\n{\"columns\":[2,0,3,1]}\n"),
        (
            "board",
            "1: 1 3 0 2\n. Q . .\n. . . Q\nQ . . .\n. . Q .\n\n2: 2 0 3 1\n. . Q .\nQ . . .\n. . . Q\n. Q . .\n",
        ),
    ] {
        assert_eq!(
            stdout(&["list", "4", "--zero-based", "--format", format], ""),
            expected,
            "{format}"
        );
    }
    let output = run(
        &["list", "4", "--zero-based", "--format", "json-boards"],
        "",
    );
    assert_eq!(
        (output.status.code(), text(&output.stdout)),
        (Some(2), String::new())
    );
    assert!(
        text(&output.stderr).contains("--zero-based requires a format with column numbers"),
        "{output:?}"
    );
}

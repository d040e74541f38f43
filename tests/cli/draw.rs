//! A drawing shows the requested solution, in characters that the terminal supports, or as a
//! picture in a file that is written completely or not at all.

use std::path::Path;
use std::process::Command;

use roxmltree::{Document, Node};

use crate::program::{queencount, run, stdout, text};
use crate::terminal::Terminal;

fn with_locale(arguments: &[&str], locale: &str) -> Command {
    let mut command = queencount(arguments);
    command
        .env_remove("LC_CTYPE")
        .env_remove("LANG")
        .env("LC_ALL", locale);
    command
}

fn drawn(arguments: &[&str], locale: &str) -> String {
    let output = with_locale(arguments, locale).output().unwrap();
    assert_eq!(
        (output.status.code(), text(&output.stderr)),
        (Some(0), String::new()),
        "{arguments:?}"
    );
    text(&output.stdout)
}

#[test]
fn drawn_board_shows_requested_solution() {
    let six = "\
┌─────────────┐
│ · ♛ · · · · │
│ · · · ♛ · · │
│ · · · · · ♛ │
│ ♛ · · · · · │
│ · · ♛ · · · │
│ · · · · ♛ · │
└─────────────┘
2 4 6 1 3 5
";
    for arguments in [
        &["draw", "6"][..],
        &["draw", "6", "--index", "1"],
        &["draw", "6", "--columns", "2 4 6 1 3 5"],
    ] {
        assert_eq!(drawn(arguments, "de_DE.UTF-8"), six, "{arguments:?}");
    }
    assert!(drawn(&["draw", "6", "--index", "4"], "C.utf8").ends_with("\n5 3 1 6 4 2\n"));
    assert_eq!(drawn(&["draw", "1"], "C.utf8"), "┌───┐\n│ ♛ │\n└───┘\n1\n");
}

#[test]
fn custom_symbols_are_drawn_aligned() {
    let plain =
        "+---------+\n| x Q x x |\n| x x x Q |\n| Q x x x |\n| x x Q x |\n+---------+\n2 4 1 3\n";
    assert_eq!(
        drawn(&["draw", "4", "--queen", "Q", "--empty", "x"], "C"),
        plain
    );
    let marked = drawn(&["draw", "4", "--queen", "√", "--empty", "×"], "C");
    assert_eq!(marked, plain.replace('Q', "√").replace('x', "×"));
    // All squares and lines are as wide as the widest glyph.
    let wide = drawn(
        &["draw", "4", "--queen", "皇后", "--attacks", "2"],
        "C.UTF-8",
    );
    let board: Vec<&str> = wide
        .lines()
        .filter(|line| line.starts_with(['┌', '│', '└']))
        .collect();
    assert_eq!(board.len(), 6, "{wide}");
    assert!(
        board
            .iter()
            .all(|line| console::measure_text_width(line.trim_end()) == 4 * 5 + 1 + 2),
        "{wide}"
    );
    let output = run(&["draw", "4", "--queen", "Q", "--svg", "never"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("cannot be used with"),
        "{output:?}"
    );
}

#[test]
fn columns_accept_commas_and_zero_based_numbers() {
    let six = drawn(&["draw", "6", "--attacks", "5"], "C");
    assert_eq!(
        drawn(
            &["draw", "6", "--columns", "2,4,6,1,3,5", "--attacks", "5"],
            "C"
        ),
        six
    );
    assert_eq!(
        drawn(
            &[
                "draw",
                "6",
                "--columns",
                "2, 4, 6, 1, 3, 5",
                "--attacks",
                "5"
            ],
            "C"
        ),
        six
    );
    let zero = six.replace("2 4 6 1 3 5", "1 3 5 0 2 4");
    for arguments in [&["--columns", "1,3,5,0,2,4"][..], &["--index", "1"]] {
        let arguments = [&["draw", "6", "--zero-based", "--attacks", "4"], arguments].concat();
        assert_eq!(drawn(&arguments, "C"), zero);
    }
    let picture = drawn(&["draw", "4", "--zero-based", "--svg", "-"], "C");
    assert!(
        picture.contains(">1 3 0 2</text>")
            && picture.contains(">0</text>")
            && !picture.contains(">4</text>")
    );
}

#[test]
fn attacks_are_drawn_in_ascii_without_unicode() {
    let attacks = r"+-------------+
| . Q | . . . |
| . . | Q . / |
| \ . | . / Q |
| Q \ | / . . |
|-----Q-------|
| . / | \ Q . |
+-------------+
2 4 6 1 3 5
";
    for locale in ["C", "POSIX", "de_DE.ISO-8859-1"] {
        assert_eq!(
            drawn(&["draw", "6", "--attacks", "5"], locale),
            attacks,
            "{locale}"
        );
    }
    let unicode = drawn(&["draw", "6", "--attacks", "5"], "en_US.UTF-8");
    let plain = [
        ("─", "-"),
        ("│", "|"),
        ("╲", "\\"),
        ("╱", "/"),
        ("♛", "Q"),
        ("·", "."),
    ];
    let ascii = plain
        .into_iter()
        .fold(unicode, |text, (from, to)| text.replace(from, to));
    assert_eq!(
        ["┌", "┐", "└", "┘"]
            .into_iter()
            .fold(ascii, |text, corner| text.replace(corner, "+")),
        attacks
    );
}

#[test]
fn colours_respect_no_color_and_dumb_terminals() {
    for (variable, value, coloured) in [
        ("NO_COLOR", "1", false),
        ("TERM", "dumb", false),
        ("TERM", "xterm", true),
    ] {
        let mut command = with_locale(&["draw", "8"], "C.UTF-8");
        command.env(variable, value);
        let (code, board) = Terminal::start(command, 80).output();
        assert_eq!(
            (code, board.contains('\x1b')),
            (Some(0), coloured),
            "{variable}={value}: {board}"
        );
    }
}

/// Returns the picture written to a file.
fn picture(folder: &Path, arguments: &[&str]) -> String {
    let path = folder.join("picture.svg");
    assert_eq!(
        stdout(
            &[arguments, &["--svg", path.to_str().unwrap()]].concat(),
            ""
        ),
        ""
    );
    std::fs::read_to_string(path).unwrap()
}

fn uses<'a>(node: Node<'a, 'a>, what: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    node.descendants()
        .filter(move |node| node.has_tag_name("use") && node.attribute("href") == Some(what))
}

#[test]
fn picture_shows_queens_and_attack_lines() {
    let folder = tempfile::tempdir().unwrap();
    let picture = picture(folder.path(), &["draw", "6", "--attacks", "5"]);
    let picture = Document::parse(&picture).expect("XML");
    let root = picture.root();
    let place = |queen: Node| {
        (
            queen.attribute("x").unwrap().to_owned(),
            queen.attribute("y").unwrap().to_owned(),
        )
    };
    let queens: Vec<(String, String)> = uses(root, "#queen").map(place).collect();
    let columns = [1, 3, 5, 0, 2, 4];
    let expected = columns
        .iter()
        .zip(0..)
        .map(|(column, row)| (column.to_string(), row.to_string()));
    assert_eq!(queens, expected.collect::<Vec<_>>());
    let lines = root
        .descendants()
        .filter(|node| node.attribute("clip-path").is_some());
    let lines: Vec<&str> = lines.map(|line| line.attribute("d").unwrap()).collect();
    // The lines pass through the middle of the square in row 5, column 3. The diagonals extend 6
    // squares to both sides and are clipped at the edge.
    assert_eq!(lines, ["M0 4.5H6M2.5 0V6M-3.5 -1.5l12 12M-3.5 10.5l12 -12"]);
    let texts: Vec<&str> = root.descendants().filter_map(|node| node.text()).collect();
    assert!(
        texts.contains(&"2 4 6 1 3 5") && texts.contains(&"6 queens: 2 4 6 1 3 5"),
        "{texts:?}"
    );
}

#[test]
fn picture_of_unique_solutions_shows_every_orbit() {
    let folder = tempfile::tempdir().unwrap();
    let picture = picture(folder.path(), &["draw", "8", "--unique"]);
    let picture = Document::parse(&picture).expect("XML");
    assert_eq!(
        (
            uses(picture.root(), "#board").count(),
            uses(picture.root(), "#queen").count()
        ),
        (12, 96)
    );
    let texts: String = picture
        .descendants()
        .filter(Node::is_text)
        .filter_map(|node| node.text())
        .collect();
    assert_eq!(
        (texts.matches("×8").count(), texts.matches("×4").count()),
        (11, 1),
        "{texts}"
    );
    assert!(
        texts.contains("The 12 fundamental solutions of 8 queens, out of 92 in all"),
        "{texts}"
    );
}

#[test]
fn failed_picture_leaves_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.svg");
    std::fs::write(&path, "old").unwrap();
    let svg = path.to_str().unwrap();
    for (arguments, code) in [
        (&["draw", "4", "--columns", "1 2 3 4", "--svg", svg][..], 2),
        (&["draw", "8", "--index", "93", "--svg", svg], 2),
        (
            &[
                "draw",
                "4",
                "--svg",
                folder.path().join("no/where").to_str().unwrap(),
            ],
            1,
        ),
    ] {
        let output = run(arguments, "");
        assert_eq!(
            (output.status.code(), text(&output.stdout)),
            (Some(code), String::new()),
            "{arguments:?}"
        );
        assert_eq!(text(&output.stderr).lines().count(), 1, "{output:?}");
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), "old");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

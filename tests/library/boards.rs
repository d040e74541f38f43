//! Boards are parsed strictly, and errors show what was found.

use queencount::BoardSize;

#[test]
fn board_size_parses_only_from_1_to_32() {
    for n in 1..=32u32 {
        assert_eq!(
            n.to_string().parse::<BoardSize>().map(BoardSize::get),
            Ok(n)
        );
    }
    for text in [
        "",
        "0",
        "33",
        "-1",
        "+8",
        "8x",
        " 8",
        "8 ",
        "8 9",
        "eight",
        "4294967304",
        "８",
    ] {
        assert!(text.parse::<BoardSize>().is_err(), "{text:?}");
    }
}

#[test]
fn invalid_board_size_is_reported_on_one_line() {
    let shown = "x".repeat(40);
    let long = "x".repeat(41);
    for (text, found) in [
        ("", "nothing".to_owned()),
        (" \n", r#"" \n""#.to_owned()),
        ("8\n9", r#""8\n9""#.to_owned()),
        (&shown, format!("{shown:?}")),
        (&long, format!("{shown:?}...")),
    ] {
        let error = text.parse::<BoardSize>().unwrap_err().to_string();
        let expected = format!("expected a board size from 1 to 32, found {found}");
        assert_eq!(error, expected);
    }
    assert_eq!(BoardSize::new(27).unwrap().to_string(), "27");
}

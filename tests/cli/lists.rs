//! Solutions are listed in lexicographic order in every format, byte for byte, and symmetry classes
//! match the published values.

use crate::program::{run, stdout, text};

#[test]
fn solutions_are_printed_one_per_line() {
    for arguments in [&["list", "4"][..], &["list", "4", "--format", "text"]] {
        assert_eq!(stdout(arguments, ""), "2 4 1 3\n3 1 4 2\n");
    }
    assert_eq!(stdout(&["list", "1"], ""), "1\n");
    assert_eq!(stdout(&["list", "2"], "") + &stdout(&["list", "3"], ""), "");
    let six = "2 4 6 1 3 5\n3 6 2 5 1 4\n4 1 5 2 6 3\n5 3 1 6 4 2\n";
    assert_eq!(stdout(&["list", "6"], ""), six);
    let first = "1 3 5 2 4 13 15 12 18 20 17 9 16 19 8 10 7 14 6 11\n";
    assert_eq!(stdout(&["list", "20", "--limit", "1"], ""), first);
}

#[test]
fn list_is_sorted_and_complete() {
    let solutions = columns(&["10"]);
    assert_eq!(solutions.len(), 724);
    assert!(solutions.is_sorted_by(|a, b| a < b));
}

#[test]
fn json_boards_are_printed_as_one_array() {
    let boards = |n| stdout(&["list", n, "--format", "json-boards"], "");
    assert_eq!(
        boards("4"),
        "[[\".Q..\",\"...Q\",\"Q...\",\"..Q.\"],[\"..Q.\",\"Q...\",\"...Q\",\".Q..\"]]\n"
    );
    assert_eq!(boards("1"), "[[\"Q\"]]\n");
    assert_eq!(boards("2"), "[]\n");
    assert_eq!(boards("3"), "[]\n");
    let parsed: Vec<Vec<String>> = serde_json::from_str(&boards("9")).unwrap();
    assert_eq!(parsed.len(), 352);
    assert!(
        parsed
            .iter()
            .flatten()
            .all(|row| row.len() == 9 && row.matches('Q').count() == 1)
    );
}

#[test]
fn columns_are_printed_as_json_and_csv() {
    assert_eq!(
        stdout(&["list", "4", "--format", "json"], ""),
        "{\"columns\":[2,4,1,3]}\n{\"columns\":[3,1,4,2]}\n"
    );
    assert_eq!(
        stdout(&["list", "4", "--format", "csv"], ""),
        "row1,row2,row3,row4\n2,4,1,3\n3,1,4,2\n"
    );
    assert_eq!(stdout(&["list", "2", "--format", "csv"], ""), "row1,row2\n");
}

#[test]
fn boards_are_printed_with_solution_numbers() {
    let plain = "\
1: 2 4 1 3
. Q . .
. . . Q
Q . . .
. . Q .

2: 3 1 4 2
. . Q .
Q . . .
. . . Q
. Q . .
";
    assert_eq!(stdout(&["list", "4", "--format", "board"], ""), plain);
    let marked = stdout(
        &[
            "list", "4", "--format", "board", "--queen", "√", "--empty", "×",
        ],
        "",
    );
    assert_eq!(marked, plain.replace('Q', "√").replace('.', "×"));
    assert_eq!(stdout(&["list", "2", "--format", "board"], ""), "");
    assert_eq!(
        stdout(&["list", "8", "--format", "board", "--skip", "91"], "")
            .lines()
            .next(),
        Some("92: 8 4 1 3 6 2 7 5")
    );
}

#[test]
fn symbols_of_any_width_stay_aligned() {
    let wide = stdout(
        &[
            "list", "4", "--format", "board", "--queen", "皇", "--empty", "-", "--limit", "1",
        ],
        "",
    );
    assert_eq!(
        wide,
        "1: 2 4 1 3\n-  皇 -  -\n-  -  -  皇\n皇 -  -  -\n-  -  皇 -\n"
    );
    let long = stdout(
        &[
            "list", "4", "--format", "board", "--empty", "--", "--limit", "1",
        ],
        "",
    );
    assert_eq!(
        long,
        "1: 2 4 1 3\n-- Q  -- --\n-- -- -- Q\nQ  -- -- --\n-- -- Q  --\n"
    );
    let blank = stdout(
        &[
            "list", "4", "--format", "board", "--empty", " ", "--limit", "1",
        ],
        "",
    );
    assert_eq!(blank, "1: 2 4 1 3\n  Q\n      Q\nQ\n    Q\n");
}

#[test]
fn list_respects_skip_and_limit() {
    let all = stdout(&["list", "9"], "");
    let lines: Vec<&str> = all.lines().collect();
    for (skip, limit) in [
        (0, 0),
        (0, 1),
        (0, 352),
        (0, 400),
        (5, 7),
        (351, 1),
        (351, 9),
        (352, 1),
        (1000, 1000),
    ] {
        let part = stdout(
            &[
                "list",
                "9",
                "--skip",
                &skip.to_string(),
                "--limit",
                &limit.to_string(),
            ],
            "",
        );
        let expected: Vec<&str> = lines.iter().skip(skip).take(limit).copied().collect();
        assert!(part.lines().eq(expected), "{skip}, {limit}");
    }
    assert_eq!(
        stdout(
            &["list", "4", "--limit", "0", "--format", "json-boards"],
            ""
        ),
        "[]\n"
    );
    let most = u64::MAX.to_string();
    assert_eq!(
        stdout(&["list", "4", "--skip", &most, "--limit", &most], ""),
        ""
    );
}

/// Returns the columns of the solutions in a list.
fn columns(arguments: &[&str]) -> Vec<Vec<u32>> {
    let list = stdout(&[&["list", "-q"], arguments].concat(), "");
    list.lines()
        .map(|line| {
            line.split(' ')
                .map(|column| column.parse().unwrap())
                .collect()
        })
        .collect()
}

fn mirrored(solutions: &[Vec<u32>]) -> Vec<Vec<u32>> {
    solutions
        .iter()
        .map(|solution| {
            solution
                .iter()
                .map(|column| solution.len() as u32 + 1 - column)
                .collect()
        })
        .collect()
}

#[test]
fn end_and_middle_of_list_follow_mirror_symmetry() {
    for (n, total) in [("13", 73_712_u64), ("14", 365_596)] {
        let from =
            |skip: u64, limit: &str| columns(&[n, "--skip", &skip.to_string(), "--limit", limit]);
        // The last solutions are the mirror images of the first ones in reverse order, and so are
        // the ones around the middle.
        let first = from(0, "4");
        let last: Vec<Vec<u32>> = mirrored(&first).into_iter().rev().collect();
        assert_eq!(from(total - 4, "9"), last, "N = {n}");
        let middle = from(total / 2 - 2, "4");
        assert!(
            middle.len() == 4 && middle.is_sorted(),
            "N = {n}: {middle:?}"
        );
        assert!(
            mirrored(&middle)
                .into_iter()
                .rev()
                .eq(middle.iter().cloned()),
            "N = {n}: {middle:?}"
        );
    }
    // This many solutions are skipped in two steps.
    let last: Vec<Vec<u32>> = mirrored(&columns(&["15", "--limit", "4"]))
        .into_iter()
        .rev()
        .collect();
    assert_eq!(columns(&["15", "--skip", "2279180", "--limit", "9"]), last);
    let beyond = run(&["draw", "15", "--index", "2279185", "-q"], "");
    assert_eq!(beyond.status.code(), Some(2));
    let expected = "queencount: expected '--index <K>' from 1 to 2279184, found 2279185\n";
    assert_eq!(text(&beyond.stderr), expected);
}

#[test]
fn unique_solutions_are_least_of_their_orbits() {
    let list = stdout(&["list", "8", "--unique"], "");
    let rows: Vec<(&str, u32)> = list
        .lines()
        .map(|line| line.split_once('\t').unwrap())
        .map(|(row, size)| (row, size.parse().unwrap()))
        .collect();
    assert_eq!(rows.len(), 12);
    assert_eq!(rows.iter().map(|(_, size)| size).sum::<u32>(), 92);
    assert!(rows.is_sorted_by(|(a, _), (b, _)| a < b));
    let all = stdout(&["list", "8"], "");
    assert!(
        rows.iter()
            .all(|(row, _)| all.lines().any(|line| line == *row))
    );

    assert_eq!(stdout(&["list", "1", "--unique"], ""), "1\t1\n");
    assert_eq!(
        stdout(&["list", "5", "--unique"], ""),
        "1 3 5 2 4\t8\n2 5 3 1 4\t2\n"
    );
    assert_eq!(
        stdout(&["list", "5", "--unique", "--skip", "1"], ""),
        "2 5 3 1 4\t2\n"
    );
    assert_eq!(
        stdout(&["list", "5", "--unique", "--limit", "1"], ""),
        "1 3 5 2 4\t8\n"
    );
    assert_eq!(
        stdout(&["list", "4", "--unique", "--format", "csv"], ""),
        "row1,row2,row3,row4,orbit\n2,4,1,3,2\n"
    );
    assert_eq!(
        stdout(&["list", "4", "--unique", "--format", "json"], ""),
        "{\"columns\":[2,4,1,3],\"orbit\":2}\n"
    );
    let boards = run(&["list", "4", "--unique", "--format", "json-boards"], "");
    let note =
        "queencount: this format does not show orbit sizes; text, table, board, json and csv do\n";
    assert_eq!(
        (text(&boards.stdout), text(&boards.stderr)),
        (
            "[[\".Q..\",\"...Q\",\"Q...\",\"..Q.\"]]\n".to_owned(),
            note.to_owned()
        )
    );
    let board = stdout(&["list", "4", "--unique", "--format", "board"], "");
    assert_eq!(
        board,
        "1: 2 4 1 3, orbit of 2\n. Q . .\n. . . Q\nQ . . .\n. . Q .\n"
    );
}

#[test]
fn fundamental_solutions_are_counted() {
    let counts = "1\n0\n0\n1\n2\n1\n6\n12\n46\n92\n341\n1787\n9233\n";
    assert_eq!(stdout(&["count", "--unique", "1..=13"], ""), counts);
    assert_eq!(stdout(&["count", "--unique"], "8\n4\n0\n"), "12\n1\n");
    let json = stdout(&["count", "8", "--unique", "--format", "json"], "");
    assert!(
        json.starts_with("{\"n\":8,\"fundamental\":\"12\",\"total\":\"92\",\"seconds\":"),
        "{json}"
    );
}

#[test]
fn classes_are_printed_as_table() {
    let table = "\
solutions                      92
  unchanged by a half turn      4
  unchanged by a quarter turn   0
fundamental solutions          12
  orbits of 8                  11
  orbits of 4                   1
  orbits of 2                   0
";
    assert_eq!(stdout(&["classes", "8"], ""), table);
    assert_eq!(stdout(&["classes", "8", "--total", "92"], ""), table);
    assert!(stdout(&["classes", "1"], "").ends_with("\n  orbits of 1                  1\n"));
    let json = stdout(
        &[
            "classes",
            "20",
            "--total",
            "39029188884",
            "--format",
            "json",
        ],
        "",
    );
    let fields = "\"half_turn\":\"144620\",\"quarter_turn\":\"480\",\"fundamental\":\"4878666808\",\
                  \"orbits_of_8\":\"4878630533\",\"orbits_of_4\":\"36035\",\"orbits_of_2\":\"240\",\"orbits_of_1\":\"0\"";
    assert!(
        json.starts_with(&format!(
            "{{\"n\":20,\"total\":\"39029188884\",{fields},\"seconds\":"
        )),
        "{json}"
    );
    let csv = stdout(&["classes", "5", "--format", "csv"], "");
    assert!(
        csv.lines()
            .nth(1)
            .is_some_and(|line| line.starts_with("5,10,2,2,2,1,0,1,0,")),
        "{csv}"
    );
}

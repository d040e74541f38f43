//! The promise: a bench measures what it says, in the time that it is given, and calls nothing
//! counted that was not.

use serde_json::Value;

use crate::program::{run, stdout, text};

/// The lines of an output in JSON.
fn lines(output: &str) -> Vec<Value> {
    output
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

#[test]
fn small_boards_are_counted() {
    let rows = lines(&stdout(
        &[
            "bench",
            "11",
            "--seconds",
            "60",
            "--format",
            "json",
            "-t",
            "2",
        ],
        "",
    ));
    let totals = [92.0, 352.0, 724.0, 2680.0];
    assert_eq!(rows.len(), totals.len());
    for ((n, total), row) in (8..).zip(totals).zip(&rows) {
        assert_eq!(
            (&row["n"], &row["how"], &row["threads"]),
            (&n.into(), &"counted".into(), &2.into())
        );
        let counted =
            row["seconds"].as_f64().unwrap() * row["solutions_per_second"].as_f64().unwrap();
        assert!((counted / total - 1.0).abs() < 1e-9, "{row}");
        assert!(
            row["seconds_low"].is_null() && row["seconds_high"].is_null(),
            "{row}"
        );
    }
}

#[test]
fn large_boards_are_projected_in_time() {
    let arguments = [
        "bench",
        "21",
        "--seconds",
        "3",
        "--format",
        "json",
        "--engine",
        "backtrack",
    ];
    let rows = lines(&stdout(&arguments, ""));
    assert_eq!(rows.len(), 14);
    let how: Vec<&str> = rows
        .iter()
        .map(|row| row["how"].as_str().unwrap())
        .collect();
    assert_eq!(
        (how[0], how.contains(&"sampled")),
        ("counted", true),
        "{how:?}"
    );
    // Minutes of backtracking at the least.
    assert_ne!(how[13], "counted");
    assert!(rows[13]["seconds"].as_f64().unwrap() > 10.0, "{}", rows[13]);
    for row in rows.iter().filter(|row| row["how"] == "sampled") {
        let [low, mean, high] =
            ["seconds_low", "seconds", "seconds_high"].map(|name| row[name].as_f64().unwrap());
        assert!(low <= mean && mean <= high, "{row}");
    }
}

#[test]
fn two_ways_to_count_take_turns() {
    let pair = [
        "bench",
        "11",
        "--seconds",
        "60",
        "--kernel",
        "portable",
        "-t",
        "2",
        "--against-engine",
        "backtrack",
    ];
    let line = &lines(&stdout(&[&pair[..], &["--format", "json"]].concat(), ""))[0];
    assert_eq!(
        (&line["n"], &line["first"], &line["second"]),
        (
            &11.into(),
            &"rows, portable, threads 2".into(),
            &"backtrack, threads 2".into()
        )
    );
    let number = |name: &str| line[name].as_f64().unwrap();
    assert!(
        (number("second_seconds") / number("first_seconds") / number("ratio") - 1.0).abs() < 1e-9,
        "{line}"
    );
    assert!(
        number("ratio_low") <= number("ratio_high") && number("pairs") >= 1.0,
        "{line}"
    );
    let said = stdout(&pair, "");
    assert!(
        said.starts_with("N = 11, ") && said.contains("times as long as the first"),
        "{said}"
    );
}

#[test]
fn what_does_not_fit_the_time_is_refused() {
    let output = run(
        &["bench", "30", "--seconds", "1", "--against-threads", "1"],
        "",
    );
    assert_eq!(
        (output.status.code(), text(&output.stdout)),
        (Some(2), String::new())
    );
    let error = text(&output.stderr);
    assert!(
        error.starts_with("queencount: expected a count that ends within the given time, found"),
        "{error}"
    );
}

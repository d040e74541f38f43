//! An estimate reports which values were sampled or counted, and the coverage of its intervals.

use std::io::BufRead;

use nix::sys::signal::Signal;

use crate::program::{Running, queencount, signal, stdout, text};

fn fields(arguments: &[&str]) -> serde_json::Value {
    serde_json::from_str(&stdout(
        &[arguments, &["--format", "json", "-t", "2"]].concat(),
        "",
    ))
    .unwrap()
}

#[test]
fn small_board_is_counted_in_full() {
    for engine in ["rows", "backtrack"] {
        let estimate = fields(&["estimate", "10", "--time", "60", "--engine", engine]);
        for total in ["total", "total_low", "total_high"] {
            assert_eq!(estimate[total], "724", "{estimate}");
        }
        for hours in ["thread_seconds_low", "thread_seconds_high"] {
            assert_eq!(estimate[hours], estimate["thread_seconds"], "{estimate}");
        }
        let text = stdout(&["estimate", "10", "--time", "60", "--engine", engine], "");
        assert!(
            text.starts_with("N = 10, counted in full instead of sampled, in "),
            "{text}"
        );
        assert!(
            text.contains("\nsolutions       724 (exact)\n") && !text.contains("±"),
            "{text}"
        );
        assert!(text.contains("\nthread-seconds  "), "{text}");
        assert!(text.contains(&format!(" units of {engine}\n")), "{text}");
    }
}

#[test]
fn requested_sample_replaces_full_count() {
    let estimate = fields(&["estimate", "10", "--sample", "20"]);
    // CSV output also has all digits of the number.
    let numbers = ["total_low", "total", "total_high"]
        .map(|name| estimate[name].as_str().expect("digits").to_owned());
    assert!(
        numbers
            .iter()
            .all(|number| number.bytes().all(|byte| byte.is_ascii_digit())),
        "{estimate}"
    );
    assert!(
        numbers
            .map(|number| number.parse::<u128>().unwrap())
            .is_sorted(),
        "{estimate}"
    );
    let csv = stdout(
        &[
            "estimate", "10", "--sample", "20", "--format", "csv", "-t", "2",
        ],
        "",
    );
    let total = estimate["total"].as_str().unwrap();
    assert!(
        csv.starts_with("n,total,total_low,total_high,thread_seconds,"),
        "{csv}"
    );
    assert!(
        csv.lines()
            .nth(1)
            .unwrap()
            .starts_with(&format!("10,{total},")),
        "{csv}"
    );
    let text = stdout(&["estimate", "10", "--sample", "20"], "");
    assert!(
        text.starts_with("N = 10, sampled for ")
            && text.contains("±")
            && text.matches(", from 20 samples ").count() == 2,
        "{text}"
    );
    assert!(
        text.ends_with("for this machine at its current load.\n"),
        "{text}"
    );
    // A board without solutions has no relative error.
    let none = stdout(&["estimate", "3", "--sample", "20"], "");
    assert!(none.contains(" 0.000 ± 0.00% (0.000 to 0.000)"), "{none}");
}

#[test]
fn same_seed_gives_same_estimate_near_true_total() {
    let sample = ["estimate", "12", "--engine", "backtrack", "--sample", "500"];
    let [first, again, other] = ["1", "1", "2"].map(|seed| {
        let estimate = fields(&[&sample[..], &["--seed", seed]].concat());
        estimate["total"].as_str().unwrap().parse::<f64>().unwrap()
    });
    // The last digits of the sum depend on the order of the draws.
    assert!((first - again).abs() <= 1.0 && (first - other).abs() > 1.0);
    assert!((first / 14_200.0 - 1.0).abs() < 0.1, "{first}");
    let text = stdout(
        &["estimate", "32", "--sample", "8", "--engine", "backtrack"],
        "",
    );
    let lines: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    let names = [0, 1, 2, 4].map(|line| lines[line][0]);
    assert_eq!(
        (lines.len(), names),
        (5, ["N", "solutions", "thread-hours", "memory"]),
        "{text}"
    );
    assert_eq!(lines[1][1], "roughly", "{text}");
    let text = stdout(&sample, "");
    for line in text.lines().skip(1).take(2) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [mean, low, high] = [1, 4, 6].map(|word| {
            words[word]
                .trim_matches(['(', ')'])
                .trim_end_matches("),")
                .replace(',', "")
                .parse::<f64>()
                .expect("a number")
        });
        assert!(low <= mean && mean <= high && mean > 0.0, "{text}");
    }
}

fn start_estimate(arguments: [&str; 3]) -> Running {
    let options = ["estimate", "--progress", "always", "-t", "1"];
    Running::piped(&mut queencount(&[&options, &arguments[..]].concat()))
}

/// Tests a complete count, a sample, and a board whose parts take seconds.
#[test]
fn signal_ends_estimate_and_reports_progress() {
    let commands = [
        ["20", "--time", "600"],
        ["27", "--time", "600"],
        ["32", "--sample", "100000"],
    ];
    // Start all programs first, because the test waits for each of them.
    let ended = [
        (Signal::SIGINT, 130, "interrupted"),
        (Signal::SIGTERM, 143, "terminated"),
    ]
    .map(|signal| (signal, commands.map(start_estimate)));
    for ((which, code, how), children) in ended {
        for (arguments, mut child) in commands.into_iter().zip(children) {
            let (progress, mut stderr) = child.first_line();
            assert!(
                progress.starts_with(&format!("queencount: N = {}: ", arguments[0])),
                "{progress}"
            );
            assert!(
                progress.contains("% of the work, ") && !progress.contains("found"),
                "{progress}"
            );
            signal(&child, which);
            let output = child.finish();
            assert_eq!(
                (output.status.code(), text(&output.stdout)),
                (Some(code), String::new()),
                "{arguments:?}"
            );
            let mut last = String::new();
            stderr.read_line(&mut last).unwrap();
            let n = arguments[0];
            assert!(
                last.starts_with(&format!("queencount: {how} after ")),
                "{last}"
            );
            assert!(last.ends_with(&format!("% done (N = {n})\n")), "{last}");
        }
    }
}

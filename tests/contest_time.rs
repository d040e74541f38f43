//! The promise: the contest's eight inputs, each with its file, in one CPU second together.
//!
//! This file has one test, so that the time of the process's children is the time of these eight runs.

#[allow(dead_code, reason = "this test needs a part of it")]
#[path = "cli/program.rs"]
mod program;

use std::fs;

use program::queencount;

#[test]
fn the_eight_contest_inputs_are_right_and_take_a_second_of_cpu_together() {
    let totals = [(6, 4), (7, 40), (8, 92), (9, 352), (10, 724), (11, 2680), (12, 14_200), (13, 73_712)];
    let folder = tempfile::tempdir().unwrap();
    for (n, total) in totals {
        fs::write(folder.path().join("checker.in"), format!("{n}\n")).unwrap();
        let output = queencount(&["checker"]).current_dir(&folder).output().unwrap();
        assert!(output.status.success() && output.stdout.is_empty() && output.stderr.is_empty(), "{output:?}");
        let written = fs::read_to_string(folder.path().join("checker.out")).unwrap();
        let lines: Vec<&str> = written.lines().collect();
        assert_eq!((lines.len(), lines[3]), (4, total.to_string().as_str()), "N = {n}");
        assert!(lines[..3].iter().all(|line| line.split(' ').count() == n) && written.ends_with('\n'), "{written}");
        assert!(lines[..3].is_sorted_by_key(|line| columns(line)), "{written}");
    }
    #[cfg(all(unix, not(debug_assertions)))]
    {
        use nix::sys::resource::{UsageWho, getrusage};
        let usage = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap();
        let seconds = [usage.user_time(), usage.system_time()].map(|t| t.tv_sec() as f64 + t.tv_usec() as f64 / 1e6);
        assert!(seconds.iter().sum::<f64>() < 1.0, "{seconds:?} s of user and system time");
    }
}

fn columns(line: &str) -> Vec<u32> {
    line.split(' ').map(|column| column.parse().expect("a column")).collect()
}

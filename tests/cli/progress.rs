//! Progress appears on stderr, fits the terminal, never interferes with results, and disappears at
//! the end.
//!
//! The program runs in a pseudo-terminal whose screen is emulated in memory.

use std::io::{BufRead, Read};

use nix::sys::signal::Signal;

use crate::program::{Running, arguments, queencount, signal, wait_until};
use crate::terminal::Terminal;

/// Returns whether a line is a progress bar, with a percentage and the time left.
fn is_bar(line: &str) -> bool {
    line.contains("%") && line.contains(" left")
}

fn wait_for_bar(terminal: &mut Terminal) {
    wait_until("bar", || terminal.lines().iter().any(|line| is_bar(line)));
}

/// Returns the number before the first percent sign, or 0 if there is none.
fn percent(text: &str) -> f64 {
    text.split_once('%')
        .and_then(|(before, _)| before.rsplit(' ').next())
        .and_then(|number| number.parse().ok())
        .unwrap_or(0.0)
}

#[test]
fn bar_fits_terminal_and_vanishes_on_signal() {
    let terminals = [30, 80].map(|columns| {
        let terminal = Terminal::start(&mut queencount(&["-t", "1", "22"]), columns);
        (columns, terminal)
    });
    for (columns, mut terminal) in terminals {
        wait_for_bar(&mut terminal);
        // The solutions of 22 queens are wider than 30 columns, but the bar is not.
        let solutions = if columns == 30 { 6 } else { 3 };
        let first = terminal.lines();
        wait_until("other bar", || {
            terminal
                .lines()
                .get(solutions)
                .is_some_and(|bar| Some(bar) != first.get(solutions))
        });
        let lines = terminal.lines();
        assert_eq!(
            lines.len(),
            solutions + 1,
            "the solutions, and the bar in one line: {lines:?}"
        );
        assert!(is_bar(&lines[solutions]), "{lines:?}");
        assert!(
            columns < 80 || lines[solutions].contains(" found"),
            "{lines:?}"
        );
        signal(&terminal.child, Signal::SIGINT);
        let (code, lines) = terminal.end();
        assert_eq!(code, Some(130));
        assert!(!lines.iter().any(|line| is_bar(line)), "{lines:?}");
        assert!(
            lines[solutions].starts_with("queencount: interrupted after"),
            "{lines:?}"
        );
    }
}

#[test]
fn solutions_are_printed_above_bar() {
    // Finding the first solutions takes longer than the delay of the bar.
    let mut terminal = Terminal::start(&mut queencount(&["-t", "1", "32"]), 120);
    wait_for_bar(&mut terminal);
    wait_until("solutions", || {
        terminal
            .lines()
            .iter()
            .any(|line| line.starts_with("1 3 5 2 4 "))
    });
    wait_until("bar below them", || {
        terminal.lines().last().is_some_and(|line| is_bar(line))
    });
    let lines = terminal.lines();
    assert_eq!(lines.len(), 4, "{lines:?}");
    assert!(
        lines[..3]
            .iter()
            .all(|line| line.split(' ').all(|column| column.parse::<u8>().is_ok())),
        "{lines:?}"
    );
    signal(&terminal.child, Signal::SIGINT);
    let (code, lines) = terminal.end();
    assert_eq!((code, lines.len()), (Some(130), 4), "{lines:?}");
    assert!(
        lines[3].starts_with("queencount: interrupted after"),
        "{lines:?}"
    );
}

#[test]
fn wrapped_bar_is_erased_by_next_one() {
    let mut terminal = Terminal::start(&mut queencount(&["count", "20", "-t", "1"]), 80);
    wait_for_bar(&mut terminal);
    terminal.wrap("7 found, 1.22 G/s");
    wait_until(
        "bar alone",
        || matches!(&terminal.lines()[..], [line] if is_bar(line)),
    );
    signal(&terminal.child, Signal::SIGINT);
    let (_, lines) = terminal.end();
    assert!(
        lines.len() == 1 && lines[0].starts_with("queencount: interrupted"),
        "{lines:?}"
    );
}

/// A command that takes a second on any machine.
const ONE_SECOND: [&str; 6] = ["estimate", "32", "--time", "1", "-t", "1"];

#[test]
fn bar_is_hidden_when_not_requested() {
    let terminals = [&["-q"][..], &["--progress", "never"]].map(|arguments| {
        let mut command = queencount(&[&ONE_SECOND, arguments].concat());
        (arguments, Terminal::start(&mut command, 120))
    });
    for (arguments, terminal) in terminals {
        let (code, written) = terminal.output();
        // The last line explains ranges, if there are any.
        let lines = 5 + usize::from(written.contains('±'));
        assert_eq!(
            (code, written.lines().count()),
            (Some(0), lines),
            "{arguments:?}: {written}"
        );
        assert!(!written.contains('\x1b'), "{arguments:?}: {written}");
    }
}

#[test]
fn bar_is_ascii_and_hidden_on_dumb_terminals() {
    // Start all programs first, because the test waits for each of them.
    let count = ["count", "20", "--progress", "always", "-t", "1"];
    let smart = ["C", "C.UTF-8"]
        .map(|locale| Terminal::start(queencount(&count).env("LC_ALL", locale), 80));
    let dumb = [Some("dumb"), Some(""), None].map(|name| {
        let mut command = queencount(&count);
        match name {
            Some(name) => command.env("TERM", name),
            None => command.env_remove("TERM"),
        };
        Terminal::start(&mut command, 200)
    });
    for mut terminal in smart {
        wait_for_bar(&mut terminal);
        signal(&terminal.child, Signal::SIGINT);
        let (code, written) = terminal.output();
        assert!(
            code == Some(130) && written.is_ascii() && !written.contains("\x1b[3"),
            "{written}"
        );
    }
    for mut terminal in dumb {
        wait_until("plain line", || !terminal.lines().is_empty());
        assert!(
            !terminal.raw.contains(&b'\x1b'),
            "{}",
            terminal.raw.escape_ascii()
        );
        signal(&terminal.child, Signal::SIGINT);
        terminal.end();
    }
}

#[test]
fn bars_of_longest_counts_show_years() {
    let folder = tempfile::tempdir().unwrap();
    let terminals = [
        "count 28 --engine backtrack",
        "run 32 --record r --units 500000000000-599999999999,900000000000-999999999999",
    ]
    .map(|line| {
        let arguments: Vec<&str> = line.split(' ').chain(["-t", "1"]).collect();
        Terminal::start(queencount(&arguments).current_dir(&folder), 100)
    });
    for mut terminal in terminals {
        wait_until("years", || {
            terminal
                .lines()
                .iter()
                .any(|line| is_bar(line) && line.contains(" years left"))
        });
        signal(&terminal.child, Signal::SIGINT);
        assert_eq!(terminal.end().0, Some(130));
    }
}

#[test]
fn resumed_run_shows_its_shard_and_recorded_work() {
    let folder = tempfile::tempdir().unwrap();
    let run = arguments("run 21 --record r --progress always -t 1 --shard");
    let mut part = queencount(&[&run[..], &["1/400"]].concat());
    assert!(part.current_dir(&folder).output().unwrap().status.success());
    let mut half = queencount(&[&run[..], &["1/2"]].concat());
    let mut child = Running::piped(half.current_dir(&folder));
    let (mut error, mut stderr) = child.first_line();
    while !error.contains("% of the work, ") {
        assert!(stderr.read_line(&mut error).unwrap() > 0, "{error}");
    }
    signal(&child, Signal::SIGINT);
    stderr.read_to_string(&mut error).unwrap();
    child.finish();
    let lines: Vec<&str> = error.lines().collect();
    let title = "shard 1/2 of N = 21";
    assert!(lines[1].starts_with(&format!("queencount: {title}: ")));
    let [first, last] = [lines[1], lines[lines.len() - 1]].map(percent);
    assert!(error.ends_with(&format!("% done ({title})\n")));
    // One of the 200 parts of the shard was already saved.
    assert!((0.4..50.0).contains(&first) && first <= last, "{error}");
}

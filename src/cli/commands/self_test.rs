//! `queencount self-test`: what a machine can get wrong, checked on the machine that is to count:
//! kernels, counts, units, symmetry and devices. What is the same code everywhere, such as reading
//! records, has tests instead.
//!
//! Each check is a line: what it has shown, or what is wrong. A check that fails does not keep the
//! others from being made, and in the end the exit code is 3. A kernel that this processor cannot
//! run is skipped, and its line says so. Each device that `--device` names has a check.

mod checks;

use std::time::{Duration, Instant};

use queencount::{Device, EngineChoice, Kernel};

use crate::cli::counting::Counting;
use crate::cli::exit::{Exit, OrExit};
use crate::cli::output::{Form, Output, Value};
use crate::cli::progress::Gauge;
use crate::cli::signals;

use checks::{Means, Shown, plan, pool};

type Make = Box<dyn Fn(&Means) -> Shown>;

struct Check {
    name: String,
    /// About how long it takes, in tenths of a second on two CPUs, for the progress.
    time: u64,
    /// How it is made; `None` if this processor cannot.
    make: Option<Make>,
}

/// The checks, of these devices, too.
fn checks(devices: Vec<&'static Device>) -> Vec<Check> {
    let check = |name: &str, time, make: fn(&Means) -> Shown| Check {
        name: name.to_owned(),
        time,
        make: Some(Box::new(make)),
    };
    let mut checks = vec![check("backtrack", 2, |means| {
        checks::totals(
            1..=15,
            |n| plan(EngineChoice::Backtrack, n, Kernel::default()),
            means,
        )
    })];
    checks.extend(Kernel::names().map(|kernel| {
        let make = |kernel: Kernel| -> Make {
            Box::new(move |means| {
                checks::totals(4..=16, |n| plan(EngineChoice::Rows, n, kernel), means)
            })
        };
        Check {
            name: format!("rows, {kernel}"),
            time: 1,
            make: kernel.parse().ok().map(make),
        }
    }));
    checks.extend(devices.into_iter().map(|device| {
        let make: Make = Box::new(move |means| checks::device(device, means));
        Check {
            name: device.to_string(),
            time: 50,
            make: Some(make),
        }
    }));
    checks.extend([
        check("units", 6, checks::units),
        check("parts", 25, checks::parts),
        check("symmetry", 1, |means| {
            checks::symmetry(
                1..=13,
                |n| plan(EngineChoice::Auto, n, Kernel::default()),
                means,
            )
        }),
        check("fingerprint", 1, checks::fingerprint),
    ]);
    checks
}

pub fn run(seed: u64, counting: &Counting, output: &mut Output) -> OrExit<()> {
    make(
        &checks(counting.devices.devices().collect()),
        seed,
        counting,
        output,
    )
}

/// Makes the checks one by one, and writes what has become of each.
fn make(checks: &[Check], seed: u64, counting: &Counting, output: &mut Output) -> OrExit<()> {
    let (start, pool) = (Instant::now(), &pool(counting.threads)?);
    // Between two checks, too, a signal is told how far they came.
    let _signals = signals::Deferred::new();
    let steps = &Gauge::of_steps(
        "the self-test".to_owned(),
        checks.iter().map(|check| check.time).sum(),
    );
    let (mut before, mut skipped, mut wrong) = (0, 0, Vec::new());
    for check in checks {
        let since = Instant::now();
        let made = check.make.as_ref().map(|make| {
            counting.watched(Some(steps), start, |counter, stop| {
                let time = check.time as f64;
                let reached = |share: f64| steps.reach(before + (share * time) as u64);
                make(&Means {
                    counter,
                    pool,
                    stop,
                    seed,
                    reached: &reached,
                })
            })
        });
        let (word, detail) = match made {
            Some(Ok(shown)) => ("ok", shown),
            Some(Err(Exit::Wrong(line))) => {
                wrong.push(check.name.as_str());
                ("wrong", line)
            }
            Some(Err(failure)) => return Err(failure),
            None => {
                skipped += 1;
                ("skipped", "this processor cannot run it".to_owned())
            }
        };
        before += check.time;
        steps.reach(before);
        tell(&check.name, word, detail, since.elapsed(), seed, output)?;
    }
    if output.form() == Form::Text {
        let (held, wrong) = (checks.len() - skipped - wrong.len(), wrong.len());
        output.text(format_args!(
            "{held} checks hold, {skipped} skipped, {wrong} wrong (seed {seed})\n"
        ))?;
    }
    if wrong.is_empty() {
        return Ok(());
    }
    Err(Exit::Wrong(format!(
        "the self-test found something wrong: {}",
        wrong.join("; ")
    )))
}

fn tell(
    name: &str,
    word: &'static str,
    detail: String,
    time: Duration,
    seed: u64,
    output: &mut Output,
) -> OrExit<()> {
    if output.form() == Form::Text {
        let seconds = time.as_secs_f64();
        return output.text(format_args!(
            "{word:<7}  {name:<14}  {seconds:>5.2} s  {detail}\n"
        ));
    }
    output.fields(&[
        ("check", Value::Text(name.to_owned())),
        ("verdict", word.into()),
        ("detail", Value::Text(detail)),
        ("seconds", Value::Seconds(time)),
        ("seed", Value::Number(seed)),
        ("version", env!("CARGO_PKG_VERSION").into()),
    ])
}

#[cfg(test)]
mod tests {
    use crate::cli::arguments::options::{MachineOptions, SayOptions};

    use super::*;

    #[test]
    fn a_check_that_fails_is_named_and_does_not_keep_the_others_from_being_made() {
        let check = |name: &str, make: Option<fn(&Means) -> Shown>| Check {
            name: name.to_owned(),
            time: 1,
            make: make.map(|make| -> Make { Box::new(make) }),
        };
        let (fine, fails) = (
            |_: &Means| Ok("fine".to_owned()),
            |_: &Means| Err(Exit::Wrong("not so".to_owned())),
        );
        let checks = [
            check("a", Some(fails)),
            check("b", None),
            check("c", Some(fine)),
            check("d", Some(fails)),
        ];
        let counting = Counting::by_engine(
            EngineChoice::Auto,
            &MachineOptions::default(),
            SayOptions::default(),
        )
        .unwrap();
        let (table, written) = std::io::pipe().unwrap();
        match make(&checks, 1, &counting, &mut Output::new(written, Form::Text)) {
            Err(Exit::Wrong(line)) => assert!(line.ends_with(": a; d"), "{line}"),
            other => panic!("{other:?}"),
        }
        let table = std::io::read_to_string(table).unwrap();
        let begins: Vec<String> = table
            .lines()
            .map(|line| {
                line.split_whitespace()
                    .take(2)
                    .collect::<Vec<&str>>()
                    .join(" ")
            })
            .collect();
        assert_eq!(
            begins[..4],
            ["wrong a", "skipped b", "ok c", "wrong d"],
            "{table}"
        );
        assert!(
            table.ends_with("\n1 checks hold, 1 skipped, 2 wrong (seed 1)\n"),
            "{table}"
        );
    }
}

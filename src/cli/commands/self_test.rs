//! `queencount self-test`: what a machine can get wrong, checked on the machine that is to count: kernels, counts, units,
//! symmetry and devices. What is the same code everywhere, such as reading records, has tests instead.
//!
//! Each check is a line: what it has shown, or what is wrong. A check that fails does not keep the others from
//! being made, and in the end the exit code is 3. A kernel that this processor cannot run is skipped, and its line says
//! so. Each device that `--device` names has a check.

pub mod check;
mod counts;
mod fingerprint;
mod gpu;
#[cfg(test)]
pub mod tests;

use std::time::Instant;

use queencount::{Device, EngineChoice, Kernel};

use crate::cli::counting::Counting;
use crate::cli::exit::Exit;
use crate::cli::output::{Form, Output, Value};
use crate::cli::progress::Gauge;
use crate::cli::signals;

use check::{Flaw, Means, Shown, plan, pool};

/// How a check is made.
type Make = Box<dyn Fn(&Means) -> Shown>;

/// A check.
struct Check {
    name: String,
    /// About how long it takes, in tenths of a second on two CPUs, for the progress.
    time: u64,
    /// How it is made; `None` if this processor cannot.
    make: Option<Make>,
}

/// The checks, of these devices, too.
fn checks(devices: Vec<&'static Device>) -> Vec<Check> {
    let check =
        |name: &str, time, make: fn(&Means) -> Shown| Check { name: name.to_owned(), time, make: Some(Box::new(make)) };
    let mut checks = vec![check("backtrack", 2, |means| {
        counts::totals(1..=15, |n| plan(EngineChoice::Backtrack, n, Kernel::default()), means)
    })];
    checks.extend(Kernel::names().map(|kernel| {
        let make = |kernel: Kernel| -> Make {
            Box::new(move |means| counts::totals(4..=16, |n| plan(EngineChoice::Rows, n, kernel), means))
        };
        Check { name: format!("rows, {kernel}"), time: 1, make: kernel.parse().ok().map(make) }
    }));
    checks.extend(devices.into_iter().map(|device| {
        let make: Make = Box::new(move |means| gpu::check(device, means));
        Check { name: device.to_string(), time: 50, make: Some(make) }
    }));
    checks.extend([
        check("units", 6, counts::units),
        check("parts", 25, counts::parts),
        check("whole units", 33, counts::whole),
        check("symmetry", 1, |means| {
            counts::symmetry(1..=13, |n| plan(EngineChoice::Auto, n, Kernel::default()), means)
        }),
        check("fingerprint", 1, fingerprint::check),
    ]);
    checks
}

pub fn run(seed: u64, counting: &Counting, output: &mut Output) -> Result<(), Exit> {
    let (checks, start) = (checks(counting.devices().devices()), Instant::now());
    let pool = &pool(counting.threads)?;
    // Between two checks, too, a signal is told how far they came.
    let _signals = signals::Deferred::new();
    let steps = Gauge::of_steps("the self-test".to_owned(), checks.iter().map(|check| check.time).sum());
    let mut before = 0;
    let make = |check: &Check| {
        let Some(make) = &check.make else { return Ok(None) };
        let verdict = counting.watched(Some(&steps), start, |fan_out, stop| {
            let (steps, time) = (&steps, check.time);
            let reached = |share: f64| steps.reach(before + (share * time as f64) as u64);
            match make(&Means { fan_out, pool, stop, seed, reached: &reached }) {
                Ok(shown) => Ok(Some(Ok(shown))),
                Err(Flaw::Wrong(line)) => Ok(Some(Err(line))),
                Err(Flaw::Failed(error)) => Err(error.into()),
            }
        })?;
        before += check.time;
        steps.reach(before);
        Ok(verdict)
    };
    report(&checks, make, seed, output)
}

/// What a check has shown, or what is wrong; `None` if this processor cannot make it.
type CheckResult = Option<Result<String, String>>;

/// Makes the checks one by one, and tells what has become of each.
fn report(
    checks: &[Check],
    mut make: impl FnMut(&Check) -> Result<CheckResult, Exit>,
    seed: u64,
    output: &mut Output,
) -> Result<(), Exit> {
    let (mut held, mut skipped, mut wrong) = (Vec::new(), Vec::new(), Vec::new());
    for check in checks {
        let (start, name) = (Instant::now(), &check.name);
        let result = make(check)?;
        let (seconds, (word, detail, tally)) = (
            start.elapsed(),
            match &result {
                Some(Ok(shown)) => ("ok", shown.as_str(), &mut held),
                Some(Err(line)) => ("wrong", line.as_str(), &mut wrong),
                None => ("skipped", "this processor cannot run it", &mut skipped),
            },
        );
        tally.push(name.as_str());
        if output.form() == Form::Text {
            let seconds = seconds.as_secs_f64();
            output.text(format_args!("{word:<7}  {name:<14}  {seconds:>5.2} s  {detail}\n"))?;
        } else {
            output.fields(&[
                ("check", Value::Text(name.clone())),
                ("verdict", Value::Word(word)),
                ("detail", Value::Text(detail.to_owned())),
                ("seconds", Value::Seconds(seconds)),
                ("seed", Value::Number(seed)),
                ("version", Value::Word(env!("CARGO_PKG_VERSION"))),
            ])?;
        }
    }
    if output.form() == Form::Text {
        let [held, skipped, wrong] = [&held, &skipped, &wrong].map(Vec::len);
        output.text(format_args!("{held} checks hold, {skipped} skipped, {wrong} wrong (seed {seed})\n"))?;
    }
    if wrong.is_empty() {
        return Ok(());
    }
    Err(Exit::Wrong(format!("the self-test found something wrong: {}", wrong.join("; "))))
}

//! `queencount self-test`: checks the parts of the program that depend on the machine.
//!
//! If a check fails, the others still run.

#![allow(clippy::cast_precision_loss, reason = "a share of the time")]

mod checks;

use std::fmt;
use std::time::Instant;

use checks::{CheckContext, CheckResult, engine};
use serde::Serialize;

use crate::count::pool;
use crate::{Device, EngineChoice, Kernel};

use crate::cli::app::App;
use crate::cli::error::{Error, Result};
use crate::cli::flags::commands::SelfTestArguments;
use crate::cli::flags::options::{AllOptions, MachineOptions};
use crate::cli::output::{Format, Seconds};
use crate::cli::supervise::supervise;
use crate::cli::ui::progress::Progress;

type Run = Box<dyn Fn(&CheckContext) -> CheckResult + Sync>;

struct Check {
    name: String,
    /// The approximate time on two CPUs, in tenths of a second.
    time: u64,
    /// `None` if this CPU does not support the kernel.
    run: Option<Run>,
}

const OK: &str = "ok";
const WRONG: &str = "wrong";
const SKIPPED: &str = "skipped";

impl Check {
    /// Returns the verdict, and its details.
    fn judge(&self, context: &CheckContext) -> Result<(&'static str, String)> {
        match self.run.as_ref().map(|run| run(context)) {
            Some(Ok(detail)) => Ok((OK, detail)),
            Some(Err(Error::Wrong(detail))) => Ok((WRONG, detail)),
            Some(Err(error)) => Err(error),
            None => Ok((SKIPPED, "this CPU does not support it".to_owned())),
        }
    }
}

#[derive(Serialize)]
struct CheckReport<'a> {
    check: &'a str,
    verdict: &'static str,
    detail: String,
    seconds: Seconds,
    seed: u64,
    version: &'static str,
}

impl fmt::Display for CheckReport<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            formatter,
            "{:<7}  {:<14}  {:>5.2} s  {}",
            self.verdict,
            self.check,
            self.seconds.0.as_secs_f64(),
            self.detail
        )
    }
}

fn checks(devices: Vec<&'static Device>) -> Vec<Check> {
    let mut checks = vec![check("backtrack", 2, |context| {
        context.totals(1..=15, |n| {
            engine(EngineChoice::Backtrack, n, Kernel::default())
        })
    })];
    for kernel in Kernel::names() {
        let run = kernel.parse().ok().map(|kernel: Kernel| -> Run {
            Box::new(move |context| {
                context.totals(4..=16, |n| engine(EngineChoice::Rows, n, kernel))
            })
        });
        checks.push(Check {
            name: format!("rows, {kernel}"),
            time: 1,
            run,
        });
    }
    for device in devices {
        checks.push(check(&device.to_string(), 50, |context| {
            context.device(device)
        }));
    }
    checks.extend([
        check("units", 6, |context| context.units()),
        check("parts", 70, |context| context.parts()),
        check("sums", 70, |context| context.sums()),
        check("symmetry", 1, |context| {
            context.symmetry(1..=13, |n| engine(EngineChoice::Auto, n, Kernel::default()))
        }),
        check("fingerprint", 1, |context| context.fingerprint()),
    ]);
    checks
}

fn check(
    name: &str,
    time: u64,
    run: impl Fn(&CheckContext) -> CheckResult + Sync + 'static,
) -> Check {
    Check {
        name: name.to_owned(),
        time,
        run: Some(Box::new(run)),
    }
}

pub(crate) fn run(args: &SelfTestArguments) -> Result<()> {
    let machine = MachineOptions {
        threads: args.threads,
        device: args.device.clone(),
        ..MachineOptions::default()
    };
    let mut app = App::new(&AllOptions {
        format: args.format,
        counting: machine.into(),
        messages: args.messages,
    })?;
    let checks = checks(app.machine.options.devices.devices().collect());
    run_all(&mut app, &checks, args.seed)
}

fn run_all(app: &mut App, checks: &[Check], seed: u64) -> Result<()> {
    let verdicts = judge_all(app, checks, seed)?;
    let failed: Vec<&str> = checks
        .iter()
        .zip(&verdicts)
        .filter(|(_, verdict)| **verdict == WRONG)
        .map(|(check, _)| check.name.as_str())
        .collect();
    if app.output.format() == Format::Text {
        let number = |of| verdicts.iter().filter(|verdict| **verdict == of).count();
        app.output.text(format_args!(
            "{} passed, {} skipped, {} failed (seed {seed})\n",
            number(OK),
            number(SKIPPED),
            failed.len()
        ))?;
    }
    if failed.is_empty() {
        return Ok(());
    }
    Err(Error::Wrong(format!(
        "the self-test failed: {}",
        failed.join("; ")
    )))
}

/// Runs the checks, prints a report on each, and returns the verdicts.
fn judge_all(app: &mut App, checks: &[Check], seed: u64) -> Result<Vec<&'static str>> {
    let pool = &pool(app.machine.threads)?;
    let all: u64 = checks.iter().map(|check| check.time).sum();
    let progress = &Progress::new("the self-test");
    let App {
        ui,
        output,
        machine,
    } = app;
    // A signal that arrives between two checks should also end the program with a progress report.
    supervise(ui, machine, Some(progress), |counter, cancel| {
        let mut verdicts = Vec::new();
        let mut before = 0;
        for check in checks {
            let start = Instant::now();
            let reach = |share: f64| {
                progress.reach((before as f64 + check.time as f64 * share) / all as f64);
            };
            let (verdict, detail) = check.judge(&CheckContext {
                counter,
                pool,
                cancel,
                seed,
                on_progress: &reach,
            })?;
            reach(1.0);
            before += check.time;
            output.print(&CheckReport {
                check: &check.name,
                verdict,
                detail,
                seconds: Seconds(start.elapsed()),
                seed,
                version: crate::VERSION,
            })?;
            verdicts.push(verdict);
        }
        Ok(verdicts)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::app::tests::piped;

    #[test]
    fn failed_check_is_reported_and_others_still_run() {
        fn fails(_: &CheckContext) -> CheckResult {
            Err(Error::Wrong("not so".to_owned()))
        }
        let mut unsupported = check("b", 1, fails);
        unsupported.run = None;
        let checks = [
            check("a", 1, fails),
            unsupported,
            check("c", 1, |_| Ok("fine".to_owned())),
            check("d", 1, fails),
        ];
        let (mut app, results) = piped(Format::Text);
        match run_all(&mut app, &checks, 1) {
            Err(Error::Wrong(line)) => assert!(line.ends_with(": a; d"), "{line}"),
            other => panic!("{other:?}"),
        }
        drop(app);
        let table = std::io::read_to_string(results).unwrap();
        let starts = ["wrong    a", "skipped  b", "ok       c", "wrong    d"];
        for (line, start) in table.lines().zip(starts) {
            assert!(line.starts_with(start), "{table}");
        }
        assert!(
            table.ends_with("\n1 passed, 1 skipped, 2 failed (seed 1)\n"),
            "{table}"
        );
    }
}

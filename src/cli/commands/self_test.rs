//! `queencount self-test`: checks the parts of the program that depend on the machine.
//!
//! If a check fails, the others still run.

mod checks;

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
use crate::cli::ui::progress::Progress;

type Run = Box<dyn Fn(&CheckContext) -> CheckResult + Sync>;

struct Check {
    name: String,
    /// The approximate share of the time.
    time: u8,
    /// `None` if this CPU does not support the kernel.
    run: Option<Run>,
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
        checks.push(check(&device.to_string(), 20, |context| {
            context.device(device)
        }));
    }
    checks.extend([
        check("fingerprint", 1, |context| context.fingerprint()),
        check("parts", 40, |context| context.parts()),
        check("sums", 50, |context| context.sums()),
    ]);
    checks
}

fn check(
    name: &str,
    time: u8,
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
    let app = App {
        stop_when_unread: true,
        ..App::new(&AllOptions {
            counting: machine.into(),
            report: args.report,
        })?
    };
    let checks = checks(app.options.devices.devices().collect());
    run_all(&app, &checks, args.seed)
}

/// Runs the checks, and prints a report on each.
fn run_all(app: &App, checks: &[Check], seed: u64) -> Result<()> {
    let pool = &pool(app.threads)?;
    let progress = &Progress::new("the self-test");
    let mut passed = 0;
    let mut skipped = 0;
    let mut failed = Vec::new();
    // A signal that arrives between two checks should also end the program with a progress report.
    app.supervise(progress, |counter, cancel| {
        let all: f64 = checks.iter().map(|check| f64::from(check.time)).sum();
        let mut before = 0.0;
        for check in checks {
            let start = Instant::now();
            let time = f64::from(check.time);
            let context = CheckContext {
                counter,
                pool,
                cancel,
                seed,
                on_progress: &|share| progress.reach((before + time * share) / all),
            };
            let (verdict, detail) = match check.run.as_ref().map(|run| run(&context)) {
                Some(Ok(detail)) => {
                    passed += 1;
                    ("ok", detail)
                }
                Some(Err(Error::Wrong(detail))) => {
                    failed.push(check.name.as_str());
                    ("wrong", detail)
                }
                Some(Err(error)) => return Err(error),
                None => {
                    skipped += 1;
                    ("skipped", "this CPU does not support it".to_owned())
                }
            };
            let seconds = start.elapsed();
            let text = format!(
                "{verdict:<7}  {:<14}  {:>5.2} s  {detail}\n",
                check.name,
                seconds.as_secs_f64()
            );
            let report = CheckReport {
                check: &check.name,
                verdict,
                detail,
                seconds: Seconds(seconds),
                seed,
                version: crate::VERSION,
            };
            app.output.print(&report, text)?;
            before += time;
            progress.reach(before / all);
        }
        Ok(())
    })?;
    if app.output.format() == Format::Text {
        app.output.text(format_args!(
            "{passed} passed, {skipped} skipped, {} failed (seed {seed})\n",
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
        let (app, results) = piped(Format::Text);
        match run_all(&app, &checks, 1) {
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

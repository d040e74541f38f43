//! The commands, a file for each; but [`manual`] has three, and `count` has `classes`. Without a command the program keeps the form of the [`contest`], and so does
//! `checker`, which is there, too.

mod audit;
mod bench;
mod contest;
mod count;
mod devices;
mod draw;
mod estimate;
mod list;
mod manual;
mod merge;
mod plan;
mod publish;
mod run;
mod self_test;
mod status;
mod verify;

use std::io::stdout;

use queencount::EngineChoice;

use super::arguments::Arguments;
use super::arguments::commands::{Command, RecordArguments};
use super::arguments::options::{
    AllOptions, FormOption, MachineOptions, QuietOption, SayOptions, ThreadOption,
};
use super::counting::Counting;
use super::exit::OrExit;
use super::output::{Form, Output};

pub fn run(Arguments { command, contest }: Arguments) -> OrExit<()> {
    let Some(command) = command else {
        return counted(&contest.options, |counting, output| {
            contest::run(contest.board()?, &counting.while_read(), output)
        });
    };
    match command {
        Command::Count(a) => counted(&a.options, |counting, output| {
            count::run(&a, &counting.while_read(), output)
        }),
        Command::List(a) => list::run(&a, &searching(a.threads, a.say)?, &mut plain()),
        Command::Classes(a) => counted(&a.options, |counting, output| {
            count::classes(&a, &counting.while_read(), output)
        }),
        Command::Checker(a) => contest::checker(&a, &Counting::new(&a.how, a.say)?),
        Command::Verify { boards, options } => counted(&options, |counting, output| {
            verify::run(&boards, &counting, output)
        }),
        Command::Plan(a) => plan::run(
            &a,
            &Counting::new(&a.how, a.quiet.into())?,
            &mut output(a.form),
        ),
        Command::Run(a) => counted(&a.options, |counting, output| {
            run::run(&a, &counting, output)
        }),
        Command::Merge(a) => merge::run(&a, &reading(&a.records, a.quiet)?, &mut output(a.form)),
        Command::Status(a) => status::run(&a, &reading(&a.records, a.quiet)?, &mut output(a.form)),
        Command::Audit(a) => {
            let counting = Counting::by_engine(a.records.engine, &a.machine, a.say)?;
            audit::run(&a, &counting, &mut output(a.form))
        }
        Command::Publish(a) => publish::run(&a, &reading(&a.records, a.quiet)?, &mut plain()),
        Command::Estimate(a) => counted(&a.options, |counting, output| {
            estimate::run(&a, &counting, output)
        }),
        Command::Devices {
            measure,
            form,
            threads,
            memory,
            say,
        } => {
            let machine = MachineOptions {
                memory,
                ..threads.into()
            };
            devices::run(
                measure,
                &Counting::by_engine(EngineChoice::Rows, &machine, say)?,
                &mut output(form),
            )
        }
        Command::SelfTest {
            seed,
            form,
            threads,
            device,
            say,
        } => {
            let machine = MachineOptions {
                device,
                ..threads.into()
            };
            self_test::run(
                seed,
                &Counting::by_engine(EngineChoice::Auto, &machine, say)?,
                &mut output(form),
            )
        }
        Command::Draw(a) => draw::run(&a, &searching(a.threads, a.say)?, &mut plain()),
        Command::Bench(a) => counted(&a.options, |counting, output| {
            bench::run(&a, counting, output)
        }),
        Command::Completions { shell } => manual::completions(shell, &mut plain()),
        Command::Man { folder } => manual::man(folder, &mut plain()),
        Command::Help { topic } => manual::help(topic.as_deref().unwrap_or_default(), &mut plain()),
    }
}

fn counted(
    AllOptions { form, how, say }: &AllOptions,
    run: impl FnOnce(Counting, &mut Output) -> OrExit<()>,
) -> OrExit<()> {
    run(Counting::new(how, *say)?, &mut output(*form))
}

/// How solutions are searched for: on so many threads, as far as they are counted.
fn searching(threads: ThreadOption, say: SayOptions) -> OrExit<Counting> {
    Counting::by_engine(EngineChoice::Auto, &threads.into(), say)
}

/// What reads records, which name what they were counted by.
fn reading(records: &RecordArguments, quiet: QuietOption) -> OrExit<Counting> {
    Counting::by_engine(records.engine, &MachineOptions::default(), quiet.into())
}

fn output(form: FormOption) -> Output {
    Output::new(stdout(), form.format)
}

/// For what has one form only.
fn plain() -> Output {
    Output::new(stdout(), Form::Text)
}

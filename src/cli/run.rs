//! `queencount run N --record FILE`: counts what a record lacks, and keeps everything that is finished in it.
//!
//! The command is the same for the first time and for every time after an interruption, on one machine and, with a
//! shard, on many. What it prints is for people; the record is the result.

use std::path::Path;
use std::time::Instant;

use queencount::record::{Journal, Plan, Record, Shard, UnitSet};
use queencount::{BoardSize, Engine, EngineChoice};

use super::arguments::Run;
use super::boards;
use super::counting::{Counted, Counting};
use super::exit::Failure;
use super::output::{Format, Output, Value, fields};
use super::progress::Tally;

/// Which of the units to count.
pub enum Part {
    /// All.
    All,
    /// One shard.
    Shard(Shard),
    /// These.
    Units(UnitSet),
}

/// What a run has brought about.
pub struct Ran {
    /// The count of the record, which is the total if nothing is missing.
    pub counted: Counted,
    /// The plan of the record.
    pub plan: Plan,
    /// The units that the record still lacks.
    pub missing: UnitSet,
}

/// Runs it.
pub fn run(arguments: &Run, counting: &Counting, output: &mut Output) -> Result<(), Failure> {
    let size = boards::one_argument(&arguments.n)?;
    let part = match (&arguments.shard, &arguments.units) {
        (Some(shard), _) => Part::Shard(*shard),
        (None, Some(units)) => Part::Units(units.clone()),
        (None, None) => Part::All,
    };
    let Ran { counted, plan, missing } = counting.run(size, &arguments.record, &part)?;
    if output.format() == Format::Text {
        if missing.is_empty() {
            return output.text(format_args!("{}\n", counted.total));
        }
        if !counting.quiet() {
            let (missing, units, record) = (missing.len(), plan.units, arguments.record.display());
            super::note(format_args!("done; {record} lacks {missing} of the {units} units of N = {size}"));
        }
        return Ok(());
    }
    let mut fields = fields(&counted);
    let (complete, hash) = (missing.is_empty(), plan.hash());
    fields[1] = ("total", if complete { Value::Count(counted.total) } else { Value::Nothing });
    fields.splice(
        2..2,
        [
            ("count", Value::Count(counted.total)),
            ("complete", Value::Truth(complete)),
            ("missing", Value::Text(missing.to_string())),
            ("plan", Value::Text(hash)),
        ],
    );
    output.fields(&fields)
}

impl Counting {
    /// Counts what a record lacks of some units.
    pub fn run(&self, size: BoardSize, record: &Path, part: &Part) -> Result<Ran, Failure> {
        let start = Instant::now();
        let engine = self.engine_of(size, record)?;
        let engine = engine.as_ref();
        let wanted = match part {
            Part::All => UnitSet::from(0..engine.units()),
            Part::Shard(shard) => UnitSet::from(shard.units(engine)),
            Part::Units(units) if units.end() <= engine.units() => units.clone(),
            Part::Units(units) => {
                let (last, count) = (units.end() - 1, engine.units());
                let line = format!("expected units below {count}, which is how many N = {size} has, found {last}");
                return Err(Failure::Usage(line));
            }
        };
        self.say(engine);
        let plan = Plan::new(engine);
        let journal = Journal::open(record, &plan)?;
        let left = wanted.without(journal.tally().done());
        if !self.quiet() {
            self.say_what_is_left(&journal, &left, record);
        }
        let tally = Tally::of(engine, left.ranges());
        let counted =
            self.watched(Some(&tally), start, |fan_out, _| journal.count(engine, &left, fan_out.observer(&tally)));
        if let (Err(Failure::Interrupted { .. }), false) = (&counted, self.quiet()) {
            super::note(format_args!("{} keeps what is finished; go on with: {}", record.display(), this_command()));
        }
        let total = journal.tally().total().checked_add(counted?).ok_or(queencount::CountError::Overflow)?;
        let missing = journal.tally().missing().without(&left);
        Ok(Ran { counted: self.counted(engine, total, start), plan, missing })
    }

    /// The engine of a count: where the fastest is wanted and the record has one already, that one.
    fn engine_of(&self, size: BoardSize, record: &Path) -> Result<Box<dyn Engine>, Failure> {
        if self.engine() == EngineChoice::Auto
            && record.is_file()
            && let Some(plan) = Record::read_plan(record)?
            && plan.n == size.get()
        {
            return plan
                .engine(self.resources())
                .map_err(|reason| Failure::Wrong(format!("{}: {reason}", record.display())));
        }
        Ok(self.plan(size))
    }

    fn say_what_is_left(&self, journal: &Journal, left: &UnitSet, record: &Path) {
        let (record, done, left) = (record.display(), journal.tally().done().len(), left.len());
        if done > 0 {
            super::note(format_args!("{record} holds {done} units already; {left} are left to count"));
        }
        if !journal.locked() {
            super::note(format_args!("{record} cannot be locked here; make sure that nobody else writes it"));
        }
    }
}

/// The arguments of this process in a form that a shell takes.
fn this_command() -> String {
    let quoted = |word: std::ffi::OsString| {
        let word = word.to_string_lossy().into_owned();
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+@%".contains(c);
        if !word.is_empty() && word.chars().all(plain) { word } else { format!("'{}'", word.replace('\'', r"'\''")) }
    };
    std::env::args_os().map(quoted).collect::<Vec<String>>().join(" ")
}

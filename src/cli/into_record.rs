//! A count whose finished units are kept in a record: nothing that is on record is counted again.

use std::path::Path;
use std::time::Instant;

use queencount::record::{Journal, Plan, Record, Shard, UnitSet};
use queencount::{BoardSize, Engine, EngineChoice};

use super::counting::Counting;
use super::exit::Exit;
use super::numbers::quantity;
use super::progress::Gauge;
use super::report::Report;

/// Which of the units to count.
pub enum Selection {
    /// All.
    All,
    /// One shard.
    Shard(Shard),
    /// These.
    Units(UnitSet),
}

/// What a count with a record has brought about.
pub struct Outcome {
    /// The count of the record, which is the total if nothing is missing.
    pub counted: Report,
    /// The plan of the record.
    pub plan: Plan,
    /// The units that the record still lacks.
    pub missing: UnitSet,
}

/// Counts the selected units that a record lacks.
pub fn count(
    counting: &Counting,
    size: BoardSize,
    record: &Path,
    selection: &Selection,
    site: Option<&str>,
) -> Result<Outcome, Exit> {
    let start = Instant::now();
    let engine = engine(counting, size, record)?;
    let engine = engine.as_ref();
    let wanted = match selection {
        Selection::All => UnitSet::from(0..engine.units()),
        Selection::Shard(shard) => UnitSet::from(shard.units(engine)),
        Selection::Units(units) if units.end() <= engine.units() => units.clone(),
        Selection::Units(units) => {
            let (last, count) = (units.end() - 1, engine.units());
            let expected = format!("expected units below {count}, the number of units of N = {size}");
            return Err(Exit::Usage(format!("{expected}, found {last}")));
        }
    };
    counting.say(engine);
    let plan = Plan::new(engine);
    let mut journal = Journal::open(record, &plan)?;
    if let Some(site) = site {
        journal = journal.at_site(site);
    }
    let left = wanted.without(journal.done());
    if wanted.is_empty() && !matches!(selection, Selection::All) {
        counting.note(format_args!("no units are asked for: nothing to do"));
    }
    let name = record.display();
    let done = journal.done().len();
    if done > 0 {
        let (holds, left) = (quantity(done, "unit", "units"), left.len());
        let are = if left == 1 { "is" } else { "are" };
        counting.note(format_args!("{name} holds {holds} already; {left} {are} left to count"));
    }
    if !journal.locked() {
        counting.note(format_args!("{name} cannot be locked here; make sure that nobody else writes it"));
    }
    let title = match selection {
        Selection::All => format!("N = {size}"),
        Selection::Shard(shard) => format!("shard {shard} of N = {size}"),
        Selection::Units(units) => format!("{} of N = {size}", quantity(units.len(), "unit", "units")),
    };
    let gauge = Gauge::of_units(engine, wanted.ranges()).resumed(title, engine, wanted.without(&left).ranges());
    let counted =
        counting.watched(Some(&gauge), start, |fan_out, _| journal.count(engine, &left, fan_out.observer(&gauge)));
    if let Err(Exit::Interrupted { .. }) = &counted {
        counting.note(format_args!("{name} keeps what is finished; resume with: {}", this_command()));
    }
    counted?;
    let counted = Report { recorded: Some(done), ..counting.counted(engine, journal.total(), start) };
    Ok(Outcome { counted, plan, missing: journal.missing() })
}

/// The engine of the record, if there is a record and any engine will do; otherwise the one that is asked for.
fn engine(counting: &Counting, size: BoardSize, record: &Path) -> Result<Box<dyn Engine>, Exit> {
    if counting.engine() == EngineChoice::Auto
        && record.is_file()
        && let Some(plan) = Record::read_plan(record)?
        && plan.n == size.get()
    {
        return plan
            .engine(counting.resources())
            .map_err(|reason| Exit::Wrong(format!("{}: {reason}", record.display())));
    }
    Ok(counting.plan(size))
}

/// The arguments of this process in a form that a shell takes.
fn this_command() -> String {
    std::env::args_os().map(|word| quoted(&word.to_string_lossy())).collect::<Vec<String>>().join(" ")
}

/// A word in a form that a shell takes.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+@%".contains(c);
    let is_plain = !word.is_empty() && word.chars().all(plain);
    if is_plain { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

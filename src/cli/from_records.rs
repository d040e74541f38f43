//! Records as the commands read them that take several: all of one plan, and of the one that is expected. `-` is standard
//! input; it is kept, because a record is read twice: for its plan, and then line by line.

use std::fs;
use std::io::{BufRead, ErrorKind, Read, stdin};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use queencount::record::{Collection, Plan, Reader, RecordError, Tally, UnitSet};
use queencount::{Engine, EngineChoice};

use super::arguments::commands::RecordArguments;
use super::counting::Counting;
use super::exit::Exit;
use super::notes::note;
use super::numbers::quantity;

/// The engine of a plan that a record says, if it is the plan that is expected.
fn expected(
    plan: &Plan,
    path: &Path,
    arguments: &RecordArguments,
    counting: &Counting,
) -> Result<Box<dyn Engine>, Exit> {
    let wrong = |reason: String| Exit::Wrong(format!("{}: {reason}", path.display()));
    // A plan that names other units than its engine has would make a total of something else.
    let engine = plan.engine(counting.resources).map_err(|error| wrong(error.to_string()))?;
    // Asked for its name, because an engine may leave the smallest boards to another one.
    let asked = arguments.engine;
    let asked = (asked != EngineChoice::Auto).then(|| asked.plan(engine.size()).name().to_owned());
    for (what, expected, found) in [
        ("N =", arguments.n.map(|n| n.to_string()), plan.n.to_string()),
        ("engine", asked, plan.engine.clone()),
        ("plan", arguments.plan.clone(), plan.hash()),
    ] {
        if let Some(expected) = expected.filter(|expected| *expected != found) {
            return Err(wrong(format!("expected a record of {what} {expected}, found {found}")));
        }
    }
    Ok(engine)
}

/// Which flaws of records somebody puts up with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tolerated {
    /// None.
    Nothing,
    /// Entries that contradict each other.
    Disputes,
    /// These and damaged lines, a first one that says no plan included. They are named and left out.
    Damage,
}

/// What records of one plan sum to, where those who count are after a total, and the engine of the plan.
///
/// # Errors
/// When a record has a flaw that is not tolerated. Every flaw of every record is named.
pub fn tally(
    arguments: &RecordArguments,
    counting: &Counting,
    tolerated: Tolerated,
) -> Result<(Tally, Box<dyn Engine>), Exit> {
    let Reading { tally, engine, flaws, .. } = read(arguments, counting, tolerated)?;
    let is_tolerated = |flaw: &RecordError| match flaw {
        RecordError::Conflict(_) | RecordError::Refuted(_) => tolerated != Tolerated::Nothing,
        RecordError::Damaged { .. } => tolerated == Tolerated::Damage,
        _ => false,
    };
    let (left_out, flaws): (Vec<_>, Vec<_>) = flaws.into_iter().partition(is_tolerated);
    if tolerated == Tolerated::Damage {
        left_out.iter().for_each(|flaw| note(format_args!("left out: {flaw}")));
    }
    named(flaws)?;
    Ok((tally, engine))
}

/// What can be read of records.
pub struct Reading {
    /// The number of records.
    pub records: usize,
    /// The sum of what is good.
    pub tally: Tally,
    /// The engine of their plan.
    pub engine: Box<dyn Engine>,
    /// What is wrong with them: files that are not records of the plan, or cannot be read; damaged lines; contradictions.
    pub flaws: Vec<RecordError>,
}

/// Reads what can be read of records of the plan that is expected; where damage is tolerated, those without its line, too.
///
/// # Errors
/// When there are no records, or none of such a plan, or the sum passes 2^128.
pub fn read(arguments: &RecordArguments, counting: &Counting, tolerated: Tolerated) -> Result<Reading, Exit> {
    let records = records_of(&arguments.paths)?;
    let Some(engine) = engine(&records, arguments, counting, tolerated)? else {
        return Err(Exit::Incomplete("incomplete: the records are empty".to_owned()));
    };
    let (mut flaws, mut damage) = (Vec::new(), Vec::new());
    let mut collection = Collection::new(Plan::new(engine.as_ref()));
    for path in &records {
        let damaged = open(path).and_then(|mut reader| match tolerated {
            Tolerated::Damage => collection.salvage(&mut reader),
            _ => collection.read(&mut reader),
        });
        match damaged {
            Ok(damaged) => damage.extend(damaged),
            Err(error) => flaws.push(error),
        }
    }
    let tally = collection.tally()?;
    flaws.extend(damage.into_iter().chain(tally.disputes().map(RecordError::from)).chain(tally.refuted()));
    Ok(Reading { records: records.len(), tally, engine, flaws })
}

/// What errors call a record.
fn named_by(path: &Path) -> PathBuf {
    if path == Path::new("-") { "standard input".into() } else { path.to_owned() }
}

/// Opens a record. The one on standard input is kept, or why it could not be read.
fn open(path: &Path) -> Result<Reader<Box<dyn BufRead>>, RecordError> {
    static KEPT: OnceLock<Result<Vec<u8>, ErrorKind>> = OnceLock::new();
    if path != Path::new("-") {
        return Ok(Reader::open(path)?.boxed());
    }
    let kept = KEPT.get_or_init(|| {
        let mut text = Vec::new();
        stdin().lock().read_to_end(&mut text).map(|_| text).map_err(|error| error.kind())
    });
    let path = named_by(path);
    match kept {
        Ok(text) => Ok(Reader::new(&text[..], &path).boxed()),
        Err(kind) => Err(RecordError::Io { path, error: (*kind).into() }),
    }
}

/// The records that paths name: files as they are, and of a folder, with all folders in it, the files that end with
/// `.jsonl`, in the order of their names.
///
/// # Errors
/// When a folder cannot be read, or has no record.
fn records_of(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Exit> {
    let mut records = Vec::new();
    for path in paths {
        if path == Path::new("-") || !path.is_dir() {
            records.push(path.clone());
            continue;
        }
        let before = records.len();
        let mut folders = vec![path.clone()];
        while let Some(folder) = folders.pop() {
            let entries = fs::read_dir(&folder).and_then(|entries| entries.collect::<Result<Vec<_>, _>>());
            for entry in entries.map_err(|error| RecordError::Io { path: folder, error })? {
                let path = entry.path();
                // A link to a folder may lead back.
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "jsonl") {
                    records.push(path);
                }
            }
        }
        records[before..].sort();
        if records.len() == before {
            let found = "found no file in it whose name ends with .jsonl";
            return Err(Exit::System(format!("{}: expected records, {found}", path.display())));
        }
    }
    Ok(records)
}

/// The engine of the plan of the first record that says one; where damage is tolerated and none does, of the board. `None`
/// if all writers died before they had written it.
///
/// # Errors
/// When the plan is not the one that is expected, or no record says one, and one of them has a flaw.
fn engine(
    records: &[PathBuf],
    arguments: &RecordArguments,
    counting: &Counting,
    tolerated: Tolerated,
) -> Result<Option<Box<dyn Engine>>, Exit> {
    let mut flaws = Vec::new();
    for path in records {
        match open(path).and_then(Reader::plan) {
            Ok(Some(plan)) => return expected(&plan, &named_by(path), arguments, counting).map(Some),
            Ok(None) => {}
            Err(error) => flaws.push(error),
        }
    }
    match arguments.n {
        Some(n) if tolerated == Tolerated::Damage => Ok(Some(counting.plan(n))),
        _ => named(flaws).map(|()| None),
    }
}

/// Says what is missing, in a line that can be read.
pub fn incomplete(tally: &Tally) -> Exit {
    const SHOWN: usize = 10;
    let missing = tally.missing();
    let mut first = UnitSet::new();
    missing.ranges().take(SHOWN).for_each(|range| first.insert(range));
    let more = if first.len() < missing.len() { ",...; 'merge --missing' prints all" } else { "" };
    let (lacking, units) = (missing.len(), quantity(tally.plan().units, "unit", "units"));
    let are = if lacking == 1 { "is" } else { "are" };
    Exit::Incomplete(format!("incomplete: {lacking} of {units} {are} missing: {first}{more}"))
}

/// Names all flaws, if there are any: the only one is the failure itself, and so is one that another try may not have.
fn named(mut flaws: Vec<RecordError>) -> Result<(), Exit> {
    if let Some(place) = flaws.iter().position(RecordError::worth_retrying) {
        return Err(flaws.swap_remove(place).into());
    }
    match flaws.len() {
        0 => Ok(()),
        1 => Err(flaws.remove(0).into()),
        several => {
            for line in flaws.into_iter().filter_map(|flaw| Exit::from(flaw).line()) {
                note(format_args!("{line}"));
            }
            Err(Exit::Wrong(format!("there is no total: the records have {several} flaws, each named above")))
        }
    }
}

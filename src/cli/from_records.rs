//! Records as the commands read them that take several: all of one plan, and of the one that is
//! expected. `-` is standard input; it is kept, because a record is read twice: for its plan, and
//! then line by line.

#[cfg(unix)]
use std::fs::{self, File, Metadata};
use std::io::{ErrorKind, Read, stdin};
#[cfg(unix)]
use std::io::{stderr, stdout};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use queencount::record::{Collection, Files, Journal, Plan, Reader, RecordError, Tally, UnitSet};
use queencount::{Engine, EngineChoice};

use super::arguments::commands::RecordArguments;
use super::counting::Counting;
use super::exit::{Exit, OrExit};
use super::notes::note;
use super::numbers::quantity;

/// The engine of a plan that a record says, if it is the plan that is expected.
fn expected(
    plan: &Plan,
    path: &Path,
    arguments: &RecordArguments,
    counting: &Counting,
) -> OrExit<Box<dyn Engine>> {
    let wrong = |reason: String| Exit::Wrong(format!("{}: {reason}", path.display()));
    // A plan that names other units than its engine has would make a total of something else.
    let engine = plan
        .engine(counting.resources)
        .map_err(|error| wrong(error.to_string()))?;
    // Asked for its name, because an engine may leave the smallest boards to another one.
    let asked = arguments.engine;
    let asked =
        (asked != EngineChoice::Auto).then(|| asked.engine(engine.size()).name().to_owned());
    for (what, expected, found) in [
        (
            "N =",
            arguments.n.map(|n| n.to_string()),
            plan.n.to_string(),
        ),
        ("engine", asked, plan.engine.clone()),
        ("plan", arguments.plan.clone(), plan.hash()),
    ] {
        if let Some(expected) = expected.filter(|expected| *expected != found) {
            return Err(wrong(format!(
                "expected a record of {what} {expected}, found {found}"
            )));
        }
    }
    Ok(engine)
}

/// What records of one plan sum to, for those who are after a total, and the engine of the plan.
/// Whoever salvages leaves out what is damaged, disputed or refuted, and files that are no records.
///
/// # Errors
/// When a record has a flaw and nothing is salvaged, or one that nobody salvages. Flaws are named.
pub fn tally(
    arguments: &RecordArguments,
    counting: &Counting,
    salvage: bool,
) -> OrExit<(Tally, Box<dyn Engine>)> {
    let Reading {
        tally,
        engine,
        flaws,
        ..
    } = read(arguments, counting, salvage)?;
    let is_fatal = |flaw: &RecordError| {
        !salvage || flaw.worth_retrying() || matches!(flaw, RecordError::OtherPlan(..))
    };
    let (fatal, left_out): (Vec<_>, Vec<_>) = flaws.into_iter().partition(is_fatal);
    left_out
        .iter()
        .for_each(|flaw| note(format_args!("left out: {flaw}")));
    named(fatal)?;
    if let Some(copies) = tally.copies() {
        counting.watch.note(format_args!("{copies}"));
    }
    Ok((tally, engine))
}

pub struct Reading {
    pub records: usize,
    /// The sum of what is good.
    pub tally: Tally,
    pub engine: Box<dyn Engine>,
    /// What is wrong with them: files that are not records of the plan, or cannot be read; damaged
    /// lines; contradictions.
    pub flaws: Vec<RecordError>,
}

/// Reads what can be read of records of the plan that is expected; `salvage` also of those that
/// have lost its line.
pub fn read(arguments: &RecordArguments, counting: &Counting, salvage: bool) -> OrExit<Reading> {
    let records = records_of(&arguments.paths, counting)?;
    let Some(engine) = engine(&records, arguments, counting, salvage)? else {
        return Err(Exit::Incomplete(
            "incomplete: the records are empty".to_owned(),
        ));
    };
    let (mut flaws, mut damage) = (Vec::new(), Vec::new());
    let mut collection = Collection::new(Plan::new(engine.as_ref()));
    for path in &records {
        let damaged = open(path).and_then(|mut reader| match salvage {
            true => collection.salvage(&mut reader),
            false => collection.read(&mut reader),
        });
        match damaged {
            Ok(damaged) => damage.extend(damaged),
            Err(error) => flaws.push(error),
        }
    }
    let tally = collection.tally()?;
    flaws.extend(damage);
    flaws.extend(tally.contradictions());
    Ok(Reading {
        records: records.len(),
        tally,
        engine,
        flaws,
    })
}

fn named_by(path: &Path) -> PathBuf {
    if path == Path::new("-") {
        "standard input".into()
    } else {
        path.to_owned()
    }
}

/// Opens a record. The one on standard input is kept, or why it could not be read.
fn open(path: &Path) -> Result<Reader<'static>, RecordError> {
    static KEPT: OnceLock<Result<Vec<u8>, ErrorKind>> = OnceLock::new();
    if path != Path::new("-") {
        return Reader::open(path);
    }
    let kept = KEPT.get_or_init(|| {
        let mut text = Vec::new();
        stdin()
            .lock()
            .read_to_end(&mut text)
            .map(|_| text)
            .map_err(|error| error.kind())
    });
    let path = named_by(path);
    match kept {
        Ok(text) => Ok(Reader::new(&text[..], &path)),
        Err(kind) => Err(RecordError::Io(path, (*kind).into())),
    }
}

/// The records that paths name: files, and those in folders. What a folder has beside them is
/// named.
fn records_of(paths: &[PathBuf], counting: &Counting) -> OrExit<Vec<PathBuf>> {
    const NAMED: usize = 10;
    let mut records = Vec::new();
    for path in paths {
        if path == Path::new("-") {
            records.push(path.clone());
            continue;
        }
        let Files {
            records: found,
            others,
            ..
        } = Files::of(path)?;
        records.extend(found);
        if !others.is_empty() {
            let names: Vec<_> = others
                .iter()
                .take(NAMED)
                .map(|other| other.display().to_string())
                .collect();
            let more = if others.len() > NAMED {
                format!(", and {} more", others.len() - NAMED)
            } else {
                String::new()
            };
            let named = names.join(", ");
            counting.watch.note(format_args!(
                "not read: {named}{more}; records are files named .jsonl or .jsonl.gz"
            ));
        }
    }
    Ok(records)
}

/// The engine of the plan that is expected, as the first record says it that has it; of the board
/// where plans may be lost and no record has one. `None` if all writers died before they had
/// written it.
///
/// # Errors
/// When no record has such a plan, and one of them has another one or a flaw.
fn engine(
    records: &[PathBuf],
    arguments: &RecordArguments,
    counting: &Counting,
    salvage: bool,
) -> OrExit<Option<Box<dyn Engine>>> {
    let (mut flaws, mut unexpected) = (Vec::new(), None);
    for path in records {
        match open(path).and_then(Reader::plan) {
            Ok(Some(plan)) => match expected(&plan, &named_by(path), arguments, counting) {
                Ok(engine) => return Ok(Some(engine)),
                Err(exit) => _ = unexpected.get_or_insert(exit),
            },
            Ok(None) => {}
            Err(error) => flaws.push(error),
        }
    }
    match (unexpected, arguments.n) {
        (Some(exit), _) => Err(exit),
        (None, Some(n)) if salvage => Ok(Some(counting.engine_of(n))),
        (None, _) => named(flaws).map(|()| None),
    }
}

/// Opens the record that is written, which says this of where, if it is given.
pub fn journal(record: &Path, plan: &Plan, site: Option<&String>) -> OrExit<Journal> {
    #[cfg(unix)]
    writable(record)?;
    let journal = Journal::open(record, plan)?;
    Ok(match site {
        Some(site) => journal.at_site(site),
        None => journal,
    })
}

/// Refuses a record that is standard output or standard error: what is written there would spoil
/// it.
#[cfg(unix)]
fn writable(record: &Path) -> OrExit<()> {
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;
    let number = |file: Metadata| (file.dev(), file.ino());
    let Ok(record) = fs::metadata(record).map(number) else {
        return Ok(());
    };
    for (name, stream) in [("output", stdout().as_fd()), ("error", stderr().as_fd())] {
        let stream = stream
            .try_clone_to_owned()
            .and_then(|stream| File::from(stream).metadata())
            .map(number);
        if stream.is_ok_and(|stream| stream == record) {
            let found = format!("found the file that standard {name} goes to");
            return Err(Exit::Usage(format!(
                "expected a file that is for the record alone, {found}"
            )));
        }
    }
    Ok(())
}

/// Says what is missing, in a line that can be read.
pub fn incomplete(tally: &Tally) -> Exit {
    const SHOWN: usize = 10;
    let missing = tally.missing();
    let mut first = UnitSet::new();
    missing
        .ranges()
        .take(SHOWN)
        .for_each(|range| first.insert(range));
    let more = if first.len() < missing.len() {
        ",...; 'merge --missing' prints all"
    } else {
        ""
    };
    let (lacking, units) = (missing.len(), quantity(tally.plan().units, "unit", "units"));
    let are = if lacking == 1 { "is" } else { "are" };
    Exit::Incomplete(format!(
        "incomplete: {lacking} of {units} {are} missing: {first}{more}"
    ))
}

/// Fails by the flaw that another try may not have, if there is one.
pub fn lasting(flaws: &mut Vec<RecordError>) -> OrExit<()> {
    let passing = flaws.iter().position(RecordError::worth_retrying);
    passing.map_or(Ok(()), |place| Err(flaws.swap_remove(place).into()))
}

/// Names all flaws, if there are any: the only one is the failure itself.
fn named(mut flaws: Vec<RecordError>) -> OrExit<()> {
    lasting(&mut flaws)?;
    match flaws.len() {
        0 => Ok(()),
        1 => Err(flaws.remove(0).into()),
        _ => {
            let all: u64 = flaws.iter().map(RecordError::flaws).sum();
            for line in flaws.into_iter().filter_map(|flaw| Exit::from(flaw).line()) {
                note(format_args!("{line}"));
            }
            Err(Exit::Wrong(format!(
                "there is no total: the records have {all} flaws, named above"
            )))
        }
    }
}

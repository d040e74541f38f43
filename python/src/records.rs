//! `run`, `merge` and `audit`: counts that outlast their process, in records.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use queencount::record::{
    self, Audit, Collection, Extent, Files, Journal, Plan, PlanError, Reader, Shard, Tally, UnitSet,
};
use queencount::{BoardSize, CancelToken, Counter, DeviceSet, Engine, EngineChoice, EngineOptions};

use crate::progress::Progress;
use crate::watch::watch;
use crate::{arguments, errors, results};

/// Count what a record lacks, and keep everything that is finished in it.
///
/// A record is a file with a line for each finished task. Whatever ends the process, the same call
/// goes on where the record ends. On a cluster each machine counts a shard, in a record of its own,
/// and `merge` adds them up. The program `queencount` reads and writes the same records. One
/// process at a time writes a record.
///
/// Args:
///     n: The number of rows, 1 to 32.
///     record: The path of the record. It is begun where there is none.
///     shard: A pair (k, m): count part k of m parts of about equal work. k begins at 1.
///     units: Count these units: a range, or a collection of ranges and numbers, such as the `missing` of a `Tally`.
///     threads, engine, kernel, memory, device, stop: How to count, see `count`. The engine "auto" stands for that of
///         the record, where there is one.
///     site: Say in each line that it was counted at this site. None stands for the name of the machine, an empty name
///         for none.
///     progress: Called as by `count`, about the units that this call counts.
///
/// Returns:
///     A `Tally`: what the record sums to now. Its `total` is None while units are missing.
///
/// Raises:
///     ValueError: As `count`, or there is no such shard or unit, or both a shard and units are given.
///     OSError: The record cannot be read or written, or another process is writing it (BlockingIOError).
///     RecordError: The record is damaged or contradictory, is of another plan, or the file is not a record. It is left
///         as it is.
///     Stopped, RuntimeError, MemoryError: As `count`. The record keeps what is finished.
///
/// Examples:
///     >>> queencount.run(12, "12.jsonl", shard=(1, 2)).complete
///     False
///     >>> queencount.run(12, "12.jsonl").total
///     14200
#[pyfunction]
#[pyo3(signature = (n, record, *, shard = None, units = None, threads = 0, engine = "auto", kernel = "auto",
                    memory = None, device = "cpu", site = None, progress = None, stop = None))]
pub fn run<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = arguments::size)] n: BoardSize,
    record: PathBuf,
    #[pyo3(from_py_with = arguments::shard)] shard: Option<Shard>,
    #[pyo3(from_py_with = arguments::units)] units: Option<UnitSet>,
    #[pyo3(from_py_with = arguments::threads)] threads: usize,
    engine: &str,
    kernel: &str,
    #[pyo3(from_py_with = arguments::memory)] memory: Option<u64>,
    device: &str,
    site: Option<String>,
    progress: Option<Py<PyAny>>,
    stop: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (engine, resources) =
        arguments::engine(engine, kernel, memory, arguments::devices(device)?)?;
    let progress = Progress::new(progress);
    let tally = watch(py, &progress, stop, |stop| {
        let engine = engine_of(&record, n, engine, resources)?;
        let engine = engine.as_ref();
        let wanted = wanted(engine, shard, units)?;
        let plan = Plan::new(engine);
        let mut journal = Journal::open(&record, &plan).map_err(errors::of_record)?;
        if let Some(site) = &site {
            journal = journal.at_site(site);
        }
        let left = wanted.whole_tasks(engine).without(journal.done());
        let adder = progress.adder(engine, left.ranges());
        let counter = Counter::default()
            .threads(threads)
            .stop(stop)
            .on_task(&adder);
        journal
            .count(engine, &wanted, counter)
            .map_err(errors::of_record)?;
        drop(journal);
        record::merge(&plan, &[record]).map_err(errors::of_record)
    })?;
    results::tally(py, &tally)
}

/// Add up records of one plan, each unit once.
///
/// The records may come in any order, and a unit may be in several of them.
///
/// Args:
///     records: The paths of the records, or of folders with records.
///     n: The number of rows of the board whose records they have to be; None stands for any.
///
/// Returns:
///     A `Tally`: the total, or what is missing from it.
///
/// Raises:
///     ValueError: No record is given, or there is no such board.
///     OSError: A record cannot be read.
///     RecordError: A record is damaged, or of another board or plan; records contradict each other; a file is not a
///         record; or all records are empty.
///
/// Examples:
///     >>> for k in 1, 2, 3:
///     ...     tally = queencount.run(12, f"12-{k}.jsonl", shard=(k, 3))
///     >>> queencount.merge("12-1.jsonl", "12-2.jsonl").total is None
///     True
///     >>> queencount.merge("12-1.jsonl", "12-2.jsonl", "12-3.jsonl", n=12).total
///     14200
#[pyfunction]
#[pyo3(signature = (*records, n = None))]
pub fn merge<'py>(
    py: Python<'py>,
    records: &Bound<'py, PyTuple>,
    #[pyo3(from_py_with = arguments::any_size)] n: Option<BoardSize>,
) -> PyResult<Bound<'py, PyAny>> {
    let records = paths(records)?;
    let tally = watch(py, &Progress::new(None), None, |stop| {
        tally(&records, n, stop)
    })?;
    results::tally(py, &tally)
}

/// Count some entries of records again, drawn at random, by a method that shares no code with the
/// engine.
///
/// A wrong entry says that a machine has failed or a line has been forged. From N = 28 on an entry
/// may have several units, for which that method would take hours. There the engine counts the
/// entry again, and the method one of its units. A wrong part of it says that the engine is wrong.
///
/// Args:
///     records: The paths of the records, or of folders with records.
///     sample: How many entries to draw; None stands for all.
///     seed: The seed of the draws; None stands for a new one each time.
///     whole: Whether to count entries by that method as a whole, however long it takes.
///     threads, kernel, memory, stop: How to count, see `count`.
///     progress: Called as by `count`, about the entries that were drawn.
///
/// Returns:
///     An `Audit`: what is wrong, and what it proves that nothing is. It has to be looked at: nothing is raised because
///     an entry is wrong.
///
/// Raises:
///     ValueError: No record is given, there is no such kernel, or a number is out of its range.
///     OSError, RecordError: As `merge`, or the records have no entries.
///     Stopped, RuntimeError, MemoryError: As `count`.
///
/// Examples:
///     >>> tally = queencount.run(12, "12.jsonl")
///     >>> queencount.audit("12.jsonl").passed
///     True
#[pyfunction]
#[pyo3(signature = (*records, sample = 30, seed = None, whole = false, threads = 0, kernel = "auto", memory = None,
                    progress = None, stop = None))]
pub fn audit<'py>(
    py: Python<'py>,
    records: &Bound<'py, PyTuple>,
    #[pyo3(from_py_with = arguments::entries)] sample: Option<u64>,
    #[pyo3(from_py_with = arguments::any_seed)] seed: Option<u64>,
    whole: bool,
    #[pyo3(from_py_with = arguments::threads)] threads: usize,
    kernel: &str,
    #[pyo3(from_py_with = arguments::memory)] memory: Option<u64>,
    progress: Option<Py<PyAny>>,
    stop: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let records = paths(records)?;
    let seed = seed.unwrap_or_else(|| RandomState::new().hash_one(()) >> 32);
    let extent = if whole {
        Extent::Whole
    } else {
        Extent::Unit { seed }
    };
    let (_, resources) = arguments::engine("auto", kernel, memory, DeviceSet::default())?;
    let progress = Progress::new(progress);
    let (n, audit) = watch(py, &progress, stop, |stop| {
        let tally = tally(&records, None, stop)?;
        let engine = tally
            .plan()
            .engine(resources)
            .map_err(|error| of_plan(&records[0], &error))?;
        let all = tally.tasks() as usize;
        let sample = tally.sample(
            sample.map_or(all, |sample| usize::try_from(sample).unwrap_or(all)),
            seed,
        );
        if sample.is_empty() && !tally.missing().is_empty() {
            return Err(errors::wrong("the records have no entries", (None, None)));
        }
        let adder = progress.adder(
            engine.as_ref(),
            sample.iter().map(|(entry, _)| entry.units()),
        );
        let counter = Counter::default()
            .threads(threads)
            .stop(stop)
            .on_task(&adder);
        let audit = Audit::run(engine.as_ref(), &sample, extent, counter, &|_, _| {})
            .map_err(errors::of_record)?;
        Ok((tally.plan().n, audit))
    })?;
    results::audit(py, n, &audit, seed)
}

/// The engine of the record, if there is a record of this board and any engine will do; otherwise
/// the chosen one.
fn engine_of(
    record: &Path,
    n: BoardSize,
    choice: EngineChoice,
    resources: EngineOptions,
) -> PyResult<Box<dyn Engine>> {
    if choice == EngineChoice::Auto
        && record.is_file()
        && let Some(plan) = plan_of(record)?
        && plan.n == n.get()
    {
        return plan
            .engine(resources)
            .map_err(|error| of_plan(record, &error));
    }
    Ok(choice.build(n, resources))
}

/// The plan of a record; `None` when its writer died before it had written the plan.
fn plan_of(record: &Path) -> PyResult<Option<Plan>> {
    Reader::open(record)
        .and_then(Reader::plan)
        .map_err(errors::of_record)
}

/// The units that are asked for.
fn wanted(engine: &dyn Engine, shard: Option<Shard>, units: Option<UnitSet>) -> PyResult<UnitSet> {
    match (shard, units) {
        (None, None) => Ok(UnitSet::from(0..engine.units())),
        (Some(shard), None) => Ok(UnitSet::from(shard.units(engine))),
        (None, Some(units)) if units.end() <= engine.units() => Ok(units),
        (None, Some(units)) => {
            let (n, count, last) = (engine.size(), engine.units(), units.end() - 1);
            let error = format!(
                "expected units below {count}, the number of units of N = {n}, found {last}"
            );
            Err(PyValueError::new_err(error))
        }
        (Some(_), Some(_)) => Err(PyValueError::new_err(
            "expected a shard or units, found both",
        )),
    }
}

/// What records of one plan sum to, which has to be of the expected board.
fn tally(records: &[PathBuf], n: Option<BoardSize>, stop: &CancelToken) -> PyResult<Tally> {
    let mut collection: Option<Collection> = None;
    for path in records {
        stop.check()
            .map_err(|stopped| errors::of_count(stopped.into()))?;
        if collection.is_none() {
            // A record whose writer did not come as far as the plan has nothing to add.
            let Some(plan) = plan_of(path)? else { continue };
            if let Some(n) = n.filter(|n| n.get() != plan.n) {
                let error = format!(
                    "{}: expected a record of N = {n}, found one of N = {}",
                    path.display(),
                    plan.n
                );
                return Err(errors::wrong(&error, (Some(path), None)));
            }
            // A plan that names other units than its engine has would make a total of something
            // else.
            plan.engine(EngineOptions::default())
                .map_err(|error| of_plan(path, &error))?;
            collection = Some(Collection::new(plan));
        }
        let damaged = collection.as_mut().map_or(Ok(vec![]), |collection| {
            collection.read(&mut Reader::open(path)?)
        });
        damaged
            .and_then(|damaged| damaged.into_iter().next().map_or(Ok(()), Err))
            .map_err(errors::of_record)?;
    }
    let collection =
        collection.ok_or_else(|| errors::wrong("the records are empty", (None, None)))?;
    collection
        .tally()
        .and_then(Tally::agreed)
        .map_err(errors::of_record)
}

fn of_plan(path: &Path, error: &PlanError) -> PyErr {
    errors::wrong(&format!("{}: {error}", path.display()), (Some(path), None))
}

/// The paths of records, of which there has to be one: files, and those in folders whose names end
/// with `.jsonl` or `.jsonl.gz`.
fn paths(records: &Bound<'_, PyTuple>) -> PyResult<Vec<PathBuf>> {
    let paths: Vec<PathBuf> = records.extract()?;
    if paths.is_empty() {
        return Err(PyValueError::new_err("expected records, found none"));
    }
    let mut records = Vec::new();
    for path in paths {
        records.extend(Files::of(&path).map_err(errors::of_record)?.records);
    }
    Ok(records)
}

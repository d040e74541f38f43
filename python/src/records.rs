//! `run`, `merge` and `audit`: counts that are saved in records.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::path::PathBuf;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use queencount::record::{
    self, Audit, AuditDepth, Journal, Loaded, Loader, Plan, RecordError, Shard, SiteName, UnitSet,
    engine_for,
};
use queencount::{BoardSize, CancelToken, Counter, DeviceSet};

use crate::progress::Progress;
use crate::watch::watch;
use crate::{arguments, errors, results};

/// Count the units that are missing from a record, and save each finished task in it.
///
/// A record is a file with one line per finished task. If the process ends for any reason, the same
/// call resumes the count. On a cluster each machine counts a shard, in a separate record, and
/// `merge` adds them up. The `queencount` program reads and writes the same records. Only one
/// process at a time can write a record.
///
/// Args:
///     n: The number of rows, 1 to 32.
///     record: The path of the record, which is created if missing.
///     shard: A pair (k, m): count part k, from 1 to m, of m parts of about equal work.
///     units: Count these units: a range, or a collection of ranges and numbers, such as the
///         `missing` of a `Tally`.
///     threads, engine, kernel, memory, device, stop: See `count`. With the engine "auto", an
///         existing record determines the engine.
///     site: The name of the site to store in each line. The default is the host name; an empty
///         name stores none.
///     progress: Called as by `count`, for the units that this call counts.
///
/// Returns:
///     A `Tally`: the current sum of the record. Its `total` is None while units are missing.
///
/// Raises:
///     ValueError: As `count`; or the shard or a unit is out of range, both a shard and units are
///         given, or the site has more than 60 characters or a control character.
///     OSError: The record cannot be read or written, or another process is writing it
///         (BlockingIOError).
///     RecordError: The record is damaged or contradictory or has another plan, or the file is not
///         a record. It is unchanged.
///     Stopped, RuntimeError, MemoryError: As `count`. Finished tasks are saved in the record.
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
    let site: Option<SiteName> = site
        .map(|site| site.parse())
        .transpose()
        .map_err(|error: record::SiteNameError| PyValueError::new_err(error.to_string()))?;
    if shard.is_some() && units.is_some() {
        let error = "expected a shard or units, found both";
        return Err(PyValueError::new_err(error));
    }
    let tally = watch(py, &progress, stop, |stop| {
        let engine = engine_for(&record, n, engine, resources).map_err(errors::of_record)?;
        let engine = engine.as_ref();
        let wanted = match (shard, units) {
            (Some(shard), _) => UnitSet::from(shard.units(engine)),
            (None, Some(units)) => units,
            (None, None) => UnitSet::from(0..engine.units()),
        };
        wanted
            .check(engine)
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        let plan = Plan::new(engine);
        let mut journal = Journal::open(&record, &plan).map_err(errors::of_record)?;
        if let Some(site) = site {
            journal = journal.site(site);
        }
        let left = wanted.whole_tasks(engine).difference(journal.done());
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
///     records: The paths of the records, or of directories with records.
///     n: The number of rows that all records must have; None means any.
///
/// Returns:
///     A `Tally`: the total, or what is missing from it.
///
/// Raises:
///     ValueError: No record is given, or `n` is out of range.
///     OSError: A record cannot be read.
///     RecordError: A record is damaged or has another board or plan; records contradict each
///         other; a file is not a record; or all records are empty.
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
    let loaded = watch(py, &Progress::new(None), None, |stop| {
        load(&records, Loader::default().n(n), stop, true)
    })?;
    results::tally(py, &loaded.tally)
}

/// Recount a random sample of record entries with an independent method that shares no code with
/// the engine.
///
/// A wrong entry means that a machine failed or a line was forged. From N = 28 on an entry has
/// several units, which would take the independent method hours. For such an entry, the engine
/// recounts all units, and the independent method only one of them. A wrong part of that unit means
/// that the engine is wrong.
///
/// Args:
///     records: The paths of the records, or of directories with records.
///     sample: The number of entries to sample; None means all.
///     seed: The seed of the sample; None means a new one each time.
///     whole: Whether to recount whole entries independently, however long that takes.
///     threads, kernel, memory, stop: See `count`.
///     progress: Called as by `count`, for the sampled entries.
///
/// Returns:
///     An `Audit`: the wrong entries, and what their absence proves. Check it: wrong entries raise
///     no exception.
///
/// Raises:
///     ValueError: No record is given, the kernel is unknown, or a number is out of range.
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
    let depth = if whole {
        AuditDepth::Whole
    } else {
        AuditDepth::Unit { seed }
    };
    let (_, resources) = arguments::engine("auto", kernel, memory, DeviceSet::default())?;
    let progress = Progress::new(progress);
    let (n, audit) = watch(py, &progress, stop, |stop| {
        let loader = Loader::default().options(resources);
        let Loaded { tally, engine, .. } = load(&records, loader, stop, false)?;
        let all = tally.tasks() as usize;
        let sample = tally.sample(
            sample.map_or(all, |sample| usize::try_from(sample).unwrap_or(all)),
            seed,
        );
        if sample.is_empty() && tally.total().is_none() {
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
        let audit = Audit::run(engine.as_ref(), &sample, depth, counter, &|_| {})
            .map_err(errors::of_record)?;
        Ok((tally.plan().n, audit))
    })?;
    results::audit(py, n, &audit, seed)
}

/// Loads records of one plan without flaws. An audit does not need the right total.
fn load(
    records: &[PathBuf],
    loader: Loader<'_>,
    stop: &CancelToken,
    needs_total: bool,
) -> PyResult<Loaded> {
    let mut loaded = loader.stop(stop).load(records).map_err(errors::of_record)?;
    if !needs_total {
        loaded
            .flaws
            .retain(|flaw| !matches!(flaw, RecordError::WrongTotal { .. }));
    }
    loaded
        .flaws
        .sort_by_key(|flaw| !RecordError::is_transient(flaw));
    if loaded.flaws.is_empty() {
        return Ok(loaded);
    }
    Err(errors::of_record(loaded.flaws.swap_remove(0)))
}

/// Extracts the paths of records, of which there has to be one.
fn paths(records: &Bound<'_, PyTuple>) -> PyResult<Vec<PathBuf>> {
    let paths: Vec<PathBuf> = records.extract()?;
    if paths.is_empty() {
        return Err(PyValueError::new_err("expected records, found none"));
    }
    Ok(paths)
}

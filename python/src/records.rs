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

/// Count the units that are missing from a record, and save each finished task to the record.
///
/// A record is a file with one line per finished task. If the process stops for any reason, the
/// same call resumes the count. On a cluster, each machine can count one shard and write its own
/// record; `merge` adds up the records. The `queencount` program uses the same record format.
/// Only one process at a time can write to a record.
///
/// Args:
///     n: The number of rows, 1 to 32.
///     record: The path of the record, which is created if it does not exist.
///     shard: A pair (k, m). The units are divided into m shards of about equal work, and only
///         shard k is counted. The first shard is (1, m).
///     units: The units to count, as a range or a collection of ranges and numbers, such as the
///         `missing` attribute of a `Tally`.
///     threads, engine, kernel, memory, device, stop: See `count`. If the record exists and
///         `engine` is "auto", the engine of the record is used.
///     site: The name of the site to store in each line; None means the host name. If the name is
///         empty, no site is stored.
///     progress: See `count`. The work is that of the units that this call counts.
///
/// Returns:
///     A `Tally` of the record. Its `total` is None while units are missing.
///
/// Raises:
///     ValueError: As in `count`; or the shard or a unit is out of range; or both a shard and units
///         are given; or the site has more than 60 characters or contains a control character.
///     OSError: The record cannot be read or written, or another process is writing it
///         (BlockingIOError).
///     RecordError: The record is damaged, contradicts itself or belongs to another plan, or the
///         file is not a record. The file is not changed.
///     Stopped, RuntimeError, MemoryError: As in `count`. Finished tasks are saved in the record.
///
/// Examples:
///     >>> queencount.run(12, "12.jsonl", shard=(1, 2)).complete
///     False
///     >>> queencount.run(12, "12.jsonl").total
///     14200
#[pyfunction]
#[pyo3(signature = (n, record, *, shard = None, units = None, threads = 0, engine = "auto", kernel = "auto",
                    memory = None, device = "cpu", site = None, progress = None, stop = None))]
pub(crate) fn run<'py>(
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

/// Add up records of the same plan, counting each unit only once.
///
/// The order of the records does not matter, and a unit may be in several of them.
///
/// Args:
///     records: The paths of the records, or of directories with records.
///     n: The number of rows of the board. If it is given, all records must be for this board.
///
/// Returns:
///     A `Tally` with the total or, if the count is incomplete, the missing units.
///
/// Raises:
///     ValueError: No record is given, or `n` is out of range.
///     OSError: A record cannot be read.
///     RecordError: A record is damaged or has a different board or plan; or records contradict
///         each other; or a file is not a record; or all records are empty.
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
pub(crate) fn merge<'py>(
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

/// Recount a random sample of record entries with independent code, which shares nothing with the
/// engine.
///
/// A wrong entry means that a machine failed or that a line was forged. From N = 28, an entry has
/// several units, and it would take hours to recount all of them with the independent code. For
/// such an entry, the engine recounts all units, and the independent code recounts only one of
/// them. A wrong part of that unit means that the engine or the machine is wrong.
///
/// Args:
///     records: The paths of the records, or of directories with records.
///     sample: The number of entries to sample; None means all.
///     seed: The random seed; None means a new seed for each call.
///     whole: Whether to recount whole entries with the independent code, even if it takes hours.
///     threads, kernel, memory, stop: See `count`.
///     progress: See `count`. The work is that of the sampled entries.
///
/// Returns:
///     An `Audit`. Check its `passed` attribute, because wrong entries do not raise an exception.
///
/// Raises:
///     ValueError: No record is given, the kernel is unknown, or a number is out of range.
///     OSError, RecordError: As in `merge`; or the records have no entries.
///     Stopped, RuntimeError, MemoryError: As in `count`.
///
/// Examples:
///     >>> tally = queencount.run(12, "12.jsonl")
///     >>> queencount.audit("12.jsonl").passed
///     True
#[pyfunction]
#[pyo3(signature = (*records, sample = 30, seed = None, whole = false, threads = 0, kernel = "auto", memory = None,
                    progress = None, stop = None))]
pub(crate) fn audit<'py>(
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

/// Loads records of one plan, which must not have flaws. An audit does not need the right total.
fn load(
    records: &[PathBuf],
    loader: Loader<'_>,
    stop: &CancelToken,
    needs_total: bool,
) -> PyResult<Loaded> {
    let mut loaded = loader.stop(stop).load(records).map_err(errors::of_record)?;
    if !needs_total {
        loaded.flaws.retain(|flaw| {
            !matches!(
                flaw,
                RecordError::WrongTotal { .. } | RecordError::SumTooLarge(..)
            )
        });
    }
    loaded
        .flaws
        .sort_by_key(|flaw| !RecordError::is_transient(flaw));
    if loaded.flaws.is_empty() {
        return Ok(loaded);
    }
    Err(errors::of_record(loaded.flaws.swap_remove(0)))
}

/// Extracts the paths of the records. There must be at least one.
fn paths(records: &Bound<'_, PyTuple>) -> PyResult<Vec<PathBuf>> {
    let paths: Vec<PathBuf> = records.extract()?;
    if paths.is_empty() {
        return Err(PyValueError::new_err("expected records, found none"));
    }
    Ok(paths)
}

//! `run`, `merge` and `audit`: counts that are saved in records.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use queencount::record::{
    Auditor, Loaded, Loader, Purpose, RecordError, RecordErrorKind, Tally, UnitSet,
};
use queencount::{CancelToken, Counter, DeviceSet};

use crate::arguments::{Memory, Seed, Shard, Size, Units};
use crate::errors::{of_record, value_error, with_sources};
use crate::results::Object;
use crate::watch::watch;
use crate::{arguments, results};

/// Count the units that are missing from a record, and save each finished task to the record.
///
/// A record is a file with one line per finished task, in the format of the `queencount` program.
/// If the process stops for any reason, the same call resumes the count. Each machine of a cluster
/// can count one shard into its own record; `merge` adds up the records.
///
/// Args:
///     record: The path of the record, which is created if it does not exist.
///     shard: A pair (k, m), with k from 1 to m: count only shard k of m shards of about equal
///         work.
///     units: The units to count, as a range or a collection of ranges and numbers, such as the
///         `missing` attribute of a `Tally`. Tasks that contain any of them are counted in full.
///     n, threads, engine, kernel, memory, device, stop: See `count`. If the record exists, "auto"
///         selects the engine of the record.
///     progress: See `count`. The work is that of the units counted by this call.
///
/// Returns:
///     A `Tally` of the record. Its `total` is None while units are missing.
///
/// Raises:
///     ValueError: As in `count`; or the shard or a unit is out of range; or both a shard and units
///         are given.
///     OSError: The record cannot be read or written, or another process is writing it
///         (BlockingIOError).
///     RecordError: The record is damaged, contradicts itself or belongs to another plan, or the
///         file is not a record. The file is not changed.
///     Stopped, RuntimeError, MemoryError: As in `count`. Finished tasks are saved.
///
/// Examples:
///     >>> queencount.run(12, "12.jsonl").total
///     14200
#[pyfunction]
#[pyo3(signature = (n, record, *, shard = None, units = None, threads = 0, engine = "auto",
                    kernel = "auto", memory = None, device = "cpu", progress = None, stop = None))]
pub(crate) fn run<'py>(
    py: Python<'py>,
    n: Size,
    record: PathBuf,
    shard: Option<Shard>,
    units: Option<Units>,
    #[pyo3(from_py_with = arguments::threads)] threads: usize,
    engine: &str,
    kernel: &str,
    memory: Option<Memory>,
    device: &str,
    progress: Option<Py<PyAny>>,
    stop: Option<Py<PyAny>>,
) -> PyResult<Object<'py>> {
    let (engine, resources) =
        arguments::engine(engine, kernel, memory, arguments::devices(device)?)?;
    if shard.is_some() && units.is_some() {
        return Err(value_error("expected a shard or units, found both"));
    }
    let journal = watch(py, progress, stop, |progress, stop| {
        let mut journal = Loader::new()
            .engine(engine)
            .options(resources)
            .stop(stop)
            .resume(&record, n.0)
            .map_err(of_record)?;
        let engine = Arc::clone(journal.tally().engine());
        let wanted = match (shard, units) {
            (Some(shard), _) => shard.0.units(&engine).into(),
            (None, Some(units)) => units.0,
            (None, None) => UnitSet::from(0..engine.units()),
        };
        wanted.check(&engine).map_err(value_error)?;
        let left = journal.left(&wanted);
        let adder = progress.adder(left.ranges().map(|units| engine.work(units)).sum());
        let counter = Counter::new().threads(threads).stop(stop).on_task(&adder);
        journal.count(&left, counter).map_err(of_record)?;
        Ok(journal)
    })?;
    tally(py, journal.tally(), &[])
}

/// Add up records of the same plan, counting each unit only once.
///
/// Damaged lines contribute nothing; `problems` lists them. If lines give different counts for the
/// same units, there is no total.
///
/// Args:
///     records: The paths of the records, or of directories with records.
///     n: Ignore records of other boards; None means none.
///     engine: Ignore records of other engines; "auto" means none.
///     stop: See `count`. It also stops waiting for the writer of a pipe.
///
/// Returns:
///     A `Tally` with the total or the missing units.
///
/// Raises:
///     ValueError: No record is given, or `n` is out of range.
///     Stopped: As in `count`.
///     OSError: A record cannot be read.
///     RecordError: The records have several plans, or none has the expected plan.
///
/// Examples:
///     >>> for k in 1, 2:
///     ...     tally = queencount.run(12, f"12-{k}.jsonl", shard=(k, 2))
///     >>> queencount.merge("12-1.jsonl", "12-2.jsonl").total
///     14200
#[pyfunction]
#[pyo3(signature = (*records, n = None, engine = "auto", stop = None))]
pub(crate) fn merge<'py>(
    py: Python<'py>,
    records: Vec<PathBuf>,
    n: Option<Size>,
    engine: &str,
    stop: Option<Py<PyAny>>,
) -> PyResult<Object<'py>> {
    let engine = engine.parse().map_err(value_error)?;
    let loaded = watch(py, None, stop, |_, stop| {
        let loader = Loader::new().n(n.map(|n| n.0)).engine(engine);
        load(&records, loader, stop)
    })?;
    tally(py, &loaded.tally, loaded.problems.list())
}

fn tally<'py>(py: Python<'py>, tally: &Tally, problems: &[RecordError]) -> PyResult<Object<'py>> {
    let plan = tally.plan();
    let problems = problems.iter().map(|problem| with_sources(problem));
    let problems: Vec<_> = problems.collect();
    let fields = (
        plan.n,
        &plan.engine,
        plan.hash(),
        plan.units,
        tally.total(),
        tally.count(),
        results::ranges(py, tally.missing().ranges())?,
        results::ranges(py, tally.disagreements().map(|task| task.units))?,
        PyTuple::new(py, problems)?,
        tally.entry_count(),
        tally.seconds(),
    );
    results::new(py, "Tally", fields)
}

/// Recount a random sample of tasks with independent code, and at most as many tasks on which lines
/// disagree.
///
/// A wrong count means that a machine failed or that a line was forged. From N = 28, recounting a
/// task with the independent code would take 20 to 30 minutes. Instead, the engine recounts the
/// task, and the independent code recounts only one of its units. A wrong part of that unit means
/// that the engine or the machine is wrong.
///
/// Args:
///     records: The paths of the records, or of directories with records.
///     sample: The number of tasks to sample; None means all.
///     seed: The random seed; None means a new seed for each call.
///     threads, kernel, memory, stop: See `count`.
///     progress: See `count`. The work is that of the audit, and nothing is found.
///
/// Returns:
///     An `Audit`. Check its `passed` attribute, because wrong counts do not raise an exception.
///
/// Raises:
///     ValueError: No record is given, the kernel is unknown, or a number is out of range.
///     OSError, RecordError: As in `merge`; or the records have no counts.
///     Stopped, RuntimeError, MemoryError: As in `count`.
///
/// Examples:
///     >>> tally = queencount.run(12, "12.jsonl")
///     >>> queencount.audit("12.jsonl").passed
///     True
#[pyfunction]
#[pyo3(signature = (*records, sample = 30, seed = None, threads = 0, kernel = "auto",
                    memory = None, progress = None, stop = None))]
pub(crate) fn audit<'py>(
    py: Python<'py>,
    records: Vec<PathBuf>,
    #[pyo3(from_py_with = arguments::tasks)] sample: Option<u64>,
    seed: Option<Seed>,
    #[pyo3(from_py_with = arguments::threads)] threads: usize,
    kernel: &str,
    memory: Option<Memory>,
    progress: Option<Py<PyAny>>,
    stop: Option<Py<PyAny>>,
) -> PyResult<Object<'py>> {
    let seed = seed.map_or_else(|| RandomState::new().hash_one(()) >> 32, |seed| seed.0);
    let (_, resources) = arguments::engine("auto", kernel, memory, DeviceSet::default())?;
    let (n, tasks, audit) = watch(py, progress, stop, |progress, stop| {
        let Loaded { tally, .. } = load(&records, Loader::new().options(resources), stop)?;
        let sample = tally.sample(sample.unwrap_or(u64::MAX), seed);
        if sample.is_empty() && tally.total().is_none() {
            return Err(of_record(RecordError::from(RecordErrorKind::Empty)));
        }
        let audit = Auditor::new()
            .threads(threads)
            .stop(stop)
            .on_progress(&|done| progress.reach(done))
            .run(tally.engine(), &sample, seed)
            .map_err(of_record)?;
        Ok((tally.plan().n, sample.len(), audit))
    })?;
    let mut wrong = Vec::new();
    let mut wrong_parts = Vec::new();
    for finding in &audit.findings {
        for (count, places) in &finding.wrong {
            let fields = (
                PyTuple::new(py, places.iter().map(ToString::to_string))?,
                results::range(py, finding.units.clone())?,
                count,
                finding.recount,
            );
            wrong.push(results::new(py, "WrongCount", fields)?);
        }
        if let Some(part) = &finding.wrong_part {
            let fields = (part.unit, part.part, part.count, part.recount);
            wrong_parts.push(results::new(py, "WrongPart", fields)?);
        }
    }
    let fields = (
        n,
        tasks,
        audit.units,
        audit.parts,
        PyTuple::new(py, wrong)?,
        PyTuple::new(py, wrong_parts)?,
        audit.detected_share(),
        seed,
    );
    results::new(py, "Audit", fields)
}

/// Loads records of one plan, all of which must be readable.
fn load(records: &[PathBuf], loader: Loader<'_>, stop: &CancelToken) -> PyResult<Loaded> {
    if records.is_empty() {
        return Err(value_error("expected records, found none"));
    }
    let loaded = loader.stop(stop).load(records).map_err(of_record)?;
    match loaded.problems.forbidding(Purpose::Audit) {
        Some(problem) => Err(of_record(problem)),
        None => Ok(loaded),
    }
}

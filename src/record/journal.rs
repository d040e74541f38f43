//! The journal: a record that is being written, so that nothing finished is lost.
//!
//! An entry is written the moment its task is finished, by one call, at the end of the file. When that call has
//! returned, the entry survives the death of the process. It survives the death of the machine when the disk has been
//! made to keep it, which happens every few seconds and at the end. A killed process loses the task that each thread had
//! in hand, and nothing else.
//!
//! One process writes at a time. The file is locked as long as the journal is open, and the system frees the lock when
//! the process dies, in whatever way.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::ErrorKind;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::writer::Writer;
use super::{Entry, Place, Plan, Record, RecordError, Tally, UnitSet};
use crate::count::{FanOut, Observer, Task};
use crate::engine::{Engine, Stop, units_per_task};

/// A record that entries are appended to: what a count needs to survive its process.
///
/// ```
/// use queencount::record::{Journal, Plan, UnitSet};
/// use queencount::{BoardSize, EngineChoice, FanOut};
///
/// let engine = EngineChoice::Backtrack.plan(BoardSize::new(10)?);
/// let plan = Plan::new(engine.as_ref());
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("record.jsonl");
///
/// // Some units are counted. The record keeps them, whatever ends the process.
/// Journal::open(&path, &plan)?.count(engine.as_ref(), &"0-9".parse()?, FanOut::default())?;
///
/// // Another process goes on: it counts what the record lacks.
/// let mut journal = Journal::open(&path, &plan)?;
/// let before = journal.tally().total();
/// let all = UnitSet::from(0..engine.units());
/// let added = journal.count(engine.as_ref(), &all, FanOut::default().threads(2))?;
/// assert_eq!((before + added, journal.tally().total()), (724, 724));
///
/// // A journal knows what it has written.
/// assert_eq!(journal.count(engine.as_ref(), &all, FanOut::default())?, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Journal {
    path: Arc<PathBuf>,
    /// What the record holds.
    tally: Tally,
    /// The number of its lines.
    lines: u64,
    writer: Writer,
}

impl Journal {
    /// Opens a record to go on with it, or begins one where there is none.
    ///
    /// An unfinished line at the end, which a killed process leaves behind, is cut off.
    ///
    /// # Errors
    /// When another process is writing the record, when the record is of another plan, damaged or contradictory, when
    /// the file is not a record, or when the system fails. The file is then left as it is.
    pub fn open(path: &Path, plan: &Plan) -> Result<Self, RecordError> {
        let io = |error| RecordError::io(path, error);
        let file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(io)?;
        if !file.metadata().map_err(io)?.is_file() {
            let reason = "a run can be resumed only from a regular file".to_owned();
            return Err(RecordError::NotARecord { path: path.to_owned(), reason });
        }
        let locked = match file.try_lock() {
            Ok(()) => true,
            Err(TryLockError::WouldBlock) => return Err(RecordError::Locked(path.to_owned())),
            // Some cluster file systems have no locks. Two writers there would at worst count units twice, or damage a
            // line, which a merge finds.
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => false,
            Err(TryLockError::Error(error)) => return Err(io(error)),
        };
        let record = Record::read(path)?;
        let (fresh, lines, length) = (record.plan.is_none(), record.lines, record.whole_bytes);
        let mut tally = Tally::new(plan.clone());
        tally.add(record, path)?;
        let writer = Writer::new(path.to_owned(), file, locked, length)?;
        let mut journal = Self { path: Arc::new(path.to_owned()), tally, lines, writer };
        if fresh {
            journal.write(&plan.to_line())?;
            journal.writer.sync()?;
            sync_folder(path);
        }
        Ok(journal)
    }

    /// What the record holds.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Whether other writers are kept away, which is so on all file systems that have locks.
    pub fn locked(&self) -> bool {
        self.writer.locked()
    }

    /// Of these units, counts the ones that the record lacks. Appends each task as it is finished. Returns the number of
    /// solutions that belong to the units counted.
    ///
    /// An entry is a whole task of the plan, or a single unit of a task of which not all units are to be counted. So
    /// entries of any two records are the same, or share no unit, or one of them lies within the other.
    ///
    /// The observer of the fan-out sees a task when it has been written.
    ///
    /// # Errors
    /// When the engine is of another plan, the count was stopped, the system grants no threads, somebody else has
    /// changed the file, an entry cannot be written, or one contradicts what the record held. Such a failure requests
    /// the stop of the fan-out, and everything written before is in the record.
    ///
    /// # Panics
    /// When the engine has no such unit.
    pub fn count(&mut self, engine: &dyn Engine, units: &UnitSet, fan_out: FanOut<'_>) -> Result<u128, RecordError> {
        if let Some(difference) = self.tally.plan().difference(&Plan::new(engine)) {
            return Err(RecordError::OtherPlan { path: self.path.to_path_buf(), line: 1, difference });
        }
        let missing = whole_tasks_or_units(&units.without(self.tally.done()), engine);
        let own_stop = Stop::new();
        let (observer, stop) = (fan_out.observer, fan_out.stop.unwrap_or(&own_stop));
        let recorder = Recorder { journal: Mutex::new(self), observer, stop, failure: Mutex::new(None) };
        let count = fan_out.observer(&recorder).stop(stop).count_units(engine, &missing);
        // The failure to write comes before the stop that it caused.
        let failure = recorder.failure.into_inner().unwrap_or_else(PoisonError::into_inner);
        let finished = self.writer.finish();
        failure.map_or(Ok(()), Err)?;
        // Whoever stops a count has to hear that what was finished is not kept.
        finished?;
        Ok(count?)
    }

    /// Appends what has been counted, even if an entry that overlaps it in part turns out to be wrong by that.
    fn append(&mut self, entry: Entry) -> Result<(), RecordError> {
        self.write(&entry.to_line(self.tally.plan()))?;
        self.tally.add_entry(entry, Place { path: Arc::clone(&self.path), line: self.lines })
    }

    fn write(&mut self, line: &str) -> Result<(), RecordError> {
        self.writer.append(line.as_bytes())?;
        self.lines += 1;
        Ok(())
    }
}

/// Ranges of units that are cut into tasks as the plan is: the units of a task that is not there as a whole stand alone.
fn whole_tasks_or_units(units: &UnitSet, engine: &dyn Engine) -> Vec<Range<u64>> {
    let grain = units_per_task(engine);
    let mut ranges = Vec::new();
    for Range { start, end } in units.ranges() {
        let first = start.next_multiple_of(grain).min(end);
        let last = if end == engine.units() { end } else { (end - end % grain).max(first) };
        ranges.extend((start..first).map(|unit| unit..unit + 1));
        ranges.push(first..last);
        ranges.extend((last..end).map(|unit| unit..unit + 1));
    }
    ranges
}

/// Makes the disk keep the name of a new file. Not every system can do that; the contents are safe in any case.
fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

/// Appends every finished task to a journal, and then shows it to another observer. When the journal fails, it requests
/// the stop.
struct Recorder<'a> {
    journal: Mutex<&'a mut Journal>,
    observer: &'a dyn Observer,
    stop: &'a Stop,
    failure: Mutex<Option<RecordError>>,
}

impl Observer for Recorder<'_> {
    fn started(&self, engine: &dyn Engine) {
        self.observer.started(engine);
    }

    fn counted(&self, task: &Task) {
        let mut journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
        let written = journal.append(Entry::new(task));
        drop(journal);
        match written {
            Ok(()) => self.observer.counted(task),
            Err(error) => {
                self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                self.stop.request();
            }
        }
    }
}

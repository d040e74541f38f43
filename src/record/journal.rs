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
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::{Entry, Plan, Record, RecordError, Tally, UnitSet};
use crate::count::{FanOut, Observer, Task};
use crate::engine::{Engine, Stop};

/// The time that an entry may be known to the system alone before the disk is made to keep it.
const SYNC_INTERVAL: Duration = Duration::from_secs(5);

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
/// let journal = Journal::open(&path, &plan)?;
/// let before = journal.tally().total();
/// let all = UnitSet::from(0..engine.units());
/// let added = journal.count(engine.as_ref(), &all, FanOut::default().threads(2))?;
/// assert_eq!(before + added, 724);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    plan: Plan,
    /// What the record held when it was opened.
    tally: Tally,
    locked: bool,
    writer: Mutex<Writer>,
}

#[derive(Debug)]
struct Writer {
    file: File,
    /// The length of the file up to the last whole line.
    length: u64,
    synced: Instant,
    /// A write failed. The end of the file is not known, so nothing may follow it.
    broken: bool,
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
        let mut writer = Writer { file, length: record.whole_bytes, synced: Instant::now(), broken: false };
        if record.torn_bytes > 0 {
            writer.file.set_len(record.whole_bytes).map_err(io)?;
        }
        let fresh = record.plan.is_none();
        let mut tally = Tally::new(plan.clone());
        tally.add(record, path)?;
        if fresh {
            writer.append(plan.to_line().as_bytes()).and_then(|()| writer.sync()).map_err(io)?;
            sync_folder(path);
        }
        Ok(Self { path: path.to_owned(), plan: plan.clone(), tally, locked, writer: Mutex::new(writer) })
    }

    /// What the record held when it was opened.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Whether other writers are kept away, which is so on all file systems that have locks.
    pub fn locked(&self) -> bool {
        self.locked
    }

    /// Of these units, counts the ones that the record lacked when it was opened. Appends each task as it is finished.
    /// Returns the number of solutions that belong to the units counted.
    ///
    /// The observer of the fan-out sees a task when it has been written.
    ///
    /// # Errors
    /// When the count was stopped, the system grants no threads, or an entry cannot be written. A failure to write
    /// requests the stop of the fan-out, and everything written before is in the record.
    ///
    /// # Panics
    /// When the engine has no such unit.
    pub fn count(&self, engine: &dyn Engine, units: &UnitSet, fan_out: FanOut<'_>) -> Result<u128, RecordError> {
        let missing: Vec<_> = units.without(self.tally.done()).ranges().collect();
        let own_stop = Stop::new();
        let (observer, stop) = (fan_out.observer, fan_out.stop.unwrap_or(&own_stop));
        let recorder = Recorder { journal: self, engine, observer, stop, failure: Mutex::new(None) };
        let count = fan_out.observer(&recorder).stop(stop).count_units(engine, &missing);
        // The failure to write comes before the stop that it caused.
        let failure = recorder.failure.into_inner().unwrap_or_else(PoisonError::into_inner);
        let synced = self.writer().sync();
        match (failure, count) {
            (Some(error), _) => Err(error),
            (None, Err(error)) => Err(error.into()),
            (None, Ok(count)) => synced.map(|()| count).map_err(|error| RecordError::io(&self.path, error)),
        }
    }

    /// Appends an entry, whose units have to be new to the record.
    ///
    /// # Errors
    /// When the system fails to write it. Then the record ends with the entry before, and takes no more entries.
    pub fn append(&self, entry: &Entry) -> Result<(), RecordError> {
        let line = entry.to_line(&self.plan);
        let mut writer = self.writer();
        let written = writer
            .append(line.as_bytes())
            .and_then(|()| if writer.synced.elapsed() < SYNC_INTERVAL { Ok(()) } else { writer.sync() });
        written.map_err(|error| RecordError::io(&self.path, error))
    }

    fn writer(&self) -> std::sync::MutexGuard<'_, Writer> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Writer {
    /// Writes a line, newline included, behind the last whole one.
    fn append(&mut self, line: &[u8]) -> io::Result<()> {
        if self.broken {
            return Err(io::Error::other("an earlier write failed"));
        }
        if let Err(error) = self.file.write_all(line) {
            // Part of the line may be there, if the disk is full. A line behind it would make it damage in the middle
            // of the record, so it is taken away. Should that fail, too, it is an unfinished line at the end.
            self.broken = true;
            let _ = self.file.set_len(self.length);
            return Err(error);
        }
        self.length += line.len() as u64;
        Ok(())
    }

    /// Makes the disk keep what has been written.
    fn sync(&mut self) -> io::Result<()> {
        self.synced = Instant::now();
        self.file.sync_data()
    }
}

/// Makes the disk keep the name of a new file. Not every system can do that; the contents are safe in any case.
fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

/// Appends every finished task to a journal, and then shows it to another observer. When the journal fails, it requests
/// the stop.
struct Recorder<'a> {
    journal: &'a Journal,
    engine: &'a dyn Engine,
    observer: &'a dyn Observer,
    stop: &'a Stop,
    failure: Mutex<Option<RecordError>>,
}

impl Observer for Recorder<'_> {
    fn started(&self, engine: &dyn Engine) {
        self.observer.started(engine);
    }

    fn counted(&self, task: &Task) {
        match self.journal.append(&Entry::new(task, self.engine.kernel())) {
            Ok(()) => self.observer.counted(task),
            Err(error) => {
                self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                self.stop.request();
            }
        }
    }
}

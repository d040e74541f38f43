//! The journal: a record being written, so that nothing that was finished is lost.
//!
//! An entry is written the moment its task is finished, in one call at the end of the file: once that call has
//! returned, no death of the process can take it back. Death of the machine can, until the disk has been made to write,
//! which is asked for every few seconds and at the end. What is not finished is not written, so a killed run loses the
//! task that each thread had in hand and nothing else.
//!
//! One process writes at a time: the file is locked for as long as the journal is open, and the system lets go of the
//! lock when the process dies, in whatever way.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::{Entry, Plan, Record, RecordError, Tally, UnitSet};
use crate::count::{FanOut, Observer, Task};
use crate::engine::{Engine, Stop};

/// How long an entry may be known to the system alone before the disk is made to keep it.
const SYNC_INTERVAL: Duration = Duration::from_secs(5);

/// A record that entries are appended to.
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
    /// A write failed, and what is at the end of the file is not known: nothing may follow it.
    broken: bool,
}

impl Journal {
    /// Opens a record to go on with it, or begins one where there is none.
    ///
    /// An unfinished line at the end, which a killed process leaves behind, is cut off.
    ///
    /// # Errors
    /// When the record is being written by another process, is of another plan, damaged or contradictory, when the file
    /// is no record (it is then left as it is), or the system fails.
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

    /// Whether other writers are kept away: not so on file systems without locks.
    pub fn locked(&self) -> bool {
        self.locked
    }

    /// Counts those of the units that the record lacks, appending each task as it is finished. Returns the number of
    /// solutions that belong to them.
    ///
    /// # Errors
    /// When the count was stopped, or an entry could not be written: then `stop` has been requested, too, and
    /// everything written before is in the record.
    ///
    /// # Panics
    /// When there is no such unit.
    pub fn run(
        &self,
        engine: &dyn Engine,
        units: &UnitSet,
        fan_out: FanOut<'_>,
        watcher: &dyn Observer,
        stop: &Stop,
    ) -> Result<u128, RecordError> {
        let missing: Vec<_> = units.without(self.tally.done()).runs().collect();
        let recorder = Recorder { journal: self, engine, watcher, stop, failure: Mutex::new(None) };
        let count = fan_out.observer(&recorder).stop(stop).count(engine, &missing);
        // The failure to write comes before the stop that it caused.
        let failure = recorder.failure.into_inner().unwrap_or_else(PoisonError::into_inner);
        let synced = self.writer().sync();
        match (failure, count) {
            (Some(error), _) => Err(error),
            (None, Err(error)) => Err(error.into()),
            (None, Ok(count)) => synced.map(|()| count).map_err(|error| RecordError::io(&self.path, error)),
        }
    }

    /// Appends an entry.
    ///
    /// # Errors
    /// When the system fails to write it. Then the record ends with the entry before, and takes no more of them.
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
            // Part of the line may be there: the disk was full. A line behind it would make it damage of the middle of
            // the record, so it is taken away; should that fail as well, it is an unfinished line at the end.
            self.broken = true;
            let _ = self.file.set_len(self.length);
            return Err(error);
        }
        self.length += line.len() as u64;
        Ok(())
    }

    /// Has the disk keep what has been written.
    fn sync(&mut self) -> io::Result<()> {
        self.synced = Instant::now();
        self.file.sync_data()
    }
}

/// Has the disk keep the name of a new file. Not every system can; the contents are safe in any case.
fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

/// Appends every finished task to a journal, then shows it to another observer; requests the stop when the journal
/// fails.
struct Recorder<'a> {
    journal: &'a Journal,
    engine: &'a dyn Engine,
    watcher: &'a dyn Observer,
    stop: &'a Stop,
    failure: Mutex<Option<RecordError>>,
}

impl Observer for Recorder<'_> {
    fn started(&self, engine: &dyn Engine) {
        self.watcher.started(engine);
    }

    fn counted(&self, task: &Task) {
        match self.journal.append(&Entry::new(task, self.engine.kernel())) {
            Ok(()) => self.watcher.counted(task),
            Err(error) => {
                self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                self.stop.request();
            }
        }
    }
}

//! The journal writes a record so that no finished task is lost.
//!
//! As soon as a task is finished, its entry is appended in a single write. Writing to a deleted,
//! replaced or truncated file would succeed, so the file is checked before each write and at the
//! end.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, BufReader, ErrorKind, Write};
use std::path::{self, Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant, UNIX_EPOCH};

use super::line::LONGEST;
use super::plan::Rules;
use super::{
    Entry, Findings, LineRef, Plan, Reader, RecordError, RecordSet, SiteName, UnitSet, merge,
};
use crate::cancel::CancelToken;
use crate::count::{Counter, Task};
use crate::engine::Engine;

/// Entries that are not yet synced survive a crash of the process, but not a crash of the machine.
const SYNC_INTERVAL: Duration = Duration::from_secs(5);

/// A record that is open for appending.
///
/// ```
/// # use queencount::record::{Journal, Plan};
/// # use queencount::{BoardSize, EngineChoice, Counter};
/// # let engine = EngineChoice::Backtrack.engine(BoardSize::new(10)?);
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("record.jsonl");
/// let plan = Plan::new(engine.as_ref());
/// Journal::open(&path, &plan)?.count(engine.as_ref(), &"0-9".parse()?, Counter::default())?;
///
/// // Another process can resume the count.
/// let mut journal = Journal::open(&path, &plan)?;
/// journal.count(engine.as_ref(), &journal.missing(), Counter::default())?;
/// assert_eq!(journal.total(), Some(724));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Journal {
    rules: Arc<Rules>,
    done: UnitSet,
    count: u128,
    ignored: u64,
    site: SiteName,
    machine: SiteName,
    writer: Writer,
}

impl Journal {
    /// Opens or creates a record. Removes an unfinished line from its end.
    ///
    /// # Errors
    /// Fails if another process is writing to the record, or if the file cannot be opened, is not a
    /// record, is damaged or contradictory, or has a different plan. In all these cases, the file
    /// is left unchanged.
    pub fn open(path: impl AsRef<Path>, plan: &Plan) -> Result<Self, RecordError> {
        Self::open_without(path, plan, &Findings::default())
    }

    /// Opens a record as [`Journal::open`] does, but ignores the counts that an audit found to be
    /// wrong.
    pub fn open_without(
        path: impl AsRef<Path>,
        plan: &Plan,
        findings: &Findings,
    ) -> Result<Self, RecordError> {
        Self::open_path(path.as_ref(), plan, findings)
    }

    fn open_path(path: &Path, plan: &Plan, findings: &Findings) -> Result<Self, RecordError> {
        if is_named_gz(path) {
            let reason = "a run writes plain text, so the name must not end in .gz";
            return Err(RecordError::not_a_record(path, reason));
        }
        let io = |error| RecordError::io(path, error);
        let file = append_to(path).map_err(io)?;
        if !file.metadata().map_err(io)?.is_file() {
            return Err(RecordError::not_a_record(path, "it is not a regular file"));
        }
        let locked = match file.try_lock() {
            Ok(()) => true,
            Err(TryLockError::WouldBlock) => return Err(RecordError::Locked(path.to_owned())),
            // Cluster file systems refuse locks with various errors. At worst, two writers count the
            // same units or damage a line; a merge reports such damage.
            Err(TryLockError::Error(_)) => false,
        };
        let mut writer = Writer {
            path: path.to_owned(),
            file,
            locked,
            length: 0,
            synced: Instant::now(),
            broken: false,
        };
        // On Windows, no other handle can read the locked file.
        let source = BufReader::with_capacity(LONGEST, &writer.file);
        let mut reader = Reader::new(source, path);
        if reader.compressed {
            let reason = "it is compressed; use 'gunzip' to decompress it";
            return Err(RecordError::not_a_record(path, reason));
        }
        let mut set = RecordSet::new(plan.clone());
        set.read_undamaged(&mut reader)?;
        set.exclude(findings);
        let rules = Arc::clone(&set.rules);
        // A different version of the program adds its own plan line.
        let is_ours = set.program.as_deref() == Some(&plan.program);
        let is_new = set.program.is_none();
        let tally = set.tally().into_checked()?;
        let length = reader.whole_bytes();
        drop(reader);
        writer.length = length;
        if writer.file.metadata().map_err(io)?.len() > writer.length {
            writer.file.set_len(writer.length).map_err(io)?;
        }
        if !is_ours {
            writer.append(plan.to_line().as_bytes())?;
        }
        if is_new {
            writer.sync()?;
            // Not every system can sync a directory. The contents of the file are safe anyway.
            let _ = path::absolute(path).and_then(|path| {
                let folder = path.parent().unwrap_or(&path);
                File::open(folder)?.sync_all()
            });
        }
        Ok(Self {
            rules,
            done: tally.done().clone(),
            count: tally.count(),
            ignored: tally.ignored(),
            site: SiteName::machine(),
            machine: SiteName::machine(),
            writer,
        })
    }

    /// Sets the site of each entry, which is the host name by default.
    #[must_use]
    pub fn site(self, site: SiteName) -> Self {
        Self { site, ..self }
    }

    /// Returns the units in the record.
    pub fn done(&self) -> &UnitSet {
        &self.done
    }

    /// Returns the missing units.
    pub fn missing(&self) -> UnitSet {
        UnitSet::from(0..self.rules.plan.units).difference(&self.done)
    }

    /// Returns the number of solutions of the units in the record.
    pub fn subtotal(&self) -> u128 {
        self.count
    }

    /// Returns the number of solutions of the board, or `None` if units are missing.
    pub fn total(&self) -> Option<u128> {
        self.missing().is_empty().then_some(self.count)
    }

    /// Returns the number of [ignored](super::Tally::ignored) lines.
    pub fn ignored(&self) -> u64 {
        self.ignored
    }

    /// Returns whether the record is locked. Some file systems do not support locks.
    pub fn locked(&self) -> bool {
        self.writer.locked
    }

    /// Counts the missing tasks that contain any of these units, and appends each task as it
    /// finishes. Returns the number of solutions of the counted units.
    ///
    /// The counter's callback receives each task after it is written. If the file cannot be
    /// written, the counter's token is cancelled.
    ///
    /// # Errors
    /// Fails if the engine has a different plan, if counting fails, if the file cannot be written
    /// or was changed by something else, or if the counts are known to be wrong. Finished tasks
    /// stay in the record.
    ///
    /// # Panics
    /// Panics if a unit is out of range.
    pub fn count(
        &mut self,
        engine: &dyn Engine,
        units: &UnitSet,
        counter: Counter<'_>,
    ) -> Result<u128, RecordError> {
        if let Some(difference) = self.rules.plan.difference(&Plan::new(engine)) {
            let first = LineRef::new(&self.writer.path, 1);
            return Err(RecordError::OtherPlan(first, difference));
        }
        let missing = units.whole_tasks(engine).difference(&self.done);
        let own_stop = CancelToken::new();
        let stop = counter.stop.unwrap_or(&own_stop);
        let journal = Mutex::new(&mut *self);
        let failure = OnceLock::new();
        let count = counter
            .on_task(&|task| {
                let mut journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
                let written = journal.append(task);
                drop(journal);
                match written {
                    Ok(()) => (counter.on_task)(task),
                    Err(error) => {
                        let _ = failure.set(error);
                        stop.cancel();
                    }
                }
            })
            .stop(stop)
            .count_units(engine, &Vec::from_iter(missing.ranges()));
        let finished = self.writer.finish();
        // Write errors are returned first: they may have caused the cancellation, and may have lost
        // tasks.
        if let Some(error) = failure.into_inner() {
            return Err(error);
        }
        finished?;
        let count = count?;
        if self.count > self.rules.most {
            // The error of this merge names the line with the wrong count.
            merge(&self.rules.plan, &[&self.writer.path])?;
        }
        if let Some(total) = self.total() {
            self.rules.check_total(total)?;
        }
        Ok(count)
    }

    fn append(&mut self, task: &Task) -> Result<(), RecordError> {
        let mut entry = Entry::new(task);
        entry.time = UNIX_EPOCH.elapsed().ok().map(|time| time.as_secs());
        if !self.site.as_str().is_empty() {
            entry.site = Some(self.site.to_string());
            entry.host = (self.machine != self.site).then(|| self.machine.to_string());
        }
        self.writer
            .append(entry.to_line(&self.rules.plan).as_bytes())?;
        self.count = self.count.saturating_add(entry.count);
        self.done.insert(entry.units());
        Ok(())
    }
}

pub(super) fn append_to(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true).open(path)
}

/// Returns whether the name of a file, or of the target of a link, ends in `.gz`.
pub(crate) fn is_named_gz(path: &Path) -> bool {
    let target = behind_links(path).unwrap_or_else(|_| path.to_owned());
    let extension = target.extension();
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("gz"))
}

/// Follows links, even if the final target does not exist yet.
pub(crate) fn behind_links(path: &Path) -> io::Result<PathBuf> {
    match fs::canonicalize(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => match fs::read_link(path) {
            // If the target is absolute, `join` drops the directory.
            Ok(target) => behind_links(&path.parent().unwrap_or(Path::new("")).join(target)),
            Err(_) => Ok(path.to_owned()),
        },
        found => found,
    }
}

#[derive(Debug)]
struct Writer {
    path: PathBuf,
    file: File,
    locked: bool,
    /// The length of the file up to the end of the last whole line.
    length: u64,
    synced: Instant,
    /// Whether a write failed. If so, the file may end in the middle of a line, so nothing more is
    /// appended.
    broken: bool,
}

impl Writer {
    fn append(&mut self, line: &[u8]) -> Result<(), RecordError> {
        if self.broken {
            return Err(self.io(io::Error::other("an earlier write failed")));
        }
        // The write counts as failed until the whole line is written.
        self.broken = true;
        self.check_unchanged()?;
        if let Err(error) = self.file.write_all(line) {
            // On a full disk, part of the line may have been written. It would count as damage if
            // another line followed it.
            let _ = self.file.set_len(self.length);
            return Err(self.io(error));
        }
        self.broken = false;
        self.length += line.len() as u64;
        if self.synced.elapsed() >= SYNC_INTERVAL {
            self.sync()?;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), RecordError> {
        if !self.broken {
            self.check_unchanged()?;
        }
        self.sync()
    }

    fn sync(&mut self) -> Result<(), RecordError> {
        self.synced = Instant::now();
        self.file.sync_data().map_err(|error| self.io(error))
    }

    fn check_unchanged(&mut self) -> Result<(), RecordError> {
        let ours = self.file.metadata().map_err(|error| self.io(error))?;
        let is_same = match fs::metadata(&self.path) {
            Ok(named) => identity(&named) == identity(&ours),
            Err(error) if error.kind() == ErrorKind::NotFound => false,
            Err(error) => return Err(self.io(error)),
        };
        // Without a lock, another run may also append lines.
        let is_longer = ours.len() > self.length && self.locked;
        if !is_same || ours.len() < self.length || is_longer {
            return Err(RecordError::Changed(self.path.clone()));
        }
        self.length = ours.len();
        Ok(())
    }

    fn io(&self, error: io::Error) -> RecordError {
        RecordError::io(&self.path, error)
    }
}

impl Drop for Writer {
    /// Releases the lock. Closing the file is not enough: if another thread is starting a process,
    /// that process holds a duplicate of the descriptor until it executes its program.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

#[cfg(unix)]
fn identity(file: &Metadata) -> [u64; 2] {
    use std::os::unix::fs::MetadataExt;
    [file.dev(), file.ino()]
}

/// On other systems, open files cannot be deleted or replaced.
#[cfg(not(unix))]
fn identity(_file: &Metadata) -> [u64; 2] {
    [0; 2]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BoardSize, EngineChoice};

    #[test]
    fn dropped_journal_unlocks_despite_duplicate_handle() {
        let engine = EngineChoice::Backtrack.engine(BoardSize::new(8).unwrap());
        let plan = Plan::new(engine.as_ref());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("record.jsonl");
        let journal = Journal::open(&path, &plan).unwrap();
        let _duplicate = journal.writer.file.try_clone().unwrap();
        drop(journal);
        assert!(Journal::open(&path, &plan).is_ok());
    }
}

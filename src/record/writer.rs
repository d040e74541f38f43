//! The file of a record that is being written: whole lines, and nobody else's.
//!
//! A file can vanish under its writer. Who deletes it, or puts another one in its place, leaves the writer with a file
//! that nobody will ever find; who cuts it takes lines away that were told to be kept. The system does not say a word
//! about any of it. So the file is looked at before each line, and once more in the end.

use std::cmp::Ordering;
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::RecordError;

/// The time that a line may be known to the system alone before the disk is made to keep it.
const SYNC_INTERVAL: Duration = Duration::from_secs(5);

/// A file that whole lines are appended to.
#[derive(Debug)]
pub(super) struct Writer {
    pub path: PathBuf,
    file: File,
    /// Whether other writers are kept away.
    pub locked: bool,
    /// The length of the file up to the last whole line.
    length: u64,
    synced: Instant,
    /// A write failed. The end of the file is not known, so nothing may follow it.
    broken: bool,
}

impl Writer {
    /// A writer behind the first `length` bytes of a file; what follows them is cut off.
    pub fn new(path: PathBuf, file: File, locked: bool, length: u64) -> Result<Self, RecordError> {
        let writer = Self { path, file, locked, length, synced: Instant::now(), broken: false };
        let found = writer.file.metadata().map_err(|error| writer.io(error))?.len();
        if found > length {
            writer.file.set_len(length).map_err(|error| writer.io(error))?;
        }
        Ok(writer)
    }

    /// Writes a line, newline included, behind the last whole one.
    pub fn append(&mut self, line: &[u8]) -> Result<(), RecordError> {
        if self.broken {
            return Err(self.io(io::Error::other("an earlier write failed")));
        }
        // Until the line is there.
        self.broken = true;
        self.look()?;
        if let Err(error) = self.file.write_all(line) {
            // Part of the line may be there, if the disk is full. A line behind it would make it damage in the middle
            // of the record, so it is taken away. Should that fail, too, it is an unfinished line at the end.
            let _ = self.file.set_len(self.length);
            return Err(self.io(error));
        }
        self.broken = false;
        self.length += line.len() as u64;
        if self.synced.elapsed() < SYNC_INTERVAL { Ok(()) } else { self.sync() }
    }

    /// Makes the disk keep what has been written, and looks whether it is still there for others to find.
    pub fn finish(&mut self) -> Result<(), RecordError> {
        if !self.broken {
            self.look()?;
        }
        self.sync()
    }

    /// Makes the disk keep what has been written.
    pub fn sync(&mut self) -> Result<(), RecordError> {
        self.synced = Instant::now();
        self.file.sync_data().map_err(|error| self.io(error))
    }

    /// Fails if somebody else has changed the file.
    fn look(&mut self) -> Result<(), RecordError> {
        let ours = self.file.metadata().map_err(|error| self.io(error))?;
        let change = match fs::metadata(&self.path) {
            Err(error) if error.kind() == ErrorKind::NotFound && has_a_name(&ours) => "somebody renamed it",
            Err(error) if error.kind() == ErrorKind::NotFound => "somebody deleted it",
            Err(error) => return Err(self.io(error)),
            Ok(named) if !same(&ours, &named) => "somebody put another file in its place",
            Ok(_) => match ours.len().cmp(&self.length) {
                Ordering::Less => "somebody cut it short",
                Ordering::Greater if self.locked => "somebody else wrote to it",
                // Without locks that may be another run, which writes whole lines as this one does.
                Ordering::Greater | Ordering::Equal => {
                    self.length = ours.len();
                    return Ok(());
                }
            },
        };
        Err(RecordError::Changed { path: self.path.clone(), change })
    }

    fn io(&self, error: io::Error) -> RecordError {
        RecordError::io(&self.path, error)
    }
}

/// Whether two files are one.
#[cfg(unix)]
fn same(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Whether a file still has a name in some folder.
#[cfg(unix)]
fn has_a_name(file: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(file) > 0
}

#[cfg(not(unix))]
fn has_a_name(_file: &Metadata) -> bool {
    false
}

/// Here the system does not let an open file be deleted or replaced.
#[cfg(not(unix))]
fn same(_one: &Metadata, _other: &Metadata) -> bool {
    true
}

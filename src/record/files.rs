//! Finding the records below a path, and their sources.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::RecordError;

/// The records of a path, and the other files next to them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecordFiles {
    /// The files with names ending in `.jsonl` or `.jsonl.gz`, in order.
    pub records: Vec<PathBuf>,
    /// All other files, and links to directories, which may form loops.
    pub others: Vec<PathBuf>,
}

impl RecordFiles {
    /// Finds the records in a directory and all its subdirectories. Any other path is a record.
    ///
    /// # Errors
    /// When a directory cannot be read, or contains no record.
    pub fn find(path: impl AsRef<Path>) -> Result<Self, RecordError> {
        let path = path.as_ref();
        let mut files = Self::default();
        let mut directories = Vec::new();
        if path.is_dir() {
            directories.push(path.to_owned());
        } else {
            files.records.push(path.to_owned());
        }
        while let Some(directory) = directories.pop() {
            let entries =
                fs::read_dir(&directory).and_then(|entries| entries.collect::<Result<Vec<_>, _>>());
            for entry in entries.map_err(|error| RecordError::io(&directory, error))? {
                let path = entry.path();
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    directories.push(path);
                } else if is_record(&path) && path.is_file() {
                    files.records.push(path);
                } else {
                    files.others.push(path);
                }
            }
        }
        files.records.sort();
        files.others.sort();
        if files.records.is_empty() {
            let found = "expected records, found no file named .jsonl or .jsonl.gz";
            return Err(RecordError::io(
                path,
                io::Error::new(ErrorKind::NotFound, found),
            ));
        }
        Ok(files)
    }
}

fn is_record(path: &Path) -> bool {
    let name = path.as_os_str().as_encoded_bytes();
    name.ends_with(b".jsonl") || name.ends_with(b".jsonl.gz")
}

/// Returns the source of a record found under a given path: that path, or the subdirectory directly
/// below it.
pub(super) fn source_of(given: &Path, record: &Path) -> PathBuf {
    let below = record.strip_prefix(given).unwrap_or(Path::new(""));
    let mut parts = below.components();
    match (parts.next(), parts.next()) {
        (Some(subdirectory), Some(_)) => given.join(subdirectory),
        _ => given.to_owned(),
    }
}

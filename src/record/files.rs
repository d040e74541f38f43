//! The records in a folder.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::RecordError;

/// What a folder has: records, and what is not taken for any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Files {
    /// The files whose names end with `.jsonl` or `.jsonl.gz`, in the order of their names.
    pub records: Vec<PathBuf>,
    /// All other files, and links to folders, which may lead back.
    pub others: Vec<PathBuf>,
}

impl Files {
    /// Looks into a folder and all folders in it. What is no folder is a record itself.
    ///
    /// # Errors
    /// When a folder cannot be read, or has no record.
    pub fn of(path: &Path) -> Result<Self, RecordError> {
        let (mut files, mut folders) = (Self::default(), Vec::new());
        match path.is_dir() {
            true => folders.push(path.to_owned()),
            false => files.records.push(path.to_owned()),
        }
        while let Some(folder) = folders.pop() {
            let entries = fs::read_dir(&folder).and_then(|entries| entries.collect::<Result<Vec<_>, _>>());
            for entry in entries.map_err(|error| RecordError::io(&folder, error))? {
                let path = entry.path();
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    folders.push(path);
                } else if is_record(&path) && !path.is_dir() {
                    files.records.push(path);
                } else {
                    files.others.push(path);
                }
            }
        }
        files.records.sort();
        files.others.sort();
        if files.records.is_empty() {
            let found = "expected records, found no file in it whose name ends with .jsonl or .jsonl.gz";
            return Err(RecordError::io(path, io::Error::new(ErrorKind::NotFound, found)));
        }
        Ok(files)
    }
}

fn is_record(path: &Path) -> bool {
    let name = path.as_os_str().as_encoded_bytes();
    name.ends_with(b".jsonl") || name.ends_with(b".jsonl.gz")
}

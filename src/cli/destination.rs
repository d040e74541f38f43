//! A file that is written completely or not at all; `-` is stdout.
//!
//! The content is written to a temporary file in the same directory, which then replaces the old
//! file.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::record;
use tempfile::NamedTempFile;

use super::error::{Error, Result};
use super::{output, signals};

/// A file to be written.
pub(super) struct Destination {
    sink: Sink,
    path: PathBuf,
    option: &'static str,
}

impl Destination {
    /// Opens `path`, which is the value of `option` and must not be one of the `inputs`.
    pub(super) fn new(path: &Path, option: &'static str, inputs: &[PathBuf]) -> Result<Self> {
        check_no_input(path, option, inputs)?;
        // Reading a pipe would block.
        if path.is_file() && record::is_record(path) {
            return Err(refused(path, option, "a record"));
        }
        // A signal may have arrived just as other work ended, and opening a pipe may block.
        signals::check(String::new)?;
        Ok(Self {
            sink: Sink::new(path).map_err(|error| unwritable(path, option, &error))?,
            path: path.to_owned(),
            option,
        })
    }

    pub(super) fn write(self, text: &str) -> Result<()> {
        if let Sink::Stream(_) = self.sink {
            signals::check(String::new)?;
        }
        self.sink
            .write(text)
            .map_err(|error| unwritable(&self.path, self.option, &error))
    }
}

fn unwritable(path: &Path, option: &str, error: &io::Error) -> Error {
    let hint = format!("; choose another file with {option}");
    Error::file("write", path.display(), path, error, &hint)
}

enum Sink {
    Replacement {
        file: NamedTempFile,
        path: PathBuf,
        /// Signals are deferred, so that the temporary file is always deleted; fields are dropped
        /// in this order. A stream needs no such care: a signal must end a program that waits for
        /// the reader of a pipe.
        _signals: signals::Deferred,
    },
    Stream(Box<dyn Write>),
}

impl Sink {
    fn new(path: &Path) -> io::Result<Self> {
        // If stdout is redirected to a file, opening /dev/stdout would overwrite that file from the
        // beginning.
        if path == Path::new("-") || path == Path::new("/dev/stdout") {
            return Ok(Self::Stream(output::stdout()?));
        }
        let permissions = match fs::metadata(path) {
            Ok(old) if old.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            // Devices and pipes cannot be replaced, and neither can the links in /dev and /proc.
            Ok(old) if !old.is_file() || path.starts_with("/dev") || path.starts_with("/proc") => {
                let stream = File::options().append(true).open(path)?;
                return Ok(Self::Stream(Box::new(stream)));
            }
            // Refuse here, because renaming would replace even a read-only file.
            Ok(old) if old.permissions().readonly() => {
                return Err(io::ErrorKind::PermissionDenied.into());
            }
            Ok(old) => Some(old.permissions()),
            Err(error) => match error.kind() {
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => None,
                _ => return Err(error),
            },
        };
        let path = record::behind_links(path)?;
        let directory = match path.parent() {
            Some(directory) if !directory.as_os_str().is_empty() => directory,
            _ => Path::new("."),
        };
        let _signals = signals::Deferred::new();
        // Unlike a private temporary file, this one has the usual permissions, and errors do not
        // contain its name.
        let file = tempfile::Builder::new()
            .prefix(".queencount-")
            .make_in(directory, |path| File::create_new(path))?;
        if let Some(permissions) = permissions {
            file.as_file().set_permissions(permissions)?;
        }
        Ok(Self::Replacement {
            file,
            path,
            _signals,
        })
    }

    fn write(self, text: &str) -> io::Result<()> {
        match self {
            Self::Replacement { mut file, path, .. } => {
                // The errors of a temporary file would contain its name.
                file.as_file_mut().write_all(text.as_bytes())?;
                // A system crash must not leave an empty file.
                file.as_file().sync_all()?;
                file.persist(path)?;
                Ok(())
            }
            Self::Stream(mut stream) => match stream
                .write_all(text.as_bytes())
                .and_then(|()| stream.flush())
            {
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
                result => result,
            },
        }
    }
}

/// Refuses to overwrite an input, even under a different name.
pub(super) fn check_no_input<'a>(
    path: &Path,
    option: &str,
    inputs: impl IntoIterator<Item = &'a PathBuf>,
) -> Result<()> {
    let stdin = Path::new("/dev/stdin");
    for input in inputs {
        let input = if input == Path::new("-") {
            stdin
        } else {
            input
        };
        if is_same_file(path, input) {
            return Err(refused(path, option, "an input"));
        }
    }
    Ok(())
}

fn refused(path: &Path, option: &str, what: &str) -> Error {
    let path = path.display();
    Error::Usage(format!(
        "{option}: expected a different file, found {path}, which is {what}"
    ))
}

/// Returns whether both paths refer to the same regular file.
fn is_same_file(one: &Path, other: &Path) -> bool {
    // Opening a pipe would block.
    one.is_file() && other.is_file() && same_file::is_same_file(one, other).unwrap_or(false)
}

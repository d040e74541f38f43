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
    name: String,
    option: &'static str,
}

impl Destination {
    /// Opens `path`, which is the value of `option` and must not be one of the `inputs`.
    pub(super) fn new(path: &Path, option: &'static str, inputs: &[PathBuf]) -> Result<Self> {
        check_overwritten(path, option, inputs)?;
        // A signal may have arrived just as other work ended, and opening a pipe may block.
        signals::check()?;
        let name = path.display().to_string();
        let sink = Sink::new(path).map_err(|error| unwritable(&name, option, &error))?;
        Ok(Self { sink, name, option })
    }

    pub(super) fn write(self, text: &str) -> Result<()> {
        if let Sink::Stream(_) = self.sink {
            signals::check()?;
        }
        self.sink
            .write(text)
            .map_err(|error| unwritable(&self.name, self.option, &error))
    }
}

fn unwritable(name: &str, option: &str, error: &io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::IsADirectory => Error::Usage(format!(
            "{option}: expected a file, found {name}, which is a directory"
        )),
        // An error of the system has a number.
        io::ErrorKind::NotFound if error.raw_os_error().is_none() => Error::Usage(format!(
            "{name}: {error}; choose another file with {option}"
        )),
        _ => Error::System(format!(
            "cannot write {name}: {error}; choose another file with {option}"
        )),
    }
}

enum Sink {
    Replacement(Replacement),
    Stream(Box<dyn Write>),
}

struct Replacement {
    file: NamedTempFile,
    path: PathBuf,
    /// Signals are deferred, so that the temporary file is always deleted; fields are dropped in
    /// this order. A stream needs no such care: a signal must end a program that waits for the
    /// reader of a pipe.
    _signals: signals::Deferred,
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
        // Check the directory first, because an error about the temporary file would be less clear.
        match fs::metadata(directory) {
            Ok(found) if found.is_dir() => {}
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {
                let missing = format!("no such directory: {}", directory.display());
                return Err(io::Error::new(io::ErrorKind::NotFound, missing));
            }
        }
        let _signals = signals::Deferred::new();
        // Unlike a private temporary file, this one has the usual permissions, and errors do not
        // contain its name.
        let file = tempfile::Builder::new()
            .prefix(".queencount-")
            .make_in(directory, |path| File::create_new(path))?;
        if let Some(permissions) = permissions {
            file.as_file().set_permissions(permissions)?;
        }
        Ok(Self::Replacement(Replacement {
            file,
            path,
            _signals,
        }))
    }

    fn write(self, text: &str) -> io::Result<()> {
        match self {
            Self::Replacement(mut replacement) => {
                // The errors of a temporary file would contain its name.
                replacement.file.as_file_mut().write_all(text.as_bytes())?;
                // A system crash must not leave an empty file.
                replacement.file.as_file().sync_all()?;
                replacement.file.persist(replacement.path)?;
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

pub(super) fn check_overwritten(path: &Path, option: &str, inputs: &[PathBuf]) -> Result<()> {
    check_no_input(path, option, inputs)?;
    // Reading a pipe would block.
    if path.is_file() && record::is_record(path) {
        return Err(refused(path, option, "a record"));
    }
    Ok(())
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

/// Refuses to write a record to the file to which stdout or stderr is redirected.
pub(super) fn check_no_stream(record: &Path) -> Result<()> {
    for stream in ["stdout", "stderr"] {
        if is_same_file(record, &Path::new("/dev").join(stream)) {
            return Err(refused(record, "--record", stream));
        }
    }
    Ok(())
}

/// Returns whether both paths refer to the same regular file.
fn is_same_file(one: &Path, other: &Path) -> bool {
    // Opening a pipe would block.
    one.is_file() && other.is_file() && same_file::is_same_file(one, other).unwrap_or(false)
}

//! A file that is written completely or not at all; `-` is stdout.
//!
//! The content is written to a temporary file in the same directory, which is then renamed. If
//! anything fails, an existing file remains unchanged.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::record;
use tempfile::NamedTempFile;

use super::error::{Error, Result};
use super::signals;

/// A file to be written. While this value exists, signals are deferred, so that the temporary file
/// can be deleted.
pub(super) struct Destination {
    sink: Sink,
    /// The name of the file, and the option that sets it, for error messages.
    name: (String, &'static str),
    _signals: signals::Deferred,
}

impl Destination {
    /// Creates a destination at `path`, which was given as the value of `option`. Fails if `path`
    /// is one of the `inputs`.
    pub(super) fn new(path: &Path, option: &'static str, inputs: &[PathBuf]) -> Result<Self> {
        check_overwritten(path, option, inputs)?;
        let name = (path.display().to_string(), option);
        let _signals = signals::Deferred::new();
        let sink = Sink::new(path).map_err(|error| unwritable(&name, &error))?;
        Ok(Self {
            sink,
            name,
            _signals,
        })
    }

    pub(super) fn write(self, text: &str) -> Result<()> {
        self.sink
            .write(text)
            .map_err(|error| unwritable(&self.name, &error))
    }
}

fn unwritable((path, option): &(String, &str), error: &io::Error) -> Error {
    Error::System(format!(
        "cannot write {path}: {error}; choose another file with {option}"
    ))
}

enum Sink {
    /// A temporary file, and its final name.
    File(NamedTempFile, PathBuf),
    /// A device or a pipe, which must not be replaced.
    Stream(Box<dyn Write>),
}

impl Sink {
    fn new(path: &Path) -> io::Result<Self> {
        if path == Path::new("-") {
            return Ok(Self::Stream(Box::new(io::stdout())));
        }
        // Follow links: replace or create the target of a link, not the link itself.
        let permissions = match fs::metadata(path) {
            Ok(old) if old.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            // If stdout is redirected to a file, opening this path would overwrite the file from
            // the beginning.
            Ok(_) if path == Path::new("/dev/stdout") => {
                return Ok(Self::Stream(Box::new(io::stdout())));
            }
            // /dev and /proc may contain links to files, but no files can be created there.
            Ok(old) if !old.is_file() || path.starts_with("/dev") || path.starts_with("/proc") => {
                return Ok(Self::Stream(Box::new(
                    File::options().append(true).open(path)?,
                )));
            }
            // Renaming ignores the permissions of the file that is replaced.
            Ok(old) if old.permissions().readonly() => {
                return Err(io::ErrorKind::PermissionDenied.into());
            }
            Ok(old) => Some(old.permissions()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let path = record::behind_links(path)?;
        let directory = match path.parent() {
            Some(directory) if !directory.as_os_str().is_empty() => directory,
            _ => Path::new("."),
        };
        // Check the directory first: the error is clearer than one about the temporary file.
        fs::metadata(directory).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                io::Error::other(format!("no such directory: {}", directory.display()))
            }
            _ => error,
        })?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(".queencount-");
        // Temporary files are private by default, so give this one the usual permissions of a new
        // file.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(directory)?;
        if let Some(permissions) = permissions {
            file.as_file().set_permissions(permissions)?;
        }
        Ok(Self::File(file, path))
    }

    fn write(self, text: &str) -> io::Result<()> {
        match self {
            Self::File(mut file, path) => {
                file.write_all(text.as_bytes())?;
                // Sync before renaming, so that a crash of the machine cannot leave an empty file.
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

/// Refuses to write to a file that is an input or a record.
pub(super) fn check_overwritten(path: &Path, option: &str, inputs: &[PathBuf]) -> Result<()> {
    check_no_input(path, option, inputs)?;
    // Only regular files are read, because reading a pipe would block.
    match Identity::of(path).is_some() && record::is_record(path) {
        true => Err(refused(path, option, "a record")),
        false => Ok(()),
    }
}

/// Refuses to write to one of the `inputs`, even under a different name.
pub(super) fn check_no_input<'a>(
    path: &Path,
    option: &str,
    inputs: impl IntoIterator<Item = &'a PathBuf>,
) -> Result<()> {
    let file = Identity::of(path);
    let mut inputs = inputs.into_iter().filter_map(|input| match input.to_str() {
        Some("-") => Identity::of(Path::new("/dev/stdin")),
        _ => Identity::of(input),
    });
    match file.is_some_and(|file| inputs.any(|input| input == file)) {
        true => Err(refused(path, option, "an input")),
        false => Ok(()),
    }
}

fn refused(path: &Path, option: &str, what: &str) -> Error {
    let path = path.display();
    Error::Usage(format!(
        "expected a different file for '{option}', found {path}, which is {what}"
    ))
}

/// Refuses to write a record to the file to which stdout or stderr is redirected.
pub(super) fn check_no_stream(record: &Path) -> Result<()> {
    let Some(file) = Identity::of(record) else {
        return Ok(());
    };
    for stream in ["stdout", "stderr"] {
        if Identity::of(&Path::new("/dev").join(stream)).as_ref() == Some(&file) {
            return Err(Error::Usage(format!(
                "the record must not be the file to which {stream} is redirected"
            )));
        }
    }
    Ok(())
}

/// The identity of a regular file, which does not depend on its name.
#[derive(PartialEq)]
struct Identity(PathBuf, [u64; 2]);

impl Identity {
    fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            Some(Self(PathBuf::new(), [metadata.dev(), metadata.ino()]))
        }
        #[cfg(not(unix))]
        {
            drop(metadata);
            Some(Self(fs::canonicalize(path).ok()?, [0; 2]))
        }
    }
}

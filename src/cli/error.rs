//! The errors of the program, each printed on one line, and their exit codes.
//!
//! The exit code tells a script whether to continue, retry or alert a person.

use std::fmt::Display;
use std::io::{self, ErrorKind};
use std::path::Path;

use crate::record::{Plan, RecordError, RecordErrorKind};
use crate::{CountError, DeviceError, EngineError};
use signal_hook::consts::SIGTERM;

/// The signal sent when the terminal is closed; `libc` does not define it on Windows.
pub(super) const SIGHUP: i32 = 1;

pub(super) const EXIT_CODES: &[(&str, &str)] = &[
    ("0", "success, even if the reader of stdout exits early"),
    (
        "1",
        "system error, such as a full disk or too little memory; retrying may help",
    ),
    (
        "2",
        "invalid arguments or input; any results printed before the error are correct",
    ),
    (
        "3",
        "wrong result: a failed verification or audit, a wrong total, lines that disagree, or a \
         file that is not a record of the count; do not retry",
    ),
    ("4", "incomplete: units are missing"),
    (
        "129",
        "stopped by SIGHUP, usually because the terminal was closed",
    ),
    (
        "130",
        "stopped by SIGINT (Ctrl-C); if the program does not stop within 0.5 s, a second Ctrl-C \
         ends it at once",
    ),
    ("143", "stopped by SIGTERM"),
];

#[derive(Debug, thiserror::Error)]
pub(super) enum Error {
    #[error("{0}")]
    Usage(String),
    #[error("{0}")]
    System(String),
    #[error("{0}")]
    Wrong(String),
    #[error("{0}")]
    Incomplete(String),
    /// A signal arrived. `progress` says how far the work had got, and may be empty.
    #[error("{}{progress}", verb(*signal))]
    Interrupted { signal: i32, progress: String },
    /// The reader of stdout exited, probably because it had read enough. This counts as success.
    #[error("the reader of stdout exited")]
    BrokenPipe,
}

pub(super) type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// Converts an error that occurred while writing to stdout.
    pub(super) fn stdout(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::BrokenPipe,
            _ => Self::System(format!("cannot write to stdout: {error}")),
        }
    }

    /// Converts the error for a file that the program reads or writes, as `verb` says. `name` tells
    /// which file it is, and `hint` what to do.
    pub(super) fn file(
        verb: &str,
        name: impl Display,
        path: &Path,
        error: &io::Error,
        hint: &str,
    ) -> Self {
        match error.kind() {
            ErrorKind::IsADirectory => {
                Self::Usage(format!("{name}: expected a file, found a directory{hint}"))
            }
            ErrorKind::NotFound | ErrorKind::NotADirectory => {
                Self::Usage(format!("{name}: {}{hint}", missing(path)))
            }
            _ => Self::System(format!("cannot {verb} {name}: {error}{hint}")),
        }
    }

    /// Adds a hint on what to do.
    pub(super) fn with_hint(mut self, hint: &str) -> Self {
        match &mut self {
            Self::Usage(line) | Self::System(line) | Self::Wrong(line) | Self::Incomplete(line) => {
                *line += hint;
            }
            Self::Interrupted { .. } | Self::BrokenPipe => {}
        }
        self
    }

    pub(super) fn exit_code(&self) -> u8 {
        match self {
            Self::BrokenPipe => 0,
            Self::System(_) => 1,
            Self::Usage(_) => 2,
            Self::Wrong(_) => 3,
            Self::Incomplete(_) => 4,
            Self::Interrupted { signal, .. } => 128 + *signal as u8,
        }
    }
}

fn verb(signal: i32) -> &'static str {
    match signal {
        SIGTERM => "terminated",
        SIGHUP => "stopped by SIGHUP",
        _ => "interrupted",
    }
}

impl From<CountError> for Error {
    fn from(error: CountError) -> Self {
        Self::from(&error)
    }
}

impl From<&CountError> for Error {
    fn from(error: &CountError) -> Self {
        match error {
            CountError::Size(error) => Self::Usage(error.to_string()),
            CountError::Classes(_) | CountError::Overflow => Self::Wrong(error.to_string()),
            CountError::Threads(source) => {
                Self::System(format!("{error}: {source}; try fewer --threads"))
            }
            _ => Self::System(error.to_string()),
        }
    }
}

impl From<EngineError> for Error {
    fn from(error: EngineError) -> Self {
        CountError::from(error).into()
    }
}

impl From<DeviceError> for Error {
    fn from(error: DeviceError) -> Self {
        let hint = match &error {
            DeviceError::Cpu(name) => &format!("; use 'gpu:{name}'"),
            DeviceError::NoSuchName(_) | DeviceError::NoSuchNumber { .. } => {
                "; 'queencount devices' lists the devices"
            }
            _ => "",
        };
        Self::Usage(format!("--device: {error}{hint}"))
    }
}

impl From<RecordError> for Error {
    fn from(error: RecordError) -> Self {
        Self::from(&error)
    }
}

impl From<&RecordError> for Error {
    fn from(error: &RecordError) -> Self {
        let line = with_sources(error);
        match (error.kind(), error.place()) {
            (RecordErrorKind::Count(error), _) => error.into(),
            (RecordErrorKind::Io(error), Some(place)) => {
                Self::file("read", place, &place.path, error, "")
            }
            (RecordErrorKind::Plans { found, .. }, _) => {
                let [first, others @ ..] = &found[..] else {
                    return Self::Usage(line);
                };
                let advice = match others {
                    [] => "read it without --n and --engine",
                    others if others.iter().all(|other| is_alike(&first.0, &other.0)) => {
                        "remove the files of all but one"
                    }
                    _ => "choose one with --n and --engine, or remove the other files",
                };
                Self::Usage(format!("{line}; {advice}"))
            }
            (RecordErrorKind::Unsupported(_), _) => Self::Wrong(format!(
                "{line}; use the version of the program that wrote this record"
            )),
            _ if error.is_transient() => Self::System(line),
            _ => Self::Wrong(line),
        }
    }
}

/// Returns whether `--n` and `--engine` cannot distinguish two plans.
fn is_alike(one: &Plan, other: &Plan) -> bool {
    one.n == other.n && one.engine == other.engine
}

/// Says what is missing of a path: a directory, or only the last part.
fn missing(path: &Path) -> String {
    match path.parent() {
        Some(directory) if directory != Path::new("") && !directory.is_dir() => {
            format!("no such directory: {}", directory.display())
        }
        _ => "no such file or directory".to_owned(),
    }
}

/// Returns the messages of an error and its causes.
pub(super) fn with_sources(error: &(dyn std::error::Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text += &format!(": {error}");
        source = error.source();
    }
    text
}

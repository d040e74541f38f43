//! How the program ends: the exit codes, and the one line that explains each of them but 0.
//!
//! Scripts and schedulers decide by the code whether to go on, to retry or to call a person, so
//! every failure is sorted into exactly one of these kinds.

use std::error::Error;
use std::io;

use queencount::record::{PlanError, RecordError, SelectionError};
use queencount::{CountError, DeviceError, EngineChoice, EngineError};
use signal_hook::consts::SIGTERM;

/// The terminal is gone. Not every system has a name for the signal.
pub const SIGHUP: i32 = 1;

/// The exit codes and what they mean, as the help and the manual show them.
pub const EXIT_CODES: &[(&str, &str)] = &[
    (
        "0",
        "done, also when the reader of a pipe has left or standard output is closed",
    ),
    (
        "1",
        "the system failed: a file, a full disk, no threads, no memory; worth retrying",
    ),
    (
        "2",
        "usage: bad arguments or bad input; what was printed before it is right",
    ),
    (
        "3",
        "wrong: a failed verification or audit, a damaged or contradictory record; never retry",
    ),
    ("4", "incomplete: units are missing from the records"),
    ("129", "ended by SIGHUP: the terminal is gone"),
    (
        "130",
        "interrupted by SIGINT (Ctrl-C); a second signal, half a second later or more, ends at once",
    ),
    ("143", "terminated by SIGTERM"),
];

/// How the program ends before it has done all that was asked for.
#[derive(Debug)]
pub enum Exit {
    /// Arguments or input that mean nothing.
    Usage(String),
    /// The file system, or another service of the system, failed.
    System(String),
    /// A count, or a record of counts, is wrong.
    Wrong(String),
    Incomplete(String),
    /// A signal asked for the end: its number, and in words how far the work had come.
    Interrupted {
        signal: u8,
        reached: Option<String>,
    },
    /// Nobody reads standard output any more. Readers who leave have what they wanted, so this is
    /// no error.
    Unread,
    /// The time that was given is up.
    Late,
}

/// What has been done, unless the program ends.
pub type OrExit<T> = Result<T, Exit>;

impl Exit {
    pub fn stdout(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::Unread,
            _ => Self::System(format!("cannot write to standard output: {error}")),
        }
    }

    /// The line for standard error, if there is something to say.
    pub fn line(&self) -> Option<String> {
        Some(match self {
            Self::Usage(line) | Self::System(line) | Self::Wrong(line) | Self::Incomplete(line) => {
                line.clone()
            }
            Self::Interrupted { signal, reached } => {
                let ended = match i32::from(*signal) {
                    SIGTERM => "terminated",
                    SIGHUP => "hung up",
                    _ => "interrupted",
                };
                reached
                    .as_ref()
                    .map_or(ended.to_owned(), |reached| format!("{ended} {reached}"))
            }
            Self::Late => {
                let found = "found that it takes longer; raise --seconds or choose a smaller board";
                format!("expected a count that ends within the given time, {found}")
            }
            Self::Unread => return None,
        })
    }

    /// The exit code, one of [`EXIT_CODES`].
    pub fn code(&self) -> u8 {
        match self {
            Self::Unread => 0,
            Self::System(_) => 1,
            Self::Usage(_) | Self::Late => 2,
            Self::Wrong(_) => 3,
            Self::Incomplete(_) => 4,
            Self::Interrupted { signal, .. } => 128 + signal,
        }
    }
}

impl From<CountError> for Exit {
    fn from(error: CountError) -> Self {
        match error {
            CountError::Size(error) => Self::Usage(error.to_string()),
            CountError::Classes(_) | CountError::Overflow => Self::Wrong(error.to_string()),
            CountError::Memory => Self::System(format!(
                "{error}; try less memory per thread, or fewer threads"
            )),
            CountError::Threads(ref source) => {
                Self::System(format!("{error}: {source}; try fewer with --threads"))
            }
            _ => Self::System(error.to_string()),
        }
    }
}

impl From<DeviceError> for Exit {
    fn from(error: DeviceError) -> Self {
        let hint = match &error {
            DeviceError::Unsupported => "; build it with --features gpu".to_owned(),
            DeviceError::Cpu(name) => format!("; use 'gpu:{name}'"),
            DeviceError::NoGpu | DeviceError::NoSuchName(_) | DeviceError::NoSuchNumber { .. } => {
                "; 'queencount devices' lists the devices".to_owned()
            }
            _ => String::new(),
        };
        Self::Usage(format!("{error}{hint}"))
    }
}

impl From<EngineError> for Exit {
    fn from(stopped: EngineError) -> Self {
        CountError::from(stopped).into()
    }
}

const OTHER_PROGRAM: &str = "; begin a new record, or resume it with the program that wrote it";

impl From<RecordError> for Exit {
    fn from(error: RecordError) -> Self {
        let error = match error {
            RecordError::Count(error) => return error.into(),
            error => error,
        };
        let line = with_sources(&error);
        let advice = match &error {
            RecordError::Empty => return Self::Incomplete(format!("incomplete: {line}")),
            error if error.is_transient() => return Self::System(line),
            RecordError::Damaged(..) => "; 'merge --salvage' skips it".to_owned(),
            RecordError::Conflict(_) => {
                "; 'audit --findings FILE' shows which is wrong, for --exclude FILE".to_owned()
            }
            RecordError::WrongTotal { .. } => {
                "; 'audit --findings FILE' may show which, for --exclude FILE".to_owned()
            }
            RecordError::Plan(_, PlanError::Engine(_)) => OTHER_PROGRAM.to_owned(),
            RecordError::OtherPlan(_, difference) => match difference.engine() {
                Some(engine) if engine.parse::<EngineChoice>().is_ok() => {
                    format!("; '--engine {engine}' resumes it")
                }
                Some(engine) => {
                    format!("; {}{OTHER_PROGRAM}", PlanError::Engine(engine.to_owned()))
                }
                None => String::new(),
            },
            _ => String::new(),
        };
        Self::Wrong(line + &advice)
    }
}

impl From<SelectionError> for Exit {
    fn from(error: SelectionError) -> Self {
        Self::Usage(error.to_string())
    }
}

/// Returns the text of an error and of the errors behind it.
pub fn with_sources(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text += &format!(": {error}");
        source = error.source();
    }
    text
}

//! Standard output: results alone, each on its way to the reader as soon as it is known.
//!
//! People read text; programs read the same result as fields: a JSON object a line, or CSV under one header line.
//! Numbers of solutions are JSON *strings* at any size: from N = 19 on they pass 2^32, from N = 26 on the 2^53 up to
//! which every JSON reader is exact, from N = 29 on 2^64, and a field should not change its type on the way.

use std::fmt;
use std::io::Write;
use std::time::Duration;

use queencount::Solution;

use super::counting::Counted;
use super::exit::Failure;

/// The form of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For people.
    Text,
    /// A JSON object a line.
    Json,
    /// Comma-separated values under a header line.
    Csv,
}

/// Where results go, in one form.
pub struct Output {
    stdout: Box<dyn Write>,
    format: Format,
    /// Whether the header of the CSV has been written.
    headed: bool,
}

impl Output {
    /// Results in this form go to `stdout`.
    pub fn new(stdout: impl Write + 'static, format: Format) -> Self {
        Self { stdout: Box::new(stdout), format, headed: false }
    }

    /// The form.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Writes and flushes text as it is.
    pub fn text(&mut self, text: impl fmt::Display) -> Result<(), Failure> {
        let Self { stdout, .. } = self;
        write!(stdout, "{text}").and_then(|()| stdout.flush()).map_err(|error| Failure::stdout(&error))
    }

    /// Writes and flushes bytes as they are.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let Self { stdout, .. } = self;
        stdout.write_all(bytes).and_then(|()| stdout.flush()).map_err(|error| Failure::stdout(&error))
    }

    /// Writes and flushes a result as fields. All results of a run have the same fields.
    pub fn fields(&mut self, fields: &[(&str, Value)]) -> Result<(), Failure> {
        if self.format == Format::Json {
            let fields: Vec<String> =
                fields.iter().map(|(name, value)| format!("\"{name}\":{}", value.json())).collect();
            return self.text(format_args!("{{{}}}\n", fields.join(",")));
        }
        let values: Vec<String> = fields.iter().map(|(_, value)| value.csv()).collect();
        let mut lines = values.join(",") + "\n";
        if !self.headed {
            let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
            lines = format!("{}\n{lines}", names.join(","));
            self.headed = true;
        }
        self.text(lines)
    }
}

/// The value of a field.
pub enum Value {
    /// A number that fits every reader.
    Number(u64),
    /// A number of solutions.
    Count(u128),
    /// A time in seconds.
    Seconds(Duration),
    /// A word: no quotes, no commas.
    Word(&'static str),
    /// A number that is known only roughly.
    Real(f64),
    /// Text of any kind.
    Text(String),
    /// What is not known.
    Nothing,
    /// Whether something is so.
    Truth(bool),
    /// Solutions: their columns, counted from 1.
    Solutions(Vec<Solution>),
}

impl Value {
    fn json(&self) -> String {
        match self {
            Self::Count(count) => format!("\"{count}\""),
            Self::Word(word) => format!("\"{word}\""),
            Self::Text(text) => serde_json::Value::from(text.as_str()).to_string(),
            Self::Real(number) => serde_json::Value::from(*number).to_string(),
            Self::Nothing => "null".to_owned(),
            Self::Solutions(solutions) => {
                let solutions: Vec<String> =
                    solutions.iter().map(|solution| format!("[{}]", solution.to_string().replace(' ', ","))).collect();
                format!("[{}]", solutions.join(","))
            }
            plain => plain.csv(),
        }
    }

    fn csv(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Count(count) => count.to_string(),
            Self::Seconds(time) => format!("{:.6}", time.as_secs_f64()),
            Self::Word(word) => (*word).to_owned(),
            Self::Real(number) => format!("{number:e}"),
            Self::Text(text) if text.contains([',', '"', '\n', '\r']) => format!("\"{}\"", text.replace('"', "\"\"")),
            Self::Text(text) => text.clone(),
            Self::Nothing => String::new(),
            Self::Truth(truth) => truth.to_string(),
            Self::Solutions(solutions) => solutions.iter().map(Solution::to_string).collect::<Vec<String>>().join(";"),
        }
    }
}

/// Whether those who read standard output have gone away, as far as the system can tell before something is written.
#[cfg(unix)]
pub fn unread() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdout = std::io::stdout();
    let mut pipe = [PollFd::new(&stdout, PollFlags::empty())];
    let gone = PollFlags::ERR | PollFlags::HUP;
    poll(&mut pipe, Some(&Timespec::default())).is_ok() && pipe[0].revents().intersects(gone)
}

/// Here the system is not asked.
#[cfg(not(unix))]
pub fn unread() -> bool {
    false
}

/// A count as fields: the result first, then how it came about.
pub fn fields(counted: &Counted) -> Vec<(&'static str, Value)> {
    vec![
        ("n", Value::Number(counted.n.into())),
        ("total", Value::Count(counted.total)),
        ("seconds", Value::Seconds(counted.elapsed)),
        ("units", Value::Number(counted.units)),
        ("threads", Value::Number(counted.threads as u64)),
        ("engine", Value::Word(counted.engine)),
        ("version", Value::Word(env!("CARGO_PKG_VERSION"))),
    ]
}

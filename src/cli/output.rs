//! Standard output: results alone, each on its way to the reader as soon as it is known.
//!
//! People read text; programs read the same result as fields: a JSON object a line, or CSV under
//! one header line. Numbers of solutions are JSON *strings* at any size. Every JSON reader is exact
//! up to 2^53, and the numbers pass that from N = 26 on; a field should not change its type on the
//! way.

use std::fmt;
use std::io::Write;
use std::time::Duration;

use clap::ValueEnum;
use queencount::Solution;

use super::exit::{Exit, OrExit};
use super::notes::aside;
#[cfg(unix)]
use super::notes::is_now;

/// The form of a result: what `--format` can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// For people
    Text,
    /// One JSON object a line; numbers of solutions are strings of digits
    Json,
    /// Comma-separated values below a header line
    Csv,
}

/// Where results go, in one form.
pub struct Output {
    stdout: Box<dyn Write + Send>,
    form: Form,
    /// Whether the header of the CSV has been written.
    headed: bool,
}

impl Output {
    /// Results in this form go to `stdout`.
    pub fn new(stdout: impl Write + Send + 'static, form: Form) -> Self {
        Self {
            stdout: Box::new(stdout),
            form,
            headed: false,
        }
    }

    pub fn form(&self) -> Form {
        self.form
    }

    pub fn text(&mut self, text: impl fmt::Display) -> OrExit<()> {
        self.bytes(text.to_string().as_bytes())
    }

    /// Writes and flushes bytes as they are.
    pub fn bytes(&mut self, bytes: &[u8]) -> OrExit<()> {
        let Self { stdout, .. } = self;
        aside(|| stdout.write_all(bytes).and_then(|()| stdout.flush()))
            .map_err(|error| Exit::stdout(&error))
    }

    /// Writes and flushes a result as fields. All results of a run have the same fields.
    pub fn fields(&mut self, fields: &[Field]) -> OrExit<()> {
        if self.form == Form::Json {
            return self.text(object(fields) + "\n");
        }
        let values: Vec<String> = fields.iter().map(|(_, value)| value.csv()).collect();
        if !self.headed {
            self.head(&fields.iter().map(|(name, _)| *name).collect::<Vec<&str>>())?;
        }
        self.text(values.join(",") + "\n")
    }

    /// Writes the header of the CSV, which the first result does by itself: for results that there
    /// are none of.
    pub fn head(&mut self, names: &[&str]) -> OrExit<()> {
        self.headed = true;
        self.text(names.join(",") + "\n")
    }
}

pub enum Value {
    /// A number that fits every reader.
    Number(u64),
    /// A number of solutions.
    Count(u128),
    Seconds(Duration),
    /// A number that is known only roughly.
    Real(f64),
    Text(String),
    Nothing,
    Truth(bool),
    /// Solutions: their columns, counted from 1.
    Solutions(Vec<Solution>),
    /// Several values. CSV has no such thing.
    List(Vec<Value>),
    /// Fields within a field. CSV has no such thing.
    Object(Vec<Field>),
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

/// A field of a result: its name and its value.
pub type Field = (&'static str, Value);

fn object(fields: &[Field]) -> String {
    let members = fields
        .iter()
        .map(|(name, value)| format!("\"{name}\":{}", value.json()));
    format!("{{{}}}", members.collect::<Vec<String>>().join(","))
}

impl Value {
    fn json(&self) -> String {
        match self {
            Self::Count(count) => format!("\"{count}\""),
            Self::Text(text) => serde_json::Value::from(text.as_str()).to_string(),
            Self::Real(number) => serde_json::Value::from(*number).to_string(),
            Self::Nothing => "null".to_owned(),
            Self::Solutions(solutions) => {
                let solutions: Vec<String> = solutions
                    .iter()
                    .map(|solution| format!("[{}]", solution.to_string().replace(' ', ",")))
                    .collect();
                format!("[{}]", solutions.join(","))
            }
            Self::List(values) => format!(
                "[{}]",
                values
                    .iter()
                    .map(Self::json)
                    .collect::<Vec<String>>()
                    .join(",")
            ),
            Self::Object(fields) => object(fields),
            plain => plain.csv(),
        }
    }

    fn csv(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Count(count) => count.to_string(),
            Self::Seconds(time) => format!("{:.6}", time.as_secs_f64()),
            Self::Real(number) => format!("{number:e}"),
            Self::Text(text) if text.contains([',', '"', '\n', '\r']) => {
                format!("\"{}\"", text.replace('"', "\"\""))
            }
            Self::Text(text) => text.clone(),
            Self::Nothing => String::new(),
            Self::Truth(truth) => truth.to_string(),
            Self::Solutions(solutions) => solutions
                .iter()
                .map(Solution::to_string)
                .collect::<Vec<String>>()
                .join(";"),
            Self::List(_) | Self::Object(_) => Self::Text(self.json()).csv(),
        }
    }
}

/// Whether nobody reads standard output any more, as far as the system can tell before something is
/// written.
#[cfg(unix)]
pub fn unread() -> bool {
    use rustix::event::PollFlags;
    is_now(&std::io::stdout(), PollFlags::ERR | PollFlags::HUP)
}

/// Here the system is not asked.
#[cfg(not(unix))]
pub fn unread() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_text_that_csv_would_misread_is_quoted() {
        for (text, csv) in [
            ("1/3", "1/3"),
            ("0-4,7", "\"0-4,7\""),
            ("a \"b\"", "\"a \"\"b\"\"\""),
            ("a\nb", "\"a\nb\""),
        ] {
            assert_eq!(Value::Text(text.to_owned()).csv(), csv);
        }
    }
}

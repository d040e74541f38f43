//! Results on stdout: human-readable text, or rows with named fields.
//!
//! Each row becomes one line: a JSON object, or CSV values below a header. Counts are JSON
//! *strings* of digits, because many JSON readers are exact only up to 2^53, and counts exceed that
//! from N = 26 on.

use std::fmt;
use std::io::{self, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::{Serialize, Serializer};

use super::error::{Error, Result};
pub(super) use super::format::Format;
use super::ui::Bar;

/// The destination of results. Each result is flushed immediately.
pub(super) struct Output {
    stdout: Mutex<Box<dyn Write + Send>>,
    format: Format,
    bar: Bar,
    has_header: AtomicBool,
}

impl Output {
    /// Creates an output that hides `bar` while it writes.
    pub(super) fn new(stdout: impl Write + Send + 'static, format: Format, bar: Bar) -> Self {
        Self {
            stdout: Mutex::new(Box::new(stdout)),
            format,
            bar,
            has_header: AtomicBool::new(false),
        }
    }

    /// Creates an output to stdout that hides `bar` while it writes.
    pub(super) fn with_stdout(format: Format, bar: Bar) -> Result<Self> {
        let stdout = stdout().map_err(|error| Error::stdout(&error))?;
        Ok(Self::new(stdout, format, bar))
    }

    pub(super) fn format(&self) -> Format {
        self.format
    }

    pub(super) fn text(&self, text: impl fmt::Display) -> Result<()> {
        self.bytes(text.to_string().as_bytes())
    }

    pub(super) fn bytes(&self, bytes: &[u8]) -> Result<()> {
        let mut stdout = self.stdout.lock().expect("no thread panics with the lock");
        self.bar
            .suspend(|| stdout.write_all(bytes).and_then(|()| stdout.flush()))
            .map_err(|error| Error::stdout(&error))
    }

    /// Writes a row. All rows of a run have the same fields.
    pub(super) fn row(&self, row: &impl Serialize) -> Result<()> {
        if self.format == Format::Json {
            let line = serde_json::to_string(row).expect("rows have names and plain values");
            return self.text(line + "\n");
        }
        let mut writer = csv::WriterBuilder::new()
            .has_headers(!self.has_header.swap(true, Ordering::Relaxed))
            .from_writer(Vec::new());
        writer.serialize(row).expect("rows are flat");
        self.bytes(&writer.into_inner().expect("memory takes every byte"))
    }

    /// Writes a result: its fields, or a text that ends with a line break.
    pub(super) fn print(&self, row: &impl Serialize, text: impl fmt::Display) -> Result<()> {
        match self.format {
            Format::Text => self.text(text),
            Format::Json | Format::Csv => self.row(row),
        }
    }
}

/// A number of solutions, written as a string in JSON.
#[derive(Clone, Copy)]
pub(super) struct Count(pub u128);

impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// A time in seconds, rounded to 10 microseconds: smaller numbers would be printed with an
/// exponent.
#[derive(Clone, Copy, Default)]
pub(super) struct Seconds(pub Duration);

impl Serialize for Seconds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64((self.0.as_micros() / 10) as f64 / 1e5)
    }
}

/// Prints a text that is the only output.
pub(super) fn print(text: impl AsRef<[u8]>) -> Result<()> {
    Output::with_stdout(Format::Text, Bar::default())?.bytes(text.as_ref())
}

/// Returns a writer to stdout that reports every error. [`std::io::stdout`] claims that it has
/// written everything if stdout is not open for writing.
#[cfg(unix)]
pub(super) fn stdout() -> io::Result<Box<dyn Write + Send>> {
    use std::os::fd::AsFd;
    let stdout = io::stdout().as_fd().try_clone_to_owned()?;
    Ok(Box::new(std::fs::File::from(stdout)))
}

#[cfg(not(unix))]
pub(super) fn stdout() -> io::Result<Box<dyn Write + Send>> {
    Ok(Box::new(io::stdout()))
}

/// Fails if the reader of stdout is known to have exited.
pub(super) fn check_stdout() -> Result<()> {
    #[cfg(unix)]
    {
        use rustix::event::PollFlags;
        if super::ui::is_ready(&io::stdout(), PollFlags::ERR | PollFlags::HUP) {
            return Err(Error::BrokenPipe);
        }
    }
    Ok(())
}

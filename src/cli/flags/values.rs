//! Parsers for option values.

use std::collections::hash_map::RandomState;
use std::fmt::Display;
use std::hash::{BuildHasher, Hasher};
use std::ops::{Bound, RangeBounds, RangeInclusive};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use crate::Kernel;
use crate::parse::{ParseError, parse_digits};
use crate::record::is_named_gz;
use clap::builder::{PathBufValueParser, PossibleValuesParser, TypedValueParser};
use unicode_width::UnicodeWidthStr;

/// Parses a whole number in this range.
pub(crate) fn number<T>(
    range: impl RangeBounds<T> + Clone + Send + Sync + 'static,
) -> impl Fn(&str) -> Result<T, ParseError> + Clone + Send + Sync + 'static
where
    T: FromStr + PartialOrd + Display,
{
    move |text| match parse_digits(text) {
        Some(number) if range.contains(&number) => Ok(number),
        _ => {
            let first = match range.start_bound() {
                Bound::Included(first) => first.to_string(),
                _ => "0".to_owned(),
            };
            let last = match range.end_bound() {
                Bound::Included(last) => last.to_string(),
                _ => format!("2^{} - 1", 8 * size_of::<T>()),
            };
            let expected = format!("a whole number from {first} to {last}");
            Err(ParseError::new(expected, text))
        }
    }
}

/// The kernel, or `None` for the fastest.
pub(crate) type NamedKernel = Option<Kernel>;

pub(crate) fn kernel() -> impl TypedValueParser<Value = NamedKernel> {
    let names = std::iter::once("auto").chain(Kernel::names());
    PossibleValuesParser::new(names).try_map(|chosen| match chosen.as_str() {
        "auto" => Ok(None),
        name => name.parse().map(Some),
    })
}

/// Parses the name of a record that will be both read and written.
pub(crate) fn record() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        if path == Path::new("-") {
            Err(ParseError::new("the name of a file", "-"))
        } else if is_named_gz(&path) {
            Err(ParseError::new(
                "a file whose name does not end in .gz",
                path.to_string_lossy(),
            ))
        } else if path.exists() && !path.is_file() {
            Err(ParseError::new("a regular file", path.to_string_lossy()))
        } else {
            Ok(path)
        }
    })
}

/// Parses a memory size, in bytes.
pub(crate) fn memory(text: &str) -> Result<u64, ParseError> {
    // More than the memory of any machine, but still exact as an `f64`.
    const LARGEST: f64 = (1_u64 << 50) as f64;
    const SMALLEST: f64 = (1_u64 << 20) as f64;
    let units = [("K", 10), ("M", 20), ("G", 30), ("T", 40)];
    let upper = text.to_ascii_uppercase();
    let (number, shift) = units
        .into_iter()
        .find_map(|(unit, shift)| Some((upper.strip_suffix(unit)?, shift)))
        .unwrap_or((&upper, 0));
    decimal(number)
        .map(|number| number * (1_u64 << shift) as f64)
        .filter(|bytes| (SMALLEST..=LARGEST).contains(bytes))
        .map(|bytes| bytes as u64)
        .ok_or_else(|| ParseError::new("a size such as 256M or 1.5G, from 1M to 1024T", text))
}

/// Parses a time: a number of seconds, or numbers with units.
pub(crate) fn duration(text: &str) -> Result<Duration, ParseError> {
    const RANGE: RangeInclusive<Duration> =
        Duration::from_millis(100)..=Duration::from_secs(86_400);
    let time = match decimal(text) {
        Some(seconds) => Duration::try_from_secs_f64(seconds).ok(),
        None => humantime::parse_duration(text).ok(),
    };
    match time {
        Some(time) if RANGE.contains(&time) => Ok(time),
        _ => Err(ParseError::new(
            "a time such as 90 or 1m30s, from 0.1s to 24h",
            text,
        )),
    }
}

/// Returns an unpredictable seed that is short enough to type.
pub(crate) fn random_seed() -> u64 {
    RandomState::new().build_hasher().finish() >> 32
}

/// Parses a number that may have decimals, but no sign or exponent.
fn decimal(text: &str) -> Option<f64> {
    let is_plain = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.'));
    text.parse().ok().filter(|_| is_plain)
}

pub(crate) fn glyph(text: &str) -> Result<String, ParseError> {
    if (1..=8).contains(&text.width()) && !text.contains(char::is_control) {
        Ok(text.to_owned())
    } else {
        let expected = "a visible symbol, at most 8 columns wide";
        Err(ParseError::new(expected, text))
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Portion {
    Tasks(u64),
    Percent(f64),
}

impl Portion {
    /// Returns how many of these tasks to sample. Percentages are rounded up.
    pub(crate) fn tasks_of(self, tasks: u64) -> u64 {
        match self {
            Self::Tasks(sample) => sample,
            Self::Percent(percent) => (tasks as f64 * percent / 100.0).ceil() as u64,
        }
    }
}

pub(crate) fn sample(text: &str) -> Result<Portion, ParseError> {
    match text.strip_suffix('%') {
        Some(percent) => decimal(percent)
            .filter(|percent| *percent > 0.0 && *percent <= 100.0)
            .map(Portion::Percent),
        None => text
            .parse()
            .ok()
            .filter(|tasks| *tasks > 0)
            .map(Portion::Tasks),
    }
    .ok_or_else(|| {
        let expected = "a positive number of tasks, such as 30, or a positive percentage up to \
                        100%, such as 0.1%";
        ParseError::new(expected, text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sample_sizes_are_rounded_up() {
        for (text, tasks, size) in [("10%", 21, 3), ("100%", 21, 21), ("5", 21, 5), ("1%", 0, 0)] {
            let found = sample(text).unwrap().tasks_of(tasks);
            assert_eq!(found, size, "{text} of {tasks}");
        }
    }

    #[test]
    fn random_seeds_vary_and_fit_in_32_bits() {
        let seeds = [(); 8].map(|()| random_seed());
        assert!(seeds.iter().all(|seed| *seed >> 32 == 0), "{seeds:?}");
        assert!(seeds.iter().any(|seed| *seed != seeds[0]), "{seeds:?}");
    }
}

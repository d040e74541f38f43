//! What the values of options may be, and what is said of others.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::builder::{PathBufValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use queencount::record::GroupBy;
use queencount::{EngineChoice, Kernel};
use unicode_width::UnicodeWidthStr;

use crate::cli::exit::{Exit, OrExit};

#[derive(Clone, Debug, thiserror::Error)]
#[error("expected {0}")]
pub struct Expected(String);

/// Things that can be chosen: their names, and what the help says about them.
pub type Choices<T> = &'static [(&'static str, T, &'static str)];

pub const ENGINES: Choices<EngineChoice> = &[
    ("auto", EngineChoice::Auto, "The fastest one for the board"),
    (
        "backtrack",
        EngineChoice::Backtrack,
        "Places queens row by row; the reference",
    ),
    (
        "rows",
        EngineChoice::Rows,
        "Counts pairs of half-boards beside some middle rows; backtracks for N = 1 to 3",
    ),
];

/// What `status` can group entries by.
pub const GROUPS: Choices<GroupBy> = &[
    (
        "source",
        GroupBy::Source,
        "The file or directory of the record",
    ),
    ("site", GroupBy::Site, "The site that the lines name"),
    ("host", GroupBy::Host, "The machine that the lines name"),
    ("kernel", GroupBy::Kernel, "The kernel that the lines name"),
    (
        "version",
        GroupBy::Version,
        "The version that the records name",
    ),
];

/// Returns the name of a kind of group.
pub fn group_name(by: GroupBy) -> &'static str {
    GROUPS
        .iter()
        .find(|(_, known, _)| *known == by)
        .map_or("", |(name, ..)| name)
}

/// The name of one of these.
pub fn one_of<T: Copy + Send + Sync>(choices: Choices<T>) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(
        choices
            .iter()
            .map(|(name, _, help)| PossibleValue::new(*name).help(*help)),
    )
    .map(|chosen| {
        choices
            .iter()
            .find(|(name, ..)| *name == chosen)
            .expect("it is one of them")
            .1
    })
}

/// The kernel that is named, if one is; otherwise the fastest.
pub type NamedKernel = Option<Kernel>;

pub fn kernel() -> impl TypedValueParser<Value = NamedKernel> {
    let names = std::iter::once("auto").chain(Kernel::names());
    PossibleValuesParser::new(names).try_map(|chosen| match chosen.as_str() {
        "auto" => Ok(None),
        name => name.parse().map(Some),
    })
}

/// A file that is read and written, and so neither standard input nor standard output.
pub fn record() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        let is_compressed = path.extension().is_some_and(|extension| extension == "gz");
        if path == Path::new("-") {
            Err(Expected("the name of a file".to_owned()))
        } else if is_compressed {
            Err(Expected(
                "a file of plain text, which is not named .gz".to_owned(),
            ))
        } else {
            Ok(path)
        }
    })
}

/// A size of memory, in bytes.
pub fn memory(text: &str) -> Result<u64, Expected> {
    // More than any processor can address, and few enough bytes for a number with decimals to be
    // exact.
    const SIZES: RangeInclusive<f64> = (1_u64 << 20) as f64..=(1_u64 << 50) as f64;
    let shift = match text.as_bytes().last().map(u8::to_ascii_uppercase) {
        Some(b'K') => 10,
        Some(b'M') => 20,
        Some(b'G') => 30,
        Some(b'T') => 40,
        _ => 0,
    };
    let number = if shift > 0 {
        &text[..text.len() - 1]
    } else {
        text
    };
    let bytes = decimal(number).map(|number| number * (1_u64 << shift) as f64);
    let bytes = bytes
        .filter(|bytes| SIZES.contains(bytes))
        .map(|bytes| bytes as u64);
    bytes.ok_or_else(|| Expected("a size from 1M to 1024T, such as 256M or 1.5G,".to_owned()))
}

pub fn seconds(text: &str) -> Result<Duration, Expected> {
    let seconds = decimal(text).filter(|seconds| (0.1..=86_400.0).contains(seconds));
    let expected = || Expected("a number from 0.1 to 86400".to_owned());
    seconds.map(Duration::from_secs_f64).ok_or_else(expected)
}

/// A number in this range.
pub fn number(range: RangeInclusive<u64>) -> impl Fn(&str) -> Result<u64, Expected> + Clone {
    let whole = whole(u128::from(*range.start())..=u128::from(*range.end()));
    move |text| whole(text).map(|number| u64::try_from(number).expect("the range has 64 bits"))
}

/// An unpredictable seed, short enough to be typed. Results name it, so that the same draws can be
/// made again.
pub fn unforeseen_seed() -> u64 {
    RandomState::new().build_hasher().finish() >> 32
}

/// A number of solutions, or the place of one among all: of large boards they pass 2^64.
pub fn solutions(least: u128) -> impl Fn(&str) -> Result<u128, Expected> + Clone {
    whole(least..=u128::MAX)
}

/// A number in this range, without a sign.
fn whole(range: RangeInclusive<u128>) -> impl Fn(&str) -> Result<u128, Expected> + Clone {
    move |text| {
        let number = text
            .parse()
            .ok()
            .filter(|number| range.contains(number) && !text.starts_with('+'));
        number.ok_or_else(|| {
            Expected(format!(
                "a number from {} to {}",
                range.start(),
                range.end()
            ))
        })
    }
}

/// A number that may have decimals, but no sign and no exponent.
fn decimal(text: &str) -> Option<f64> {
    let plain = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    text.parse().ok().filter(|_| plain)
}

pub fn plan_hash(text: &str) -> Result<String, Expected> {
    let digits = text.len() == 16
        && text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
    if digits {
        Ok(text.to_owned())
    } else {
        Err(Expected(
            "the 16 digits from 0 to f that 'plan' prints".to_owned(),
        ))
    }
}

/// What a queen or an empty square of a drawn board is shown as: it can be seen, and stays on its
/// line.
pub fn glyph(text: &str) -> Result<String, Expected> {
    /// The columns of a terminal that it may take.
    const WIDEST: usize = 8;
    let fits = (1..=WIDEST).contains(&text.width()) && !text.contains(char::is_control);
    if fits {
        Ok(text.to_owned())
    } else {
        Err(Expected(format!(
            "something visible, at most {WIDEST} columns wide,"
        )))
    }
}

/// What a queen and an empty square are shown as: what is given for them, or what is usual. These
/// have to differ.
pub fn glyphs<'a>(given: [&'a Option<String>; 2], usual: [&'a str; 2]) -> OrExit<[&'a str; 2]> {
    let [queen, empty] = [0, 1].map(|place| given[place].as_deref().unwrap_or(usual[place]));
    if queen != empty {
        return Ok([queen, empty]);
    }
    Err(Exit::Usage(format!(
        "expected a queen and an empty square that differ, found {queen:?} for both"
    )))
}

#[derive(Clone, Copy, Debug)]
pub enum Portion {
    Entries(u64),
    /// This share of all, in percent.
    Percent(f64),
}

impl Portion {
    /// The number of entries to draw if there are `entries` in all. A share is at least one entry.
    pub fn of(self, entries: u64) -> u64 {
        match self {
            Self::Entries(sample) => sample.min(entries),
            Self::Percent(percent) => (entries as f64 * percent / 100.0)
                .ceil()
                .min(entries as f64) as u64,
        }
    }
}

/// A number of entries, or a share with a percent sign.
pub fn sample(text: &str) -> Result<Portion, Expected> {
    let sample = match text.strip_suffix('%') {
        Some(percent) => decimal(percent)
            .filter(|percent| *percent > 0.0 && *percent <= 100.0)
            .map(Portion::Percent),
        None => number(1..=u64::MAX)(text).ok().map(Portion::Entries),
    };
    sample.ok_or_else(|| Expected("a number of entries from 1 or a share as 0.1%".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_the_entries_is_rounded_up_and_no_sample_has_more_than_there_are() {
        for (text, entries, drawn) in [
            ("10%", 21, 3),
            ("100%", 21, 21),
            ("5", 21, 5),
            ("22", 21, 21),
            ("1%", 0, 0),
        ] {
            assert_eq!(
                sample(text).unwrap().of(entries),
                drawn,
                "{text} of {entries}"
            );
        }
    }

    #[test]
    fn seeds_differ_and_are_short_enough_to_be_typed() {
        let seeds = [(); 8].map(|()| unforeseen_seed());
        assert!(
            seeds.iter().all(|seed| *seed <= u32::MAX.into()),
            "{seeds:?}"
        );
        assert!(seeds.iter().any(|seed| *seed != seeds[0]), "{seeds:?}");
    }
}
